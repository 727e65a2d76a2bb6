// SPDX-License-Identifier: Apache-2.0
// An answer's blocks, one under the other. Only the last one changes while an answer streams.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

Column {
    id: root

    required property var blocks // [{kind, text, language, closed}]

    spacing: Style.medium

    Repeater {
        model: root.blocks.length

        Loader {
            id: block

            required property int index
            // undefined for an instant when the list gets shorter
            readonly property var entry: root.blocks[index]
            readonly property string kind: entry?.kind ?? "text"
            readonly property string content: entry?.text ?? ""

            sourceComponent: kind === "code" ? code : kind === "thought" ? thought : plain
            width: root.width

            Component {
                id: plain

                SelectableText {
                    content: block.content
                }
            }
            Component {
                id: code

                CodeBlock {
                    content: block.content
                    language: block.entry?.language ?? ""
                }
            }
            Component {
                id: thought

                ThoughtBlock {
                    closed: block.entry?.closed ?? true
                    content: block.content
                }
            }
        }
    }
}
