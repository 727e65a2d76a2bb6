// SPDX-License-Identifier: Apache-2.0
// The model in use: what it is, what is known about its file, and what can be done with it. While it is being opened,
// the progress; if it can't be opened, why.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Control {
    id: root

    required property ModelController models
    readonly property bool ready: models.state === ModelController.Ready
    readonly property bool opening: models.state === ModelController.Opening
    readonly property bool failed: models.state === ModelController.Failed || models.state === ModelController.Missing

    signal openWanted
    signal settingsWanted

    Accessible.ignored: true
    padding: Style.large

    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        radius: Style.corner
    }
    contentItem: ColumnLayout {
        Accessible.name: qsTr("The model in use")
        Accessible.role: Accessible.Grouping
        spacing: Style.small

        BodyText {
            Accessible.role: Accessible.Heading
            Layout.fillWidth: true
            font.weight: Style.heavyWeight
            text: root.models.state === ModelController.None ? qsTr("No model is open") : root.models.name
            wrapMode: Text.Wrap
        }
        SmallText {
            Layout.fillWidth: true
            text: {
                if (root.opening)
                    return qsTr("Opening, %1 %").arg(Math.floor(root.models.progress * 100));
                if (root.models.demo)
                    return qsTr("A tiny model that comes with Coterie, to try things out.");
                return root.models.state === ModelController.None ? qsTr("Open one to talk to it.") : "";
            }
            visible: text
            wrapMode: Text.Wrap
        }
        ThinGauge {
            Layout.fillWidth: true
            value: root.models.progress
            visible: root.opening
        }
        SmallText {
            Layout.fillWidth: true
            text: root.models.path
            visible: text && !root.models.demo
            wrapMode: Text.WrapAnywhere
        }
        ErrorCard {
            Layout.fillWidth: true
            action: root.models.error.action
            visible: root.failed && root.models.error.valid
            what: root.models.error.what
            why: root.models.error.why

            PushButton {
                text: qsTr("Try again")
                onClicked: root.models.open(root.models.path)
            }
        }
        // Facts, one on each line, and then what was assumed about the file.
        Column {
            Layout.fillWidth: true
            Layout.topMargin: Style.tiny
            spacing: Style.tiny
            visible: root.ready

            Repeater {
                model: root.models.facts

                Item {
                    id: fact

                    required property var modelData

                    Accessible.name: qsTr("%1: %2").arg(modelData.name).arg(modelData.value)
                    Accessible.role: Accessible.StaticText
                    implicitHeight: Math.max(about.height, what.height)
                    width: parent?.width ?? 0

                    SmallText {
                        id: about

                        Accessible.ignored: true
                        text: fact.modelData.name
                        width: parent.width * Style.factShare - Style.small
                        wrapMode: Text.Wrap
                    }
                    SmallText {
                        id: what

                        Accessible.ignored: true
                        anchors.right: parent.right
                        color: Style.theme.text
                        text: fact.modelData.value
                        width: parent.width * (1 - Style.factShare)
                        wrapMode: Text.Wrap
                    }
                }
            }
        }
        // Not a layout: one of Qt 6.4 still asks for the size of a row that was removed.
        Column {
            id: notes

            Layout.fillWidth: true
            spacing: Style.small
            visible: root.ready && root.models.notes.length > 0

            Repeater {
                model: root.ready ? root.models.notes : []

                SmallText {
                    required property string modelData

                    text: modelData
                    width: notes.width
                    wrapMode: Text.Wrap
                }
            }
        }
        Flow {
            Layout.fillWidth: true
            Layout.topMargin: Style.tiny
            spacing: Style.small
            visible: root.ready || root.opening

            PushButton {
                text: qsTr("Memory settings")
                visible: root.ready
                width: Math.min(implicitWidth, parent.width)
                onClicked: root.settingsWanted()
            }
            PushButton {
                text: qsTr("Close this model")
                visible: root.ready && !root.models.demo
                width: Math.min(implicitWidth, parent.width)
                onClicked: root.models.close()
            }
            PushButton {
                text: qsTr("Stop opening")
                visible: root.opening
                width: Math.min(implicitWidth, parent.width)
                onClicked: root.models.cancelOpening()
            }
        }
    }
}
