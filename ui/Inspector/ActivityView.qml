// SPDX-License-Identifier: Apache-2.0
// Shows the model at work: where its experts come from, what they did for an answer, and how memory is used. The pane and
// the page of the model's activity show this.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Models
import Coterie.Style

ColumnLayout {
    id: root

    required property App app

    spacing: Style.medium

    RowLayout {
        spacing: Style.small

        PartHeading {
            Layout.fillWidth: true
            text: root.app.experts.dense ? qsTr("Layers") : qsTr("Experts")
        }
        PushButton {
            kind: "quiet"
            text: qsTr("Take a first look")
            visible: !tour.active
            onClicked: tour.begin()
        }
    }
    FirstLook {
        id: tour

        Layout.fillWidth: true
        app: root.app
    }
    ExpertPanel {
        Layout.fillWidth: true
        experts: root.app.experts
    }
    ExpertsView {
        Layout.fillWidth: true
        app: root.app
        explained: tour.part
    }
    HairLine {
        Layout.bottomMargin: Style.tiny
        Layout.fillWidth: true
        Layout.topMargin: Style.small
    }
    PartHeading {
        Layout.fillWidth: true
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
}
