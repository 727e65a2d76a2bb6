// SPDX-License-Identifier: Apache-2.0
// Everything that can be done to a message besides its buttons. A view has one such menu for all of its messages. What
// replaces messages is done when the menu has closed: the focus would be lost with the button that the menu belongs to.
import QtQuick
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
    readonly property RegenerateMenu otherWays: RegenerateMenu {
        actions: root.actions
        models: root.models
        presets: root.presets
        onSettingsWanted: root.settingsWanted()
    }

    signal settingsWanted

    // Opens for this part of the item, which belongs to the message.
    function openFor(message: var, isPrompt: bool, waits: bool, selected: var, item: Item, part: rect): void {
        messageId = message;
        fromUser = isPrompt;
        answerable = waits;
        selection = selected;
        continuable = actions.canContinue(message);
        openAround(item, part);
    }
    function openOtherWays(): void {
        otherWays.openFor(messageId, parent, kept);
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
        iconName: "again"
        text: qsTr("Regenerate differently\u2026")
        visible: !root.fromUser
        onTriggered: Qt.callLater(root.openOtherWays) // qmllint disable
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
}
