// SPDX-License-Identifier: Apache-2.0
// The visible focus of a control: a ring around its parent.
import QtQuick

Rectangle {
    property bool shown: false
    property int gap: Style.ring

    anchors.fill: parent
    anchors.margins: -gap - border.width
    border.color: Style.theme.ember
    border.width: Style.ring
    color: "transparent"
    radius: Style.corner
    visible: shown
    z: 1
}
