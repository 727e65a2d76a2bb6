// SPDX-License-Identifier: Apache-2.0
// The settings for how much memory a model may take, and a forecast for the current model. The forecast follows each
// change and reads only the model's metadata. The settings apply when a model is opened; a button opens the current
// model again at once.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property App app
    readonly property Settings settings: app.settings
    readonly property MemoryForecast forecast: app.forecast
    readonly property double gibi: 1024 * 1024 * 1024
    readonly property double step: 1 / 8 // one eighth of a GiB
    // Upper end of the slider in GiB. It leaves room to choose even if the system doesn't say how much memory it has,
    // or if the model is larger than that memory.
    readonly property double most: Math.max(forecast.machine, settings.memoryBudget, forecast.budget, gibi) / gibi

    spacing: Style.medium

    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Memory (applies when a model is opened)")
    }
    SettingRow {
        hint: root.app.models.memoryFixed ? qsTr("The budget was set when Coterie was started. A change here applies from the next start.") : qsTr("Memory that Coterie may use in total. Models can be larger than this.")
        title: qsTr("Memory budget")

        NumberField {
            automatic: true
            decimals: 2
            from: 0.25
            label: qsTr("Memory budget in GiB")
            value: root.settings.memoryBudget / root.gibi
            onEdited: value => root.settings.memoryBudget = value * root.gibi
        }
        BodyText {
            Accessible.ignored: true
            color: Style.theme.quiet
            text: qsTr("GiB")
        }
    }
    RowLayout {
        Layout.fillWidth: true
        spacing: Style.large

        ColumnLayout {
            spacing: 0

            ValueSlider {
                Accessible.description: least.text + ". " + most.text
                Layout.fillWidth: true
                from: Math.max(root.step, Math.ceil(root.forecast.least / root.gibi / root.step) * root.step)
                label: qsTr("Memory budget, slider")
                stepSize: root.step
                to: Math.max(from + root.step, Math.floor(root.most / root.step) * root.step)
                value: (root.settings.memoryBudget || root.forecast.budget) / root.gibi
                onMoved: root.settings.memoryBudget = value * root.gibi
            }
            RowLayout {
                SmallText {
                    id: least

                    Layout.alignment: Qt.AlignTop
                    Layout.fillWidth: true
                    text: root.forecast.least > 0 ? qsTr("At least %1").arg(Units.size(root.forecast.least)) : ""
                    wrapMode: Text.Wrap
                }
                SmallText {
                    id: most

                    Layout.alignment: Qt.AlignTop
                    Layout.fillWidth: true
                    horizontalAlignment: Text.AlignRight
                    text: root.forecast.machine > 0 ? qsTr("This machine has %1").arg(Units.size(root.forecast.machine)) : ""
                    wrapMode: Text.Wrap
                }
            }
        }
        PushButton {
            Layout.alignment: Qt.AlignTop
            enabled: root.settings.memoryBudget > 0
            text: qsTr("Let Coterie choose")
            onClicked: root.settings.memoryBudget = 0
        }
    }
    SettingRow {
        hint: root.forecast.longestContext > 0 ? qsTr("Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token(s).", "", root.forecast.longestContext) : qsTr("Longest conversation in tokens. A longer context uses more memory.")
        title: qsTr("Context")

        NumberField {
            automatic: true
            from: 64
            label: qsTr("Context in tokens")
            value: root.settings.contextTokens
            onEdited: value => root.settings.contextTokens = value
        }
    }
    SettingRow {
        hint: qsTr("Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses half the memory, but answers may differ slightly.")
        title: qsTr("KV cache")
        visible: root.settings.allSettings

        ChoiceBar {
            label: qsTr("KV cache")
            options: [
                {
                    value: "f16",
                    text: qsTr("Exact")
                },
                {
                    value: "q8_0",
                    text: qsTr("Compact")
                }
            ]
            value: root.settings.keyValueFormat
            onChosen: value => root.settings.keyValueFormat = value
        }
    }
    SettingRow {
        title: qsTr("Processor threads")
        visible: root.settings.allSettings

        NumberField {
            automatic: true
            from: 1
            label: qsTr("Processor threads")
            to: 512
            value: root.settings.threads
            onEdited: value => root.settings.threads = value
        }
    }
    ForecastCard {
        Layout.fillWidth: true
        busy: root.app.conversation.busy
        forecast: root.forecast
        models: root.app.models
        onBudgetWanted: bytes => root.settings.memoryBudget = bytes
    }
    PackedFileRow {
        Layout.fillWidth: true
        models: root.app.models
        packedFile: root.app.packedFile
        visible: offered && root.settings.allSettings
    }
    UnusedPackedFilesRow {
        Layout.fillWidth: true
        packedFile: root.app.packedFile
    }
}
