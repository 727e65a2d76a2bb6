// SPDX-License-Identifier: Apache-2.0
// A page over the window: a title, a close button, and content that scrolls.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T

Popup {
    id: root

    required property string title
    default property alias content: body.data

    anchors.centerIn: parent
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    dim: true
    focus: true
    height: Math.min(implicitHeight, parent ? parent.height - 2 * Style.vast : implicitHeight)
    modal: true
    padding: 0
    parent: T.Overlay.overlay // the whole window, wherever the sheet is declared
    width: Math.min(Style.sheetWidth, parent ? parent.width - 2 * Style.wide : Style.sheetWidth)

    T.Overlay.modal: Rectangle {
        color: Style.theme.scrim
    }
    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
    contentItem: FocusScope {
        Accessible.name: root.title
        Accessible.role: Accessible.Dialog
        focus: true
        implicitHeight: heading.height + scroller.contentHeight + Style.wide

        RowLayout {
            id: heading

            anchors.left: parent.left
            anchors.leftMargin: Style.wide
            anchors.right: parent.right
            anchors.rightMargin: Style.medium
            height: Style.barHeight + Style.small

            TitleText {
                Layout.fillWidth: true
                elide: Text.ElideRight
                text: root.title
            }
            IconButton {
                focus: true
                iconName: "close"
                text: qsTr("Close")
                onClicked: root.close()
            }
        }
        Flickable {
            id: scroller

            anchors.bottom: parent.bottom
            anchors.bottomMargin: Style.large
            anchors.left: parent.left
            anchors.right: parent.right
            anchors.top: heading.bottom
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            contentHeight: body.implicitHeight
            contentWidth: width

            ScrollBar.vertical: ThinScrollBar {}

            ColumnLayout {
                id: body

                spacing: Style.medium
                width: scroller.width - 2 * Style.wide
                x: Style.wide
            }
        }
    }
    enter: Transition {
        NumberAnimation {
            duration: Style.calm
            from: 0
            property: "opacity"
            to: 1
        }
    }

    // Scrolls to the item that gets the focus, for users who tab through a long page.
    Connections {
        function onActiveFocusItemChanged() {
            const item = scroller.Window.activeFocusItem;
            for (let up = item; up; up = up.parent) {
                if (up === body) {
                    const top = item.mapToItem(body, 0, 0).y - Style.large;
                    const bottom = top + item.height + 2 * Style.large;
                    const limit = Math.max(0, scroller.contentHeight - scroller.height);
                    if (top < scroller.contentY)
                        scroller.contentY = Math.max(0, top);
                    else if (bottom > scroller.contentY + scroller.height)
                        scroller.contentY = Math.min(limit, bottom - scroller.height);
                    return;
                }
            }
        }

        target: scroller.Window.window
    }
}
