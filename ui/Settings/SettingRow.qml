// SPDX-License-Identifier: Apache-2.0
// One row of the settings: its title, an explanation, a note such as where its value comes from, and its control at the
// right, or below if the words would have no room beside it. It is no layout, because a nested one keeps the sizes that it
// got before its page was shown.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Item {
    id: root

    required property string title
    property string hint: ""
    property string note: ""
    default property alias control: place.data
    readonly property bool notedBeside: note !== "" && heading.implicitWidth + Style.small + beside.implicitWidth <= words.width
    readonly property bool stacked: width - place.implicitWidth - Style.large < Style.wordsMin

    implicitHeight: stacked ? words.height + Style.tiny + place.implicitHeight : Math.max(words.height, place.implicitHeight)
    width: parent?.width ?? 0

    Column {
        id: words

        width: root.stacked ? root.width : root.width - place.width - Style.large
        y: root.stacked ? 0 : (root.height - height) / 2

        // A short note stands beside the title, so that nothing moves when it comes.
        Item {
            implicitHeight: heading.height
            width: parent.width

            BodyText {
                id: heading

                text: root.title
                width: parent.width
                wrapMode: Text.Wrap
            }
            SmallText {
                id: beside

                anchors.baseline: heading.baseline
                color: Style.theme.water
                text: root.note
                visible: root.notedBeside
                x: heading.implicitWidth + Style.small
            }
        }
        SmallText {
            text: root.hint
            visible: text
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            color: Style.theme.water
            text: root.note
            visible: text && !root.notedBeside
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    RowLayout {
        id: place

        spacing: Style.small
        x: root.width - width
        y: root.stacked ? words.height + Style.tiny : (root.height - height) / 2
    }
}
