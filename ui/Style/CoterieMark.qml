// SPDX-License-Identifier: Apache-2.0
// Our mark: a ring of small dots, a few of them lit, as experts are.
pragma ComponentBehavior: Bound
import QtQuick

Item {
    id: root

    property real size: Style.mark
    readonly property int dots: 9
    readonly property var lit: [0, 2, 6]

    Accessible.ignored: true
    implicitHeight: size
    implicitWidth: size

    Repeater {
        model: root.dots

        Rectangle {
            required property int index
            readonly property real angle: 2 * Math.PI * index / root.dots - Math.PI / 2
            readonly property bool hot: root.lit.includes(index)

            color: hot ? Style.theme.ember : Style.theme.mark
            height: width
            radius: width / 2
            width: root.size / 6
            x: (root.size - width) / 2 * (1 + Math.cos(angle))
            y: (root.size - height) / 2 * (1 + Math.sin(angle))
        }
    }
}
