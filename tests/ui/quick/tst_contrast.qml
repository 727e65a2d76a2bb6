// SPDX-License-Identifier: Apache-2.0
// Computes the contrast of both themes: text at least 4.5:1 on every background that it has, marks at least 3:1. The
// colours of memory also differ from each other, for all eyes: see tst_colour_maps.cpp for the simulation.
import QtQuick
import QtTest
import Coterie.App
import Coterie.Style

TestCase {
    id: root

    readonly property real forText: 4.5
    readonly property real forMarks: 3
    // [colour of the text, its backgrounds]
    readonly property var texts: [
        ["text", ["ground", "surface", "sunken", "bubble", "fill", "fillStrong", "hover", "pressed", "errorGround", "selection", "hit", "currentHit"]],
        ["quiet", ["ground", "surface", "sunken", "bubble", "hover", "pressed", "errorGround", "hit", "currentHit"]],
        ["error", ["ground", "surface", "sunken", "errorGround"]],
        ["inkOnEmber", ["ember", "emberStrong"]]
    ]
    readonly property var codeTexts: ["codeAdded", "codeComment", "codeFunction", "codeKeyword", "codeNumber", "codePreprocessor", "codeRemoved", "codeString", "codeType", "codeVariable"].map(ink => [ink, ["sunken", "selection", "hit", "currentHit"]])
    readonly property var marks: [
        ["mark", ["ground", "surface", "sunken", "bubble"]],
        ["ember", ["ground", "surface", "sunken", "bubble", "hover", "pressed", "currentHit"]],
        ["water", ["ground", "surface", "sunken", "memoryFree"]],
        ["error", ["ground", "surface", "errorGround", "memoryFree"]],
        ["memoryWeights", ["ground", "surface", "sunken"]],
        ["memoryCache", ["ground", "surface", "sunken"]],
        ["memoryKeyValue", ["ground", "surface", "sunken"]],
        ["memoryApp", ["ground", "surface", "sunken"]],
        ["memoryOther", ["ground", "surface", "sunken"]]
    ]

    readonly property var memory: ["memoryWeights", "memoryCache", "memoryKeyValue", "memoryApp", "memoryOther", "memoryFree"]
    readonly property real otherColour: 20 // distance in CIELAB
    // Rows of matrices for linear red, green and blue: all colours, protanopia, deuteranopia, tritanopia.
    readonly property var visions: [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]], [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]], [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]]

    // Returns L*, a* and b* of a colour as it is seen.
    function seen(c: color, vision: var): var {
        const linear = [c.r, c.g, c.b].map(v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
        const sum = row => row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2];
        const [r, g, b] = vision.map(row => Math.max(0, Math.min(1, sum(row))));
        const f = t => t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116;
        const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047), y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b), z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
        return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
    }
    function distance(one: color, other: color, vision: var): real {
        const a = seen(one, vision), b = seen(other, vision);
        return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }
    function check(theme: Theme, pairs: var, least: real): void {
        for (const [ink, grounds] of pairs) {
            for (const ground of grounds) {
                const measured = Style.contrast(theme[ink], theme[ground]);
                verify(measured >= least, `${ink} on ${ground}: ${measured.toFixed(2)}, at least ${least}`);
            }
        }
    }

    name: "Contrast"
    when: windowShown
    width: 100
    height: 100
    visible: true

    Component {
        id: iconOnGround

        Rectangle {
            property alias name: icon.name
            property alias size: icon.size

            color: Style.theme.ground
            height: icon.height
            width: icon.width

            Icon {
                id: icon

                color: Style.theme.quiet
                name: "more"
            }
        }
    }

    function test_formula() {
        fuzzyCompare(Style.contrast(Qt.rgba(0, 0, 0, 1), Qt.rgba(1, 1, 1, 1)), 21, 0.001);
        fuzzyCompare(Style.contrast(Qt.rgba(0x77 / 255, 0x77 / 255, 0x77 / 255, 1), Qt.rgba(1, 1, 1, 1)), 4.48, 0.01);
    }
    function test_light() {
        check(Style.lightTheme, texts, forText);
        check(Style.lightTheme, codeTexts, forText);
        check(Style.lightTheme, marks, forMarks);
    }
    function test_dark() {
        check(Style.darkTheme, texts, forText);
        check(Style.darkTheme, codeTexts, forText);
        check(Style.darkTheme, marks, forMarks);
    }
    function test_i18_memory_hues_differ() {
        for (const theme of [Style.lightTheme, Style.darkTheme]) {
            for (const vision of visions) {
                for (const one of memory) {
                    for (const other of memory.slice(memory.indexOf(one) + 1)) {
                        const measured = distance(theme[one], theme[other], vision);
                        verify(measured >= otherColour, `${one} and ${other}: ${measured.toFixed(1)}, vision ${visions.indexOf(vision)}`);
                    }
                }
            }
        }
    }
    // Its lines tell the current hit from the others without colours.
    function test_the_current_hit_differs_from_the_others() {
        for (const theme of [Style.lightTheme, Style.darkTheme]) {
            const measured = distance(theme.hit, theme.currentHit, visions[0]);
            verify(measured >= otherColour, `hit and currentHit: ${measured.toFixed(1)}`);
        }
    }
    function test_more_contrast_when_asked() {
        check(Style.lightClearTheme, texts.filter(pair => pair[0] === "text" || pair[0] === "quiet"), 1.5 * forText);
        check(Style.darkClearTheme, texts.filter(pair => pair[0] === "text" || pair[0] === "quiet"), 1.5 * forText);
        check(Style.lightClearTheme, codeTexts, forText);
        check(Style.darkClearTheme, codeTexts, forText);
        Style.highContrast = true;
        Style.mode = "dark";
        compare(Style.theme, Style.darkClearTheme);
        Style.mode = "light";
        compare(Style.theme, Style.lightClearTheme);
        check(Style.theme, [["line", ["ground", "surface", "sunken"]]], forMarks);
        Style.highContrast = false;
        compare(Style.theme, Style.lightTheme);
        Style.mode = "system";
    }
    function test_scales_begin_in_the_themes_colours() {
        verify(Qt.colorEqual(ColourMaps.heat(0, false), Style.lightTheme.ground));
        verify(Qt.colorEqual(ColourMaps.heat(0, true), Style.darkTheme.ground));
        verify(Qt.colorEqual(ColourMaps.presence(0, false), Style.lightTheme.line));
        verify(Qt.colorEqual(ColourMaps.presence(0, true), Style.darkTheme.line));
    }
    // An icon of small dots has no pixel that is all covered if a dot is smaller than two pixels.
    function test_s58_dots_are_seen_data() {
        const rows = [];
        for (const name of ["more", "dots"])
            for (const mode of ["light", "dark"])
                for (const clear of [false, true])
                    for (const size of [Style.iconSmall, Style.icon])
                        rows.push({ tag: `${name}, ${size} px, ${mode}${clear ? ", high contrast" : ""}`, name: name, mode: mode, clear: clear, size: size });
        return rows;
    }
    function test_s58_dots_are_seen(row) {
        Style.mode = row.mode;
        Style.highContrast = row.clear;
        const icon = createTemporaryObject(iconOnGround, root, { name: row.name, size: row.size });
        const picture = grabImage(icon);
        const third = Math.floor(picture.width / 3);
        for (let dot = 0; dot < 3; ++dot) {
            let seen = 0; // pixels that differ enough
            for (let x = dot * third; x < (dot + 1) * third; ++x)
                for (let y = 0; y < picture.height; ++y)
                    seen += Style.contrast(picture.pixel(x, y), Style.theme.ground) >= forMarks ? 1 : 0;
            verify(seen >= 2, `dot ${dot}: ${seen}`);
        }
        Style.highContrast = false;
        Style.mode = "system";
    }
    function test_theme_follows_mode() {
        Style.mode = "light";
        verify(!Style.dark);
        compare(Style.theme, Style.lightTheme);
        Style.mode = "dark";
        compare(Style.theme, Style.darkTheme);
        Style.mode = "system";
        compare(Style.dark, Style.systemDark);
    }
    function test_motion_rests_when_asked() {
        Style.reducedMotion = true;
        compare(Style.quick, 0);
        compare(Style.calm, 0);
        compare(DesktopWishes.reducedMotion, false); // no desktop says so here
        Style.reducedMotion = false;
        verify(Style.quick >= 120 && Style.calm <= 180);
    }
    function test_sizes_follow_the_scale() {
        for (const scale of [0.8, 1, 1.25, 1.6, 2]) {
            Style.fontScale = scale;
            compare(Style.bodySize, 15 * scale);
            compare(Style.control % 4, 0, "steps of 4");
        }
        Style.fontScale = 1;
    }
}
