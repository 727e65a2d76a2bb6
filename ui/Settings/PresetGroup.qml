// SPDX-License-Identifier: Apache-2.0
// Which preset is changed, with its name, and buttons that make, copy and delete presets.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Presets presets
    required property SettingEditor editor
    property bool whole: true // else it only says which preset is shown
    readonly property bool some: presets.count > 0
    property string refusal: "" // says why the name that was written last was not taken

    spacing: Style.medium

    // Gives the preset the name that is in the field. If it can't have it, it keeps its own, and this says why.
    function rename(): void {
        const wanted = field.text.trim();
        const old = field.kept;
        editor.renamePreset(wanted);
        field.text = Qt.binding(() => field.kept);
        if (wanted === old || wanted === field.kept)
            return; // Enter and then the end of the focus: what was said stays
        const kept = NameText.isolated(old);
        refusal = wanted ? qsTr("Another preset has the name %1 already. This one is still called %2.").arg(NameText.isolated(wanted)).arg(kept) : qsTr("A preset needs a name. This one is still called %1.").arg(kept);
    }
    function toName(): void {
        field.forceActiveFocus(Qt.ShortcutFocusReason);
        field.selectAll();
    }

    onRefusalChanged: {
        if (refusal)
            spoken.say(refusal);
        else
            spoken.text = "";
    }
    onVisibleChanged: refusal = ""

    SettingRow {
        title: qsTr("Preset")
        visible: root.some

        PresetMenu {
            Layout.maximumWidth: root.width // a name can be long
            preset: root.editor.preset
            presets: root.presets
            onChosen: id => root.editor.preset = id
        }
    }
    SettingRow {
        hint: field.faulty ? qsTr("A preset needs a name that no other preset has.") : root.refusal
        title: qsTr("Name of the preset")
        visible: root.some && root.whole

        InputField {
            id: field

            readonly property string kept: root.presets.count >= 0 ? root.presets.name(root.editor.preset) : ""

            applied: text === kept
            faulty: text.trim() !== kept && !root.presets.isFree(text)
            implicitWidth: Style.fieldWidth * 1.5
            label: qsTr("Name of the preset")
            text: kept

            onEditingFinished: root.rename()
            onKeptChanged: root.refusal = ""
            onTextEdited: root.refusal = ""

            Announcement {
                id: spoken
            }
        }
    }
    Flow {
        spacing: Style.small
        visible: root.whole
        width: parent.width

        PushButton {
            id: add

            iconName: "plus"
            text: qsTr("New preset")
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.editor.newPreset();
                root.toName();
            }
        }
        PushButton {
            iconName: "copy"
            text: qsTr("Duplicate")
            visible: root.some
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.editor.duplicatePreset();
                root.toName();
            }
        }
        PushButton {
            iconName: "trash"
            text: qsTr("Delete the preset %1").arg(NameText.isolated(field.kept)) // which one is in view may change by undo
            visible: root.some
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.editor.removePreset();
                if (!root.some)
                    add.forceActiveFocus(Qt.ShortcutFocusReason); // this button is gone
            }
        }
        PushButton {
            text: qsTr("Bring back Coterie's presets")
            visible: !root.presets.complete
            width: Math.min(implicitWidth, parent.width)
            onClicked: root.editor.restorePresets()
        }
    }
}
