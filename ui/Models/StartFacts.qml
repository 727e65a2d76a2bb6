// SPDX-License-Identifier: Apache-2.0
// Explains what a model is and what happens to the user's words, for users who see the window for the first time.
import QtQuick
import Coterie.Style

Column {
    id: root

    spacing: Style.large

    Fact {
        iconName: "cube"
        text: qsTr("A model is a .gguf file that others trained and shared. Coterie reads it where it is, without copying it, and it can be larger than memory.")
    }
    Fact {
        iconName: "shield"
        text: qsTr("What you write stays on this computer. Coterie never opens a network connection and keeps your chats in one file on your disk.")
    }

    component Fact: Item {
        id: fact

        required property string iconName
        required property string text

        implicitHeight: Math.max(icon.height, words.implicitHeight)
        width: parent?.width ?? 0

        Icon {
            id: icon

            color: Style.theme.water
            name: fact.iconName
        }
        SmallText {
            id: words

            anchors.left: icon.right
            anchors.leftMargin: Style.medium
            anchors.right: parent.right
            lineHeight: Style.smallLine
            text: fact.text
            wrapMode: Text.Wrap
        }
    }
}
