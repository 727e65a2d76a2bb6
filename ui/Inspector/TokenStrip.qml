// SPDX-License-Identifier: Apache-2.0
// The tokens around the current one, each as a small cell with its words. A click shows a token's route.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Flow {
    id: root

    required property Inspector inspector

    Accessible.name: qsTr("Tokens of the answer")
    Accessible.role: Accessible.List
    spacing: Style.hairline

    Repeater {
        model: root.inspector.strip

        Rectangle {
            id: cell

            required property int position
            required property real share
            required property string value
            required property string words
            readonly property bool current: position === root.inspector.position
            // Line ends are shown as marks, so that every cell has one line.
            readonly property string shownWords: words.replace(/\s*\n\s*/g, "\u21b5").trim() || "\u00b7"

            function show(): void {
                root.inspector.position = cell.position;
            }

            Accessible.name: value ? qsTr("%1, %2").arg(shownWords).arg(value) : shownWords
            Accessible.role: Accessible.ListItem
            Accessible.selectable: true
            Accessible.selected: current
            border.color: current ? Style.theme.text : Style.theme.line
            border.width: Style.hairline
            color: share > 0 ? ColourMaps.heat(share * Style.tintShare, Style.dark) : "transparent"
            height: label.implicitHeight + Style.tiny
            radius: Style.ring
            width: Math.min(label.implicitWidth + Style.small, root.width)

            Accessible.onPressAction: show()

            SmallText {
                id: label

                Accessible.ignored: true
                anchors.centerIn: parent
                color: Style.theme.text
                elide: Text.ElideRight
                textFormat: Text.PlainText
                text: cell.shownWords
                width: Math.min(implicitWidth, root.width - Style.small)
            }
        }
    }
    // One for all cells: a cell is made for every token.
    TapHandler {
        onTapped: point => {
            const cell = root.childAt(point.position.x, point.position.y);
            if (cell)
                cell.show(); // qmllint disable
        }
    }
}
