// SPDX-License-Identifier: Apache-2.0
// The hits of a search in all chats. It reads more of them when the last one comes into view.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

ListView {
    id: root

    required property ChatSearchModel search

    // messageId: 0 if the title of the chat was hit.
    signal hitWanted(var chatId, var messageId)

    Accessible.name: qsTr("Hits")
    Accessible.role: Accessible.List
    activeFocusOnTab: count > 0 || activeFocus // Qt refuses to take it from the item that has the focus
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    currentIndex: 0
    highlightMoveDuration: 0
    model: search
    spacing: Style.tiny

    ScrollBar.vertical: ThinScrollBar {}
    delegate: ChatHitRow {
        focus: true
        width: ListView.view.width - Style.small
        onOpenWanted: {
            root.currentIndex = index;
            root.hitWanted(model.chatId, model.messageId);
        }
    }
    onActiveFocusChanged: {
        if (activeFocus && currentIndex < 0)
            currentIndex = 0;
    }
}
