// SPDX-License-Identifier: Apache-2.0
// Shows what the experts did for an answer: one sentence, the grid directly under the switch of its views, the timeline,
// and below them what is selected, comparisons, the colours under the answer's text, and its tokens. If there is nothing
// to show, it says why. No part moves while an answer is written: each has room for its longest text.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Inspector inspector
    required property color behind // the colour of what is behind the view
    required property bool ready // there is an answer, or the next one is about to take its place
    property string explained: "" // the part that the first look explains: it gets a frame
    property int framed: ExpertMap.Nothing // the part of the grid that it explains
    readonly property alias aboveTimeline: cardPlace // the place of a card that explains the timeline
    readonly property alias map: mapPlace
    readonly property alias timeline: timePlace
    readonly property bool selected: inspector.grid.selectedLayer >= 0
    readonly property string selection: {
        const words = Array.from(inspector.tokens.topTokens).map(token => qsTr("%1 (%2)").arg(token.text).arg(token.count.toLocaleString(Qt.locale(), "f", 0)));
        return words.length > 0 ? inspector.tokens.selectionText + " " + qsTr("Most often: %1").arg(words.join(", ")) : inspector.tokens.selectionText;
    }
    // Other answers of the chat are counted even if this one has no record.
    readonly property bool showsGrid: ready || inspector.grid.mode === ActivityGrid.Store || inspector.grid.cells.layers > 0
    // Every token uses all layers of a model without experts: counts of them would say nothing.
    readonly property var modes: Array.from(allModes).filter(mode => !inspector.dense || !mode.counts)
    readonly property var allModes: [
        {
            value: String(ActivityGrid.Now),
            text: qsTr("Now")
        },
        {
            value: String(ActivityGrid.Reply),
            text: qsTr("Answer"),
            counts: true
        },
        {
            value: String(ActivityGrid.Chat),
            text: qsTr("Chat"),
            counts: true
        },
        {
            value: String(ActivityGrid.Store),
            text: qsTr("Places")
        }
    ]

    spacing: Style.medium

    SteadyText {
        characters: Style.sentenceRoom
        color: Style.theme.text
        text: root.inspector.condition === Inspector.Ready ? root.inspector.charts.sentence : root.inspector.conditionText
        visible: root.ready
        width: parent.width
    }
    SmallText {
        color: Style.theme.text
        text: root.inspector.conditionText
        visible: !root.ready
        width: parent.width
        wrapMode: Text.Wrap
    }
    ChoiceBar {
        equal: true
        label: qsTr("What the grid shows")
        optionPadding: Style.small
        options: root.modes
        value: String(root.inspector.grid.mode)
        width: Math.min(implicitWidth, parent.width)
        onChosen: value => {
            root.inspector.comparison.against = AnswerComparison.None; // the comparison would hide the view
            root.inspector.grid.mode = Number(value);
        }
    }
    Explained {
        id: mapPlace

        shown: root.explained === "grid" && root.framed === ExpertMap.Nothing
        visible: root.showsGrid
        width: parent.width

        ExpertGridView {
            id: grid

            behind: root.behind
            framed: root.framed
            inspector: root.inspector
            width: parent.width
        }
    }
    Item {
        id: cardPlace

        implicitHeight: childrenRect.height
        visible: children.length > 0
        width: parent.width
    }
    Explained {
        id: timePlace

        shown: root.explained === "timeline"
        visible: root.ready
        width: parent.width

        Timeline {
            inspector: root.inspector
            width: parent.width
        }
    }
    RowLayout {
        spacing: Style.small
        visible: root.showsGrid || root.inspector.grid.text !== ""
        width: parent.width

        SteadyText {
            Layout.alignment: Qt.AlignTop
            Layout.fillWidth: true
            // A comparison names several experts.
            characters: root.inspector.comparison.against === AnswerComparison.None ? Style.captionRoom : 2 * Style.captionRoom
            color: Style.theme.text
            text: root.selected && root.selection || root.inspector.grid.text // without a record there are no words
        }
        Item {
            Layout.alignment: Qt.AlignTop
            implicitHeight: deselect.implicitHeight
            implicitWidth: deselect.implicitWidth // also while the button is away: the text keeps its lines

            IconButton {
                id: deselect

                compact: true
                iconName: "close"
                text: root.inspector.dense ? qsTr("Select no layer") : qsTr("Select no expert")
                visible: root.selected
                onClicked: root.inspector.grid.deselect()
                onVisibleChanged: {
                    // Else the window would give the focus to the message field.
                    if (!visible && activeFocus && root.visible)
                        grid.takeFocus();
                }
            }
        }
    }
    Flow {
        spacing: Style.small
        visible: root.ready
        width: parent.width

        SmallText {
            color: Style.theme.text
            height: Style.control
            text: qsTr("Colour the text by")
            verticalAlignment: Text.AlignVCenter
        }
        ChoiceMenu {
            label: qsTr("Colour the text by")
            options: root.inspector.tokens.measures
            value: root.inspector.tokens.measure
            width: Math.min(implicitWidth, parent.width)
            onChosen: value => root.inspector.tokens.measure = value
        }
    }
    SteadyText {
        characters: Style.measureRoom
        text: root.inspector.tokens.measure === TokenMeasure.None ? qsTr("The words can show in colour how sure the model was, or how long each took.") : root.inspector.tokens.measureText
        visible: root.ready
        width: parent.width
    }
    Flow {
        spacing: Style.small
        visible: root.ready && !root.inspector.dense
        width: parent.width

        PushButton {
            enabled: !root.inspector.live
            text: root.inspector.comparison.kept ? qsTr("Kept for comparison") : qsTr("Keep for comparison")
            width: Math.min(implicitWidth, parent.width)
            onClicked: {
                root.inspector.comparison.keep();
                kept.say(qsTr("This answer can now be compared with others"));
            }
        }
        // The words and the menu stay together.
        Row {
            spacing: Style.small

            SmallText {
                id: compare

                color: Style.theme.text
                height: Style.control
                text: qsTr("Compare with")
                verticalAlignment: Text.AlignVCenter
            }
            ChoiceMenu {
                label: qsTr("Compare the answer with")
                options: root.inspector.comparison.options
                value: root.inspector.comparison.against
                width: Math.min(implicitWidth, root.width - compare.width - parent.spacing)
                onChosen: value => {
                    if (value !== AnswerComparison.None)
                        root.inspector.grid.mode = ActivityGrid.Reply; // whole answers are compared
                    root.inspector.comparison.against = value;
                }
            }
        }
    }
    ComparedGrids {
        behind: root.behind
        inspector: root.inspector
        shown: root.ready
        width: parent.width
        onChosen: (layer, expert) => grid.choose(layer, expert)
    }
    SmallText {
        elide: Text.ElideRight
        text: strip.rangeText
        visible: root.ready
        width: parent.width
    }
    Flickable {
        id: words

        // There is room for all tokens of a usual length.
        readonly property int lines: Math.ceil(root.inspector.tokens.stripLength * Style.tokenWidth / Math.max(width, Style.paneMin / 2))

        // Scrolls to the current token. Called when all cells have their places.
        function follow(): void {
            const cell = strip.currentCell;
            if (cell.y < contentY || cell.y + cell.height > contentY + height)
                contentY = Math.max(0, Math.min(cell.y - (height - cell.height) / 2, contentHeight - height));
        }

        boundsBehavior: Flickable.StopAtBounds
        clip: true
        contentHeight: strip.implicitHeight
        height: lines * Style.tokenLine
        interactive: contentHeight > height
        visible: root.ready
        width: parent.width

        ScrollBar.vertical: ThinScrollBar {}

        onHeightChanged: Qt.callLater(words.follow) // qmllint disable

        TokenStrip {
            id: strip

            inspector: root.inspector
            width: words.width - Style.scrollBar
            onCurrentCellChanged: Qt.callLater(words.follow) // qmllint disable
        }
        WheelArea {
            view: words
        }
    }
    Announcement {
        id: kept
    }
}
