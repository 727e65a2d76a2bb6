// SPDX-License-Identifier: Apache-2.0
// The end of the context: the conversation fills it, and the next message has no room. One button goes on without the
// oldest turns; nothing is left out by itself.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Rectangle {
    id: root

    required property ContextView context

    Accessible.name: words.text
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.mark
    border.width: Style.hairline
    color: Style.theme.surface
    implicitHeight: grid.implicitHeight + 2 * Style.small
    radius: Style.corner

    onVisibleChanged: {
        if (visible)
            Qt.callLater(Announcer.announce, root); // qmllint disable
    }

    GridLayout {
        id: grid

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.small
        anchors.verticalCenter: parent.verticalCenter
        columnSpacing: Style.medium
        columns: root.width > whole.needed + go.implicitWidth + Style.vast ? 2 : 1
        rowSpacing: Style.small

        BodyText {
            id: words

            Accessible.ignored: true // it is the card's name
            Layout.fillWidth: true
            text: qsTr("The context is full. Continue without the oldest turns, start a new chat, or allow a longer context.")
            wrapMode: Text.Wrap

            LineWidth {
                id: whole

                line: words
            }
        }
        PushButton {
            id: go

            enabled: !root.context.searching
            text: qsTr("Continue without the oldest turns")
            onClicked: root.context.leaveOutOldest()
        }
    }
}
