// SPDX-License-Identifier: Apache-2.0
// A page or pane that is made when it is first shown, and kept then, as a sibling of this object: a window that opens
// makes only what it shows. Its item must set visible to `open`, so that it is made unseen: Qt 6.4 can leave the
// layouts of what is made in sight without widths. Optional.qml says why this is not a Loader.
pragma ComponentBehavior: Bound
import QtQuick

Repeater {
    required property bool shown
    readonly property Item item: count > 0 ? itemAt(0) : null
    readonly property bool open: shown && item !== null

    model: 0

    onShownChanged: {
        if (shown)
            model = 1;
    }
}
