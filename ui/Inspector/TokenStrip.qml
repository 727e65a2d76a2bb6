// SPDX-License-Identifier: Apache-2.0
// The tokens around the current one, each as a small cell with its words. A click or an arrow key shows a token's route.
import QtQuick
import Coterie.App
import Coterie.Style

TokenCells {
    id: root

    required property Inspector inspector

    Accessible.description: currentText
    Accessible.focusable: true
    Accessible.name: ofPrompt ? qsTr("Tokens of the prompt") : qsTr("Tokens of the answer")
    Accessible.role: Accessible.List
    dark: Style.dark
    font.family: Style.family
    font.pixelSize: Style.smallSize
    lineColor: Style.theme.line
    padding: Style.tiny
    position: inspector.timeline.position
    quietColor: Style.theme.quiet
    strip: inspector.tokens.strip
    textColor: Style.theme.text

    onChosen: position => inspector.timeline.position = position

    FocusRing {
        gap: Style.ring
        radius: Style.cornerSmall
        shown: root.activeFocus
    }
}
