// SPDX-License-Identifier: Apache-2.0
// A chart with the value under the pointer below it.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
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
        Layout.fillWidth: true
        Layout.preferredHeight: Style.chartHeight
        baselineColor: Style.theme.mark
        figures: root.figures
        font.family: Style.family
        font.pixelSize: Style.smallSize
        lineColor: Style.theme.line
        mainColor: Style.theme.ember
        secondColor: Style.theme.water
        textColor: Style.theme.quiet

        FocusRing {
            gap: Style.ring
            radius: Style.cornerSmall
            shown: chart.activeFocus
        }
    }
    SmallText {
        Accessible.ignored: true
        Layout.fillWidth: true
        Layout.minimumHeight: 2 * Style.smallSize * Style.smallLine // room for two lines, so that nothing moves
        text: chart.valueText || root.figures.summary
        wrapMode: Text.Wrap
    }
}
