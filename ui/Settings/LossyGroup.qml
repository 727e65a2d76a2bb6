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
        text: qsTr("Faster, less exact - holds from the next answer on")
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        text: qsTr("For when memory or power is short. These change answers: one that was changed says so below it. What you write is always read exactly.")
        wrapMode: Text.Wrap
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        text: qsTr("\"When low\" is while the battery has 20 % or less and is not being charged, and, with an automatic memory budget, while other programs need the memory.")
        visible: !root.noExperts
        wrapMode: Text.Wrap
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: -Style.small
        color: Style.theme.text
        text: qsTr("The open model has no experts: this has no effect on it.")
        visible: root.noExperts
        wrapMode: Text.Wrap
    }
    LossyWay {
        Layout.fillWidth: true
        enabled: !root.noExperts
        hint: root.allFit ? qsTr("All experts of the open model have room in memory, so that this changes hardly anything now.") : qsTr("An expert in memory runs in place of one on disk that is only a little better; the best one always runs. Answers wait less for the disk.")
        percent: Math.round(root.settings.preferCached * 100)
        strengthTitle: qsTr("How strongly")
        title: qsTr("Prefer experts that are in memory")
        when: root.settings.preferCachedWhen
        onPercentChosen: percent => root.settings.preferCached = percent / 100
        onTimeChosen: when => root.settings.preferCachedWhen = when
    }
    LossyWay {
        Layout.fillWidth: true
        enabled: !root.noExperts
        from: 50
        hint: qsTr("The last of a token's experts often have little weight. Without them there is less to read and to compute.")
        percent: Math.round(root.settings.sure * 100)
        strengthTitle: qsTr("Weight that is kept")
        title: qsTr("Leave out the least important experts")
        to: 95
        when: root.settings.sureWhen
        onPercentChosen: percent => root.settings.sure = percent / 100
        onTimeChosen: when => root.settings.sureWhen = when
    }
    SmallText {
        Layout.fillWidth: true
        text: qsTr("Measured with the demo model and room for nearly half of its experts: each of the two, at 20 % and at 90 %, saves over a third of what is read from disk, and 99 of 100 tokens stay the same. Other models may change more.")
        visible: !root.noExperts
        wrapMode: Text.Wrap
    }
}
