// SPDX-License-Identifier: Apache-2.0
// The page that the window shows while the bundled demo model is open and the chat is empty: what the model is,
// questions to begin with, a look at its experts, and the way to a larger model.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

StartPage {
    id: root

    required property Conversation conversation
    required property ModelController models
    readonly property string story: qsTr("Tell me a short story about a fox.")
    readonly property var questions: [qsTr("What is an expert cache?"), qsTr("How do I open a model?"), qsTr("What is 7 times 8?"), story]
    readonly property bool firstTime: !Array.from(models.recent).some(entry => entry.exists)

    signal asked
    signal openWanted
    signal lookWanted // at what the experts do

    function ask(question: string): bool {
        // If the question is not accepted, the line below the composer says why.
        const sent = conversation.send(question);
        if (sent)
            asked();
        return sent;
    }

    widest: Style.pageWidth

    TitleText {
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Try the demo model")
        width: parent.width
        wrapMode: Text.Wrap
    }
    BodyText {
        color: Style.theme.quiet
        horizontalAlignment: Text.AlignHCenter
        lineHeight: Style.bodyLineFactor
        text: qsTr("This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.")
        width: parent.width
        wrapMode: Text.Wrap
    }
    GridLayout {
        id: grid

        // Implicit width of the widest card, which may get narrower.
        readonly property real widest: {
            let most = 0;
            for (let i = 0; i < cards.count; ++i)
                most = Math.max(most, cards.itemAt(i)?.implicitWidth ?? 0);
            return most;
        }

        columnSpacing: Style.medium
        columns: 2 * widest + columnSpacing <= width ? 2 : 1
        // Not in the cards: a Repeater's items outlive the page for a moment, in which the conversation still changes.
        enabled: root.conversation.canSend
        rowSpacing: Style.medium
        width: parent.width

        Repeater {
            id: cards

            model: root.questions.length // so that a new language changes the texts and makes no new cards

            PushButton {
                required property int index
                readonly property string question: root.questions[index]

                Accessible.description: qsTr("Ask the demo model")
                Layout.fillWidth: true
                Layout.preferredWidth: grid.widest
                kind: "card"
                text: question
                onClicked: root.ask(question)
            }
        }
        PushButton {
            Accessible.description: qsTr("The demo model tells a story, and you watch what happens inside")
            Layout.columnSpan: grid.columns
            Layout.fillWidth: true
            iconName: "cube"
            kind: "card"
            text: qsTr("See the experts work")
            onClicked: {
                if (root.ask(root.story))
                    root.lookWanted();
            }
        }
    }
    RowLayout {
        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.tiny
        width: Math.min(implicitWidth, parent.width)

        PushButton {
            focus: true
            horizontalPadding: Style.small
            iconName: "folder"
            kind: "quiet"
            text: qsTr("Open a model\u2026")
            onClicked: root.openWanted()
        }
        SmallText {
            Layout.fillWidth: true
            text: qsTr("or drop a .gguf file anywhere on this window")
            wrapMode: Text.Wrap
        }
    }
    StartFacts {
        visible: root.firstTime // a user who has opened a model knows these facts
        width: parent.width
    }
}
