// SPDX-License-Identifier: Apache-2.0
// A slider in our look. Its value may be bound to what it sets: it follows that also after it was moved by keys. A slider
// that is not `live` sets its value when the pointer lets go of it: what moves or resizes the slider itself must not do
// so while it is dragged, or it ends at another value than the one under the pointer. Keys set the value at once. Esc gives
// up a drag: the value is the one from before the press.
import QtQuick
import QtQuick.Controls.Basic
import QtQml

Slider {
    id: root

    required property string label
    property real chosen: 0 // the value while `choosing`
    property bool choosing: false
    property real begun: 0 // the value when it was pressed, or the one that was set since
    property real before: 0 // the value when it was pressed
    property bool givingUp: false
    readonly property real pointed: valueAt(position) // the value under the pointer while it is dragged, else `value`

    signal picked // the user wants `value` to be set
    signal givenUp // a drag has ended, and the value from before it was picked again

    Accessible.description: enabled ? "" : qsTr("Not available now")
    Accessible.name: label
    Accessible.role: Accessible.Slider
    focusPolicy: Qt.StrongFocus
    implicitHeight: Style.control
    snapMode: Slider.SnapAlways

    // Changes the value, as the pointer does. A plain assignment would end the binding of whoever uses the slider.
    function choose(wanted: real): void {
        begun = value;
        chosen = Math.max(from, Math.min(to, wanted));
        choosing = true;
        moved();
        choosing = false;
    }

    // While a slider that is not live is dragged, its handle moves and its value stays.
    function pick(): void {
        if (!live && Math.abs(value - begun) < stepSize / 2)
            return;
        begun = value;
        picked();
    }

    // The pointer leaves an item that is disabled. The handle follows the value only when that changes.
    function giveUp(): void {
        const wanted = before;
        givingUp = true;
        givingUp = false;
        forceActiveFocus(Qt.OtherFocusReason);
        if (Math.abs(value - wanted) >= stepSize / 2) {
            choose(wanted);
        } else {
            chosen = value > from ? from : to;
            choosing = true;
            choosing = false;
        }
        givenUp();
    }

    Keys.onPressed: event => {
        if (event.key === Qt.Key_Escape && pressed) {
            event.accepted = true;
            giveUp();
        }
        if (event.key !== Qt.Key_Home && event.key !== Qt.Key_End)
            return;
        event.accepted = true;
        choose(event.key === Qt.Key_Home ? from : to);
    }
    // The window's shortcut would close the page.
    Keys.onShortcutOverride: event => event.accepted = pressed && event.key === Qt.Key_Escape
    Accessible.onDecreaseAction: choose(value - stepSize)
    Accessible.onIncreaseAction: choose(value + stepSize)
    onMoved: pick()
    onPressedChanged: {
        if (pressed)
            begun = before = value;
        else if (!live)
            pick();
    }

    Binding {
        property: "value"
        restoreMode: Binding.RestoreBinding
        target: root
        value: root.chosen
        when: root.choosing
    }
    Binding {
        property: "enabled"
        target: root
        value: false
        when: root.givingUp
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
