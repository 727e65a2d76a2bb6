// SPDX-License-Identifier: Apache-2.0
// The text of the inspected answer, in a place of its own that scrolls: the page of the model's activity covers the
// conversation. The current token stays in view, and a click on a word shows its route.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Chat
import Coterie.Style

Flickable {
    id: root

    required property Inspector inspector

    // Scrolls to the current token, if routes are shown.
    function follow(): void {
        if (!visible || (inspector.grid.mode !== ActivityGrid.Now && !inspector.live))
            return;
        const places = Array.from(body.rectanglesOf(inspector.timeline.position - inspector.timeline.answerBegins));
        if (places.length === 0)
            return;
        const top = body.y + places[0].y;
        if (top < contentY || top + places[0].height > contentY + height)
            contentY = Math.max(0, Math.min(top - height / 2, contentHeight - height));
    }

    boundsBehavior: Flickable.StopAtBounds
    clip: true
    contentHeight: body.height
    contentWidth: width
    interactive: contentHeight > height

    ScrollBar.vertical: ThinScrollBar {}

    MessageBody {
        id: body

        document: root.inspector.tokens.document // qmllint disable
        room: width
        width: root.width - x - Style.scrollBar - Style.tiny
        x: Style.ring // room for the frame of the first word of a line
        onTokenClicked: token => root.inspector.showToken(root.inspector.messageId, token)
    }
    Connections {
        function onPositionChanged() {
            Qt.callLater(root.follow); // qmllint disable
        }

        target: root.inspector.timeline
    }
}
