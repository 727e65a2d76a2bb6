// SPDX-License-Identifier: Apache-2.0
// A sentence about something that happened, and a button: "Deleted ... Undo". It stays for a while, and as long as it has the pointer or the focus. Screen readers speak it when
// it appears. Its root is no Control, because a bare Control of Qt 6.4 loses its role. In a narrow place the button stands below
// the sentence; lines end between words, and a sentence with a word that is longer than a line has one line, cut at its end.
import QtQuick
import QtQuick.Layouts
import Coterie.App

Rectangle {
    id: root

    required property string words
    property string action: qsTr("Undo")
    property real most: Infinity // the height that there is for it
    property bool breaksWords: false // a path is shown as a whole, wherever its lines end
    property int buttonFocus: Qt.StrongFocus // how the button gets the focus
    readonly property bool keepsTipsAway: true // from its button, see TipPlace
    readonly property bool held: hover.hovered || button.activeFocus
    readonly property real line: Style.bodyLine * Style.bodySize
    readonly property real fontHeight: Style.bodyMetrics.height // tells of a new font
    readonly property real longestWord: !breaksWords && fontHeight > 0 ? widest(words) : 0
    // The width of all words in one line. The text's own would be laid out while the width of the bar is asked for.
    readonly property real oneLine: fontHeight > 0 ? Math.ceil(Style.bodyMetrics.advanceWidth(words)) + Style.hairline : 0
    readonly property real beside: width - Style.medium - Style.tiny - Style.small - button.implicitWidth // the button
    readonly property bool stacked: width > 0 && beside < longestWord && most >= button.implicitHeight + line + 3 * Style.tiny
    readonly property real roomForWords: most - 2 * Style.tiny - (stacked ? button.implicitHeight + Style.tiny : 0)

    signal acted
    signal over

    function announce(): void {
        if (visible && words)
            Announcer.announce(root);
    }
    // The width of the longest word. Each character of Chinese or Japanese may end a line.
    function widest(text: string): real {
        const parts = text.replace(/([\u2e80-\uffef])/g, "$1 ").split(/\s+/);
        return Math.max(...parts.map(part => Math.ceil(Style.bodyMetrics.advanceWidth(part))));
    }
    // Begins its time again: it says something new.
    function stayOn(): void {
        if (time.running)
            time.restart();
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
    implicitWidth: oneLine + Style.small + button.implicitWidth + Style.medium + Style.tiny
    radius: Style.corner

    onHeightChanged: Qt.callLater(clearTip) // qmllint disable
    onVisibleChanged: {
        Qt.callLater(announce); // qmllint disable
        Qt.callLater(clearTip); // qmllint disable
    }
    onWidthChanged: Qt.callLater(clearTip) // qmllint disable
    onWordsChanged: {
        stayOn();
        Qt.callLater(announce); // qmllint disable
    }
    onXChanged: Qt.callLater(clearTip) // qmllint disable
    onYChanged: Qt.callLater(clearTip) // qmllint disable

    HoverHandler {
        id: hover
    }
    // A click beside the button is not for what the bar lies over.
    MouseArea {
        anchors.fill: parent
    }
    GridLayout {
        id: row

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.tiny
        anchors.verticalCenter: parent.verticalCenter
        columnSpacing: Style.small
        columns: root.stacked ? 1 : 2
        rowSpacing: Style.tiny

        BodyText {
            Accessible.ignored: true // it is the bar's name
            Layout.fillWidth: true
            elide: Text.ElideRight
            maximumLineCount: Math.max(1, Math.min(4, Math.floor(root.roomForWords / root.line)))
            text: root.words
            wrapMode: root.longestWord > width ? Text.NoWrap : Text.Wrap
        }
        PushButton {
            id: button

            Layout.alignment: Qt.AlignRight | Qt.AlignVCenter
            focusPolicy: root.buttonFocus
            kind: "quiet"
            text: root.action
            onClicked: root.acted()
        }
    }
    Timer {
        id: time

        interval: Style.undoMs
        running: root.visible && !root.held
        onTriggered: root.over()
    }
}
