// SPDX-License-Identifier: Apache-2.0
// "Deleted ... Undo": it stays for a while, and as long as it has the pointer or the focus.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.Style

Control {
    id: root

    required property string title
    readonly property bool held: hovered || undo.activeFocus

    signal undoWanted
    signal over

    Accessible.name: qsTr("Deleted %1").arg(title)
    Accessible.role: Accessible.AlertMessage
    hoverEnabled: true
    leftPadding: Style.medium
    rightPadding: Style.tiny
    verticalPadding: Style.tiny

    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
    contentItem: RowLayout {
        spacing: Style.small

        BodyText {
            Accessible.ignored: true
            Layout.fillWidth: true
            elide: Text.ElideRight
            text: qsTr("Deleted \"%1\"").arg(root.title)
        }
        PushButton {
            id: undo

            kind: "quiet"
            text: qsTr("Undo")
            onClicked: root.undoWanted()
        }
    }

    Timer {
        interval: Style.undoMs
        running: root.visible && !root.held
        onTriggered: root.over()
    }
}
