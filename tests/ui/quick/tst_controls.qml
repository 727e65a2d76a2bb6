// SPDX-License-Identifier: Apache-2.0
// Small controls: figures that don't jump, fields that accept only numbers in range, choices, errors with all three
// parts.
import QtQuick
import QtTest
import Coterie.Style

TestCase {
    id: root

    name: "Controls"
    when: windowShown
    width: 500
    height: 500
    visible: true

    Item {
        id: first
    }
    Component {
        id: shares

        RoomShares {
            kept: 100
            room: 300
        }
    }
    Component {
        id: figures

        Figures {}
    }
    Component {
        id: numberField

        NumberField {
            label: "A number"
            value: 4
            from: 1
            to: 10
            onEdited: number => value = number
        }
    }
    Component {
        id: iconButton

        IconButton {
            hoverEnabled: true
            iconName: "play"
            text: "A button"
        }
    }
    Component {
        id: slider

        ValueSlider {
            property real setting: 5
            property int sets: 0

            from: 1
            label: "A number"
            stepSize: 1
            to: 10
            value: setting
            onPicked: {
                setting = value;
                ++sets;
            }
        }
    }
    Component {
        id: choices

        ChoiceBar {
            label: "A choice"
            options: [{ value: "a", text: "A" }, { value: "b", text: "B" }, { value: "c", text: "C" }]
            value: "a"
            onChosen: chosen => value = chosen
        }
    }
    // These wrap. They are as wide as their texts, but not wider than their place.
    Component {
        id: narrowPlace

        Column {
            PushButton {
                iconName: "play"
                text: "Take a first look"
                width: Math.min(implicitWidth, parent.width)
            }
            ChoiceMenu {
                label: "Speed"
                options: [{ value: 0, text: "Slow motion" }]
                value: 0
                width: Math.min(implicitWidth, parent.width)
            }
            SmallText {
                id: words

                text: "The model sees the conversation from here"
                width: Math.min(whole.needed, parent.width)
                wrapMode: Text.Wrap

                LineWidth {
                    id: whole

                    line: words
                }
            }
        }
    }
    Component {
        id: errorCard

        ErrorCard {
            width: 400
            what: "The file could not be read"
            why: "It ends in the middle"
            action: "Copy it again"
            dismissable: true
        }
    }
    Component {
        id: coveredPlace

        MouseArea {
            property int clicks: 0
            property alias bar: bar

            height: 60
            width: 400
            onClicked: clicks++

            NoticeBar {
                id: bar

                anchors.fill: parent
                words: "Done"
            }
        }
    }
    SignalSpy {
        id: spy
    }
    SignalSpy {
        id: acted

        signalName: "acted"
    }

    function needing(heights) {
        return heights.map(height => ({ item: null, height: height }));
    }
    function test_a_height_is_shared() {
        const found = createTemporaryObject(shares, root);
        compare(found.spare, 200);
        found.wants = needing([20, 0, 30]);
        compare(found.limits, [Infinity, Infinity, Infinity]);
        compare(found.spare, 150);
        found.wants = needing([300, 20, 0]);
        compare(found.limits, [200, 0, Infinity]);
        compare(found.spare, 0);
        found.room = 60; // the list keeps a line
        compare(found.others, 60 - Style.bodyLine * Style.bodySize);
        found.room = 10;
        compare(found.others, 0);
        compare(found.limits, [0, 0, Infinity]);
    }
    // The most important items come first, and one of them scrolls at most.
    function test_an_item_has_a_useful_height_or_no_place() {
        const found = createTemporaryObject(shares, root, { wants: needing([150, 0, 150, 20]) });
        found.room = found.kept;
        compare(found.limits, [found.others, Infinity, 0, 0]); // the second one is absent
        verify(found.others >= found.least);
        found.room = found.kept + 150 + found.useful - 1; // the last one would have room, but is less important than one without
        compare(found.limits, [Infinity, Infinity, 0, 0]);
        compare(found.spare, found.useful - 1);
        found.room = found.kept + 150 + found.useful;
        compare(found.limits, [Infinity, Infinity, found.useful, 0]);
        compare(found.spare, 0);
        found.room = found.kept + 320;
        compare(found.limits, [Infinity, Infinity, Infinity, Infinity]);
    }
    // Half a card, without its buttons, helps nobody.
    function test_an_item_that_is_no_use_in_part() {
        const wants = [{ item: root, height: 150, whole: true }, { item: first, height: 40 }];
        const found = createTemporaryObject(shares, root, { wants: wants });
        found.room = found.kept + 149;
        compare(found.limits, [0, Infinity]); // the next one has its room
        compare(found.spare, 109);
        found.room = found.kept + 190;
        compare(found.limits, [Infinity, Infinity]);
        found.room = found.kept + 150;
        compare(found.limits, [Infinity, 0]);
    }
    function test_the_list_keeps_its_part() {
        const found = createTemporaryObject(shares, root, { wants: needing([150]) });
        found.room = found.kept;
        verify(found.others > 0);
        found.lineForFirst = false;
        compare(found.others, 0);
        compare(found.limits, [0]);
    }
    function test_an_item_finds_its_limit() {
        const wants = [[root, 150], [first, 150]].map(want => ({ item: want[0], height: want[1] }));
        const found = createTemporaryObject(shares, root, { room: 200, wants: wants });
        compare(found.limitOf(root), 100);
        compare(found.limitOf(first), 0);
        compare(found.limitOf(null), Infinity); // it was not asked for
        found.wants = [...wants].reverse();
        compare(found.limitOf(first), 100);
    }
    // A click beside the button reached what was below, for example another setting.
    function test_a_bar_takes_its_clicks() {
        const found = createTemporaryObject(coveredPlace, root);
        acted.target = found.bar;
        mouseClick(found, 10, 30);
        compare(found.clicks, 0);
        compare(acted.count, 0);
        const button = named(found.bar, "Undo");
        mouseClick(button);
        compare(found.clicks, 0);
        compare(acted.count, 1);
    }
    function texts(item) {
        let found = item instanceof Text && item.visible && item.text ? [item.text] : [];
        for (let i = 0; i < item.children.length; ++i)
            found = found.concat(texts(item.children[i]));
        return found;
    }
    function named(item, name) {
        if (item.Accessible?.name === name)
            return item;
        for (let i = 0; i < item.children.length; ++i) {
            const found = named(item.children[i], name);
            if (found)
                return found;
        }
        return null;
    }

    function test_figures_have_one_width() {
        const widths = ["111.1", "888.8", "444.4", "070.7"].map(text => createTemporaryObject(figures, root, { text: text }).implicitWidth);
        for (const width of widths)
            compare(width, widths[0]);
        verify(widths[0] > 0); // true at once, before any of them is shown
    }
    function test_no_width_goes_round_in_a_loop() {
        failOnWarning(/Binding loop/);
        const place = createTemporaryObject(narrowPlace, root);
        const lines = item => (item instanceof Text && item.text ? [item.lineCount] : []).concat(...Array.from(item.children).map(lines));
        for (const scale of [1, 1.6, 2, 1]) {
            Style.fontScale = scale;
            for (let width = 0; width < 60; width += 0.25) {
                place.width = width;
                place.width = 900;
                compare(lines(place), [1, 1, 1]); // there is room for one line each
            }
        }
    }
    function test_number_in_range() {
        const field = createTemporaryObject(numberField, root);
        field.forceActiveFocus();
        field.selectAll();
        keyClick("7");
        keyClick(Qt.Key_Return);
        compare(field.value, 7);
        verify(!field.faulty);
    }
    function test_number_out_of_range_is_refused_data() {
        return [{ tag: "no whole number", text: "1,5" }, { tag: "too large", text: "11" }, { tag: "too small", text: "0" }, { tag: "no number", text: "x" }, { tag: "empty", text: "" }];
    }
    function test_number_out_of_range_is_refused(row) {
        const field = createTemporaryObject(numberField, root);
        field.forceActiveFocus();
        field.text = row.text;
        verify(field.faulty);
        keyClick(Qt.Key_Return);
        compare(field.value, 4);
        compare(field.text, row.text); // it can be mended
        compare(field.rangeText, "A whole number from 1 to 10.");
        verify(field.faulty);
        keyClick(Qt.Key_Escape);
        compare(field.text, "4");
        verify(!field.faulty);
    }
    // These texts mean the same in every language. tst_window_settings.cpp has some that depend on it.
    function test_numbers_are_read_as_they_are_written_data() {
        const row = (text, decimals, number) => ({ tag: `${text}, ${decimals} decimals`, text: text, decimals: decimals, number: number });
        return [row("4096", 0, 4096), row("4,096", 0, 4096), row("4.096", 0, 4096), row("4 096", 0, 4096), row("4\u202f096", 0, 4096),
            row("4\u2019096", 0, 4096), row("1,048,576", 0, 1048576), row("1.048.576", 2, 1048576), row("\u22124,096", 0, -4096),
            row("1,5", 2, 1.5), row("1.5", 2, 1.5), row("0,125", 3, 0.125), row("1,024.5", 2, 1024.5), row("1.024,5", 2, 1024.5),
            row("1,02", 0, undefined), row("1,5", 0, undefined), row("1 5", 2, undefined), row("1,02,4", 2, undefined),
            row("1,024,5", 2, undefined), row("1,,024", 0, undefined), row("1,024 bytes", 0, undefined)];
    }
    function test_numbers_are_read_as_they_are_written(row) {
        const field = createTemporaryObject(numberField, root, { decimals: row.decimals, from: -1e7, to: 1e7 });
        field.text = row.text;
        compare(field.parsed(), row.number);
        compare(field.faulty, row.number === undefined);
    }
    function test_a_slider_follows_its_setting() {
        const user = createTemporaryObject(slider, root);
        user.forceActiveFocus();
        for (const [key, number] of [[Qt.Key_End, 10], [Qt.Key_Home, 1], [Qt.Key_Right, 6], [Qt.Key_Left, 4]]) {
            keyClick(key);
            compare(user.setting, number);
            compare(user.value, number);
            user.setting = 5; // elsewhere
            compare(user.value, 5);
        }
    }
    function test_a_slider_sets_each_value_that_it_passes() {
        const user = createTemporaryObject(slider, root, { width: 200 });
        mousePress(user, 190, user.height / 2);
        compare(user.setting, 10);
        mouseMove(user, 10, user.height / 2);
        compare(user.setting, 1);
        mouseRelease(user, 10, user.height / 2);
        compare(user.sets, 2);
    }
    function test_a_tip_waits_for_a_move_of_the_pointer() {
        const user = createTemporaryObject(iconButton, root, { x: 300, y: 300 });
        mouseMove(root, 20, 20);
        user.x = user.y = 10; // it comes under the pointer, as by a wheel
        tryVerify(() => user.hovered, patienceMs);
        verify(SharedTip.owner !== null && SharedTip.waiting && !SharedTip.tip.visible);
        mouseMove(root, 22, 21);
        verify(!SharedTip.waiting);
        tryVerify(() => SharedTip.tip.visible, patienceMs);
        mouseMove(root, 400, 400);
        tryVerify(() => !SharedTip.tip.visible, patienceMs);
        mouseMove(root, 22, 21); // a jump is a move, too
        verify(user.hovered && !SharedTip.waiting);
        tryVerify(() => SharedTip.tip.visible, patienceMs);
        mouseMove(root, 400, 400);
    }
    function test_esc_gives_up_a_drag() {
        for (const live of [true, false]) {
            const user = createTemporaryObject(slider, root, { live, width: 200 });
            mousePress(user, 190, user.height / 2);
            mouseMove(user, 10, user.height / 2);
            compare(user.pointed, 1);
            keyClick(Qt.Key_Escape);
            compare([user.setting, user.value, user.pointed, user.pressed], [5, 5, 5, false]);
            verify(user.activeFocus && user.enabled);
            mouseMove(user, 190, user.height / 2); // the button is still down
            mouseRelease(user, 190, user.height / 2);
            compare([user.setting, user.value, user.pointed], [5, 5, 5]);
        }
    }
    // A slider that sets the size of texts moves itself by that.
    function test_a_slider_that_is_not_live_sets_the_last_value() {
        const user = createTemporaryObject(slider, root, { live: false, width: 200 });
        mousePress(user, 190, user.height / 2);
        compare([user.setting, user.pointed], [5, 10]);
        mouseMove(user, 10, user.height / 2);
        compare([user.setting, user.pointed], [5, 1]);
        mouseMove(user, 190, user.height / 2);
        mouseRelease(user, 190, user.height / 2);
        compare([user.setting, user.pointed, user.sets], [10, 10, 1]);
        mouseClick(user, 10, user.height / 2);
        compare([user.setting, user.sets], [1, 2]);
        mouseClick(user, 10, user.height / 2); // it has this value
        compare(user.sets, 2);
        user.forceActiveFocus();
        keyPress(Qt.Key_Right);
        compare([user.setting, user.sets], [2, 3]);
        keyRelease(Qt.Key_Right);
        compare(user.sets, 3);
        keyClick(Qt.Key_End);
        compare([user.setting, user.sets], [10, 4]);
        user.setting = 5; // elsewhere
        compare([user.value, user.pointed], [5, 5]);
        keyClick(Qt.Key_End);
        compare([user.setting, user.sets], [10, 5]);
    }
    function test_empty_is_automatic() {
        const field = createTemporaryObject(numberField, root, { automatic: true });
        field.forceActiveFocus();
        field.clear();
        verify(!field.faulty);
        keyClick(Qt.Key_Return);
        compare(field.value, 0);
        compare(field.text, "");
        compare(field.placeholderText, "Automatic");
    }
    function test_choice_by_keys() {
        const bar = createTemporaryObject(choices, root);
        named(bar, "A").forceActiveFocus(Qt.TabFocusReason);
        keyClick(Qt.Key_Right);
        compare(bar.value, "b");
        keyClick(Qt.Key_Left);
        keyClick(Qt.Key_Left);
        compare(bar.value, "c");
    }
    function test_choice_by_enter() {
        const bar = createTemporaryObject(choices, root);
        named(bar, "B").forceActiveFocus(Qt.TabFocusReason);
        compare(bar.value, "a");
        keyClick(Qt.Key_Return);
        compare(bar.value, "b");
        named(bar, "C").forceActiveFocus(Qt.TabFocusReason);
        keyClick(Qt.Key_Enter);
        compare(bar.value, "c");
    }
    function test_error_shows_three_parts() {
        const card = createTemporaryObject(errorCard, root);
        const shown = texts(card);
        verify(shown.includes(card.what));
        verify(shown.includes("It ends in the middle."));
        verify(shown.includes("Copy it again."));
        compare(card.Accessible.name, card.what);
        compare(card.Accessible.description, "It ends in the middle. Copy it again.");
        spy.target = card;
        spy.signalName = "dismissed";
        mouseClick(named(card, "Dismiss"));
        compare(spy.count, 1);
    }
}
