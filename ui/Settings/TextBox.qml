// SPDX-License-Identifier: Apache-2.0
// A field for a text of several lines, which grows with it up to a limit. It hands on every change at once, so that
// nothing is lost whatever happens next.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style
import Coterie.Text

FieldView {
    id: root

    required property string label
    required property string value
    required property string subject // a key of what it is about, see FieldHistory
    property string hint: ""
    property bool exact: true // the value is the text as it was written; otherwise it is shown only without the focus

    signal edited(string text)

    implicitHeight: Math.min(Style.composerMax / 2, Math.max(Style.control * 2, area.implicitHeight))

    background: Rectangle {
        border.color: area.activeFocus ? Style.theme.ember : Style.theme.mark
        border.width: area.activeFocus ? Style.ring : Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }

    TextArea {
        id: area

        Accessible.name: root.label
        background: null
        color: Style.theme.text
        font.family: Style.family
        font.pixelSize: Style.bodySize
        padding: Style.medium
        placeholderText: root.hint
        placeholderTextColor: Style.theme.quiet
        selectByMouse: true
        selectedTextColor: Style.theme.text
        selectionColor: Style.theme.selection
        textFormat: TextEdit.PlainText
        wrapMode: TextEdit.Wrap

        Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
        Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        onTextChanged: {
            if (text !== root.value)
                root.edited(text);
        }

        FieldHistory {
            document: area.textDocument
            subject: root.subject
        }
        FieldLetters {
            document: area.textDocument
        }

        Binding on text {
            restoreMode: Binding.RestoreNone
            value: root.value
            when: root.exact || !area.activeFocus
        }
    }
}
