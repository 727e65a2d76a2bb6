// SPDX-License-Identifier: Apache-2.0
// Says what the colours of the grid mean: a strip of the scale with its ends, and below it a note: in some views a corner
// marks experts whose reading had not begun when a token needed them. The note has room at all times, so that nothing moves
// when the grid shows something else.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property ExpertGrid grid
    // A copy of grid.kind that changes more rarely than the grid: the colours of the scale depend on it.
    readonly property int kind: grid.kind
    readonly property bool places: kind === ExpertGrid.Places
    readonly property bool onDevice: grid.onDevice // another such copy
    readonly property var ends: grid.scaleEnds
    property bool lights: false // cells that were used a moment ago have a light around them

    // It explains the bars beside the numbers of rows, and says what is not drawn. It depends on the model alone, so it takes
    // no room that is not needed.
    readonly property string layers: Array.from([grid.recurrent ? qsTr("Bar beside a layer: it keeps a state, not keys and values") : "", grid.sharedExperts ? qsTr("Not drawn: the shared or dense part of a layer, which every token uses") : ""]).filter(words => words).join("\n")

    readonly property string note: {
        switch (kind) {
        case ExpertGrid.Weights:
        case ExpertGrid.Places:
            if (!grid.marked)
                return lights ? qsTr("Outline: used just now") : "";
            if (lights)
                return qsTr("Corner: not read until needed. Outline: used just now");
            return grid.dense ? qsTr("Corner: the layer was not read until it was needed") : qsTr("Corner: the expert was not read until it was needed");
        case ExpertGrid.Difference:
            return qsTr("Points: of 100 uses of experts in the layer");
        case ExpertGrid.Counts:
            return qsTr("Stronger colour: more tokens used it");
        case ExpertGrid.Waits:
            return grid.most > 0 ? qsTr("Stronger colour: the layer waited longer") : qsTr("No layer waited for this token");
        }
        return "";
    }

    Accessible.name: places ? (onDevice ? qsTr("Colours: on disk, arriving, in memory, in the GPU's memory") : qsTr("Colours: on disk, arriving, in memory")) : qsTr("Colours from %1 to %2").arg(ends[0]).arg(ends[1])
    Accessible.role: Accessible.StaticText
    spacing: Style.tiny

    Flow {
        spacing: Style.small
        width: root.width

        SmallText {
            id: least

            Accessible.ignored: true
            text: root.ends[0]
            visible: text
        }
        // A narrow pane has less of it, so that all is in one line.
        Item {
            height: Style.smallRow
            visible: !root.places
            width: Math.max(Style.swatch, Math.min(Style.gaugeWidth, root.width - least.implicitWidth - most.implicitWidth - 2 * parent.spacing))

            Rectangle {
                anchors.verticalCenter: parent.verticalCenter
                border.color: Style.theme.line
                border.width: Style.hairline
                color: "transparent"
                height: Style.swatch
                width: parent.width

                ColourScale {
                    anchors.fill: parent
                    anchors.margins: Style.hairline
                    dark: Style.dark
                    difference: root.kind === ExpertGrid.Difference
                }
            }
        }
        SmallText {
            id: most

            Accessible.ignored: true
            text: root.ends[1]
            visible: text
        }
        Repeater {
            model: root.places ? [
                {
                    text: qsTr("on disk"),
                    share: 0.12
                },
                {
                    text: qsTr("arriving"),
                    share: 0.4
                },
                {
                    text: qsTr("in memory"),
                    share: 0.7
                },
                {
                    text: qsTr("in the GPU's memory"),
                    share: 1
                }
            ] : []

            Row {
                id: place

                required property var modelData
                required property int index

                spacing: Style.tiny
                visible: index < 3 || root.onDevice

                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    border.color: Style.theme.mark
                    border.width: Style.hairline
                    color: ColourMaps.presence(place.modelData.share, Style.dark)
                    height: Style.swatch
                    width: Style.swatch
                }
                SmallText {
                    Accessible.ignored: true
                    text: place.modelData.text
                }
            }
        }
    }
    SteadyText {
        Accessible.ignored: root.kind !== ExpertGrid.Difference
        characters: Style.noteRoom
        text: root.note
        width: root.width
    }
    SmallText {
        text: root.layers
        visible: text
        width: root.width
        wrapMode: Text.Wrap
    }
}
