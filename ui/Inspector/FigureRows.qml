// SPDX-License-Identifier: Apache-2.0
// Figures of an answer or of the open model, a line each. The button of a line unfolds a sentence that says what the figure is.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Column {
    id: root

    required property var rows // as Inspector::figures
    property string explained: "" // the name of the figure whose sentence is shown
    property int made: 0 // lines that exist

    // Lines are made once. An answer that begins has fewer figures for a moment: the others are hidden until then,
    // because making them again takes time from the engine.
    function make(): void {
        made = Math.max(made, rows.length);
    }

    spacing: Style.tiny
    Component.onCompleted: make()
    onRowsChanged: make()

    Repeater {
        model: root.made

        ColumnLayout {
            id: figure

            required property int index
            readonly property var row: root.rows[index] ?? ({
                    name: "",
                    value: "",
                    about: ""
                })
            readonly property bool open: root.explained === row.name

            spacing: 0
            visible: index < root.rows.length
            width: root.width

            RowLayout {
                spacing: Style.tiny

                SmallText {
                    Accessible.ignored: true
                    color: Style.theme.text
                    text: figure.row.name
                }
                QuestionButton {
                    open: figure.open
                    subject: figure.row.name
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
