// SPDX-License-Identifier: Apache-2.0
// The scroll bar under a table that is wider than its room. The table itself is drawn by the message.
import QtQuick
import Coterie.Style
import Coterie.Text

ThinScrollBar {
    id: root

    required property MessageText message
    // Roles of TextFrames.
    required property int block
    required property rect place
    required property rect room
    required property real extent
    required property real scroll

    height: implicitHeight
    implicitHeight: Style.scrollBar
    orientation: Qt.Horizontal
    position: extent > 0 ? scroll / extent : 0
    size: extent > 0 ? Math.min(1, room.width / extent) : 1
    visible: extent > room.width
    width: room.width
    x: place.x + room.x
    y: place.y + place.height - height

    onPositionChanged: {
        if (pressed)
            message.scrollBlock(block, position * extent);
    }
}
