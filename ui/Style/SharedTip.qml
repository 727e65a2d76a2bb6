// SPDX-License-Identifier: Apache-2.0
// The one tip of the window. It stands above its control if there is room, else below, so that it does not cover what the
// pointer comes to next. Plain text.
pragma Singleton
import QtQuick
import QtQuick.Controls.Basic

QtObject {
    id: root

    property QtObject owner: null // the HoverTip that is shown, or will be after the delay

    readonly property ToolTip tip: ToolTip {
        id: tip

        readonly property real above: -height - Style.tiny
        readonly property bool roomAbove: parent ? parent.mapToItem(null, 0, 0).y + above >= 0 : true

        contentWidth: Math.min(whole.needed, Style.tipWidth) // the tip gives its content this width
        delay: Style.tipDelay
        margins: Style.small
        padding: Style.small
        x: parent ? Math.round((parent.width - width) / 2) : 0
        y: roomAbove ? above : (parent?.height ?? 0) + Style.tiny

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
    }

    function show(wanted: QtObject, target: Item, words: string): void {
        tip.text = words;
        if (owner === wanted)
            return;
        tip.close();
        owner = wanted;
        tip.parent = target;
        tip.open();
    }
    function hide(unwanted: QtObject): void {
        if (owner === unwanted)
            end();
    }
    // It makes room for a menu, which says more.
    function end(): void {
        tip.close();
        owner = null;
    }
}
