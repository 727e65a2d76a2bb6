// SPDX-License-Identifier: Apache-2.0
// Says what has no room in the context, and offers what helps: ContextView decides both. It is the one card for that,
// above the composer, whether it is about the next message, one that was sent or edited, or an answer. Nothing is left
// out by itself. In a low window it is in the popup of NoRoomButton.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Rectangle {
    id: root

    required property ContextView context
    property bool framed: true // otherwise its popup has a frame
    readonly property string words: context.words

    signal chosen // one of its buttons, whose action comes next

    function announce(): void {
        if (visible && words)
            Announcer.announce(root);
    }

    Accessible.name: words
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.mark
    border.width: framed ? Style.hairline : 0
    color: Style.theme.surface
    implicitHeight: row.implicitHeight + 2 * Style.small
    radius: Style.corner

    onVisibleChanged: Qt.callLater(announce) // qmllint disable
    onWordsChanged: Qt.callLater(announce) // qmllint disable

    RowLayout {
        id: row

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.small
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.small

        ColumnLayout {
            spacing: Style.small

            BodyText {
                Accessible.ignored: true // it is the card's name
                Layout.fillWidth: true
                text: root.words
                wrapMode: Text.Wrap
            }
            Flow {
                Layout.fillWidth: true
                spacing: Style.small
                visible: Array.from(root.context.actions).length > 0

                // The buttons stay while others come and go: one of them may have the focus.
                Repeater {
                    model: [ContextView.LeaveOutOldest, ContextView.LargerContext, ContextView.ShortenMessage, ContextView.RemoveFile, ContextView.NewChat]

                    PushButton {
                        required property int modelData

                        enabled: !root.context.searching
                        text: root.context.actionText(modelData)
                        visible: Array.from(root.context.actions).includes(modelData)
                        onClicked: {
                            root.chosen();
                            root.context.act(modelData);
                        }
                    }
                }
            }
        }
        CardCross {
            Layout.alignment: Qt.AlignTop
            card: root
            text: qsTr("Dismiss")
            visible: root.context.dismissable
            onClicked: {
                root.chosen();
                root.context.dismiss();
            }
        }
    }
}
