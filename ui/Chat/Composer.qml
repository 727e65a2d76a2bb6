// SPDX-License-Identifier: Apache-2.0
// The field for messages: it grows with the text, Enter sends, Shift+Enter breaks the line. While an answer is being
// written, Enter puts the message into the queue above the field. Below it stands why a message was not sent, or how much
// of the context it would fill.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property Conversation conversation
    required property ModelController models
    required property CommandList commands // for the tips
    readonly property bool written: input.text.trim().length > 0 || conversation.files.count > 0
    readonly property bool sendable: conversation.canSend && written
    readonly property string hint: {
        if (models.state === ModelController.Opening)
            return qsTr("The model is being opened");
        if (models.state !== ModelController.Ready)
            return qsTr("Open a model to write to it");
        return models.continuesText ? qsTr("How does the text begin?") : qsTr("Write a message");
    }

    signal sent
    signal scrollWanted(int pages) // the conversation should scroll

    // Gives the focus to the text, whichever button had it last.
    function begin(reason: int): void {
        input.forceActiveFocus(reason);
    }
    function send(): void {
        // If the message is not accepted, the text stays here and the line below says why.
        if (conversation.busy)
            queueUp();
        else if (conversation.send(input.text))
            sent();
    }
    // The message is sent after the answer that is being written.
    function queueUp(): void {
        if (written && conversation.queue.add(input.text))
            input.clear();
    }

    implicitHeight: above.height + field.height + below.height

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
    Column {
        id: above

        anchors.left: parent.left
        anchors.right: parent.right
        bottomPadding: queued.visible || end.visible || chips.visible ? Style.small : 0
        spacing: Style.small

        PromptQueueView {
            id: queued

            busy: root.conversation.busy
            queue: root.conversation.queue
            visible: root.conversation.queue.count > 0
            width: parent.width
            onFieldWanted: input.forceActiveFocus()
        }
        ContextEnd {
            id: end

            context: root.conversation.context
            size: root.conversation.contextSize
            visible: root.conversation.context.full
            width: parent.width
            onVisibleChanged: {
                // Its button may have the focus of this scope, and would keep it while it is hidden.
                if (!visible)
                    scroller.focus = true;
            }
        }
        ComposerChips {
            id: chips

            files: root.conversation.files
            width: parent.width
            onFieldWanted: input.forceActiveFocus()
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
        height: scroller.height + 2 * Style.tiny
        radius: Style.corner

        ScrollView {
            id: scroller

            Accessible.ignored: true // the field in it has the name
            ScrollBar.horizontal.policy: ScrollBar.AlwaysOff
            anchors.left: attach.right
            anchors.right: later.visible ? later.left : think.visible ? think.left : action.left
            anchors.rightMargin: Style.tiny
            anchors.top: parent.top
            anchors.topMargin: Style.tiny
            focus: true
            height: Math.max(Style.control + Style.tiny, Math.min(input.implicitHeight, Style.composerMax))

            ScrollBar.vertical: ThinScrollBar {
                anchors.bottom: scroller.bottom
                anchors.right: scroller.right
                anchors.top: scroller.top
            }

            TextArea {
                id: input

                Accessible.name: qsTr("Message")
                background: null
                color: Style.theme.text
                focus: true
                font.family: Style.family
                font.pixelSize: Style.bodySize
                padding: Style.small
                placeholderText: root.hint
                placeholderTextColor: Style.theme.quiet
                selectByMouse: true
                selectedTextColor: Style.theme.text
                selectionColor: Style.theme.selection
                textFormat: TextEdit.PlainText
                wrapMode: TextEdit.Wrap

                // The cursor is where the person goes on.
                function showDraft(): void {
                    text = root.conversation.draft;
                    cursorPosition = length;
                }

                // Tab moves the focus, as everywhere else in the window.
                Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onPressed: event => {
                    if (event.matches(StandardKey.Paste)) // files, or a text that is better read as one
                        event.accepted = root.conversation.files.paste();
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
            }
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
            enabled: root.conversation.busy ? root.conversation.state !== Conversation.Stopping : root.sendable
            filled: true
            iconName: root.conversation.busy ? "stop" : "send"
            text: root.conversation.busy ? root.commands.tip(qsTr("Stop"), "page.close") : root.commands.tip(qsTr("Send"), "message.send")
            onClicked: root.conversation.busy ? root.conversation.stop() : root.send()
        }
    }
    // It keeps its place while it is empty, so that nothing moves while a person types.
    Item {
        id: below

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: field.bottom
        height: Math.max(counted.implicitHeight, Style.smallSize * Style.smallLine)

        SmallText {
            id: refused

            readonly property bool valid: root.conversation.refusal.valid

            Accessible.role: Accessible.AlertMessage
            anchors.bottom: parent.bottom
            anchors.left: parent.left
            anchors.leftMargin: Style.small
            anchors.right: parent.right
            anchors.rightMargin: Style.small
            color: Style.theme.error
            elide: Text.ElideRight
            text: valid ? qsTr("Not sent. %1. %2.").arg(root.conversation.refusal.why).arg(root.conversation.refusal.action) : ""
            onTextChanged: words => {
                if (words)
                    Qt.callLater(Announcer.announce, refused); // qmllint disable
            }

            HoverHandler {
                id: overRefused
            }
            HoverTip {
                shown: overRefused.hovered && refused.truncated
                target: refused
                text: refused.text
            }
        }
        Figures {
            id: counted

            anchors.bottom: parent.bottom
            anchors.right: parent.right
            anchors.rightMargin: Style.small
            color: root.conversation.context.draftFits ? Style.theme.quiet : Style.theme.error
            text: qsTr("%1 of %Ln token(s) with this message", "of the context", root.conversation.contextSize).arg(root.conversation.context.draftTokens.toLocaleString(Qt.locale(), "f", 0))
            visible: root.conversation.context.draftTokens > 0 && root.conversation.contextSize > 0 && !refused.valid
        }
    }
}
