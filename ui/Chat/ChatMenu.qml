// SPDX-License-Identifier: Apache-2.0
// The menu of a row of the list of chats: of a chat, of all selected ones if the chat is among them, or of a folder. The hits
// of a search have it, too, for their chats.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

PopupMenu {
    id: root

    required property ChatListModel chats
    required property ChatExchange exchange
    property var chatId: 0 // 0: the menu is of a folder
    property var folderId: 0
    property bool pinned: false
    property bool several: false // selected chats, of which this is one

    readonly property bool ofChat: chatId !== 0

    signal besideWanted
    signal renameWanted
    signal moveWanted
    signal duplicateWanted
    signal removeWanted

    label: ofChat ? qsTr("Menu of the chat") : qsTr("Menu of the folder")

    PopupMenuItem {
        iconName: "columns"
        text: qsTr("Open side by side")
        visible: root.ofChat && !root.several
        onTriggered: root.besideWanted()
    }
    PopupMenuItem {
        iconName: "pencil"
        text: qsTr("Rename")
        visible: !root.several
        onTriggered: root.renameWanted()
    }
    PopupMenuItem {
        iconName: "pin"
        text: root.pinned ? qsTr("Unpin") : qsTr("Pin")
        visible: root.ofChat
        onTriggered: root.chats.setPinned(root.chatId, !root.pinned)
    }
    PopupMenuItem {
        iconName: "folder"
        text: qsTr("Move to folder\u2026")
        visible: root.ofChat
        onTriggered: root.moveWanted()
    }
    PopupMenuItem {
        iconName: "copy"
        text: qsTr("Duplicate")
        visible: root.ofChat && !root.several
        onTriggered: root.duplicateWanted()
    }
    PopupMenuItem {
        enabled: !root.exchange.busy
        iconName: "export"
        text: qsTr("Export as Markdown\u2026")
        visible: root.ofChat && !root.several
        onTriggered: root.exchange.chooseFile(root.chatId, ChatExchange.Markdown)
    }
    PopupMenuItem {
        enabled: !root.exchange.busy
        iconName: "export"
        text: qsTr("Export as JSON\u2026")
        visible: root.ofChat && !root.several
        onTriggered: root.exchange.chooseFile(root.chatId, ChatExchange.Json)
    }
    PopupMenuItem {
        iconName: "arrowUp"
        text: qsTr("Move up")
        visible: !root.ofChat && root.chats.folderCount > 1
        onTriggered: root.chats.moveFolder(root.folderId, -1)
    }
    PopupMenuItem {
        iconName: "arrowDown"
        text: qsTr("Move down")
        visible: !root.ofChat && root.chats.folderCount > 1
        onTriggered: root.chats.moveFolder(root.folderId, 1)
    }
    MenuLine {}
    PopupMenuItem {
        detail: root.ofChat ? "" : qsTr("Its chats stay, in no folder.")
        iconName: "trash"
        text: root.several ? qsTr("Delete %Ln chat(s)", "", root.chats.selectedCount) : root.ofChat ? qsTr("Delete") : qsTr("Delete the folder")
        onTriggered: root.removeWanted()
    }
}
