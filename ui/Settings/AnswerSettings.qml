// SPDX-License-Identifier: Apache-2.0
// The settings of an answer in one of their scopes: for all chats, for the open model, for a preset, or for the chat in
// view. The page of settings and that of the chat both show it.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property App app
    required property SettingSearch search
    property alias scopeLayer: scope.layer
    readonly property bool whole: !search.searching // nothing is searched: the lines between the groups are shown too
    readonly property bool findsPresets: Array.from(search.shown).includes("presets")
    readonly property bool findsReset: Array.from(search.shown).includes("answersReset")
    readonly property bool offersPreset: findsPresets && scope.layer !== ChatSettings.Preset // to make one
    readonly property var resetTexts: [qsTr("Reset these values to their defaults"), qsTr("Remove this model's values"),
        qsTr("Reset this preset"), qsTr("Remove this chat's values")] // in the order of ChatSettings.Layer

    spacing: Style.large
    visible: answerRows.shownCount + openingRows.shownCount > 0 || lossy.found || findsPresets || findsReset

    RunningAnswers {
        id: running

        app: root.app
    }
    SettingEditor {
        id: scope

        app: root.app
        conversation: root.app.conversation
    }
    SettingRows {
        id: answerRows

        editor: scope
        keys: ["systemPrompt", "temperature", "maxTokens", "thinking", "tools", "topP", "topK", "minP", "repetitionPenalty",
            "presencePenalty", "frequencyPenalty", "penaltyWindow", "seed", "stopTexts", "headRows"]
        search: root.search
    }
    // A model can have values of its own of these, too. The demo model is opened as it was trained.
    SettingRows {
        id: openingRows

        editor: scope
        keys: scope.layer === ChatSettings.Model && !root.app.models.demo ? ["memoryBudget", "contextTokens", "keyValueFormat", "threads"] : []
        search: root.search
    }
    GroupHeading {
        text: qsTr("Answers (apply from the next answer)")
        width: parent.width
    }
    ScopeBar {
        editor: scope
        width: parent.width
    }
    SmallText {
        text: scope.explanation
        topPadding: -Style.small
        width: parent.width
        wrapMode: Text.Wrap
    }
    ErrorCard {
        action: scope.error.action
        visible: scope.error.valid
        what: scope.error.what
        why: scope.error.why
        width: parent.width
    }
    PresetGroup {
        id: presetGroup

        editor: scope
        presets: root.app.presets
        visible: scope.layer === ChatSettings.Preset
        whole: root.findsPresets
        width: parent.width
    }
    SettingRow {
        hint: qsTr("A set of values for this chat. Its own values below come first.")
        title: qsTr("Preset")
        visible: scope.layer === ChatSettings.Chat && root.findsPresets

        PresetMenu {
            Layout.maximumWidth: root.width // a name can be long
            canBeNone: true
            preset: scope.chatPreset
            presets: root.app.presets
            onChosen: id => scope.chatPreset = id
        }
    }
    Column {
        spacing: Style.large
        visible: scope.possible
        width: parent.width

        Repeater {
            model: answerRows

            ValueRow {
                rows: answerRows
            }
        }
        SmallText {
            text: qsTr("What follows applies when this model is opened:")
            visible: openingRows.shownCount > 0
            width: parent.width
            wrapMode: Text.Wrap
        }
        Repeater {
            model: openingRows

            ValueRow {
                rows: openingRows
                statedLeast: key === "memoryBudget" ? root.app.forecast.leastGibi : 0
            }
        }
        PushButton {
            Accessible.description: running.any ? qsTr("Available when the answer is complete") : ""
            enabled: !running.any
            text: qsTr("Open the model again")
            visible: openingRows.shownCount > 0 && root.app.models.outdated
            onClicked: {
                passFocusBack();
                root.app.models.reopen();
            }
        }
    }
    Flow {
        spacing: Style.small
        visible: scope.possible && (root.findsReset || root.offersPreset)
        width: parent.width

        PushButton {
            enabled: scope.count > 0
            iconName: "reset"
            text: root.resetTexts[scope.layer]
            visible: root.findsReset
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                passFocusBack();
                scope.resetAll();
            }
        }
        PushButton {
            iconName: "plus"
            text: qsTr("Make a preset of these values")
            visible: root.offersPreset
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                scope.makePreset();
                scope.layer = ChatSettings.Preset;
                presetGroup.toName();
            }
        }
    }
    HairLine {
        visible: lossy.visible && root.whole
        width: parent.width
    }
    LossyGroup {
        id: lossy

        app: root.app
        editor: scope
        search: root.search
        width: parent.width
    }
}
