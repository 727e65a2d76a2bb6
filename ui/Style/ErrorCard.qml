// SPDX-License-Identifier: Apache-2.0
// An error in three parts: what happened, why, what to do. `actions` holds buttons, if any helps. Screen readers speak a
// card that appears or gets other words. Its root is no Control, because a bare Control of Qt 6.4 loses its role.
import QtQuick
import QtQuick.Layouts
import Coterie.App

Rectangle {
    id: root

    required property string what
    required property string why
    required property string action
    property bool dismissable: false
    default property alias actions: buttons.data
    property bool made: false // a card that is made with its error was there before, for example in an old message

    signal dismissed

    function announce(): void {
        if (visible && what)
            Announcer.announce(root);
    }
    // Announces once, after all other changes of this event are done.
    function announceSoon(): void {
        if (made)
            Qt.callLater(announce); // qmllint disable
    }

    Accessible.description: Sentences.full(why) + (why && action ? " " : "") + Sentences.full(action)
    Accessible.name: what
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.error
    border.width: Style.hairline
    color: Style.theme.errorGround
    implicitHeight: row.implicitHeight + 2 * Style.medium
    implicitWidth: row.implicitWidth + Style.large + Style.medium
    radius: Style.corner

    Component.onCompleted: made = true
    onVisibleChanged: announceSoon()
    onWhatChanged: announceSoon()
    onWhyChanged: announceSoon()

    RowLayout {
        id: row

        anchors.left: parent.left
        anchors.leftMargin: Style.large
        anchors.right: parent.right
        anchors.rightMargin: Style.medium
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.medium

        Icon {
            Layout.alignment: Qt.AlignTop
            color: Style.theme.error
            name: "warning"
        }
        ColumnLayout {
            spacing: Style.tiny

            BodyText {
                Layout.fillWidth: true
                color: Style.theme.error
                font.weight: Style.medWeight
                text: root.what
                wrapMode: Text.Wrap
            }
            BodyText {
                Layout.fillWidth: true
                text: Sentences.full(root.why)
                visible: text
                wrapMode: Text.Wrap
            }
            BodyText {
                Layout.fillWidth: true
                font.weight: Style.medWeight
                text: Sentences.full(root.action)
                visible: text
                wrapMode: Text.Wrap
            }
            Flow {
                id: buttons

                Layout.fillWidth: true
                Layout.topMargin: Style.tiny
                spacing: Style.small
                visible: children.length > 0
            }
        }
        CardCross {
            Layout.alignment: Qt.AlignTop
            card: root
            text: qsTr("Dismiss")
            visible: root.dismissable
            onClicked: root.dismissed()
        }
    }
}
