// SPDX-License-Identifier: Apache-2.0
// Code in an answer: a monospaced font, its language, and a button that copies it. Long lines scroll sideways.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.Style

Rectangle {
    id: root

    required property string content
    required property string language
    property bool copied: false

    function copy(): void {
        code.selectAll();
        code.copy();
        code.deselect();
        copied = true;
        copiedTimer.restart();
    }

    Accessible.name: language ? qsTr("Code, %1").arg(language) : qsTr("Code")
    Accessible.role: Accessible.Grouping
    border.color: Style.theme.line
    border.width: Style.hairline
    color: Style.theme.sunken
    implicitHeight: column.implicitHeight
    radius: Style.corner

    Timer {
        id: copiedTimer

        interval: Style.noticeMs
        onTriggered: root.copied = false
    }
    ColumnLayout {
        id: column

        anchors.left: parent.left
        anchors.right: parent.right
        spacing: 0

        RowLayout {
            Layout.leftMargin: Style.large
            Layout.rightMargin: Style.tiny
            Layout.topMargin: Style.tiny

            SmallText {
                Layout.fillWidth: true
                elide: Text.ElideRight
                text: root.language || qsTr("Code")
            }
            IconButton {
                compact: true
                iconName: root.copied ? "check" : "copy"
                text: root.copied ? qsTr("Copied") : qsTr("Copy code")
                onClicked: root.copy()
            }
        }
        Flickable {
            id: scroller

            Layout.bottomMargin: Style.medium
            Layout.fillWidth: true
            Layout.leftMargin: Style.large
            Layout.rightMargin: Style.large
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            contentHeight: code.implicitHeight
            contentWidth: Math.max(width, code.implicitWidth)
            flickableDirection: Flickable.HorizontalFlick
            implicitHeight: code.implicitHeight + (contentWidth > width ? Style.scrollBar : 0)

            ScrollBar.horizontal: ThinScrollBar {
                implicitHeight: Style.scrollBar
            }

            SelectableText {
                id: code

                content: root.content
                font.family: Style.fixedFamily
                font.pixelSize: Style.codeSize
                lineFactor: Style.codeLineFactor
                width: scroller.contentWidth
                wrapMode: TextEdit.NoWrap
            }
        }
    }
}
