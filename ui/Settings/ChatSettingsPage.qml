// SPDX-License-Identifier: Apache-2.0
// The settings of the chat in view: its preset, and the values that hold for it alone. The wider scopes are one click
// away.
pragma ComponentBehavior: Bound
import QtQuick
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

    onVisibleChanged: answers.scopeLayer = ChatSettings.Chat

    Connections {
        function onCurrentChanged() {
            if (!root.app.pages.holds(Pages.ChatSettings))
                searchField.reset();
        }

        target: root.app.pages
    }
    SettingSearch {
        id: finder

        advanced: root.app.settings.allSettings
        answersOnly: true
        commands: root.app.commands
    }
    BodyText {
        color: Style.theme.quiet
        elide: Text.ElideRight
        text: root.app.conversation.title || qsTr("New chat")
        width: parent.width
    }
    SearchField {
        id: searchField

        search: finder
        width: parent.width
    }
    AnswerSettings {
        id: answers

        app: root.app
        scopeLayer: ChatSettings.Chat
        search: finder
        width: parent.width
    }
    HairLine {
        visible: !finder.searching
        width: parent.width
    }
    MoreSettings {
        hint: root.app.settings.allSettings ? "" : qsTr("Also: how tokens are drawn, penalties, the seed, stop texts, and faster but less exact answers.")
        settings: root.app.settings
        visible: !finder.searching
    }
}
