// SPDX-License-Identifier: Apache-2.0
// A line of text whose digits all have the same width, in any font, so that changing numbers don't jump. Qt 6.4 can't
// ask a font for its tabular figures, so each character has a cell of its own. The width is computed before the item is
// shown: a Row's width is not, and a panel that opens would be laid out without it.
pragma ComponentBehavior: Bound
import QtQuick

Item {
    id: root

    required property string text
    property color color: Style.theme.quiet
    property real pixelSize: Style.smallSize
    // Left edge of each character, and the right edge of the last one.
    readonly property var places: {
        // The width is read here so that this binding follows the font; the function that is called below does not.
        const cell = Math.ceil(zero.advanceWidth);
        const ends = [0];
        for (const character of text)
            ends.push(ends[ends.length - 1] + (character >= "0" && character <= "9" ? cell : metrics.advanceWidth(character)));
        return ends;
    }

    Accessible.name: text
    Accessible.role: Accessible.StaticText
    implicitHeight: Math.ceil(metrics.height)
    implicitWidth: places[places.length - 1]

    TextMetrics {
        id: zero

        font: metrics.font
        text: "0"
    }
    FontMetrics {
        id: metrics

        font.family: Style.family
        font.pixelSize: root.pixelSize
    }
    Repeater {
        model: root.places.length - 1

        Text {
            required property int index
            readonly property real begins: root.places[index] ?? 0
            readonly property real ends: root.places[index + 1] ?? 0

            Accessible.ignored: true
            color: root.color
            font: metrics.font
            text: Array.from(root.text)[index] ?? ""
            textFormat: Text.PlainText
            x: (begins + ends - implicitWidth) / 2
        }
    }
}
