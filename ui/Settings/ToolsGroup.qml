// SPDX-License-Identifier: Apache-2.0
// The settings for tools: whether each one asks before it is run.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property SettingEditor editor // the editor of the program's settings
    required property SettingSearch search

    spacing: Style.medium
    visible: toolRows.shownCount > 0

    SettingRows {
        id: toolRows

        editor: root.editor
        keys: ["toolCalculator", "toolTime", "toolFiles", "toolChats"]
        search: root.search
    }
    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Tools that may be run (apply at once)")
    }
    Repeater {
        model: toolRows

        ValueRow {
            rows: toolRows
        }
    }
}
