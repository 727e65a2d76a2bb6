// SPDX-License-Identifier: Apache-2.0
// A list that stays at its end while it grows, until the reader scrolls up; it follows again once the reader is back at
// the end. Any upward scroll stops it: wheel, drag, scroll bar or keys.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

ListView {
    id: root

    property bool following: true
    readonly property bool atEnd: fits() || contentY >= endY - Style.tiny
    readonly property real endY: originY + contentHeight + bottomMargin - height
    property real lastHeight: 0
    property real lastMargin: 0 // below the last row
    property real lastY: 0
    property real stepBack: 0 // while it is not 0, there must be room below the last row for the step
    property real coveredEnd: 0 // height at the lower edge that bars may cover
    property bool holding: false // between hold() and letGo()
    property bool heldEnd: false // the reader was at the end then
    property bool tooShort: false // the rows that were put in place of others left no room for the held row at its place
    property int heldRow: 0
    property real heldPlace: 0 // from the top of the view

    signal beginningWanted // all rows before the first one are needed now

    // Whether all rows are in view, with the margins around them.
    function fits(): bool {
        return contentHeight + topMargin + bottomMargin <= height;
    }
    function toBeginning(): void {
        following = false;
        beginningWanted();
        stepBack = 0; // no row keeps its place
        positionViewAtBeginning();
        forceLayout(); // the heights of rows that were not in view were guesses
        scrollBy(-contentHeight);
    }
    function toEnd(): void {
        following = true;
        stepBack = 0; // no row keeps its place
        tooShort = false;
        followNow();
    }
    // Whoever writes in a row keeps that in view.
    function writes(): bool {
        return activeFocus && Window.activeFocusItem instanceof TextArea;
    }
    function followNow(): void {
        if (following && count > 0 && !writes()) {
            forceLayout(); // rows that grew move the end now, not in the next frame
            positionViewAtEnd();
            if (!fits())
                contentY = endY;
        }
    }
    // Follows once, after all other changes of this event are done.
    function followSoon(): void {
        Qt.callLater(followNow); // qmllint disable
    }
    // A reader who is at the end stays there when the list, its texts or the margin below get another size, also after
    // moving in a list that is all in view. Call this before the rows have their new heights.
    function stayAtEnd(): void {
        const last = contentHeight + lastMargin - lastHeight; // the end until now
        if (last + topMargin <= 0 || contentY >= originY + last - Style.tiny)
            following = true;
        lastHeight = height;
        lastMargin = bottomMargin;
        followSoon();
    }
    // Keeps what is in view in its place while rows are inserted before the first. Call this just before: a ListView
    // whose first row is in view shows the new rows instead, so that row is left out of view until they are there.
    function keepPlace(): void {
        const row = itemAtIndex(0);
        const step = row ? row.y + row.height + 1 - contentY : 0;
        tooShort = false; // the rows have other numbers
        if (step <= 0)
            return;
        stepBack += step;
        contentY += step;
        forceLayout();
        Qt.callLater(takeStepBack); // qmllint disable
    }
    function takeStepBack(): void {
        forceLayout();
        contentY -= stepBack;
        stepBack = 0;
    }
    // Keeps a row in its place while the rows after it are replaced: hold() before, letGo() after. A reader who is at the
    // end stays there instead. A row that lost its place to a list that became too short has it again in a longer one.
    function hold(row: int): void {
        const held = Math.max(0, Math.min(row, count - 1));
        const lostPlace = tooShort && held === heldRow;
        holding = true;
        heldEnd = !lostPlace && (fits() || (following && (atEnd || !writes())));
        following = false;
        if (!lostPlace)
            heldPlace = (itemAtIndex(held)?.y ?? contentY) - contentY;
        heldRow = held;
    }
    function letGo(): void {
        holding = false;
        forceLayout(); // the focus may go to one of the rows now
        if (heldEnd) {
            toEnd();
            return;
        }
        const item = itemAtIndex(heldRow);
        tooShort = item !== null && (fits() || item.y - heldPlace > endY);
        if (item && !fits())
            contentY = Math.max(originY - topMargin, Math.min(item.y - heldPlace, endY));
    }
    // Call this before rows are added behind the last one. A reader who is at the end sees them, also after moving in a
    // list that is all in view.
    function followAdded(): void {
        if (!holding && atEnd)
            following = true;
    }
    // Brings the top of a row into view just before the reader folds or unfolds that row. Otherwise a row that becomes
    // lower would leave the view and lose its item with the focus, and a list that follows would pass a row that grows.
    function holdTop(top: real): void {
        scrollTo(top, top, 0);
        following = false;
        Qt.callLater(followAtEnd); // qmllint disable
    }
    function followAtEnd(): void {
        forceLayout();
        following = atEnd;
    }
    // The first row that is in view.
    function topItem(): Item {
        return itemAtIndex(Math.max(0, indexAt(0, contentY + 1)));
    }
    // Puts this share of the row's height at the top of the view.
    function showRow(row: int, share: real): void {
        following = false;
        stepBack = 0; // no other row keeps its place
        tooShort = false;
        positionViewAtIndex(row, ListView.Beginning);
        forceLayout();
        const item = itemAtIndex(row);
        if (item)
            scrollBy(item.y + share * item.height - contentY);
        following = atEnd;
    }
    // Scrolls as little as possible to show what lies between these heights; its top, if there is no room for all. It ends
    // above the bars at the lower edge, if that leaves room for it, in a low list closer to the edges.
    function reveal(top: real, bottom: real): void {
        const left = height - coveredEnd - (bottom - top);
        scrollTo(top, bottom, left >= 0 ? coveredEnd : 0, left >= 0 ? left : Style.large);
    }
    // The same above this height at the lower edge; 0 for what was clicked, which no bar covers.
    function scrollTo(top: real, bottom: real, below: real, mostEdge = Style.large): void {
        const edge = Math.min(Style.large, mostEdge);
        const least = contentY + edge;
        const most = contentY + height - Math.max(edge, below);
        if (top < least || bottom - top > most - least)
            scrollBy(top - least);
        else if (bottom > most)
            scrollBy(bottom - most);
    }
    function scrollPages(pages: int): void {
        scrollBy(pages * (height - Style.vast));
    }
    function scrollBy(pixels: real): void {
        const least = originY - topMargin;
        contentY = Math.max(least, Math.min(Math.max(least, endY), contentY + pixels));
        following = pixels > 0 && atEnd;
        tooShort = false;
    }

    activeFocusOnTab: true
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    currentIndex: -1 // the list itself handles the keys
    keyNavigationEnabled: false
    pixelAligned: true

    ScrollBar.vertical: ThinScrollBar {
        id: bar
    }

    Keys.onPressed: event => {
        if (event.modifiers & (Qt.AltModifier | Qt.ShiftModifier))
            return;
        if (event.key === Qt.Key_Up)
            scrollBy(-Style.vast);
        else if (event.key === Qt.Key_Down)
            scrollBy(Style.vast);
        else if (event.key === Qt.Key_PageUp)
            scrollPages(-1);
        else if (event.key === Qt.Key_PageDown)
            scrollPages(1);
        else if (event.key === Qt.Key_Home)
            toBeginning();
        else if (event.key === Qt.Key_End)
            toEnd();
        else
            return;
        event.accepted = true;
    }
    onBottomMarginChanged: stayAtEnd()
    onContentHeightChanged: followSoon()
    onCountChanged: followSoon()
    onHeightChanged: stayAtEnd()
    onContentYChanged: {
        const byReader = movingVertically || bar.pressed || wheel.moving;
        if (byReader && contentY < lastY && !fits())
            following = false;
        else if (byReader && contentY > lastY && atEnd)
            following = true;
        if (byReader)
            tooShort = false;
        lastY = contentY;
    }
    onModelChanged: toEnd()
    onWidthChanged: stayAtEnd()

    Connections {
        function onFontScaleChanged() {
            root.stayAtEnd();
        }

        target: Style
    }

    WheelArea {
        id: wheel

        view: root
        onMoved: up => {
            if (up < 0 && root.atEnd)
                root.following = true;
        }
    }
}
