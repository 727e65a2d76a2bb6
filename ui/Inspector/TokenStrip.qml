// SPDX-License-Identifier: Apache-2.0
// The tokens around the current one, each as a small cell with its words. A click shows a token's route.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Flow {
    id: root

    required property Inspector inspector
    readonly property var tokens: inspector.strip

    Accessible.name: qsTr("Tokens of the answer")
    Accessible.role: Accessible.List
    spacing: Style.hairline

    Repeater {
        // The model is a number, so that the cells stay while the tokens in them change many times a second.
        model: root.tokens.length

        Rectangle {
            id: cell

            required property int index
            readonly property var token: index < root.tokens.length ? root.tokens[index] : ({
                    position: -1,
                    text: "",
                    share: 0,
                    value: ""
                })
            readonly property bool current: token.position === root.inspector.position
            // Line ends are shown as marks, so that every cell has one line.
            readonly property string words: token.text.replace(/\s*\n\s*/g, "\u21b5").trim() || "\u00b7"

            function show(): void {
                root.inspector.position = token.position;
            }

            Accessible.name: token.value ? qsTr("%1, %2").arg(words).arg(token.value) : words
            Accessible.role: Accessible.ListItem
            Accessible.selectable: true
            Accessible.selected: current
            border.color: current ? Style.theme.text : Style.theme.line
            border.width: Style.hairline
            color: token.share > 0 ? ColourMaps.heat(token.share * Style.tintShare, Style.dark) : "transparent"
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
                text: cell.words
                width: Math.min(implicitWidth, root.width - Style.small)
            }
            TapHandler {
                onTapped: cell.show()
            }
        }
    }
}
