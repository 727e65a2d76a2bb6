// SPDX-License-Identifier: Apache-2.0
// A guided explanation of the grid, in a few steps. Each step shows the part that it explains, with the answer that is
// there, or with one that the user lets the open model write.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Item {
    id: root

    required property App app
    required property Item map // the grid
    required property Item slider // the timeline, below the grid
    readonly property Inspector inspector: app.inspector
    property int step: -1 // -1: there is no first look now
    readonly property bool active: step >= 0
    property bool moved: false // the card may have another place, which layouts give it before the next picture
    readonly property var shown: steps[Math.min(step, steps.length - 1)] ?? null // the step; null if there is none
    readonly property string part: shown?.part ?? ""
    readonly property int framed: shown?.framed ?? ExpertMap.Nothing // in the grid
    readonly property bool nothingToSee: inspector.condition === Inspector.Nothing || inspector.condition === Inspector.NotTraced || inspector.condition === Inspector.NoModel
    // Only the grid of places is there without an answer.
    readonly property string words: nothingToSee && shown?.mode !== ActivityGrid.Store ? qsTr("The first look needs an answer to explain.") : shown?.words ?? ""
    readonly property bool dense: inspector.dense
    readonly property var steps: dense ? stepsOfLayers : stepsOfExperts
    readonly property var stepsOfExperts: [
        {
            part: "grid",
            framed: ExpertMap.Row,
            mode: ActivityGrid.Now,
            words: qsTr("Each row is a layer of the model. Every word passes through all rows, from first to last.")
        },
        {
            part: "grid",
            framed: ExpertMap.Cell,
            mode: ActivityGrid.Now,
            words: qsTr("Each cell is an expert, a small network. For every token, a word or a piece of one, the model chooses a few per row: the coloured ones.")
        },
        {
            part: "timeline",
            mode: ActivityGrid.Now,
            words: qsTr("Move this slider or press play: each token takes another route.")
        },
        {
            part: "grid",
            mode: ActivityGrid.Reply,
            words: qsTr("This is the whole answer. Stronger colour: more tokens used the expert. Select a cell to see which words it worked on.")
        },
        {
            part: "grid",
            mode: ActivityGrid.Store,
            words: qsTr("This shows where experts are now. One on disk is read when a token needs it.")
        },
        {
            part: "figures",
            mode: ActivityGrid.Reply,
            words: qsTr("What the answer cost. Each question mark explains its figure.")
        }
    ]
    readonly property var stepsOfLayers: [
        {
            part: "grid",
            framed: ExpertMap.Row,
            mode: ActivityGrid.Now,
            words: qsTr("Each cell is a layer of the model. Every token, a word or a piece of one, passes through all of them.")
        },
        {
            part: "timeline",
            mode: ActivityGrid.Now,
            words: qsTr("Move this slider or press play to go through the answer. Stronger colour: the layer waited longer for the disk.")
        },
        {
            part: "grid",
            mode: ActivityGrid.Store,
            words: qsTr("This shows where layers are now. One on disk is read when a token needs it.")
        },
        {
            part: "figures",
            mode: ActivityGrid.Now,
            words: qsTr("What the answer cost. Each question mark explains its figure.")
        }
    ]

    function begin(): void {
        toMiddle();
        app.settings.firstLookTaken = true;
        go(0);
        next.forceActiveFocus(Qt.OtherFocusReason);
    }
    function go(to: int): void {
        step = to < steps.length ? to : -1;
        if (!active)
            return;
        showView();
        spoken.say(words);
    }
    // A token in the middle says more than the full stop at the end.
    function toMiddle(): void {
        if (inspector.condition === Inspector.Ready && !inspector.live)
            inspector.timeline.position = Math.floor((inspector.timeline.answerBegins + inspector.timeline.last) / 2);
    }
    // Shows what the words are about: a view of one answer, not a comparison.
    function showView(): void {
        inspector.comparison.against = AnswerComparison.None;
        inspector.grid.mode = shown.mode;
    }
    // An answer that ends during the first look changes the view and the position, unless the user chose a position.
    function takeAnswer(): void {
        if (!active || !inspector.timeline.following)
            return;
        toMiddle();
        showView();
    }

    // Scrolls to the card, and to the grid above it if the slider below it moves something there.
    function follow(): void {
        for (let up = root.parent; up && active; up = up.parent) {
            if (up instanceof ScrollColumn)
                up.toTop(part === "timeline" && up.holds(map, slider) ? map : root);
        }
    }

    implicitHeight: active ? card.implicitHeight : 0
    visible: active
    onDenseChanged: {
        // Another model has other steps.
        if (active)
            go(Math.min(step, steps.length - 1));
    }
    onStepChanged: moved = true

    Rectangle {
        anchors.fill: parent
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
    ColumnLayout {
        id: card

        anchors.left: parent.left
        anchors.right: parent.right
        spacing: Style.small

        SmallText {
            Layout.leftMargin: Style.medium
            Layout.topMargin: Style.medium
            text: qsTr("Step %1 of %2").arg(root.step + 1).arg(root.steps.length)
        }
        BodyText {
            Layout.fillWidth: true
            Layout.leftMargin: Style.medium
            Layout.rightMargin: Style.medium
            text: root.words
            wrapMode: Text.Wrap
        }
        PushButton {
            Layout.leftMargin: Style.medium
            text: root.inspector.condition === Inspector.NoModel ? qsTr("Open the demo model") : qsTr("Let the model tell a short story")
            visible: root.nothingToSee && (root.inspector.condition !== Inspector.NoModel || root.app.models.demoOffered) && (root.inspector.condition === Inspector.NoModel || root.app.conversation.canSend)
            onClicked: {
                if (root.inspector.condition === Inspector.NoModel)
                    root.app.models.openDemo();
                else
                    root.app.conversation.send(qsTr("Tell me a short story about a fox."));
            }
        }
        Flow {
            Layout.bottomMargin: Style.medium
            Layout.fillWidth: true
            Layout.leftMargin: Style.medium
            Layout.rightMargin: Style.medium
            spacing: Style.small

            PushButton {
                id: next

                kind: "primary"
                text: root.step + 1 < root.steps.length ? qsTr("Next") : qsTr("Done")
                onClicked: root.go(root.step + 1)
            }
            PushButton {
                text: qsTr("Back")
                visible: root.step > 0
                onClicked: root.go(root.step - 1)
            }
            PushButton {
                kind: "quiet"
                text: qsTr("End")
                visible: root.step + 1 < root.steps.length
                onClicked: root.go(root.steps.length)
            }
        }
    }
    Announcement {
        id: spoken
    }
    Connections {
        function onConditionChanged() {
            Qt.callLater(root.takeAnswer); // qmllint disable
        }

        enabled: root.active
        target: root.inspector
    }
    Connections {
        function onAfterAnimating() {
            root.moved = false;
            root.follow();
        }

        enabled: root.moved
        target: root.Window.window
    }
}
