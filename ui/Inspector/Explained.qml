// SPDX-License-Identifier: Apache-2.0
// A part that the first look can frame.
import QtQuick
import Coterie.Style

Item {
    property alias shown: frame.shown
    default property alias content: place.data

    implicitHeight: place.childrenRect.height

    Item {
        id: place

        anchors.left: parent.left
        anchors.right: parent.right
        height: childrenRect.height
    }
    FocusRing {
        id: frame

        gap: Style.tiny
    }
}
