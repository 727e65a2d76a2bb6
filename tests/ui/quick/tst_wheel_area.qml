// SPDX-License-Identifier: Apache-2.0
// The wheel moves a view by the same distance for each step, and at an end of the view what is around it.
import QtQuick
import QtQuick.Controls.Basic
import QtTest
import Coterie.Style

TestCase {
    id: root

    name: "WheelArea"
    when: windowShown
    width: 400
    height: 300
    visible: true

    // A page with a low part that scrolls in it, and a field.
    ScrollArea {
        id: page

        anchors.fill: parent
        contentHeight: 3000

        ScrollArea {
            id: part

            contentHeight: 400
            height: 100
            width: 200
            y: 1000
        }
        FieldView {
            id: box

            height: 100
            width: 200
            y: 1150

            TextArea {
                text: "line\n".repeat(60)
            }
        }
    }

    function init() {
        page.contentY = 950;
        part.contentY = 0;
        box.contentItem.contentY = 0;
    }
    // The view rests after this: nothing that was wheeled goes on.
    function rest() {
        for (let frame = 0; frame < 5; ++frame)
            wait(0);
        tryCompare(page, "moving", false, patienceMs);
    }
    function wheelOver(item, angle, times) {
        const at = item.mapToItem(root, item.width / 2, item.height / 2);
        for (let step = 0; step < times; ++step)
            mouseWheel(root, at.x, at.y, 0, angle);
        rest();
    }

    function test_steps_add_up() {
        for (const angle of [120, -120, 60]) {
            const before = page.contentY;
            wheelOver(page, angle, 3);
            compare(page.contentY, before - 3 * angle / 120 * Style.wheelStep);
        }
    }
    // A wheel with a high resolution has steps of less than a pixel.
    function test_parts_of_a_step_add_up() {
        page.contentY = 1500;
        mouseWheel(root, 10, 290, 0, 1);
        wheelOver(page, 1, 119);
        compare(page.contentY, 1500 - Style.wheelStep);
    }
    function test_the_ends_are_reached_and_not_passed() {
        wheelOver(page, -12000, 2);
        compare(page.contentY, 3000 - 300);
        wheelOver(page, 12000, 2);
        compare(page.contentY, 0);
    }
    function test_an_inner_view_moves_first() {
        const place = page.contentY;
        wheelOver(part, -120, 2);
        compare(part.contentY, 2 * Style.wheelStep);
        compare(page.contentY, place);
        wheelOver(part, -1200, 1);
        compare(part.contentY, 300);
        compare(page.contentY, place);
        wheelOver(part, -120, 1); // it is at its end
        compare(part.contentY, 300);
        compare(page.contentY, place + Style.wheelStep);
    }
    function test_a_field_scrolls_by_the_same_steps() {
        page.contentY = 1100;
        wheelOver(box, -120, 3);
        compare(box.contentItem.contentY, 3 * Style.wheelStep);
        compare(page.contentY, 1100);
    }
    // The page stopped as soon as a field was under the pointer.
    function test_a_field_at_its_end_leaves_the_wheel_to_the_page() {
        page.contentY = 1100;
        wheelOver(box, 120, 2);
        compare(box.contentItem.contentY, 0);
        compare(page.contentY, 1100 - 2 * Style.wheelStep);
    }
    // The bar of Qt's style stayed below ours, without a name.
    function test_a_field_has_one_bar() {
        const bars = Array.from(box.children).filter(child => child instanceof ScrollBar);
        compare(bars.length, 1);
        verify(bars[0] instanceof ThinScrollBar);
        verify(bars[0].size < 1);
    }
    function test_the_wheel_sideways_is_not_for_it() {
        const place = page.contentY;
        mouseWheel(root, 10, 290, 120, 0);
        rest();
        compare(page.contentY, place);
    }
}
