// SPDX-License-Identifier: Apache-2.0
// A button that shows an icon; its text is its name for screen readers and its tip.
import QtQuick
import QtQuick.Controls.Basic

Button {
    id: root

    required property string iconName
    property bool filled: false
    property bool compact: false
    property color ink: filled ? Style.theme.inkOnEmber : checked ? Style.theme.ember : Style.theme.quiet

    // Does the same as the space key.
    function activate(): void {
        if (checkable) {
            toggle();
            toggled();
        }
        clicked();
    }

    Accessible.name: text
    focusPolicy: Qt.StrongFocus
    implicitHeight: compact ? Style.controlSmall : Style.control
    implicitWidth: implicitHeight
    opacity: enabled ? 1 : Style.disabledOpacity
    padding: 0

    background: Rectangle {
        color: {
            if (root.filled)
                return root.hovered || root.down ? Style.theme.emberStrong : Style.theme.ember;
            if (root.down)
                return Style.theme.pressed;
            if (root.checked)
                return Style.theme.selection;
            return root.hovered ? Style.theme.hover : "transparent";
        }
        radius: root.filled ? Style.corner : Style.cornerSmall

        FocusRing {
            gap: 0
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            color: root.hovered && !root.filled && !root.checked ? Style.theme.text : root.ink
            name: root.iconName
            size: root.compact ? Style.iconSmall : Style.icon
        }
    }

    Keys.onEnterPressed: activate()
    Keys.onReturnPressed: activate()

    HoverTip {
        text: root.text
        visible: root.hovered || root.visualFocus
    }
}
