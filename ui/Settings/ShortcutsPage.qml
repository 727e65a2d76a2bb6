// SPDX-License-Identifier: Apache-2.0
// The list of commands and their keys, by group.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property CommandList commands

    title: qsTr("Keyboard shortcuts")

    Column {
        Layout.fillWidth: true
        spacing: Style.small

        Repeater {
            model: root.commands

            ShortcutRow {
                width: parent?.width ?? 0
            }
        }
    }
}
