// SPDX-License-Identifier: Apache-2.0
// A tip that is shown while its control has the pointer or the focus. Plain text.
import QtQuick
import QtQuick.Controls.Basic

ToolTip {
    id: root

    delay: Style.tipDelay
    margins: Style.small
    padding: Style.small
    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: parent ? parent.height + Style.tiny : 0

    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.cornerSmall
    }
    contentItem: SmallText {
        color: Style.theme.text
        text: root.text
        wrapMode: Text.Wrap
        width: Math.min(implicitWidth, Style.tipWidth)
    }
}
