// SPDX-License-Identifier: Apache-2.0
// A page beside the list of chats: a title, a button that goes back to the conversation, and content that scrolls.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts

FocusScope {
    id: root

    required property string title
    property string backTip: qsTr("Back to the conversation")
    default property alias content: body.data

    signal backWanted

    // Scrolls to the item, for users who tab through a long page.
    function reveal(item: Item): void {
        for (let up = item; up; up = up.parent) {
            if (up !== body)
                continue;
            const top = item.mapToItem(scroller.contentItem, 0, 0).y - Style.large;
            const bottom = top + item.height + 2 * Style.large;
            const limit = Math.max(0, scroller.contentHeight - scroller.height);
            if (top < scroller.contentY)
                scroller.contentY = Math.max(0, top);
            else if (bottom > scroller.contentY + scroller.height)
                scroller.contentY = Math.min(limit, bottom - scroller.height);
            return;
        }
    }

    Accessible.name: title
    Accessible.role: Accessible.Pane

    RowLayout {
        id: heading

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.wide
        height: Style.barHeight + Style.small
        spacing: Style.small

        IconButton {
            focus: true
            iconName: "arrowLeft"
            text: root.backTip
            onClicked: root.backWanted()
        }
        TitleText {
            Layout.fillWidth: true
            elide: Text.ElideRight
            text: root.title
        }
    }
    HairLine {
        anchors.bottom: heading.bottom
        anchors.left: parent.left
        anchors.right: parent.right
    }
    Flickable {
        id: scroller

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: heading.bottom
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        contentHeight: body.implicitHeight + 2 * Style.wide
        contentWidth: width

        ScrollBar.vertical: ThinScrollBar {}

        ColumnLayout {
            id: body

            spacing: Style.medium
            width: Math.min(scroller.width - 2 * Style.wide, Style.pageWidth)
            x: (scroller.width - width) / 2
            y: Style.wide
        }
    }
    Connections {
        function onActiveFocusItemChanged() {
            root.reveal(root.Window.activeFocusItem);
        }

        enabled: root.visible
        target: root.Window.window
    }
}
