// SPDX-License-Identifier: Apache-2.0
// Takes a setting's own value away. It keeps its room while there is none, so that the control beside it stays where it
// is; the focus moves to that control.
import QtQuick
import Coterie.Style

Item {
    id: root

    required property bool wanted // there is a value of its own
    required property string text

    signal clicked

    implicitHeight: button.implicitHeight
    implicitWidth: button.implicitWidth

    IconButton {
        id: button

        compact: true
        iconName: "reset"
        text: root.text
        visible: root.wanted
        onClicked: {
            const next = nextItemInFocusChain(true);
            root.clicked();
            next.forceActiveFocus(Qt.OtherFocusReason);
        }
    }
}
