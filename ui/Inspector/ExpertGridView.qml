// SPDX-License-Identifier: Apache-2.0
// The grid of experts with its legend, the value under the pointer or the cursor, and what is known of the selected
// expert. Nothing moves when a value appears: its line is always there.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    property bool asTable: false
    readonly property bool selected: inspector.selectedLayer >= 0

    // A second choice of the same expert takes the first one back.
    function choose(layer: int, expert: int): void {
        if (layer === inspector.selectedLayer && expert === inspector.selectedExpert)
            inspector.deselect();
        else
            inspector.select(layer, expert);
    }

    spacing: Style.small

    SmallText {
        Layout.fillWidth: true
        color: Style.theme.text
        text: root.inspector.gridText
        visible: text
        wrapMode: Text.Wrap
    }
    ExpertMap {
        id: map

        Accessible.description: cellText
        Accessible.focusable: true
        Accessible.name: root.inspector.grid.dense ? qsTr("Layers of the model") : qsTr("Experts: a row for each layer. The arrow keys move, Enter selects")
        Accessible.role: Accessible.Table
        Layout.fillWidth: true
        dark: Style.dark
        font.family: Style.family
        font.pixelSize: Style.cellSize
        grid: root.inspector.grid
        groundColor: Style.theme.ground
        markColor: Style.theme.text
        selectedExpert: root.inspector.selectedExpert
        selectedLayer: root.inspector.selectedLayer
        textColor: Style.theme.text
        visible: !root.asTable
        onCellClicked: (layer, expert) => root.choose(layer, expert)
        onCursorChanged: spoken.say(cellText)

        FocusRing {
            gap: Style.ring
            radius: Style.cornerSmall
            shown: map.activeFocus
        }
    }
    Announcement {
        id: spoken
    }
    SmallText {
        Accessible.ignored: true
        Layout.fillWidth: true
        Layout.minimumHeight: 2 * Style.smallSize * Style.smallLine // room for two lines
        text: map.cellText || qsTr("Point at a cell to read its value.")
        visible: map.visible
        wrapMode: Text.Wrap
    }
    ExpertList {
        Layout.fillWidth: true
        inspector: root.inspector
        visible: root.asTable
        onChosen: (layer, expert) => root.choose(layer, expert)
    }
    GridLegend {
        Layout.fillWidth: true
        visible: map.visible
        grid: root.inspector.grid
    }
    RowLayout {
        spacing: Style.tiny

        IconButton {
            Accessible.checkable: true
            Accessible.checked: root.asTable
            checkable: true
            checked: root.asTable
            compact: true
            iconName: "table"
            text: qsTr("Show the values as a table")
            onToggled: root.asTable = checked
        }
        IconButton {
            compact: true
            iconName: "plus"
            text: qsTr("Larger cells")
            visible: map.visible && map.zoomable
            onClicked: map.zoom *= Style.cellZoom
        }
        IconButton {
            compact: true
            enabled: map.zoom > 1
            iconName: "minus"
            text: qsTr("Smaller cells")
            visible: map.visible && map.zoomable
            onClicked: map.zoom /= Style.cellZoom
        }
        SmallText {
            Layout.fillWidth: true
            text: qsTr("Drag to move the grid.")
            visible: map.visible && map.zoom > 1
            wrapMode: Text.Wrap
        }
    }
    ColumnLayout {
        Layout.fillWidth: true
        spacing: Style.tiny
        visible: root.selected

        RowLayout {
            spacing: Style.small

            SmallText {
                Layout.fillWidth: true
                color: Style.theme.text
                text: root.inspector.selectionText
                wrapMode: Text.Wrap
            }
            IconButton {
                compact: true
                iconName: "close"
                text: root.inspector.dense ? qsTr("Select no layer") : qsTr("Select no expert")
                onClicked: root.inspector.deselect()
            }
        }
        SmallText {
            Layout.fillWidth: true
            text: qsTr("Most often: %1").arg(Array.from(root.inspector.topTokens).map(token => qsTr("%1 %Ln time(s)", "", token.count).arg(token.text)).join(", "))
            visible: Array.from(root.inspector.topTokens).length > 0
            wrapMode: Text.Wrap
        }
    }
}
