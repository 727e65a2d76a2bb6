// SPDX-License-Identifier: Apache-2.0
// The command palette: a field, and the commands that contain what was typed there. Up and Down choose one, Enter runs
// it, Esc closes the palette.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property App app

    property bool pointed: false // the pointer has moved since the rows came to it: a row where it only rests is not marked

    signal searchWanted(string words) // on the page of the settings

    // Begins with all commands.
    function begin(): void {
        field.clear();
        list.currentIndex = filter.firstPossible();
        list.positionViewAtBeginning();
        pointed = false;
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function close(): void {
        app.pages.palette = false;
    }
    // The palette closes first, so that the command finds the focus where it was.
    function run(id: string, search: string): void {
        close();
        app.commands.run(id);
        if (search)
            searchWanted(search);
    }
    function move(rows: int): void {
        pointed = false;
        list.currentIndex = Math.max(0, Math.min(list.count - 1, list.currentIndex + rows));
    }

    Accessible.name: qsTr("All commands")
    Accessible.role: Accessible.Dialog

    Connections {
        function onPointerMoved() {
            root.pointed = true;
        }

        enabled: root.visible
        target: TipPlace
    }

    // A click beside the palette closes it, and nothing below it gets the pointer.
    Rectangle {
        Accessible.ignored: true
        anchors.fill: parent
        color: Style.theme.scrim

        MouseArea {
            anchors.fill: parent
            hoverEnabled: true
            onClicked: root.close()
            onWheel: wheel => wheel.accepted = true
        }
    }
    Rectangle {
        id: card

        readonly property real room: root.height - y - Style.vast // largest height

        anchors.horizontalCenter: parent.horizontalCenter
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        height: list.y + Math.max(list.height, none.visible ? none.height : 0) + Style.small
        radius: Style.corner
        width: Math.min(root.width - 2 * Style.wide, Style.cardWidth)
        y: Style.barHeight

        MouseArea {
            anchors.fill: parent // a click between the rows does not close the palette
        }
        InputField {
            id: field

            Accessible.description: list.currentItem ? (list.currentItem as CommandRow).Accessible.name : none.text
            anchors.left: parent.left
            anchors.margins: Style.small
            anchors.right: parent.right
            anchors.top: parent.top
            focus: true
            label: qsTr("Find a command")
            placeholderText: label

            Keys.onBacktabPressed: root.move(-1)
            Keys.onDownPressed: root.move(1)
            Keys.onEnterPressed: choose()
            Keys.onEscapePressed: root.close()
            Keys.onPressed: event => {
                if (event.key === Qt.Key_PageUp)
                    root.move(-list.page);
                else if (event.key === Qt.Key_PageDown)
                    root.move(list.page);
                else
                    return;
                event.accepted = true;
            }
            Keys.onReturnPressed: choose()
            Keys.onTabPressed: root.move(1)
            Keys.onUpPressed: root.move(-1)

            function choose(): void {
                const row = list.currentItem as CommandRow;
                if (row && row.enabled)
                    root.run(row.model.commandId, row.model.search);
            }
        }
        ListView {
            id: list

            readonly property int page: Math.max(1, Math.floor(height / Style.control) - 1) // rows

            Accessible.name: qsTr("Commands")
            Accessible.role: Accessible.List
            anchors.left: parent.left
            anchors.margins: Style.small
            anchors.right: parent.right
            anchors.top: field.bottom
            boundsBehavior: Flickable.StopAtBounds
            cacheBuffer: 0 // other words replace most rows: none are made before they are seen, and Qt 6.4 warns of one that is not ready
            clip: true
            height: Math.max(0, Math.min(contentHeight, card.room - y - Style.small))
            highlightMoveDuration: 0
            model: CommandFilter {
                id: filter

                commands: root.app.commands
                words: field.text
                onWordsChanged: {
                    root.pointed = false;
                    list.currentIndex = filter.firstPossible();
                }
            }

            ScrollBar.vertical: ThinScrollBar {}
            delegate: CommandRow {
                pointed: hovered && root.pointed
                width: ListView.view.width - (list.contentHeight > list.height ? Style.scrollBar + Style.tiny : 0)
                onRunWanted: (id, search) => root.run(id, search)
            }

            WheelArea {
                view: list
            }
        }
        SmallText {
            id: none

            anchors.left: parent.left
            anchors.margins: Style.large
            anchors.right: parent.right
            anchors.top: field.bottom
            bottomPadding: Style.small
            text: qsTr("No command contains these words.")
            visible: list.count === 0
            wrapMode: Text.Wrap
        }
    }
}
