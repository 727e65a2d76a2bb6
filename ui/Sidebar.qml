// SPDX-License-Identifier: Apache-2.0
// The list of chats with the buttons of the window below it. Its right edge can be dragged.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Style

FocusScope {
    id: root

    required property App app
    required property real most // largest width
    readonly property bool showsUndone: visible && list.showsTaken // the bar that says what was undone

    signal opened

    function search(): void {
        list.search();
    }
    function endSearch(): void {
        list.endSearch();
    }
    function focusList(): void {
        list.focusList();
    }
    // Writes a letter into the search if its hits have the focus. Returns false otherwise.
    function type(text: string): bool {
        return list.type(text);
    }
    // The words are marked by the search in the chat, from the message of the hit on.
    function markHits(chatId: var, messageId: var): void {
        if (!messageId)
            return;
        app.conversation.find.findFrom(messageId, app.search.wordsIn(chatId, messageId));
    }
    function act(id: string): void {
        list.act(id);
    }

    width: Math.max(Style.sidebarMin, Math.min(most, app.settings.sidebarWidth || Style.sidebarDefault))

    Rectangle {
        anchors.fill: parent
        color: Style.theme.sunken
    }
    ChatList {
        id: list

        anchors.fill: parent
        anchors.rightMargin: Style.hairline
        chats: root.app.chats
        commands: root.app.commands
        conversation: root.app.conversation
        exchange: root.app.exchange
        focus: true
        found: root.app.search
        settings: root.app.settings
        undo: root.app.undo
        onChatWanted: (chatId, messageId) => {
            root.app.panes.open(chatId, messageId);
            root.markHits(chatId, messageId);
            root.opened();
        }
        onBesideWanted: (chatId, messageId) => {
            root.app.panes.openBeside(chatId);
            // Otherwise a temporary chat asks first whether it may be left.
            if (messageId && root.app.conversation.chatId === chatId) { // qmllint disable
                root.app.panes.open(chatId, messageId);
                root.markHits(chatId, messageId);
            }
            root.opened();
        }

        Repeater {
            model: [["page.settings", qsTr("Settings")], ["page.bin", qsTr("Bin")], ["page.shortcuts", qsTr("Shortcuts")]]

            PushButton {
                id: opener

                required property var modelData
                readonly property string tip: root.app.commands.tip("", modelData[0])

                Accessible.name: tip
                horizontalPadding: Style.small
                kind: "quiet"
                text: modelData[1]
                onClicked: root.app.commands.run(modelData[0])

                HoverTip {
                    shown: (opener.hovered || opener.visualFocus) && opener.visible
                    target: opener
                    text: opener.tip === opener.text ? "" : opener.tip
                }
            }
        }
        OfflineBadge {
            height: Style.control
            onClicked: root.app.commands.run("page.about")
        }
    }
    HairLine {
        anchors.bottom: parent.bottom
        anchors.right: parent.right
        anchors.top: parent.top
        width: Style.hairline
    }
    // The edge can be dragged. It is wider than its line, so that it is easy to hit.
    MouseArea {
        property real from: 0

        anchors.bottom: parent.bottom
        anchors.horizontalCenter: parent.right
        anchors.top: parent.top
        cursorShape: Qt.SplitHCursor
        width: 2 * Style.tiny

        onDoubleClicked: root.app.settings.sidebarWidth = 0
        onPositionChanged: mouse => root.app.settings.sidebarWidth = Math.max(Style.sidebarMin, Math.min(root.most, root.width + mouse.x - from))
        onPressed: mouse => from = mouse.x
    }
}
