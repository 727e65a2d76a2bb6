// SPDX-License-Identifier: Apache-2.0
// A one-line field.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Text

TextField {
    id: root

    property string label // its name for screen readers
    property bool faulty: false
    property bool applied: false // the text is a value that holds: undo means the step that set it, see FieldKeys

    Accessible.name: label || placeholderText
    color: Style.theme.text
    font.family: Style.family
    font.pixelSize: Style.bodySize
    font.preferShaping: !LetterForms.replaced(text)
    implicitHeight: Style.control
    leftPadding: Style.medium
    placeholderTextColor: Style.theme.quiet
    rightPadding: Style.medium
    selectByMouse: true
    selectedTextColor: Style.theme.text
    selectionColor: Style.theme.selection
    verticalAlignment: TextInput.AlignVCenter

    background: Rectangle {
        border.color: root.faulty ? Style.theme.error : root.activeFocus ? Style.theme.ember : Style.theme.mark
        border.width: root.activeFocus ? Style.ring : Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
}
