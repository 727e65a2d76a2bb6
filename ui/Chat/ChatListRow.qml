// SPDX-License-Identifier: Apache-2.0
// The base of the rows in the list of chats and of the hits of a search. It knows what a click means: Ctrl and a click select the
// row, Shift and a click select everything up to it, the right button opens its menu.
import QtQuick
import QtQuick.Controls.Basic

ItemDelegate {
    id: root

    property bool selectable: true
    // The button and the keys of the pointer's latest press, until it has been a click or was given up. A row has
    // handlers, so that in Qt 6.4 every button of the pointer clicks it.
    property int button: Qt.NoButton
    property int modifiers: Qt.NoModifier

    signal openWanted
    signal toggleWanted // select it, or no longer
    signal extendWanted // select everything up to it
    signal menuWanted(rect part) // for this part of the row

    // After a click that selects: the keys are for what is selected now.
    function takeFocus(): void {
        if (!activeFocus)
            forceActiveFocus(Qt.MouseFocusReason);
    }
    function forgetPress(): void {
        button = Qt.NoButton;
        modifiers = Qt.NoModifier;
    }

    onCanceled: forgetPress()
    onClicked: {
        const held = modifiers;
        const byOther = button !== Qt.NoButton && button !== Qt.LeftButton;
        forgetPress();
        if (byOther)
            return;
        if (held & Qt.ControlModifier && selectable)
            toggleWanted();
        else if (held & Qt.ShiftModifier)
            extendWanted();
        else
            openWanted();
    }

    TapHandler {
        acceptedButtons: Qt.AllButtons
        onPressedChanged: {
            if (!pressed)
                return;
            root.button = point.pressedButtons;
            root.modifiers = point.modifiers;
        }
    }
    TapHandler {
        acceptedButtons: Qt.RightButton
        onTapped: root.menuWanted(Qt.rect(point.position.x, point.position.y, 0, 0))
    }
}
