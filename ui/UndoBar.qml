// SPDX-License-Identifier: Apache-2.0
// Says what Ctrl+Z undid, wherever that was, and offers to do it again: it may have been a slip. Also offers to undo a step for
// which no part of the window has a bar of its own.
import QtQuick
import Coterie.App
import Coterie.Style

NoticeBar {
    id: root

    required property UndoStack undo
    property bool here: true // another place may show it

    action: undo.offersRedo ? qsTr("Redo") : qsTr("Undo")
    visible: here && undo.notice !== ""
    words: undo.notice
    onActed: {
        if (undo.offersRedo)
            undo.redo();
        else
            undo.undo();
    }
    onOver: undo.endOffer()

    // Two steps may have the same words.
    Connections {
        function onOfferedChanged() {
            root.stayOn();
        }

        target: root.undo
    }
}
