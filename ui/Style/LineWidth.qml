// SPDX-License-Identifier: Apache-2.0
// The width that a text needs in one line. For a text that wraps, use this in place of its implicit width: in Qt 6.4 that
// changes by a pixel or more when the text is given another width, so that "as wide as the text, but not wider than its
// place" would go round in a loop.
import QtQuick

TextMetrics {
    required property Text line
    readonly property real needed: Math.ceil(advanceWidth) + 1 // metrics are up to a pixel smaller than the line is

    font: line.font
    text: line.text
}
