// SPDX-License-Identifier: Apache-2.0
// Shows how much memory the model would take with these settings before it is opened with them: a bar, its parts, and
// an explanation in words. It says when the budget is too small, and which budget would be enough.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Control {
    id: root

    required property MemoryForecast forecast
    required property ModelController models
    required property bool busy // an answer is being written
    readonly property bool known: forecast.state === MemoryForecast.Fits || forecast.state === MemoryForecast.TooLittle
    readonly property bool tooLittle: forecast.state === MemoryForecast.TooLittle
    readonly property var parts: Array.from([
        part(qsTr("Weights"), forecast.weights, Style.theme.memoryWeights),
        part(expertsName, forecast.experts, Style.theme.memoryCache),
        part(cacheName, forecast.keyValue + forecast.states, Style.theme.memoryKeyValue),
        part(qsTr("Coterie itself"), forecast.program, Style.theme.memoryApp),
        part(qsTr("Unused"), Math.max(0, forecast.budget - forecast.needed), Style.theme.memoryFree)
    ]).filter(entry => entry.bytes > 0)
    readonly property string cacheName: forecast.states > 0 ? qsTr("KV cache for %Ln token(s), and states", "", forecast.context) : qsTr("KV cache for %Ln token(s)", "", forecast.context)
    readonly property string expertsName: (forecast.dense ? qsTr("%1 of %Ln layer(s)", "", forecast.allExperts) : qsTr("%1 of %Ln expert(s)", "", forecast.allExperts)).arg(number(forecast.room))
    readonly property string title: {
        switch (forecast.state) {
        case MemoryForecast.NoModel:
            return qsTr("When a model is open, this shows how much memory it would use.");
        case MemoryForecast.Looking:
            return qsTr("Looking at the model\u2026");
        case MemoryForecast.Failed:
            return forecast.error.what;
        case MemoryForecast.TooLittle:
            return qsTr("The budget is too small: %1 needs at least %2").arg(NameText.isolated(models.name)).arg(Units.size(forecast.least));
        }
        return forecast.automatic ? qsTr("%1 in %2 (chosen automatically)").arg(NameText.isolated(models.name)).arg(Units.size(forecast.budget)) : qsTr("%1 in %2").arg(NameText.isolated(models.name)).arg(Units.size(forecast.budget));
    }
    readonly property string meaning: {
        if (forecast.state === MemoryForecast.Failed)
            return [forecast.error.why, forecast.error.action].filter(words => words).map(words => Sentences.full(words)).join(" ");
        if (!known)
            return "";
        if (tooLittle)
            return qsTr("The figures below are for the smallest budget that works. A shorter context needs less memory.");
        if (forecast.dense && forecast.room >= forecast.allExperts)
            return qsTr("The whole model stays in memory: nothing is read from disk while it answers.");
        if (forecast.room >= forecast.allExperts)
            return qsTr("All experts stay in memory: nothing is read from disk while the model answers.");
        if (forecast.dense)
            return qsTr("There is room for %1 of its %Ln layer(s). The others are read from disk for each token, so answers will be slow.", "", forecast.allExperts).arg(number(forecast.room));
        const cycles = forecast.room / Math.max(1, forecast.tokenExperts);
        const times = cycles.toLocaleString(Qt.locale(), "f", 1);
        if (cycles < 1)
            return qsTr("One token uses %Ln expert(s), and fewer than that stay in memory. Each token waits for the disk, so answers will be slow.", "", forecast.tokenExperts);
        return qsTr("There is room for %1 times the experts that one token uses. The others are read from disk when they are used.").arg(times);
    }
    readonly property string cheapContext: {
        if (!known || forecast.recurrentLayers === 0)
            return "";
        return qsTr("%1 of %Ln layer(s) need no more memory for a longer chat.", "", forecast.layers).arg(number(forecast.recurrentLayers));
    }
    readonly property string warning: {
        if (!known || tooLittle)
            return "";
        if (forecast.machine > 0 && forecast.budget > forecast.machine)
            return qsTr("That is more than this machine has (%1), so it would become very slow.").arg(Units.size(forecast.machine));
        if (forecast.reachable > 0 && forecast.needed > forecast.reachable)
            return qsTr("Other programs leave %1 free now, so they would have to release memory.").arg(Units.size(forecast.reachable));
        return "";
    }

    signal budgetWanted(real bytes)

    function number(count: int): string {
        return count.toLocaleString(Qt.locale(), "f", 0);
    }
    function part(name: string, bytes: double, color: color): var {
        return {
            name: name,
            bytes: bytes,
            color: color,
            figure: Units.size(bytes)
        };
    }

    Accessible.ignored: true // Qt 6.4 gives a bare Control no role, so the role is set below
    padding: Style.large

    background: Rectangle {
        border.color: root.tooLittle || root.forecast.state === MemoryForecast.Failed ? Style.theme.error : Style.theme.line
        border.width: Style.hairline
        color: Style.theme.sunken
        radius: Style.corner
    }
    contentItem: ColumnLayout {
        Accessible.description: Array.from([root.meaning, root.cheapContext, root.warning]).filter(words => words).join(" ")
        Accessible.name: root.title
        Accessible.role: Accessible.Grouping
        spacing: Style.small

        BodyText {
            Layout.fillWidth: true
            color: root.tooLittle ? Style.theme.error : root.known ? Style.theme.text : Style.theme.quiet
            font.weight: root.known ? Style.medWeight : Font.Normal
            text: root.title
            wrapMode: Text.Wrap
        }
        SmallText {
            Layout.fillWidth: true
            text: root.meaning
            visible: text
            wrapMode: Text.Wrap
        }
        SmallText {
            Layout.fillWidth: true
            text: root.cheapContext
            visible: text
            wrapMode: Text.Wrap
        }
        PartsBar {
            Layout.fillWidth: true
            Layout.topMargin: Style.tiny
            parts: root.parts
            visible: root.known
            whole: root.tooLittle ? root.forecast.needed : Math.max(root.forecast.budget, root.forecast.needed)
        }
        PartsLegend {
            Layout.fillWidth: true
            parts: root.parts
            visible: root.known
        }
        SmallText {
            Layout.fillWidth: true
            color: Style.theme.text
            text: root.warning
            visible: text
            wrapMode: Text.Wrap
        }
        Flow {
            Layout.fillWidth: true
            Layout.topMargin: Style.tiny
            spacing: Style.small
            visible: root.tooLittle || root.models.outdated

            PushButton {
                kind: "primary"
                text: qsTr("Allow %1").arg(Units.size(root.forecast.least))
                visible: root.tooLittle
                width: Math.min(implicitWidth, parent.width)
                onClicked: {
                    passFocusBack();
                    root.budgetWanted(root.forecast.least);
                }
            }
            PushButton {
                Accessible.description: root.busy ? qsTr("Available when the answer is complete") : ""
                enabled: !root.busy && root.forecast.state === MemoryForecast.Fits
                kind: "primary"
                text: qsTr("Open again with these settings")
                visible: root.models.outdated && !root.tooLittle
                width: Math.min(implicitWidth, parent.width)
                onClicked: {
                    passFocusBack();
                    root.models.reopen();
                }
            }
        }
    }
}
