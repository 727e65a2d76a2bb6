// SPDX-License-Identifier: Apache-2.0
// Shows the rarer settings too, or hides them.
import QtQuick
import Coterie.App
import Coterie.Style

SettingRow {
    id: root

    required property Settings settings

    title: qsTr("More settings")

    PushButton {
        Accessible.checkable: true
        Accessible.checked: root.settings.allSettings
        text: root.settings.allSettings ? qsTr("Show fewer settings") : qsTr("Show all settings")
        onClicked: root.settings.allSettings = !root.settings.allSettings
    }
}
