// SPDX-License-Identifier: Apache-2.0
// The last line of the window: memory, experts and context, measured. If the window is narrow, it takes two lines or three:
// the context's number is always shown. If the window is too low for more than one line, only that is sure to be shown.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Style

GridLayout {
    id: root

    required property App app
    property bool brief: false // there is room for one line
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool showsExperts: expertGauge.visible

    // The gauges use a second line if they do not fit into one and the experts' gauge has something to
    // show.
    readonly property bool wide: width >= memoryBar.implicitWidth + expertGauge.implicitWidth + (contextGauge.visible ? Math.max(contextGauge.briefWidth, contextGauge.leastWidth) + 2 * columnSpacing : columnSpacing)

    // If not all of it is wide, what stands beside the context's gauge, if there is room for both.
    readonly property StatusGauge neighbour: expertGauge.visible ? expertGauge : memoryBar
    readonly property bool roomForNeighbour: wide || !contextGauge.visible || width >= neighbour.leastWidth + columnSpacing + contextGauge.leastWidth

    columnSpacing: Style.wide
    columns: wide || (!expertGauge.visible && roomForNeighbour) ? 2 : 1
    rowSpacing: 0

    MemoryBar {
        id: memoryBar

        Layout.fillWidth: true
        memory: root.app.memory
        visible: !root.brief || root.roomForNeighbour
    }
    GridLayout {
        Layout.fillWidth: root.columns === 1
        columnSpacing: root.columnSpacing
        columns: root.roomForNeighbour ? 2 : 1
        rowSpacing: root.rowSpacing

        ExpertGauge {
            id: expertGauge

            Layout.fillWidth: !root.wide
            experts: root.app.experts
            visible: root.wide || (root.models.readsExperts && !root.brief)
        }
        ContextGauge {
            id: contextGauge

            readonly property real besides: root.wide ? memoryBar.implicitWidth + root.columnSpacing + expertGauge.implicitWidth : root.neighbour.implicitWidth

            Layout.preferredHeight: Style.controlSmall // as high as its neighbours, also in a line of its own
            alone: !root.roomForNeighbour
            most: root.wide ? room : root.roomForNeighbour ? root.width - root.columnSpacing - root.neighbour.leastWidth : root.width
            room: root.roomForNeighbour ? root.width - root.columnSpacing - besides : root.width
            shortened: root.conversation.context.shortened
            size: root.conversation.contextSize
            used: root.conversation.contextUsed
            visible: size > 0
        }
    }
}
