// SPDX-License-Identifier: Apache-2.0
// The messages of the current chat. If it has none, a page of ui/Models stands in their place.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style
import Coterie.Text

FocusScope {
    id: root

    required property Conversation conversation
    required property ModelController models
    required property Presets presets
    readonly property alias following: list.following
    readonly property alias barHeight: findBar.height
    readonly property real barWanted: conversation.find.active ? findBar.implicitHeight : 0 // also while it is hidden
    property real covered: 0 // height at the top of the list that cards of the page take
    property real coveredEnd: 0 // height at the lower edge that bars of the page take, with the gap below them
    property Item page: root // the focus elsewhere on this page is not in a message

    signal inspectWanted(var messageId)
    signal settingsWanted
    signal tokenClicked(var messageId, int token)
    signal characterClicked(var messageId, int block, int offset) // as MessageItem has it
    // The item that had the focus is gone, for example the bar of the search.
    signal findEnded
    signal undoWanted
    signal offerEnded // to undo

    readonly property string progress: {
        switch (conversation.state) {
        case AnswerQueue.Waiting:
            return qsTr("Waiting for the answer of another chat");
        case AnswerQueue.Reading:
            return reading();
        case AnswerQueue.Writing:
            return qsTr("Writing");
        case AnswerQueue.Stopping:
            return qsTr("Stopping");
        }
        return "";
    }

    function reading(): string {
        if (conversation.promptTotal === 0)
            return qsTr("Reading");
        const tokens = qsTr("Reading %1 of %Ln token(s)", "of the prompt", conversation.promptTotal).arg(conversation.promptDone.toLocaleString(Qt.locale(), "f", 0));
        return conversation.promptSecondsLeft >= 1 ? qsTr("%1, %2", "of the prompt; the time that is left").arg(tokens).arg(Units.timeLeft(conversation.promptSecondsLeft)) : tokens;
    }

    function toEnd(): void {
        list.beginBelowCards();
        list.toEnd();
    }

    function scrollPages(pages: int): void {
        list.scrollPages(pages);
    }

    // Opens the bar that finds words in this chat.
    function find(): void {
        const first = list.indexAt(0, list.contentY + Style.large);
        conversation.find.setPlace(first < 0 ? 0 : list.itemAtIndex(first)?.model.messageId ?? 0);
        findBar.begin();
    }
    function closeFind(): void {
        conversation.find.active = false;
    }
    // Brings the current place of the search into view.
    function showHit(messageId: var): void {
        conversation.readBackTo(messageId);
        const row = conversation.messages.rowOf(messageId);
        if (row < 0)
            return;
        list.following = false;
        list.tooShort = false;
        if (!list.itemAtIndex(row))
            list.positionViewAtIndex(row, ListView.Contain);
        list.forceLayout();
        list.itemAtIndex(row)?.showMark();
    }
    // Keeps the place that is read with the chat.
    function keepPlace(): void {
        const row = list.following || list.atEnd ? null : list.topItem();
        conversation.keepPlace(row ? row.model.messageId : 0, row ? (list.contentY - row.y) / row.height : 0); // qmllint disable
    }
    // Shows the place that the conversation asks for.
    function showPlace(): void {
        if (conversation.placeRow < 0 || conversation.placeRow >= list.count)
            return;
        list.showRow(conversation.placeRow, conversation.placeShare);
        if (conversation.placeMarked)
            flash.over(list.itemAtIndex(conversation.placeRow));
    }

    // The message that has the focus, with its buttons and its field; null if none has it.
    function focusedMessage(): MessageItem {
        for (let item = Window.activeFocusItem; item; item = item.parent) {
            if (item.parent === list.contentItem)
                return item as MessageItem;
        }
        return null;
    }
    // Tells which message commands act on. It stays the same while a menu, a page or the palette has the focus.
    function followFocus(): void {
        const message = focusedMessage();
        if (message)
            conversation.actions.focused = message.model.messageId;
        else if (Window.activeFocusItem && within(Window.activeFocusItem))
            conversation.actions.focused = 0;
    }
    // Brings a button of a message that Tab leads to into view. The text and its field do that themselves.
    function revealButton(): void {
        const button = Window.activeFocusItem;
        const reason = (button as Button)?.focusReason ?? (button as AbstractButton)?.focusReason;
        if ((reason !== Qt.TabFocusReason && reason !== Qt.BacktabFocusReason) || !focusedMessage())
            return;
        const top = button.mapToItem(list.contentItem, 0, 0).y;
        list.reveal(top, top + button.height);
    }
    // Whether the item is on the page of this view, if it has one.
    function within(item: Item): bool {
        for (let above = item; above; above = above.parent) {
            if (above === page)
                return true;
        }
        return false;
    }
    function showMessage(messageId: var): void {
        const row = conversation.messages.rowOf(messageId);
        if (row < 0)
            return;
        if (!list.itemAtIndex(row))
            list.positionViewAtIndex(row, ListView.Contain);
        list.forceLayout();
        (list.itemAtIndex(row) as MessageItem)?.takeFocus(0, false);
    }

    // Shows the alternatives of the token at this place of the message's text.
    function showAlternatives(message: MessageItem, place: point): void {
        const alternatives = conversation.alternatives;
        const known = alternatives.prepare(message.model.messageId);
        const token = known ? message.tokenAt(place) : 0;
        if (token >= 0) {
            alternatives.show(message.model.messageId, token); // or says why there are none
            panel.takeFocus();
        } else {
            alternatives.close(); // the click was beside the words
        }
    }
    // The same for a person at the keyboard: the token at the beginning of the selected text or under the latest click, or
    // the message's first.
    function openAlternatives(messageId: var): void {
        const row = conversation.messages.rowOf(messageId);
        if (row < 0)
            return;
        if (!list.itemAtIndex(row))
            list.positionViewAtIndex(row, ListView.Contain);
        list.forceLayout();
        const alternatives = conversation.alternatives;
        const known = alternatives.prepare(messageId);
        const selected = known ? (list.itemAtIndex(row) as MessageItem)?.selectedToken() ?? -1 : -1;
        alternatives.mode = messageId;
        alternatives.show(messageId, Math.max(0, selected));
        panel.takeFocus();
    }

    // Selects the next block (1) or the one before (-1), in the message that has the focus or in one after or before it.
    function toBlock(step: int): void {
        let at = list.readIndex;
        if (!list.itemAtIndex(at)?.reading) { // the reader comes from elsewhere: begin at what is in view
            at = list.indexAt(0, step > 0 ? list.contentY + Style.large : list.contentY + list.height - Style.wide);
            if (at < 0)
                at = step > 0 ? 0 : list.count - 1;
        }
        for (; at >= 0 && at < list.count; at += step) {
            if (!list.itemAtIndex(at))
                list.positionViewAtIndex(at, ListView.Contain);
            if (list.itemAtIndex(at)?.selectBlock(step))
                return;
        }
    }

    onCoveredChanged: list.fitCards()
    Window.onActiveFocusItemChanged: {
        followFocus();
        revealButton();
    }
    // The chat of the last session was opened before there was a view.
    Component.onCompleted: Qt.callLater(showPlace) // qmllint disable

    Connections {
        function onChatChanged() {
            list.toEnd();
            Qt.callLater(list.beginBelowCards); // qmllint disable
        }
        function onLeaving() {
            root.keepPlace();
        }
        function onPlaceWanted() {
            root.showPlace();
        }

        target: root.conversation
    }
    Connections {
        function onRowsAboutToBeInserted(parent, first: int) {
            if (first === 0 && list.count > 0)
                list.keepPlace();
            else if (!root.conversation.find.active) // otherwise a hit is read
                list.followAdded();
        }
        function onPathChanging(row: int) {
            if (list.readIndex >= row)
                list.readIndex = -1;
            const message = root.focusedMessage();
            list.lostFocus = message !== null && message.index >= row;
            list.lostStep = list.lostFocus ? message.switcher?.focusedStep ?? 0 : 0;
            list.lostByKey = message?.switcher?.focusedByKey ?? false;
            if (row < list.count) // a list that only grows at its end follows it
                list.hold(row - 1);
        }
        function onPathChanged(row: int) {
            if (list.holding)
                list.letGo();
            if (!list.lostFocus)
                return;
            const message = list.itemAtIndex(Math.min(row, list.count - 1)) as MessageItem;
            if (message) {
                message.takeFocus(list.lostStep, list.lostByKey);
                if (list.heldEnd && message.y + message.height > list.endY)
                    list.toEnd(); // the focus has brought the message's beginning into view
            } else
                list.forceActiveFocus(Qt.OtherFocusReason);
        }
        function onRowsInserted(parent, first: int, last: int) {
            if (first <= list.readIndex)
                list.readIndex += last - first + 1;
        }

        target: root.conversation.messages
    }
    Connections {
        function onHitWanted(messageId) {
            root.showHit(messageId);
        }
        function onActiveChanged() {
            if (!root.conversation.find.active && findBar.activeFocus)
                root.findEnded();
        }

        target: root.conversation.find
    }
    FindBar {
        id: findBar

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: parent.top
        find: root.conversation.find
        height: visible ? implicitHeight : 0
        visible: root.conversation.find.active
        onClosed: root.closeFind()
    }
    FollowingList {
        id: list

        property bool lostFocus: false // a message that is replaced had the focus
        property int lostStep: 0
        property bool lostByKey: false // the button of this step
        property int readIndex: -1 // the message that has the focus, or had it last

        // Earlier messages are read when the reader comes near the first one, or if the last ones do not fill the view.
        function wantsMore(): bool {
            const near = !following && contentY - originY < height;
            return root.conversation.moreBefore && (near || contentHeight <= height);
        }
        function readMore(): void {
            if (wantsMore())
                Qt.callLater(readWanted); // qmllint disable
        }
        // Asks once more: a chat that is being opened has its last message first.
        function readWanted(): void {
            if (wantsMore())
                root.conversation.readMoreBefore();
        }

        // A bar at the lower edge covers no words at the end of the chat, and nothing moves when one appears: its room is
        // always there, except in a view that would have too few lines then. A bar of several lines takes more.
        readonly property real roomForBar: height >= Style.noticeShare * Style.noticeHeight ? Style.noticeHeight + Style.small : 0

        // Cards of the page lie over the first messages. The list has room above these, so that they can be scrolled out
        // from under the cards. Nothing moves when a card comes or goes: the part of that room that is in view stays.
        property real roomAbove: 0
        property real rest: 0 // the part of it that is in view while the list rests

        function fitCards(): void {
            if (root.covered < roomAbove)
                rest = Math.max(0, Math.min(roomAbove, originY - Style.large - contentY));
            roomAbove = Math.max(root.covered, rest);
        }
        // A chat that is opened, or in which something was sent, begins below the cards.
        function beginBelowCards(): void {
            rest = root.covered;
            roomAbove = root.covered;
            if (following)
                followSoon();
            else
                contentY = Math.max(contentY, originY - topMargin);
        }

        Accessible.name: qsTr("Conversation")
        Accessible.role: Accessible.List
        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: findBar.bottom
        // Messages that do not fill the view stay in their place below a card, as if they did.
        bottomMargin: stepBack > 0 ? height : Math.max(coveredEnd + Style.small, roomAbove > rest ? height - contentHeight - Style.large - rest : 0)
        coveredEnd: Math.max(roomForBar, root.coveredEnd, bar.visible ? bar.height + Style.small : 0)
        model: root.conversation.messages
        topMargin: Style.large + roomAbove

        onBeginningWanted: root.conversation.readBackTo(0) // no message has this id: it reads all of them
        onContentHeightChanged: readMore()
        onContentYChanged: {
            if (roomAbove > root.covered)
                fitCards();
            readMore();
            placeTimer.restart();
        }

        delegate: MessageItem {
            across: selected
            actions: root.conversation.actions
            latest: index === list.count - 1
            marked: panel.visible && model.messageId === root.conversation.alternatives.messageId ? root.conversation.alternatives.token : -1
            progress: {
                if (!streaming)
                    return "";
                // "Thinking" stands above the thoughts already.
                return model.thinking && root.conversation.state === AnswerQueue.Writing ? "" : root.progress;
            }
            choosing: model.messageId === root.conversation.alternatives.mode
            viewEnds: model.messageId === root.conversation.context.leftOut
            width: list.width
            onHeightChanged: list.followSoon()
            onCopyWanted: messageId => root.conversation.actions.copyMarkdown(messageId)
            onMenuWanted: (item, part, selection) => menu.openFor(model.messageId, fromUser, waitsForAnswer, selection, item, part)
            onInspectWanted: messageId => root.inspectWanted(messageId)
            onAlternativesWanted: place => root.showAlternatives(list.itemAtIndex(index) as MessageItem, place)
            onWholeViewWanted: root.conversation.context.leaveOutNothing()
            onCharacterClicked: (messageId, block, offset) => root.characterClicked(messageId, block, offset)
            onTokenClicked: (messageId, token) => root.tokenClicked(messageId, token)
            onPlaceWanted: (top, bottom) => list.reveal(y + top, y + bottom)
            onRefolding: list.holdTop(y)
            onReadingChanged: {
                if (reading)
                    list.readIndex = index;
            }
        }

        ListSelection {
            id: selected

            Accessible.ignored: count === 0
            Accessible.name: qsTr("Selected text in %Ln message(s)", "", count)
            Accessible.role: Accessible.StaticText
            texts: root.conversation.messages
            Keys.onMenuPressed: (list.itemAtIndex(showEnd()) as MessageItem)?.openMenuByKey()
            onTextWanted: index => {
                list.positionViewAtIndex(index, ListView.Contain);
                list.forceLayout();
            }
        }
        FocusRing {
            gap: -Style.ring * 2
            shown: list.Window.activeFocusItem === list
        }
    }
    Connections {
        function onBegun() {
            list.toEnd();
            if (root.focusedMessage()?.toolsFocused)
                root.findEnded(); // the buttons go while the answer is written
        }
        function onPlaceWanted(messageId: var) {
            root.showMessage(messageId);
        }
        function onAlternativesWanted(messageId: var) {
            root.openAlternatives(messageId);
        }

        target: root.conversation.actions
    }
    Connections {
        function onBegun() {
            list.toEnd();
        }
        function onChanged() {
            Qt.callLater(panel.clearToken); // qmllint disable
        }

        target: root.conversation.alternatives
    }
    EdgeFade {
        anchors.bottom: list.bottom
        anchors.left: list.left
        anchors.right: list.right
        upper: false
        visible: list.count > 0 && !list.atEnd
    }
    AlternativesPanel {
        id: panel

        property Item focusBefore: null // the item that gets the focus back
        property bool atLeft: false // the corner in which it stands
        property bool atTop: false
        property real chosenFor: 0 // the height with which it chose its corner; 0: it has not chosen yet
        readonly property real sideGap: Style.large
        readonly property real edgeGap: Style.small

        readonly property real fullHeight: Math.min(implicitHeight, root.height - 2 * edgeGap)
        property real room: Infinity // the height that leaves the token free, if no corner does at the full height

        function placeX(left: bool): real {
            return left ? sideGap : root.width - sideGap - width;
        }
        // How much of this rectangle, in the view's coordinates, the panel covers in a corner at this height.
        function covered(place: rect, left: bool, top: bool, tall: real): real {
            const begin = placeX(left), above = top ? edgeGap : root.height - edgeGap - tall;
            const across = Math.min(place.x + place.width, begin + width) - Math.max(place.x, begin);
            const down = Math.min(place.y + place.height, above + tall, root.height) - Math.max(place.y, above, 0);
            return Math.max(0, across) * Math.max(0, down);
        }
        // Brings the token into view, and chooses the corner in which the panel covers least of the answer, and not the
        // token. It stays there until it would cover the token or grows. Where every corner covers the token, it is lower.
        function clearToken(): void {
            const row = root.conversation.messages.rowOf(root.conversation.alternatives.messageId); // qmllint disable
            const message = visible ? list.itemAtIndex(row) as MessageItem : null;
            if (!message)
                return;
            const place = message.markedPlace();
            if (place.width > 0)
                list.scrollTo(message.y + place.y, message.y + place.y + place.height, 0);
            else if (known)
                return; // the token has no place yet
            const token = message.mapToItem(root, place);
            if (fullHeight <= chosenFor && covered(token, atLeft, atTop, height) === 0)
                return;
            const answer = message.mapToItem(root, Qt.rect(0, 0, message.width, message.height));
            let least = Infinity;
            for (const [left, top] of [[false, false], [false, true], [true, false], [true, true]]) {
                const share = covered(token, left, top, fullHeight) > 0 ? Infinity : covered(answer, left, top, fullHeight);
                if (share >= least)
                    continue;
                least = share;
                atLeft = left;
                atTop = top;
            }
            const above = token.y - 2 * edgeGap, below = root.height - token.y - token.height - 2 * edgeGap;
            if (least === Infinity)
                atTop = above > below;
            room = least === Infinity ? Math.max(above, below, Style.tableHeight / 2) : Infinity;
            chosenFor = fullHeight;
        }

        function takeFocus(): void {
            if (!activeFocus)
                focusBefore = Window.activeFocusItem;
            forceActiveFocus(Qt.OtherFocusReason);
        }

        alternatives: root.conversation.alternatives
        height: Math.min(fullHeight, room)
        visible: root.conversation.alternatives.state !== TokenAlternatives.Closed
        width: Math.min(implicitWidth, parent.width - 2 * sideGap)
        x: placeX(atLeft)
        y: atTop ? edgeGap : root.height - edgeGap - height
        z: 1 // above the list
        onHeightChanged: Qt.callLater(clearToken) // qmllint disable
        onClosed: {
            root.conversation.alternatives.mode = 0;
            root.conversation.alternatives.close();
        }
        onVisibleChanged: {
            if (visible) {
                atLeft = atTop = false;
                chosenFor = 0;
                return;
            }
            if (!activeFocus)
                return;
            const before = focusBefore;
            focusBefore = null;
            if (before && before.visible)
                before.forceActiveFocus(Qt.OtherFocusReason);
            else
                root.findEnded();
        }
    }
    MessageMenu {
        id: menu

        actions: root.conversation.actions
        alternatives: root.conversation.alternatives
        models: root.models
        presets: root.presets
        onSettingsWanted: root.settingsWanted()
    }
    NoticeBar {
        id: bar

        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.small
        anchors.horizontalCenter: parent.horizontalCenter
        visible: root.conversation.actions.removedTitle
        width: Math.min(implicitWidth, parent.width - 2 * Style.large)
        words: qsTr("Deleted \"%1\"").arg(NameText.isolated(root.conversation.actions.removedTitle))
        onActed: root.undoWanted()
        onOver: {
            root.conversation.actions.forgetRemoved();
            root.offerEnded();
        }
    }
    Timer {
        id: placeTimer

        interval: Style.restMs
        onTriggered: root.keepPlace()
    }
    // Stands out for a moment, so that the eye finds the message that was searched for.
    Rectangle {
        id: flash

        function over(message: Item): void {
            if (!message)
                return;
            parent = message;
            fade.restart();
        }

        Accessible.ignored: true
        anchors.fill: parent
        color: Style.theme.selection
        opacity: 0
        z: -1

        NumberAnimation on opacity { // qmllint disable
            id: fade

            duration: Style.flashMs
            from: 1
            running: false
            to: 0
        }
    }
    PushButton {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.small
        anchors.horizontalCenter: parent.horizontalCenter
        iconName: "arrowDown"
        text: qsTr("Jump to latest")
        // In a low view it would lie over the words that were found.
        visible: list.count > 0 && !list.following && !list.atEnd && !bar.visible && (list.roomForBar > 0 || !root.conversation.find.active)
        onClicked: list.toEnd()
    }
    // Tells screen readers that an answer is complete.
    Announcement {
        id: announcer

        property bool wasBusy: false

        Connections {
            function onStateChanged() {
                if (announcer.wasBusy && !root.conversation.busy)
                    announcer.say(qsTr("The answer has ended"));
                else if (root.conversation.busy && !announcer.wasBusy)
                    announcer.say(qsTr("The model is answering"));
                announcer.wasBusy = root.conversation.busy;
            }

            target: root.conversation
        }
    }
}
