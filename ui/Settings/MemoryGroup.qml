// SPDX-License-Identifier: Apache-2.0
// The settings for how much memory a model may take, and a forecast for the current model. The forecast follows each
// change and reads only the model's metadata. The settings apply when a model is opened; a button opens the current
// model again at once.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property App app
    required property SettingEditor editor // the editor of the program's settings
    required property SettingSearch search
    readonly property bool found: budgetRows.shownCount + openingRows.shownCount > 0 || device.visible || packed.visible || unused.visible
    readonly property string budgetHint: app.models.memoryFixed ? qsTr("The budget was set when Coterie was started. A change here applies from the next start.") : ownBudget ? ownHint : ""
    readonly property string contextHint: forecast.longestContext > 0 ? qsTr("Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token(s).", "", forecast.longestContext) : ""
    readonly property bool ownBudget: Array.from(app.models.ownKeys).includes("memoryBudget") // the values below are for other models
    readonly property string ownHint: qsTr("%1 has a value of its own: see \"This model\" below.").arg(NameText.isolated(app.models.name))
    readonly property Settings settings: app.settings
    readonly property MemoryForecast forecast: app.forecast
    readonly property double gibi: 1024 * 1024 * 1024
    readonly property double step: 1 / 8 // one eighth of a GiB
    // Upper end of the slider in GiB. It leaves room to choose even if the system doesn't say how much memory it has,
    // or if the model is larger than that memory.
    readonly property double most: Math.max(forecast.machine, settings.memoryBudget, forecast.budget, gibi) / gibi
    // Without a model, nothing has chosen an automatic budget: a slider would have no place for it.
    readonly property bool unchosen: settings.memoryBudget === 0 && forecast.budget === 0 && forecast.state !== MemoryForecast.Looking

    // The slider stops at the least budget, and at whole steps above it.
    function stopAt(value: real, least: real): real {
        return value > least ? Math.max(least, Math.round(value / step) * step) : least;
    }

    spacing: Style.medium
    visible: found

    SettingRows {
        id: budgetRows

        editor: root.editor
        keys: ["memoryBudget"]
        search: root.search
    }
    SettingRows {
        id: openingRows

        editor: root.editor
        keys: ["contextTokens", "keyValueFormat", "threads"]
        search: root.search
    }
    GroupHeading {
        text: qsTr("Memory (applies when a model is opened)")
        width: parent.width
    }
    Repeater {
        model: budgetRows

        ValueRow {
            otherHint: root.budgetHint
            rows: budgetRows
            statedLeast: root.forecast.leastGibi
        }
    }
    GridLayout {
        columnSpacing: Style.large
        columns: root.width < Style.wordsMin + letChoose.implicitWidth + Style.large ? 1 : 2
        rowSpacing: Style.small
        visible: budgetRows.shownCount > 0 && !root.ownBudget && !root.unchosen
        width: parent.width

        // It uses anchors: each level of nested layouts makes the page lay itself out once more, and Qt gives up after the
        // second time.
        Item {
            Layout.fillWidth: true
            implicitHeight: slider.height + Math.max(least.height, most.height)
            implicitWidth: slider.implicitWidth

            ValueSlider {
                id: slider

                property real budgetBefore: 0 // the setting when it was pressed; 0: automatic

                Accessible.description: least.text + ". " + most.text
                anchors.left: parent.left
                anchors.right: parent.right
                from: root.forecast.leastGibi || root.step
                label: qsTr("Memory budget, slider")
                stepSize: root.step
                to: Math.max(from + root.step, Math.floor(root.most / root.step) * root.step)
                value: (root.settings.memoryBudget || root.forecast.budget) / root.gibi
                onGivenUp: root.editor.slide("memoryBudget", budgetBefore)
                onPicked: root.editor.slide("memoryBudget", root.stopAt(value, from) * root.gibi)
                onPressedChanged: {
                    if (pressed)
                        budgetBefore = root.settings.memoryBudget;
                }
            }
            SmallText {
                id: least

                anchors.left: parent.left
                anchors.top: slider.bottom
                text: root.forecast.least > 0 ? qsTr("At least %1 GiB").arg(root.forecast.leastGibi.toLocaleString(Qt.locale(), "g", 6)) : ""
                width: (parent.width - Style.small) / 2
                wrapMode: Text.Wrap
            }
            SmallText {
                id: most

                anchors.right: parent.right
                anchors.top: slider.bottom
                horizontalAlignment: Text.AlignRight
                text: root.forecast.machine > 0 ? qsTr("This machine has %1").arg(Units.size(root.forecast.machine)) : ""
                width: least.width
                wrapMode: Text.Wrap
            }
        }
        PushButton {
            id: letChoose

            Layout.alignment: Qt.AlignTop
            enabled: root.settings.memoryBudget > 0
            text: qsTr("Let Coterie choose")
            onClicked: {
                passFocusBack();
                root.editor.reset(["memoryBudget"]);
            }
        }
    }
    Repeater {
        model: openingRows

        ValueRow {
            otherHint: Array.from(root.app.models.ownKeys).includes(key) ? root.ownHint : key === "contextTokens" ? root.contextHint : ""
            rows: openingRows
        }
    }
    DeviceRow {
        id: device

        editor: root.editor
        list: root.app.devices
        settings: root.settings
        visible: root.app.devices.offered && Array.from(root.search.shown).includes("device")
        width: parent.width
    }
    RunningAnswers {
        id: running

        app: root.app
    }
    ForecastCard {
        busy: running.any
        forecast: root.forecast
        models: root.app.models
        visible: budgetRows.shownCount + openingRows.shownCount > 0
        width: parent.width
        onBudgetWanted: bytes => root.app.models.setBudget(bytes)
    }
    PackedFileRow {
        id: packed

        busy: running.any
        models: root.app.models
        packedFile: root.app.packedFile
        visible: Array.from(root.search.shown).includes("packedFile")
        width: parent.width
    }
    UnusedPackedFilesRow {
        id: unused

        packedFile: root.app.packedFile
        visible: Array.from(root.search.shown).includes("unusedPackedFiles")
        width: parent.width
    }
}
