// SPDX-License-Identifier: Apache-2.0
// What the colours of the memory bar mean, with their figures; as a table, so that screen readers get it too.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

ColumnLayout {
    id: root

    required property var parts // [{name, figure, color}]
    required property string note

    spacing: Style.tiny

    Repeater {
        model: root.parts.length // figures change often; the lines stay

        RowLayout {
            id: line

            required property int index
            readonly property var part: root.parts[index]

            spacing: Style.small

            Rectangle {
                Accessible.ignored: true
                border.color: Style.theme.mark
                border.width: Style.hairline
                color: line.part.color
                implicitHeight: Style.swatch
                implicitWidth: Style.swatch
                radius: Style.tiny
            }
            SmallText {
                Layout.fillWidth: true
                color: Style.theme.text
                text: line.part.name
            }
            Figures {
                Layout.leftMargin: Style.wide
                text: line.part.figure
            }
        }
    }
    SmallText {
        Layout.fillWidth: true
        Layout.topMargin: Style.tiny
        text: root.note
        visible: text
        wrapMode: Text.Wrap
    }
}
