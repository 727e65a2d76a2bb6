// SPDX-License-Identifier: Apache-2.0
// The question whether a tool that the model called may be run. Nothing is run before the user answers, unless the
// settings allow the tool always. Screen readers speak it when it appears.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Rectangle {
    id: root

    required property ToolRunner tools
    required property var chat // the chat that it stands in
    property real most: Infinity // the height that there is for it; without any, its buttons are hidden
    readonly property string words: tools.asking ? qsTr("The model asks to use: %1").arg(NameText.isolated(tools.title)) : qsTr("Running: %1").arg(NameText.isolated(tools.title))

    readonly property string details: tools.arguments

    // The user chose one of the buttons, which may be gone now.
    signal answered

    function announce(): void {
        if (visible && tools.asking)
            Announcer.announce(root);
    }

    Accessible.description: details
    Accessible.name: words
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.line
    border.width: Style.hairline
    color: Style.theme.surface
    implicitHeight: column.implicitHeight + 2 * Style.medium
    radius: Style.corner
    visible: tools.chat !== 0 && tools.chat === chat // qmllint disable

    onDetailsChanged: Qt.callLater(announce) // qmllint disable
    onVisibleChanged: Qt.callLater(announce) // qmllint disable
    onWordsChanged: Qt.callLater(announce) // qmllint disable

    // With large texts in a low window, not all of it is in view.
    ScrollArea {
        anchors.fill: parent
        contentHeight: Math.floor(column.implicitHeight + 2 * Style.medium) // layouts round
        visible: root.most > 0

        ColumnLayout {
            id: column

            anchors.left: parent.left
            anchors.margins: Style.medium
            anchors.right: parent.right
            spacing: Style.small
            y: Style.medium

            BodyText {
                Accessible.ignored: true // it is the card's name
                Layout.fillWidth: true
                font.weight: Style.medWeight
                text: root.words
                wrapMode: Text.Wrap
            }
            SmallText {
                Accessible.ignored: true // it is the card's description
                Layout.fillWidth: true
                color: Style.theme.text
                font.family: Style.fixedFamily
                text: root.details
                textFormat: Text.PlainText
                visible: text
                wrapMode: Text.Wrap
            }
            // The buttons take two lines if one is too short.
            Flow {
                Layout.fillWidth: true
                spacing: Style.small

                Answer {
                    kind: "primary"
                    text: qsTr("Allow once")
                    visible: root.tools.asking
                    onChosen: root.tools.allow(false)
                }
                Answer {
                    text: qsTr("Always allow")
                    visible: root.tools.asking
                    onChosen: root.tools.allow(true)
                }
                Answer {
                    text: qsTr("Not now")
                    visible: root.tools.asking
                    onChosen: root.tools.refuse(false)
                }
                Answer {
                    text: qsTr("Never")
                    visible: root.tools.asking
                    onChosen: root.tools.refuse(true)
                }
                Answer {
                    kind: "quiet"
                    text: qsTr("Stop")
                    onChosen: root.tools.stop()
                }
            }
        }
    }
    // The question about the next call may have come to the place of the button. A double click is no answer to it.
    SecondPress {
        id: guard

        parent: root.Window.contentItem
    }

    component Answer: PushButton {
        id: button

        signal chosen

        onClicked: {
            guard.begin();
            chosen();
            root.answered();
        }
        onPressed: guard.note(button)
    }
}
