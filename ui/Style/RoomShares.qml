// SPDX-License-Identifier: Apache-2.0
// Shares a height between a list and the items around it. The list keeps the height of a few lines, the other items have
// the rest and scroll in it. Even in a low room they have a line of buttons, as long as the list keeps a line. An item
// has a whole line with its buttons at least, or no place at all: the most important items get theirs first.
import QtQuick

QtObject {
    id: root

    required property real room // for the list and all items around it
    required property real kept // the list's part, if there is enough room
    property var wants: [] // heights that the items around the list need, the most important one first; 0 if it is absent
    readonly property real least: Style.control + Style.small // height of a line with its buttons, with the gap to the next item
    readonly property real others: Math.max(0, room - kept, Math.min(Style.control + 2 * Style.small, room - Style.bodyLine * Style.bodySize))
    // The largest height of each item, in the same order; 0 if it has no place.
    readonly property var limits: limit(Array.from(wants))
    readonly property real taken: Array.from(wants).reduce((sum, want, i) => sum + Math.min(want, limits[i]), 0)
    readonly property real spare: Math.max(0, room - kept - taken) // nobody needs it

    function limit(heights: var): var {
        let left = others;
        const placed = heights.map(want => {
            left -= Math.min(want, least);
            return left >= 0; // the items after one without a place have none either
        });
        const most = largest(heights.filter((want, i) => placed[i]));
        return heights.map((want, i) => want > 0 && !placed[i] ? 0 : most);
    }
    // An item that needs less than an equal share has all that it needs, and none has more than this.
    function largest(heights: var): real {
        const rising = heights.filter(want => want > 0).sort((a, b) => a - b);
        let left = others;
        for (let i = 0; i < rising.length; ++i) {
            const equal = left / (rising.length - i);
            if (rising[i] > equal)
                return Math.floor(equal);
            left -= rising[i];
        }
        return Infinity;
    }
}
