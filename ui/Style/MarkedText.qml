// SPDX-License-Identifier: Apache-2.0
// Plain text of a few lines in which some words are marked, such as the hits of a search.
import QtQuick
import Coterie.App

MarkedTextItem {
    Accessible.ignored: !text
    Accessible.name: text
    Accessible.role: Accessible.StaticText
    color: Style.theme.text
    font.family: Style.family
    font.pixelSize: Style.bodySize
    markColor: Style.theme.text
    markGround: Style.theme.selection
}
