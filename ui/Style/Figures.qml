// SPDX-License-Identifier: Apache-2.0
// A line of text whose digits all have the same width, so that changing numbers don't jump.
import QtQuick
import Coterie.App

FiguresItem {
    id: root

    property real pixelSize: Style.smallSize

    Accessible.ignored: !text
    Accessible.name: text
    Accessible.role: Accessible.StaticText
    color: Style.theme.quiet
    font.family: Style.family
    font.pixelSize: root.pixelSize
}
