// SPDX-License-Identifier: Apache-2.0
// One command of the list of shortcuts: its title and its keys. The first command of a group has the group's heading
// above it.
import QtQuick
import Coterie.Style

Column {
    id: root

    // Roles of CommandList.
    required property string title
    required property string heading
    required property var shownKeys // texts

    spacing: Style.small
    visible: shownKeys.length > 0

    GroupHeading {
        bottomPadding: Style.tiny
        text: root.heading
        topPadding: Style.medium
        visible: text
        width: parent.width
    }
    Item {
        Accessible.name: qsTr("%1: %2").arg(root.title).arg(root.shownKeys.join(qsTr(" or ")))
        Accessible.role: Accessible.StaticText
        implicitHeight: Math.max(words.implicitHeight, caps.height)
        width: parent.width

        BodyText {
            id: words

            Accessible.ignored: true
            anchors.left: parent.left
            anchors.right: caps.left
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            text: root.title
            wrapMode: Text.Wrap
        }
        KeyCaps {
            id: caps

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            keys: root.shownKeys
        }
    }
}
