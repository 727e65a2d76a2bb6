// SPDX-License-Identifier: Apache-2.0
// The line under a long prompt that shows all of it, or only its beginning again. It covers the text that it cuts off.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

AbstractButton {
    id: root

    required property int count
    required property bool unfolded

    Accessible.name: text
    Accessible.onPressAction: clicked()
    Accessible.role: Accessible.Button
    focusPolicy: Qt.StrongFocus
    implicitHeight: Style.controlSmall
    padding: 0
    text: unfolded ? qsTr("Show less") : qsTr("Show all %Ln line(s)", "", count)

    background: Rectangle {
        color: Style.theme.bubble

        FocusRing {
            gap: 0
            shown: root.visualFocus
        }
    }
    contentItem: Row {
        spacing: Style.tiny

        Icon {
            anchors.verticalCenter: parent.verticalCenter
            color: root.hovered ? Style.theme.text : Style.theme.quiet
            name: root.unfolded ? "chevronDown" : "chevronRight"
            size: Style.iconSmall
        }
        SmallText {
            Accessible.ignored: true
            anchors.verticalCenter: parent.verticalCenter
            color: root.hovered ? Style.theme.text : Style.theme.quiet
            text: root.text
        }
    }

    Keys.onEnterPressed: clicked()
    Keys.onReturnPressed: clicked()

    HoverHandler {
        cursorShape: Qt.ArrowCursor
    }
}
