// SPDX-License-Identifier: Apache-2.0
// Shows where the open model's experts are (its layers, if it has no experts), and three live gauges: the share from
// memory, the rate from disk, and the share of time spent waiting for the disk. While nothing runs, the gauges say so.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
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
    readonly property var gauges: [
        {
            name: qsTr("From memory"),
            share: Math.max(0, experts.fromMemory),
            figure: experts.fromMemory < 0 ? qsTr("idle") : Units.share(experts.fromMemory)
        },
        {
            name: qsTr("Read from disk"),
            share: experts.fastestDiskRate > 0 ? experts.diskRate / experts.fastestDiskRate : 0,
            figure: experts.working ? qsTr("%1/s").arg(Units.size(experts.diskRate)) : qsTr("idle")
        },
        {
            name: qsTr("Waiting for the disk"),
            share: experts.waitShare,
            figure: experts.working ? Units.share(experts.waitShare) : qsTr("idle")
        }
    ]
    readonly property string whole: {
        if (!live || experts.wholeFromMemory < 0)
            return "";
        const words = experts.dense ? qsTr("Since the model was opened, %1 of layers came from memory, %2 was read from disk, and %3 was spent waiting.") : qsTr("Since the model was opened, %1 of experts came from memory, %2 was read from disk, and %3 was spent waiting.");
        return words.arg(Units.share(experts.wholeFromMemory)).arg(Units.size(experts.wholeBytes)).arg(Units.seconds(experts.wholeWait));
    }

    function number(count: int): string {
        return count.toLocaleString(Qt.locale(), "f", 0);
    }

    spacing: Style.small

    SmallText {
        Layout.fillWidth: true
        color: Style.theme.text
        text: root.sentence
        wrapMode: Text.Wrap
    }
    GridLayout {
        Layout.fillWidth: true
        columnSpacing: Style.medium
        columns: 3
        flow: GridLayout.TopToBottom
        rowSpacing: Style.tiny
        rows: root.gauges.length
        visible: root.live

        Repeater {
            model: root.gauges.length

            SmallText {
                required property int index

                Accessible.ignored: true
                Layout.maximumWidth: root.width / 2
                color: Style.theme.text
                text: root.gauges[index].name
                wrapMode: Text.Wrap
            }
        }
        Repeater {
            model: root.gauges.length

            ThinGauge {
                required property int index

                Layout.fillWidth: true
                value: root.gauges[index].share
            }
        }
        Repeater {
            model: root.gauges.length

            SteadyFigures {
                required property int index
                readonly property var gauge: root.gauges[index]

                Accessible.name: gauge.name + ": " + text
                Layout.alignment: Qt.AlignRight
                reserved: [qsTr("%1/s").arg(qsTr("%1 MiB").arg(1000))]
                text: gauge.figure
            }
        }
    }
    SmallText {
        Layout.fillWidth: true
        text: root.whole
        visible: text
        wrapMode: Text.Wrap
    }
}
