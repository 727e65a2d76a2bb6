// SPDX-License-Identifier: Apache-2.0
// A command in the palette: its title and its keys. It is grey while it can't be run. The focus stays in the palette's
// field.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Settings
import Coterie.Style

ItemDelegate {
    id: root

    // Roles of CommandFilter; `enabled` would hide a property of Item.
    required property var model
    required property bool pointed // it is marked for the pointer
    readonly property bool current: ListView.isCurrentItem

    signal runWanted(string id, string search)

    Accessible.focusable: true
    Accessible.focused: current
    Accessible.name: model.shownKeys.length > 0 ? qsTr("%1: %2").arg(model.title).arg(model.shownKeys.join(qsTr(" or "))) : model.title
    Accessible.role: Accessible.ListItem
    Accessible.selectable: true
    Accessible.selected: current
    enabled: model.enabled
    focusPolicy: Qt.NoFocus
    highlighted: current
    horizontalPadding: Style.medium
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    opacity: enabled ? 1 : Style.disabledOpacity
    text: model.title
    verticalPadding: Style.tiny

    background: Rectangle {
        color: root.current ? Style.theme.pressed : root.pointed ? Style.theme.hover : "transparent"
        radius: Style.cornerSmall
    }
    contentItem: Item {
        implicitHeight: Math.max(words.implicitHeight, keys.height)

        BodyText {
            id: words

            Accessible.ignored: true
            anchors.left: parent.left
            anchors.right: keys.left
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            elide: Text.ElideRight
            text: root.text
        }
        KeyCaps {
            id: keys

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            keys: root.model.shownKeys
        }
    }

    onClicked: root.runWanted(root.model.commandId, root.model.search)
}
