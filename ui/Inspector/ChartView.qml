// SPDX-License-Identifier: Apache-2.0
// A chart, and below it what the chart says or the value under the pointer. Both have room at all times, so that nothing
// moves when one takes the other's place.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property string name
    required property chartData figures

    spacing: Style.tiny

    Chart {
        id: chart

        Accessible.description: valueText || root.figures.summary
        Accessible.focusable: true
        Accessible.name: root.name
        Accessible.role: Accessible.Chart
        baselineColor: Style.theme.mark
        figures: root.figures
        font.family: Style.family
        font.pixelSize: Style.smallSize
        height: Style.chartHeight
        lineColor: Style.theme.line
        mainColor: Style.theme.ember
        medianColor: Style.theme.inkOnEmber
        secondColor: Style.theme.water
        textColor: Style.theme.quiet
        width: root.width

        FocusRing {
            gap: Style.ring
            radius: Style.cornerSmall
            shown: chart.activeFocus
        }
    }
    Item {
        height: Math.max(summary.implicitHeight, value.room)
        width: root.width

        SmallText {
            id: summary

            Accessible.ignored: true
            text: root.figures.summary
            visible: !value.text
            width: parent.width
            wrapMode: Text.Wrap
        }
        SteadyText {
            id: value

            Accessible.ignored: true
            characters: Style.sentenceRoom
            text: chart.valueText
            visible: text
            width: parent.width
        }
    }
}
