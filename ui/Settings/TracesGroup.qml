// SPDX-License-Identifier: Apache-2.0
// The settings for traces: whether they are kept with each answer, how much room they may take, and a button that
// deletes them all.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property App app
    required property SettingEditor editor // the editor of the program's settings
    required property SettingSearch search
    readonly property bool findsRemoval: Array.from(search.shown).includes("tracesDeleted")
    readonly property RecordKeeper records: app.records
    readonly property string removal: qsTr("Delete removes the records of all answers. The answers themselves stay.")

    spacing: Style.medium
    visible: traceRows.shownCount > 0 || findsRemoval

    SettingRows {
        id: traceRows

        editor: root.editor
        keys: ["tracesKept", "tracesLimit"]
        search: root.search
    }
    GroupHeading {
        text: qsTr("Records of what the experts did (apply from the next answer)")
        width: parent.width
    }
    Repeater {
        model: traceRows

        ValueRow {
            rows: traceRows
        }
    }
    SettingRow {
        hint: root.records.bytes > 0 ? qsTr("All records take %1 now.").arg(Units.size(root.records.bytes)) + " " + root.removal : qsTr("There are none now.")
        title: qsTr("Records of all answers")
        visible: root.findsRemoval

        PushButton {
            Accessible.description: root.removal
            enabled: root.records.bytes > 0
            text: qsTr("Delete all records")
            onClicked: {
                passFocusBack();
                root.records.removeAll();
            }
        }
    }
}
