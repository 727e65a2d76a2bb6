// SPDX-License-Identifier: Apache-2.0
// The menu of the whole list of chats: its order, a temporary chat, and a new folder.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

PopupMenu {
    id: root

    required property Settings settings
    required property CommandList commands

    component OrderItem: PopupMenuItem {
        required property string order

        iconName: root.settings.chatOrder === order ? "check" : ""
        ofChoice: true
        onTriggered: root.settings.chatOrder = order
    }

    label: qsTr("Order of the list")

    OrderItem {
        order: "used"
        text: qsTr("Sort by last use")
    }
    OrderItem {
        order: "title"
        text: qsTr("Sort by title")
    }
    OrderItem {
        order: "created"
        text: qsTr("Sort by creation")
    }
    MenuLine {}
    PopupMenuItem {
        iconName: "clock"
        text: root.commands.title("chat.temporary")
        onTriggered: root.commands.run("chat.temporary")
    }
    PopupMenuItem {
        iconName: "folder"
        text: root.commands.title("chat.folder")
        onTriggered: root.commands.run("chat.folder")
    }
}
