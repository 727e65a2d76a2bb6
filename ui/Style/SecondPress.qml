// SPDX-License-Identifier: Apache-2.0
// Takes the second press of a double click if the first one brings something else under the pointer: nobody has read that.
// Its parent is the content of the window. A button whose click may do this has its press noted, and then this begins.
import QtQuick

MouseArea {
    id: root

    property Item spared: null // while it is visible, a press on it is let through
    property point place // the first press was here

    function note(button: PushButton): void {
        place = button.mapToItem(root, button.pressX, button.pressY);
    }
    function begin(): void {
        time.restart();
    }

    anchors.fill: parent
    visible: time.running
    z: 1
    onPressed: mouse => {
        const again = Math.hypot(mouse.x - place.x, mouse.y - place.y) < Application.styleHints.startDragDistance;
        mouse.accepted = again && !(spared?.visible && spared.contains(mapToItem(spared, mouse.x, mouse.y)));
    }

    Timer {
        id: time

        interval: Application.styleHints.mouseDoubleClickInterval
    }
}
