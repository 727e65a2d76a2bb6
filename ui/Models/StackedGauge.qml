// SPDX-License-Identifier: Apache-2.0
// A round gauge that shows a whole and its parts, which add up to at most the whole. Text beside it says what the parts
// are. Each part is drawn from the left end, the longest one first, so that all ends are round.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

Rectangle {
    id: root

    required property var parts // [{bytes, color}]
    required property real whole
    // Right end of each part, as a share of the whole.
    readonly property var ends: {
        let sum = 0;
        return parts.map(part => whole > 0 ? Math.min(1, (sum += part.bytes) / whole) : 0);
    }

    Accessible.ignored: true
    color: Style.theme.memoryFree
    implicitHeight: Style.gaugeHeight
    implicitWidth: Style.gaugeWidth
    radius: height / 2

    Repeater {
        model: root.parts.length

        Rectangle {
            required property int index

            color: root.parts[index].color
            height: root.height
            radius: root.radius
            visible: root.parts[index].bytes > 0
            width: Math.max(height, root.width * root.ends[index])
            z: root.parts.length - index // above the parts that end farther right
        }
    }
}
