// SPDX-License-Identifier: Apache-2.0
// Shows where the open model's experts are (its layers, if it has no experts), and three live gauges: the share from
// memory, the rate from disk, and the share of time spent waiting for the disk. While nothing runs, the gauges say so.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property ExpertMonitor experts
    readonly property bool live: experts.place === ExpertMonitor.RoomForAll || experts.place === ExpertMonitor.FromDisk
    readonly property string summary: live ? sentence + " " + Array.from(gauges).map(gauge => gauge.name + " " + gauge.figure).join(", ") + ". " + whole : sentence
    readonly property string sentence: {
        const all = experts.experts;
        const kept = number(experts.kept);
        switch (experts.place) {
        case ExpertMonitor.AllKept:
            return experts.dense ? qsTr("All %Ln layer(s) are in memory: nothing is read from disk while the model answers.", "", all) : qsTr("All %Ln expert(s) are in memory: nothing is read from disk while the model answers.", "", all);
        case ExpertMonitor.RoomForAll:
            return (experts.dense ? qsTr("There is room for all %Ln layer(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.", "", all) : qsTr("There is room for all %Ln expert(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.", "", all)).arg(kept);
        case ExpertMonitor.FromDisk:
            return (experts.dense ? qsTr("%1 of %Ln layer(s) are in memory. The others are read from disk for each token.", "", all) : qsTr("%1 of %Ln expert(s) are in memory. The others are read from disk when they are used.", "", all)).arg(kept);
        }
        return qsTr("No model is open. While a model answers, this shows where its experts come from.");
    }
    readonly property var names: [qsTr("From memory"), qsTr("Read from disk"), qsTr("Waiting for the disk")]
    readonly property var gauges: [
        {
            name: names[0],
            share: Math.max(0, experts.fromMemory),
            figure: experts.fromMemory < 0 ? qsTr("idle") : Units.share(experts.fromMemory)
        },
        {
            name: names[1],
            share: experts.fastestDiskRate > 0 ? experts.diskRate / experts.fastestDiskRate : 0,
            figure: experts.working ? qsTr("%1/s").arg(Units.size(experts.diskRate)) : qsTr("idle")
        },
        {
            name: names[2],
            share: experts.waitShare,
            figure: experts.working ? Units.share(experts.waitShare) : qsTr("idle")
        }
    ]
    readonly property string whole: {
        if (!live || experts.wholeFromMemory < 0)
            return "";
        const words = experts.dense ? qsTr("Since the model was opened, %1 of layer reads came from memory, %2 was read from disk, and %3 was spent waiting.") : qsTr("Since the model was opened, %1 of expert reads came from memory, %2 was read from disk, and %3 was spent waiting.");
        return words.arg(Units.share(experts.wholeFromMemory)).arg(Units.size(experts.wholeBytes)).arg(Units.seconds(experts.wholeWait));
    }

    function number(count: int): string {
        return count.toLocaleString(Qt.locale(), "f", 0);
    }

    spacing: Style.small

    SmallText {
        color: Style.theme.text
        text: root.sentence
        width: parent.width
        wrapMode: Text.Wrap
    }
    // No layout: in Qt 6.4 it keeps the width 0 for texts that wrap if it gets its own width while it lays them out.
    Column {
        id: lines

        readonly property int longest: Style.smallMetrics.height > 0 ? Math.ceil(Math.max(...Array.from(root.names).map(name => Style.smallMetrics.advanceWidth(name)))) + 1 : 0 // the height tells of a new font

        spacing: Style.tiny
        visible: root.live
        width: parent.width

        Repeater {
            model: root.gauges.length

            Item {
                id: line

                required property int index
                readonly property var gauge: root.gauges[index]

                height: Math.max(name.height, figures.height)
                width: lines.width

                SmallText {
                    id: name

                    Accessible.ignored: true
                    anchors.verticalCenter: parent.verticalCenter
                    color: Style.theme.text
                    text: line.gauge.name
                    width: Math.min(lines.longest, root.width / 2)
                    wrapMode: Text.Wrap
                }
                ThinGauge {
                    anchors.left: name.right
                    anchors.leftMargin: Style.medium
                    anchors.right: figures.left
                    anchors.rightMargin: Style.medium
                    anchors.verticalCenter: parent.verticalCenter
                    value: line.gauge.share
                }
                SteadyFigures {
                    id: figures

                    Accessible.name: line.gauge.name + ": " + text
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    reserved: [qsTr("%1/s").arg(qsTr("%1 MiB").arg(1000))]
                    text: line.gauge.figure
                }
            }
        }
    }
    SmallText {
        text: root.whole
        visible: text
        width: parent.width
        wrapMode: Text.Wrap
    }
}
