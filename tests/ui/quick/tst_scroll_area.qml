// SPDX-License-Identifier: Apache-2.0
// An area that scrolls brings the item with the focus into view, and the heading above it if both have room.
import QtQuick
import QtQuick.Controls.Basic
import QtTest
import Coterie.Style

TestCase {
    id: root

    name: "ScrollArea"
    when: windowShown
    width: 400
    height: 300
    visible: true

    component Heading: Rectangle {
        readonly property bool headsGroup: true

        height: 40
        width: 200
    }

    ScrollArea {
        id: area

        anchors.fill: parent
        contentHeight: body.height

        Column {
            id: body

            Rectangle {
                id: filler

                height: 800
                width: 200
            }
            Heading {}
            Heading {
                id: heading
            }
            Column {
                Rectangle {
                    id: first

                    height: 40
                    width: 200
                }
                Rectangle {
                    height: 300
                    width: 200
                }
                Rectangle {
                    id: last

                    height: 40
                    width: 200
                }
            }
            Rectangle {
                id: end

                height: 900
                width: 200
            }
            FieldView {
                id: frame

                height: 200
                width: 200

                TextArea {
                    id: field

                    text: "A line\n".repeat(100)
                }
            }
        }
    }

    function init() {
        area.forceActiveFocus();
    }
    function topOf(item) {
        return item.mapToItem(area, 0, 0).y;
    }

    function test_a_heading_comes_with_its_item() {
        area.contentY = 1400;
        first.forceActiveFocus();
        compare(topOf(heading), Style.large);
        compare(topOf(first), Style.large + heading.height);
    }
    function test_a_heading_that_has_no_room_stays_away() {
        area.contentY = 1600;
        last.forceActiveFocus();
        compare(topOf(last), Style.large);
    }
    function test_what_is_in_view_stays_where_it_is() {
        const place = 860; // the heading is above the view
        area.contentY = place;
        verify(topOf(first) > Style.large && topOf(heading) < 0);
        first.forceActiveFocus();
        compare(area.contentY, place);
        area.revealHeaded(first); // this asks for the heading
        compare(topOf(heading), Style.large);
    }
    // The page gets shorter after that when settings are searched.
    function test_the_heading_stays_with_its_item_when_the_page_becomes_shorter() {
        area.contentY = 0;
        first.forceActiveFocus();
        area.revealHeaded(first);
        filler.height = 100;
        tryVerify(() => topOf(heading) >= 0 && topOf(first) < area.height, patienceMs);
        filler.height = 800;
    }
    // The field is much higher than its frame, and scrolls in it.
    function test_a_long_field_is_shown_with_its_frame_and_its_cursor() {
        const place = () => field.mapToItem(area, field.cursorRectangle);
        field.forceActiveFocus();
        field.cursorPosition = field.length;
        area.forceActiveFocus();
        area.contentY = 0;
        field.forceActiveFocus(Qt.TabFocusReason);
        verify(topOf(frame) >= 0 && topOf(frame) + frame.height <= area.height);
        area.contentY -= 250; // the wheel moves the page
        verify(place().y > area.height);
        keyClick(Qt.Key_Up);
        tryVerify(() => place().y >= 0 && place().y + place().height <= area.height, patienceMs);
    }
    function test_from_above_it_scrolls_as_little_as_possible() {
        area.contentY = 0;
        first.forceActiveFocus();
        compare(topOf(first) + first.height, area.height - Style.large);
    }
}
