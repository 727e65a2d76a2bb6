// SPDX-License-Identifier: Apache-2.0
// The grid of experts with the value under the pointer or the cursor, and its legend. Nothing moves when a value appears:
// its lines are always there.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Inspector inspector
    required property color behind // the colour of what is behind the grid
    property bool asTable: false
    property int framed: ExpertMap.Nothing // the part of the grid that the first look explains
    // The grid is empty until the first token of an answer is there: all parts stay where they are.
    readonly property bool held: inspector.live && map.implicitHeight === 0

    // A second choice of the same expert takes the first one back.
    function choose(layer: int, expert: int): void {
        if (layer === inspector.grid.selectedLayer && expert === inspector.grid.selectedExpert)
            inspector.grid.deselect();
        else
            inspector.grid.select(layer, expert);
    }

    // The focus goes to the cells, or to the lines of the table.
    function takeFocus(): void {
        (asTable ? table.lines : map).forceActiveFocus(Qt.OtherFocusReason);
    }

    spacing: Style.small
    onFramedChanged: {
        if (framed !== ExpertMap.Nothing)
            asTable = false; // the frame is in the grid
    }

    ExpertMap {
        id: map

        // Those of a grid with cells.
        property real lastHeight: 0
        property bool lastZoomable: false
        readonly property bool showsZoom: visible && (root.held ? lastZoomable : zoomable)

        Accessible.description: cellText
        Accessible.focusable: true
        Accessible.name: root.inspector.grid.cells.dense ? qsTr("Layers of the model") : qsTr("Experts: a row for each layer. The arrow keys move, Enter selects")
        Accessible.role: Accessible.Table
        behindColor: root.behind
        dark: Style.dark
        flashMs: root.inspector.timeline.playing || root.inspector.live && root.inspector.timeline.following ? Style.calm : 0
        font.family: Style.family
        font.pixelSize: Style.cellSize
        frameColor: Style.theme.ember
        framed: root.framed
        grid: root.inspector.grid.cells
        groundColor: Style.theme.ground
        height: root.held ? lastHeight : implicitHeight
        markColor: Style.theme.text
        selectedExpert: root.inspector.grid.selectedExpert
        selectedLayer: root.inspector.grid.selectedLayer
        textColor: Style.theme.quiet
        visible: !root.asTable
        width: root.width
        onCellClicked: (layer, expert) => root.choose(layer, expert)
        onCursorChanged: spoken.say(cellText)
        onImplicitHeightChanged: {
            if (implicitHeight > 0) {
                lastHeight = implicitHeight;
                lastZoomable = zoomable;
            }
        }

        FocusRing {
            gap: Style.ring
            radius: Style.cornerSmall
            shown: map.activeFocus
        }
    }
    Announcement {
        id: spoken
    }
    ExpertList {
        id: table

        inspector: root.inspector
        visible: root.asTable
        width: root.width
        onChosen: (layer, expert) => root.choose(layer, expert)
    }
    GridLegend {
        property real lastHeight: 0

        grid: root.inspector.grid.cells
        lights: map.flashMs > 0
        height: Math.max(implicitHeight, root.held ? lastHeight : 0)
        visible: map.visible
        width: root.width
        onImplicitHeightChanged: {
            if (!root.held)
                lastHeight = implicitHeight;
        }
    }
    RowLayout {
        spacing: Style.tiny
        width: root.width

        SteadyText {
            id: line

            Accessible.ignored: true
            Layout.alignment: Qt.AlignTop
            Layout.fillWidth: true
            Layout.topMargin: Math.max(0, (Style.controlSmall - Style.smallRow) / 2) // its first line is beside the icons
            characters: Style.valueRoom
            text: whole.truncated ? map.briefCellText : whole.text

            // All words. Used to find out whether they have room; its tip shows them if they have not.
            SteadyText {
                id: whole

                Accessible.ignored: true
                characters: line.characters
                opacity: 0
                text: {
                    if (root.asTable)
                        return "";
                    return map.cellText || (map.zoom > 1 ? qsTr("Drag to move the grid.") : qsTr("Point at a cell to read its value."));
                }
                width: line.width
            }
        }
        IconButton {
            id: larger

            Layout.alignment: Qt.AlignTop
            compact: true
            iconName: "plus"
            text: qsTr("Larger cells")
            visible: map.showsZoom
            onClicked: map.zoom *= Style.cellZoom
        }
        IconButton {
            Layout.alignment: Qt.AlignTop
            compact: true
            enabled: map.zoom > 1
            iconName: "minus"
            text: qsTr("Smaller cells")
            visible: map.showsZoom
            onClicked: {
                if (activeFocus && map.zoom <= Style.cellZoom) // the last step disables it
                    larger.forceActiveFocus(Qt.OtherFocusReason);
                map.zoom /= Style.cellZoom;
            }
        }
        IconButton {
            Accessible.checkable: true
            Accessible.checked: root.asTable
            Layout.alignment: Qt.AlignTop
            checkable: true
            checked: root.asTable
            compact: true
            iconName: "table"
            text: qsTr("Show the values as a table")
            onToggled: root.asTable = checked
        }
    }
}
