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
    // Only the grid of places is there without an answer. Until there is one, no step leads to another.
    readonly property bool needsAnswer: nothingToSee && shown?.mode !== ActivityGrid.Store
    readonly property string words: !needsAnswer ? shown?.words ?? "" : inspector.live && inspector.condition === Inspector.Nothing ? qsTr("The first look goes on with the first word of this answer.") : qsTr("The first look needs an answer to explain.")
    readonly property bool dense: inspector.dense
    readonly property var steps: dense ? stepsOfLayers : stepsOfExperts
    readonly property var stepsOfExperts: [
        {
            part: "grid",
            framed: ExpertMap.Row,
            mode: ActivityGrid.Now,
            words: qsTr("Each row is a layer of the model. Every token, a word or a piece of one, passes through all rows, from first to last.")
        },
        {
            part: "grid",
            framed: ExpertMap.Cell,
            mode: ActivityGrid.Now,
            words: qsTr("Each cell is an expert, a small network. For every token the model chooses a few per row: the coloured ones.")
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
            words: qsTr("Move this slider or press play to go through the answer. A layer has a colour only if it waited for the disk: the longer it waited, the stronger.")
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

    signal ended

    function begin(): void {
        toMiddle();
        app.settings.firstLookTaken = true;
        go(0);
        focusButton();
    }
    // The focus is on the button with which the look goes on. While there is none, the card keeps it, so that a key does
    // nothing else.
    function focusButton(): void {
        if (!needsAnswer)
            next.forceActiveFocus(Qt.OtherFocusReason);
        else if (write.visible)
            write.forceActiveFocus(Qt.OtherFocusReason);
        else
            root.forceActiveFocus(Qt.OtherFocusReason);
    }
    function refocus(): void {
        if (active && activeFocus)
            focusButton();
    }
    function go(to: int): void {
        const before = part;
        step = to < steps.length ? to : -1;
        if (before && part !== before)
            guard.begin();
        if (!active) {
            ended();
            return;
        }
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

    // Scrolls to the card, and to the grid above it if the slider below it moves something there: to as much of a tall
    // grid as there is room for.
    function follow(): void {
        for (let up = root.parent; up && active; up = up.parent) {
            if (!(up instanceof ScrollColumn))
                continue;
            const moves = part === "timeline" && up.holds(root, slider);
            if (moves && !up.holds(map, slider))
                up.toBottom(slider);
            else
                up.toTop(moves ? map : root);
        }
    }

    Accessible.focusable: activeFocus
    Accessible.name: words
    Accessible.role: Accessible.Grouping
    implicitHeight: active ? card.implicitHeight : 0
    visible: active
    onNeedsAnswerChanged: Qt.callLater(root.refocus) // qmllint disable
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

        FocusRing {
            shown: root.activeFocus
        }
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
        Flow {
            Layout.bottomMargin: Style.medium
            Layout.fillWidth: true
            Layout.leftMargin: Style.medium
            Layout.rightMargin: Style.medium
            spacing: Style.small

            PushButton {
                id: write

                readonly property bool opens: root.inspector.condition === Inspector.NoModel

                kind: "primary"
                text: opens ? qsTr("Open the demo model") : qsTr("Let the model tell a short story")
                visible: root.needsAnswer && (opens ? root.app.models.demoOffered && root.app.models.state !== ModelController.Opening : root.app.conversation.canSend)
                width: Math.min(implicitWidth, parent.width)
                onClicked: {
                    root.forceActiveFocus(Qt.OtherFocusReason); // before this button goes away
                    if (opens)
                        root.app.models.openDemo();
                    else
                        root.app.conversation.send(qsTr("Tell me a short story about a fox."));
                }
                onActiveFocusChanged: {
                    if (!activeFocus && !visible && root.visible)
                        root.forceActiveFocus(Qt.OtherFocusReason);
                }
                onVisibleChanged: Qt.callLater(root.refocus) // qmllint disable
            }
            PushButton {
                id: next

                kind: "primary"
                text: root.step + 1 < root.steps.length ? qsTr("Next") : qsTr("Done")
                visible: !root.needsAnswer
                onClicked: root.go(root.step + 1)
                onPressed: guard.note(next)
            }
            PushButton {
                id: back

                text: qsTr("Back")
                visible: !root.needsAnswer && root.step > 0
                onClicked: root.go(root.step - 1)
                onPressed: guard.note(back)
            }
            PushButton {
                id: end

                kind: "quiet"
                text: qsTr("End")
                visible: root.needsAnswer || root.step + 1 < root.steps.length
                onClicked: root.go(root.steps.length)
                onPressed: guard.note(end)
            }
        }
    }
    // The card goes elsewhere with some steps, and away with the last one. The second press of a double click is not for the
    // part that is under the pointer then.
    SecondPress {
        id: guard

        parent: root.Window.contentItem
        spared: root
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
