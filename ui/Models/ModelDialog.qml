// SPDX-License-Identifier: Apache-2.0
// The dialog that picks a model file. It starts in the folder of the last model, or where it ended if that file was
// refused.
import QtQuick.Dialogs
import Coterie.App
import Coterie.Style

OpenDialog {
    required property ModelController models

    function pick(): void {
        ask(models.folder);
    }

    fileMode: FileDialog.OpenFile
    nameFilters: [qsTr("Models (*.gguf)"), qsTr("All files (*)")]
    title: qsTr("Open a model")

    onChosen: files => models.open(String(files[0]))
}
