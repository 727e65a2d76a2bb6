// SPDX-License-Identifier: Apache-2.0
// A button with a text, which wraps if necessary. `primary` is the main action of a page, `plain` has a border, `quiet`
// has none.
import QtQuick
import QtQuick.Controls.Basic

Button {
    id: root

    property string kind: "plain"
    property string iconName: ""
    readonly property bool primary: kind === "primary"
    readonly property color ink: primary ? Style.theme.inkOnEmber : Style.theme.text

    Accessible.name: text
    focusPolicy: Qt.StrongFocus
    horizontalPadding: Style.large
    implicitHeight: Math.max(Style.control, contentItem.implicitHeight + topPadding + bottomPadding)
    opacity: enabled ? 1 : Style.disabledOpacity
    spacing: Style.small
    verticalPadding: Style.tiny

    background: Rectangle {
        border.color: Style.theme.mark
        border.width: root.kind === "plain" ? Style.hairline : 0
        color: {
            if (root.primary)
                return root.hovered || root.down ? Style.theme.emberStrong : Style.theme.ember;
            if (root.down)
                return Style.theme.pressed;
            if (root.hovered)
                return Style.theme.hover;
            return root.kind === "plain" ? Style.theme.surface : "transparent";
        }
        radius: Style.corner

        FocusRing {
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        readonly property real before: symbol.visible ? symbol.width + root.spacing : 0

        implicitHeight: words.implicitHeight
        implicitWidth: before + words.implicitWidth

        Icon {
            id: symbol

            anchors.verticalCenter: parent.verticalCenter
            color: root.ink
            name: root.iconName || "plus"
            size: Style.iconSmall
            visible: root.iconName
            x: words.x + (words.width - words.contentWidth) / 2 - parent.before
        }
        BodyText {
            id: words

            Accessible.ignored: true
            anchors.verticalCenter: parent.verticalCenter
            color: root.ink
            font.weight: root.primary ? Style.medWeight : Font.Normal
            horizontalAlignment: Text.AlignHCenter
            text: root.text
            width: parent.width - parent.before
            wrapMode: Text.Wrap
            x: parent.before
        }
    }

    Keys.onEnterPressed: clicked()
    Keys.onReturnPressed: clicked()
}
