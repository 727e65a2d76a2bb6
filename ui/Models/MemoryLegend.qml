// SPDX-License-Identifier: Apache-2.0
// What the colours of the memory bar mean, with their figures; as a table, so that screen readers get it too.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

ColumnLayout {
    id: root

    required property list<var> parts // {name, bytes, color}
    required property string note

    spacing: Style.tiny

    Repeater {
        model: root.parts

        RowLayout {
            id: line

            required property var modelData

            spacing: Style.small

            Rectangle {
                Accessible.ignored: true
                border.color: Style.theme.mark
                border.width: Style.hairline
                color: line.modelData.color
                implicitHeight: Style.swatch
                implicitWidth: Style.swatch
                radius: Style.tiny
            }
            SmallText {
                Layout.fillWidth: true
                color: Style.theme.text
                text: line.modelData.name
            }
            Figures {
                Layout.leftMargin: Style.wide
                text: line.modelData.figure
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
