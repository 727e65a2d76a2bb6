// SPDX-License-Identifier: Apache-2.0
// A chart with its name, and below it what the chart says or the value under the pointer. Both have room at all times, so
// that nothing moves when one takes the other's place. The question mark beside the name unfolds a text that says how to
// read the chart.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property string name
    required property chartData figures
    property bool explained: false

    spacing: Style.tiny

    Row {
        spacing: Style.tiny

        SmallText {
            id: heading

            Accessible.ignored: true // the chart has the name
            anchors.verticalCenter: parent.verticalCenter
            color: Style.theme.text
            text: root.name
            width: Math.min(whole.needed, root.width - question.width - parent.spacing)
            wrapMode: Text.Wrap

            LineWidth {
                id: whole

                line: heading
            }
        }
        QuestionButton {
            id: question

            open: root.explained
            subject: root.name
            onClicked: root.explained = !root.explained
        }
    }
    SmallText {
        text: root.figures.about
        visible: root.explained
        width: root.width
        wrapMode: Text.Wrap
    }
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
