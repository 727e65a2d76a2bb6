// SPDX-License-Identifier: Apache-2.0
// The system's dialog that asks for the file to write. Whoever opens it asks before a file is replaced, so that every
// desktop asks once.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

FileDialog {
    id: root

    signal chosen(file: url) // empty if no file was named

    // Opens the dialog with this name proposed.
    function ask(name: string): void {
        const folder = toolkit.startFolder();
        currentFolder = folder;
        currentFile = folder + "/" + encodeURIComponent(name);
        open();
    }
    function finish(): void {
        const named = toolkit.namedFile();
        const file = String(named) ? named : selectedFile;
        toolkit.keepFolderOf(file);
        chosen(file);
    }

    acceptLabel: qsTr("Save")
    fileMode: FileDialog.SaveFile
    options: FileDialog.DontConfirmOverwrite // qmllint disable

    onAccepted: Qt.callLater(finish) // qmllint disable
    onVisibleChanged: SharedTip.covered = visible

    // A dialog of Qt 6.4 has its selected file a moment after it was accepted.
    ToolkitDialog {
        id: toolkit

        dialog: root
    }
}
