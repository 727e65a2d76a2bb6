// SPDX-License-Identifier: Apache-2.0
// The list of chats: a search field, a button for a new chat, and the chats, or the hits of a search in their place.
// ChatRow.qml has the keys of a row. What was deleted or moved can be undone from a bar below the list, which also says
// when that was undone. The list keeps a few rows in a low window: the buttons at the end scroll then, and the bar stands in
// their place.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property ChatListModel chats
    required property ChatSearchModel found
    required property CommandList commands
    required property Conversation conversation
    required property ChatExchange exchange
    required property Settings settings
    required property UndoStack undo
    default property alias footer: footerPlace.data
    readonly property bool finding: searchField.text.trim() !== ""
    property bool taken: false // a step that had its bar here was undone or repeated: the next bar is about it
    property bool showsTaken: false // the bar about it is here
    property real footerHeight: 0 // all of it, also while the bar stands in its place
    readonly property bool low: shares.others < footerHeight + Style.noticeHeight + 2 * Style.small

    // messageId: 0 if it does not matter which message is shown.
    signal chatWanted(var chatId, var messageId)
    signal besideWanted(var chatId, var messageId) // at the other side

    function search(): void {
        searchField.forceActiveFocus(Qt.ShortcutFocusReason);
        searchField.selectAll();
    }
    function endSearch(): void {
        searchField.clear();
    }
    // The chat in view has the focus first, if it is in the list. The folder around it unfolds: another row would be
    // deleted by the next key otherwise.
    function focusList(): void {
        if (!finding)
            chats.unfoldAround(conversation.chatId); // qmllint disable
        const row = chats.rowOf(conversation.chatId); // qmllint disable
        if (finding)
            hits.forceActiveFocus(Qt.ShortcutFocusReason);
        else if (list.activeFocus || row < 0) {
            list.positionViewAtIndex(list.currentIndex, ListView.Contain); // the keys that follow are about this row
            list.forceActiveFocus(Qt.ShortcutFocusReason);
        } else
            focusRow(row);
    }

    // Writes a letter that was typed among the hits where the other words of the search are. Returns false if the focus is
    // elsewhere.
    function type(text: string): bool {
        if (!hits.activeFocus)
            return false;
        searchField.forceActiveFocus(Qt.ShortcutFocusReason);
        searchField.insert(searchField.length, text);
        return true;
    }
    // The chat in view is in view here too, unless a person is using the list.
    function revealChat(): void {
        const row = chats.rowOf(conversation.chatId); // qmllint disable
        if (row >= 0 && !finding && !list.activeFocus)
            list.positionViewAtIndex(row, ListView.Contain);
    }

    // The model makes new rows after a change, and the focus would be lost with the old ones.
    function focusRow(row: int): void {
        list.currentIndex = Math.min(row, list.count - 1);
        list.positionViewAtIndex(list.currentIndex, ListView.Contain);
        list.forceActiveFocus(Qt.OtherFocusReason);
    }
    // A person who undoes a step here goes on with what it was about.
    function followStep(): void {
        const row = chats.touchedRow();
        if (hits.activeFocus)
            hits.follow(chats.touchedChat());
        else if (list.activeFocus && row >= 0)
            focusRow(row);
    }
    // Whether the list has the chat. The folder around it unfolds, as in focusList().
    function hasRow(chatId: var): bool {
        if (chatId)
            chats.unfoldAround(chatId);
        return chatId && chats.rowOf(chatId) >= 0;
    }
    // Runs a command on the chat of the row or hit that has the focus, or else on the chat in view.
    function act(id: string): void {
        const row = list.activeFocus ? list.currentItem as ChatRow : null;
        const hit = hits.activeFocus ? hits.currentItem as ChatHitRow : null;
        const chatId = row?.model.chatId ?? hit?.model.chatId ?? conversation.chatId;
        if (id === "chat.folder")
            addFolder(0);
        else if (!hasRow(chatId))
            return;
        else if (id === "chat.pin")
            chats.setPinned(chatId, !chats.isPinned(chatId));
        else if (id === "chat.duplicate")
            duplicate(chatId);
        else if (id === "chat.move")
            moveFrom(chatId, row ?? hit ?? list);
    }
    // The copy has the focus, so that it can be opened or renamed at once. It is no hit of a search.
    function duplicate(chatId: var): void {
        const copy = chats.duplicate(chatId);
        if (!copy)
            return;
        endSearch();
        if (hasRow(copy))
            focusRow(chats.rowOf(copy));
    }
    function moveFrom(chatId: var, place: Item): void {
        folderMenu.chatId = chatId;
        folderMenu.inFolder = chats.inFolder(chatId);
        folderMenu.openAround(place, Qt.rect(Style.large, 0, place.width - Style.large, place === list ? Style.control : place.height));
        folderMenu.currentIndex = 0; // the keys begin there
    }
    // Makes a folder, puts the chat into it if there is one, and asks for its name.
    function addFolder(chatId: var): void {
        const folder = chats.createFolder();
        if (!folder)
            return;
        if (chatId)
            chats.moveToFolder(chatId, folder);
        searchField.clear();
        focusRow(chats.rowOfFolder(folder));
        (list.currentItem as ChatRow).startRenaming();
    }

    onConversationChanged: Qt.callLater(revealChat) // qmllint disable

    Connections {
        // The list has a new chat a moment after the conversation has it.
        function onChatChanged() {
            Qt.callLater(root.revealChat); // qmllint disable
        }

        target: root.conversation
    }
    Connections {
        function onStepTaken(offered: bool) {
            root.taken = offered;
            root.followStep();
        }

        target: root.chats
    }
    Connections {
        function onSearchingChanged() {
            Qt.callLater(searchField.openLate); // qmllint disable
        }

        target: root.found
    }
    Connections {
        function onOfferedChanged() {
            root.showsTaken = root.taken && root.undo.notice !== "";
            root.taken = false;
            notice.stayOn();
        }

        target: root.undo
    }
    RoomShares {
        id: shares

        kept: Style.leastLines * Style.control
        room: root.height - 2 * Style.medium - searchLine.implicitHeight - newLine.implicitHeight - (placesLine.visible ? placesLine.implicitHeight + Style.small : 0) - 2 * Style.small
    }
    ColumnLayout {
        anchors.fill: parent
        anchors.margins: Style.medium
        spacing: Style.small

        RowLayout {
            id: searchLine

            spacing: Style.tiny

            InputField {
                id: searchField

                readonly property bool ownsEscape: text !== "" // Esc clears it and does nothing else, see FieldKeys
                property bool opensFirst: false // Enter was pressed before the hits of these words were there

                // Opens the first hit, when it is known.
                function openFirst(): void {
                    opensFirst = root.found.searching;
                    if (!opensFirst)
                        hits.openFirst();
                }
                function openLate(): void {
                    if (opensFirst && !root.found.searching)
                        openFirst();
                }

                Layout.fillWidth: true
                label: root.commands.title("chat.search")
                leftPadding: Style.medium + Style.iconSmall + Style.small
                placeholderText: qsTr("Search")
                rightPadding: clearSearch.visible ? clearSearch.width + Style.small : Style.medium

                Keys.onDownPressed: root.focusList()
                Keys.onEnterPressed: openFirst()
                Keys.onEscapePressed: clear()
                Keys.onReturnPressed: openFirst()
                onActiveFocusChanged: opensFirst = false
                onTextChanged: {
                    opensFirst = false;
                    root.found.words = text;
                    root.chats.clearSelection(); // selected chats may be out of view now
                }

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
        RowLayout {
            id: newLine

            spacing: Style.tiny

            PushButton {
                Layout.fillWidth: true
                iconName: "plus"
                text: root.commands.title("chat.new")
                onClicked: root.commands.run("chat.new")
            }
            IconButton {
                id: order

                Layout.rightMargin: -Style.tiny
                iconName: "sort"
                text: qsTr("Order and folders")
                onClicked: listMenu.openBeside(order)
            }
        }
        SmallText {
            id: placesLine

            readonly property string places: {
                if (root.found.searching)
                    return qsTr("Searching\u2026");
                if (hits.count === 0)
                    return qsTr("No chat contains these words.");
                return root.found.more ? qsTr("More than %Ln place(s) found", "", hits.count) : qsTr("%Ln place(s) found", "", hits.count);
            }

            Layout.fillWidth: true
            Layout.leftMargin: Style.medium - Style.tiny // above the words of the rows
            text: hits.remark ? places + "\n" + hits.remark : places
            visible: root.finding
            wrapMode: Text.Wrap
        }
        ChatHits {
            id: hits

            function openFirst(): void {
                positionViewAtBeginning(); // there is a row for what is in view
                forceLayout();
                if (root.finding)
                    (itemAtIndex(0) as ChatHitRow)?.openWanted();
            }

            Layout.fillHeight: true
            Layout.fillWidth: true
            Layout.leftMargin: -Style.tiny
            Layout.rightMargin: -Style.small
            chats: root.chats
            search: root.found
            visible: root.finding
            onEmptied: searchField.forceActiveFocus(Qt.OtherFocusReason)
            onEscaped: {
                searchField.clear();
                root.focusList();
            }
            onHitWanted: (chatId, messageId) => root.chatWanted(chatId, messageId)
            onMenuWanted: (row, part) => chatMenu.showForHit(row as ChatHitRow, part)
            onRemoveWanted: chatId => root.chats.remove(chatId)
            onRenameWanted: (chatId, title) => root.chats.rename(chatId, title)
        }
        ChatListView {
            id: list

            Accessible.name: qsTr("Chats")
            Accessible.role: Accessible.List
            Layout.fillHeight: true
            Layout.fillWidth: true
            Layout.leftMargin: -Style.tiny
            Layout.rightMargin: -Style.small
            activeFocusOnTab: count > 0 || activeFocus // Qt refuses to take it from the item that has the focus
            // No row is left behind invisible: Qt 6.4 crashes if such a list is destroyed.
            model: root.finding ? null : root.chats
            visible: !root.finding
            // Esc ends a selection; the window's shortcut would stop the answer that is being written.
            Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape && root.chats.selectedCount > 0

            delegate: ChatRow {
                id: row

                dropTarget: index === list.dropRow
                focus: true
                width: ListView.view.width - Style.small
                onBesideWanted: root.besideWanted(model.chatId, 0)
                onDragged: at => list.drag(row, at)
                onDropped: list.drop()
                onEscaped: root.chats.clearSelection(index)
                onExtendWanted: {
                    list.beginSelection();
                    ListView.view.currentIndex = index;
                    takeFocus();
                    root.chats.selectTo(index);
                }
                onFoldWanted: folded => {
                    if (isFolder)
                        root.chats.setFolded(model.folderId, folded);
                    else if (folded)
                        list.toFolder(index);
                }
                onHeldChanged: list.held = held
                onMenuWanted: part => {
                    ListView.view.currentIndex = index;
                    chatMenu.show(row, part);
                }
                onOpenWanted: {
                    ListView.view.currentIndex = index;
                    root.chats.clearSelection(index);
                    if (isFolder)
                        return root.chats.setFolded(model.folderId, !model.folded);
                    root.chatWanted(model.chatId, 0);
                }
                onOrderWanted: step => root.chats.moveFolder(model.folderId, step)
                onRemoveWanted: {
                    const at = index;
                    if (isFolder)
                        root.chats.removeFolder(model.folderId);
                    root.focusRow(!isFolder && root.chats.remove(model.chatId) ? root.chats.touchedRow() : at);
                }
                onRenameWanted: name => {
                    if (isFolder)
                        root.chats.renameFolder(model.folderId, name);
                    else
                        root.chats.rename(model.chatId, name);
                    if (list.activeFocus) // else the person went elsewhere
                        root.focusRow(root.chats.touchedRow());
                }
                onStepWanted: (step, extend) => list.step(step, extend)
                onToggleWanted: {
                    ListView.view.currentIndex = index;
                    takeFocus();
                    root.chats.toggleSelected(index);
                }
            }
            onActiveFocusChanged: {
                if (activeFocus && currentIndex < 0)
                    currentIndex = 0;
            }
            onDroppedOn: (from, to) => {
                if (to >= 0)
                    root.chats.drop(from, to);
            }

            function beginSelection(): void {
                if (root.chats.selectedCount === 0)
                    root.chats.clearSelection(currentIndex);
            }
            function step(rows: int, extend: bool): void {
                if (extend)
                    beginSelection();
                currentIndex = Math.max(0, Math.min(count - 1, currentIndex + rows));
                if (extend)
                    root.chats.selectTo(currentIndex);
            }
            function toFolder(row: int): void {
                while (row > 0 && (itemAtIndex(row) as ChatRow)?.model.inFolder)
                    --row;
                root.focusRow(row);
            }

            SmallText {
                anchors.left: parent.left
                anchors.leftMargin: Style.medium
                anchors.right: parent.right
                anchors.rightMargin: Style.medium
                anchors.top: parent.top
                anchors.topMargin: Style.medium
                text: qsTr("Your chats will appear here.")
                visible: list.count === 0
                wrapMode: Text.Wrap
            }
        }
        NoticeBar {
            id: notice

            Layout.fillWidth: true
            action: root.undo.offersRedo ? qsTr("Redo") : qsTr("Undo")
            most: shares.others - Style.small - (root.low ? 0 : root.footerHeight + Style.small)
            visible: root.chats.undoAvailable || root.showsTaken
            words: root.showsTaken ? root.undo.notice : root.chats.undoText
            onActed: {
                if (root.undo.offersRedo)
                    root.undo.redo();
                else
                    root.undo.undo();
                const row = root.chats.touchedRow();
                if (row >= 0 && !root.finding)
                    root.focusRow(row); // the button that had the focus is gone
                else
                    searchField.forceActiveFocus(Qt.OtherFocusReason);
            }
            onOver: {
                root.chats.forgetUndo();
                root.undo.endOffer();
            }
        }
        // It takes two lines if one is too short.
        ScrollBox {
            Layout.fillWidth: true
            Layout.maximumHeight: Math.max(0, shares.others - Style.small)
            visible: !(root.low && notice.visible)

            Flow {
                id: footerPlace

                spacing: Style.tiny
                width: parent.width
                onImplicitHeightChanged: {
                    if (visible)
                        root.footerHeight = implicitHeight;
                }
            }
        }
    }
    ChatMenu {
        id: chatMenu

        property ChatRow row: null // the row that it was opened for, or
        property ChatHitRow hit: null // the hit

        function show(of: ChatRow, part: rect): void {
            row = of;
            hit = null;
            chatId = of.model.chatId;
            folderId = of.model.folderId;
            pinned = of.model.pinned;
            several = of.model.selected && root.chats.selectedCount > 1;
            openAround(of, part);
        }
        function showForHit(of: ChatHitRow, part: rect): void {
            row = null;
            hit = of;
            chatId = of.model.chatId;
            folderId = 0;
            pinned = root.chats.isPinned(chatId);
            several = root.chats.isSelected(chatId) && root.chats.selectedCount > 1;
            openAround(of, part);
        }

        chats: root.chats
        exchange: root.exchange
        onBesideWanted: root.besideWanted(chatId, hit?.model.messageId ?? 0)
        onDuplicateWanted: root.duplicate(chatId)
        onMoveWanted: root.moveFrom(chatId, row ?? hit ?? root)
        onRemoveWanted: hit ? hit.removeWanted() : row.removeWanted()
        onRenameWanted: hit ? hit.startRenaming() : row.startRenaming()
    }
    FolderMenu {
        id: folderMenu

        chats: root.chats
        onNewFolderWanted: root.addFolder(chatId)
    }
    ListMenu {
        id: listMenu

        commands: root.commands
        settings: root.settings
    }
}
