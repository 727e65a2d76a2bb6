// SPDX-License-Identifier: Apache-2.0
// The settings for traces: whether they are kept with each answer, how much room they may take, and a button that
// deletes them all.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property App app
    readonly property Settings settings: app.settings
    readonly property RecordKeeper records: app.records
    readonly property double mebi: 1024 * 1024
    readonly property string removal: qsTr("Deletes what was kept for all answers. The answers themselves stay.")

    spacing: Style.medium

    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Traces (apply from the next answer)")
    }
    SettingRow {
        hint: qsTr("With this, old answers can be inspected too. Traces are deleted with their messages, and stay out of exports unless you ask for them.")
        title: qsTr("Keep what the experts did with each answer")

        ChoiceBar {
            label: qsTr("Keep what the experts did with each answer")
            options: [
                {
                    value: "on",
                    text: qsTr("Keep")
                },
                {
                    value: "off",
                    text: qsTr("Don't keep")
                }
            ]
            value: root.settings.tracesKept ? "on" : "off"
            onChosen: value => root.settings.tracesKept = value === "on"
        }
    }
    SettingRow {
        hint: qsTr("If traces take more room than this, the oldest ones are deleted. A change applies at once.")
        title: qsTr("Room for traces")

        NumberField {
            from: 1
            label: qsTr("Room for traces in MiB")
            to: 64 * 1024
            value: root.settings.tracesLimit / root.mebi
            onEdited: value => root.settings.tracesLimit = value * root.mebi
        }
        BodyText {
            Accessible.ignored: true
            color: Style.theme.quiet
            text: qsTr("MiB")
        }
    }
    SettingRow {
        hint: root.records.bytes > 0 ? qsTr("They take %1 now.").arg(Units.size(root.records.bytes)) + " " + root.removal : qsTr("There are none now.")
        title: qsTr("Traces of all answers")

        PushButton {
            Accessible.description: root.removal
            enabled: root.records.bytes > 0
            text: qsTr("Delete all traces")
            onClicked: root.records.removeAll()
        }
    }
}
