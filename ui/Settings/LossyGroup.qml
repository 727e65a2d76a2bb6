// SPDX-License-Identifier: Apache-2.0
// Ways to answer faster and less exactly, for when memory or power is short. They are off unless the user turns them
// on; an answer that was changed by them says so.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property App app
    readonly property Settings settings: app.settings
    readonly property bool ready: app.models.state === ModelController.Ready
    readonly property bool noExperts: ready && !app.models.experts
    readonly property bool allFit: ready && app.models.experts && !app.models.readsExperts

    spacing: Style.large

    GroupHeading {
        Layout.fillWidth: true
        text: qsTr("Faster, less exact (applies from the next answer)")
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        text: qsTr("Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.")
        wrapMode: Text.Wrap
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        text: qsTr("\"When low\" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.")
        visible: !root.noExperts
        wrapMode: Text.Wrap
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        color: Style.theme.text
        text: qsTr("The open model has no experts, so these options have no effect on it.")
        visible: root.noExperts
        wrapMode: Text.Wrap
    }
    LossyWay {
        Layout.fillWidth: true
        enabled: !root.noExperts
        hint: root.allFit ? qsTr("All experts of the open model fit into memory, so this changes hardly anything now.") : qsTr("An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.")
        percent: Math.round(root.settings.preferCached * 100)
        strengthTitle: qsTr("Strength")
        title: qsTr("Prefer experts that are in memory")
        when: root.settings.preferCachedWhen
        onPercentChosen: percent => root.settings.preferCached = percent / 100
        onTimeChosen: when => root.settings.preferCachedWhen = when
    }
    LossyWay {
        Layout.fillWidth: true
        enabled: !root.noExperts
        from: 50
        hint: qsTr("The least important experts of a token often have little weight. Without them, there is less to read and compute.")
        percent: Math.round(root.settings.sure * 100)
        strengthTitle: qsTr("Weight to keep")
        title: qsTr("Leave out the least important experts")
        to: 95
        when: root.settings.sureWhen
        onPercentChosen: percent => root.settings.sure = percent / 100
        onTimeChosen: when => root.settings.sureWhen = when
    }
    SmallText {
        Layout.fillWidth: true
        text: qsTr("In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.")
        visible: !root.noExperts
        wrapMode: Text.Wrap
    }
}
