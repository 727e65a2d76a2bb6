// SPDX-License-Identifier: Apache-2.0
// Figures of an answer, a line each. The button of a line unfolds a sentence that says what the figure is.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

// A Column, because a layout of Qt 6.4 can use rows that a Repeater has deleted.
Column {
    id: root

    required property Inspector inspector
    readonly property var rows: inspector.figures
    property string explained: "" // the name of the figure whose sentence is shown

    spacing: Style.tiny

    Repeater {
        // The model is a number, so that the rows stay while their values change many times a second.
        model: root.rows.length

        ColumnLayout {
            id: figure

            required property int index
            readonly property var row: index < root.rows.length ? root.rows[index] : ({
                    name: "",
                    value: "",
                    about: ""
                })
            readonly property bool open: root.explained === row.name

            spacing: 0
            width: root.width

            RowLayout {
                spacing: Style.tiny

                SmallText {
                    Accessible.ignored: true
                    color: Style.theme.text
                    text: figure.row.name
                }
                IconButton {
                    Accessible.checkable: true
                    Accessible.checked: figure.open
                    compact: true
                    iconName: "question"
                    text: qsTr("What is this? %1").arg(figure.row.name)
                    onClicked: root.explained = figure.open ? "" : figure.row.name
                }
                Figures {
                    Accessible.name: qsTr("%1: %2").arg(figure.row.name).arg(text)
                    Layout.fillWidth: true
                    leading: false
                    text: figure.row.value
                }
            }
            SmallText {
                Layout.bottomMargin: Style.tiny
                Layout.fillWidth: true
                text: figure.row.about
                visible: figure.open
                wrapMode: Text.Wrap
            }
        }
    }
}
