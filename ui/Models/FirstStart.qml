// SPDX-License-Identifier: Apache-2.0
// What the window shows while no model is open: one sentence, one button, where to drop a file, what a model is, and
// what happens to one's words.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property ModelController models
    readonly property var known: Array.from(models.recent).filter(entry => entry.exists)

    signal openWanted

    Flickable {
        id: scroller

        anchors.fill: parent
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        contentHeight: Math.max(height, column.implicitHeight + 2 * Style.wide)
        contentWidth: width

        ScrollBar.vertical: ThinScrollBar {}

        ColumnLayout {
            id: column

            spacing: Style.large
            width: Math.min(scroller.width - 2 * Style.wide, Style.cardWidth)
            x: (scroller.width - width) / 2
            y: Math.max(Style.wide, (scroller.contentHeight - implicitHeight) / 2)

            CoterieMark {
                Layout.alignment: Qt.AlignHCenter
            }
            TitleText {
                Layout.fillWidth: true
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("Open a model, then talk to it")
                wrapMode: Text.Wrap
            }
            Control {
                Layout.fillWidth: true
                padding: Style.wide

                background: DashedFrame {}
                contentItem: ColumnLayout {
                    spacing: Style.medium

                    PushButton {
                        id: openButton

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
            ColumnLayout {
                Layout.fillWidth: true
                spacing: Style.tiny
                visible: root.known.length > 0

                SmallText {
                    text: qsTr("Opened before")
                }
                Repeater {
                    model: root.known

                    PushButton {
                        required property var modelData

                        Accessible.description: modelData.path
                        Layout.fillWidth: true
                        iconName: "cube"
                        text: modelData.name
                        onClicked: root.models.open(modelData.path)
                    }
                }
            }
            Fact {
                iconName: "cube"
                text: qsTr("A model is one file that ends in .gguf, trained and shared by others. Coterie reads it where it lies; nothing is copied, and it need not fit into memory.")
            }
            Fact {
                iconName: "shield"
                text: qsTr("What you write stays on this computer: Coterie opens no network connection, ever, and keeps your chats in one file of yours.")
            }
        }
    }

    component Fact: RowLayout {
        id: fact

        required property string iconName
        required property string text

        spacing: Style.medium

        Icon {
            Layout.alignment: Qt.AlignTop
            color: Style.theme.water
            name: fact.iconName
        }
        SmallText {
            Layout.fillWidth: true
            lineHeight: Style.smallLine
            text: fact.text
            wrapMode: Text.Wrap
        }
    }
}
