// SPDX-License-Identifier: Apache-2.0
// The text of the inspected answer under its heading, in a place of its own that scrolls: the page of the model's activity covers the
// conversation. The current token stays in view, and a click on a word shows its route.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Chat
import Coterie.Style

Item {
    id: root

    required property Inspector inspector
    required property real headingTop
    readonly property real needed: Math.ceil(heading.height + scroller.anchors.topMargin + body.height) // for all of the text

    // Scrolls to the current token, if routes are shown.
    function follow(): void {
        if (!visible || (inspector.grid.mode !== ActivityGrid.Now && !inspector.live))
            return;
        const places = Array.from(body.rectanglesOf(inspector.timeline.position - inspector.timeline.answerBegins));
        if (places.length === 0)
            return;
        const top = body.y + places[0].y;
        if (top < scroller.contentY || top + places[0].height > scroller.contentY + scroller.height)
            scroller.contentY = Math.max(0, Math.min(top - scroller.height / 2, scroller.contentHeight - scroller.height));
    }

    PartHeading {
        id: heading

        text: qsTr("Text of the answer")
        topPadding: root.headingTop
        width: parent.width
    }
    Flickable {
        id: scroller

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: heading.bottom
        anchors.topMargin: Style.medium
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
            width: scroller.width - x - Style.scrollBar - Style.tiny
            x: Style.ring // room for the frame of the first word of a line
            onTokenClicked: token => root.inspector.showToken(root.inspector.messageId, token)
        }
        WheelArea {
            view: scroller
        }
    }
    Connections {
        function onPositionChanged() {
            Qt.callLater(root.follow); // qmllint disable
        }

        target: root.inspector.timeline
    }
}
