// SPDX-License-Identifier: Apache-2.0
// The last line of the window: memory, experts and context, measured. If the window is narrow, it takes two lines.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Style

GridLayout {
    id: root

    required property App app
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool showsExperts: expertGauge.visible

    // The gauges use a second line if they do not fit into one and the experts' gauge has something to
    // show.
    readonly property bool wide: width >= memoryBar.implicitWidth + expertGauge.implicitWidth + (contextGauge.visible ? contextGauge.briefWidth + 2 * columnSpacing : columnSpacing)

    columnSpacing: Style.wide
    columns: wide || !expertGauge.visible ? 2 : 1
    rowSpacing: 0

    MemoryBar {
        id: memoryBar

        Layout.fillWidth: true
        memory: root.app.memory
    }
    RowLayout {
        Layout.fillWidth: root.columns === 1
        spacing: root.columnSpacing

        ExpertGauge {
            id: expertGauge

            Layout.fillWidth: !root.wide
            experts: root.app.experts
            visible: root.wide || root.models.readsExperts
        }
        ContextGauge {
            id: contextGauge

            readonly property StatusGauge beside: expertGauge.visible ? expertGauge : memoryBar // if the line is not wide
            readonly property real besides: root.wide ? memoryBar.implicitWidth + root.columnSpacing + expertGauge.implicitWidth : beside.implicitWidth

            most: root.wide ? room : root.width - root.columnSpacing - beside.leastWidth
            room: root.width - root.columnSpacing - besides
            shortened: root.conversation.context.shortened
            size: root.conversation.contextSize
            used: root.conversation.contextUsed
            visible: size > 0
        }
    }
}
