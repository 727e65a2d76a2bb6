// SPDX-License-Identifier: Apache-2.0
// Accepts a model file that is dropped anywhere on the window.
import QtQuick
import Coterie.App
import Coterie.Style

DropArea {
    id: root

    required property ModelController models

    function modelIn(urls: list<url>): string {
        const found = urls.map(url => String(url)).find(url => url.toLowerCase().endsWith(".gguf"));
        return found ?? "";
    }

    onDropped: drop => {
        const model = modelIn(drop.urls);
        if (model) {
            drop.accept(Qt.CopyAction);
            models.open(model);
        }
    }
    onEntered: drag => {
        drag.accepted = drag.hasUrls && modelIn(drag.urls) !== "";
    }

    Rectangle {
        Accessible.ignored: true
        anchors.fill: parent
        color: Style.theme.scrim
        visible: root.containsDrag

        Rectangle {
            anchors.centerIn: parent
            border.color: Style.theme.ember
            border.width: Style.ring
            color: Style.theme.surface
            height: hint.implicitHeight + 2 * Style.wide
            radius: Style.corner
            width: hint.implicitWidth + 2 * Style.vast

            Column {
                id: hint

                anchors.centerIn: parent
                spacing: Style.small

                Icon {
                    anchors.horizontalCenter: parent.horizontalCenter
                    color: Style.theme.ember
                    name: "drop"
                    size: Style.vast
                }
                BodyText {
                    text: qsTr("Drop the model to open it")
                }
            }
        }
    }
}
