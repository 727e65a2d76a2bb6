// SPDX-License-Identifier: Apache-2.0
// Shows how many experts (layers, if the model has no experts) came from memory within the last second. Its panel says
// where they are, and shows how much was read from disk.
import QtQuick
import Coterie.App
import Coterie.Style

StatusGauge {
    id: root

    required property ExpertMonitor experts
    readonly property bool measured: experts.working && experts.fromMemory >= 0
    readonly property string ofLayers: qsTr("Layers")
    readonly property string ofExperts: qsTr("Experts")
    readonly property string idle: qsTr("idle")
    readonly property string none: qsTr("none")

    Accessible.description: figure + ". " + panelContent.summary
    Accessible.name: experts.dense ? qsTr("Layers from memory") : qsTr("Experts from memory")
    caption: experts.dense ? ofLayers : ofExperts
    captions: [ofLayers, ofExperts]
    figure: {
        if (measured)
            return Units.share(experts.fromMemory);
        switch (experts.place) {
        case ExpertMonitor.NoModel:
            return none;
        case ExpertMonitor.AllKept:
            return Units.share(1);
        }
        return idle;
    }
    reserved: [idle, none, Units.share(1)]

    panel: ExpertPanel {
        id: panelContent

        experts: root.experts
    }

    ThinGauge {
        value: root.measured ? root.experts.fromMemory : root.experts.place === ExpertMonitor.AllKept ? 1 : 0
        width: parent.width
    }
}
