// SPDX-License-Identifier: Apache-2.0
// The bin: deleted chats and messages, which can be restored or erased.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property BinModel bin: app.bin
    property Item asker: null // whose question is open: the page's own buttons or a row; null: there is no question
    readonly property bool asked: asker !== null && bin.count > 0
    readonly property bool asks: asked && asker === answers // about everything

    // Moves the focus to the row that took the place of one that is gone, or to the page's first control.
    function focusRow(row: int): void {
        const next = rows.itemAt(Math.min(row, rows.count - 1)) as BinRow;
        if (next)
            next.takeFocus();
        else
            nextItemInFocusChain(true).forceActiveFocus(Qt.ShortcutFocusReason);
    }

    // Answers the question so that nothing is erased. The focus goes back to the button that led to it.
    function keepAll(): void {
        const row = asker as BinRow;
        asker = null;
        if (row)
            row.leaveQuestion();
        else
            empty.forceActiveFocus(Qt.ShortcutFocusReason);
    }

    title: qsTr("Bin")
    Keys.onEscapePressed: keepAll()
    Keys.onShortcutOverride: event => event.accepted = asked && event.key === Qt.Key_Escape
    onVisibleChanged: asker = null

    // The question was not about what comes into an empty bin later.
    Connections {
        function onCountChanged() {
            if (root.bin.count === 0)
                root.asker = null;
        }

        target: root.bin
    }
    ErrorCard {
        action: root.app.error.action
        dismissable: true
        visible: root.app.error.valid
        what: root.app.error.what
        why: root.app.error.why
        width: parent.width
        onDismissed: root.app.dismissError()
    }
    // The question takes the place of the sentence, and its answers take that of the button that asks: the list below
    // stays where it is.
    Item {
        implicitHeight: Math.max(sentence.height, question.height)
        width: parent.width

        BodyText {
            id: sentence

            color: Style.theme.quiet
            text: root.bin.count > 0 ? qsTr("Deleted chats and messages stay here for %Ln day(s). Then they are erased.", "", root.bin.days) : qsTr("The bin is empty. Deleted chats and messages stay here for %Ln day(s).", "", root.bin.days)
            visible: !root.asks
            width: parent.width
            wrapMode: Text.Wrap
        }
        BodyText {
            id: question

            text: qsTr("Erase everything in the bin? This can't be undone.")
            visible: root.asks
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    Item {
        id: answers

        readonly property bool oneRow: erase.width + Style.small + keep.width <= width

        implicitHeight: keep.y + keep.height
        visible: root.bin.count > 0
        width: parent.width

        PushButton {
            id: empty

            iconName: "trash"
            text: qsTr("Empty the bin")
            visible: !root.asks
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.asker = answers;
                keep.forceActiveFocus(Qt.ShortcutFocusReason);
            }
        }
        PushButton {
            id: erase

            text: qsTr("Erase everything")
            visible: root.asks
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.asker = null;
                root.bin.eraseAll();
                root.focusRow(0);
            }
        }
        PushButton {
            id: keep

            text: qsTr("Keep everything")
            visible: root.asks
            width: Math.min(implicitWidth, parent.width)
            x: answers.oneRow ? erase.width + Style.small : 0
            y: answers.oneRow ? 0 : erase.height + Style.small
            onClicked: root.keepAll()
        }
    }
    // Not a layout: one of Qt 6.4 still asks for the size of a row that was removed.
    Column {
        id: column

        spacing: Style.medium
        visible: rows.count > 0
        width: parent.width

        Repeater {
            id: rows

            model: root.bin

            BinRow {
                id: row

                required property int index

                asking: root.asker === row
                width: column.width
                onAskWanted: root.asker = row
                onEraseWanted: {
                    const at = index;
                    root.asker = null;
                    root.bin.erase(at);
                    root.focusRow(at);
                }
                onKeepWanted: root.keepAll()
                onRestoreWanted: {
                    const at = index;
                    root.bin.restore(at);
                    root.focusRow(at);
                }
            }
        }
    }
}
