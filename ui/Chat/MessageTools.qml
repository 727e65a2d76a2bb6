// SPDX-License-Identifier: Apache-2.0
// The buttons of a message, and the menu of everything that is rarer.
import QtQuick
import Coterie.Style

Row {
    id: root

    required property bool fromUser
    readonly property bool holdsFocus: copy.activeFocus || edit.activeFocus || again.activeFocus || inspect.activeFocus || more.activeFocus

    signal copyWanted
    signal editWanted
    signal regenerateWanted
    signal inspectWanted
    signal menuWanted(Item button)

    CopyButton {
        id: copy

        onClicked: root.copyWanted()
    }
    IconButton {
        id: edit

        compact: true
        iconName: "pencil"
        text: root.fromUser ? qsTr("Edit message") : qsTr("Edit answer")
        onClicked: root.editWanted()
    }
    IconButton {
        id: again

        compact: true
        iconName: "again"
        text: qsTr("Regenerate")
        visible: !root.fromUser
        onClicked: root.regenerateWanted()
    }
    IconButton {
        id: inspect

        compact: true
        iconName: "cube"
        text: qsTr("Show what the model did")
        visible: !root.fromUser
        onClicked: root.inspectWanted()
    }
    IconButton {
        id: more

        Accessible.role: Accessible.ButtonMenu
        compact: true
        iconName: "more"
        text: qsTr("More actions")
        onClicked: root.menuWanted(more)
    }
}
