// SPDX-License-Identifier: Apache-2.0
// The field in which a message is edited, in its place: Enter keeps the text, Shift+Enter breaks the line, Esc leaves.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style
import Coterie.Text

Rectangle {
    id: root

    required property MessageActions actions
    required property var messageId
    required property bool fromUser
    readonly property bool holdsFocus: field.activeFocus || leave.activeFocus || keep.activeFocus
    property bool begun: false // the caret has its place

    signal closed
    // The caret is between these heights.
    signal placeWanted(real top, real bottom)

    function begin(): void {
        field.forceActiveFocus(Qt.OtherFocusReason);
        if (!begun)
            field.cursorPosition = field.length;
        begun = true;
    }
    function showCaret(): void {
        placeWanted(field.cursorRectangle.y, field.cursorRectangle.y + field.cursorRectangle.height);
    }
    function leaveIt(): void {
        actions.leaveEdit(messageId);
        closed();
    }

    border.color: field.activeFocus ? Style.theme.ember : Style.theme.mark
    border.width: field.activeFocus ? Style.ring : Style.hairline
    color: Style.theme.surface
    implicitHeight: field.height + buttons.height + Style.small
    radius: Style.corner

    // One of its buttons may have the focus. The window's shortcut would stop the answer that is being written.
    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
    Keys.onEscapePressed: leaveIt()

    TextArea {
        id: field

        readonly property bool ownsEscape: true // Esc leaves the field and does nothing else, see FieldKeys

        Accessible.name: root.fromUser ? qsTr("Edit message") : qsTr("Edit answer")
        background: null
        color: Style.theme.text
        font.family: Style.family
        font.pixelSize: Style.bodySize
        leftPadding: Style.medium
        padding: Style.small
        rightPadding: Style.medium
        selectByMouse: true
        selectedTextColor: Style.theme.text
        selectionColor: Style.theme.selection
        textFormat: TextEdit.PlainText
        width: parent.width
        wrapMode: TextEdit.Wrap

        // Tab moves the focus, as everywhere else in the window.
        Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
        Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        Keys.onPressed: event => {
            const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter;
            if (event.key === Qt.Key_Escape) {
                event.accepted = true;
                root.leaveIt();
            } else if (enter && !(event.modifiers & (Qt.ShiftModifier | Qt.ControlModifier)) && !inputMethodComposing) {
                event.accepted = true;
                root.actions.keepEdit(root.messageId);
            }
        }
        Component.onCompleted: text = root.actions.editText(root.messageId)
        // From its buttons, which may be far below.
        onActiveFocusChanged: {
            if (activeFocus && (focusReason === Qt.TabFocusReason || focusReason === Qt.BacktabFocusReason))
                root.showCaret();
        }
        onCursorRectangleChanged: {
            if (activeFocus)
                root.showCaret();
        }
        onTextChanged: root.actions.setEditText(root.messageId, text)

        FieldLetters {
            document: field.textDocument
        }
    }
    Row {
        id: buttons

        anchors.right: parent.right
        anchors.rightMargin: Style.small
        anchors.top: field.bottom
        spacing: Style.small

        PushButton {
            id: leave

            kind: "quiet"
            text: qsTr("Cancel")
            onClicked: root.leaveIt()
        }
        PushButton {
            id: keep

            enabled: field.text.trim().length > 0
            kind: "primary"
            text: root.fromUser ? qsTr("Send") : qsTr("Keep")
            onClicked: root.actions.keepEdit(root.messageId)
        }
    }
}
