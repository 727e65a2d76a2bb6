// SPDX-License-Identifier: Apache-2.0
// The cost of an answer and the use of its experts: sections that say their result and show figures and charts when they
// are opened. A menu saves them.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Inspector inspector
    property bool busy: false // an answer is being written, perhaps in another chat
    property string explained: "" // the part that the first look explains: it gets a frame, and is open
    readonly property bool dense: inspector.dense
    // The charts are computed when the answer has ended. Their sections are there before, so that none moves then.
    readonly property bool waiting: inspector.live || !inspector.charts.measured
    readonly property string notYet: waiting ? qsTr("Known when the answer ends") : qsTr("Not known for this answer")

    spacing: Style.tiny

    Kept {
        about: qsTr("Numbers of this answer: how fast it was written, and how much of the model was read from the disk for it. Each number has an explanation of its own.")
        heading: qsTr("Figures")
        name: "figures"
        open: kept || root.explained === name
        result: Array.from(root.inspector.charts.figures).slice(0, 1).map(row => qsTr("%1: %2").arg(row.name).arg(row.value)).join("")

        Explained {
            shown: root.explained === "figures"
            width: parent.width

            FigureRows {
                rows: root.inspector.charts.figures
                width: parent.width
            }
        }
    }
    Kept {
        about: qsTr("Experts that don't fit into memory are read from disk when a token needs them, and the answer waits. This part computes how this answer would have gone with more or less memory.")
        heading: qsTr("Would more memory help?")
        name: "memory"
        result: root.inspector.charts.budgetResult || root.notYet
        visible: !root.dense

        SmallText {
            text: root.waiting ? root.notYet : root.inspector.charts.text
            width: parent.width
            wrapMode: Text.Wrap
        }
        ChartView {
            figures: root.inspector.charts.budgets
            name: qsTr("Share from memory, by the room for experts")
            visible: !figures.empty
            width: parent.width
        }
        PushButton {
            Accessible.description: root.busy ? qsTr("Available when the answer is complete") : ""
            enabled: !root.busy
            text: qsTr("Open the model again with %1").arg(Units.size(root.inspector.charts.betterBudget))
            visible: root.inspector.charts.betterBudget > 0
            width: Math.min(implicitWidth, parent.width)
            onClicked: root.inspector.charts.applyBetterBudget()
        }
        ChartView {
            figures: root.inspector.charts.coverage
            name: qsTr("Different experts used, by tokens")
            visible: !figures.empty
            width: parent.width
        }
    }
    Kept {
        about: qsTr("Each layer chooses a few of its experts for every token. This part shows whether all of them have their turn, or a few do most of the work, and which ones are often chosen together.")
        heading: qsTr("How evenly experts are used")
        name: "balance"
        result: root.inspector.charts.balanceResult || root.notYet
        visible: !root.dense

        OfChat {}
        SmallText {
            text: root.notYet
            visible: root.inspector.charts.balance.empty
            width: parent.width
            wrapMode: Text.Wrap
        }
        ChartView {
            figures: root.inspector.charts.balance
            name: qsTr("How unevenly each layer uses its experts")
            visible: !figures.empty
            width: parent.width
        }
        ChartView {
            figures: root.inspector.charts.evenness
            name: qsTr("How many experts each layer uses")
            visible: !figures.empty
            width: parent.width
        }
        SmallText {
            text: qsTr("Experts that work together more often than by chance:") + "\n" + Array.from(root.inspector.charts.pairs).join("\n")
            visible: Array.from(root.inspector.charts.pairs).length > 0
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    Kept {
        about: qsTr("Neurons are the smallest parts of the model: each computes one number. In some models most of them give zero for a token. Those are left out, and the answer comes sooner. This part shows how many were at work.")
        heading: qsTr("Active neurons")
        name: "neurons"
        result: root.inspector.charts.neuronsResult || (root.waiting ? root.notYet : qsTr("All work for every token"))

        OfChat {}
        SmallText {
            text: root.waiting ? root.notYet : qsTr("No neurons of this model rest: all of them work for every token.")
            visible: root.inspector.charts.neurons.empty
            width: parent.width
            wrapMode: Text.Wrap
        }
        ChartView {
            figures: root.inspector.charts.neurons
            name: qsTr("Share of active neurons in each layer")
            visible: !figures.empty
            width: parent.width
        }
    }
    Kept {
        id: remarksPart

        readonly property var remarks: Array.from(root.inspector.charts.remarks)

        about: qsTr("What to keep in mind when you read the figures of this answer, for example that a part of the prompt was not read again.")
        heading: qsTr("Remarks")
        name: "remarks"
        result: remarks.length > 0 ? qsTr("%Ln remark(s)", "", remarks.length) : qsTr("None")

        SmallText {
            text: remarksPart.remarks.join("\n") || qsTr("None")
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    Item {
        height: Style.small
        width: parent.width
    }
    ExportMenu {
        inspector: root.inspector
        width: parent.width
    }

    // Says that charts are about the chat while the grid is: the figures are always about one answer.
    component OfChat: SmallText {
        text: root.inspector.charts.text
        visible: !root.waiting && root.inspector.grid.mode === ActivityGrid.Chat
        width: parent?.width ?? 0
        wrapMode: Text.Wrap
    }
    component Kept: Section {
        required property string name
        readonly property bool kept: OpenSections.names.includes(name)

        held: root.waiting
        open: kept
        width: root.width
        onToggled: OpenSections.toggle(name)
    }
}
