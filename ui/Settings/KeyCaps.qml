// SPDX-License-Identifier: Apache-2.0
// The keys of a command, each in a frame of its own.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

Row {
    id: root

    required property var keys // texts

    spacing: Style.tiny

    Repeater {
        model: root.keys

        Rectangle {
            id: frame

            required property string modelData

            border.color: Style.theme.mark
            border.width: Style.hairline
            color: Style.theme.sunken
            height: words.implicitHeight + Style.tiny
            radius: Style.cornerSmall
            width: words.implicitWidth + 2 * Style.small

            SmallText {
                id: words

                Accessible.ignored: true
                anchors.centerIn: parent
                color: Style.theme.text
                text: frame.modelData
            }
        }
    }
}
