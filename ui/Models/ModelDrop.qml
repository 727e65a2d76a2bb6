// SPDX-License-Identifier: Apache-2.0
// Accepts files that are dropped anywhere on the window: a model is opened, others are imported on the page for that,
// and else attached to the message.
import QtQuick
import Coterie.App
import Coterie.Style

DropArea {
    id: root

    required property ModelController models
    required property ChatExchange exchange
    required property ComposerFiles files
    required property bool importing // the page for exports and imports is shown
    property bool model: false // the files under the pointer have one

    signal filesAimed(point place) // they are for the chat here, if there are two
    signal filesDropped

    function modelIn(urls: list<url>): string {
        const found = urls.map(url => String(url)).find(url => url.toLowerCase().endsWith(".gguf"));
        return found ?? "";
    }

    onDropped: drop => {
        const path = modelIn(drop.urls);
        drop.accept(Qt.CopyAction);
        if (path) {
            models.open(path);
        } else if (importing) {
            exchange.importFiles(drop.urls);
        } else {
            filesAimed(Qt.point(drop.x, drop.y));
            files.add(drop.urls);
            filesDropped();
        }
    }
    onEntered: drag => {
        drag.accepted = drag.hasUrls;
        model = modelIn(drag.urls) !== "";
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
                    text: root.model ? qsTr("Drop the model to open it") : root.importing ? qsTr("Drop the chats to import them") : qsTr("Drop the files to attach them")
                }
            }
        }
    }
}
