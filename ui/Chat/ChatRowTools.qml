// SPDX-License-Identifier: Apache-2.0
// The buttons of a chat's row under the pointer. Keys do the same.
import QtQuick
import Coterie.App
import Coterie.Style

Row {
    id: root

    required property CommandList commands

    signal renameWanted
    signal removeWanted

    IconButton {
        compact: true
        focusPolicy: Qt.NoFocus
        iconName: "pencil"
        text: root.commands.tip(qsTr("Rename"), "chat.rename")
        onClicked: root.renameWanted()
    }
    IconButton {
        compact: true
        focusPolicy: Qt.NoFocus
        iconName: "trash"
        text: root.commands.tip(qsTr("Delete"), "chat.delete")
        onClicked: root.removeWanted()
    }
}
