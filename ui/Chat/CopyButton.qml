// SPDX-License-Identifier: Apache-2.0
// Copies a message and says so for a moment.
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
