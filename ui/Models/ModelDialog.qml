// SPDX-License-Identifier: Apache-2.0
// The system's dialog that picks a model file. It starts in the folder of the last model.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

FileDialog {
    id: root

    required property ModelController models

    function pick(): void {
        currentFolder = models.folder;
        open();
    }

    fileMode: FileDialog.OpenFile
    nameFilters: [qsTr("Models (*.gguf)"), qsTr("All files (*)")]
    title: qsTr("Open a model")

    onAccepted: models.open(String(selectedFile))
}
