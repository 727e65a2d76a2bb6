// SPDX-License-Identifier: Apache-2.0
// Shows the model at work: what its experts did for an answer, what that cost, and where the open model's experts are.
// The pane and the page of the model's activity show this. A page in two columns has the answer's text and the figures at
// the left of its grid, one in three columns the text at the left of it and the figures at the right. It is placed by
// positioners and by numbers: layouts in layouts give up in Qt 6.4 before every wrapped text has its height, and parts lie
// on each other.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Models
import Coterie.Style

Item {
    id: root

    required property App app
    required property color behind // the colour of what is behind the view
    property int mostColumns: 1 // so many have room
    property bool ready: false // there is an answer, or the next one is about to take its place
    readonly property int columns: Math.min(mostColumns, ready ? 3 : 2) // without an answer there is no text
    // The first headings of all columns stand on one line, that of the button beside one of them.
    readonly property real headingTop: Math.round((Style.control - Style.bodyMetrics.height) / 2)
    // The height of the answer's text above the figures, which follow a short text. It stays while an answer is written, also
    // until the reader turns to another answer or leaves the view.
    property real textHeight: Style.answerHeight
    property bool keepsHeight: false
    property var fitted: 0 // the answer for which it was chosen
    readonly property real columnWidth: (width - (columns - 1) * Style.wide) / columns

    signal lookEnded // the first look

    // The parts stay until the next answer has its first token, or is read: it has no record before the engine begins with
    // it. Called when all changes of an event are done, because between two answers there is none for a moment.
    function follow(): void {
        const condition = app.inspector.condition;
        const comes = app.inspector.live || app.conversation.busy || condition === Inspector.Finding;
        ready = condition === Inspector.Ready || (ready && comes);
    }
    // Called when all changes of an event are done, as follow() is.
    function fitText(): void {
        const written = app.inspector.live || app.conversation.busy;
        const message = app.inspector.messageId; // qmllint disable
        if (visible && written)
            keepsHeight = true;
        else if (!visible || message !== fitted)
            keepsHeight = false;
        fitted = message;
        if (!keepsHeight)
            textHeight = written ? Style.answerHeight : Math.max(Style.answerLeast, Math.min(Style.answerHeight, words.needed));
    }
    function takeFirstLook(): void {
        tour.begin();
    }

    function columnX(column: int): real {
        return column * (columnWidth + Style.wide);
    }

    implicitHeight: Math.max(words.visible ? words.height : 0, experts.y + experts.height, costs.y + costs.height)

    Component.onCompleted: {
        follow();
        fitText();
    }
    onVisibleChanged: Qt.callLater(root.fitText) // qmllint disable

    Connections {
        function onConditionChanged() {
            Qt.callLater(root.follow); // qmllint disable
            Qt.callLater(root.fitText); // qmllint disable
        }
        function onMessageChanged() {
            Qt.callLater(root.fitText); // qmllint disable
        }

        target: root.app.inspector
    }
    Connections {
        function onStateChanged() {
            Qt.callLater(root.follow); // qmllint disable
            Qt.callLater(root.fitText); // qmllint disable
        }

        target: root.app.conversation
    }
    AnswerText {
        id: words

        headingTop: root.headingTop
        height: root.columns === 3 ? experts.height : root.textHeight
        inspector: root.app.inspector
        visible: root.columns > 1 && root.ready
        width: root.columnWidth
        onNeededChanged: Qt.callLater(root.fitText) // qmllint disable
    }
    Column {
        id: experts

        spacing: Style.medium
        width: root.columnWidth
        x: words.visible ? root.columnX(1) : 0

        RowLayout {
            spacing: Style.small
            width: parent.width

            PartHeading {
                id: heading

                readonly property string answer: root.app.inspector.answerHeading
                property string last: "" // it stays until the next answer is there

                Layout.alignment: Qt.AlignTop
                Layout.fillWidth: true
                text: answer || (root.ready && last) || (root.app.inspector.dense ? qsTr("Layers") : qsTr("Experts"))
                topPadding: again.visible || root.columns > 1 ? root.headingTop : 0
                onAnswerChanged: {
                    if (answer)
                        last = answer;
                }
            }
            PushButton {
                id: again

                Layout.alignment: Qt.AlignTop
                kind: "quiet"
                text: qsTr("Take a first look")
                visible: !tour.active && root.app.settings.firstLookTaken
                onClicked: tour.begin()
            }
        }
        PushButton {
            id: first

            iconName: "play"
            text: qsTr("Take a first look")
            visible: !tour.active && !root.app.settings.firstLookTaken
            width: Math.min(implicitWidth, parent.width)
            onClicked: tour.begin()
        }
        CardPlace {
            id: upper
        }
        ExpertsView {
            id: parts

            behind: root.behind
            explained: tour.part
            framed: tour.framed
            inspector: root.app.inspector
            ready: root.ready
            width: parent.width
        }
    }
    Column {
        id: costs

        spacing: Style.medium
        width: root.columnWidth
        x: root.columns === 2 && root.ready ? 0 : root.columnX(root.columns - 1)
        y: {
            if (root.columns === 1)
                return experts.height + Style.medium;
            if (root.columns === 2 && root.ready)
                return words.height + Style.wide;
            return root.headingTop - (root.ready ? Style.small : 0); // a section has that above its heading
        }

        CardPlace {
            id: lower
        }
        RunningAnswers {
            id: running

            app: root.app
        }
        AnswerFigures {
            busy: running.any
            explained: tour.part
            inspector: root.app.inspector
            visible: root.ready
            width: parent.width
        }
        HairLine {
            visible: root.ready || root.columns === 1 // something is above it
            width: parent.width
        }
        PartHeading {
            text: root.app.inspector.charts.modelHeading || qsTr("Memory")
            width: parent.width
        }
        SmallText {
            color: Style.theme.text
            text: qsTr("Coterie uses %1.").arg(Units.size(memory.used))
            width: parent.width
            wrapMode: Text.Wrap
        }
        StackedGauge {
            parts: memory.ours
            whole: memory.most
            width: parent.width
        }
        MemoryPanel {
            id: memory

            memory: root.app.memory
            width: parent.width
        }
        FigureRows {
            rows: root.app.inspector.charts.modelFigures
            width: parent.width
        }
        // The last part, because its sentences have other lengths while an answer is written.
        ExpertPanel {
            experts: root.app.experts
            width: parent.width
        }
    }

    // The card stands above the part that it explains.
    FirstLook {
        id: tour

        app: root.app
        map: parts.map
        onEnded: {
            root.lookEnded();
            // The focus stays where the look was. KeyFocus decides whether it is seen.
            (again.visible ? again : first).forceActiveFocus(Qt.OtherFocusReason);
        }
        parent: part === "figures" ? lower : part === "timeline" ? parts.aboveTimeline : upper
        slider: parts.timeline
        width: parent.width
    }

    component CardPlace: Item {
        width: parent?.width ?? 0
        implicitHeight: childrenRect.height
        visible: tour.active && tour.parent === this
    }
}
