// SPDX-License-Identifier: Apache-2.0
// The ways to open a model: a button, a hint where to drop a file, and a list of models that were opened before.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property ModelController models
    readonly property var known: Array.from(models.recent).filter(entry => entry.exists)

    signal openWanted

    spacing: Style.large

    Control {
        Accessible.ignored: true
        Layout.fillWidth: true
        padding: Style.wide

        background: DashedFrame {}
        contentItem: ColumnLayout {
            spacing: Style.medium

            PushButton {
                Layout.alignment: Qt.AlignHCenter
                focus: true
                iconName: "folder"
                kind: "primary"
                text: qsTr("Open a model\u2026")
                onClicked: root.openWanted()
            }
            SmallText {
                Layout.fillWidth: true
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("or drop a .gguf file anywhere on this window")
                wrapMode: Text.Wrap
            }
        }
    }
    // Not a layout: one of Qt 6.4 still asks for the size of a row that a new list has removed.
    Column {
        id: column

        Layout.fillWidth: true
        spacing: Style.tiny
        visible: root.known.length > 0

        SmallText {
            text: qsTr("Recent models")
        }
        Repeater {
            model: root.known

            PushButton {
                required property var modelData

                Accessible.description: modelData.path
                iconName: "cube"
                text: modelData.name
                width: column.width
                onClicked: root.models.open(modelData.path)
            }
        }
    }
}
