// SPDX-License-Identifier: Apache-2.0
// A line of a menu: a text, and under it a second, quieter one if there is one. A name or a path loses its middle if it
// is too long; other texts wrap.
import QtQuick
import QtQuick.Controls.Basic

MenuItem {
    id: root

    property string detail: ""
    property string iconName: ""
    property bool ofChoice: false // one of several, of which one has a check mark: its text begins where that one's does
    property bool nameLike: false // the text is the name of something, in one line

    Accessible.description: detail
    Accessible.name: text
    Accessible.role: Accessible.MenuItem
    activeFocusOnTab: visible || activeFocus // Up and Down of Qt 6.4's menus go to all lines with it, also to those that are not shown
    height: visible ? implicitHeight : 0
    horizontalPadding: Style.medium
    hoverEnabled: menu?.pointed ?? true // qmllint disable
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    opacity: enabled ? 1 : Style.disabledOpacity
    spacing: Style.small
    verticalPadding: Style.small

    Accessible.onPressAction: {
        if (enabled) {
            triggered();
            menu.dismiss();
        }
    }

    background: Rectangle {
        color: root.highlighted ? Style.theme.hover : "transparent"
        radius: Style.cornerSmall
    }
    contentItem: Item {
        implicitHeight: lines.implicitHeight
        implicitWidth: lines.implicitWidth

        Icon {
            id: symbol

            anchors.verticalCenter: parent.verticalCenter
            color: Style.theme.quiet
            name: root.iconName || "plus"
            size: Style.iconSmall
            visible: root.iconName
        }
        Column {
            id: lines

            anchors.left: symbol.visible || root.ofChoice ? symbol.right : parent.left
            anchors.leftMargin: symbol.visible || root.ofChoice ? root.spacing : 0
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter

            BodyText {
                Accessible.ignored: true
                elide: root.nameLike ? Text.ElideMiddle : Text.ElideNone
                text: root.text
                width: parent.width
                wrapMode: root.nameLike ? Text.NoWrap : Text.Wrap
            }
            SmallText {
                readonly property bool path: text.includes("/") || text.includes("\\")

                Accessible.ignored: true
                elide: path ? Text.ElideMiddle : Text.ElideNone
                text: root.detail
                visible: text
                width: parent.width
                wrapMode: path ? Text.NoWrap : Text.Wrap
            }
        }
    }
}
