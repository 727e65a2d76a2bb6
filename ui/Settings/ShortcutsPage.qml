// SPDX-License-Identifier: Apache-2.0
// The list of commands and their keys, by group.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property CommandList commands

    title: qsTr("Keyboard shortcuts")

    Column {
        spacing: Style.small
        width: parent.width

        Repeater {
            model: root.commands

            ShortcutRow {
                width: parent?.width ?? 0
            }
        }
    }
}
