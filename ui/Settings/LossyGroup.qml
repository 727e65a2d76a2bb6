// SPDX-License-Identifier: Apache-2.0
// Ways to answer faster and less exactly, for when memory or power is short. They are off unless the user turns them
// on; an answer that was changed by them says so.
import QtQuick
import Coterie.App
import Coterie.Style

Item {
    id: root

    required property App app
    required property SettingEditor editor
    required property SettingSearch search
    readonly property bool findsPrefer: Array.from(search.shown).includes("preferCachedWhen")
    readonly property bool findsLeaveOut: Array.from(search.shown).includes("sureWhen")
    readonly property bool found: findsPrefer || findsLeaveOut
    readonly property var values: editor.values // values of this scope by key; reading it follows every change
    readonly property bool ready: app.models.state === ModelController.Ready
    readonly property bool noExperts: ready && !app.models.experts
    readonly property bool allFit: ready && app.models.experts && !app.models.readsExperts

    implicitHeight: body.implicitHeight
    visible: found && editor.possible

    // This is no layout: each level of nested layouts makes the outermost one lay itself out once more, and Qt gives up
    // after the second time.
    Column {
        id: body

        spacing: Style.large
        width: parent.width

        GroupHeading {
            width: parent.width
            text: qsTr("Faster, less exact (applies from the next answer)")
        }
        SmallText {
            width: parent.width
            topPadding: -Style.small
            text: qsTr("Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.")
            wrapMode: Text.Wrap
        }
        SmallText {
            width: parent.width
            topPadding: -Style.small
            text: qsTr("\"When low\" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.")
            visible: !root.noExperts
            wrapMode: Text.Wrap
        }
        SmallText {
            width: parent.width
            topPadding: -Style.small
            color: Style.theme.text
            text: qsTr("The open model has no experts, so these options have no effect on it.")
            visible: root.noExperts
            wrapMode: Text.Wrap
        }
        LossyWay {
            width: parent.width
            enabled: !root.noExperts
            hint: root.allFit ? qsTr("All experts of the open model fit into memory, so this changes hardly anything now.") : qsTr("An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.")
            note: root.values && root.editor.source("preferCachedWhen")
            percent: Math.round(root.values.preferCached * 100)
            percentSet: root.values && root.editor.isSet("preferCached")
            resetText: root.editor.resetText("preferCachedWhen")
            setHere: root.values && (root.editor.isSet("preferCachedWhen") || root.editor.isSet("preferCached"))
            strengthTitle: qsTr("Strength")
            title: qsTr("Prefer experts that are in memory")
            visible: root.findsPrefer
            when: root.values.preferCachedWhen
            onPercentChosen: percent => root.editor.slide("preferCached", percent / 100)
            onPercentGivenUp: root.editor.slideBack("preferCached")
            onResetWanted: root.editor.reset(["preferCachedWhen", "preferCached"])
            onTimeChosen: when => root.editor.setValue("preferCachedWhen", when)
        }
        LossyWay {
            width: parent.width
            enabled: !root.noExperts
            from: 50
            hint: qsTr("The least important experts of a token often have little weight. Without them, there is less to read and compute.")
            note: root.values && root.editor.source("sureWhen")
            percent: Math.round(root.values.sure * 100)
            percentSet: root.values && root.editor.isSet("sure")
            resetText: root.editor.resetText("sureWhen")
            setHere: root.values && (root.editor.isSet("sureWhen") || root.editor.isSet("sure"))
            strengthTitle: qsTr("Weight to keep")
            title: qsTr("Leave out the least important experts")
            to: 95
            visible: root.findsLeaveOut
            when: root.values.sureWhen
            onPercentChosen: percent => root.editor.slide("sure", percent / 100)
            onPercentGivenUp: root.editor.slideBack("sure")
            onResetWanted: root.editor.reset(["sureWhen", "sure"])
            onTimeChosen: when => root.editor.setValue("sureWhen", when)
        }
        SmallText {
            width: parent.width
            text: qsTr("In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.")
            visible: !root.noExperts
            wrapMode: Text.Wrap
        }
    }
}
