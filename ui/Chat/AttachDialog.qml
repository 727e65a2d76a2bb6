// SPDX-License-Identifier: Apache-2.0
// The dialog that picks files for a message.
import QtQuick.Dialogs
import Coterie.App
import Coterie.Style

OpenDialog {
    required property ComposerFiles files

    fileMode: FileDialog.OpenFiles
    title: qsTr("Attach files")

    onChosen: chosenFiles => files.add(chosenFiles)
}
