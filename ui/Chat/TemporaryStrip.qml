// SPDX-License-Identifier: Apache-2.0
// Says that the chat in view is a temporary one, and keeps it on request. Before a chat with messages is left, it asks
// once. In a low pane it is as brief as possible, and the question has narrower edges.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Rectangle {
    id: root

    required property Conversation conversation
    property bool low: false // the conversation needs the room
    readonly property bool brief: low && !asking
    property real most: Infinity // the height that there is for it while it does not ask; without any, nothing of it is shown
    readonly property bool asking: conversation.asksToLeave
    readonly property bool shown: asking || most > 0
    readonly property bool tight: low && asking
    readonly property bool focused: keep.activeFocus || drop.activeFocus || stay.activeFocus
    readonly property real padding: asking && !low ? Style.small : Style.tiny
    readonly property real edge: tight ? Style.medium : Style.large // beside the words of its buttons
    property Item latest: null // had the focus last outside the question, and may have given way to it
    property Item focusBefore: null // gets the focus back if the user stays

    // The user chose one of the buttons, which may be gone now.
    signal answered

    // Gives the focus to the answer that loses nothing.
    function begin(reason: int): void {
        (keep.enabled ? keep : stay).forceActiveFocus(reason);
    }
    function noteFocus(): void {
        if (conversation.asksToLeave && !focused)
            focusBefore = latest ?? Window.activeFocusItem;
    }
    function followQuestion(): void {
        if (!asking) {
            giveFocusBack();
            return;
        }
        Announcer.announce(root);
        begin(Qt.OtherFocusReason);
    }
    function giveFocusBack(): void {
        const before = focusBefore;
        focusBefore = null;
        if (before && before.visible)
            before.forceActiveFocus(Qt.OtherFocusReason);
        else if (focused)
            answered();
    }

    Accessible.description: asking ? qsTr("Keep it among your chats, or delete it for good?") : qsTr("Nothing of it is written to the disk. It is gone when you leave it.")
    Accessible.name: asking ? qsTr("This temporary chat ends") : qsTr("Temporary chat")
    Accessible.role: asking ? Accessible.AlertMessage : Accessible.Grouping
    color: asking ? Style.theme.bubble : Style.theme.sunken
    implicitHeight: row.implicitHeight + 2 * padding
    visible: conversation.temporary

    // Also when it is left once more while the question is open: otherwise nothing would be seen to happen.
    Connections {
        function onAsksToLeaveChanged() {
            root.noteFocus();
            Qt.callLater(root.followQuestion); // qmllint disable
        }

        target: root.conversation
    }
    // A user who went elsewhere while the question was open stays there.
    Connections {
        function onActiveFocusItemChanged() {
            const now = root.Window.activeFocusItem; // the buttons' own properties follow later
            const gaveWay = root.conversation.asksToLeave && root.latest && !root.latest.visible;
            if (gaveWay || now === keep || now === drop || now === stay)
                return;
            root.latest = now;
            if (root.asking && root.Window.active)
                root.focusBefore = null;
        }

        target: root.Window.window
    }
    // With large texts in a low window, not all of it is in view.
    ScrollArea {
        anchors.fill: parent
        contentHeight: Math.floor(row.implicitHeight + 2 * root.padding) // layouts round
        visible: root.shown

        GridLayout {
            id: row

            anchors.left: parent.left
            anchors.leftMargin: Style.large
            anchors.right: parent.right
            anchors.rightMargin: Style.large
            columnSpacing: Style.small
            columns: root.brief || root.width > Style.cardWidth ? 2 : 1
            rowSpacing: Style.small
            y: root.padding

            RowLayout {
                spacing: Style.small

                Icon {
                    color: Style.theme.quiet
                    name: "clock"
                    size: Style.iconSmall
                    visible: !root.tight
                }
                BodyText {
                    Accessible.ignored: true
                    Layout.fillWidth: true
                    text: root.asking ? root.Accessible.description : root.brief ? root.Accessible.name : qsTr("Temporary chat. %1").arg(root.Accessible.description)
                    wrapMode: Text.Wrap
                }
            }
            // Beside the words they are in one line; below them they begin where the words do.
            Flow {
                Layout.fillWidth: row.columns === 1
                Layout.leftMargin: row.columns === 1 && !root.tight ? Style.iconSmall + Style.small : 0
                Layout.preferredWidth: keep.width + (root.asking ? drop.width + stay.width + 2 * spacing : 0)
                spacing: Style.small

                PushButton {
                    id: keep

                    enabled: root.conversation.messages.count > 0
                    horizontalPadding: root.edge
                    kind: root.asking ? "primary" : "quiet"
                    text: qsTr("Keep this chat")
                    onClicked: {
                        root.focusBefore = null;
                        root.conversation.keepTemporary();
                        root.answered();
                    }
                }
                PushButton {
                    id: drop

                    horizontalPadding: root.edge
                    text: qsTr("Delete it")
                    visible: root.asking
                    onClicked: {
                        root.focusBefore = null;
                        root.conversation.dropTemporary();
                        root.answered();
                    }
                }
                PushButton {
                    id: stay

                    horizontalPadding: root.edge
                    text: qsTr("Stay here")
                    visible: root.asking
                    onClicked: root.conversation.stay()
                }
            }
        }
    }
    HairLine {
        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        visible: root.height > 0
    }
}
