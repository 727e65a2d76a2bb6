// SPDX-License-Identifier: Apache-2.0
// The prompts that wait for their turn, above the composer, and a line that says when they will be sent, or why not.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property QueuedPrompts queue
    required property bool busy // an answer of the chat is being written, or the model is being opened

    signal fieldWanted // the control that had the focus goes away: the composer's field should have it

    spacing: Style.tiny

    ListView {
        id: list

        Accessible.name: qsTr("Waiting messages")
        Accessible.role: Accessible.List
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        height: Math.min(contentHeight, Style.composerMax)
        model: root.queue
        spacing: Style.tiny
        width: parent.width

        delegate: QueuedPrompt {
            width: list.width
            onCancelWanted: {
                root.queue.remove(index);
                root.fieldWanted();
            }
            onEditWanted: {
                root.queue.edit(index);
                root.fieldWanted();
            }
        }
    }
    RowLayout {
        spacing: Style.small
        width: parent.width

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
