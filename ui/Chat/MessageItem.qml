// SPDX-License-Identifier: Apache-2.0
// One message: the user's in a quiet bubble at the right, an answer as plain text in the full text width, an error
// below the message that it belongs to.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Item {
    id: root

    // Roles of MessageModel. They are not properties of their own: `state` and `text` would hide properties of Item and
    // its subclasses.
    required property var model
    property string progress: "" // name of the current step while the answer is being written

    readonly property bool fromUser: model.role === "user"
    readonly property string condition: model.state
    readonly property bool streaming: condition === "streaming"
    readonly property real measure: Math.min(width - 2 * Style.wide, Style.measure)

    signal copyWanted(var messageId)

    Accessible.name: streaming ? qsTr("The answer is being written") : (fromUser ? qsTr("You: %1") : qsTr("Answer: %1")).arg(model.text)
    Accessible.role: Accessible.ListItem
    implicitHeight: column.implicitHeight + Style.large

    HoverHandler {
        id: hover
    }
    Column {
        id: column

        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.tiny
        topPadding: Style.tiny
        width: root.measure

        // The user's text. Its button is at its left, so that the answer follows directly below.
        Row {
            anchors.right: parent.right
            layoutDirection: Qt.RightToLeft
            spacing: Style.tiny
            visible: root.fromUser

            Rectangle {
                color: Style.theme.bubble
                height: said.implicitHeight + 2 * Style.small
                radius: Style.corner
                width: Math.min(Math.ceil(said.implicitWidth) + 2 * Style.large, root.measure * Style.bubbleShare)

                SelectableText {
                    id: said

                    anchors.left: parent.left
                    anchors.leftMargin: Style.large
                    anchors.right: parent.right
                    anchors.rightMargin: Style.large
                    anchors.verticalCenter: parent.verticalCenter
                    anchors.verticalCenterOffset: Style.lineSlack / 2
                    content: root.fromUser ? root.model.text : ""
                }
            }
            CopyButton {
                // The button keeps its place while it is hidden, so that nothing moves under the pointer.
                opacity: hover.hovered || activeFocus ? 1 : 0
                onClicked: root.copyWanted(root.model.messageId)
            }
        }
        AnswerBlocks {
            blocks: root.fromUser ? [] : root.model.blocks
            visible: !root.fromUser
            width: parent.width
        }
        RowLayout {
            id: footer

            spacing: Style.small
            visible: !root.fromUser && (!root.streaming || root.progress)
            width: parent.width

            CopyButton {
                Layout.leftMargin: -Style.tiny
                visible: !root.streaming
                onClicked: root.copyWanted(root.model.messageId)
            }
            Figures {
                Layout.topMargin: Style.tiny
                text: root.progress
                visible: root.streaming
            }
            SmallText {
                text: qsTr("Stopped")
                visible: root.condition === "stopped"
            }
            SmallText {
                Layout.fillWidth: true
                elide: Text.ElideRight
                text: root.model.statistics
                visible: text
            }
            Item {
                Layout.fillWidth: true
            }
        }
        Repeater {
            model: [root.model.disk, root.model.exactness, root.model.notes]

            SmallText {
                required property string modelData

                leftPadding: Style.controlSmall - Style.tiny + Style.small // aligned with the statistics above
                text: modelData
                topPadding: -Style.tiny
                visible: text
                width: column.width
                wrapMode: Text.Wrap
            }
        }
        ErrorCard {
            action: root.model.errorAction
            visible: root.model.errorWhat !== "" // the answer failed or filled the context
            what: root.model.errorWhat
            why: root.model.errorWhy
            width: parent.width
        }
    }
}
