// SPDX-License-Identifier: Apache-2.0
// Says how the machine's memory is used, as measured: weights, experts in memory, KV cache, the rest of this program,
// other programs, free. It is the legend of the memory bar.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property MemoryMonitor memory
    readonly property string kept: memory.cacheLimit > memory.cache ? qsTr("%1 of %2").arg(Units.size(memory.cache)).arg(Units.size(memory.cacheLimit)) : Units.size(memory.cache)
    // The bars show only these parts, which are Coterie's own.
    readonly property var ours: [
        part(qsTr("Weights"), memory.weights, Style.theme.memoryWeights),
        part(memory.dense ? qsTr("Layers in memory") : qsTr("Experts in memory"), memory.cache, Style.theme.memoryCache, kept),
        part(memory.states > 0 ? qsTr("KV cache and states") : qsTr("KV cache"), memory.keyValue + memory.states, Style.theme.memoryKeyValue),
        part(qsTr("Coterie itself"), memory.app, Style.theme.memoryApp)
    ]
    readonly property var parts: ours.concat([part(qsTr("Other programs"), memory.other, Style.theme.memoryOther), part(qsTr("Free"), memory.free, Style.theme.memoryFree)])
    readonly property double used: memory.weights + memory.cache + memory.keyValue + memory.states + memory.app
    readonly property double most: Math.max(used, memory.budget > 0 ? memory.budget : memory.total)
    readonly property string note: {
        const lines = [];
        if (memory.budget > 0)
            lines.push(qsTr("Coterie may use %1 of %2.").arg(Units.size(memory.budget)).arg(Units.size(memory.total)));
        if (memory.scarce)
            lines.push(memory.dense ? qsTr("Memory is low: for now, Coterie keeps fewer layers than this allows.") : qsTr("Memory is low: for now, Coterie keeps fewer experts than this allows."));
        if (memory.card > 0)
            lines.push(qsTr("The graphics processor holds %1 of the model in memory of its own.").arg(Units.size(memory.card)));
        return lines.join(" ");
    }
    readonly property string summary: parts.map(entry => entry.name + " " + entry.figure).join(", ") + ". " + note

    function part(name: string, bytes: double, color: color, figure: string): var {
        return {
            name: name,
            bytes: bytes,
            color: color,
            figure: figure || Units.size(bytes)
        };
    }

    spacing: Style.small

    PartsLegend {
        Layout.fillWidth: true
        parts: root.parts
    }
    SmallText {
        Layout.fillWidth: true
        text: root.note
        visible: text
        wrapMode: Text.Wrap
    }
}
