// SPDX-License-Identifier: Apache-2.0
// A gauge of the window's last line: a word, the gauge, and a figure, which is shorter if there is little room. It
// opens its panel while it has the pointer or the focus.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style

FocusScope {
    id: root

    required property string caption
    property var captions: [] // words for which room is reserved, so that nothing moves when the word changes
    readonly property real captionRoom: Math.max(word.implicitWidth, words.implicitWidth)
    required property string figure
    property string briefFigure: figure
    property alias reserved: figures.reserved
    readonly property real leastWidth: captionRoom + Style.large + Style.small // the word and a short gauge
    readonly property bool roomForFigure: width >= leastWidth + figures.implicitWidth + Style.small
    property alias panel: popup.contentItem
    default property alias gauge: place.data

    Accessible.focusable: true
    Accessible.role: Accessible.Grouping // Qt has no word for a gauge that AT-SPI knows
    activeFocusOnTab: true
    implicitHeight: Style.controlSmall
    implicitWidth: captionRoom + Math.max(full.implicitWidth, figures.room) + Style.gaugeWidth + 2 * Style.small

    HoverHandler {
        id: hover
    }
    SmallText {
        id: word

        Accessible.ignored: true
        anchors.left: parent.left
        anchors.verticalCenter: parent.verticalCenter
        text: root.caption
    }
    // Used only to measure the words.
    Column {
        id: words

        opacity: 0

        Repeater {
            model: root.captions.length // the words stay while the figures around them change

            SmallText {
                required property int index

                Accessible.ignored: true
                text: root.captions[index] ?? ""
            }
        }
    }
    Item {
        id: place

        anchors.left: parent.left
        anchors.leftMargin: root.captionRoom + Style.small
        anchors.right: figures.visible ? figures.left : parent.right
        anchors.rightMargin: figures.visible ? Style.small : 0
        anchors.verticalCenter: parent.verticalCenter
        height: childrenRect.height
    }
    // Used only to measure the figure.
    Figures {
        id: full

        Accessible.ignored: true
        opacity: 0
        text: root.figure
    }
    SteadyFigures {
        id: figures

        Accessible.ignored: true
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        leading: true
        text: root.width < root.implicitWidth ? root.briefFigure : root.figure
        visible: root.roomForFigure
    }
    FocusRing {
        gap: Style.ring
        radius: Style.cornerSmall
        shown: root.activeFocus
    }
    HoverPanel {
        id: popup

        focused: root.activeFocus
        label: root.Accessible.name
        pointed: hover.hovered
    }
}
