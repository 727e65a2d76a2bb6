// SPDX-License-Identifier: Apache-2.0
// The program's name, version and licence, and how anyone can check that it opens no network connection.
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app

    readonly property string command: {
        switch (Qt.platform.os) {
        case "windows":
            return "netstat -b";
        case "osx":
            return "lsof -i -a -c coterie";
        }
        return "ss -tunap | grep coterie";
    }

    title: qsTr("About Coterie")

    BodyText {
        text: qsTr("Coterie %1").arg(root.app.version)
        width: parent.width
    }
    BodyText {
        color: Style.theme.quiet
        text: root.app.origin
        width: parent.width
        wrapMode: Text.Wrap
    }
    BodyText {
        Accessible.role: Accessible.Paragraph
        lineHeight: Style.bodyLineFactor
        text: qsTr("Private chat with models on this computer. Coterie is free software under the Apache License 2.0. It is built on Qt (LGPL), SQLite and SQLiteCpp, md4c by Martin Mitas, PDFium in Qt PDF, liburing, and header libraries by N. Lohmann (JSON) and the authors of CLI11.")
        width: parent.width
        wrapMode: Text.Wrap
    }
    PushButton {
        text: qsTr("Licences")
        onClicked: root.app.commands.run("page.licences")
    }
    HairLine {
        width: parent.width
    }
    GroupHeading {
        text: qsTr("Nothing leaves this computer")
        width: parent.width
    }
    BodyText {
        Accessible.role: Accessible.Paragraph
        lineHeight: Style.bodyLineFactor
        text: qsTr("Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.")
        width: parent.width
        wrapMode: Text.Wrap
    }
    BodyText {
        Accessible.role: Accessible.Paragraph
        lineHeight: Style.bodyLineFactor
        text: qsTr("To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:")
        width: parent.width
        wrapMode: Text.Wrap
    }
    InputField {
        id: field

        font.family: Style.fixedFamily
        font.pixelSize: Style.codeSize
        label: qsTr("Command that lists network connections")
        readOnly: true
        text: root.command
        width: parent.width

        ShortcutFilter {
            item: field
        }
    }
}
