// SPDX-License-Identifier: Apache-2.0
// Shows the model at work: where its experts come from, what they did for an answer, and how memory is used. The pane and
// the page of the model's activity show this.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Models
import Coterie.Style

GridLayout {
    id: root

    required property App app
    property bool wide: false // two columns

    columnSpacing: Style.wide
    columns: wide ? 2 : 1
    rowSpacing: Style.medium

    ColumnLayout {
        Layout.alignment: Qt.AlignTop
        Layout.fillWidth: true
        Layout.preferredWidth: 1 // both columns get the same share
        spacing: Style.medium

        RowLayout {
            spacing: Style.small

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
            Layout.fillWidth: true
            experts: root.app.experts
        }
        ExpertsView {
            Layout.fillWidth: true
            explained: tour.part
            inspector: root.app.inspector
        }
    }
    ColumnLayout {
        Layout.alignment: Qt.AlignTop
        Layout.fillWidth: true
        Layout.preferredWidth: 1
        spacing: Style.medium

        CardPlace {
            id: lower
        }
        AnswerFigures {
            Layout.fillWidth: true
            explained: tour.part
            inspector: root.app.inspector
            visible: root.app.inspector.condition === Inspector.Ready
        }
        HairLine {
            Layout.bottomMargin: Style.tiny
            Layout.fillWidth: true
            Layout.topMargin: Style.small
            visible: !root.wide || root.app.inspector.condition === Inspector.Ready
        }
        PartHeading {
            Layout.fillWidth: true
            text: qsTr("Memory")
        }
        SmallText {
            Layout.fillWidth: true
            color: Style.theme.text
            text: qsTr("Coterie uses %1.").arg(Units.size(memory.used))
            wrapMode: Text.Wrap
        }
        StackedGauge {
            Layout.fillWidth: true
            parts: memory.ours
            whole: memory.most
        }
        MemoryPanel {
            id: memory

            Layout.fillWidth: true
            memory: root.app.memory
        }
        FigureRows {
            Layout.fillWidth: true
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
        Layout.fillWidth: true
        implicitHeight: childrenRect.height
        visible: tour.active && tour.parent === this
    }
}
