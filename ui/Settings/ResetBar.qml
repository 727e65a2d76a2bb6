// SPDX-License-Identifier: Apache-2.0
// Offers to undo a reset of settings, until something else is done.
import QtQuick
import Coterie.App
import Coterie.Style

NoticeBar {
    id: root

    required property UndoStack undo
    property bool due: false
    property bool pushed: false

    // Runs the reset. If it changed nothing, there is nothing to undo.
    function offer(reset: var): void {
        pushed = false;
        reset();
        due = pushed;
    }

    visible: due
    words: qsTr("The defaults are back")
    onActed: undo.undo()
    onOver: {
        due = false;
        undo.endOffer();
    }

    Connections {
        function onChanged() {
            root.pushed = true;
            root.due = false;
        }

        target: root.undo
    }
}
