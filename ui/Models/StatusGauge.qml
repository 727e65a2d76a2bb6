// SPDX-License-Identifier: Apache-2.0
// A gauge of the window's last line: a word, the gauge, and a figure, which is shorter if there is little room. It
// opens its panel while it has the pointer or the focus.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

FocusScope {
    id: root

    required property string caption
    property var captions: [] // words for which room is reserved, so that nothing moves when the word changes
    readonly property real captionRoom: Math.max(word.implicitWidth, words.implicitWidth)
    required property string figure
    property string briefFigure: figure
    property alias reserved: figures.reserved
    property alias panel: popup.contentItem
    default property alias gauge: place.data

    Accessible.focusable: true
    Accessible.role: Accessible.Indicator
    activeFocusOnTab: true
    implicitHeight: Style.controlSmall
    implicitWidth: captionRoom + Math.max(full.implicitWidth, figures.room) + Style.gaugeWidth + 2 * Style.small

    HoverHandler {
        id: hover

        onHoveredChanged: stayed.over = false
    }
    // A pointer that only passes by opens nothing.
    Timer {
        id: stayed

        property bool over: false

        interval: Style.tipDelay
        running: hover.hovered
        onTriggered: over = true
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
            model: root.captions

            SmallText {
                required property string modelData

                Accessible.ignored: true
                text: modelData
            }
        }
    }
    Item {
        id: place

        anchors.left: parent.left
        anchors.leftMargin: root.captionRoom + Style.small
        anchors.right: figures.left
        anchors.rightMargin: Style.small
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
    }
    FocusRing {
        gap: Style.ring
        radius: Style.cornerSmall
        shown: root.activeFocus
    }
    Popup {
        id: popup

        closePolicy: Popup.NoAutoClose
        focus: false
        margins: Style.small
        padding: Style.large
        visible: stayed.over || root.activeFocus
        width: Style.tipWidth
        y: -height - Style.tiny

        background: Rectangle {
            border.color: Style.theme.line
            border.width: Style.hairline
            color: Style.theme.surface
            radius: Style.corner
        }
    }
}
