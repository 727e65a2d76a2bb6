// SPDX-License-Identifier: Apache-2.0
// A list with a heading over each day. It is a file of its own because Qt 6.4 can't make bound components for sections.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

ListView {
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    highlightMoveDuration: 0
    section.property: "section"

    ScrollBar.vertical: ThinScrollBar {}
    section.delegate: ChatSection {}
}
