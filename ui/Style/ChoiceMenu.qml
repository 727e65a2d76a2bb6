// SPDX-License-Identifier: Apache-2.0
// A choice between several options, where a bar of them has no room: a button with the chosen one, which opens a menu.
pragma ComponentBehavior: Bound
import QtQuick

PushButton {
    id: root

    required property var options // [{value, text}]
    required property int value
    required property string label
    readonly property string chosenText: {
        const option = Array.from(options).find(one => one.value === value);
        return option ? option.text : "";
    }

    signal chosen(int value)

    Accessible.name: qsTr("%1: %2").arg(label).arg(chosenText)
    Accessible.role: Accessible.ButtonMenu
    iconName: "chevronDown"
    text: chosenText

    onClicked: {
        menu.openBeside(root);
        menu.currentIndex = Array.from(options).findIndex(one => one.value === value); // the keys go on from there
    }

    PopupMenu {
        id: menu

        label: root.label

        Instantiator {
            model: root.options

            delegate: PopupMenuItem {
                required property var modelData

                iconName: modelData.value === root.value ? "check" : ""
                ofChoice: true
                text: modelData.text
                onTriggered: root.chosen(modelData.value)
            }

            onObjectAdded: (index, object) => menu.insertItem(index, object as PopupMenuItem)
            onObjectRemoved: (index, object) => menu.removeItem(object as PopupMenuItem)
        }
    }
}
