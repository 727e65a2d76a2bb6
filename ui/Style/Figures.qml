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

        Item {
            id: place

            required property int index
            readonly property string character: root.text.charAt(index)
            readonly property bool figure: character >= "0" && character <= "9"

            implicitHeight: glyph.implicitHeight
            implicitWidth: figure ? Math.ceil(cell.advanceWidth) : glyph.implicitWidth

            Text {
                id: glyph

                Accessible.ignored: true
                anchors.horizontalCenter: parent.horizontalCenter
                color: root.color
                font: cell.font
                text: place.character
                textFormat: Text.PlainText
            }
        }
    }
}
