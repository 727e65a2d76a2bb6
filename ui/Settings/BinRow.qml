// SPDX-License-Identifier: Apache-2.0
// A deleted chat or message: what it is, when it was deleted and how long it stays. It can be restored, and erased after
// a question. With large texts, the buttons stand below the words.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Item {
    id: root

    // Roles of BinModel.
    required property int kind
    required property string title
    required property string chatTitle
    required property int daysAgo
    required property int daysLeft
    property bool asking: false // the question before it is erased is open: one row asks at a time
    // The room for the buttons, of which there are two at a time: the words keep their lines when others come.
    readonly property real room: Math.max(restore.implicitWidth + erase.implicitWidth, eraseNow.implicitWidth + keep.implicitWidth) + actions.spacing
    readonly property bool stacked: width - room - Style.large < Style.wordsMin
    readonly property string origin: {
        switch (kind) {
        case BinModel.Prompt:
            return qsTr("Your message in \"%1\"").arg(NameText.isolated(chatTitle));
        case BinModel.Answer:
            return qsTr("Answer in \"%1\"").arg(NameText.isolated(chatTitle));
        }
        return qsTr("Chat");
    }
    readonly property string when: {
        if (daysAgo === 0)
            return qsTr("deleted today");
        return daysAgo === 1 ? qsTr("deleted yesterday") : qsTr("deleted %Ln day(s) ago", "", daysAgo);
    }
    readonly property string remaining: {
        if (daysLeft === 0)
            return qsTr("erased at the next start");
        return qsTr("%Ln day(s) left", "", daysLeft);
    }

    signal restoreWanted
    signal eraseWanted
    signal askWanted // the question
    signal keepWanted // its safe answer

    function leaveQuestion(): void {
        erase.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function takeFocus(): void {
        restore.forceActiveFocus(Qt.ShortcutFocusReason);
    }

    implicitHeight: (stacked ? words.height + Style.tiny + actions.implicitHeight : Math.max(words.height, actions.implicitHeight)) + Style.small

    Column {
        id: words

        width: root.stacked ? root.width : root.width - root.room - Style.large
        y: root.stacked ? Style.small / 2 : (root.height - height) / 2

        BodyText {
            elide: Text.ElideRight
            maximumLineCount: 2
            text: root.title || qsTr("(no text)")
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            text: qsTr("%1, %2, %3").arg(root.origin).arg(root.when).arg(root.remaining)
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    RowLayout {
        id: actions

        spacing: Style.tiny
        x: root.width - width
        y: root.stacked ? words.y + words.height + Style.tiny : (root.height - height) / 2

        PushButton {
            id: restore

            Accessible.name: qsTr("Restore %1").arg(NameText.isolated(root.title))
            text: qsTr("Restore")
            visible: !root.asking
            onClicked: root.restoreWanted()
        }
        IconButton {
            id: erase

            iconName: "trash"
            text: qsTr("Erase %1").arg(NameText.isolated(root.title))
            visible: !root.asking
            onClicked: {
                root.askWanted();
                keep.forceActiveFocus(Qt.ShortcutFocusReason);
            }
        }
        PushButton {
            id: eraseNow

            Accessible.description: qsTr("This can't be undone")
            text: qsTr("Erase for good")
            visible: root.asking
            onClicked: root.eraseWanted()
        }
        PushButton {
            id: keep

            text: qsTr("Keep")
            visible: root.asking
            onClicked: root.keepWanted()
        }
    }
}
