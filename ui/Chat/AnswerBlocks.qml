// SPDX-License-Identifier: Apache-2.0
// The blocks of an answer, one below the other. Only the last one changes while an answer streams.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

Column {
    id: root

    required property var blocks // [{kind, text, language, closed}]

    spacing: Style.medium

    Repeater {
        model: root.blocks.length

        AnswerBlock {
            required property int index

            entry: root.blocks[index]
            width: root.width
        }
    }
}
