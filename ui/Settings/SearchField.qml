// SPDX-License-Identifier: Apache-2.0
// The field that searches in a page of settings, with the number of settings that were found. If there is none, it says
// so and offers to show all again. Escape empties it. The words stay while the page is open, and are selected when the
// next search begins.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property SettingSearch search

    bottomPadding: Style.small // the first heading is no heading of this field
    spacing: Style.small

    function begin(reason: int): void {
        field.forceActiveFocus(reason);
        field.selectAll();
    }
    function find(words: string): void {
        field.text = words;
        begin(Qt.OtherFocusReason);
    }
    // For a page that was closed: when it is opened again, it shows everything, and the focus is here. A text that is set
    // leaves the field nothing to undo.
    function reset(): void {
        field.text = "";
        field.focus = true;
    }
    function clear(): void {
        field.clear();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }

    RowLayout {
        spacing: Style.small
        width: parent.width

        InputField {
            id: field

            Layout.fillWidth: true
            focus: true
            label: qsTr("Search in settings")
            leftPadding: Style.medium + glass.width + Style.small
            placeholderText: qsTr("Search in settings")

            onActiveFocusChanged: {
                // The page was opened again. A click and a window that becomes active keep the cursor.
                const kept = focusReason === Qt.MouseFocusReason || focusReason === Qt.ActiveWindowFocusReason || focusReason === Qt.PopupFocusReason;
                if (activeFocus && !kept)
                    selectAll();
            }
            Keys.onEscapePressed: root.clear()
            Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape && text.length > 0
            onTextChanged: root.search.text = text

            Icon {
                id: glass

                anchors.left: parent.left
                anchors.leftMargin: Style.medium
                anchors.verticalCenter: parent.verticalCenter
                color: Style.theme.quiet
                name: "search"
                size: Style.iconSmall
            }
            Announcement {
                id: spoken
            }
        }
        SmallText {
            text: qsTr("%Ln found", "", root.search.count)
            visible: root.search.searching
        }
        IconButton {
            iconName: "close"
            text: qsTr("Clear the search")
            visible: root.search.searching
            onClicked: root.clear()
        }
    }
    Column {
        bottomPadding: Style.wide
        spacing: Style.medium
        topPadding: Style.wide
        visible: root.search.searching && root.search.count === 0
        width: parent.width

        BodyText {
            color: Style.theme.quiet
            horizontalAlignment: Text.AlignHCenter
            text: qsTr("No setting contains these words.")
            width: parent.width
            wrapMode: Text.Wrap
        }
        PushButton {
            anchors.horizontalCenter: parent.horizontalCenter
            text: qsTr("Show the settings again")
            onClicked: root.clear()
        }
    }
    Connections {
        function onChanged() {
            if (root.visible && root.search.searching)
                spoken.say(qsTr("%Ln setting(s) found", "", root.search.count));
        }

        target: root.search
    }
}
