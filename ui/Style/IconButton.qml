// SPDX-License-Identifier: Apache-2.0
// A button that shows an icon; its text is its name for screen readers and its tip.
import QtQuick
import QtQuick.Controls.Basic

Button {
    id: root

    required property string iconName
    property bool filled: false
    property bool compact: false
    property string about: "" // the description for screen readers
    // A person came here by Tab. A focus that the program moved has no tip: nobody asked for it.
    readonly property bool tabbed: visualFocus && (focusReason === Qt.TabFocusReason || focusReason === Qt.BacktabFocusReason)
    property color ink: filled ? Style.theme.inkOnEmber : checked ? Style.theme.ember : Style.theme.quiet

    // Does the same as the space key. Enter does it too, and a screen reader, whose press Qt 6.4 does not pass on.
    function activate(): void {
        if (!enabled)
            return;
        if (checkable) {
            toggle();
            toggled();
        }
        clicked();
    }

    // Qt 6.4 does not tell screen readers that a control is disabled.
    Accessible.description: enabled ? about : qsTr("Not available now")
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

    Accessible.onPressAction: activate()
    Accessible.onToggleAction: activate()
    Keys.onEnterPressed: activate()
    Keys.onReturnPressed: activate()

    HoverTip {
        shown: (root.hovered || root.tabbed) && root.visible
        target: root
        text: root.text
    }
}
