// SPDX-License-Identifier: Apache-2.0
// The field for messages: it grows with the text, Enter sends, Shift+Enter breaks the line.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property Conversation conversation
    required property ModelController models
    required property Settings settings
    required property CommandList commands // for the tips
    readonly property bool sendable: conversation.canSend && input.text.trim().length > 0
    readonly property string hint: {
        if (models.state === ModelController.Opening)
            return qsTr("The model is being opened");
        if (models.state !== ModelController.Ready)
            return qsTr("Open a model to write to it");
        return models.continuesText ? qsTr("How does the text begin?") : qsTr("Write a message");
    }

    signal sent

    function send(): void {
        // If the message is not accepted, the text stays here and the conversation's error says why.
        if (conversation.send(input.text))
            sent();
    }

    implicitHeight: field.height

    Connections {
        function onDraftChanged() {
            if (input.text !== root.conversation.draft)
                input.text = root.conversation.draft;
        }

        function onAccepted() {
            root.sent();
        }

        target: root.conversation
    }
    Rectangle {
        id: field

        anchors.left: parent.left
        anchors.right: parent.right
        border.color: input.activeFocus ? Style.theme.ember : Style.theme.mark
        border.width: input.activeFocus ? Style.ring : Style.hairline
        color: Style.theme.surface
        height: scroller.height + 2 * Style.tiny
        radius: Style.corner

        ScrollView {
            id: scroller

            Accessible.ignored: true // the field in it has the name
            ScrollBar.horizontal.policy: ScrollBar.AlwaysOff
            anchors.left: parent.left
            anchors.leftMargin: Style.tiny
            anchors.right: think.visible ? think.left : action.left
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
                leftPadding: Style.medium
                padding: Style.small
                placeholderText: root.hint
                placeholderTextColor: Style.theme.quiet
                selectByMouse: true
                selectedTextColor: Style.theme.text
                selectionColor: Style.theme.selection
                textFormat: TextEdit.PlainText
                wrapMode: TextEdit.Wrap

                // Tab moves the focus, as everywhere else in the window.
                Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onPressed: event => {
                    const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter;
                    if (enter && !(event.modifiers & Qt.ShiftModifier) && !inputMethodComposing) {
                        event.accepted = true;
                        root.send();
                    }
                }
                Component.onCompleted: text = root.conversation.draft
                onTextChanged: root.conversation.draft = text
            }
        }
        IconButton {
            id: think

            anchors.bottom: action.bottom
            anchors.right: action.left
            anchors.rightMargin: Style.tiny
            checkable: true
            checked: root.models.demo ? root.settings.demoThinking : root.settings.thinking
            iconName: "thought"
            text: checked ? qsTr("The model thinks before it answers") : qsTr("The model answers without thinking first")
            visible: root.models.canThink
            onToggled: {
                if (root.models.demo)
                    root.settings.demoThinking = checked;
                else
                    root.settings.thinking = checked;
                input.forceActiveFocus(); // the user can go on writing
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
}
