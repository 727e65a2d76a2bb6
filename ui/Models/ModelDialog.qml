// SPDX-License-Identifier: Apache-2.0
// The system's dialog that picks a model file.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

FileDialog {
    id: root

    required property ModelController models

    fileMode: FileDialog.OpenFile
    nameFilters: [qsTr("Models (*.gguf)"), qsTr("All files (*)")]
    title: qsTr("Open a model")

    onAccepted: models.open(String(selectedFile))
}
