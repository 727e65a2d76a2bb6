// SPDX-License-Identifier: Apache-2.0
// The setting for what computes the model: the processor, or a graphics processor that passed its self-test. Those that
// can't be used are named with the reason.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property DeviceList list
    required property Settings settings
    readonly property var devices: Array.from(list.devices)
    readonly property var usable: devices.filter(each => each.usable)
    readonly property var unusable: devices.filter(each => !each.usable)
    readonly property int chosen: Math.max(0, usable.findIndex(each => each.name === (settings.device || "cpu")))
    readonly property bool missing: settings.device !== "" && usable.every(each => each.name !== settings.device)

    spacing: Style.small

    Component.onCompleted: {
        if (visible)
            list.look();
    }
    onVisibleChanged: {
        if (visible)
            list.look();
    }

    SettingRow {
        hint: qsTr("A model runs on a graphics processor if all of it fits into that one's memory. Otherwise the processor computes it.")
        note: root.list.looking ? qsTr("Looking for graphics processors\u2026") : root.missing ? qsTr("The one that was chosen can't be used now, so the processor computes.") : root.usable[root.chosen].note
        title: qsTr("Computed by")

        ChoiceMenu {
            enabled: !root.list.looking && root.usable.length > 1
            label: qsTr("Computed by")
            options: root.usable.map((each, index) => ({
                        value: index,
                        text: each.title
                    }))
            value: root.chosen
            onChosen: value => root.settings.device = value === 0 ? "" : root.usable[value].name
        }
    }
    Repeater {
        model: root.unusable

        SmallText {
            required property var modelData

            Layout.fillWidth: true
            text: qsTr("%1 can't be used: %2.").arg(NameText.isolated(modelData.title)).arg(modelData.note)
            wrapMode: Text.Wrap
        }
    }
}
