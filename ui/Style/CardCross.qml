// SPDX-License-Identifier: Apache-2.0
// The button that closes a card. If the card is higher than the area in which it scrolls, the button stays in view: it
// moves down within the card.
import QtQuick

IconButton {
    id: root

    required property Item card
    readonly property Flickable area: visible ? areaOf(card) : null
    // Height of the card's upper part that is scrolled out of view.
    readonly property real hidden: area && card.parent ? Math.max(0, area.contentY - card.parent.mapToItem(area.contentItem, 0, card.y).y) : 0

    function areaOf(item: Item): Flickable {
        for (let up = item.parent; up; up = up.parent) {
            if (up instanceof Flickable)
                return up as Flickable;
        }
        return null;
    }

    compact: true
    iconName: "close"

    transform: Translate {
        y: Math.min(root.hidden, Math.max(0, (root.parent?.height ?? 0) - root.y - root.height))
    }
}
