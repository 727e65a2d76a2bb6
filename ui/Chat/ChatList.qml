// SPDX-License-Identifier: Apache-2.0
// The list of chats: a search field, a button for a new chat, and the chats by day. Enter opens a chat, F2 renames it,
// Del deletes it and shows an Undo bar.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property ChatListModel chats
    required property CommandList commands
    required property Conversation conversation
    default property alias footer: footerPlace.data

    signal opened

    function search(): void {
        searchField.forceActiveFocus(Qt.ShortcutFocusReason);
        searchField.selectAll();
    }
    function focusList(): void {
        list.forceActiveFocus(Qt.ShortcutFocusReason);
    }

    // The model makes new rows after a change, and the focus would be lost with the old ones.
    function focusRow(row: int): void {
        list.currentIndex = Math.min(row, list.count - 1);
        list.positionViewAtIndex(list.currentIndex, ListView.Contain);
        list.forceActiveFocus(Qt.OtherFocusReason);
    }

    ColumnLayout {
        anchors.fill: parent
        anchors.margins: Style.medium
        spacing: Style.small

        RowLayout {
            spacing: Style.tiny

            InputField {
                id: searchField

                Layout.fillWidth: true
                label: root.commands.title("chat.search")
                leftPadding: Style.medium + Style.iconSmall + Style.small
                placeholderText: qsTr("Search")
                rightPadding: clearSearch.visible ? clearSearch.width + Style.small : Style.medium

                Keys.onDownPressed: root.focusList()
                Keys.onEscapePressed: clear()
                onTextChanged: root.chats.filter = text

                Icon {
                    anchors.left: parent.left
                    anchors.leftMargin: Style.medium
                    anchors.verticalCenter: parent.verticalCenter
                    color: Style.theme.quiet
                    name: "search"
                    size: Style.iconSmall
                }
                IconButton {
                    id: clearSearch

                    anchors.right: parent.right
                    anchors.rightMargin: Style.tiny
                    anchors.verticalCenter: parent.verticalCenter
                    compact: true
                    iconName: "close"
                    text: qsTr("Clear the search")
                    visible: searchField.text
                    onClicked: {
                        searchField.clear();
                        searchField.forceActiveFocus();
                    }
                }
            }
            IconButton {
                Layout.rightMargin: -Style.tiny
                iconName: "sidebar"
                text: root.commands.tip(qsTr("Hide the list of chats"), "window.sidebar")
                onClicked: root.commands.run("window.sidebar")
            }
        }
        PushButton {
            Layout.fillWidth: true
            iconName: "plus"
            text: root.commands.title("chat.new")
            onClicked: root.commands.run("chat.new")
        }
        SmallText {
            Layout.fillWidth: true
            Layout.leftMargin: Style.medium
            text: {
                if (root.chats.searching)
                    return qsTr("Searching\u2026");
                return qsTr("%Ln chat(s) found", "", list.count);
            }
            visible: searchField.text && (root.chats.searching || list.count > 0)
        }
        ChatListView {
            id: list

            Accessible.name: qsTr("Chats")
            Accessible.role: Accessible.List
            Layout.fillHeight: true
            Layout.fillWidth: true
            Layout.leftMargin: -Style.tiny
            Layout.rightMargin: -Style.small
            activeFocusOnTab: count > 0
            model: root.chats

            delegate: ChatRow {
                required property int index

                commands: root.commands
                focus: true
                width: ListView.view.width - Style.small
                onOpenWanted: {
                    ListView.view.currentIndex = index;
                    root.conversation.openChat(chatId);
                    root.opened();
                }
                onRemoveWanted: {
                    const at = index;
                    root.chats.remove(chatId);
                    root.focusRow(at);
                }
                onRenameWanted: name => {
                    const at = index;
                    root.chats.rename(chatId, name);
                    root.focusRow(at);
                }
            }
            onActiveFocusChanged: {
                if (activeFocus && currentIndex < 0)
                    currentIndex = 0;
            }

            SmallText {
                anchors.left: parent.left
                anchors.leftMargin: Style.medium
                anchors.right: parent.right
                anchors.rightMargin: Style.medium
                anchors.top: parent.top
                anchors.topMargin: Style.medium
                text: searchField.text ? qsTr("No chat contains these words.") : qsTr("Your chats will appear here.")
                visible: list.count === 0 && !root.chats.searching
                wrapMode: Text.Wrap
            }
        }
        UndoBar {
            Layout.fillWidth: true
            title: root.chats.undoTitle
            visible: root.chats.undoAvailable
            onOver: root.chats.forgetUndo()
            onUndoWanted: {
                const row = root.chats.undoRemove();
                if (row >= 0)
                    root.focusRow(row); // the button that had the focus is gone
                else
                    searchField.forceActiveFocus(Qt.OtherFocusReason);
            }
        }
        // It takes two lines if one is too short.
        Flow {
            id: footerPlace

            Layout.fillWidth: true
            spacing: Style.tiny
        }
    }
}
