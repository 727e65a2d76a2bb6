// SPDX-License-Identifier: Apache-2.0
// A prompt that waits for its turn: a quiet bubble at the right, without a fill, because it is not part of the
// conversation yet.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style
import Coterie.App

Item {
    id: root

    required property int index
    required property var model // roles of QueuedPrompts

    signal editWanted
    signal cancelWanted

    Accessible.name: model.files ? qsTr("Waiting message: %1. Files: %2").arg(model.text).arg(NameText.isolated(model.files)) : qsTr("Waiting message: %1").arg(model.text)
    Accessible.role: Accessible.ListItem
    implicitHeight: bubble.height

    Rectangle {
        id: bubble

        anchors.right: parent.right
        border.color: Style.theme.line
        border.width: Style.hairline
        color: "transparent"
        height: row.implicitHeight + 2 * Style.tiny
        radius: Style.corner
        width: row.width + Style.medium + Style.tiny

        RowLayout {
            id: row

            anchors.left: parent.left
            anchors.leftMargin: Style.medium
            anchors.verticalCenter: parent.verticalCenter
            spacing: Style.tiny
            width: Math.min(implicitWidth, root.width * Style.bubbleShare - Style.medium - Style.tiny)

            ColumnLayout {
                Layout.fillWidth: true
                spacing: 0

                BodyText {
                    Accessible.ignored: true // it is the item's name
                    Layout.fillWidth: true
                    color: Style.theme.quiet
                    elide: Text.ElideRight
                    maximumLineCount: 2
                    text: root.model.text
                    visible: text
                    wrapMode: Text.Wrap
                }
                RowLayout {
                    spacing: Style.tiny
                    visible: root.model.files !== ""

                    Icon {
                        color: Style.theme.quiet
                        name: "clip"
                        size: Style.iconSmall
                    }
                    SmallText {
                        Accessible.ignored: true // so are the files
                        Layout.fillWidth: true
                        elide: Text.ElideMiddle
                        text: root.model.files
                    }
                }
            }
            IconButton {
                Layout.alignment: Qt.AlignTop
                compact: true
                iconName: "pencil"
                text: qsTr("Edit the waiting message")
                onClicked: root.editWanted()
            }
            IconButton {
                Layout.alignment: Qt.AlignTop
                compact: true
                iconName: "close"
                text: qsTr("Cancel the waiting message")
                onClicked: root.cancelWanted()
            }
        }
    }
}
