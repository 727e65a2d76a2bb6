// SPDX-License-Identifier: Apache-2.0
// The buttons of a chat's row under the pointer. F2 and Del do the same.
import QtQuick
import Coterie.Style

Row {
    id: root

    signal renameWanted
    signal removeWanted

    IconButton {
        compact: true
        focusPolicy: Qt.NoFocus
        iconName: "pencil"
        text: qsTr("Rename (F2)")
        onClicked: root.renameWanted()
    }
    IconButton {
        compact: true
        focusPolicy: Qt.NoFocus
        iconName: "trash"
        text: qsTr("Delete (Del)")
        onClicked: root.removeWanted()
    }
}
