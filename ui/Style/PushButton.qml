// SPDX-License-Identifier: Apache-2.0
// A button with a text, which wraps if necessary. `primary` is the main action of a page, `plain` is filled in grey,
// `quiet` only while the pointer is over it; a `card` is large and has a frame.
import QtQuick
import QtQuick.Controls.Basic

Button {
    id: root

    property string kind: "plain"
    property string iconName: ""
    readonly property bool primary: kind === "primary"
    readonly property bool card: kind === "card"
    readonly property color ink: primary ? Style.theme.inkOnEmber : Style.theme.text

    // For a button that its own click disables or hides: the focus would be lost with it, and Tab would begin at the top.
    // The control before it is what the click was about.
    function passFocusBack(): void {
        if (activeFocus)
            nextItemInFocusChain(false).forceActiveFocus(Qt.OtherFocusReason);
    }

    // Qt 6.4 does not tell screen readers that a control is disabled.
    Accessible.description: enabled ? "" : qsTr("Not available now")
    Accessible.name: text
    focusPolicy: Qt.StrongFocus
    horizontalPadding: Style.large
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    opacity: enabled ? 1 : Style.disabledOpacity
    spacing: card ? Style.medium : Style.small
    verticalPadding: card ? Style.large : Style.tiny

    background: Rectangle {
        border.color: root.card && !root.hovered && !Style.highContrast ? Style.theme.line : Style.theme.mark
        border.width: root.card || (Style.highContrast && root.kind === "plain") ? Style.hairline : 0
        color: {
            if (root.primary)
                return root.hovered || root.down ? Style.theme.emberStrong : Style.theme.ember;
            if (root.kind === "plain")
                return root.hovered || root.down ? Style.theme.fillStrong : Style.theme.fill;
            if (root.down)
                return Style.theme.pressed;
            if (root.card)
                return Style.theme.surface;
            return root.hovered ? Style.theme.hover : "transparent";
        }
        radius: Style.corner

        FocusRing {
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        readonly property real before: root.iconName ? symbol.width + root.spacing : 0

        implicitHeight: words.implicitHeight
        implicitWidth: before + whole.needed

        Icon {
            id: symbol

            anchors.verticalCenter: parent.verticalCenter
            color: root.card ? Style.theme.ember : root.ink
            name: root.iconName || "plus"
            size: Style.iconSmall
            visible: root.iconName
            // The implicit width, because the width of the content is known only after the text's next layout.
            x: root.card ? 0 : words.x + Math.max(0, words.width - whole.needed) / 2 - parent.before
        }
        LineWidth {
            id: whole

            line: words
        }
        BodyText {
            id: words

            Accessible.ignored: true
            anchors.verticalCenter: parent.verticalCenter
            color: root.ink
            font.weight: root.primary ? Style.medWeight : Font.Normal
            horizontalAlignment: root.card ? Text.AlignLeft : Text.AlignHCenter
            text: root.text
            width: parent.width - parent.before
            wrapMode: Text.Wrap
            x: parent.before
        }
    }

    // Qt 6.4 does not pass the press of a screen reader on.
    Accessible.onPressAction: {
        if (enabled)
            clicked();
    }
    Keys.onEnterPressed: clicked()
    Keys.onReturnPressed: clicked()
}
