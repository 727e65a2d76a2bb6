// SPDX-License-Identifier: Apache-2.0
// Shows the model at work: where its experts come from, what they did for an answer, and how memory is used. The pane and
// the page of the model's activity show this. It is placed by positioners: layouts in layouts give up in Qt 6.4 before
// every wrapped text has its height, and parts lie on each other.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Models
import Coterie.Style

Grid {
    id: root

    required property App app
    property bool wide: false // two columns
    readonly property real columnWidth: (width - (columns - 1) * columnSpacing) / columns

    columnSpacing: Style.wide
    columns: wide ? 2 : 1
    rowSpacing: Style.medium

    Column {
        spacing: Style.medium
        width: root.columnWidth

        RowLayout {
            spacing: Style.small
            width: parent.width

            PartHeading {
                Layout.fillWidth: true
                text: root.app.inspector.modelHeading || qsTr("Experts")
            }
            PushButton {
                kind: "quiet"
                text: qsTr("Take a first look")
                visible: !tour.active
                onClicked: tour.begin()
            }
        }
        CardPlace {
            id: upper
        }
        ExpertPanel {
            width: parent.width
            experts: root.app.experts
        }
        ExpertsView {
            width: parent.width
            explained: tour.part
            inspector: root.app.inspector
        }
    }
    Column {
        spacing: Style.medium
        width: root.columnWidth

        CardPlace {
            id: lower
        }
        AnswerFigures {
            width: parent.width
            explained: tour.part
            inspector: root.app.inspector
            visible: root.app.inspector.condition === Inspector.Ready
        }
        HairLine {
            width: parent.width
            visible: !root.wide || root.app.inspector.condition === Inspector.Ready
        }
        PartHeading {
            width: parent.width
            text: qsTr("Memory")
        }
        SmallText {
            width: parent.width
            color: Style.theme.text
            text: qsTr("Coterie uses %1.").arg(Units.size(memory.used))
            wrapMode: Text.Wrap
        }
        StackedGauge {
            width: parent.width
            parts: memory.ours
            whole: memory.most
        }
        MemoryPanel {
            id: memory

            width: parent.width
            memory: root.app.memory
        }
        FigureRows {
            width: parent.width
            rows: root.app.inspector.modelFigures
        }
    }

    // The card stands above the part that it explains.
    FirstLook {
        id: tour

        app: root.app
        parent: part === "figures" ? lower : upper
        width: parent.width
    }

    component CardPlace: Item {
        width: parent?.width ?? 0
        implicitHeight: childrenRect.height
        visible: tour.active && tour.parent === this
    }
}
