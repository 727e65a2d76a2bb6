// SPDX-License-Identifier: Apache-2.0
// The frame of the pages that are shown in place of a conversation: our mark, and below it the page's content, in one
// centred column that scrolls if necessary. It is no layout: layouts in layouts give up in Qt 6.4 before every wrapped text
// has its height, and the page is in several already.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

FocusScope {
    id: root

    property bool markShown: true
    property real widest: Style.cardWidth
    default property alias content: column.data

    Flickable {
        id: scroller

        anchors.fill: parent
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        contentHeight: Math.max(height, column.implicitHeight + 2 * Style.wide)
        contentWidth: width

        ScrollBar.vertical: ThinScrollBar {}

        Column {
            id: column

            spacing: Style.large
            width: Math.min(scroller.width - 2 * Style.wide, root.widest)
            x: (scroller.width - width) / 2
            y: Math.max(Style.wide, (scroller.contentHeight - implicitHeight) / 2)

            CoterieMark {
                anchors.horizontalCenter: parent.horizontalCenter
                visible: root.markShown
            }
        }
    }
}
