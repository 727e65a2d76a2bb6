// SPDX-License-Identifier: Apache-2.0
// Text as everything in the window sets it: plain, never rich. What a file or a model wrote can't become markup here.
import QtQuick

Text {
    color: Style.theme.text
    font.family: Style.family
    font.pixelSize: Style.bodySize
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.ignored: !text
}
