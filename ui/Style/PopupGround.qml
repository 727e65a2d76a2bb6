// SPDX-License-Identifier: Apache-2.0
// The ground of everything that stands over the window: menus, tips, panels. A soft shadow lifts it off what is below.
pragma ComponentBehavior: Bound
import QtQuick

Item {
    id: root

    property real radius: Style.corner

    Repeater {
        model: Style.shadowRings

        Rectangle {
            required property int index

            anchors.fill: parent
            anchors.bottomMargin: -2 * (index + 1)
            anchors.leftMargin: -index
            anchors.rightMargin: -index
            anchors.topMargin: -index / 2
            color: Style.theme.shadow
            radius: root.radius + index
        }
    }
    Rectangle {
        anchors.fill: parent
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: root.radius
    }
}
