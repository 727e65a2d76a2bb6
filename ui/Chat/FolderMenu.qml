// SPDX-License-Identifier: Apache-2.0
// The folders into which a chat, or all selected ones, can be moved.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

PopupMenu {
    id: root

    required property ChatListModel chats
    property var chatId: 0
    property bool inFolder: true // the chat, or one of several
    property var folders: [] // {id, name} of each

    signal newFolderWanted

    label: qsTr("Move to folder")
    onAboutToShow: folders = chats.folders()

    PopupMenuItem {
        iconName: "plus"
        text: qsTr("New folder\u2026")
        onTriggered: root.newFolderWanted()
    }
    PopupMenuItem {
        iconName: "close"
        text: qsTr("No folder")
        visible: root.inFolder
        onTriggered: root.chats.moveToFolder(root.chatId, 0)
    }
    MenuLine {
        height: visible ? implicitHeight : 0
        visible: root.folders.length > 0
    }
    Instantiator {
        model: root.folders

        delegate: PopupMenuItem {
            required property var modelData

            iconName: "folder"
            nameLike: true
            text: modelData.name
            onTriggered: root.chats.moveToFolder(root.chatId, modelData.id)
        }

        onObjectAdded: (index, object) => root.insertItem(index + 3, object as PopupMenuItem) // after the three above
        onObjectRemoved: (index, object) => root.removeItem(object as PopupMenuItem)
    }
}
