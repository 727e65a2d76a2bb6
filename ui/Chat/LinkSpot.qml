// SPDX-License-Identifier: Apache-2.0
// A link of a message for keys and screen readers. The pointer reaches the text itself. Nothing opens the address; it
// can only be copied.
import QtQuick
import Coterie.Style

Item {
    id: root

    // Roles of TextLinks.
    required property string address
    required property string words
    required property rect place

    signal chosen(string address, rect place)

    Accessible.description: address
    Accessible.focusable: true
    Accessible.name: words
    Accessible.role: Accessible.Link
    activeFocusOnTab: true
    height: place.height
    width: place.width
    x: place.x
    y: place.y

    Accessible.onPressAction: chosen(address, place)
    Keys.onEnterPressed: chosen(address, place)
    Keys.onReturnPressed: chosen(address, place)
    Keys.onSpacePressed: chosen(address, place)

    FocusRing {
        gap: 0
        shown: root.activeFocus
    }
    HoverTip {
        target: root
        text: root.address
        shown: root.activeFocus
    }
}
