// SPDX-License-Identifier: Apache-2.0
// Shares a height between a list and the items around it. The list keeps the height of a few lines, the other items have
// the rest, the most important one first. Each has all that it needs, except one: the first that has no room for all of it
// scrolls in what is left, and the items after it have no place. So there is one bar at most, and it moves enough to be read.
// An item that is of no use in part is whole or has no place; the items after it have its room then.
// Even in a low room there is a line of buttons for the most important item, as long as the list keeps a line.
import QtQuick

QtObject {
    id: root

    required property real room // for the list and all items around it
    required property real kept // the list's part, if there is enough room
    property bool lineForFirst: true // in a low room, the most important item has a line of the list's part
    // The items around the list, the most important one first: [{item, height, whole}], with the height that it needs, 0 if it is
    // absent, and whether it is of no use in part.
    property var wants: []
    readonly property real least: Style.control + Style.small // height of a line with its buttons, with the gap to the next item
    readonly property real useful: 2 * least // an item below others that scrolls has this at least
    readonly property real others: Math.max(0, room - kept, lineForFirst ? Math.min(Style.control + 2 * Style.small, room - Style.bodyLine * Style.bodySize) : 0)
    // In the order of wants: Infinity for an item that is whole, the height of the one that scrolls, or 0 for no place.
    readonly property var limits: limit(Array.from(wants))
    readonly property real taken: Array.from(wants).reduce((sum, want, i) => sum + Math.min(want.height, limits[i] ?? 0), 0)
    readonly property real spare: Math.max(0, room - kept - taken) // nobody needs it

    // The largest height of this item.
    function limitOf(item: Item): real {
        const at = Array.from(wants).findIndex(want => want.item === item);
        return at < 0 ? Infinity : limits[at] ?? Infinity;
    }
    function limit(asked: var): var {
        let left = others;
        return asked.map(want => {
            const had = left;
            left -= want.height;
            if (want.height <= 0 || left >= 0)
                return Infinity;
            if (want.whole) {
                left = had;
                return 0;
            }
            return had >= (had === others ? least : useful) ? Math.floor(had) : 0;
        });
    }
}
