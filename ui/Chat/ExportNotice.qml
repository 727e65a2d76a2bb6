// SPDX-License-Identifier: Apache-2.0
// Says what comes of the export of one chat where the chat is read: it asks whether a file is to be replaced, and shows
// the result for a while, or the error. The page of exports says it of all jobs.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property ChatExchange exchange
    readonly property bool alone: exchange.chat !== 0 // qmllint disable
    readonly property bool asking: alone && exchange.state === ChatExchange.Asking

    signal closed // the button that had the focus is gone

    function ask(): void {
        if (!asking || !visible)
            return;
        Announcer.announce(question);
        keep.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function dismiss(): void {
        exchange.dismiss();
        closed();
    }

    onAskingChanged: Qt.callLater(ask) // qmllint disable

    Rectangle {
        id: question

        Accessible.name: words.text
        Accessible.role: Accessible.AlertMessage
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        height: inside.implicitHeight + 2 * Style.medium
        radius: Style.corner
        visible: root.asking
        width: root.width

        Column {
            id: inside

            anchors.left: parent.left
            anchors.margins: Style.medium
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            spacing: Style.small

            BodyText {
                id: words

                Accessible.ignored: true // it is the question's name
                text: qsTr("There is a file %1 already. Replace it?").arg(NameText.isolated(root.exchange.file))
                width: parent.width
                wrapMode: Text.Wrap
            }
            Flow {
                spacing: Style.small
                width: parent.width

                PushButton {
                    text: qsTr("Replace the file")
                    onClicked: {
                        root.exchange.replaceFile();
                        root.closed();
                    }
                }
                PushButton {
                    id: keep

                    text: qsTr("Keep the file")
                    onClicked: root.dismiss()
                }
            }
        }
    }
    NoticeBar {
        action: qsTr("Close")
        anchors.horizontalCenter: parent.horizontalCenter
        visible: root.alone && root.exchange.state === ChatExchange.Done
        width: Math.min(implicitWidth, root.width)
        words: qsTr("%1 It is in %2.", "the result of an export, its file").arg(root.exchange.result).arg(NameText.isolated(root.exchange.file))
        onActed: root.dismiss()
        onOver: root.exchange.dismiss()
    }
    ErrorCard {
        action: root.exchange.error.action
        dismissable: true
        visible: root.alone && root.exchange.state === ChatExchange.Failed && root.exchange.error.valid
        what: root.exchange.error.what
        why: root.exchange.error.why
        width: root.width
        onDismissed: root.dismiss()
    }
}
