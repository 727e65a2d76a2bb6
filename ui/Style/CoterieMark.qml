// SPDX-License-Identifier: Apache-2.0
// Our mark: a grid of dots, three of them lit, as experts are. It is no ring, because a ring looks like a wait.
pragma ComponentBehavior: Bound
import QtQuick

Grid {
    id: root

    property real size: Style.mark
    readonly property real dot: size / 4
    readonly property var lit: [1, 3, 8]

    Accessible.ignored: true
    columns: 3
    height: size
    spacing: (size - columns * dot) / (columns - 1)
    width: size

    Repeater {
        model: root.columns * root.columns

        Rectangle {
            required property int index

            color: root.lit.includes(index) ? Style.theme.ember : Style.theme.mark
            height: root.dot
            radius: height / 3
            width: root.dot
        }
    }
}
