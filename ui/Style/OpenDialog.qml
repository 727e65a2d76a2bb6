// SPDX-License-Identifier: Apache-2.0
// The system's dialog that picks files to read.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

FileDialog {
    id: root

    signal chosen(files: var) // their URLs, at least one

    // Opens the dialog in this folder, or where it ended if it was opened in the same folder before. If the folder is empty,
    // it opens where the last dialog ended.
    function ask(folder: url): void {
        currentFolder = toolkit.startFolderFor(folder);
        open();
    }
    function finish(): void {
        if (selectedFiles.length === 0)
            return;
        toolkit.keepFolderOf(selectedFiles[0]);
        chosen(selectedFiles);
    }

    onAccepted: Qt.callLater(finish) // qmllint disable
    onVisibleChanged: SharedTip.covered = visible

    // A dialog of Qt 6.4 has its selected files a moment after it was accepted.
    ToolkitDialog {
        id: toolkit

        dialog: root
    }
}
