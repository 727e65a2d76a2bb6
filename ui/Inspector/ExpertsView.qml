// SPDX-License-Identifier: Apache-2.0
// Shows what the experts did for an answer: the grid, the timeline, its tokens, the colours under its text, comparisons. If
// there is nothing to show, it says why.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    property string explained: "" // the part that the first look explains: it gets a frame
    readonly property bool ready: inspector.condition === Inspector.Ready
    readonly property bool showsGrid: ready || inspector.mode === Inspector.Store
    // Every token uses all layers of a model without experts: counts of them would say nothing.
    readonly property var modes: Array.from(allModes).filter(mode => !inspector.dense || !mode.counts)
    readonly property var allModes: [
        {
            value: String(Inspector.Now),
            text: qsTr("Now")
        },
        {
            value: String(Inspector.Reply),
            text: qsTr("Answer"),
            counts: true
        },
        {
            value: String(Inspector.Chat),
            text: qsTr("Chat"),
            counts: true
        },
        {
            value: String(Inspector.Store),
            text: qsTr("Places")
        }
    ]

    spacing: Style.medium

    PartHeading {
        Layout.fillWidth: true
        text: root.inspector.answerHeading
        visible: text
    }
    SmallText {
        Layout.fillWidth: true
        color: Style.theme.text
        text: root.ready ? root.inspector.sentence : root.inspector.conditionText
        visible: text
        wrapMode: Text.Wrap
    }
    SmallText {
        Layout.fillWidth: true
        text: Array.from(root.inspector.remarks).join("\n")
        visible: root.ready && text
        wrapMode: Text.Wrap
    }
    ChoiceBar {
        label: qsTr("What the grid shows")
        optionPadding: Style.small
        options: root.modes
        value: String(root.inspector.mode)
        onChosen: value => root.inspector.mode = Number(value)
    }
    Explained {
        Layout.fillWidth: true
        shown: root.explained === "grid"
        visible: root.showsGrid

        ExpertGridView {
            inspector: root.inspector
            width: parent.width
        }
    }
    Explained {
        Layout.fillWidth: true
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
}
