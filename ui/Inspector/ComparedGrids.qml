// SPDX-License-Identifier: Apache-2.0
// The answer and the run with which it is compared, beside each other and in the same colours, below the menu that chooses
// that run: what stands above stays in its place. Nothing moves when a value appears: its lines are always there.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Inspector inspector
    required property color behind // the colour of what is behind the grids
    property bool shown: true // there is an answer, or the next one is about to take its place
    readonly property bool compares: inspector.comparison.against !== AnswerComparison.None && inspector.grid.mode !== ActivityGrid.Store
    // The grids are empty until the first token of an answer is there: all parts stay where they are.
    readonly property bool held: inspector.live && answer.empty

    signal chosen(layer: int, expert: int)

    spacing: Style.tiny
    visible: shown && compares && (!answer.empty || held)

    Row {
        spacing: Style.medium
        width: parent.width

        Run {
            id: answer

            cells: root.inspector.grid.answerCells
            title: qsTr("This answer")
        }
        Run {
            id: compared

            cells: root.inspector.grid.comparedCells
            title: root.inspector.grid.comparedTitle
        }
    }
    SteadyText {
        characters: Style.sentenceRoom
        text: answer.value || compared.value || root.inspector.grid.comparedText
        width: parent.width
    }

    component Run: Column {
        id: run

        required property ExpertGrid cells
        required property string title
        readonly property bool empty: map.implicitHeight === 0
        readonly property string value: map.cellText ? title + ": " + map.cellText : ""

        spacing: Style.tiny
        width: (root.width - Style.medium) / 2

        SmallText {
            color: Style.theme.text
            elide: Text.ElideRight
            text: run.title
            width: parent.width
        }
        ExpertMap {
            id: map

            property real lastHeight: 0

            Accessible.description: cellText
            Accessible.focusable: true
            Accessible.ignored: !root.visible
            Accessible.name: qsTr("Experts of one run: %1").arg(run.title)
            Accessible.role: Accessible.Table
            behindColor: root.behind
            dark: Style.dark
            font.family: Style.family
            font.pixelSize: Style.cellSize
            frameColor: Style.theme.ember
            grid: run.cells
            groundColor: Style.theme.ground
            height: root.held ? lastHeight : implicitHeight
            markColor: Style.theme.text
            selectedExpert: root.inspector.grid.selectedExpert
            selectedLayer: root.inspector.grid.selectedLayer
            textColor: Style.theme.quiet
            width: parent.width
            onCellClicked: (layer, expert) => root.chosen(layer, expert)
            onCursorChanged: spoken.say(cellText)
            onImplicitHeightChanged: {
                if (implicitHeight > 0)
                    lastHeight = implicitHeight;
            }

            FocusRing {
                gap: Style.ring
                radius: Style.cornerSmall
                shown: map.activeFocus
            }
        }
    }
    Announcement {
        id: spoken
    }
}
