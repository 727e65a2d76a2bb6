// SPDX-License-Identifier: Apache-2.0
// The settings of the chat in view: its preset, and the values that hold for it alone. The wider scopes are one click
// away.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app

    function begin(reason: int): void {
        searchField.begin(reason);
    }
    function find(): void {
        searchField.begin(Qt.ShortcutFocusReason);
    }

    beginsAtBack: false
    title: qsTr("Settings of this chat")

    onVisibleChanged: {
        answers.scopeLayer = ChatSettings.Chat;
        if (!visible && app.pages.current === Pages.Chat) // it was closed
            searchField.waitForFocus();
    }

    SettingSearch {
        id: finder

        advanced: root.app.settings.allSettings
        answersOnly: true
    }
    BodyText {
        Layout.fillWidth: true
        color: Style.theme.quiet
        elide: Text.ElideRight
        text: root.app.conversation.title || qsTr("New chat")
    }
    SearchField {
        id: searchField

        Layout.fillWidth: true
        search: finder
    }
    AnswerSettings {
        id: answers

        Layout.fillWidth: true
        app: root.app
        scopeLayer: ChatSettings.Chat
        search: finder
    }
    HairLine {
        Layout.fillWidth: true
        visible: !finder.searching
    }
    MoreSettings {
        hint: root.app.settings.allSettings ? "" : qsTr("Also: how tokens are drawn, penalties, the seed, stop texts, and faster but less exact answers.")
        settings: root.app.settings
        visible: !finder.searching
    }
}
