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

    Accessible.description: qsTr("Explains how to check it")
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
            text: qsTr("Coterie opens no network connection: no account, no updates, no statistics. Models and chats are files on your disk.")
            Layout.fillWidth: true
            wrapMode: Text.Wrap
        }
        BodyText {
            Accessible.role: Accessible.Paragraph
            lineHeight: Style.bodyLineFactor
            text: qsTr("Check it yourself: pull the plug, and everything still works. Or, while it answers, have the system list its connections; there are none:")
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
