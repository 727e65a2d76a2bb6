// SPDX-License-Identifier: Apache-2.0
// Fonts, colours and sizes of messages, from the Style module. Lines are whole pixels high, so that each line of text is
// as sharp as the next.
pragma Singleton
import QtQuick
import Coterie.Style
import Coterie.Text

TextStyle {
    id: root

    readonly property FontMetrics codeMetrics: FontMetrics {
        font.family: Style.fixedFamily
        font.pixelSize: Style.codeSize
    }

    bodyFont.family: Style.family
    bodyFont.pixelSize: Style.bodySize
    bodyLine: Math.round(Style.bodyLine * Style.bodySize)
    codeBottom: Style.medium
    codeFont.family: Style.fixedFamily
    codeFont.pixelSize: Style.codeSize
    codeHeader: Style.tiny + Style.controlSmall
    codeInset: Style.large
    codeLine: Math.round(Style.codeLineFactor * codeMetrics.height)
    quiet: Style.theme.quiet
    scrollBar: Style.scrollBar
    selection: Style.theme.selection
    spacing: Style.medium
    text: Style.theme.text
    thoughtFont.family: Style.family
    thoughtFont.pixelSize: Style.smallSize
    thoughtGap: Style.small
    thoughtHeader: Style.controlSmall
    thoughtInset: Style.large
    thoughtLine: Math.round(Style.bodyLine * Style.smallSize)
}
