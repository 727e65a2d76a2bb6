// SPDX-License-Identifier: Apache-2.0
// A menu in our look.
import QtQuick
import QtQuick.Controls.Basic

Menu {
    id: root

    required property string label // its name for screen readers

    // A popup of Qt 6.4 has no name for screen readers, but the item behind it may have one.
    function tellName(): void {
        contentItem.parent.Accessible.name = label;
    }

    implicitWidth: Style.menuWidth
    margins: Style.small
    padding: Style.tiny
    delegate: PopupMenuItem {}

    background: PopupGround {}
    contentItem: ListView {
        clip: true
        currentIndex: root.currentIndex
        implicitHeight: contentHeight
        interactive: contentHeight > height
        model: root.contentModel

        ScrollBar.vertical: ThinScrollBar {}
    }
    Component.onCompleted: tellName()
    onAboutToShow: SharedTip.end()
    onLabelChanged: tellName()

    enter: Transition {
        NumberAnimation {
            duration: Style.quick
            from: 0
            property: "opacity"
            to: 1
        }
    }
}
