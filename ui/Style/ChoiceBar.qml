// SPDX-License-Identifier: Apache-2.0
// A choice between a few options, side by side. The left and right keys change it; Enter chooses, as Space does.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic

Control {
    id: root

    required property var options // [{value, text}]
    required property string value
    required property string label
    property int optionPadding: Style.large // room beside the text of an option
    property bool equal: false // all options are as wide as the widest, if they have room for that
    // The widths that the options need.
    readonly property var widths: Array.from({
        length: repeater.count
    }, (unused, index) => Math.ceil(repeater.itemAt(index)?.implicitWidth ?? 0))
    readonly property real widest: Math.max(0, ...widths)
    readonly property real sum: widths.reduce((sum, width) => sum + width, 0)

    // Returns the width of an option that needs this much. What is missing or left over is shared out.
    function widthOf(needed: real): real {
        if (!equal)
            return needed;
        if (widest * repeater.count <= availableWidth)
            return Math.floor(availableWidth / repeater.count);
        return Math.floor(needed + (availableWidth - sum) / repeater.count);
    }

    signal chosen(string value)

    Accessible.ignored: true // Qt 6.4 gives a bare Control no role, so the role is set below
    implicitHeight: Style.control
    implicitWidth: leftPadding + rightPadding + (equal ? widest * repeater.count : contentItem.implicitWidth)
    padding: Style.ring

    background: Rectangle {
        color: Style.theme.fill
        radius: Style.corner
    }
    contentItem: Row {
        Accessible.name: root.label
        Accessible.role: Accessible.Grouping

        Repeater {
            id: repeater

            model: root.options

            RadioButton {
                id: choice

                required property int index
                required property var modelData

                function choose(): void {
                    if (enabled)
                        root.chosen(modelData.value);
                }
                function step(by: int): void {
                    const next = (index + by + repeater.count) % repeater.count;
                    repeater.itemAt(next).forceActiveFocus(Qt.TabFocusReason);
                    root.chosen(root.options[next].value);
                }

                Accessible.description: enabled ? "" : qsTr("Not available now")
                Accessible.name: text
                Accessible.role: Accessible.RadioButton
                checked: modelData.value === root.value
                focusPolicy: Qt.StrongFocus
                height: root.availableHeight
                horizontalPadding: root.optionPadding
                text: modelData.text
                width: root.widthOf(implicitWidth)

                background: Rectangle {
                    border.color: Style.theme.mark
                    border.width: choice.checked ? Style.hairline : 0
                    color: choice.checked ? Style.theme.surface : choice.hovered ? Style.theme.hover : "transparent"
                    radius: Style.cornerSmall

                    FocusRing {
                        gap: 0
                        shown: choice.visualFocus
                    }
                }
                contentItem: BodyText {
                    Accessible.ignored: true
                    elide: root.equal ? Text.ElideRight : Text.ElideNone
                    horizontalAlignment: Text.AlignHCenter
                    text: choice.text
                }
                indicator: null

                Accessible.onPressAction: choose()
                Accessible.onToggleAction: choose()
                Keys.onEnterPressed: choose()
                Keys.onLeftPressed: step(-1)
                Keys.onReturnPressed: choose()
                Keys.onRightPressed: step(1)
                onClicked: choose()
            }
        }
    }
}
