// SPDX-License-Identifier: Apache-2.0
// One chat of the list: its title, and below it the text that a search found. The title is renamed in place.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

ItemDelegate {
    id: root

    required property CommandList commands // for the tips
    // Roles of ChatListModel.
    required property var chatId
    required property string title
    required property string snippet
    required property bool current
    required property bool answering
    property bool renaming: false

    signal openWanted
    signal renameWanted(string title)
    signal removeWanted

    function startRenaming(): void {
        renaming = true;
        editor.text = title;
        editor.forceActiveFocus(Qt.OtherFocusReason);
        editor.selectAll();
    }
    function endRenaming(keep: bool): void {
        if (!renaming)
            return;
        renaming = false;
        forceActiveFocus(Qt.OtherFocusReason);
        const entered = editor.text.trim();
        if (keep && entered && entered !== title)
            renameWanted(entered);
    }

    Accessible.description: answering ? qsTr("An answer is being written") : snippet
    Accessible.name: title
    Accessible.role: Accessible.ListItem
    Accessible.selected: current
    bottomPadding: Style.small
    highlighted: current
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    leftPadding: Style.medium
    rightPadding: Style.tiny
    text: title
    topPadding: Style.small

    background: Rectangle {
        color: root.current ? Style.theme.pressed : root.hovered ? Style.theme.hover : "transparent"
        radius: Style.cornerSmall

        FocusRing {
            gap: -Style.ring
            radius: Style.cornerSmall
            shown: root.activeFocus && !root.renaming
        }
    }
    contentItem: Item {
        implicitHeight: lines.implicitHeight

        Column {
            id: lines

            anchors.left: parent.left
            anchors.right: tools.visible ? tools.left : mark.visible ? mark.left : parent.right
            anchors.rightMargin: mark.visible ? Style.small : 0
            anchors.verticalCenter: parent.verticalCenter

            BodyText {
                Accessible.ignored: true
                elide: Text.ElideRight
                font.weight: root.current ? Style.medWeight : Font.Normal
                text: root.title
                width: parent.width
            }
            SmallText {
                Accessible.ignored: true
                elide: Text.ElideRight
                maximumLineCount: 2
                text: root.snippet
                visible: text
                width: parent.width
                wrapMode: Text.Wrap
            }
        }
        // An answer is being written, perhaps while another chat is shown.
        Rectangle {
            id: mark

            anchors.right: parent.right
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            color: Style.theme.ember
            height: width
            radius: width / 2
            visible: root.answering && !tools.visible && !root.renaming
            width: Style.dot
        }
        Row {
            id: tools

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            visible: root.hovered && !root.renaming

            IconButton {
                compact: true
                focusPolicy: Qt.NoFocus
                iconName: "pencil"
                text: root.commands.tip(qsTr("Rename"), "chat.rename")
                onClicked: root.startRenaming()
            }
            IconButton {
                compact: true
                focusPolicy: Qt.NoFocus
                iconName: "trash"
                text: root.commands.tip(qsTr("Delete"), "chat.delete")
                onClicked: root.removeWanted()
            }
        }
        InputField {
            id: editor

            anchors.left: parent.left
            anchors.leftMargin: -Style.small
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            implicitHeight: Style.controlSmall
            label: qsTr("New title")
            leftPadding: Style.small
            visible: root.renaming

            Keys.onEnterPressed: root.endRenaming(true)
            Keys.onEscapePressed: root.endRenaming(false)
            Keys.onReturnPressed: root.endRenaming(true)
            onActiveFocusChanged: {
                if (!activeFocus)
                    root.endRenaming(true);
            }
        }
    }

    Keys.onDeletePressed: removeWanted()
    Keys.onEnterPressed: openWanted()
    Keys.onPressed: event => {
        if (event.key === Qt.Key_F2) {
            event.accepted = true;
            startRenaming();
        }
    }
    Keys.onReturnPressed: openWanted()
    Keys.onSpacePressed: openWanted()
    onClicked: openWanted()
}
