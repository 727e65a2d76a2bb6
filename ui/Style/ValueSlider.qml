// SPDX-License-Identifier: Apache-2.0
// A slider in our look. Its value may be bound to what it sets: it follows that also after it was moved by keys.
import QtQuick
import QtQuick.Controls.Basic
import QtQml

Slider {
    id: root

    required property string label
    property real chosen: 0 // the value while `choosing`
    property bool choosing: false

    Accessible.description: enabled ? "" : qsTr("Not available now")
    Accessible.name: label
    Accessible.role: Accessible.Slider
    focusPolicy: Qt.StrongFocus
    implicitHeight: Style.control
    snapMode: Slider.SnapAlways

    // Changes the value, as the pointer does. A plain assignment would end the binding of whoever uses the slider.
    function choose(wanted: real): void {
        chosen = Math.max(from, Math.min(to, wanted));
        choosing = true;
        moved();
        choosing = false;
    }

    Keys.onPressed: event => {
        if (event.key !== Qt.Key_Home && event.key !== Qt.Key_End)
            return;
        event.accepted = true;
        choose(event.key === Qt.Key_Home ? from : to);
    }
    Accessible.onDecreaseAction: choose(value - stepSize)
    Accessible.onIncreaseAction: choose(value + stepSize)

    Binding {
        property: "value"
        restoreMode: Binding.RestoreBinding
        target: root
        value: root.chosen
        when: root.choosing
    }

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
