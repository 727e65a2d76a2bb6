// SPDX-License-Identifier: Apache-2.0
// The one tip of the window. It stands where it covers least of what is around its control, and leaves with it: a control
// that is scrolled out of view has no tip. One that came under the pointer while it rested has none before the pointer
// moves: nobody pointed at it. Plain text.
pragma Singleton
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App

QtObject {
    id: root

    property QtObject owner: null // the HoverTip that is shown, or will be after the delay
    property Flickable scroller: null // scrolls the control of the tip
    property bool waiting: false // for the pointer to move
    property bool covered: false // a dialog for files lies over the window: no tip of what is below it is shown

    readonly property ToolTip tip: ToolTip {
        id: tip

        function choosePlace(): void {
            const place = TipPlace.beside(parent, Qt.size(width, height), Style.tiny, Style.small);
            x = Math.round(place.x);
            y = Math.round(place.y);
        }

        // The tip gives its content this width. Large texts would make it wider than a small window.
        contentWidth: Math.min(whole.needed, Style.tipWidth, (parent?.Window.width ?? Infinity) - 2 * margins - 2 * padding)
        delay: Style.tipDelay
        margins: Style.small
        padding: Style.small

        background: PopupGround {
            radius: Style.cornerSmall
        }
        contentItem: SmallText {
            id: words

            Accessible.ignored: true // the tip has it as its name
            color: Style.theme.text
            text: tip.text
            wrapMode: Text.Wrap

            LineWidth {
                id: whole

                line: words
            }
        }

        onAboutToShow: choosePlace()
        onHeightChanged: {
            if (visible) // its words have changed
                choosePlace();
        }
        onWidthChanged: {
            if (visible)
                choosePlace();
        }
    }
    readonly property Connections pointer: Connections {
        function onPointerMoved() {
            root.waiting = false;
            root.tip.open();
        }

        enabled: root.waiting
        target: TipPlace
    }
    readonly property Connections scrolling: Connections {
        function onContentYChanged() {
            if (root.owner && !TipPlace.inView(root.tip.parent))
                root.end();
        }

        target: root.scroller
    }

    function scrollerOf(item: Item): Flickable {
        for (let up = item.parent; up; up = up.parent) {
            if (up instanceof Flickable)
                return up as Flickable;
        }
        return null;
    }

    function show(wanted: QtObject, target: Item, words: string): void {
        if (covered)
            return;
        tip.text = words;
        if (owner === wanted)
            return;
        tip.close();
        owner = wanted;
        tip.parent = target;
        scroller = scrollerOf(target);
        waiting = TipPlace.cameUnderPointer(target);
        if (!waiting)
            tip.open();
    }
    function hide(unwanted: QtObject): void {
        if (owner === unwanted)
            end();
    }
    // Something that it must not cover has come or moved.
    function makeRoom(): void {
        if (tip.visible)
            tip.choosePlace();
    }
    // It makes room for a menu, which says more, or for a dialog.
    function end(): void {
        waiting = false;
        tip.close();
        owner = null;
    }

    onCoveredChanged: {
        if (covered)
            end();
    }
}
