// SPDX-License-Identifier: Apache-2.0
// A menu with what can be done with the address of a link in a message: it is shown and can be copied. Nothing opens it.
// The menu opens when this item is made.
import QtQuick
import Coterie.Style

Item {
    id: root

    required property string address

    signal copyWanted
    signal done

    Component.onCompleted: menu.openBeside(root)

    PopupMenu {
        id: menu

        label: qsTr("Link")

        onClosed: root.done()

        PopupMenuItem {
            detail: root.address
            iconName: "copy"
            text: qsTr("Copy address")
            onTriggered: root.copyWanted()
        }
    }
}
