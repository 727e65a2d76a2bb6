// SPDX-License-Identifier: Apache-2.0
// Where the machine's memory is, measured: weights, experts kept, KV cache, the rest of this program, other programs,
// free. Under the pointer or the focus it opens its legend.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property MemoryMonitor memory
    readonly property double ours: memory.weights + memory.cache + memory.keyValue + memory.app
    readonly property var parts: [
        part(qsTr("Weights"), memory.weights, Style.theme.memoryWeights),
        part(qsTr("Experts kept"), memory.cache, Style.theme.memoryCache),
        part(qsTr("KV cache"), memory.keyValue, Style.theme.memoryKeyValue),
        part(qsTr("Rest of Coterie"), memory.app, Style.theme.memoryApp),
        part(qsTr("Other programs"), memory.other, Style.theme.memoryOther),
        part(qsTr("Free"), memory.free, Style.theme.memoryFree)
    ]
    readonly property string summary: qsTr("%1 used by Coterie").arg(sizeText(ours))
    readonly property string note: {
        const lines = [];
        if (memory.budget > 0)
            lines.push(qsTr("Coterie may take %1 of %2.").arg(sizeText(memory.budget)).arg(sizeText(memory.total)));
        if (memory.hitRate >= 0)
            lines.push(qsTr("%1 % of expert reads came from memory.").arg(Math.round(memory.hitRate * 100)));
        if (memory.diskBytesPerSecond > 0)
            lines.push(qsTr("%1 a second come from disk.").arg(sizeText(memory.diskBytesPerSecond)));
        return lines.join(" ");
    }

    function part(name: string, bytes: double, color: color): var {
        return {
            name: name,
            bytes: bytes,
            color: color,
            figure: sizeText(bytes)
        };
    }
    // Binary units, as memory is counted.
    function sizeText(bytes: double): string {
        const unit = 1024;
        const mebi = unit * unit;
        if (bytes < mebi * unit)
            return qsTr("%1 MiB").arg((bytes / mebi).toLocaleString(Qt.locale(), "f", 0));
        return qsTr("%1 GiB").arg((bytes / (mebi * unit)).toLocaleString(Qt.locale(), "f", 1));
    }

    Accessible.description: parts.map(entry => entry.name + " " + entry.figure).join(", ") + ". " + note
    Accessible.focusable: true
    Accessible.name: qsTr("Memory: %1").arg(summary)
    Accessible.role: Accessible.Indicator
    activeFocusOnTab: true
    implicitHeight: Style.controlSmall
    implicitWidth: caption.implicitWidth + figure.implicitWidth + Style.gaugeWidth + 2 * Style.small

    HoverHandler {
        id: hover
    }
    SmallText {
        id: caption

        Accessible.ignored: true
        anchors.left: parent.left
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Memory")
    }
    Rectangle {
        id: track

        anchors.left: caption.right
        anchors.leftMargin: Style.small
        anchors.right: figure.left
        anchors.rightMargin: Style.small
        anchors.verticalCenter: parent.verticalCenter
        border.color: Style.theme.mark
        border.width: Style.hairline
        color: Style.theme.memoryFree
        height: Style.gaugeHeight + 2 * Style.hairline

        Row {
            id: segments

            readonly property real room: parent.width - 2 * Style.hairline

            anchors.fill: parent
            anchors.margins: Style.hairline

            Repeater {
                model: root.parts.length

                Rectangle {
                    required property int index
                    readonly property var entry: root.parts[index]

                    color: entry.color
                    height: segments.height
                    width: root.memory.total > 0 ? segments.room * entry.bytes / root.memory.total : 0
                }
            }
        }
    }
    Figures {
        id: figure

        Accessible.ignored: true
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        text: root.sizeText(root.ours)
    }
    FocusRing {
        gap: Style.tiny
        radius: Style.cornerSmall
        shown: root.activeFocus
    }
    Popup {
        id: legend

        closePolicy: Popup.NoAutoClose
        focus: false
        margins: Style.small
        padding: Style.large
        visible: hover.hovered || root.activeFocus
        width: Style.tipWidth
        y: -height - Style.tiny

        background: Rectangle {
            border.color: Style.theme.line
            border.width: Style.hairline
            color: Style.theme.surface
            radius: Style.corner
        }
        contentItem: MemoryLegend {
            note: root.note
            parts: root.parts
        }
    }
}
