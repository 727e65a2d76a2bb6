// SPDX-License-Identifier: Apache-2.0
// The line in the conversation where the part begins that the model sees.
import QtQuick
import Coterie.Style

Item {
    id: root

    signal undoWanted

    Accessible.name: words.text
    Accessible.role: Accessible.Grouping
    implicitHeight: Math.max(words.implicitHeight, undo.implicitHeight) + Style.small

    HairLine {
        anchors.left: parent.left
        anchors.right: row.left
        anchors.rightMargin: Style.small
        anchors.verticalCenter: row.verticalCenter
        color: Style.theme.mark
    }
    Row {
        id: row

        anchors.horizontalCenter: parent.horizontalCenter
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.tiny

        SmallText {
            id: words

            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("The model sees the conversation from here")
            width: Math.min(whole.needed, root.width - undo.width - Style.vast)
            wrapMode: Text.Wrap

            LineWidth {
                id: whole

                line: words
            }
        }
        IconButton {
            id: undo

            anchors.verticalCenter: parent.verticalCenter
            compact: true
            iconName: "undo"
            text: qsTr("Show the model the whole conversation")
            onClicked: root.undoWanted()
        }
    }
    HairLine {
        anchors.left: row.right
        anchors.leftMargin: Style.small
        anchors.right: parent.right
        anchors.verticalCenter: row.verticalCenter
        color: Style.theme.mark
    }
}
