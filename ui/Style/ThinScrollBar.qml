// SPDX-License-Identifier: Apache-2.0
// A narrow scroll bar that does not get in the way.
import QtQuick
import QtQuick.Controls.Basic

ScrollBar {
    id: root

    readonly property real length: horizontal ? width : height

    Accessible.ignored: true
    implicitWidth: Style.scrollBar
    minimumSize: length > 0 ? Math.min(1, Style.scrollThumbMin / length) : 0
    padding: Style.ring

    contentItem: Rectangle {
        color: root.pressed || root.hovered ? Style.theme.quiet : Style.theme.mark
        radius: Math.min(width, height) / 2
        visible: root.size < 1
    }
}
