// SPDX-License-Identifier: Apache-2.0
// Shows how much of its memory budget Coterie uses, and for what. Its panel says the same in figures, with what other
// programs use.
import QtQuick
import Coterie.App

StatusGauge {
    id: root

    required property MemoryMonitor memory

    Accessible.description: panelContent.summary
    Accessible.name: qsTr("Memory: %1").arg(figure)
    briefFigure: Units.size(panelContent.used)
    caption: qsTr("Memory")
    figure: qsTr("%1 used by Coterie").arg(Units.size(panelContent.used))

    panel: MemoryPanel {
        id: panelContent

        memory: root.memory
    }

    StackedGauge {
        parts: panelContent.ours
        whole: panelContent.most
        width: parent.width
    }
}
