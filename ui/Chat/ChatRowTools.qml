// SPDX-License-Identifier: Apache-2.0
// The button of a row under the pointer, which opens the row's menu. The menu key does the same.
import QtQuick
import Coterie.Style

IconButton {
    id: root

    signal menuWanted

    compact: true
    focusPolicy: Qt.NoFocus
    iconName: "dots"
    text: qsTr("More")
    onClicked: root.menuWanted()
}
