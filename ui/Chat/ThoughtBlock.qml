// SPDX-License-Identifier: Apache-2.0
// The thoughts that a model wrote before its answer, folded to one line until the user opens them.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

Column {
    id: root

    required property string content
    required property bool closed
    property bool unfolded: false

    spacing: Style.small

    AbstractButton {
        id: fold

        Accessible.description: root.unfolded ? qsTr("Hide the thoughts") : qsTr("Show the thoughts")
        Accessible.name: text
        Accessible.role: Accessible.Button
        focusPolicy: Qt.StrongFocus
        implicitHeight: Style.controlSmall
        leftPadding: 0
        rightPadding: Style.small
        text: root.closed ? qsTr("Thoughts") : qsTr("Thinking")

        background: Rectangle {
            color: fold.hovered ? Style.theme.hover : "transparent"
            radius: Style.cornerSmall

            FocusRing {
                gap: 0
                shown: fold.visualFocus
            }
        }
        contentItem: Row {
            spacing: Style.tiny

            Icon {
                anchors.verticalCenter: parent.verticalCenter
                color: Style.theme.quiet
                name: root.unfolded ? "chevronDown" : "chevronRight"
                size: Style.iconSmall
            }
            SmallText {
                Accessible.ignored: true
                anchors.verticalCenter: parent.verticalCenter
                text: fold.text
            }
        }

        Keys.onReturnPressed: clicked()
        onClicked: root.unfolded = !root.unfolded
    }
    Item {
        implicitHeight: thoughts.implicitHeight
        visible: root.unfolded
        width: root.width

        HairLine {
            height: parent.height
            width: Style.ring
        }
        SelectableText {
            id: thoughts

            anchors.left: parent.left
            anchors.leftMargin: Style.large
            anchors.right: parent.right
            color: Style.theme.quiet
            content: root.content
            font.pixelSize: Style.smallSize
        }
    }
}
