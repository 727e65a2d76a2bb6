// SPDX-License-Identifier: Apache-2.0
// Everything that can be done to a message besides its buttons. A view has one such menu for all of its messages. What
// replaces messages is done when the menu has closed: the focus would be lost with the button that the menu belongs to.
pragma ComponentBehavior: Bound
import QtQuick
import QtQml.Models
import Coterie.App
import Coterie.Style

PopupMenu {
    id: root

    required property MessageActions actions
    required property TokenAlternatives alternatives
    required property ModelController models
    required property Presets presets
    property var messageId: 0
    property bool fromUser: false
    property var selection: null // can copy the selected text; null if there is none
    property bool answerable: false
    property bool continuable: false
    readonly property real step: 0.3 // the temperature changes by this, which can be noticed

    // Opens for this part of the item, which belongs to the message.
    function openFor(message: var, isPrompt: bool, waits: bool, selected: var, item: Item, part: rect): void {
        messageId = message;
        fromUser = isPrompt;
        answerable = waits;
        selection = selected;
        continuable = actions.canContinue(message);
        models.lookAtRecent();
        openAround(item, part);
    }

    // The presets' lines come after the last of the fixed ones.
    function placeOfPresets(): int {
        let place = 0;
        while (place < count && itemAt(place) !== cooler)
            ++place;
        return place + 1;
    }

    label: qsTr("Actions of the message")

    PopupMenuItem {
        iconName: "copy"
        text: qsTr("Copy the selected text")
        visible: root.selection !== null
        onTriggered: root.selection?.copy()
    }
    PopupMenuItem {
        iconName: "copy"
        text: qsTr("Copy as plain text")
        onTriggered: root.actions.copyPlain(root.messageId)
    }
    PopupMenuItem {
        iconName: "pencil"
        text: qsTr("Edit")
        onTriggered: root.actions.beginEdit(root.messageId)
    }
    PopupMenuItem {
        iconName: "play"
        text: qsTr("Answer")
        visible: root.answerable
        onTriggered: Qt.callLater(root.actions.regenerate, root.messageId) // qmllint disable
    }
    PopupMenuItem {
        iconName: "play"
        text: qsTr("Continue the answer")
        visible: root.continuable
        onTriggered: Qt.callLater(root.actions.continueAnswer, root.messageId) // qmllint disable
    }
    PopupMenuItem {
        iconName: "fork"
        text: qsTr("Fork into a new chat")
        onTriggered: Qt.callLater(root.actions.fork, root.messageId) // qmllint disable
    }
    PopupMenuItem {
        iconName: "trash"
        text: qsTr("Delete with what follows")
        onTriggered: Qt.callLater(root.actions.remove, root.messageId) // qmllint disable
    }
    MenuLine {
        height: visible ? implicitHeight : 0
        visible: !root.fromUser
    }
    PopupMenuItem {
        iconName: root.alternatives.mode === root.messageId ? "check" : "table" // qmllint disable
        text: root.alternatives.mode === root.messageId ? qsTr("Hide alternatives") : qsTr("Show alternatives") // qmllint disable
        visible: !root.fromUser
        onTriggered: {
            if (root.alternatives.mode !== root.messageId) { // qmllint disable
                root.actions.showAlternatives(root.messageId);
            } else {
                root.alternatives.mode = 0;
                root.alternatives.close();
            }
        }
    }
    PopupMenuItem {
        iconName: root.alternatives.tinted === root.messageId ? "check" : "table" // qmllint disable
        text: root.alternatives.tinted === root.messageId ? qsTr("Hide probabilities") : qsTr("Colour words by probability") // qmllint disable
        visible: !root.fromUser
        onTriggered: root.actions.toggleTint(root.messageId)
    }
    PopupMenuItem {
        iconName: "again"
        text: qsTr("Regenerate, more varied")
        visible: !root.fromUser
        onTriggered: Qt.callLater(root.actions.regenerateWarmer, root.messageId, root.step) // qmllint disable
    }
    PopupMenuItem {
        id: cooler

        iconName: "again"
        text: qsTr("Regenerate, more predictable")
        visible: !root.fromUser
        onTriggered: Qt.callLater(root.actions.regenerateWarmer, root.messageId, -root.step) // qmllint disable
    }
    Instantiator {
        model: root.presets

        delegate: PopupMenuItem {
            required property string presetId
            required property string name

            iconName: "again"
            text: qsTr("Regenerate with the preset %1").arg(NameText.isolated(name))
            visible: !root.fromUser
            onTriggered: Qt.callLater(root.actions.regenerateAs, root.messageId, presetId) // qmllint disable
        }

        onObjectAdded: (index, object) => root.insertItem(root.placeOfPresets() + index, object as PopupMenuItem)
        onObjectRemoved: (index, object) => root.removeItem(object as PopupMenuItem)
    }
    Instantiator {
        model: root.fromUser ? [] : Array.from(root.models.recent).filter(entry => entry.exists && entry.path !== root.models.path).slice(0, Style.menuModels)

        delegate: PopupMenuItem {
            required property var modelData

            detail: modelData.path
            iconName: "cube"
            text: qsTr("Regenerate with %1").arg(NameText.isolated(modelData.name))
            onTriggered: Qt.callLater(root.actions.regenerateWith, root.messageId, modelData.path) // qmllint disable
        }

        onObjectAdded: (index, object) => root.addItem(object as PopupMenuItem)
        onObjectRemoved: (index, object) => root.removeItem(object as PopupMenuItem)
    }
}
