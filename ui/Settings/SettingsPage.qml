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
    // Shows the setting with this key, with the focus in its control. One that the page does not show is searched for. If
    // the open model has a value of its own, that one is shown.
    function showSetting(key: string): void {
        const own = Array.from(app.models.ownKeys).includes(key);
        searchField.reset();
        if (!Array.from(finder.shown).includes(key))
            searchField.find(finder.wordsFor(key));
        if (own)
            answers.scopeLayer = ChatSettings.Model;
        const row = (own ? rowOf(answers, key) : null) ?? rowOf(root, key);
        if (!row)
            return;
        row.begin(Qt.ShortcutFocusReason);
        revealHeaded(Window.activeFocusItem);
    }
    // Returns the row of a setting within this item, or null if none is shown.
    function rowOf(item: Item, key: string): ValueRow {
        const row = item as ValueRow;
        if (!item.visible || row?.key === key)
            return item.visible ? row : null;
        for (let i = 0; i < item.children.length; ++i) {
            const found = rowOf(item.children[i], key);
            if (found)
                return found;
        }
        return null;
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
        commands: root.app.commands
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
        id: answers

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
