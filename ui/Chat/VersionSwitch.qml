// SPDX-License-Identifier: Apache-2.0
// "< 2/3 >" under a message that has several versions. Its buttons lead from one to the next.
import QtQuick
import Coterie.Style

Row {
    id: root

    required property int version
    required property int versions
    required property bool fromUser
    readonly property bool holdsFocus: before.activeFocus || after.activeFocus
    // The button that has the focus: -1 or 1; 0: none.
    readonly property int focusedStep: before.activeFocus ? -1 : after.activeFocus ? 1 : 0
    readonly property bool focusedByKey: before.visualFocus || after.visualFocus

    signal stepWanted(int step)

    // Gives the focus to the button of this step, or to the other one if it leads nowhere. A click has the focus come as by
    // a click, so that no tip about the other button opens.
    function focusStep(step: int, byKey: bool): void {
        const wanted = step < 0 ? before : after;
        (wanted.enabled ? wanted : wanted === before ? after : before).forceActiveFocus(byKey ? Qt.TabFocusReason : Qt.MouseFocusReason);
    }

    IconButton {
        id: before

        compact: true
        enabled: root.version > 1
        iconName: "chevronLeft"
        text: qsTr("Show the version before")
        onClicked: root.stepWanted(-1)
    }
    Figures {
        Accessible.name: root.fromUser ? qsTr("Message %1 of %2").arg(root.version).arg(root.versions) : qsTr("Answer %1 of %2").arg(root.version).arg(root.versions)
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("%1/%2", "a version of all versions").arg(root.version).arg(root.versions)
    }
    IconButton {
        id: after

        compact: true
        enabled: root.version < root.versions
        iconName: "chevronRight"
        text: qsTr("Show the next version")
        onClicked: root.stepWanted(1)
    }
}
