// SPDX-License-Identifier: Apache-2.0
// The page that the window shows while the bundled demo model is open and the chat is empty: what the model is,
// questions to begin with, and the way to a larger model.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

StartPage {
    id: root

    required property Conversation conversation
    required property ModelController models
    readonly property var questions: [qsTr("What is an expert cache?"), qsTr("How do I open a model?"), qsTr("What is 7 times 8?"), qsTr("Tell me a short story about a fox.")]

    signal asked
    signal openWanted

    // In a low window, the questions and buttons need the room more than the mark does.
    markShown: height >= Style.markRoom

    TitleText {
        Layout.fillWidth: true
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Try the demo model")
        wrapMode: Text.Wrap
    }
    BodyText {
        Layout.fillWidth: true
        color: Style.theme.quiet
        horizontalAlignment: Text.AlignHCenter
        lineHeight: Style.bodyLineFactor
        text: qsTr("This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.")
        wrapMode: Text.Wrap
    }
    GridLayout {
        id: grid

        property real widest: 0 // implicit width of the widest button

        Layout.fillWidth: true
        columnSpacing: Style.small
        columns: 2 * widest + columnSpacing <= width ? 2 : 1
        // Not in the buttons: a Repeater's items outlive the page for a moment, in which the conversation still changes.
        enabled: root.conversation.canSend
        rowSpacing: Style.small

        Repeater {
            model: root.questions.length // so that a new language changes the texts and makes no new buttons

            PushButton {
                required property int index
                readonly property string question: root.questions[index]

                Accessible.description: qsTr("Ask the demo model")
                Layout.fillWidth: true
                Layout.preferredWidth: grid.widest
                horizontalPadding: Style.small
                text: question
                onClicked: {
                    // If the question is not accepted, the line below the composer says why.
                    if (root.conversation.send(question))
                        root.asked();
                }
                onImplicitWidthChanged: grid.widest = Math.max(grid.widest, implicitWidth)
            }
        }
    }
    BodyText {
        Layout.fillWidth: true
        Layout.topMargin: Style.small
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("For everything else, open a larger model:")
        wrapMode: Text.Wrap
    }
    ModelOffer {
        id: offer

        Layout.fillWidth: true
        models: root.models
        onOpenWanted: root.openWanted()
    }
    StartFacts {
        Layout.fillWidth: true
        visible: offer.known.length === 0 // a user who has opened a model knows these facts
    }
}
