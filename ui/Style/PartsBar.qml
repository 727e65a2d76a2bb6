// SPDX-License-Identifier: Apache-2.0
// A bar that shows a whole and its parts, which add up to at most the whole. Text beside it says what the parts are.
pragma ComponentBehavior: Bound
import QtQuick

Rectangle {
    id: root

    required property var parts // [{bytes, color}]
    required property real whole

    Accessible.ignored: true
    border.color: Style.theme.mark
    border.width: Style.hairline
    color: Style.theme.memoryFree
    implicitHeight: Style.gaugeHeight + 2 * Style.hairline
    implicitWidth: Style.gaugeWidth

    Row {
        id: segments

        readonly property real room: root.width - 2 * Style.hairline

        anchors.fill: parent
        anchors.margins: Style.hairline

        Repeater {
            model: root.parts.length

            Rectangle {
                required property int index
                readonly property var part: root.parts[index]

                color: part.color
                height: segments.height
                width: root.whole > 0 ? segments.room * part.bytes / root.whole : 0
            }
        }
    }
}
