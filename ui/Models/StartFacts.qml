// SPDX-License-Identifier: Apache-2.0
// Explains what a model is and what happens to the user's words, for users who see the window for the first time.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

ColumnLayout {
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

    component Fact: RowLayout {
        id: fact

        required property string iconName
        required property string text

        Layout.fillWidth: true
        spacing: Style.medium

        Icon {
            Layout.alignment: Qt.AlignTop
            color: Style.theme.water
            name: fact.iconName
        }
        SmallText {
            Layout.fillWidth: true
            lineHeight: Style.smallLine
            text: fact.text
            wrapMode: Text.Wrap
        }
    }
}
