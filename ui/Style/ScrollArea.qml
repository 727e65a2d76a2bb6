// SPDX-License-Identifier: Apache-2.0
// A part of a page that scrolls, also by Up, Down, Page Up, Page Down, Home and End: whoever gets the key passes it on to
// scrollByKey(), because the area itself has no focus.
import QtQuick
import QtQuick.Controls.Basic

Flickable {
    id: root

    function scrollBy(pixels: real): void {
        contentY = Math.max(0, Math.min(contentHeight - height, contentY + pixels));
    }
    // The last line that was in view still is.
    function scrollPages(pages: int): void {
        scrollBy(pages * Math.max(height - Style.vast, height / 2));
    }
    // Whether keys for lines belong to the cursor of this field: it has some, or would leave the view.
    function hasLines(field: Item): bool {
        if (!(field instanceof TextInput || field instanceof TextEdit))
            return false;
        for (let up = field; up; up = up.parent) {
            if (up === root)
                return true;
        }
        return field.text !== "";
    }
    // Scrolls if the key is for that; returns false if it means nothing here.
    function scrollByKey(key: int, modifiers: int): bool {
        if (modifiers & (Qt.AltModifier | Qt.ShiftModifier))
            return false;
        const inField = hasLines(Window.activeFocusItem);
        if (key === Qt.Key_PageUp)
            scrollPages(-1);
        else if (key === Qt.Key_PageDown)
            scrollPages(1);
        else if (key === Qt.Key_Up && !inField)
            scrollBy(-Style.vast);
        else if (key === Qt.Key_Down && !inField)
            scrollBy(Style.vast);
        else if (key === Qt.Key_Home && !inField)
            scrollBy(-contentHeight);
        else if (key === Qt.Key_End && !inField)
            scrollBy(contentHeight);
        else
            return false;
        return true;
    }

    boundsBehavior: Flickable.StopAtBounds
    clip: true
    contentWidth: width

    ScrollBar.vertical: ThinScrollBar {}
}
