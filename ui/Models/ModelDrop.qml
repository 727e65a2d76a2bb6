// SPDX-License-Identifier: Apache-2.0
// Accepts files that are dropped anywhere on the window: a model is opened, others are attached to the message.
import QtQuick
import Coterie.App
import Coterie.Style

DropArea {
    id: root

    required property ModelController models
    required property ComposerFiles files
    property bool attaching: false // the files under the pointer would be attached

    signal filesDropped

    function modelIn(urls: list<url>): string {
        const found = urls.map(url => String(url)).find(url => url.toLowerCase().endsWith(".gguf"));
        return found ?? "";
    }

    onDropped: drop => {
        const model = modelIn(drop.urls);
        drop.accept(Qt.CopyAction);
        if (model) {
            models.open(model);
        } else {
            files.add(drop.urls);
            filesDropped();
        }
    }
    onEntered: drag => {
        drag.accepted = drag.hasUrls;
        attaching = modelIn(drag.urls) === "";
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
                    text: root.attaching ? qsTr("Drop the files to attach them") : qsTr("Drop the model to open it")
                }
            }
        }
    }
}
