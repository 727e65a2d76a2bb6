// SPDX-License-Identifier: Apache-2.0
// One chat in view: its messages or a first page in their place, its errors, the tool that asks, and the composer. If two
// chats are in view, a line above each names it and closes it.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Style

FocusScope {
    id: root

    required property App app
    required property Conversation conversation
    required property bool activityShown
    required property bool hidesOther // two chats are open, and there is room for one
    property real covered: 0 // height at the top that the bars, and the page's cards and notices below them, take
    property real coveredEnd: 0 // the same at the lower edge of the messages
    property real lent: 0 // height that the page has for it only while words are searched for
    readonly property real bars: below.y + messages.barHeight
    readonly property real titleHeight: title.visible ? title.implicitHeight : 0
    // Height of the question whether a temporary chat is kept. It has all of this: the other items give way to it, then the
    // messages, then the field, and at last the title.
    readonly property real asked: strip.visible && strip.asking ? strip.implicitHeight : 0
    readonly property bool fieldYields: asked > 0 && asked > height - titleHeight - composer.least - Style.tiny
    // The height that the title and the field leave, and what they leave while nothing asks.
    readonly property real usual: height - (app.panes.split ? title.implicitHeight : 0) - (firstStart.visible ? 0 : composer.least + Style.tiny)
    readonly property real free: height - titleHeight - (composer.visible ? composer.least + Style.tiny : 0)
    // Words are searched for in a low pane. What is around the messages gives way, so that the line of the found place is seen:
    // the last line of the window, the parts above the field and below the title, and if need be the title.
    readonly property bool finding: asked === 0 && messages.barWanted > 0 && usual - lent - messages.barWanted < shares.kept
    readonly property bool titleYields: finding && usual - messages.barWanted < shares.kept
    readonly property real roomForBars: below.height - messages.barHeight // over the messages
    // The question leaves no room for the messages, nor for a bar over them.
    readonly property bool crowded: asked > 0 && free - asked - messages.barWanted < Style.noticeHeight + 2 * Style.small
    readonly property real messagesEnd: below.y + below.height // the lower edge of their room
    readonly property real roomForCards: overMessages.others // height of the cards over the messages
    readonly property ModelController models: app.models
    readonly property bool active: app.conversation === conversation
    readonly property bool noMessages: conversation.messages.count === 0 && conversation.queue.count === 0 // none that waits, either
    // The page in place of the messages; null if they are in view.
    readonly property ScrollArea start: firstStart.visible ? firstStart.area : demoStart.visible ? demoStart.area : modelStart.visible ? modelStart.area : null
    readonly property bool saysTemporary: strip.visible && strip.shown // the strip of a temporary chat has a place
    readonly property bool noModel: models.state !== ModelController.Ready && models.state !== ModelController.Opening

    signal lookWanted // at what the experts do
    signal openWanted
    signal otherWanted

    // The height that the item needs, with the gap below it, as RoomShares has it.
    function want(item: Item, gap: real): var {
        return {
            item: item,
            height: item.visible && item.implicitHeight > 0 ? item.implicitHeight + gap : 0
        };
    }
    // Gives the focus to the place where users expect it.
    function begin(reason: int): void {
        if (firstStart.visible)
            firstStart.forceActiveFocus(reason);
        else if (fieldYields)
            strip.begin(reason);
        else
            composer.begin(reason);
    }
    function write(): void {
        begin(Qt.ShortcutFocusReason);
    }
    // Writes a text into the composer. Returns false if there is none in view.
    function type(text: string): bool {
        if (composer.visible)
            composer.type(text);
        return composer.visible;
    }
    function toEnd(): void {
        messages.toEnd();
    }
    function scrollPages(pages: int): void {
        if (start)
            start.scrollPages(pages);
        else
            messages.scrollPages(pages);
    }
    function find(): void {
        messages.find();
    }
    function keepPlace(): void {
        messages.keepPlace();
    }
    function toBlock(step: int): void {
        messages.toBlock(step);
    }
    function activate(): void {
        app.panes.activate(conversation);
    }
    // The inspector has the colours under the words; it is enabled as long as a message of the active chat has them.
    function followTint(): void {
        if (!active)
            return;
        const message = conversation.alternatives.tinted; // qmllint disable
        app.inspector.tokens.measure = message ? TokenMeasure.Probability : TokenMeasure.None;
        if (message)
            app.inspector.showMessage(message);
    }

    // The focus does not stay in what gave way to the search.
    function mendFocus(): void {
        if (finding && active && visible && Window.activeFocusItem && !Window.activeFocusItem.visible)
            find();
    }

    // As on the pages of the window, keys that the focused control has no use for scroll.
    Keys.onPressed: event => event.accepted = start?.scrollByKey(event.key, event.modifiers) ?? false
    onActiveChanged: {
        if (conversation.alternatives.tinted) // qmllint disable
            followTint();
    }
    onActiveFocusChanged: {
        if (activeFocus)
            activate();
    }
    onFindingChanged: Qt.callLater(mendFocus) // qmllint disable

    // The one place that shares the height. The field for messages has its least height first; the conversation keeps a few
    // lines; the items between them have the rest, and one of them may scroll. What none of them needs is for a long text in
    // the field.
    RoomShares {
        id: shares

        kept: Style.leastLines * Style.bodyLine * Style.bodySize
        lineForFirst: !root.finding || question.visible
        room: root.free - messages.barWanted - root.asked
        wants: [root.want(question, Style.small), root.want(fileError, Style.small), ...(composer.visible ? composer.wants : []), root.want(meaning, Style.small), ...(root.asked > 0 ? [] : [root.want(strip, 0)])]
    }
    // Cards over the messages leave some of them in view.
    RoomShares {
        id: overMessages

        kept: shares.kept
        room: below.height - messages.barHeight
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        PaneTitle {
            id: title

            Layout.fillWidth: true
            active: root.active
            commands: root.app.commands
            conversation: root.conversation
            hidesOther: root.hidesOther
            visible: root.app.panes.split && !root.titleYields && (root.asked === 0 || root.asked <= root.height - implicitHeight)
            onCloseWanted: root.app.panes.close(root.conversation)
            onOtherWanted: root.otherWanted()
        }
        TemporaryStrip {
            id: strip

            Layout.fillWidth: true
            Layout.maximumHeight: root.asked > 0 ? Math.min(root.asked, root.height) : most
            conversation: root.conversation
            low: root.usual < 2 * shares.kept
            most: shares.limitOf(strip)
            onAnswered: root.write()
        }
        Item {
            id: below

            readonly property real covered: Math.max(0, root.covered - y)

            Layout.fillHeight: true
            Layout.fillWidth: true

            // It lies over the messages, so that they stay where they are.
            MouseArea {
                anchors.left: parent.left
                anchors.leftMargin: Style.large
                anchors.right: parent.right
                anchors.rightMargin: Style.large
                anchors.top: parent.top
                anchors.topMargin: Style.small + below.covered
                enabled: problem.implicitHeight > 0 // a click is not for the message below, nor the wheel
                height: problem.height
                visible: !root.crowded
                z: 1
                onWheel: wheel => wheel.accepted = true

                ScrollBox {
                    id: problem

                    height: Math.min(implicitHeight, Math.max(Style.control, root.roomForCards - Math.max(0, below.covered - messages.barHeight)))
                    width: parent.width

                    ConversationError {
                        conversation: root.conversation
                        width: parent.width
                    }
                }
            }
            ConversationView {
                id: messages

                anchors.fill: parent
                conversation: root.conversation
                covered: Math.max(0, below.covered - messages.barHeight) + (problem.height > 0 ? problem.height + Style.small : 0)
                coveredEnd: root.coveredEnd
                models: root.models
                page: root
                presets: root.app.presets
                visible: !firstStart.visible && !root.crowded
                onInspectWanted: messageId => {
                    root.activate();
                    root.app.inspector.showMessage(messageId);
                    if (!root.activityShown)
                        root.app.commands.run("window.activity");
                }
                onFindEnded: root.write()
                onCharacterClicked: (messageId, block, offset) => {
                    root.activate();
                    root.app.inspector.showCharacter(messageId, block, offset);
                }
                onTokenClicked: (messageId, token) => {
                    root.activate();
                    root.app.inspector.showToken(messageId, token);
                }
                onOfferEnded: root.app.undo.endOffer()
                onSettingsWanted: {
                    root.activate();
                    root.app.commands.run("chat.settings");
                }
                onUndoWanted: root.app.undo.undo()
            }
            FirstStart {
                id: firstStart

                anchors.fill: parent
                anchors.topMargin: below.covered
                models: root.models
                visible: root.noModel && root.noMessages
                onOpenWanted: root.openWanted()
            }
            DemoStart {
                id: demoStart

                anchors.fill: parent
                anchors.topMargin: below.covered
                conversation: root.conversation
                models: root.models
                visible: root.models.demo && !root.noModel && root.noMessages
                onAsked: {
                    root.write();
                    messages.toEnd();
                }
                onLookWanted: root.lookWanted()
                onOpenWanted: root.openWanted()
            }
            ModelStart {
                id: modelStart

                anchors.fill: parent
                anchors.topMargin: below.covered
                models: root.models
                visible: !root.models.demo && !root.noModel && root.conversation.messages.count === 0
            }
        }
        // The meaning of the colours under the words, or why there are none.
        ScrollBox {
            id: meaning

            Layout.alignment: Qt.AlignHCenter
            Layout.bottomMargin: most > 0 ? Style.small : 0
            Layout.fillWidth: true
            Layout.leftMargin: Style.wide
            Layout.maximumHeight: Math.max(0, most)
            Layout.maximumWidth: Style.measure
            Layout.rightMargin: Style.wide
            most: shares.limitOf(meaning) - Style.small
            visible: root.active && root.conversation.alternatives.tinted !== 0 && !root.activityShown // qmllint disable

            SmallText {
                text: root.app.inspector.condition === Inspector.Ready ? root.app.inspector.tokens.measureText : root.app.inspector.conditionText
                width: parent.width
                wrapMode: Text.Wrap
            }
        }
        // A new chat has the top of its page in view, wherever the page of the chat before was left.
        Connections {
            function onChatChanged() {
                for (const page of [firstStart, demoStart, modelStart])
                    page.area.contentY = 0;
            }

            target: root.conversation
        }
        Connections {
            function onTintedChanged() {
                root.followTint();
            }

            target: root.conversation.alternatives
        }
        ToolRequest {
            id: question

            Layout.alignment: Qt.AlignHCenter
            Layout.bottomMargin: most > 0 ? Style.small : 0
            Layout.fillWidth: true
            Layout.leftMargin: Style.wide
            Layout.maximumHeight: Math.max(0, most)
            Layout.maximumWidth: Style.measure
            Layout.rightMargin: Style.wide
            chat: root.conversation.chatId // qmllint disable
            most: shares.limitOf(question) - Style.small
            tools: root.app.tools
            onAnswered: root.write()
        }
        // It stands where the file would be: over the messages it would cover the first one.
        ScrollBox {
            id: fileError

            Layout.alignment: Qt.AlignHCenter
            Layout.bottomMargin: implicitHeight > 0 && most > 0 ? Style.small : 0
            Layout.fillWidth: true
            Layout.leftMargin: Style.wide
            Layout.maximumHeight: Math.max(0, most)
            Layout.maximumWidth: Style.measure
            Layout.rightMargin: Style.wide
            most: shares.limitOf(fileError) - Style.small

            ConversationError {
                conversation: root.conversation
                ofFile: true
                width: parent.width
            }
        }
        Composer {
            id: composer

            Layout.alignment: Qt.AlignHCenter
            Layout.bottomMargin: Style.tiny
            Layout.fillWidth: true
            Layout.leftMargin: Style.wide
            Layout.maximumWidth: Style.measure
            Layout.rightMargin: Style.wide
            commands: root.app.commands
            conversation: root.conversation
            focus: true
            models: root.models
            page: root.start
            places: shares
            spare: shares.spare
            visible: !firstStart.visible && !root.fieldYields
            onScrollWanted: pages => root.scrollPages(pages)
            onSent: messages.toEnd()
        }
    }
    // A press anywhere makes this chat the active one before it does what it does.
    MouseArea {
        anchors.fill: parent
        enabled: !root.active
        onPressed: mouse => {
            root.activate();
            mouse.accepted = false;
        }
    }
}
