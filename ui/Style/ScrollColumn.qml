// SPDX-License-Identifier: Apache-2.0
// A column of items that scrolls. It is no layout: in Qt 6.4 one that gives up before all of its items have their sizes
// keeps these sizes for good.
pragma ComponentBehavior: Bound
import QtQuick

ScrollArea {
    id: root

    property real margin: Style.wide
    property real widest: Infinity // largest width of the column
    property alias spacing: body.spacing
    default property alias content: body.data

    // Whether there is room for all from the first item to the last one.
    function holds(first: Item, last: Item): bool {
        return last.mapToItem(first, 0, last.height).y + 2 * Style.medium <= height;
    }
    // Scrolls so that the item is at the top, with what stands below it in view. Parts have this distance, so that nothing
    // of the part above is left in view.
    function toTop(item: Item): void {
        const top = item.mapToItem(contentItem, 0, 0).y - Style.medium;
        contentY = Math.max(0, Math.min(top, contentHeight - height));
    }
    // Scrolls so that the item is at the bottom, below as much as there is room for.
    function toBottom(item: Item): void {
        const end = item.mapToItem(contentItem, 0, item.height).y + Style.medium;
        contentY = Math.max(0, Math.min(end, contentHeight) - height);
    }

    contentHeight: body.implicitHeight + margin + Math.max(margin, coveredEnd)

    Column {
        id: body

        spacing: Style.medium
        width: Math.min(root.width - 2 * root.margin, root.widest)
        x: (root.width - width) / 2
        y: root.margin
    }
}
