// SPDX-License-Identifier: Apache-2.0
// How much of the model's context the conversation fills. Nothing is ever dropped silently: when it is full, it says so.
import QtQuick
import Coterie.Style

Row {
    id: root

    required property int used
    required property int size
    readonly property real share: size > 0 ? used / size : 0
    readonly property string summary: qsTr("%1 of %2 tokens").arg(used.toLocaleString(Qt.locale(), "f", 0)).arg(size.toLocaleString(Qt.locale(), "f", 0))

    Accessible.name: qsTr("Context: %1").arg(summary)
    Accessible.role: Accessible.ProgressBar
    spacing: Style.small

    SmallText {
        Accessible.ignored: true
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Context")
    }
    ThinGauge {
        anchors.verticalCenter: parent.verticalCenter
        hot: root.share >= Style.almostFull
        value: root.share
    }
    Figures {
        Accessible.ignored: true
        anchors.verticalCenter: parent.verticalCenter
        text: root.summary
    }
}
