// SPDX-License-Identifier: Apache-2.0
// The model's activity in a pane at the right of the conversation. Its left edge can be dragged.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property App app
    required property real most // largest width

    signal closeWanted

    function takeFirstLook(): void {
        view.takeFirstLook();
    }

    Accessible.name: title.text
    Accessible.role: Accessible.Pane
    width: Math.max(Style.paneMin, Math.min(most, app.settings.activityWidth || Style.paneDefault))

    Rectangle {
        id: ground

        anchors.fill: parent
        color: Style.theme.sunken
    }
    RowLayout {
        id: heading

        anchors.left: parent.left
        anchors.leftMargin: Style.large
        anchors.right: parent.right
        anchors.rightMargin: Style.small
        height: Style.barHeight + Style.small
        spacing: Style.small

        BodyText {
            id: title

            Accessible.role: Accessible.Heading
            Layout.fillWidth: true
            elide: Text.ElideRight
            font.weight: Style.heavyWeight
            text: qsTr("Model activity")
        }
        IconButton {
            iconName: "expand"
            text: root.app.commands.tip(qsTr("Show as a page"), "window.activityPage")
            onClicked: root.app.commands.run("window.activityPage")
        }
        IconButton {
            focus: true
            iconName: "close"
            text: root.app.commands.tip(qsTr("Close this pane"), "window.activity")
            onClicked: root.closeWanted()
        }
    }
    HairLine {
        anchors.bottom: heading.bottom
        anchors.left: parent.left
        anchors.right: parent.right
    }
    ScrollColumn {
        id: scroller

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: heading.bottom
        margin: Style.large

        ActivityView {
            id: view

            app: root.app
            behind: ground.color
            width: parent.width
            onLookEnded: scroller.contentY = 0
        }
    }
    // Another model has other parts: the reader begins at the top.
    Connections {
        function onModelChanged() {
            scroller.contentY = 0;
        }

        target: root.app.models
    }
    HairLine {
        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.top: parent.top
        width: Style.hairline
    }
    // The edge can be dragged. It is wider than its line, so that it is easy to hit.
    MouseArea {
        property real from: 0

        anchors.bottom: parent.bottom
        anchors.horizontalCenter: parent.left
        anchors.top: parent.top
        cursorShape: Qt.SplitHCursor
        width: 2 * Style.tiny

        onDoubleClicked: root.app.settings.activityWidth = 0
        onPositionChanged: mouse => root.app.settings.activityWidth = Math.max(Style.paneMin, Math.min(root.most, root.width - mouse.x + from))
        onPressed: mouse => from = mouse.x
    }
}
