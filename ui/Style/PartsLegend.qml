// SPDX-License-Identifier: Apache-2.0
// The legend of a PartsBar: colours, names and figures, as a table, so that screen readers can read it too. It is
// not a layout: one of Qt 6.4 keeps the sizes that it got before its panel was shown, and asks for the size of a line
// that has been removed.
pragma ComponentBehavior: Bound
import QtQuick

Column {
    id: root

    required property var parts // [{name, figure, color}]

    spacing: Style.tiny

    Repeater {
        model: root.parts.length // figures change often, and the lines are not made anew

        Item {
            id: line

            required property int index
            readonly property var part: root.parts[index]

            height: Math.max(name.height, figure.height)
            width: root.width

            Rectangle {
                id: swatch

                Accessible.ignored: true
                anchors.verticalCenter: parent.verticalCenter
                border.color: Style.theme.mark
                border.width: Style.hairline
                color: line.part.color
                height: Style.swatch
                radius: Style.tiny
                width: Style.swatch
            }
            SmallText {
                id: name

                anchors.left: swatch.right
                anchors.leftMargin: Style.small
                anchors.right: figure.left
                anchors.rightMargin: Style.small + Style.wide
                anchors.verticalCenter: parent.verticalCenter
                color: Style.theme.text
                text: line.part.name
                wrapMode: Text.Wrap
            }
            Figures {
                id: figure

                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                text: line.part.figure
            }
        }
    }
}
