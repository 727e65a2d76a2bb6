// SPDX-License-Identifier: Apache-2.0
// A file that is attached to a message: its name and its size. In the composer it can be taken out; in a message it can
// be opened.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style
import Coterie.App

Rectangle {
    id: root

    required property string name
    required property string detail
    property bool removable: false
    property bool opened: false
    property real room: Infinity // largest width

    signal removeWanted
    signal openWanted

    Accessible.name: qsTr("%1, %2", "a file's name and its size").arg(NameText.isolated(name)).arg(detail)
    Accessible.role: removable ? Accessible.ListItem : Accessible.Grouping
    border.color: Style.theme.line
    border.width: Style.hairline
    color: Style.theme.surface
    height: Style.control
    radius: Style.corner
    width: Math.min(room, words.implicitWidth + size.implicitWidth + icon.width + Style.small * 2 + Style.medium * 2 + (removable ? remove.width : 0))

    Icon {
        id: icon

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.verticalCenter: parent.verticalCenter
        color: Style.theme.quiet
        name: root.removable ? "clip" : root.opened ? "chevronDown" : "chevronRight"
        size: Style.iconSmall
    }
    BodyText {
        id: words

        Accessible.ignored: true // the chip has the name
        anchors.left: icon.right
        anchors.leftMargin: Style.small
        anchors.right: size.left
        anchors.rightMargin: Style.small
        anchors.verticalCenter: parent.verticalCenter
        elide: Text.ElideMiddle
        text: root.name
    }
    Figures {
        id: size

        Accessible.ignored: true
        anchors.right: root.removable ? remove.left : parent.right
        anchors.rightMargin: root.removable ? Style.tiny : Style.medium
        anchors.verticalCenter: parent.verticalCenter
        text: root.detail
    }
    IconButton {
        id: remove

        anchors.right: parent.right
        anchors.rightMargin: Style.tiny
        anchors.verticalCenter: parent.verticalCenter
        compact: true
        iconName: "close"
        text: qsTr("Take out %1", "a file").arg(NameText.isolated(root.name))
        visible: root.removable
        onClicked: root.removeWanted()
    }
    AbstractButton {
        id: opener

        Accessible.description: root.opened ? qsTr("Hide the text of the file") : qsTr("Show the text of the file")
        Accessible.name: root.name
        Accessible.onPressAction: clicked()
        Accessible.role: Accessible.Button
        anchors.fill: parent
        focusPolicy: Qt.StrongFocus
        visible: !root.removable

        background: Item {
            FocusRing {
                gap: 0
                shown: opener.visualFocus
            }
        }

        Keys.onEnterPressed: clicked()
        Keys.onReturnPressed: clicked()
        onClicked: root.openWanted()
    }
}
