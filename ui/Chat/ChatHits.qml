// SPDX-License-Identifier: Apache-2.0
// The hits of a search in all chats. It reads more of them when the last one comes into view. Keys: Enter opens a hit, F2
// renames its chat, Del deletes it, the menu key opens its menu, Ctrl+Space selects it, Esc ends a selection, then the
// search. Shift and a click select the chats of all hits up to it. All hits of a selected chat are shown as selected.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

ListView {
    id: root

    required property ChatListModel chats
    required property ChatSearchModel search
    readonly property bool ownsEscape: true // as its rows
    property var changed: ({}) // the hit whose chat was deleted or renamed last: chatId and messageId
    property var begun: ({ chatId: 0, messageId: 0 }) // the hit where the selection began
    property ChatHitRow renamed: null // its chat is being renamed
    property bool renewed: false // the words have changed since the hits were read
    // A hit has some of the words only then: a person would wonder why it is here.
    readonly property string remark: search.scattered ? qsTr("The words are in different places of each chat.") : ""
    property var returning: 0 // the chat whose hit gets the focus when the hits that are being read are there; 0: none

    // messageId: 0 if the title of the chat was hit.
    signal hitWanted(var chatId, var messageId)
    signal renameWanted(var chatId, string title)
    signal removeWanted(var chatId)
    signal menuWanted(Item row, rect part) // for this part of the row
    signal escaped
    signal emptied // it has the focus, and no hit is left that could have it

    // Does something to the hit of a row. Its arguments have no types: with them the qmllint of Qt 6.4 crashes.
    function act(row, action) {
        if (!row.leaving())
            action(row.model.chatId, row.model.messageId);
    }
    function beginSelection(chatId: var, messageId: var): void {
        begun = {
            chatId: chatId,
            messageId: messageId
        };
    }
    // Selects the chats of the hits from the one where the selection began to this one, and no others.
    function selectTo(row: ChatHitRow): void {
        const first = (currentItem as ChatHitRow) ?? row;
        if (chats.selectedCount === 0 && !first.leaving())
            beginSelection(first.model.chatId, first.model.messageId);
        const from = search.rowOf(begun.chatId, begun.messageId);
        chats.selectChats(search.chatsBetween(from < 0 ? row.index : from, row.index));
    }
    // A hit has the focus if there is any: they may be new.
    function keepCurrent(): void {
        if (activeFocus && currentIndex < 0 && count > 0)
            currentIndex = 0;
    }
    // The chat came back or has another title: the hits are read again, and one of this chat has the focus a moment later.
    function follow(chatId: var): void {
        if (search.searching)
            returning = chatId;
    }
    function remove(index: int, chatId: var, messageId: var): void {
        changed = {
            chatId,
            messageId
        };
        currentIndex = index;
        removeWanted(chatId);
        forceLayout(); // the hit after it is the current one now
        forceActiveFocus(Qt.OtherFocusReason); // the focus would be lost with its row
    }
    // The row that was renamed is still needed until its title has been changed.
    function releaseHits(): void {
        search.setHeld(renamed !== null);
    }
    function rename(chatId: var, messageId: var, title: string): void {
        changed = {
            chatId,
            messageId
        };
        renameWanted(chatId, title);
        follow(chatId);
    }

    Accessible.description: remark
    Accessible.name: qsTr("Hits")
    Accessible.role: Accessible.List
    activeFocusOnTab: count > 0 || activeFocus // Qt refuses to take it from the item that has the focus
    boundsBehavior: Flickable.StopAtBounds
    cacheBuffer: 0 // other words replace all rows: none are made before they are seen, and Qt 6.4 warns of one that is not ready
    clip: true
    currentIndex: 0
    highlightMoveDuration: 0
    model: search
    spacing: Style.tiny

    ScrollBar.vertical: ThinScrollBar {}
    delegate: ChatHitRow {
        id: row

        chosen: root.chats.selectedCount > 0 && root.chats.isSelected(model.chatId ?? 0) // a row that leaves has none
        focus: true
        width: ListView.view.width - Style.small
        onExtendWanted: root.act(row, () => {
            root.selectTo(row);
            root.currentIndex = index;
            takeFocus();
        })
        onMenuWanted: part => root.act(row, () => {
            root.currentIndex = index;
            root.menuWanted(row, part);
        })
        onOpenWanted: root.act(row, (chatId, messageId) => {
            root.currentIndex = index;
            root.chats.clearSelection();
            root.hitWanted(chatId, messageId);
        })
        onRemoveWanted: root.act(row, (chatId, messageId) => root.remove(index, chatId, messageId))
        onRenamingChanged: root.renamed = renaming ? row : null
        onRenameWanted: title => root.act(row, (chatId, messageId) => root.rename(chatId, messageId, title))
        onToggleWanted: root.act(row, (chatId, messageId) => {
            root.beginSelection(chatId, messageId);
            root.currentIndex = index;
            takeFocus();
            root.chats.toggleChat(chatId);
        })
    }
    Keys.onEscapePressed: {
        if (chats.selectedCount > 0)
            chats.clearSelection();
        else
            escaped();
    }
    onActiveFocusChanged: keepCurrent()
    onRenamedChanged: {
        if (renamed)
            search.setHeld(true);
        else
            Qt.callLater(releaseHits); // qmllint disable
    }
    onCountChanged: keepCurrent()

    WheelArea {
        view: root
    }
    Connections {
        function onSearchingChanged() {
            if (root.search.searching)
                return;
            if (root.renewed && !root.activeFocus) // a person among the hits has moved on already
                root.currentIndex = 0;
            root.renewed = false;
            const row = root.search.rowOf(root.returning, root.changed.chatId === root.returning ? root.changed.messageId : 0);
            root.returning = 0;
            if (root.activeFocus && root.search.count === 0)
                root.emptied();
            if (row < 0)
                return;
            root.currentIndex = row;
            root.positionViewAtIndex(row, ListView.Contain);
        }
        function onWordsChanged() {
            root.renewed = true;
        }

        target: root.search
    }
}
