// SPDX-License-Identifier: Apache-2.0
// A slider in our look.
import QtQuick
import QtQuick.Controls.Basic

Slider {
    id: root

    required property string label

    Accessible.description: enabled ? "" : qsTr("Not available now")
    Accessible.name: label
    Accessible.role: Accessible.Slider
    focusPolicy: Qt.StrongFocus
    implicitHeight: Style.control
    snapMode: Slider.SnapAlways

    // Changes the value by steps, as the arrow keys do.
    function step(by: int): void {
        value = Math.max(from, Math.min(to, value + by * stepSize));
        moved();
    }

    Keys.onPressed: event => {
        if (event.key !== Qt.Key_Home && event.key !== Qt.Key_End)
            return;
        event.accepted = true;
        value = event.key === Qt.Key_Home ? from : to;
        moved();
    }
    Accessible.onDecreaseAction: step(-1)
    Accessible.onIncreaseAction: step(1)

    background: Rectangle {
        anchors.verticalCenter: parent.verticalCenter
        color: Style.theme.mark
        height: Style.tiny
        radius: height / 2
        width: root.availableWidth
        x: root.leftPadding

        Rectangle {
            color: Style.theme.ember
            height: parent.height
            radius: parent.radius
            width: root.visualPosition * parent.width
        }
    }
    handle: Rectangle {
        anchors.verticalCenter: parent.verticalCenter
        border.color: Style.theme.ember
        border.width: Style.ring
        color: Style.theme.surface
        height: Style.icon
        radius: height / 2
        width: height
        x: root.leftPadding + root.visualPosition * (root.availableWidth - width)

        FocusRing {
            radius: height / 2
            shown: root.visualFocus
        }
    }
}
