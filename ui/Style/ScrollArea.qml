// SPDX-License-Identifier: Apache-2.0
// A part of a page that scrolls, also by Up, Down, Page Up, Page Down, Home and End: whoever gets the key passes it on to
// scrollByKey(), because the area itself has no focus. It scrolls by itself to the item that gets the focus, for users who
// tab through it; the heading of a group comes into view with the item if both have room.
import QtQuick
import QtQuick.Controls.Basic

Flickable {
    id: root

    // The item that was scrolled to, and where. Parts above it can still grow: it stays in view until the user scrolls.
    property Item shown: null
    property real shownAt: 0
    property real coveredEnd: 0 // height at the lower edge that bars may cover: a focus by keys comes into view above it
    property Item headed: null // the heading above this item is shown with it until another item has the focus
    property bool moving: false // until the next frame is laid out
    // The field for several lines in which a person writes, if it is in this area.
    readonly property TextArea writing: surrounds(Window.activeFocusItem) ? Window.activeFocusItem as TextArea : null

    function keepInView(): void {
        if (shown && shown.activeFocus && contentY === shownAt)
            reveal(shown);
    }
    // Parts may have other places now, and some get them only with the next frame.
    function follow(): void {
        shownAt = Math.min(shownAt, Math.max(0, contentHeight - height)); // as the Flickable itself does with contentY
        moving = true;
        Qt.callLater(keepInView); // qmllint disable
    }
    // Whether a click gave the focus to this item: the page should not move under the pointer.
    function isClicked(item: Item): bool {
        const reason = (item as Control)?.focusReason ?? (item as TextField)?.focusReason ?? (item as TextArea)?.focusReason;
        return reason === Qt.MouseFocusReason;
    }
    // Returns the heading above the item, which is an item with `headsGroup`; null if there is none.
    function headingOf(item: Item): Item {
        let heading = null;
        for (let at = item; at !== contentItem && !heading; at = at.parent) {
            for (const other of Array.from(at.parent.children)) {
                const above = other.visible && other.headsGroup === true && other.y < at.y; // qmllint disable
                if (above && (!heading || other.y > heading.y))
                    heading = other;
            }
        }
        return heading;
    }
    // Brings the item and the heading above it into view, if both have room.
    function revealHeaded(item: Item): void {
        headed = item;
        reveal(item);
    }
    // The part of the item that is to be in view: of a field for several lines its frame, or the line of its cursor if that is
    // too high. The field itself is as high as its text, and scrolls in the frame.
    function placeOf(item: Item, room: real): rect {
        const field = item as TextArea;
        const frame = (field?.parent?.parent?.parent as FieldView) ?? item;
        const whole = frame.mapToItem(contentItem, Qt.rect(0, 0, frame.width, frame.height));
        return field && whole.height > room ? field.mapToItem(contentItem, field.cursorRectangle) : whole;
    }
    // Whoever moves the cursor in a field sees where it is.
    function revealCursor(): void {
        if (!writing)
            return;
        const line = writing.mapToItem(contentItem, writing.cursorRectangle);
        const room = height - (isClicked(writing) ? 0 : coveredEnd);
        if (line.y < contentY)
            contentY = Math.max(0, line.y - Style.tiny);
        else if (line.y + line.height > contentY + room)
            contentY = Math.min(Math.max(0, contentHeight - height), line.y + line.height + Style.tiny - room);
        else
            return;
        shown = writing;
        shownAt = contentY;
    }
    function reveal(item: Item): void {
        for (let up = item; up; up = up.parent) {
            if (up !== contentItem)
                continue;
            // An item that has room in a low area is in view as a whole, if need be without the distance to its edges.
            // The button of a card moves with what is in view: if it is there, nothing has to scroll.
            const room = height - (isClicked(item) ? 0 : coveredEnd);
            const place = placeOf(item, room);
            const gap = item instanceof CardCross ? 0 : place.height <= room ? Math.min(Style.large, (room - place.height) / 2) : Style.large;
            const top = place.y - gap;
            const bottom = top + place.height + 2 * gap;
            const limit = Math.max(0, contentHeight - height);
            const heading = top < contentY || item === headed ? headingOf(item) : null;
            const above = heading ? heading.mapToItem(contentItem, 0, 0).y - gap : top;
            const begin = bottom - above <= room ? above : top;
            if (begin < contentY)
                contentY = Math.max(0, begin);
            else if (bottom > contentY + room)
                contentY = Math.min(limit, bottom - room);
            shown = item;
            shownAt = contentY;
            return;
        }
    }
    function scrollBy(pixels: real): void {
        contentY = Math.max(0, Math.min(contentHeight - height, contentY + pixels));
    }
    // The last line that was in view still is.
    function scrollPages(pages: int): void {
        scrollBy(pages * Math.max(height - Style.vast, height / 2));
    }
    function surrounds(item: Item): bool {
        for (let up = item; up; up = up.parent) {
            if (up === root)
                return true;
        }
        return false;
    }
    // Whether keys for lines belong to the cursor of this field: it has some, or would leave the view.
    function hasLines(field: Item): bool {
        if (!(field instanceof TextInput || field instanceof TextEdit))
            return false;
        return surrounds(field) || field.text !== "";
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

    onContentHeightChanged: follow()
    onHeightChanged: follow()

    Connections {
        function onActiveFocusItemChanged() {
            root.headed = null;
            root.reveal(root.Window.activeFocusItem);
            root.moving = true;
        }

        enabled: root.visible
        target: root.Window.window
    }
    Connections {
        function onAfterAnimating() {
            root.moving = false;
            root.keepInView();
        }

        enabled: root.moving
        target: root.Window.window
    }
    // Its frame scrolls first.
    Connections {
        function onCursorRectangleChanged() {
            Qt.callLater(root.revealCursor); // qmllint disable
        }

        target: root.writing
    }
    WheelArea {
        view: root
    }
}
