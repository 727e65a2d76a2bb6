// SPDX-License-Identifier: Apache-2.0
// One chat of the list: its title, and below it the text that a search found. The title is renamed in place. The buttons
// and the field are made when they are needed, because a list has many rows.
pragma ComponentBehavior: Bound
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
    // It exists while the chat is being renamed.
    readonly property ChatTitleField field: editor.count > 0 ? editor.itemAt(0) as ChatTitleField : null

    signal openWanted
    signal renameWanted(string title)
    signal removeWanted

    function startRenaming(): void {
        renaming = true;
        field.text = title;
        field.forceActiveFocus(Qt.OtherFocusReason);
        field.selectAll();
    }
    function endRenaming(keep: bool): void {
        if (!renaming)
            return;
        const entered = field.text.trim();
        renaming = false;
        forceActiveFocus(Qt.OtherFocusReason);
        if (keep && entered && entered !== title)
            renameWanted(entered);
    }

    Accessible.description: answering ? qsTr("An answer is being written") : snippet
    Accessible.focusable: true
    Accessible.focused: activeFocus
    Accessible.name: title
    Accessible.role: Accessible.ListItem
    Accessible.selectable: true
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
        id: row

        implicitHeight: lines.implicitHeight

        Column {
            id: lines

            anchors.left: parent.left
            anchors.right: rowTools.wanted ? tools.left : mark.visible ? mark.left : parent.right
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
            visible: root.answering && !rowTools.wanted && !root.renaming
            width: Style.dot
        }
        Item {
            id: tools

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            height: childrenRect.height
            width: childrenRect.width

            Optional {
                id: rowTools

                wanted: root.hovered && !root.renaming

                ChatRowTools {
                    commands: root.commands
                    onRemoveWanted: root.removeWanted()
                    onRenameWanted: root.startRenaming()
                }
            }
        }
        Optional {
            id: editor

            wanted: root.renaming

            ChatTitleField {
                width: row.width + Style.small
                x: -Style.small
                y: (row.height - height) / 2
                onEnded: keep => root.endRenaming(keep)
            }
        }
    }

    Accessible.onPressAction: openWanted()
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
