// SPDX-License-Identifier: Apache-2.0
// The text of a message, with the frames around its code, calls and thoughts, the scroll bars of wide tables, and its
// links. Only those near the view are made.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style
import Coterie.Text

MessageText {
    id: root

    property bool latest: true // no message follows
    property bool foldable: false // a long text shows its beginning only, until it is unfolded
    property int marked: -1 // the token that stands out, because a panel is about it
    // Its places, one for each line that it is on; the layout's size says that they may be others.
    readonly property var markedPlaces: width + implicitHeight > 0 ? rectanglesOf(marked) : []
    readonly property bool folds: foldable && lineCount > Style.mostLines
    readonly property bool folded: folds && !(document?.unfolded ?? false)

    property string offeredLink: "" // the address that a menu offers
    property rect offeredPlace

    // The reader is about to fold or unfold the text.
    signal refolding

    function offer(address: string, place: rect): void {
        offeredPlace = place;
        offeredLink = address;
    }

    Accessible.ignored: lineCount === 0 // an answer before its first words
    Accessible.role: Accessible.StaticText
    clip: folded
    framesTokens: marked < 0
    height: folded ? style.bodyLine * Style.foldedLines + Style.controlSmall : implicitHeight + (folds ? Style.controlSmall : 0)
    style: MessageStyle

    onLinkClicked: (address, place) => offer(address, place)
    onPlaceWanted: place => {
        if (folded && place.y + place.height > height - Style.controlSmall)
            document.unfolded = true;
    }

    // Lines have room above and below their letters, but none beside them. The buttons of an answer are close below.
    FocusRing {
        anchors.leftMargin: -Style.small - border.width
        anchors.rightMargin: -Style.small - border.width
        gap: 0
        shown: root.focusedByKey
    }
    Repeater {
        model: root.markedPlaces

        Rectangle {
            required property rect modelData

            border.color: Style.theme.ember
            border.width: Style.ring
            color: "transparent"
            height: modelData.height
            radius: Style.cornerSmall
            width: modelData.width + Style.ring
            x: modelData.x
            y: modelData.y
        }
    }
    Repeater {
        model: root.codeFrames

        CodeFrame {
            latest: root.latest
            message: root
        }
    }
    Repeater {
        model: root.thoughtFrames

        ThoughtFrame {
            message: root
        }
    }
    Repeater {
        model: root.tableFrames

        TableFrame {
            message: root
        }
    }
    Repeater {
        model: root.links

        LinkSpot {
            onChosen: (address, place) => root.offer(address, place)
        }
    }
    Item {
        id: hoveredSpot

        height: root.hoveredPlace.height
        width: root.hoveredPlace.width
        x: root.hoveredPlace.x
        y: root.hoveredPlace.y

        HoverTip {
            shown: root.hoveredLink !== ""
            target: hoveredSpot
            text: root.hoveredLink
        }
    }
    Optional {
        wanted: root.folds

        FoldButton {
            anchors.bottom: parent?.bottom
            count: root.lineCount
            unfolded: !root.folded
            width: root.width
            onClicked: {
                root.refolding();
                root.document.unfolded = root.folded;
            }
        }
    }
    Optional {
        wanted: root.offeredLink !== ""

        LinkOffer {
            address: root.offeredLink
            height: root.offeredPlace.height
            width: root.offeredPlace.width
            x: root.offeredPlace.x
            y: root.offeredPlace.y
            onCopyWanted: root.copyText(address)
            onDone: Qt.callLater(() => root.offeredLink = "") // qmllint disable
        }
    }
}
