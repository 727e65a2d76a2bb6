// SPDX-License-Identifier: Apache-2.0
// The frame around code, a tool call or its result in a message: the language or the tool, a button that copies the
// code, and a scroll bar if lines are wider than the frame. The text itself is drawn by the message.
import QtQuick
import Coterie.App
import Coterie.Style
import Coterie.Text

Item {
    id: root

    required property MessageText message
    // Roles of TextFrames.
    required property int block
    required property string kind
    required property string label
    required property rect place
    required property rect room
    required property real extent
    required property real scroll
    required property bool wrapped
    property bool latest: true // no message follows, such as a result

    readonly property bool call: kind === "call"
    readonly property string title: {
        if (call)
            return label ? qsTr("Tool call: %1").arg(NameText.isolated(label)) : qsTr("Tool call");
        if (kind === "result")
            return label ? qsTr("Result of %1").arg(NameText.isolated(label)) : qsTr("Result of a tool");
        return label;
    }
    readonly property bool foreign: call && latest && !ToolNames.known(label) // a call that the program can't run
    readonly property real footer: foreign ? note.implicitHeight : 0
    property bool copied: false

    function copy(): void {
        message.copyBlock(block);
        copied = true;
        copiedTimer.restart();
    }

    Accessible.name: title ? qsTr("Code, %1").arg(title) : qsTr("Code")
    Accessible.role: Accessible.Grouping
    height: place.height
    width: place.width
    x: place.x
    y: place.y
    z: -1 // below the text

    Component.onCompleted: message.setFooter(block, footer)
    onFooterChanged: message.setFooter(block, footer)

    Timer {
        id: copiedTimer

        interval: Style.noticeMs
        onTriggered: root.copied = false
    }
    Rectangle {
        id: ground

        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.sunken
        height: root.height - root.footer
        radius: Style.corner
        width: root.width
    }
    Item {
        height: root.room.y
        width: root.width

        HoverHandler {
            cursorShape: Qt.ArrowCursor
        }
        SmallText {
            anchors.left: parent.left
            anchors.leftMargin: Style.large
            anchors.right: wrapButton.left
            anchors.verticalCenter: copyButton.verticalCenter
            elide: Text.ElideRight
            text: root.title || qsTr("Code")
        }
        IconButton {
            id: wrapButton

            anchors.right: copyButton.left
            anchors.verticalCenter: copyButton.verticalCenter
            checkable: true
            checked: root.wrapped
            compact: true
            iconName: "wrap"
            text: qsTr("Wrap lines")
            visible: root.wrapped || root.extent > root.room.width
            onToggled: root.message.wrapBlock(root.block, checked)
        }
        IconButton {
            id: copyButton

            anchors.right: parent.right
            anchors.rightMargin: Style.tiny
            anchors.top: parent.top
            anchors.topMargin: Style.tiny
            compact: true
            iconName: root.copied ? "check" : "copy"
            text: root.copied ? qsTr("Copied") : qsTr("Copy code")
            onClicked: root.copy()
        }
    }
    ThinScrollBar {
        anchors.bottom: ground.bottom
        anchors.bottomMargin: Style.tiny
        height: implicitHeight
        implicitHeight: Style.scrollBar
        orientation: Qt.Horizontal
        position: root.extent > 0 ? root.scroll / root.extent : 0
        size: root.extent > 0 ? Math.min(1, root.room.width / root.extent) : 1
        visible: !root.wrapped && root.extent > root.room.width
        width: root.room.width
        x: root.room.x
        onPositionChanged: {
            if (pressed)
                root.message.scrollBlock(root.block, position * root.extent);
        }
    }
    SmallText {
        id: note

        anchors.bottom: parent.bottom
        text: qsTr("Coterie has no tool of this name. Write the result as your next message.")
        topPadding: Style.small
        visible: root.foreign
        width: root.width
        wrapMode: Text.Wrap
    }
}
