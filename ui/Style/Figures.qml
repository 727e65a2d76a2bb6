// SPDX-License-Identifier: Apache-2.0
// A line of text whose figures all have the same width, in any font, so that changing numbers don't jump.
// Qt 6.4 can't ask a font for its tabular figures; so each figure stands in a cell of its own.
pragma ComponentBehavior: Bound
import QtQuick

Row {
    id: root

    required property string text
    property color color: Style.theme.quiet
    property real pixelSize: Style.smallSize

    Accessible.role: Accessible.StaticText
    Accessible.name: text

    TextMetrics {
        id: cell

        font.family: Style.family
        font.pixelSize: root.pixelSize
        text: "0"
    }
    Repeater {
        model: root.text.length

        Text {
            required property int index
            readonly property string character: root.text.charAt(index)
            readonly property bool figure: character >= "0" && character <= "9"

            width: figure ? Math.ceil(cell.advanceWidth) : implicitWidth
            color: root.color
            font: cell.font
            horizontalAlignment: Text.AlignHCenter
            text: character
            textFormat: Text.PlainText
            Accessible.ignored: true
        }
    }
}
