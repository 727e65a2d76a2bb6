// SPDX-License-Identifier: Apache-2.0
// A scroll bar that stays out of the way.
import QtQuick
import QtQuick.Controls.Basic

ScrollBar {
    id: root

    Accessible.ignored: true
    implicitWidth: Style.scrollBar
    minimumSize: height > 0 ? Math.min(1, Style.scrollThumbMin / height) : 0
    padding: Style.ring

    contentItem: Rectangle {
        color: root.pressed || root.hovered ? Style.theme.quiet : Style.theme.mark
        opacity: root.size < 1 && root.policy !== ScrollBar.AlwaysOff ? 1 : 0
        radius: width / 2

        Behavior on opacity {
            NumberAnimation {
                duration: Style.quick
            }
        }
    }
}
