// SPDX-License-Identifier: Apache-2.0
// A button with the name of a preset, which opens the list of all.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

PushButton {
    id: root

    required property Presets presets
    required property string preset // its id; empty: none
    property bool canBeNone: false
    readonly property string none: qsTr("No preset")

    signal chosen(string id)

    Accessible.name: qsTr("Preset: %1").arg(text)
    Accessible.role: Accessible.ButtonMenu
    iconName: "chevronDown"
    text: presets.count >= 0 && presets.name(preset) || none // the count is read, so that a new name is seen

    onClicked: menu.openBeside(root)

    PopupMenu {
        id: menu

        label: qsTr("Presets")

        PopupMenuItem {
            iconName: root.preset ? "" : "check"
            ofChoice: true
            text: root.none
            visible: root.canBeNone
            onTriggered: root.chosen("")
        }
        Instantiator {
            model: root.presets

            delegate: PopupMenuItem {
                required property string presetId
                required property string name

                iconName: presetId === root.preset ? "check" : ""
                ofChoice: true
                text: name
                onTriggered: root.chosen(presetId)
            }

            onObjectAdded: (index, object) => menu.insertItem(index + 1, object as PopupMenuItem)
            onObjectRemoved: (index, object) => menu.removeItem(object as PopupMenuItem)
        }
    }
}
