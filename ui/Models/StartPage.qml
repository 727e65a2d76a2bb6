// SPDX-License-Identifier: Apache-2.0
// The frame of the pages that are shown in place of a conversation: our mark, and below it the page's content, in one
// centred column that scrolls if necessary. The mark is there if the content leaves room for it. It is no layout: layouts in layouts give up in Qt 6.4 before every wrapped text
// has its height, and the page is in several already.
import QtQuick
import Coterie.Style

FocusScope {
    id: root

    property real margin: Style.wide // above and below the column
    property real widest: Style.cardWidth
    property alias spacing: column.spacing
    readonly property alias area: scroller // for keys that come to another part of the chat
    default property alias content: column.data

    ScrollArea {
        id: scroller

        anchors.fill: parent
        contentHeight: Math.max(height, all.implicitHeight + 2 * root.margin)

        Column {
            id: all

            spacing: column.spacing
            width: Math.min(scroller.width - 2 * Style.wide, root.widest)
            x: (scroller.width - width) / 2
            y: Math.max(root.margin, (scroller.contentHeight - implicitHeight) / 2)

            CoterieMark {
                anchors.horizontalCenter: parent.horizontalCenter
                visible: column.implicitHeight + all.spacing + height + 2 * root.margin <= scroller.height
            }
            Column {
                id: column

                spacing: Style.large
                width: parent.width
            }
        }
    }
}
