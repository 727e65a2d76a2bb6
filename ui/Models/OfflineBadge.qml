// SPDX-License-Identifier: Apache-2.0
// "Offline", and an explanation how anyone can check that it is true.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

PushButton {
    id: root

    readonly property string command: {
        switch (Qt.platform.os) {
        case "windows":
            return "netstat -b";
        case "osx":
            return "lsof -i -a -c coterie";
        }
        return "ss -tunap | grep coterie";
    }

    Accessible.description: qsTr("Show how to check this")
    horizontalPadding: Style.small
    iconName: "shield"
    kind: "quiet"
    text: qsTr("Offline")

    onClicked: explanation.open()

    Sheet {
        id: explanation

        title: qsTr("Nothing leaves this computer")

        BodyText {
            Accessible.role: Accessible.Paragraph
            lineHeight: Style.bodyLineFactor
            text: qsTr("Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.")
            Layout.fillWidth: true
            wrapMode: Text.Wrap
        }
        BodyText {
            Accessible.role: Accessible.Paragraph
            lineHeight: Style.bodyLineFactor
            text: qsTr("To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:")
            Layout.fillWidth: true
            wrapMode: Text.Wrap
        }
        InputField {
            font.family: Style.fixedFamily
            font.pixelSize: Style.codeSize
            label: qsTr("Command that lists network connections")
            readOnly: true
            text: root.command
            Layout.fillWidth: true
        }
    }
}
