// SPDX-License-Identifier: Apache-2.0
// A sentence about something that happened, and a button: "Deleted ... Undo". It stays for a while, and as long as it has the pointer or the focus. Screen readers speak it when
// it appears. Its root is no Control, because a bare Control of Qt 6.4 loses its role.
import QtQuick
import QtQuick.Layouts
import Coterie.App

Rectangle {
    id: root

    required property string words
    property string action: qsTr("Undo")
    property real most: Infinity // the height that there is for it
    property int buttonFocus: Qt.StrongFocus // how the button gets the focus
    readonly property bool keepsTipsAway: true // from its button, see TipPlace
    readonly property bool held: hover.hovered || button.activeFocus

    signal acted
    signal over

    function announce(): void {
        if (visible && words)
            Announcer.announce(root);
    }
    // The tip of a control may be where the bar appears. Called when all changes of an event are done.
    function clearTip(): void {
        if (visible)
            SharedTip.makeRoom();
    }

    Accessible.name: words
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.line
    border.width: Style.hairline
    color: Style.theme.surface
    implicitHeight: row.implicitHeight + 2 * Style.tiny
    implicitWidth: row.implicitWidth + Style.medium + Style.tiny
    radius: Style.corner

    onHeightChanged: Qt.callLater(clearTip) // qmllint disable
    onVisibleChanged: {
        Qt.callLater(announce); // qmllint disable
        Qt.callLater(clearTip); // qmllint disable
    }
    onWidthChanged: Qt.callLater(clearTip) // qmllint disable
    onWordsChanged: Qt.callLater(announce) // qmllint disable
    onXChanged: Qt.callLater(clearTip) // qmllint disable
    onYChanged: Qt.callLater(clearTip) // qmllint disable

    HoverHandler {
        id: hover
    }
    // A click beside the button is not for what the bar lies over.
    MouseArea {
        anchors.fill: parent
    }
    RowLayout {
        id: row

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.tiny
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.small

        BodyText {
            Accessible.ignored: true // it is the bar's name
            Layout.fillWidth: true
            elide: Text.ElideRight
            maximumLineCount: Math.max(1, Math.min(4, Math.floor((root.most - 2 * Style.tiny) / (Style.bodyLine * Style.bodySize))))
            text: root.words
            wrapMode: Text.Wrap
        }
        PushButton {
            id: button

            focusPolicy: root.buttonFocus
            kind: "quiet"
            text: root.action
            onClicked: root.acted()
        }
    }
    Timer {
        interval: Style.undoMs
        running: root.visible && !root.held
        onTriggered: root.over()
    }
}
