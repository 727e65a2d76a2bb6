// SPDX-License-Identifier: Apache-2.0
// Moves a view by the wheel: each step of the wheel by the same distance, and a touchpad by the pixels that it reports.
// The view's own scrolling adds speed to the speed that it has, so that three quick steps would pass a long chat. At an
// end of the view the wheel is left to what is around the view. This is no WheelHandler: in Qt 6.4 that takes all events
// or none.
import QtQuick

MouseArea {
    id: root

    required property Flickable view
    property bool above: false // a field has to be the only item of its view
    property bool moving: false // the view moves by the wheel now
    property real rest: 0 // the part of a pixel that was wheeled and not moved yet

    signal moved(real up) // the view has its new place, and what is bound to that, too

    // Returns false if the view is at that end already. up: pixels.
    function move(up: real): bool {
        const least = view.originY - view.topMargin;
        const most = Math.max(least, view.originY + view.contentHeight + view.bottomMargin - view.height);
        const room = up > 0 ? view.contentY - least : most - view.contentY;
        if (up === 0 || room < 1)
            return false;
        const whole = Math.round(rest + up); // lists have their rows at whole pixels
        rest += up - whole;
        moving = true;
        view.contentY = Math.max(least, Math.min(most, view.contentY - whole));
        moving = false;
        moved(up);
        return true;
    }

    acceptedButtons: Qt.NoButton
    enabled: view?.interactive ?? false
    height: view?.height ?? 0
    parent: (above ? view?.parent : view?.contentItem) ?? null
    width: view?.width ?? 0
    x: (above ? view?.x : view?.contentX) ?? 0
    y: (above ? view?.y : view?.contentY) ?? 0
    z: above ? 1 : -1 // below the content, which may have a use of its own for the wheel

    onWheel: wheel => {
        // A mouse has no phases. X11 gives it pixels, too, which are not those of the screen.
        const inPixels = wheel.phase !== Qt.NoScrollPhase && wheel.pixelDelta.y !== 0;
        wheel.accepted = move(inPixels ? wheel.pixelDelta.y : wheel.angleDelta.y / Style.wheelAngle * Style.wheelStep);
    }
}
