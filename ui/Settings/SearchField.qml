// SPDX-License-Identifier: Apache-2.0
// The field that searches in a page of settings, with the number of settings and other pages that were found. The pages
// are below it: Enter opens the first one. If there is nothing, it says so and offers to show all again. Escape empties
// it. The words stay while the page is open, and are selected when the next search begins.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property SettingSearch search
    readonly property var pages: Array.from(search.pages)
    readonly property string enterHint: pages.length > 0 ? qsTr("Enter opens the page %1.").arg(pages[0].title) : ""

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

    // Opens the first page that was found. Returns false if there is none.
    function openPage(): bool {
        return pages.length > 0 && search.commands.run(pages[0].command);
    }

    RowLayout {
        spacing: Style.small
        width: parent.width

        InputField {
            id: field

            Accessible.description: root.enterHint
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
            Keys.onEnterPressed: event => event.accepted = root.openPage()
            Keys.onEscapePressed: root.clear()
            Keys.onReturnPressed: event => event.accepted = root.openPage()
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
        spacing: Style.small
        topPadding: Style.small
        visible: root.pages.length > 0
        width: parent.width

        GroupHeading {
            text: qsTr("Pages")
            width: parent.width
        }
        SmallText {
            Accessible.ignored: true // the field says it
            text: root.enterHint
            width: parent.width
            wrapMode: Text.Wrap
        }
        Flow {
            spacing: Style.small
            width: parent.width

            Repeater {
                model: root.pages

                delegate: PushButton {
                    required property var modelData

                    iconName: "chevronRight"
                    text: modelData.title
                    width: Math.min(implicitWidth, root.width)
                    onClicked: root.search.commands.run(modelData.command)
                }
            }
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
            if (!root.visible || !root.search.searching)
                return;
            const pages = Array.from(root.search.pages).map(page => qsTr("Page: %1").arg(page.title));
            const settings = qsTr("%Ln setting(s) found", "", Array.from(root.search.shown).length);
            spoken.say([...pages, settings].join(". "));
        }

        target: root.search
    }
}
