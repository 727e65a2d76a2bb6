// SPDX-License-Identifier: Apache-2.0
// A model that was opened before: its name, its path, and what can be done with it. If its file is gone, the row says
// so. It uses anchors because a nested layout keeps the sizes that it got before its page was shown.
import QtQuick
import QtQuick.Layouts
import Coterie.Style
import Coterie.App

Item {
    id: root

    required property string name
    required property string path
    required property bool exists
    required property bool open // it is the model that is open now

    signal openWanted
    signal forgetWanted

    implicitHeight: Math.max(words.height, actions.implicitHeight)

    Icon {
        id: symbol

        anchors.left: parent.left
        anchors.top: words.top
        anchors.topMargin: Style.ring
        color: root.exists ? Style.theme.quiet : Style.theme.error
        name: root.exists ? "cube" : "warning"
        size: Style.iconSmall
    }
    Column {
        id: words

        anchors.left: symbol.right
        anchors.leftMargin: Style.small
        anchors.right: actions.left
        anchors.rightMargin: Style.large
        anchors.verticalCenter: parent.verticalCenter

        BodyText {
            text: root.name
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            color: Style.theme.error
            text: qsTr("The file is not there any more.")
            visible: !root.exists
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            text: root.path
            width: parent.width
            wrapMode: Text.WrapAnywhere
        }
    }
    RowLayout {
        id: actions

        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.tiny

        SmallText {
            Layout.rightMargin: Style.small
            text: qsTr("In use")
            visible: root.open
        }
        PushButton {
            Accessible.name: qsTr("Open %1").arg(NameText.isolated(root.name))
            text: qsTr("Open")
            visible: root.exists && !root.open
            onClicked: root.openWanted()
        }
        PushButton {
            Accessible.name: qsTr("Forget %1").arg(NameText.isolated(root.name))
            text: qsTr("Forget")
            visible: !root.exists
            onClicked: root.forgetWanted()
        }
        IconButton {
            compact: true
            iconName: "close"
            text: qsTr("Remove %1 from this list").arg(NameText.isolated(root.name))
            visible: root.exists
            onClicked: root.forgetWanted()
        }
    }
}
