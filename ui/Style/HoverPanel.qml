// SPDX-License-Identifier: Apache-2.0
// A panel above its control: it opens at once for the focus, and for the pointer after it has rested there for a moment,
// so that it does not get in the way of a pointer that passes by. It keeps its distance from the window's edges.
import QtQuick
import QtQuick.Controls.Basic

Popup {
    id: root

    required property string label // its name for screen readers
    property bool focused: false
    property bool pointed: false
    property bool rested: false // the pointer has stayed long enough

    readonly property Timer timer: Timer {
        interval: Style.panelDelay
        running: root.pointed
        onTriggered: root.rested = true
    }

    // A popup of Qt 6.4 has no name for screen readers, but the item behind it may have one.
    function tellName(): void {
        contentItem.parent.Accessible.name = label;
    }

    closePolicy: Popup.NoAutoClose
    focus: false
    margins: Style.small
    padding: Style.large
    visible: focused || (pointed && rested)
    width: Math.min(Style.tipWidth, (parent?.Window.width || Infinity) - 2 * margins)
    y: -height - Style.tiny

    background: PopupGround {}

    Component.onCompleted: tellName()
    onLabelChanged: tellName()
    onPointedChanged: rested = false
}
