// SPDX-License-Identifier: Apache-2.0
// Saves what the inspector shows: the grid as a picture, the record as a table or as JSON, a summary to the clipboard.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    required property Item charts // the figures and charts, for a picture of them
    property var failure: null // an ErrorInfo

    function report(error: errorInfo): void {
        failure = error.valid ? error : null;
        if (failure)
            card.announceSoon();
    }

    function saveCharts(file: url): void {
        charts.grabToImage(result => report(inspector.savePicture(result.image, Style.theme.ground, file)));
    }

    spacing: Style.small

    PushButton {
        Accessible.role: Accessible.ButtonMenu
        iconName: "drop"
        text: qsTr("Save or copy")
        onClicked: menu.popup(this, 0, height)

        PopupMenu {
            id: menu

            label: qsTr("Save or copy")

            PopupMenuItem {
                text: qsTr("Save the grid as a picture\u2026")
                onTriggered: picture.open()
            }
            PopupMenuItem {
                text: qsTr("Save figures and charts as a picture\u2026")
                onTriggered: chartsPicture.open()
            }
            PopupMenuItem {
                detail: root.inspector.dense ? qsTr("A line for each layer of each token") : qsTr("A line for each expert of each token")
                text: qsTr("Save the record as CSV\u2026")
                onTriggered: table.open()
            }
            PopupMenuItem {
                text: qsTr("Save the record as JSON\u2026")
                onTriggered: json.open()
            }
            PopupMenuItem {
                text: qsTr("Copy a summary as text")
                onTriggered: root.inspector.copySummary()
            }
        }
    }
    ErrorCard {
        id: card

        Layout.fillWidth: true
        action: root.failure ? root.failure.action : ""
        visible: root.failure !== null
        what: root.failure ? root.failure.what : ""
        why: root.failure ? root.failure.why : ""
    }
    FileDialog {
        id: picture

        defaultSuffix: "png"
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("Pictures (*.png)")]
        title: qsTr("Save the grid as a picture")
        onAccepted: root.report(root.inspector.exportPng(selectedFile))
    }
    FileDialog {
        id: chartsPicture

        defaultSuffix: "png"
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("Pictures (*.png)")]
        title: qsTr("Save figures and charts as a picture")
        onAccepted: root.saveCharts(selectedFile)
    }
    FileDialog {
        id: table

        defaultSuffix: "csv"
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("Tables (*.csv)")]
        title: qsTr("Save the record as CSV")
        onAccepted: root.report(root.inspector.exportCsv(selectedFile))
    }
    FileDialog {
        id: json

        defaultSuffix: "json"
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("JSON (*.json)")]
        title: qsTr("Save the record as JSON")
        onAccepted: root.report(root.inspector.exportJson(selectedFile))
    }
}
