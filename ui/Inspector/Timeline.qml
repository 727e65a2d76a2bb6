// SPDX-License-Identifier: Apache-2.0
// The tokens of an answer in time: a slider over them, a replay in slow motion or with the real times, and what the
// current one is. Its lines keep their heights.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property Inspector inspector
    readonly property var speeds: [
        {
            value: 0,
            text: qsTr("Slow motion")
        },
        {
            value: 1,
            text: qsTr("Real time")
        },
        {
            value: 2,
            text: qsTr("%1x").arg(2)
        },
        {
            value: 4,
            text: qsTr("%1x").arg(4)
        },
        {
            value: 8,
            text: qsTr("%1x").arg(8)
        }
    ]

    spacing: Style.tiny

    RowLayout {
        spacing: Style.small
        width: root.width

        IconButton {
            iconName: root.inspector.timeline.playing ? "pause" : "play"
            text: root.inspector.timeline.playing ? qsTr("Pause the replay") : qsTr("Replay the answer")
            onClicked: root.inspector.timeline.playing = !root.inspector.timeline.playing
        }
        ValueSlider {
            id: slider

            Accessible.description: root.inspector.timeline.text
            Layout.fillWidth: true
            from: root.inspector.timeline.first
            label: qsTr("Token")
            stepSize: 1
            to: Math.max(root.inspector.timeline.first + 1, root.inspector.timeline.last)
            value: root.inspector.timeline.position
            onPicked: root.inspector.timeline.position = value
        }
        ChoiceMenu {
            Layout.minimumWidth: implicitWidth
            label: qsTr("Speed of the replay")
            options: root.speeds
            value: root.inspector.timeline.speed
            onChosen: value => root.inspector.timeline.speed = value
        }
    }
    RowLayout {
        height: Math.max(Style.control, position.room) // with room for the button, also while it is away
        spacing: Style.small
        width: root.width

        SteadyText {
            id: position

            Layout.alignment: Qt.AlignTop
            Layout.fillWidth: true
            characters: Style.valueRoom
            text: root.inspector.timeline.text
        }
        PushButton {
            Layout.alignment: Qt.AlignTop
            kind: "quiet"
            text: qsTr("Newest")
            visible: root.inspector.live && !root.inspector.timeline.following
            onClicked: root.inspector.timeline.follow()
            onVisibleChanged: {
                // Else the window would give the focus to the message field.
                if (!visible && activeFocus && root.visible)
                    slider.forceActiveFocus(Qt.OtherFocusReason);
            }
        }
    }
}
