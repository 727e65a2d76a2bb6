// SPDX-License-Identifier: Apache-2.0
// The line above the thoughts that a model wrote before its answer, which unfolds them, and a rule at their left. The
// thoughts themselves are drawn by the message.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style
import Coterie.Text

Item {
    id: root

    required property MessageText message
    // Roles of TextFrames.
    required property int block
    required property bool closed
    required property bool unfolded
    required property rect place
    required property rect room
    required property real seconds

    height: place.height
    width: place.width
    x: place.x
    y: place.y
    z: -1 // below the text

    AbstractButton {
        id: fold

        Accessible.description: root.unfolded ? qsTr("Hide the thoughts") : qsTr("Show the thoughts")
        Accessible.name: text
        Accessible.onPressAction: clicked()
        Accessible.role: Accessible.Button
        focusPolicy: Qt.StrongFocus
        implicitHeight: Style.controlSmall
        leftPadding: 0
        rightPadding: Style.small
        text: {
            if (!root.closed)
                return qsTr("Thinking");
            const whole = Math.round(root.seconds);
            return whole > 0 ? qsTr("Thought for %1 s").arg(whole.toLocaleString(Qt.locale(), "f", 0)) : qsTr("Thoughts");
        }

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

        Keys.onEnterPressed: clicked()
        Keys.onReturnPressed: clicked()
        onClicked: root.message.toggle(root.block)

        HoverHandler {
            cursorShape: Qt.ArrowCursor
        }
    }
    HairLine {
        height: root.room.height
        visible: root.unfolded
        width: Style.ring
        y: root.room.y
    }
}
