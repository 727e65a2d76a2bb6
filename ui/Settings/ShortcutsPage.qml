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

    Repeater {
        model: root.entries

        RowLayout {
            id: entry

            required property var modelData

            Layout.fillWidth: true

            BodyText {
                Accessible.name: qsTr("%1: %2").arg(text).arg(entry.modelData.keys)
                Layout.fillWidth: true
                text: entry.modelData.title
                wrapMode: Text.Wrap
            }
            Rectangle {
                border.color: Style.theme.mark
                border.width: Style.hairline
                color: Style.theme.sunken
                implicitHeight: keys.implicitHeight + Style.tiny
                implicitWidth: keys.implicitWidth + 2 * Style.small
                radius: Style.cornerSmall

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
