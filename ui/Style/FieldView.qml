// SPDX-License-Identifier: Apache-2.0
// Scrolls a text of several lines, a TextArea, which has to be its only item. At an end of the text the wheel is for what is
// around the view.
//
// This is no ScrollView of the Basic style: that comes with scroll bars of its own. Qt hides them when others take their
// place, but not if the text is added later, as it is to a component: the bar then stays and lies below ours.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T

T.ScrollView {
    id: root

    readonly property Flickable view: contentItem as Flickable
    readonly property WheelArea wheel: WheelArea {
        above: true
        view: root.view
    }

    Accessible.ignored: true // the text in it has the name
    implicitHeight: contentHeight + topPadding + bottomPadding
    implicitWidth: contentWidth + leftPadding + rightPadding
    wheelEnabled: false

    ScrollBar.vertical: ThinScrollBar {
        anchors.bottom: root.bottom
        anchors.right: root.right
        anchors.top: root.top
        parent: root
    }
}
