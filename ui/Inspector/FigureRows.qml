// SPDX-License-Identifier: Apache-2.0
// Figures of an answer, a line each. The button of a line unfolds a sentence that says what the figure is.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    property string explained: "" // the name of the figure whose sentence is shown

    spacing: Style.tiny

    Repeater {
        model: root.inspector.figures

        ColumnLayout {
            id: figure

            required property var modelData
            readonly property bool open: root.explained === modelData.name

            Layout.fillWidth: true
            spacing: 0

            RowLayout {
                spacing: Style.tiny

                SmallText {
                    Accessible.ignored: true
                    color: Style.theme.text
                    text: figure.modelData.name
                }
                IconButton {
                    Accessible.checkable: true
                    Accessible.checked: figure.open
                    compact: true
                    iconName: "question"
                    text: qsTr("What is this? %1").arg(figure.modelData.name)
                    onClicked: root.explained = figure.open ? "" : figure.modelData.name
                }
                Figures {
                    Accessible.name: qsTr("%1: %2").arg(figure.modelData.name).arg(text)
                    Layout.fillWidth: true
                    leading: false
                    text: figure.modelData.value
                }
            }
            SmallText {
                Layout.bottomMargin: Style.tiny
                Layout.fillWidth: true
                text: figure.modelData.about
                visible: figure.open
                wrapMode: Text.Wrap
            }
        }
    }
}
