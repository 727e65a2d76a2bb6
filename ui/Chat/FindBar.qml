// SPDX-License-Identifier: Apache-2.0
// The bar above the conversation in which words are found in this chat. Enter goes to the next place, Shift+Enter to the
// one before, Esc closes the bar.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property ChatFind find

    signal closed

    function begin(): void {
        find.active = true;
        field.forceActiveFocus(Qt.ShortcutFocusReason);
        field.selectAll();
    }

    Accessible.name: qsTr("Find in this chat")
    Accessible.role: Accessible.Grouping
    implicitHeight: row.implicitHeight + 2 * Style.small + line.height

    // The window's shortcut would stop the answer that is being written.
    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
    Keys.onEscapePressed: root.closed()

    RowLayout {
        id: row

        anchors.horizontalCenter: parent.horizontalCenter
        anchors.top: parent.top
        anchors.topMargin: Style.small
        spacing: Style.tiny
        width: Math.min(parent.width - 2 * Style.wide, Style.measure) // as wide as the text below

        InputField {
            id: field

            Layout.fillWidth: true
            label: qsTr("Words to find in this chat")
            leftPadding: Style.medium + Style.iconSmall + Style.small
            placeholderText: qsTr("Find in this chat")
            text: root.find.words

            Keys.onPressed: event => {
                if (event.key !== Qt.Key_Return && event.key !== Qt.Key_Enter)
                    return;
                event.accepted = true;
                if (event.modifiers & Qt.ShiftModifier)
                    root.find.previous();
                else
                    root.find.next();
            }
            onTextEdited: root.find.words = text

            Icon {
                anchors.left: parent.left
                anchors.leftMargin: Style.medium
                anchors.verticalCenter: parent.verticalCenter
                color: Style.theme.quiet
                name: "search"
                size: Style.iconSmall
            }
        }
        Figures {
            Layout.leftMargin: Style.small
            Layout.minimumWidth: Style.columnWidth
            text: root.find.countText
        }
        IconButton {
            enabled: root.find.count > 0
            iconName: "chevronUp"
            text: qsTr("Find the place before (Shift+F3)")
            onClicked: root.find.previous()
        }
        IconButton {
            enabled: root.find.count > 0
            iconName: "chevronDown"
            text: qsTr("Find the next place (F3)")
            onClicked: root.find.next()
        }
        IconButton {
            iconName: "close"
            text: qsTr("Close the search (Esc)")
            onClicked: root.closed()
        }
    }
    HairLine {
        id: line

        anchors.bottom: parent.bottom
        width: parent.width
    }
    // Says the place where the search is, once it has settled.
    Announcement {
        id: spoken
    }
    Timer {
        id: settled

        interval: Style.panelDelay
        onTriggered: spoken.say(root.find.countText)
    }
    Connections {
        function onChanged() {
            if (root.find.countText !== spoken.text)
                settled.restart();
        }

        target: root.find
    }
}
