// SPDX-License-Identifier: Apache-2.0
// A menu in our look. It leaves in view what it was opened from, so that a second click does not meet one of its lines.
import QtQuick
import QtQuick.Controls.Basic

Menu {
    id: root

    required property string label // its name for screen readers
    property rect kept // stays in view; in coordinates of the parent
    property var rest: null // the pointer was seen here first
    property bool pointed: false // the pointer has moved from there: until then the keys alone choose a line

    // A popup of Qt 6.4 has no name for screen readers, but the item behind it may have one.
    function tellName(): void {
        contentItem.parent.Accessible.name = label;
    }
    // Opens for a button or the like.
    function openBeside(item: Item): void {
        openAround(item, Qt.rect(0, 0, item.width, item.height));
    }
    // Opens for a part of the item, or for a place in it without a size: the pointer's.
    function openAround(item: Item, part: rect): void {
        parent = item;
        kept = part;
        currentIndex = -1;
        rest = null;
        pointed = false;
        choosePlace();
        open();
    }
    // Goes below what stays in view, or above it if only that side has room. If neither has, it goes to one end of it, and
    // covers it only where the window is too narrow for that. Qt 6.4 would push the menu over it.
    function choosePlace(): void {
        const all = parent?.Window.contentItem ?? null;
        if (!all)
            return;
        const room = parent.mapFromItem(all, margins, margins, all.width - 2 * margins, all.height - 2 * margins);
        const below = kept.y + kept.height + Style.tiny, above = kept.y - Style.tiny - implicitHeight;
        const right = kept.x + kept.width + Style.tiny, left = kept.x - Style.tiny - implicitWidth;
        const tooHigh = below + implicitHeight > room.y + room.height && above < room.y;
        const toLeft = right + implicitWidth > room.x + room.width && left >= room.x;
        x = tooHigh ? (toLeft ? left : right) : kept.x;
        y = tooHigh ? kept.y : below + implicitHeight > room.y + room.height ? above : below;
    }

    // Home and End, and Up in a menu of which no line is chosen yet: Qt 6.4 has no use for them.
    function chooseByKey(key: int): bool {
        const toLast = key === Qt.Key_End || (key === Qt.Key_Up && currentIndex < 0);
        if (!toLast && key !== Qt.Key_Home)
            return false;
        const step = toLast ? -1 : 1;
        let line = toLast ? count - 1 : 0;
        while (itemAt(line) && !itemAt(line).activeFocusOnTab)
            line += step;
        currentIndex = line;
        return true;
    }
    function followPointer(at: point): void {
        if (rest === null)
            rest = at;
        pointed = at.x !== rest.x || at.y !== rest.y;
    }

    implicitWidth: Style.menuWidth
    margins: Style.small
    padding: Style.tiny
    delegate: PopupMenuItem {}

    background: PopupGround {}
    contentItem: ListView {
        id: lines

        clip: true
        currentIndex: root.currentIndex
        focus: true
        implicitHeight: contentHeight
        interactive: contentHeight > height
        model: root.contentModel

        ScrollBar.vertical: ThinScrollBar {}
        Keys.onPressed: event => event.accepted = root.chooseByKey(event.key)

        HoverHandler {
            enabled: !root.pointed
            onPointChanged: root.followPointer(point.scenePosition)
        }
        WheelArea {
            view: lines
        }
    }
    Component.onCompleted: tellName()
    onAboutToShow: SharedTip.end()
    onImplicitHeightChanged: {
        if (visible) // its lines are laid out later
            choosePlace();
    }
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
