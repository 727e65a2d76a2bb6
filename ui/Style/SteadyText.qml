// SPDX-License-Identifier: Apache-2.0
// A text that changes while one reads, in a place that keeps its height: nothing below it moves. The place has room for
// a number of characters, so that it has fewer lines where it is wider. A longer text ends with an ellipsis, and a tip
// shows all of it.
import QtQuick
import QtQuick.Layouts

SmallText {
    id: root

    required property int characters
    readonly property int lines: Math.max(1, Math.ceil(characters * Style.smallLetter / Math.max(width, Style.paneMin / 2)))
    readonly property real room: lines * Style.smallRow

    // The first two are for a place in a layout, the height for any other.
    Layout.maximumHeight: room
    Layout.minimumHeight: room
    elide: Text.ElideRight
    height: room
    maximumLineCount: lines
    verticalAlignment: Text.AlignTop
    wrapMode: Text.Wrap

    HoverHandler {
        id: pointer
    }
    HoverTip {
        shown: pointer.hovered && root.truncated
        target: root
        text: root.text
    }
}
