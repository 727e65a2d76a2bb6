// SPDX-License-Identifier: Apache-2.0
// A list with a heading over each section, whose rows can be dragged onto each other with a mouse. It is a file of its
// own because Qt 6.4 can't make bound components for sections.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style

ListView {
    id: root

    property bool held: false // a mouse holds a row: the list itself does not follow it
    property ChatRow dragged: null
    property int dropRow: -1 // the row under the one that is dragged

    signal droppedOn(int from, int to)

    // at: in the scene.
    function drag(row: ChatRow, at: point): void {
        const place = mapFromItem(null, at.x, at.y);
        const under = indexAt(width / 2, place.y + contentY);
        dragged = row;
        dropRow = under === row.index ? -1 : under;
        ghost.x = place.x + Style.small;
        ghost.y = place.y + Style.small;
        if (place.y < Style.wide && contentY > originY)
            contentY = Math.max(originY, contentY - Style.tiny);
        else if (place.y > height - Style.wide && contentY < originY + contentHeight - height)
            contentY += Style.tiny;
    }
    function drop(): void {
        const from = dragged ? dragged.index : -1;
        const to = dropRow;
        dragged = null;
        dropRow = -1;
        if (from >= 0)
            droppedOn(from, to);
    }

    boundsBehavior: Flickable.StopAtBounds
    clip: true
    highlightMoveDuration: 0
    interactive: !held
    section.property: "section"

    ScrollBar.vertical: ThinScrollBar {}
    section.delegate: ChatSection {}

    WheelArea {
        view: root
    }
    // The title of what is dragged, beside the pointer.
    Rectangle {
        id: ghost

        Accessible.ignored: true
        border.color: Style.theme.line
        border.width: Style.hairline
        color: Style.theme.surface
        height: Style.controlSmall
        parent: root // not its content, which scrolls
        radius: Style.cornerSmall
        visible: root.dragged !== null
        width: Math.min(name.implicitWidth, root.width / 2) + 2 * Style.small
        z: 1

        SmallText {
            id: name

            Accessible.ignored: true
            anchors.fill: parent
            anchors.leftMargin: Style.small
            anchors.rightMargin: Style.small
            elide: Text.ElideRight
            text: root.dragged ? root.dragged.title : ""
        }
    }
}
