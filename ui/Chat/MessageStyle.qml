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
    cellMargin: Style.small - Style.hairline
    codeAdded: Style.theme.codeAdded
    codeBottom: Style.medium
    codeComment: Style.theme.codeComment
    codeFont.family: Style.fixedFamily
    codeFont.pixelSize: Style.codeSize
    codeFunction: Style.theme.codeFunction
    codeGround: Qt.alpha(Style.theme.text, Style.groundOpacity)
    codeHeader: Style.tiny + Style.controlSmall
    codeInset: Style.large
    codeKeyword: Style.theme.codeKeyword
    codeLine: Math.round(Style.codeLineFactor * codeMetrics.height)
    codeNumber: Style.theme.codeNumber
    codePreprocessor: Style.theme.codePreprocessor
    codeRemoved: Style.theme.codeRemoved
    codeString: Style.theme.codeString
    codeType: Style.theme.codeType
    codeVariable: Style.theme.codeVariable
    currentHit: Style.theme.currentHit
    hit: Style.theme.hit
    hitLine: Style.theme.ember
    columnGap: Style.wide
    hairline: Style.hairline
    headingFont.family: Style.family
    headingFont.pixelSize: Style.headingSize
    headingFont.weight: Font.DemiBold
    headingLine: Math.round(Style.headingLine * Style.headingSize)
    headingSpacing: Style.wide - Style.tiny
    itemInset: Math.round(Style.itemIndent * Style.bodySize)
    itemSpacing: Style.tiny
    largeHeadingFont.family: Style.family
    largeHeadingFont.pixelSize: Style.titleSize
    largeHeadingFont.weight: Font.DemiBold
    largeHeadingLine: Math.round(Style.headingLine * Style.titleSize)
    line: Style.theme.line
    link: Style.theme.water
    markGap: Style.small
    quiet: Style.theme.quiet
    quoteBar: Style.quoteBar
    quoteInset: Style.large
    ruleHeight: Style.medium + Style.hairline
    scrollBar: Style.scrollBar
    selection: Style.theme.selection
    smallestColumn: Style.smallestColumn
    smallHeadingFont.family: Style.family
    smallHeadingFont.pixelSize: Style.bodySize
    smallHeadingFont.weight: Font.DemiBold
    smallHeadingLine: Math.round(Style.bodyLine * Style.bodySize)
    spacing: Style.medium
    text: Style.theme.text
    thoughtFont.family: Style.family
    thoughtFont.pixelSize: Style.smallSize
    thoughtGap: Style.small
    thoughtHeader: Style.controlSmall
    thoughtInset: Style.large
    thoughtLine: Math.round(Style.bodyLine * Style.smallSize)
}
