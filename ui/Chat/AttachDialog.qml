// SPDX-License-Identifier: Apache-2.0
// The system's dialog that picks files for a message.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

FileDialog {
    id: root

    required property ComposerFiles files

    fileMode: FileDialog.OpenFiles
    title: qsTr("Attach files")

    onAccepted: files.add(selectedFiles)
}
