// SPDX-License-Identifier: Apache-2.0
// The field for messages: it grows with the text, Enter sends, Shift+Enter breaks the line. A line has the buttons beside
// it; a longer text has the whole width, and the buttons are below. While an answer is being written or the model is
// being opened, Enter puts the message into the queue above the field. Below it stands why a message was not sent, or
// how much of the context it would fill; a card above says what has no room in the context, or a button in that line if the
// card has no place.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style
import Coterie.Text

FocusScope {
    id: root

    required property Conversation conversation
    required property ModelController models
    required property CommandList commands // for the tips
    property RoomShares places: null // has the largest height of each part above the field, with the gap below it
    property real spare: Infinity // height that the field may have beyond its least
    property ScrollArea page: null // in place of the messages: keys that an empty field has no use for scroll it
    readonly property bool written: input.text.trim().length > 0 || conversation.files.count > 0
    readonly property bool opening: models.state === ModelController.Opening
    readonly property bool sendable: (conversation.canSend || opening) && written
    readonly property bool tall: roomy && (!measured.text && input.length > 0 || measured.advanceWidth > beside - 2 * Style.small)
    readonly property bool roomy: spare >= action.height + Style.tiny // the buttons have room below the text
    readonly property real leastText: Style.control + Style.tiny
    // The height that it always has: a line of text with its buttons, and the line below.
    readonly property real least: leastText + 2 * Style.tiny + below.height
    // Heights that the parts above the field need, the most important one first, as RoomShares has them.
    readonly property var wants: [want(card, card.implicitHeight, true), want(attached, attached.implicitHeight), want(queued, queued.visible ? queued.implicitHeight : 0)]
    readonly property bool hidesCard: conversation.context.full && card.implicitHeight > 0 && limitOf(card) <= 0
    readonly property bool hidesQueue: queued.visible && limitOf(queued) <= 0
    readonly property bool hidesFiles: attached.implicitHeight > 0 && limitOf(attached) <= 0
    readonly property real beside: (later.visible ? later : think.visible ? think : action).x - Style.tiny - attach.x - attach.width
    readonly property string hint: {
        if (opening)
            return qsTr("The model is being opened");
        if (models.state !== ModelController.Ready)
            return qsTr("Open a model to write to it");
        return models.continuesText ? qsTr("How does the text begin?") : qsTr("Write a message");
    }

    signal sent
    signal scrollWanted(int pages) // the conversation should scroll

    function want(part: Item, needed: real, whole = false): var {
        return {
            item: part,
            height: needed > 0 ? needed + Style.small : 0,
            whole: whole
        };
    }
    function limitOf(part: Item): real {
        return places?.limitOf(part) ?? Infinity;
    }
    function limited(part: Item): real {
        return Math.max(0, Math.min(part.implicitHeight, limitOf(part) - Style.small));
    }
    // Gives the focus to the text, whichever button had it last.
    function begin(reason: int): void {
        input.forceActiveFocus(reason);
    }
    // Writes a text that was typed elsewhere on the page, and takes the focus, so that the person goes on writing here.
    function type(text: string): void {
        begin(Qt.OtherFocusReason);
        input.insert(input.cursorPosition, text);
    }
    function send(): void {
        // If the message is not accepted, the text stays here and the line below says why.
        if (conversation.busy || opening)
            queueUp();
        else if (hidesCard && !conversation.context.draftFits)
            help.show();
        else if (conversation.send(input.text))
            sent();
    }
    // The message is sent after the answer that is being written, or when the model is open.
    function queueUp(): void {
        if (written && conversation.queue.add(input.text))
            conversation.draft = ""; // the field can't undo that: the words would be here and in the queue
    }

    implicitHeight: above.height + field.height + below.height

    // The width of a text that may be one line. Whether it is one must not depend on the width that it has then.
    TextMetrics {
        id: measured

        font: input.font
        text: input.length <= Style.measureCharacters && !input.text.includes("\n") ? input.text : ""
    }
    Connections {
        function onDraftChanged() {
            if (input.text !== root.conversation.draft)
                input.showDraft();
        }

        function onAccepted() {
            root.sent();
        }

        target: root.conversation
    }
    Connections {
        function onFieldWanted() {
            root.begin(Qt.ShortcutFocusReason);
        }

        target: root.conversation.context
    }
    Column {
        id: above

        anchors.left: parent.left
        anchors.right: parent.right
        bottomPadding: root.wants.some(part => part.height > 0 && root.limitOf(part.item) > 0) ? Style.small : 0
        spacing: Style.small

        PromptQueueView {
            id: queued

            busy: root.conversation.busy || root.opening
            height: root.limited(queued)
            most: root.limitOf(queued) - Style.small
            queue: root.conversation.queue
            visible: root.conversation.queue.count > 0
            width: parent.width
            onFieldWanted: input.forceActiveFocus()
        }
        ScrollBox {
            id: card

            height: root.limited(card)
            most: root.limitOf(card) - Style.small
            width: parent.width

            NoRoomCard {
                context: root.conversation.context
                visible: root.conversation.context.full
                width: parent.width
                onVisibleChanged: {
                    // Its button may have the focus of this scope, and would keep it while it is hidden.
                    if (!visible)
                        scroller.focus = true;
                }
            }
        }
        ScrollBox {
            id: attached

            height: root.limited(attached)
            most: root.limitOf(attached) - Style.small
            width: parent.width

            ComposerChips {
                files: root.conversation.files
                width: parent.width
                onFieldWanted: input.forceActiveFocus()
            }
        }
    }
    Rectangle {
        id: field

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: above.bottom
        border.color: input.activeFocus ? Style.theme.ember : Style.theme.mark
        border.width: input.activeFocus ? Style.ring : Style.hairline
        color: Style.theme.surface
        height: scroller.height + 2 * Style.tiny + (root.tall ? action.height + Style.tiny : 0)
        radius: Style.corner

        FieldView {
            id: scroller

            focus: true
            height: Math.max(root.leastText, Math.min(input.implicitHeight, Style.composerMax, Window.height * Style.composerShare, root.leastText + root.spare - (root.tall ? action.height + Style.tiny : 0)))
            width: root.tall ? field.width - 2 * Style.tiny : root.beside
            x: root.tall ? Style.tiny : attach.x + attach.width
            y: Style.tiny

            TextArea {
                id: input

                // Undo and redo may mean this chat, see FieldKeys.
                readonly property real chatId: root.conversation.chatId // qmllint disable
                readonly property bool ownsEscape: root.conversation.queue.editing // Esc leaves that edit and does nothing else, see FieldKeys

                Accessible.name: qsTr("Message")
                background: null
                color: Style.theme.text
                focus: true
                font.family: Style.family
                font.pixelSize: Style.bodySize
                padding: Style.small
                placeholderText: root.hint
                placeholderTextColor: Style.theme.quiet
                rightPadding: root.tall || !root.roomy ? Style.scrollBar + Style.tiny : Style.small
                selectByMouse: true
                selectedTextColor: Style.theme.text
                selectionColor: Style.theme.selection
                textFormat: TextEdit.PlainText
                verticalAlignment: root.tall ? TextEdit.AlignTop : TextEdit.AlignVCenter
                wrapMode: TextEdit.Wrap

                // The cursor is where the person goes on.
                function showDraft(): void {
                    text = root.conversation.draft;
                    cursorPosition = length;
                }

                // Tab moves the focus, as everywhere else in the window.
                Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                Keys.onEscapePressed: event => event.accepted = root.conversation.queue.leaveEdit()
                Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onPressed: event => {
                    if (event.matches(StandardKey.Paste)) // files, or a text that is better read as one
                        event.accepted = root.conversation.files.paste();
                    if (length === 0 && !inputMethodComposing && root.page?.scrollByKey(event.key, event.modifiers)) {
                        event.accepted = true;
                        return;
                    }
                    const pages = event.key === Qt.Key_PageUp ? -1 : event.key === Qt.Key_PageDown ? 1 : 0;
                    if (pages !== 0 && implicitHeight <= scroller.height) { // all of the text is in view
                        event.accepted = true;
                        root.scrollWanted(pages);
                    }
                    const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter;
                    if (enter && !(event.modifiers & Qt.ShiftModifier) && !inputMethodComposing) {
                        event.accepted = true;
                        root.send();
                    }
                }
                Component.onCompleted: showDraft()
                onTextChanged: root.conversation.draft = text

                FieldHistory {
                    document: input.textDocument
                    subject: (root.conversation.temporary ? "temporary " : "chat ") + root.conversation.chatId // qmllint disable
                }
                FieldLetters {
                    document: input.textDocument
                }
            }
        }
        EdgeFade {
            anchors.left: scroller.left
            anchors.right: scroller.right
            anchors.rightMargin: Style.scrollBar
            anchors.top: scroller.top
            upper: true
            visible: scroller.view?.contentY > 0
        }
        EdgeFade {
            anchors.bottom: scroller.bottom
            anchors.left: scroller.left
            anchors.right: scroller.right
            anchors.rightMargin: Style.scrollBar
            upper: false
            visible: scroller.view !== null && scroller.view.contentHeight - scroller.view.height - scroller.view.contentY > 1
        }
        IconButton {
            id: attach

            anchors.bottom: action.bottom
            anchors.left: parent.left
            anchors.leftMargin: Style.tiny + Style.ring
            iconName: "clip"
            text: root.commands.tip(qsTr("Attach files"), "message.attach")
            onClicked: root.commands.run("message.attach")
        }
        IconButton {
            id: think

            anchors.bottom: action.bottom
            anchors.right: action.left
            anchors.rightMargin: Style.tiny
            checkable: true
            checked: root.conversation.settings.thinking
            iconName: "thought"
            text: checked ? qsTr("The model thinks before it answers") : qsTr("The model answers without thinking first")
            visible: root.models.canThink
            onToggled: {
                root.conversation.setThinking(checked);
                input.forceActiveFocus(); // the user can go on writing
            }
        }
        IconButton {
            id: later

            anchors.bottom: action.bottom
            anchors.right: think.visible ? think.left : action.left
            anchors.rightMargin: Style.tiny
            iconName: "send"
            text: root.commands.tip(qsTr("Send after this answer"), "message.send")
            visible: root.conversation.busy && root.written
            onClicked: {
                root.queueUp();
                input.forceActiveFocus();
            }
        }
        IconButton {
            id: action

            anchors.bottom: parent.bottom
            anchors.margins: Style.tiny + Style.ring
            anchors.right: parent.right
            enabled: root.conversation.busy ? root.conversation.state !== AnswerQueue.Stopping : root.sendable
            filled: true
            iconName: root.conversation.busy ? "stop" : "send"
            text: root.conversation.busy ? root.commands.tip(qsTr("Stop"), "page.close") : root.commands.tip(qsTr("Send"), "message.send")
            readonly property bool stops: root.conversation.busy

            onClicked: {
                if (turned.running)
                    return;
                if (stops) {
                    root.conversation.stop();
                } else {
                    root.send();
                    turned.start();
                }
            }
            onStopsChanged: {
                if (!stops)
                    turned.restart();
            }

            // The second press of a double click does not stop the answer that the first one began. A press that was meant for
            // an answer that ended just then does not send what is in the field.
            Timer {
                id: turned

                interval: Application.styleHints.mouseDoubleClickInterval
            }
        }
    }
    // It keeps its place while it is empty, so that nothing moves while a person types.
    Item {
        id: below

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: field.bottom
        height: Math.max(counted.implicitHeight, Style.smallSize * Style.smallLine)

        // Advice that needs more than this line lies over the messages: they keep their places.
        Rectangle {
            readonly property bool over: refused.lineCount > 1

            anchors.left: parent.left
            anchors.right: parent.right
            border.color: Style.theme.line
            border.width: over ? Style.hairline : 0
            color: over ? Style.theme.surface : "transparent"
            height: refused.implicitHeight + (over ? 2 * Style.small : 0)
            radius: Style.corner
            visible: refused.valid
            y: over ? -below.y - height - Style.tiny : parent.height - height

            SmallText {
                id: refused

                readonly property bool valid: root.conversation.refusal.valid

                Accessible.role: Accessible.AlertMessage
                anchors.left: parent.left
                anchors.margins: Style.small
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                color: Style.theme.error
                text: valid ? qsTr("Not sent. %1. %2.").arg(root.conversation.refusal.why).arg(root.conversation.refusal.action) : ""
                wrapMode: Text.Wrap
                onTextChanged: words => {
                    if (words)
                        Qt.callLater(Announcer.announce, refused); // qmllint disable
                }
            }
        }
        // The card has its words and actions there, too.
        NoRoomButton {
            id: help

            anchors.left: parent.left
            context: root.conversation.context
            height: parent.height + Style.tiny // to the edge of the composer's place
            line: parent.height
            room: root.width
            visible: root.hidesCard && !refused.valid
            width: Math.min(implicitWidth, parent.width)
            onVisibleChanged: {
                if (!visible && focus)
                    scroller.focus = true;
            }
        }
        // Waiting messages and files that have no place above the field are not lost.
        SmallText {
            id: unseen

            anchors.bottom: parent.bottom
            anchors.left: help.visible ? help.right : parent.left
            anchors.leftMargin: Style.small
            elide: Text.ElideRight
            width: Math.min(implicitWidth, Math.max(0, parent.width - (help.visible ? help.width : 0) - 2 * Style.small))
            text: {
                const parts = [];
                if (root.hidesFiles && root.conversation.files.count > 0)
                    parts.push(qsTr("%Ln file(s) attached", "", root.conversation.files.count));
                if (root.hidesQueue)
                    parts.push(qsTr("%Ln message(s) waiting", "", root.conversation.queue.count));
                return parts.join(" \u00b7 ");
            }
            visible: text && !refused.valid
        }
        // It is there from the first word on: a person sees what a text costs before it is sent, and a figure that first
        // appeared at half of the context would look like a warning. If there is no room for the words, the number has none.
        Figures {
            id: counted

            readonly property string tokens: root.conversation.context.draftTokens.toLocaleString(Qt.locale(), "f", 0)
            readonly property string brief: qsTr("%1 of %Ln token(s)", "of the context", root.conversation.contextSize).arg(tokens)
            // The width beside what stands at the left.
            readonly property real beside: below.width - Style.small - (help.visible ? help.width + Style.small : 0) - (unseen.visible ? unseen.width + 2 * Style.small : 0)

            Accessible.name: whole.text
            anchors.bottom: parent.bottom
            anchors.right: parent.right
            anchors.rightMargin: Style.small
            color: root.conversation.context.draftFits ? Style.theme.quiet : Style.theme.error
            text: whole.implicitWidth <= beside ? whole.text : brief
            visible: (implicitWidth <= beside || !help.visible) && root.conversation.context.draftTokens > 0 && root.conversation.contextSize > 0 && !refused.valid
        }
        // Used only to measure the line with all words.
        Figures {
            id: whole

            Accessible.ignored: true
            opacity: 0
            text: qsTr("%1 of %Ln token(s) with this message", "of the context", root.conversation.contextSize).arg(counted.tokens)
        }
    }
}
