// SPDX-License-Identifier: Apache-2.0
// One message: the user's in a quiet bubble at the right, an answer as plain text in the full text width, an error
// below the message that it belongs to. Only the parts that a message needs are made, because a list has many messages.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Item {
    id: root

    required property int index
    // Roles of MessageModel. They are not properties of their own: `state` and `text` would hide properties of Item and
    // its subclasses.
    required property var model
    property string progress: "" // name of the current step while the answer is being written
    property bool latest: true // the last message; the figures of the others appear under the pointer or the focus
    property bool made: false // an error that comes later is announced

    readonly property bool fromUser: model.role === "user"
    readonly property string condition: model.state
    readonly property bool streaming: condition === "streaming"
    readonly property bool reading: body.activeFocus
    readonly property bool pointed: hover.hovered
    // Lines below the figures: reads from disk, less exact routing, a lost device.
    readonly property var remarks: [model.disk, model.exactness, model.notes].filter(words => words)
    readonly property real measure: Math.min(width - 2 * Style.wide, Style.measure)

    signal copyWanted(var messageId)
    signal inspectWanted(var messageId)
    signal tokenClicked(var messageId, int token)
    // The message between these heights should be in view.
    signal placeWanted(real top, real bottom)

    // Selects the next block of the text, or with step -1 the one before. Returns false if there is none.
    function selectBlock(step: int): bool {
        return body.selectBlock(step);
    }

    Accessible.name: streaming ? qsTr("The answer is being written") : (fromUser ? qsTr("You: %1") : qsTr("Answer: %1")).arg(model.text)
    Accessible.role: Accessible.ListItem
    implicitHeight: column.implicitHeight + Style.large

    Component.onCompleted: made = true

    HoverHandler {
        id: hover
    }
    Column {
        id: column

        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.tiny
        topPadding: Style.tiny
        width: root.measure

        Item {
            id: place

            readonly property real inset: root.fromUser ? Style.large : 0
            readonly property real margin: root.fromUser ? Style.small : 0

            height: body.height + 2 * margin
            width: parent.width

            Rectangle {
                id: bubble

                anchors.right: parent.right
                color: Style.theme.bubble
                height: parent.height
                radius: Style.corner
                visible: root.fromUser
                width: body.width + 2 * place.inset
            }
            MessageBody {
                id: body

                document: root.model.document
                room: root.fromUser ? root.measure * Style.bubbleShare - 2 * place.inset : root.measure
                width: root.fromUser ? implicitWidth : room
                x: root.fromUser ? place.width - width - place.inset : 0
                y: place.margin
                onTokenClicked: token => root.tokenClicked(root.model.messageId, token)
                onFocusedByKeyChanged: {
                    if (focusedByKey)
                        root.placeWanted(0, root.height);
                }
                onPlaceWanted: wanted => {
                    const top = mapToItem(root, wanted.x, wanted.y).y;
                    root.placeWanted(top, top + wanted.height);
                }
            }
            Optional {
                wanted: root.fromUser

                CopyButton {
                    // It is at the left of the bubble, so that the answer follows directly below. It keeps its place
                    // while it is hidden, so that nothing moves under the pointer.
                    anchors.right: bubble.left
                    anchors.rightMargin: Style.tiny
                    opacity: hover.hovered || activeFocus ? 1 : 0
                    onClicked: root.copyWanted(root.model.messageId)
                }
            }
        }
        Optional {
            wanted: !root.fromUser && (!root.streaming || root.progress !== "")

            RowLayout {
                // It keeps its place while it is hidden, so that nothing moves under the pointer.
                opacity: root.latest || root.streaming || root.condition === "stopped" || root.pointed || root.reading || copy.activeFocus || inspect.activeFocus ? 1 : 0
                spacing: Style.small
                width: column.width

                CopyButton {
                    id: copy

                    Layout.leftMargin: -Style.tiny
                    visible: !root.streaming
                    onClicked: root.copyWanted(root.model.messageId)
                }
                IconButton {
                    id: inspect

                    compact: true
                    iconName: "cube"
                    text: qsTr("Show what the experts did")
                    visible: !root.streaming
                    onClicked: root.inspectWanted(root.model.messageId)
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
                    text: (root.latest ? [root.model.statistics] : [root.model.statistics, ...root.remarks]).join(" \u00b7 ")
                    visible: text
                }
                Item {
                    Layout.fillWidth: true
                }
            }
        }
        SmallText {
            leftPadding: Style.controlSmall - Style.tiny + Style.small // aligned with the statistics above
            text: root.remarks.join("\n")
            topPadding: -Style.tiny
            visible: root.latest && text
            width: parent.width
            wrapMode: Text.Wrap
        }
        Optional {
            wanted: root.model.errorWhat !== "" // the answer failed or filled the context

            ErrorCard {
                action: root.model.errorAction
                what: root.model.errorWhat
                why: root.model.errorWhy
                width: column.width

                Component.onCompleted: {
                    if (root.made)
                        announceSoon();
                }
            }
        }
    }
}
