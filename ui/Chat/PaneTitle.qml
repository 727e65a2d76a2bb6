// SPDX-License-Identifier: Apache-2.0
// The line above a chat while two are in view: its title, in the accent colour below it whether keys go to it, and a
// button that closes it. If only one of the two has room, a button shows the other one.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Item {
    id: root

    required property Conversation conversation
    required property CommandList commands
    required property bool active
    required property bool hidesOther
    readonly property string title: conversation.temporary ? qsTr("Temporary chat") : conversation.title || qsTr("New chat")

    signal closeWanted
    signal otherWanted

    Accessible.description: active ? qsTr("Keys go to this chat") : ""
    Accessible.name: title
    Accessible.role: Accessible.Heading
    implicitHeight: row.implicitHeight + 2 * Style.tiny

    RowLayout {
        id: row

        anchors.left: parent.left
        anchors.leftMargin: Style.large
        anchors.right: parent.right
        anchors.rightMargin: Style.small
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.small

        BodyText {
            id: words

            Accessible.ignored: true // it is the line's name
            Layout.fillWidth: true
            color: root.active ? Style.theme.text : Style.theme.quiet
            elide: Text.ElideRight
            font.weight: root.active ? Style.medWeight : Font.Normal
            text: root.title
        }
        IconButton {
            compact: true
            iconName: "columns"
            text: root.commands.tip(qsTr("Show the other chat"), "panes.other")
            visible: root.hidesOther
            onClicked: root.otherWanted()
        }
        IconButton {
            compact: true
            iconName: "close"
            text: root.active ? root.commands.tip(qsTr("Close this chat's side"), "panes.split") : qsTr("Close this chat's side")
            onClicked: root.closeWanted()
        }
    }
    HoverHandler {
        id: hover
    }
    HoverTip {
        shown: hover.hovered && words.truncated
        target: words
        text: root.title
    }
    HairLine {
        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
    }
    Rectangle {
        Accessible.ignored: true
        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        color: Style.theme.ember
        height: Style.ring
        visible: root.active && !root.hidesOther
    }
}
