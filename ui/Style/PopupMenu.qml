// SPDX-License-Identifier: Apache-2.0
// A menu in our look.
import QtQuick
import QtQuick.Controls.Basic

Menu {
    id: root

    implicitWidth: Style.menuWidth
    margins: Style.small
    padding: Style.tiny
    delegate: PopupMenuItem {}

    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
    enter: Transition {
        NumberAnimation {
            duration: Style.quick
            from: 0
            property: "opacity"
            to: 1
        }
    }
}
