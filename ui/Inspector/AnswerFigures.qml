// SPDX-License-Identifier: Apache-2.0
// Figures and charts tell the cost of an answer and the use of its experts; a menu saves them.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    property string explained: "" // the part that the first look explains: it gets a frame

    spacing: Style.medium

    PartHeading {
        Layout.fillWidth: true
        text: qsTr("Figures")
    }
    Explained {
        Layout.fillWidth: true
        shown: root.explained === "figures"

        FigureRows {
            rows: root.inspector.figures
            width: parent.width
        }
    }
    Section {
        heading: qsTr("Would more memory help?")
        visible: !root.inspector.budgets.empty || !root.inspector.coverage.empty

        SmallText {
            Layout.fillWidth: true
            text: root.inspector.chartsText
            wrapMode: Text.Wrap
        }
        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.budgets
            name: qsTr("Share from memory, by the room for experts")
            visible: !figures.empty
        }
        PushButton {
            text: qsTr("Open the model again with %1").arg(Units.size(root.inspector.betterBudget))
            visible: root.inspector.betterBudget > 0
            onClicked: root.inspector.applyBetterBudget()
        }
        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.coverage
            name: qsTr("Different experts used, by tokens")
            visible: !figures.empty
        }
    }
    Section {
        heading: qsTr("How evenly experts are used")
        visible: !root.inspector.balance.empty

        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.balance
            name: qsTr("How unevenly each layer uses its experts")
        }
        SmallText {
            Layout.fillWidth: true
            text: qsTr("Experts that work together more often than by chance:") + "\n" + Array.from(root.inspector.pairs).join("\n")
            visible: Array.from(root.inspector.pairs).length > 0
            wrapMode: Text.Wrap
        }
    }
    Section {
        heading: qsTr("Active neurons")
        visible: !root.inspector.neurons.empty

        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.neurons
            name: qsTr("Share of active neurons in each layer")
        }
    }
    ExportMenu {
        charts: root
        inspector: root.inspector
    }

    component Section: ColumnLayout {
        property alias heading: title.text

        Layout.fillWidth: true
        Layout.topMargin: Style.small
        spacing: Style.small

        PartHeading {
            id: title

            Layout.fillWidth: true
        }
    }
}
