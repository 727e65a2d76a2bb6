// SPDX-License-Identifier: Apache-2.0
// The settings for tools: whether each one asks before it is run.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
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
        text: qsTr("Tools that may be run (apply at once)")
        width: parent.width
    }
    Repeater {
        model: toolRows

        ValueRow {
            rows: toolRows
        }
    }
}
