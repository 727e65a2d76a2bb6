// SPDX-License-Identifier: Apache-2.0
// The settings page. Each change takes effect at once, or with the next answer, or when a model is opened; each group
// says which.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property Settings settings: app.settings

    title: qsTr("Settings")

    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Appearance")
    }
    SettingRow {
        title: qsTr("Theme")

        ChoiceBar {
            label: qsTr("Theme")
            options: [
                {
                    value: "system",
                    text: qsTr("System")
                },
                {
                    value: "light",
                    text: qsTr("Light")
                },
                {
                    value: "dark",
                    text: qsTr("Dark")
                }
            ]
            value: root.settings.theme
            onChosen: value => root.settings.theme = value
        }
    }
    SettingRow {
        title: qsTr("Text size")

        ValueSlider {
            Layout.preferredWidth: Style.fieldWidth * 1.5
            from: 80
            label: qsTr("Text size in percent")
            stepSize: Style.zoomStepPercent
            to: 200
            value: Math.round(root.settings.fontScale * 100)
            onMoved: root.settings.fontScale = value / 100
        }
        Figures {
            Layout.alignment: Qt.AlignVCenter
            text: qsTr("%1 %").arg(Math.round(root.settings.fontScale * 100))
        }
    }
    HairLine {
        Layout.fillWidth: true
    }
    MemoryGroup {
        Layout.fillWidth: true
        app: root.app
    }
    HairLine {
        Layout.fillWidth: true
    }
    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Answers (apply from the next answer)")
    }
    BodyText {
        text: qsTr("System prompt")
    }
    ScrollView {
        Accessible.ignored: true // the field in it has the name
        ScrollBar.horizontal.policy: ScrollBar.AlwaysOff
        Layout.fillWidth: true
        Layout.preferredHeight: Math.min(Style.composerMax / 2, Math.max(Style.control * 2, prompt.implicitHeight))

        ScrollBar.vertical: ThinScrollBar {
            anchors.bottom: parent.bottom
            anchors.right: parent.right
            anchors.top: parent.top
        }
        background: Rectangle {
            border.color: prompt.activeFocus ? Style.theme.ember : Style.theme.mark
            border.width: prompt.activeFocus ? Style.ring : Style.hairline
            color: Style.theme.surface
            radius: Style.corner
        }

        TextArea {
            id: prompt

            Accessible.name: qsTr("System prompt")
            background: null
            color: Style.theme.text
            font.family: Style.family
            font.pixelSize: Style.bodySize
            padding: Style.medium
            placeholderText: qsTr("Text at the start of every conversation")
            placeholderTextColor: Style.theme.quiet
            selectByMouse: true
            selectedTextColor: Style.theme.text
            selectionColor: Style.theme.selection
            text: root.settings.systemPrompt
            textFormat: TextEdit.PlainText
            wrapMode: TextEdit.Wrap

            Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
            Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
            onEditingFinished: root.settings.systemPrompt = text
        }
    }
    SettingRow {
        hint: qsTr("0 always picks the most likely token. Higher values give more variety.")
        title: qsTr("Temperature")

        NumberField {
            decimals: 2
            label: qsTr("Temperature")
            to: 2
            value: root.settings.temperature
            onEdited: value => root.settings.temperature = value
        }
    }
    SettingRow {
        hint: qsTr("Considers only the most likely tokens whose probabilities add up to this.")
        title: qsTr("Top-p")
        visible: root.settings.allSettings

        NumberField {
            decimals: 2
            label: qsTr("Top-p")
            to: 1
            value: root.settings.topP
            onEdited: value => root.settings.topP = value
        }
    }
    SettingRow {
        hint: qsTr("Considers only this many of the most likely tokens. 0 turns this off.")
        title: qsTr("Top-k")
        visible: root.settings.allSettings

        NumberField {
            label: qsTr("Top-k")
            to: 100000
            value: root.settings.topK
            onEdited: value => root.settings.topK = value
        }
    }
    SettingRow {
        hint: qsTr("Considers only tokens with at least this share of the highest probability.")
        title: qsTr("Min-p")
        visible: root.settings.allSettings

        NumberField {
            decimals: 2
            label: qsTr("Min-p")
            to: 1
            value: root.settings.minP
            onEdited: value => root.settings.minP = value
        }
    }
    SettingRow {
        hint: qsTr("If this is empty, the answer ends by itself.")
        title: qsTr("Longest answer in tokens")
        visible: root.settings.allSettings

        NumberField {
            automatic: true
            from: 1
            label: qsTr("Longest answer in tokens")
            value: root.settings.maxTokens
            onEdited: value => root.settings.maxTokens = value
        }
    }
    HairLine {
        Layout.fillWidth: true
        visible: root.settings.allSettings
    }
    TracesGroup {
        Layout.fillWidth: true
        app: root.app
        visible: root.settings.allSettings
    }
    HairLine {
        Layout.fillWidth: true
        visible: root.settings.allSettings
    }
    LossyGroup {
        Layout.fillWidth: true
        app: root.app
        visible: root.settings.allSettings
    }
    HairLine {
        Layout.fillWidth: true
    }
    SettingRow {
        hint: root.settings.allSettings ? "" : qsTr("Also: the KV cache, threads, packed files, how tokens are drawn, traces, and faster but less exact answers.")
        title: qsTr("More settings")

        PushButton {
            Accessible.checkable: true
            Accessible.checked: root.settings.allSettings
            text: root.settings.allSettings ? qsTr("Show fewer settings") : qsTr("Show all settings")
            onClicked: root.settings.allSettings = !root.settings.allSettings
        }
    }
}
