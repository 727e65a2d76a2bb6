// SPDX-License-Identifier: Apache-2.0
// Chooses for what the settings of an answer hold: all chats, the open model, a preset, or the chat in view. Where four
// options side by side have no room, it is a menu.
import QtQuick
import Coterie.App
import Coterie.Style

Item {
    id: root

    required property SettingEditor editor
    readonly property var names: ["program", "model", "preset", "chat"] // in the order of ChatSettings.Layer
    readonly property var titles: [qsTr("All chats"), qsTr("This model"), qsTr("Presets"), qsTr("This chat")]
    readonly property bool roomy: bar.implicitWidth <= width

    implicitHeight: roomy ? bar.implicitHeight : menu.implicitHeight

    ChoiceBar {
        id: bar

        label: qsTr("These values apply to")
        options: root.names.map((name, index) => ({
                    value: name,
                    text: root.titles[index]
                }))
        value: root.names[root.editor.layer]
        visible: root.roomy
        onChosen: value => root.editor.layer = root.names.indexOf(value)
    }
    ChoiceMenu {
        id: menu

        label: qsTr("These values apply to")
        options: root.titles.map((title, index) => ({
                    value: index,
                    text: title
                }))
        value: root.editor.layer
        visible: !root.roomy
        onChosen: value => root.editor.layer = value
    }
}
