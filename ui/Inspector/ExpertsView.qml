// SPDX-License-Identifier: Apache-2.0
// Shows what the experts did for an answer: the grid, the timeline, the colours under its text, figures and charts. If there
// is nothing to show, it says why.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property App app
    property string explained: "" // the part that the first look explains: it gets a frame
    readonly property Inspector inspector: app.inspector
    readonly property bool ready: inspector.condition === Inspector.Ready
    readonly property var remarks: ready ? inspector.remarks : []
    readonly property bool showsGrid: ready || inspector.mode === Inspector.Store
    readonly property var modes: [
        {
            value: String(Inspector.Now),
            text: qsTr("Now")
        },
        {
            value: String(Inspector.Reply),
            text: qsTr("Answer")
        },
        {
            value: String(Inspector.Chat),
            text: qsTr("Chat")
        },
        {
            value: String(Inspector.Store),
            text: qsTr("Places")
        }
    ]

    spacing: Style.medium

    SmallText {
        Layout.fillWidth: true
        color: Style.theme.text
        text: root.ready ? root.inspector.sentence : root.inspector.conditionText
        visible: text
        wrapMode: Text.Wrap
    }
    // Columns hold the Repeaters, because a layout of Qt 6.4 can use items that a Repeater has deleted.
    Column {
        id: remarkList

        Layout.fillWidth: true
        spacing: root.spacing
        visible: root.remarks.length > 0

        Repeater {
            model: root.remarks.length

            SmallText {
                required property int index

                text: index < root.remarks.length ? root.remarks[index] : ""
                width: remarkList.width
                wrapMode: Text.Wrap
            }
        }
    }
    ChoiceBar {
        label: qsTr("What the grid shows")
        optionPadding: Style.small
        options: root.modes
        value: String(root.inspector.mode)
        onChosen: value => root.inspector.mode = Number(value)
    }
    Explained {
        shown: root.explained === "grid"
        visible: root.showsGrid

        ExpertGridView {
            inspector: root.inspector
            width: parent.width
        }
    }
    Explained {
        shown: root.explained === "timeline"
        visible: root.ready

        Timeline {
            inspector: root.inspector
            width: parent.width
        }
    }
    TokenStrip {
        Layout.fillWidth: true
        inspector: root.inspector
        visible: root.ready
    }
    Flow {
        Layout.fillWidth: true
        spacing: Style.small
        visible: root.ready

        SmallText {
            color: Style.theme.text
            height: Style.control
            text: qsTr("Colour the text by")
            verticalAlignment: Text.AlignVCenter
        }
        ChoiceMenu {
            label: qsTr("Colour the text by")
            options: root.inspector.measures
            value: root.inspector.measure
            onChosen: value => root.inspector.measure = value
        }
    }
    SmallText {
        Layout.fillWidth: true
        text: root.inspector.measureText
        visible: root.ready && text
        wrapMode: Text.Wrap
    }
    Flow {
        Layout.fillWidth: true
        spacing: Style.small
        visible: root.ready && !root.inspector.grid.dense

        SmallText {
            color: Style.theme.text
            height: Style.control
            text: qsTr("Compare with")
            verticalAlignment: Text.AlignVCenter
        }
        ChoiceMenu {
            label: qsTr("Compare the answer with")
            options: root.inspector.comparisons
            value: root.inspector.against
            onChosen: value => root.inspector.against = value
        }
        PushButton {
            enabled: !root.inspector.live
            text: qsTr("Keep for comparison")
            onClicked: {
                root.inspector.keepForComparison();
                kept.say(qsTr("This answer can now be compared with others"));
            }
        }
    }
    Announcement {
        id: kept
    }
    PartHeading {
        Layout.fillWidth: true
        text: qsTr("Figures")
        visible: root.ready
    }
    Explained {
        shown: root.explained === "figures"
        visible: root.ready

        FigureRows {
            inspector: root.inspector
            width: parent.width
        }
    }
    Section {
        heading: qsTr("Would more memory help?")
        visible: root.ready && (!root.inspector.budgets.empty || !root.inspector.coverage.empty)

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
        visible: root.ready && !root.inspector.balance.empty

        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.balance
            name: qsTr("Gini index of each layer")
        }
        Column {
            id: pairList

            Layout.fillWidth: true
            spacing: Style.small

            Repeater {
                model: root.inspector.pairs

                SmallText {
                    required property string modelData

                    text: modelData
                    width: pairList.width
                    wrapMode: Text.Wrap
                }
            }
        }
    }
    Section {
        heading: qsTr("Active neurons")
        visible: root.ready && !root.inspector.neurons.empty

        ChartView {
            Layout.fillWidth: true
            figures: root.inspector.neurons
            name: qsTr("Share of active neurons in each layer")
        }
    }
    ExportMenu {
        inspector: root.inspector
        visible: root.ready
    }

    // A part that the first look can frame.
    component Explained: Item {
        property alias shown: frame.shown
        default property alias content: place.data

        Layout.fillWidth: true
        implicitHeight: place.childrenRect.height

        Item {
            id: place

            anchors.left: parent.left
            anchors.right: parent.right
            height: childrenRect.height
        }
        FocusRing {
            id: frame

            gap: Style.tiny
        }
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
