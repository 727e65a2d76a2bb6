// SPDX-License-Identifier: Apache-2.0
// One row of the list: a chat, or a folder above its chats. The title is renamed in place. The buttons and the field are
// made when they are needed, because a list has many rows. Keys: Enter opens the chat or folds the folder, Ctrl+Enter
// opens the chat beside the other, F2 renames, Del deletes, the menu key opens the menu, Ctrl+Space selects.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

ChatListRow {
    id: root

    required property int index
    required property var model // roles of ChatListModel
    property bool dropTarget: false // the dragged row would be dropped here
    property bool renaming: false
    readonly property string title: model.title ?? ""
    readonly property bool isFolder: (model.folderId ?? 0) !== 0
    readonly property bool marked: model.answering || model.unread || asks
    readonly property bool asks: model.asking ?? false
    // It exists while the row is being renamed.
    readonly property ChatTitleField field: editor.count > 0 ? editor.itemAt(0) as ChatTitleField : null
    readonly property bool held: (pressed && hovered) || drag.active // by a mouse

    signal besideWanted // open it beside the other chat
    signal renameWanted(string title)
    signal removeWanted
    signal stepWanted(int step, bool extend)
    signal foldWanted(bool folded)
    signal orderWanted(int step)
    signal escaped
    signal dragged(point at) // in the scene
    signal dropped

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
        const stays = field.activeFocus || !Window.active; // a person who went elsewhere in the window is there
        renaming = false;
        if (stays)
            forceActiveFocus(Qt.OtherFocusReason);
        if (keep && entered && entered !== title)
            renameWanted(entered);
    }
    function openBy(modifiers: int): void {
        if (modifiers & Qt.ControlModifier && !isFolder)
            besideWanted();
        else
            openWanted();
    }
    function openMenu(): void {
        menuWanted(Qt.rect(Style.large, 0, width - Style.large, height));
    }
    // Handles a key; returns false if it means nothing here.
    function handle(key: int, modifiers: int): bool {
        const plain = modifiers === Qt.NoModifier || modifiers === Qt.KeypadModifier;
        const shift = modifiers === Qt.ShiftModifier;
        const control = modifiers === Qt.ControlModifier;
        if (key === Qt.Key_F2 && plain)
            startRenaming();
        else if (key === Qt.Key_Delete && plain)
            removeWanted();
        else if (key === Qt.Key_Menu)
            openMenu();
        else if (key === Qt.Key_Escape && plain)
            escaped();
        else if (key === Qt.Key_Space && control && !isFolder)
            toggleWanted();
        else if (key === Qt.Key_Up || key === Qt.Key_Down)
            return handleArrow(key === Qt.Key_Up ? -1 : 1, modifiers);
        else if ((key === Qt.Key_Home || key === Qt.Key_End) && (plain || shift))
            stepWanted(key === Qt.Key_Home ? -ListView.view.count : ListView.view.count, shift);
        else if ((key === Qt.Key_Left || key === Qt.Key_Right) && plain && (isFolder || model.inFolder))
            foldWanted(key === Qt.Key_Left);
        else
            return false;
        return true;
    }
    function handleArrow(step: int, modifiers: int): bool {
        if (modifiers === (Qt.ControlModifier | Qt.ShiftModifier) && isFolder)
            orderWanted(step);
        else
            stepWanted(step, (modifiers & Qt.ShiftModifier) !== 0);
        return true;
    }

    Accessible.description: {
        if (isFolder)
            return qsTr("Folder, %Ln chat(s)", "", model.chatCount);
        if (asks)
            return qsTr("The model asks to use a tool");
        if (model.answering)
            return qsTr("An answer is being written");
        if (model.unread)
            return qsTr("New answer");
        return model.pinned ? qsTr("Pinned") : "";
    }
    Accessible.focusable: true
    Accessible.focused: activeFocus
    Accessible.name: title
    Accessible.role: Accessible.ListItem
    Accessible.selectable: true
    Accessible.selected: highlighted
    bottomPadding: Style.small
    highlighted: (model.current || model.selected) ?? false
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    leftPadding: isFolder ? Style.small : model.inFolder ? Style.large + Style.iconSmall : Style.medium
    rightPadding: Style.tiny
    selectable: !isFolder
    text: title
    topPadding: Style.small

    background: Rectangle {
        color: {
            if (root.model.selected)
                return Style.theme.selection;
            return root.model.current ? Style.theme.pressed : root.hovered ? Style.theme.hover : "transparent";
        }
        radius: Style.cornerSmall

        FocusRing {
            gap: -Style.ring
            radius: Style.cornerSmall
            shown: (root.activeFocus && !root.renaming) || root.dropTarget
        }
    }
    contentItem: Item {
        id: row

        implicitHeight: words.implicitHeight

        Optional {
            wanted: root.isFolder

            Icon {
                anchors.verticalCenter: parent?.verticalCenter
                color: Style.theme.quiet
                name: root.model.folded ? "chevronRight" : "chevronDown"
                size: Style.iconSmall
            }
        }
        BodyText {
            id: words

            Accessible.ignored: true
            anchors.left: parent.left
            anchors.leftMargin: root.isFolder ? Style.iconSmall + Style.tiny : 0
            anchors.right: rowTools.wanted ? tools.left : count.visible ? count.left : mark.visible ? mark.left : parent.right
            anchors.rightMargin: rowTools.wanted ? 0 : Style.small
            anchors.verticalCenter: parent.verticalCenter
            elide: Text.ElideRight
            font.weight: root.model.current || root.model.unread || root.isFolder ? Style.medWeight : Font.Normal
            text: root.title
        }
        SmallText {
            id: count

            Accessible.ignored: true
            anchors.right: parent.right
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            text: (root.model.chatCount ?? 0).toLocaleString(Qt.locale(), "f", 0)
            visible: root.isFolder && !rowTools.wanted && !root.renaming
        }
        // An answer is being written, perhaps while another chat is shown, or one was written meanwhile; or it can't go on
        // before a person answers a question.
        Rectangle {
            id: mark

            anchors.right: parent.right
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            color: root.model.answering ? Style.theme.ember : Style.theme.water
            height: width
            opacity: root.asks ? 0 : 1
            radius: width / 2
            visible: root.marked && !root.isFolder && !rowTools.wanted && !root.renaming
            width: root.asks ? Style.iconSmall : Style.dot
        }
        Optional {
            wanted: root.asks && mark.visible

            Icon {
                color: Style.theme.ember
                name: "question"
                size: Style.iconSmall
                x: mark.x // the mark is as large
                y: mark.y
            }
        }
        Item {
            id: tools

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            height: childrenRect.height
            width: childrenRect.width

            Optional {
                id: rowTools

                wanted: root.hovered && !root.renaming && !drag.active

                ChatRowTools {
                    onMenuWanted: root.menuWanted(mapToItem(root, 0, 0, width, height))
                }
            }
        }
        Optional {
            id: editor

            wanted: root.renaming

            ChatTitleField {
                width: row.width - x
                x: words.x - (root.isFolder ? 0 : Style.small) // beside the arrow of a folder
                y: (row.height - height) / 2
                onEnded: keep => root.endRenaming(keep)
            }
        }
    }

    Accessible.onPressAction: openWanted()
    Keys.onEnterPressed: event => openBy(event.modifiers)
    Keys.onPressed: event => event.accepted = handle(event.key, event.modifiers)
    Keys.onReturnPressed: event => openBy(event.modifiers)

    HoverTip {
        shown: (root.hovered || root.activeFocus) && words.truncated && !root.renaming && !root.held
        target: root
        text: root.title
    }
    DragHandler {
        id: drag

        acceptedDevices: PointerDevice.Mouse
        target: null
        onActiveChanged: {
            if (!active)
                root.dropped();
        }
        onCentroidChanged: {
            if (active)
                root.dragged(centroid.scenePosition);
        }
    }
}
