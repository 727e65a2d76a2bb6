// SPDX-License-Identifier: Apache-2.0
// Shows how full something is, from 0 to 1. `hot` gives it the warning colour.
import QtQuick

Rectangle {
    id: root

    required property real value
    property bool hot: false

    Accessible.ignored: true
    color: Style.theme.memoryFree
    implicitHeight: Style.gaugeHeight
    implicitWidth: Style.gaugeWidth
    radius: height / 2

    Rectangle {
        color: root.hot ? Style.theme.error : Style.theme.water
        height: parent.height
        radius: parent.radius
        visible: root.value > 0
        width: Math.max(height, parent.width * Math.min(1, Math.max(0, root.value)))
    }
}
