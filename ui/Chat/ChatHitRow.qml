// SPDX-License-Identifier: Apache-2.0
// One hit of a search: the title of its chat, when it was, and the text around it with the words marked. The title is
// renamed in place, and the menu opens, as in ChatRow.qml.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

ChatListRow {
    id: root

    required property int index
    required property var model // roles of ChatSearchModel
    required property bool chosen // its chat is selected
    property bool renaming: false
    readonly property bool ownsEscape: true // Esc ends a selection or the search and does nothing else, see FieldKeys
    // It exists while the chat is being renamed.
    readonly property ChatTitleField field: editor.count > 0 ? editor.itemAt(0) as ChatTitleField : null
    readonly property color wordColour: chosen ? Style.theme.text : Style.theme.quiet // the ground of a selection is darker
    readonly property color markGround: chosen ? Style.theme.surface : Style.theme.selection // another one than that of the row
    readonly property bool inTitle: model.messageId === 0
    readonly property string origin: inTitle ? qsTr("Title") : model.fromUser ? qsTr("You") : qsTr("Answer")
    readonly property string when: model.time.toLocaleDateString(Qt.locale(), Locale.ShortFormat)

    signal renameWanted(string title)
    signal removeWanted

    // A row that leaves the list has no chat any more: nothing can be done to it.
    function leaving(): bool {
        return !model.chatId;
    }
    function startRenaming(): void {
        if (leaving())
            return;
        renaming = true;
        field.text = model.title;
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
        if (keep && entered && entered !== model.title)
            renameWanted(entered);
    }

    Accessible.description: qsTr("%1, %2. %3", "origin, date, text").arg(origin).arg(when).arg(model.excerpt)
    Accessible.focusable: true
    Accessible.focused: activeFocus
    Accessible.name: model.title
    Accessible.role: Accessible.ListItem
    Accessible.selectable: true
    Accessible.selected: highlighted
    highlighted: ListView.isCurrentItem || chosen
    implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
    leftPadding: Style.medium
    rightPadding: Style.small
    text: model.title
    verticalPadding: Style.small

    background: Rectangle {
        color: root.chosen ? Style.theme.selection : root.hovered ? Style.theme.hover : "transparent"
        radius: Style.cornerSmall

        FocusRing {
            gap: -Style.ring
            radius: Style.cornerSmall
            shown: root.activeFocus && !root.renaming
        }
    }
    contentItem: Column {
        spacing: Style.tiny

        Optional {
            id: editor

            wanted: root.renaming

            ChatTitleField {
                leftPadding: Style.tiny
                width: parent?.width ?? 0
                onEnded: keep => root.endRenaming(keep)
            }
        }
        MarkedText {
            id: title

            Accessible.ignored: true
            font.weight: Style.medWeight
            markGround: root.markGround
            marks: root.model.titleMarks
            text: root.model.title
            visible: !root.renaming
            width: parent.width
        }
        MarkedText {
            Accessible.ignored: true
            color: root.wordColour
            font.pixelSize: Style.smallSize
            lines: 3
            markGround: root.markGround
            marks: root.model.excerptMarks
            text: root.model.excerpt
            visible: text
            width: parent.width
        }
        SmallText {
            Accessible.ignored: true
            color: root.wordColour
            elide: Text.ElideRight
            text: qsTr("%1, %2", "origin, date").arg(root.origin).arg(root.when)
            width: parent.width
        }
    }

    Accessible.onPressAction: openWanted()
    Keys.onEnterPressed: openWanted()
    Keys.onPressed: event => {
        const plain = event.modifiers === Qt.NoModifier || event.modifiers === Qt.KeypadModifier;
        if (event.key === Qt.Key_F2 && plain)
            startRenaming();
        else if (event.key === Qt.Key_Delete && plain)
            removeWanted();
        else if (event.key === Qt.Key_Menu)
            menuWanted(Qt.rect(Style.large, 0, width - Style.large, height));
        else if (event.key === Qt.Key_Space && event.modifiers === Qt.ControlModifier)
            toggleWanted();
        else
            return;
        event.accepted = true;
    }
    Keys.onReturnPressed: openWanted()

    HoverTip {
        shown: (root.hovered || root.activeFocus) && title.implicitWidth > title.width && !root.renaming
        target: root
        text: root.model.title
    }
}
