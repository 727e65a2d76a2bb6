// SPDX-License-Identifier: Apache-2.0
// Every colour, size, duration and font of the window. No other file writes such a value as a number.
pragma Singleton
import QtQuick
import Coterie.App

QtObject {
    id: root

    // Values from the settings; Main.qml binds these two.
    property string mode: "system" // "system", "light", "dark"
    property real fontScale: 1
    // Wishes that the user told the desktop.
    property bool reducedMotion: DesktopWishes.reducedMotion
    property bool highContrast: DesktopWishes.highContrast

    readonly property SystemPalette systemPalette: SystemPalette {}
    readonly property bool systemDark: systemPalette.window.hslLightness < systemPalette.windowText.hslLightness
    readonly property bool dark: mode === "dark" || (mode !== "light" && systemDark)
    readonly property Theme theme: dark ? (highContrast ? darkClearTheme : darkTheme) : highContrast ? lightClearTheme : lightTheme

    readonly property Theme lightTheme: Theme {
        ground: "#FAF9F7"
        surface: "#FFFFFF"
        sunken: "#F3F1EC"
        bubble: "#F1EEE7"
        fill: "#E9E5DD"
        fillStrong: "#DFDAD0"
        hover: "#ECE8E0"
        pressed: "#E7E2D9"
        text: "#1F1E1C"
        quiet: "#66625B"
        line: "#E6E3DD"
        mark: "#857F76"
        ember: "#B0501A"
        emberStrong: "#9A4415"
        inkOnEmber: "#FFFFFF"
        water: "#2B7483"
        error: "#B3261E"
        errorGround: "#FBEEEC"
        codeAdded: "#2F6B36"
        codeComment: "#625D56"
        codeFunction: "#1F5FA6"
        codeKeyword: "#9A3412"
        codeNumber: "#785000"
        codePreprocessor: "#7A3E8C"
        codeRemoved: "#A8281F"
        codeString: "#3B6B2E"
        codeType: "#1C6A66"
        codeVariable: "#8B2F5C"
        selection: "#F3D9C6"
        hit: "#F5EBB5"
        currentHit: "#FADF7E"
        scrim: "#591F1E1C"
        shadow: "#0A1F1E1C"
        memoryWeights: "#B0501A"
        memoryCache: "#2B7483"
        memoryKeyValue: "#8834A4"
        memoryApp: "#41391A"
        memoryOther: "#7F7F6A"
        memoryFree: "#E6E3DD"
    }
    readonly property Theme darkTheme: Theme {
        ground: "#1B1A18"
        surface: "#242320"
        sunken: "#161513"
        bubble: "#2C2A26"
        fill: "#312F2A"
        fillStrong: "#3C3A34"
        hover: "#2F2D29"
        pressed: "#383630"
        text: "#ECE9E4"
        quiet: "#A8A39A"
        line: "#37352F"
        mark: "#827D73"
        ember: "#F08A4B"
        emberStrong: "#F5A06B"
        inkOnEmber: "#1B1A18"
        water: "#62B5C5"
        error: "#F2867E"
        errorGround: "#33211F"
        codeAdded: "#8CC98F"
        codeComment: "#B4AFA6"
        codeFunction: "#86B8F0"
        codeKeyword: "#F2A06E"
        codeNumber: "#E5B567"
        codePreprocessor: "#CDA1DD"
        codeRemoved: "#F59C95"
        codeString: "#A5C98A"
        codeType: "#6CC4BC"
        codeVariable: "#EE9DB8"
        selection: "#5A3A24"
        hit: "#312C18"
        currentHit: "#4A3800"
        scrim: "#99000000"
        shadow: "#26000000"
        memoryWeights: "#F08A4B"
        memoryCache: "#62B5C5"
        memoryKeyValue: "#A96AD0"
        memoryApp: "#E0D5AF"
        memoryOther: "#6F8268"
        memoryFree: "#37352F"
    }

    readonly property Theme lightClearTheme: ClearTheme {
        base: root.lightTheme
    }
    readonly property Theme darkClearTheme: ClearTheme {
        base: root.darkTheme
    }

    // Spacing, in multiples of 4.
    readonly property int tiny: 4
    readonly property int small: 8
    readonly property int medium: 12
    readonly property int large: 16
    readonly property int wide: 24
    readonly property int vast: 32

    readonly property int hairline: 1
    readonly property int ring: 2 // focus ring
    readonly property int corner: 10
    readonly property int cornerSmall: 6
    readonly property int shadowRings: 4 // rings of a popup's shadow; each is wider than the one before

    // Fonts. Sizes follow the font scale of the settings; items that hold text grow with it.
    readonly property string family: firstInstalled(["Inter", "Segoe UI Variable Text", "Segoe UI", "SF Pro Text", "Noto Sans",
        "Cantarell", "Ubuntu"], systemFont.font.family)
    readonly property string fixedFamily: firstInstalled(["JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas",
        "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono"], "monospace")
    readonly property FontMetrics systemFont: FontMetrics {}
    readonly property real titleSize: 22 * fontScale
    readonly property real headingSize: 17 * fontScale
    readonly property real bodySize: 15 * fontScale
    readonly property real smallSize: 13 * fontScale
    // Code is 13.5 where text is 15, and smaller if the letters of its family are taller. It is rounded down, because
    // fonts have whole pixels and a fixed-width letter is wide: at 14, code looks larger than text.
    readonly property real codeSize: Math.round(Math.floor(codeShare * bodySize) * Math.min(1, xHeightShare(bodyMetrics) / xHeightShare(fixedMetrics)))
    readonly property real codeShare: 13.5 / 15
    readonly property real groundOpacity: 0.07 // the ground of code within text lies over a selection
    readonly property real itemIndent: 1.7 // as a multiple of the text's size
    readonly property int quoteBar: 3
    readonly property int mostLines: 24 // a longer prompt is folded
    readonly property int foldedLines: 12 // a folded prompt shows so many
    readonly property real smallestColumn: 8 * bodySize // for tables that are too wide
    // Line height as a multiple of the font size. Text takes it as a multiple of the font's own line height:
    // bodyLineFactor.
    readonly property real bodyLine: 1.5
    readonly property real headingLine: 1.35
    readonly property real bodyLineFactor: bodyLine * bodySize / bodyMetrics.height
    readonly property real lineSlack: Math.max(0, bodyLine * bodySize - bodyMetrics.height) // extra height below a line
    readonly property real codeLineFactor: 1.15
    readonly property real smallLine: 1.35
    readonly property int medWeight: Font.Medium
    readonly property int heavyWeight: Font.DemiBold

    // Sizes of items.
    readonly property int control: scaled(36) // height of a button or field
    readonly property int controlSmall: scaled(28)
    readonly property int icon: scaled(20)
    readonly property int iconSmall: scaled(16)
    readonly property int gaugeHeight: 8
    readonly property int gaugeWidth: 96
    readonly property int scrollBar: 10
    readonly property int scrollThumbMin: 32
    readonly property int wheelAngle: 120 // Qt's measure of one step of a wheel: eighths of a degree
    readonly property int wheelStep: Math.round((Application.styleHints.wheelScrollLines > 0 ? Application.styleHints.wheelScrollLines : wheelLines) * bodyLine * bodySize) // how far it scrolls
    readonly property int wheelLines: 3 // if the desktop has no number of lines for a step
    readonly property int dot: 8
    readonly property int chartHeight: scaled(120)
    readonly property real cellSize: 11 * fontScale // figures in the cells of the grid
    readonly property real cellZoom: 1.25 // how much larger cells become at a time
    readonly property int swatch: 12
    // Widths of the window below which the layout changes. A new window is wider than breakWide: its list of chats stays
    // when the pane of the model's activity opens.
    readonly property int breakNarrow: 640
    readonly property int breakMedium: 900
    readonly property int breakWide: 1100
    readonly property int sidebarMin: scaled(200)
    readonly property int sidebarDefault: scaled(264)
    readonly property int sidebarMax: scaled(480)
    readonly property int halfMin: scaled(360) // one of two chats side by side
    readonly property int paneMin: scaled(240) // the pane at the right
    readonly property int paneDefault: scaled(320)
    readonly property int paneMax: scaled(560)
    readonly property int windowMinWidth: 640
    readonly property int windowMinHeight: 440
    readonly property int windowWidth: 1180
    readonly property int windowHeight: 780
    readonly property int barHeight: scaled(52)
    readonly property int statusHeight: scaled(40)
    readonly property int noticeHeight: control + 2 * tiny // a notice whose words take one line
    readonly property int noticeShare: 4 // a view of the messages that is lower than so many notices keeps no room for one
    // A window that is lower than this with its texts has fewer lines around the conversation.
    readonly property int lowWindow: scaled(280)
    readonly property int leastLines: 3 // lines of the conversation that the composer leaves in view
    readonly property int composerMax: scaled(220)
    readonly property real composerShare: 1 / 3 // largest height of the field, as a share of the window's
    readonly property int menuWidth: scaled(280)
    readonly property int cardWidth: scaled(520)
    readonly property int pageWidth: scaled(640)
    readonly property int twoColumns: scaled(800) // width of a page with room for two columns
    readonly property int threeColumns: scaled(1300) // the same for three: each is wider than a new pane
    readonly property int answerHeight: scaled(320) // an answer's text above other parts, at most
    readonly property int answerLeast: scaled(160) // the same for a short text: a longer one may follow
    readonly property int tokensOnPage: 80 // tokens in the strip
    readonly property int tokensInPane: 40
    // Characters for which a changing text keeps room.
    readonly property int sentenceRoom: 90
    readonly property int measureRoom: 110 // the meaning of colours
    readonly property int valueRoom: 50
    readonly property int noteRoom: 55
    readonly property int captionRoom: 110
    readonly property int tokenWidth: scaled(36) // a usual token in the strip
    readonly property int tokenLine: smallRow + tiny + hairline
    readonly property int tableHeight: scaled(264)
    readonly property int columnWidth: scaled(64) // a number in a table
    readonly property int wordsMin: scaled(190) // words beside a control; with less room they stand above it
    readonly property int fieldWidth: scaled(120)
    readonly property int tipWidth: scaled(320)
    readonly property int chipMin: scaled(140)
    readonly property int chipMax: scaled(300)
    readonly property int mark: scaled(48)
    readonly property int codeMax: scaled(420)
    readonly property int measureCharacters: 72 // width of an answer
    readonly property real measure: bodyMetrics.averageCharacterWidth * measureCharacters
    readonly property real factShare: 0.36 // width of a fact's name, as a share of its line
    readonly property real bubbleShare: 0.8 // largest width of the bubble, as a share of the measure

    // Durations.
    readonly property int quick: reducedMotion ? 0 : 120
    readonly property int calm: reducedMotion ? 0 : 180
    readonly property int tipDelay: 500
    readonly property int panelDelay: 300
    readonly property int noticeMs: 1500 // how long "Copied" is shown
    readonly property int restMs: 250 // how long a view rests before its place is kept
    readonly property int flashMs: 1600 // how long a message that was searched for stands out
    readonly property int undoMs: 10000 // how long Undo is offered
    readonly property real almostFull: 0.9 // share of the context above which it counts as almost full
    readonly property real disabledOpacity: 0.5
    readonly property real iconStroke: 1.75
    readonly property int iconGrid: 24
    readonly property int zoomStepPercent: 10
    readonly property int menuModels: 5 // most models in the model chip's menu

    readonly property FontMetrics bodyMetrics: FontMetrics {
        font.family: root.family
        font.pixelSize: root.bodySize
    }
    readonly property FontMetrics smallMetrics: FontMetrics {
        font.family: root.family
        font.pixelSize: root.smallSize
    }
    // Width of a letter in small text, and height of its lines as a Text has them.
    readonly property string smallSample: "Each expert was in memory when a token needed it"
    readonly property real smallLetter: smallMetrics.height > 0 ? smallMetrics.advanceWidth(smallSample) / smallSample.length : 0 // the height tells of a new font
    readonly property int smallRow: Math.ceil(smallMetrics.ascent) + Math.ceil(smallMetrics.descent) + Math.ceil(smallMetrics.leading)
    readonly property FontMetrics fixedMetrics: FontMetrics {
        font.family: root.fixedFamily
        font.pixelSize: root.bodySize
    }

    // Height of a small letter as a share of the font's size. Both metrics have the same size.
    function xHeightShare(metrics: FontMetrics): real {
        return metrics.xHeight > 0 ? metrics.xHeight / bodySize : 1;
    }

    // Rounds to multiples of 4 px, so that scaled controls still line up.
    function scaled(px: real): int {
        return Math.round(px * Math.max(1, root.fontScale) / 4) * 4;
    }

    function firstInstalled(families: list<string>, otherwise: string): string {
        const installed = Qt.fontFamilies();
        for (const name of families) {
            if (installed.includes(name))
                return name;
        }
        return otherwise;
    }

    // WCAG 2 relative luminance and contrast.
    function luminance(c: color): real {
        const linear = v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
        return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
    }
    function contrast(a: color, b: color): real {
        const la = luminance(a), lb = luminance(b);
        return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
    }
}
