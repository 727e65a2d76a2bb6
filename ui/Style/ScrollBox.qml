// SPDX-License-Identifier: Apache-2.0
// A place for items that may get less height than they need: they scroll then, and the bar is beside them. Without any
// height they are hidden, so that the focus passes them.
import QtQuick

Item {
    id: root

    default property alias content: body.data
    property real most: Infinity // the height that there is for it

    implicitHeight: body.implicitHeight

    ScrollArea {
        anchors.fill: parent
        anchors.rightMargin: -Style.tiny - Style.scrollBar // the bar's place
        clip: interactive
        contentHeight: Math.floor(body.implicitHeight) // layouts round
        interactive: contentHeight > height
        visible: root.most > 0

        Column {
            id: body

            width: root.width
        }
    }
}
