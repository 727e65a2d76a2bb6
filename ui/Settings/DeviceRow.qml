// SPDX-License-Identifier: Apache-2.0
// The setting for what computes the model: the processor, or a graphics processor that passed its self-test. Those that
// can't be used are named with the reason. Drivers are opened when somebody asks for them, or chose one before.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property DeviceList list
    required property Settings settings
    required property SettingEditor editor // the editor of the program's settings
    readonly property var devices: Array.from(list.devices)
    readonly property var usable: devices.filter(each => each.usable)
    readonly property var unusable: devices.filter(each => !each.usable)
    readonly property int chosen: Math.max(0, usable.findIndex(each => each.name === (settings.device || "cpu")))
    readonly property bool missing: list.looked && settings.device !== "" && usable.every(each => each.name !== settings.device)
    readonly property bool none: list.looked && devices.length === 1
    readonly property bool looked: list.looked
    property bool listed: false // the list has taken the place of the button

    function lookIfChosen() {
        if (visible && settings.device !== "")
            list.look();
    }
    // The focus goes from the button to what takes its place, or to the control before if that has no choice.
    function showList(): void {
        if (look.activeFocus && choice.enabled)
            choice.forceActiveFocus(Qt.OtherFocusReason);
        else if (looked)
            look.passFocusBack();
        listed = looked;
    }
    function note() {
        if (list.looking)
            return qsTr("Looking for graphics processors\u2026");
        if (missing)
            return qsTr("The one that was chosen can't be used now, so the processor computes.");
        if (none)
            return qsTr("No graphics processor was found that Coterie could use.");
        return usable[chosen].note;
    }

    spacing: Style.small

    Component.onCompleted: {
        showList();
        lookIfChosen();
    }
    onLookedChanged: Qt.callLater(root.showList) // qmllint disable
    onVisibleChanged: lookIfChosen()

    SettingRow {
        hint: qsTr("A model runs on a graphics processor if all of it fits into that one's memory. Otherwise the processor computes it.")
        note: root.note()
        title: qsTr("Computed by")

        // It keeps the focus while drivers are asked, so it is not disabled.
        PushButton {
            id: look

            Accessible.description: root.list.looking ? root.note() : ""
            opacity: root.list.looking ? Style.disabledOpacity : 1
            text: qsTr("Look for graphics processors")
            visible: !root.listed
            onClicked: root.list.look()
        }
        ChoiceMenu {
            id: choice

            Layout.maximumWidth: root.width / 2 // names of devices are long
            enabled: root.usable.length > 1
            label: qsTr("Computed by")
            options: root.usable.map((each, index) => ({
                        value: index,
                        text: each.title
                    }))
            value: root.chosen
            visible: root.listed
            onChosen: value => root.editor.setValue("device", value === 0 ? "" : root.usable[value].name)
        }
    }
    Repeater {
        model: root.unusable

        SmallText {
            required property var modelData

            text: qsTr("%1 can't be used: %2.").arg(NameText.isolated(modelData.title)).arg(modelData.note)
            width: parent?.width ?? 0
            wrapMode: Text.Wrap
        }
    }
}
