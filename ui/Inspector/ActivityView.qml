// SPDX-License-Identifier: Apache-2.0
// Shows the open model at work: where its experts come from, and how memory is used. The pane and the page of the
// model's activity show this.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Models
import Coterie.Style

ColumnLayout {
    id: root

    required property App app

    spacing: Style.medium

    Heading {
        text: root.app.experts.dense ? qsTr("Layers") : qsTr("Experts")
    }
    ExpertPanel {
        Layout.fillWidth: true
        experts: root.app.experts
    }
    HairLine {
        Layout.bottomMargin: Style.tiny
        Layout.fillWidth: true
        Layout.topMargin: Style.small
    }
    Heading {
        text: qsTr("Memory")
    }
    SmallText {
        Layout.fillWidth: true
        color: Style.theme.text
        text: qsTr("Coterie uses %1.").arg(Units.size(memory.used))
        wrapMode: Text.Wrap
    }
    StackedGauge {
        Layout.fillWidth: true
        parts: memory.ours
        whole: memory.most
    }
    MemoryPanel {
        id: memory

        Layout.fillWidth: true
        memory: root.app.memory
    }

    component Heading: BodyText {
        Accessible.role: Accessible.Heading
        Layout.fillWidth: true
        font.weight: Style.heavyWeight
        wrapMode: Text.Wrap
    }
}
