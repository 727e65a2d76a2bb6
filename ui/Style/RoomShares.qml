// SPDX-License-Identifier: Apache-2.0
// Shares a height between a list and the items around it. The list keeps the height of a few lines, the other items have
// the rest and scroll in it. Even in a low room they have a line of buttons, as long as the list keeps a line.
import QtQuick

QtObject {
    id: root

    required property real room // for the list and all items around it
    required property real kept // the list's part, if there is enough room
    property var wants: [] // heights that the items around the list need
    readonly property real others: Math.max(0, room - kept, Math.min(Style.control + 2 * Style.small, room - Style.bodyLine * Style.bodySize))
    // An item that needs less than an equal share has all that it needs, and none has more than this.
    readonly property real most: largest(Array.from(wants))
    readonly property real taken: Array.from(wants).reduce((sum, want) => sum + Math.min(want, most), 0)
    readonly property real spare: Math.max(0, room - kept - taken) // nobody needs it

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
