// SPDX-License-Identifier: Apache-2.0
// The list of keyboard shortcuts.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Sheet {
    id: root

    required property var entries // [{title, keys}]

    title: qsTr("Keyboard shortcuts")

    Column {
        Layout.fillWidth: true
        spacing: Style.small

        Repeater {
            model: root.entries

            Item {
                id: entry

                required property var modelData

                implicitHeight: Math.max(title.implicitHeight, frame.height)
                width: parent.width

                BodyText {
                    id: title

                    Accessible.name: qsTr("%1: %2").arg(text).arg(entry.modelData.keys)
                    anchors.left: parent.left
                    anchors.right: frame.left
                    anchors.rightMargin: Style.small
                    anchors.verticalCenter: parent.verticalCenter
                    text: entry.modelData.title
                    wrapMode: Text.Wrap
                }
                Rectangle {
                    id: frame

                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    border.color: Style.theme.mark
                    border.width: Style.hairline
                    color: Style.theme.sunken
                    height: keys.implicitHeight + Style.tiny
                    radius: Style.cornerSmall
                    width: keys.implicitWidth + 2 * Style.small

                    SmallText {
                        id: keys

                        Accessible.ignored: true
                        anchors.centerIn: parent
                        color: Style.theme.text
                        text: entry.modelData.keys
                    }
                }
            }
        }
    }
}
