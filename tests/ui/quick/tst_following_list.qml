// SPDX-License-Identifier: Apache-2.0
// The rule of scrolling: a list at its end follows; any upward scroll stops it; back at the end it follows again.
import QtQuick
import QtTest
import Coterie.Chat
import Coterie.Style

TestCase {
    id: root

    name: "FollowingList"
    when: windowShown
    width: 400
    height: 300
    visible: true

    ListModel {
        id: rows
    }
    FollowingList {
        id: list

        anchors.fill: parent
        model: rows
        delegate: Rectangle {
            required property int index
            required property int size

            width: list.width
            height: size
        }
    }

    function init() {
        rows.clear();
        list.bottomMargin = 0;
        for (let i = 0; i < 30; ++i)
            rows.append({ size: 20 + i % 7 * 15 });
        list.toEnd();
        list.forceActiveFocus();
        tryVerify(() => list.atEnd, patienceMs);
    }
    // Makes the last row grow, as an answer does.
    function grow() {
        rows.setProperty(rows.count - 1, "size", rows.get(rows.count - 1).size + 40);
        wait(0);
    }

    function test_follows_while_at_the_end() {
        for (let i = 0; i < 20; ++i)
            grow();
        verify(list.following);
        tryVerify(() => list.atEnd, patienceMs);
        rows.append({ size: 100 });
        tryVerify(() => list.atEnd, patienceMs);
    }
    function test_wheel_up_lets_go_data() {
        return [{ tag: "a notch", angle: 120 }, { tag: "a touch", angle: 8 }];
    }
    function test_wheel_up_lets_go(row) {
        mouseWheel(list, 200, 150, 0, row.angle);
        verify(!list.following);
        tryCompare(list, "moving", false, patienceMs);
        const before = list.contentY;
        for (let i = 0; i < 10; ++i)
            grow();
        compare(list.contentY, before, "what is read stays where it is");
        verify(!list.following);
    }
    // Three quick steps move the list three times as far as one, and not to its beginning.
    function test_steps_of_the_wheel_add_up() {
        mouseWheel(list, 200, 150, 0, 120);
        const row = list.itemAtIndex(rows.count - 3);
        const before = row.mapToItem(list, 0, 0).y;
        for (let i = 0; i < 3; ++i)
            mouseWheel(list, 200, 150, 0, 120);
        compare(row.mapToItem(list, 0, 0).y, before + 3 * Style.wheelStep);
        for (let i = 0; i < 5; ++i)
            wait(0);
        verify(!list.moving && !list.following);
        compare(row.mapToItem(list, 0, 0).y, before + 3 * Style.wheelStep);
    }
    function test_wheel_down_to_the_end_follows_again() {
        mouseWheel(list, 200, 150, 0, 240);
        verify(!list.following && !list.atEnd);
        mouseWheel(list, 200, 150, 0, -120);
        verify(!list.following);
        mouseWheel(list, 200, 150, 0, -240);
        verify(list.following && list.atEnd);
        grow();
        tryVerify(() => list.atEnd, patienceMs);
    }
    function test_keys_let_go_data() {
        return [{ tag: "Up", key: Qt.Key_Up }, { tag: "PageUp", key: Qt.Key_PageUp }, { tag: "Home", key: Qt.Key_Home }];
    }
    function test_keys_let_go(row) {
        keyClick(row.key);
        verify(!list.following);
        verify(!list.atEnd);
        const before = list.contentY;
        grow();
        compare(list.contentY, before);
    }
    function test_drag_lets_go() {
        mousePress(list, 200, 100);
        for (let y = 100; y <= 260; y += 10)
            mouseMove(list, 200, y);
        mouseRelease(list, 200, 260);
        verify(!list.following);
    }
    function test_back_at_the_end_follows_again() {
        keyClick(Qt.Key_PageUp);
        verify(!list.following);
        keyClick(Qt.Key_PageDown);
        keyClick(Qt.Key_PageDown);
        tryVerify(() => list.following && list.atEnd, patienceMs);
        grow();
        tryVerify(() => list.atEnd, patienceMs);
    }
    function test_end_follows() {
        keyClick(Qt.Key_Home);
        grow();
        keyClick(Qt.Key_End);
        verify(list.following);
        tryVerify(() => list.atEnd, patienceMs);
    }
    function test_down_in_the_middle_does_not_follow() {
        keyClick(Qt.Key_Home);
        keyClick(Qt.Key_Down);
        verify(!list.following);
    }
    function test_reveals_what_is_wanted() {
        keyClick(Qt.Key_Home);
        const top = list.contentY;
        list.reveal(top + 50, top + 80);
        compare(list.contentY, top, "it is in view already");
        list.reveal(top + 500, top + 520);
        verify(list.contentY + list.height >= top + 520 && list.contentY > top);
        list.reveal(top + 100, top + 120);
        verify(list.contentY <= top + 100 && list.contentY > top);
        list.reveal(top + 50, top + 5000);
        verify(list.contentY <= top + 50, "its beginning, if there is no room for all");
    }
    function test_what_is_revealed_is_above_the_bars() {
        keyClick(Qt.Key_Home);
        const top = list.contentY;
        list.coveredEnd = 100;
        list.reveal(top + list.height - 60, top + list.height - 40);
        compare(list.contentY, top + 60);
        list.reveal(top + 100, top + 60 + list.height - Style.large); // there is no room for it above the bars
        compare(list.contentY, top + 60);
        list.holdTop(top + 60 + list.height - 50); // nothing moves under the pointer
        compare(list.contentY, top + 60);
        list.coveredEnd = 0;
    }
    function test_keys_with_modifiers_do_not_scroll() {
        const before = list.contentY;
        keyClick(Qt.Key_Up, Qt.AltModifier);
        keyClick(Qt.Key_Up, Qt.ShiftModifier);
        compare(list.contentY, before);
        verify(list.following);
    }
    // A bar of the window may stand in the margin below the last row.
    function test_the_margin_below_belongs_to_the_end() {
        const last = list.itemAtIndex(list.count - 1);
        const below = () => list.contentY + list.height - last.y - last.height;
        for (const room of [60, 20]) {
            list.bottomMargin = room;
            tryVerify(() => below() === room, patienceMs);
            verify(list.following && list.atEnd);
        }
        grow();
        tryVerify(() => below() === 20, patienceMs);
        keyClick(Qt.Key_Up);
        const before = list.contentY;
        list.bottomMargin = 60;
        wait(0);
        compare(list.contentY, before, "what is read stays where it is");
        verify(!list.following && !list.atEnd);
    }
    // Puts another row in the place of the last one, as another version of an answer.
    function replaceLast(size) {
        list.hold(rows.count - 2);
        rows.remove(rows.count - 1);
        rows.append({ size: size });
        list.letGo();
        wait(0);
    }
    function test_the_end_stays_when_rows_are_replaced() {
        for (const size of [900, 20, 500]) {
            replaceLast(size);
            verify(list.following);
            tryVerify(() => list.atEnd, patienceMs);
        }
        grow();
        tryVerify(() => list.atEnd, patienceMs);
    }
    function test_a_reader_above_the_end_stays_when_rows_are_replaced() {
        replaceLast(900);
        tryVerify(() => list.atEnd, patienceMs);
        const place = () => list.itemAtIndex(rows.count - 2).y - list.contentY;
        for (let keys = 0; !list.itemAtIndex(rows.count - 2) || place() < 0; ++keys) {
            verify(keys < 100);
            keyClick(Qt.Key_Up);
        }
        const before = place();
        verify(!list.following);
        for (const size of [1200, 20, 900]) { // the row can't keep its place above the second one
            replaceLast(size);
            verify(!list.following);
            if (size > list.height)
                compare(place(), before);
        }
    }
    function test_rows_that_are_added_at_the_end_are_followed() {
        rows.clear();
        rows.append({ size: 20 });
        tryVerify(() => list.contentHeight === 20, patienceMs);
        keyClick(Qt.Key_Up);
        verify(!list.following); // all of it is in view
        list.followAdded();
        rows.append({ size: 900 });
        tryVerify(() => list.following && list.atEnd && list.itemAtIndex(1), patienceMs);
        verify(!list.fits());
        keyClick(Qt.Key_Up);
        const before = list.contentY;
        list.followAdded();
        rows.append({ size: 900 });
        wait(0);
        compare(list.contentY, before);
    }
    function test_rows_that_fit_without_their_margin_scroll() {
        rows.clear();
        rows.append({ size: list.height - 30 });
        list.bottomMargin = 50;
        list.toEnd();
        tryVerify(() => list.contentY - list.originY === 20, patienceMs);
        verify(list.atEnd);
        keyClick(Qt.Key_Home);
        verify(!list.following && !list.atEnd);
    }
    function test_short_list_needs_no_scrolling() {
        rows.clear();
        rows.append({ size: 20 });
        tryVerify(() => list.contentHeight <= list.height, patienceMs);
        verify(list.atEnd);
        mouseWheel(list, 200, 150, 0, 120);
        rows.append({ size: 20 });
        verify(list.following);
    }
}
