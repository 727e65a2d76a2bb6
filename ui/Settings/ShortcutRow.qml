// SPDX-License-Identifier: Apache-2.0
// One command of the list of shortcuts: its title, and each of its keys in a frame of its own. The first command of a
// group has the group's heading above it.
pragma ComponentBehavior: Bound
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
        implicitHeight: Math.max(words.implicitHeight, keys.height)
        width: parent.width

        BodyText {
            id: words

            Accessible.ignored: true
            anchors.left: parent.left
            anchors.right: keys.left
            anchors.rightMargin: Style.small
            anchors.verticalCenter: parent.verticalCenter
            text: root.title
            wrapMode: Text.Wrap
        }
        Row {
            id: keys

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            spacing: Style.tiny

            Repeater {
                model: root.shownKeys

                Rectangle {
                    id: frame

                    required property string modelData

                    border.color: Style.theme.mark
                    border.width: Style.hairline
                    color: Style.theme.sunken
                    height: words.implicitHeight + Style.tiny
                    radius: Style.cornerSmall
                    width: words.implicitWidth + 2 * Style.small

                    SmallText {
                        id: words

                        Accessible.ignored: true
                        anchors.centerIn: parent
                        color: Style.theme.text
                        text: frame.modelData
                    }
                }
            }
        }
    }
}
