// SPDX-License-Identifier: Apache-2.0
// Figures in a place that is wide enough for every text that may appear there, so that nothing beside them moves.
pragma ComponentBehavior: Bound
import QtQuick

Item {
    id: root

    required property string text
    property var reserved: [] // texts for which room is reserved, whether they are shown or not
    property bool leading: false // true: aligned left; false: aligned right
    readonly property real room: widest.implicitWidth

    Accessible.name: text
    Accessible.role: Accessible.StaticText
    implicitHeight: figures.implicitHeight
    implicitWidth: Math.max(figures.implicitWidth, room)

    Column {
        id: widest

        opacity: 0

        Repeater {
            model: root.reserved

            Figures {
                required property string modelData

                Accessible.ignored: true
                text: modelData
            }
        }
    }
    Figures {
        id: figures

        Accessible.ignored: true
        text: root.text
        x: root.leading ? 0 : root.width - width
    }
}
