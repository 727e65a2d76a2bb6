// SPDX-License-Identifier: Apache-2.0
// The grid of experts as a table: a line for each expert that has a value. Arrow keys, Page Up, Page Down, Home and End
// move, Enter selects an expert.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    readonly property alias lines: list // they have the focus
    // Names the values and their unit.
    readonly property string heading: {
        switch (inspector.grid.cells.kind) {
        case ExpertGrid.Weights:
            return qsTr("Weight");
        case ExpertGrid.Counts:
            return qsTr("Tokens");
        case ExpertGrid.Difference:
            return qsTr("Of 100 uses of experts in the layer");
        case ExpertGrid.Waits:
            return qsTr("Waited for the disk");
        }
        return qsTr("Place");
    }

    signal chosen(int layer, int expert)

    spacing: Style.tiny

    ChoiceBar {
        label: qsTr("Order of the table")
        optionPadding: Style.small
        options: [
            {
                value: "layers",
                text: qsTr("By layer")
            },
            {
                value: "strongest",
                text: qsTr("Strongest first")
            }
        ]
        value: table.strongestFirst ? "strongest" : "layers"
        onChosen: value => table.strongestFirst = value === "strongest"
    }
    Line {
        Accessible.ignored: true
        Layout.fillWidth: true
        first: qsTr("Layer")
        second: root.inspector.dense ? "" : qsTr("Expert")
        third: root.heading
    }
    HairLine {
        Layout.fillWidth: true
    }
    ListView {
        id: list

        // Moves the current row, which stays in view. Returns false if the key means nothing here.
        function moveByKey(key: int, modifiers: int): bool {
            if (modifiers !== Qt.NoModifier && modifiers !== Qt.KeypadModifier)
                return false;
            const page = Math.max(1, Math.floor(height / (currentItem?.height ?? height)) - 1); // a row stays in view
            const step = key === Qt.Key_PageDown ? page : key === Qt.Key_PageUp ? -page : key === Qt.Key_End ? count : key === Qt.Key_Home ? -count : 0;
            if (step === 0)
                return false;
            currentIndex = Math.max(0, Math.min(count - 1, currentIndex + step));
            positionViewAtIndex(currentIndex, ListView.Contain);
            return true;
        }
        function choose(): void {
            if (currentItem)
                currentItem.choose(); // qmllint disable
        }

        Accessible.name: root.inspector.dense ? qsTr("Layers as a table") : qsTr("Experts as a table")
        Accessible.role: Accessible.List
        Layout.fillWidth: true
        Layout.preferredHeight: Style.tableHeight // also for fewer lines: what is below does not move
        activeFocusOnTab: count > 0 || activeFocus // Qt refuses to take it from the item that has the focus
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        currentIndex: 0
        highlightMoveDuration: 0
        keyNavigationEnabled: true
        model: ExpertTable {
            id: table

            enabled: root.visible
            grid: root.inspector.grid.cells
        }

        Keys.onEnterPressed: choose()
        Keys.onPressed: event => event.accepted = moveByKey(event.key, event.modifiers)
        Keys.onReturnPressed: choose()

        ScrollBar.vertical: ThinScrollBar {}

        delegate: Rectangle {
            id: row

            required property int index
            required property int layerNumber
            required property int expertNumber
            required property string value
            required property string text
            readonly property bool chosen: layerNumber === root.inspector.grid.selectedLayer && expertNumber === root.inspector.grid.selectedExpert

            function choose(): void {
                root.chosen(layerNumber, expertNumber);
            }

            Accessible.focusable: true
            Accessible.name: text
            Accessible.role: Accessible.ListItem
            Accessible.selectable: true
            Accessible.selected: chosen
            color: chosen ? Style.theme.selection : "transparent"
            height: line.implicitHeight + Style.tiny
            width: list.width

            Accessible.onPressAction: choose()

            Line {
                id: line

                anchors.left: parent.left
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                second: root.inspector.dense ? "" : row.expertNumber.toLocaleString(Qt.locale(), "f", 0)
                first: row.layerNumber.toLocaleString(Qt.locale(), "f", 0)
                third: row.value
            }
            FocusRing {
                gap: -Style.hairline
                radius: Style.cornerSmall
                shown: list.activeFocus && row.index === list.currentIndex
            }
            TapHandler {
                onTapped: {
                    list.currentIndex = row.index;
                    row.choose();
                }
            }
        }

        WheelArea {
            view: list
        }
    }

    component Line: RowLayout {
        id: parts

        required property string first
        required property string second
        required property string third

        spacing: Style.small

        Cell {
            Layout.leftMargin: Style.tiny
            Layout.preferredWidth: Style.columnWidth
            text: parts.first
        }
        Cell {
            Layout.preferredWidth: Style.columnWidth
            text: parts.second
        }
        Cell {
            Layout.fillWidth: true
            text: parts.third
        }
    }
    component Cell: SmallText {
        Accessible.ignored: true
        color: Style.theme.text
        elide: Text.ElideRight
    }
}
