// SPDX-License-Identifier: Apache-2.0
// The prompts that wait for their turn, above the composer, and a line that says when they will be sent, or why not. The
// prompts scroll above that line. If the line would leave no room for them, it scrolls with them.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Item {
    id: root

    required property QueuedPrompts queue
    required property bool busy // an answer of the chat is being written, or the model is being opened
    property real most: Infinity // the height that there is for it; without any, nothing of it is shown
    readonly property bool low: most < line.implicitHeight + Style.tiny + Style.control
    readonly property real besideBar: width + Style.tiny + Style.scrollBar // the bars are beside the prompts

    signal fieldWanted // the control that had the focus goes away: the composer's field should have it

    implicitHeight: Math.min(rows.implicitHeight, Style.composerMax) + Style.tiny + line.implicitHeight

    ScrollArea {
        clip: root.low
        contentHeight: root.low ? list.height + Style.tiny + line.height : height
        height: root.height
        interactive: root.low
        visible: root.most > 0
        width: root.besideBar

        ScrollArea {
            id: list

            Accessible.name: qsTr("Waiting messages")
            Accessible.role: Accessible.List
            contentHeight: rows.implicitHeight
            height: root.low ? contentHeight : Math.max(0, root.height - Style.tiny - line.height)
            interactive: contentHeight > height
            width: root.besideBar

            Column {
                id: rows

                spacing: Style.tiny
                width: root.width

                Repeater {
                    model: root.queue

                    QueuedPrompt {
                        id: prompt

                        width: rows.width
                        onCancelWanted: {
                            root.queue.remove(prompt.index);
                            root.fieldWanted();
                        }
                        onEditWanted: {
                            root.queue.edit(prompt.index);
                            root.fieldWanted();
                        }
                    }
                }
            }
        }
        RowLayout {
            id: line

            anchors.top: list.bottom
            anchors.topMargin: Style.tiny
            spacing: Style.small
            width: root.width

            SmallText {
                Layout.fillWidth: true
                horizontalAlignment: Text.AlignRight
                text: root.queue.stateText
                wrapMode: Text.Wrap
            }
            PushButton {
                text: root.busy ? qsTr("Send next") : qsTr("Send now")
                visible: root.queue.held || !root.busy
                onClicked: {
                    root.queue.sendNext();
                    root.fieldWanted();
                }
            }
        }
    }
}
