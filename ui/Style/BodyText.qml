// SPDX-License-Identifier: Apache-2.0
// The text item of the whole window: plain text, never rich text, so that the content of a file or an answer can't
// become markup.
import QtQuick
import Coterie.Text

Text {
    color: Style.theme.text
    font.family: Style.family
    font.pixelSize: Style.bodySize
    font.preferShaping: !LetterForms.replaced(text)
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.ignored: !text
}
