// SPDX-License-Identifier: Apache-2.0
// The ways to regenerate an answer: with another temperature, a preset or another model. The last line leads to the settings
// of the chat, which hold for all of its answers. It opens in place of the message's menu, which would be too tall for a low
// window with them. The answer is replaced when this menu has closed: the focus would be lost with the button that the menu
// belongs to.
pragma ComponentBehavior: Bound
import QtQuick
import QtQml.Models
import Coterie.App
import Coterie.Style

PopupMenu {
    id: root

    required property MessageActions actions
    required property ModelController models
    required property Presets presets
    property var messageId: 0
    readonly property real step: 0.3 // the temperature changes by this, which can be noticed
    readonly property int firstPreset: 2 // the place of its line
    readonly property int lastLines: 1 // below the models

    signal settingsWanted

    // Opens for this part of the item, which belongs to the message.
    function openFor(message: var, item: Item, part: rect): void {
        messageId = message;
        models.lookAtRecent();
        openAround(item, part);
        currentIndex = 0; // the keys begin there
    }
    function wantSettings(): void {
        settingsWanted();
    }

    label: qsTr("Ways to regenerate the answer")

    PopupMenuItem {
        iconName: "again"
        text: qsTr("More varied")
        onTriggered: Qt.callLater(root.actions.regenerateWarmer, root.messageId, root.step) // qmllint disable
    }
    PopupMenuItem {
        iconName: "again"
        text: qsTr("More predictable")
        onTriggered: Qt.callLater(root.actions.regenerateWarmer, root.messageId, -root.step) // qmllint disable
    }
    Instantiator {
        model: root.presets

        delegate: PopupMenuItem {
            required property string presetId
            required property string name

            iconName: "again"
            text: qsTr("With the preset %1").arg(NameText.isolated(name))
            onTriggered: Qt.callLater(root.actions.regenerateAs, root.messageId, presetId) // qmllint disable
        }

        onObjectAdded: (index, object) => root.insertItem(root.firstPreset + index, object as PopupMenuItem)
        onObjectRemoved: (index, object) => root.removeItem(object as PopupMenuItem)
    }
    PopupMenuItem {
        detail: qsTr("Small model included with Coterie")
        iconName: "cube"
        text: qsTr("With %1", "a model").arg(qsTr("Demo model"))
        visible: root.models.demoOffered
        onTriggered: Qt.callLater(root.actions.regenerateWith, root.messageId, root.models.demoPath) // qmllint disable
    }
    Instantiator {
        model: Array.from(root.models.recent).filter(entry => entry.exists && entry.path !== root.models.path).slice(0, Style.menuModels)

        delegate: PopupMenuItem {
            required property var modelData

            detail: modelData.path
            iconName: "cube"
            text: qsTr("With %1", "a model").arg(NameText.isolated(modelData.name))
            onTriggered: Qt.callLater(root.actions.regenerateWith, root.messageId, modelData.path) // qmllint disable
        }

        onObjectAdded: (index, object) => root.insertItem(root.count - root.lastLines, object as PopupMenuItem)
        onObjectRemoved: (index, object) => root.removeItem(object as PopupMenuItem)
    }
    PopupMenuItem {
        iconName: "sliders"
        text: qsTr("Change the settings of this chat\u2026")
        onTriggered: Qt.callLater(root.wantSettings) // qmllint disable
    }
}
