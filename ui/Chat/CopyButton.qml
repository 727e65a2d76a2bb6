// SPDX-License-Identifier: Apache-2.0
// Copies a message; says for a moment that it did.
import QtQuick
import Coterie.Style

IconButton {
    id: root

    property bool copied: false

    compact: true
    iconName: copied ? "check" : "copy"
    text: copied ? qsTr("Copied") : qsTr("Copy message")

    onClicked: {
        copied = true;
        copiedTimer.restart();
    }

    Timer {
        id: copiedTimer

        interval: Style.noticeMs
        onTriggered: root.copied = false
    }
}
