// SPDX-License-Identifier: Apache-2.0
// The settings page. Each change takes effect at once, or with the next answer, or when a model is opened; each group
// says which.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property bool whole: !finder.searching // nothing is searched: what is no setting is shown too

    function begin(reason: int): void {
        searchField.begin(reason);
    }
    function search(words: string): void {
        searchField.find(words);
    }
    function find(): void {
        searchField.begin(Qt.ShortcutFocusReason);
    }

    beginsAtBack: false
    title: qsTr("Settings")

    Connections {
        function onCurrentChanged() {
            if (!root.app.pages.holds(Pages.Settings))
                searchField.reset();
        }

        target: root.app.pages
    }
    SettingSearch {
        id: finder

        absent: {
            const keys = [];
            if (root.app.packedFile.state === PackedFileController.Unavailable)
                keys.push("packedFile");
            if (root.app.packedFile.unusedNames.length === 0)
                keys.push("unusedPackedFiles");
            if (!root.app.devices.offered)
                keys.push("device");
            return keys;
        }
        advanced: root.app.settings.allSettings
    }
    SettingEditor {
        id: program

        app: root.app
    }
    SettingRows {
        id: appearanceRows

        editor: program
        keys: ["theme", "fontScale", "autoTitles"]
        search: finder
    }
    SearchField {
        id: searchField

        search: finder
        width: parent.width
    }
    GroupHeading {
        text: qsTr("Appearance")
        visible: appearanceRows.shownCount > 0
        width: parent.width
    }
    Repeater {
        model: appearanceRows

        ValueRow {
            rows: appearanceRows
        }
    }
    HairLine {
        visible: root.whole
        width: parent.width
    }
    MemoryGroup {
        app: root.app
        editor: program
        search: finder
        width: parent.width
    }
    HairLine {
        visible: root.whole
        width: parent.width
    }
    AnswerSettings {
        app: root.app
        search: finder
        width: parent.width
    }
    HairLine {
        visible: tools.visible && root.whole
        width: parent.width
    }
    ToolsGroup {
        id: tools

        editor: program
        search: finder
        width: parent.width
    }
    HairLine {
        visible: traces.visible && root.whole
        width: parent.width
    }
    TracesGroup {
        id: traces

        app: root.app
        editor: program
        search: finder
        width: parent.width
    }
    HairLine {
        visible: root.whole
        width: parent.width
    }
    MoreSettings {
        hint: root.app.settings.allSettings ? "" : qsTr("Also: the KV cache, threads, packed files, how tokens are drawn, tools, records of what the experts did, and faster but less exact answers.")
        settings: root.app.settings
        visible: root.whole
    }
    SettingRow {
        hint: qsTr("Appearance, memory, records, and the values for all chats get their defaults. Models, presets and chats keep theirs. Ctrl+Z undoes it.")
        title: qsTr("Reset all settings")
        visible: Array.from(finder.shown).includes("allReset")

        PushButton {
            iconName: "reset"
            text: qsTr("Reset all")
            onClicked: program.resetProgram()
        }
    }
}
