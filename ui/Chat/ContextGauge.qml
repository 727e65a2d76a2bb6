// SPDX-License-Identifier: Apache-2.0
// Shows how much of the model's context the conversation fills. Nothing is ever dropped silently: the gauge says when
// the context is full.
import QtQuick
import Coterie.Style

Row {
    id: root

    required property int used
    required property int size
    property bool shortened: false // the model does not see the oldest turns
    // Available width. If it is small, the figures are shorter, and then the gauge.
    property real room: Infinity
    // The width if what is beside it gives way, which it does for the figures: nothing else warns of the context's end.
    property real most: room
    property bool alone: false // the gauge fills a line of its own
    readonly property real briefWidth: word.implicitWidth + Style.gaugeWidth + spacing // without the figures
    readonly property real leastWidth: word.implicitWidth + Style.large + briefFigures.implicitWidth + 2 * spacing // with the short figures
    readonly property bool roomForAll: room >= briefWidth + figures.implicitWidth + spacing
    readonly property bool roomForBrief: most >= leastWidth
    readonly property real share: size > 0 ? used / size : 0
    readonly property string summary: summaryOf(used)

    function summaryOf(tokens: int): string {
        return qsTr("%1 of %Ln token(s)", "of the context", size).arg(tokens.toLocaleString(Qt.locale(), "f", 0));
    }

    function briefOf(tokens: int): string {
        return qsTr("%1 of %2", "tokens of the context").arg(tokens.toLocaleString(Qt.locale(), "f", 0)).arg(size.toLocaleString(Qt.locale(), "f", 0));
    }

    Accessible.description: shortened ? qsTr("The model does not see the oldest turns") : ""
    Accessible.name: qsTr("Context: %1").arg(summary)
    Accessible.role: Accessible.StaticText // Qt 6.4 tells no value of a progress bar
    spacing: Style.small

    HoverHandler {
        id: hover
    }
    HoverTip {
        shown: hover.hovered && (!root.roomForAll || root.shortened)
        target: root
        text: root.shortened ? root.summary + "\n" + root.Accessible.description : root.summary
    }
    SmallText {
        id: word

        Accessible.ignored: true
        anchors.verticalCenter: parent.verticalCenter
        text: root.shortened ? qsTr("Context (shortened)") : qsTr("Context")
    }
    ThinGauge {
        id: gauge

        anchors.verticalCenter: parent.verticalCenter
        hot: root.share >= Style.almostFull
        value: root.share
        width: {
            const shown = root.roomForAll ? figures : root.roomForBrief ? briefFigures : null;
            const rest = root.room - word.implicitWidth - root.spacing - (shown ? shown.implicitWidth + root.spacing : 0);
            return Math.max(Style.large, root.alone ? rest : Math.min(Style.gaugeWidth, rest));
        }
    }
    // It has room for the longest text, so that the gauges beside it keep their lengths.
    SteadyFigures {
        id: figures

        Accessible.ignored: true
        anchors.verticalCenter: parent.verticalCenter
        reserved: [root.summaryOf(root.size)]
        text: root.summary
        visible: root.roomForAll
    }
    SteadyFigures {
        id: briefFigures

        Accessible.ignored: true
        anchors.verticalCenter: parent.verticalCenter
        reserved: [root.briefOf(root.size)]
        text: root.briefOf(root.used)
        visible: root.roomForBrief && !root.roomForAll
    }
}
