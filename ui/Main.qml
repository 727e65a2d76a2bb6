// SPDX-License-Identifier: Apache-2.0
// The window: chats at the left, the conversation, and the memory bar below. The inspector will open at the right.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Settings
import Coterie.Style

ApplicationWindow {
    id: root

    required property App app
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool noMessages: conversation.messages.count === 0
    readonly property bool noModel: models.state !== ModelController.Ready && models.state !== ModelController.Opening
    readonly property bool narrow: width < Style.breakMedium // the list of chats then opens over the conversation
    property bool drawer: false // while narrow: the list of chats is open

    // Runs a command that concerns the window alone; app/window_commands.cpp has the list of all.
    function perform(id: string): void {
        switch (id) {
        case "chat.new":
            conversation.newChat();
            write();
            break;
        case "chat.search":
            showChats();
            side.search();
            break;
        case "chat.list":
            showChats();
            side.focusList();
            break;
        case "message.write":
            write();
            break;
        case "answer.latest":
            app.pages.close();
            chatPage.toEnd();
            break;
        case "block.next":
        case "block.previous":
            app.pages.close();
            chatPage.toBlock(id === "block.next" ? 1 : -1);
            break;
        case "model.open":
            dialog.open();
            break;
        case "window.sidebar":
            if (narrow)
                drawer = !drawer;
            else
                app.settings.sidebarShown = !app.settings.sidebarShown;
            mendFocus();
            break;
        case "text.larger":
            zoom(1);
            break;
        case "text.smaller":
            zoom(-1);
            break;
        case "window.quit":
            close();
            break;
        }
    }
    function write(): void {
        app.pages.close();
        drawer = false;
        chatPage.write();
    }
    function showChats(): void {
        if (narrow)
            drawer = true;
        else
            app.settings.sidebarShown = true;
    }
    function zoom(steps: int): void {
        const percent = Math.round(app.settings.fontScale * 100) + steps * Style.zoomStepPercent;
        app.settings.fontScale = percent / 100;
    }
    // If the focused item is no longer visible, the focus moves to the place where a user would expect it.
    function mendFocus(): void {
        if (activeFocusItem && activeFocusItem.visible)
            return;
        const page = [settingsPage, shortcutsPage, aboutPage].find(page => page.visible);
        (page ?? chatPage.place).forceActiveFocus(Qt.OtherFocusReason);
    }
    function keepGeometry(): void {
        app.settings.windowMaximised = visibility === Window.Maximized;
        if (visibility === Window.Windowed)
            app.settings.windowGeometry = Qt.rect(x, y, width, height);
    }
    // Restores the window's last position if it is still on a screen.
    function restoreGeometry(): void {
        const kept = app.settings.windowGeometry; // qmllint disable type
        if (kept.width < minimumWidth || kept.height < minimumHeight)
            return;
        width = kept.width;
        height = kept.height;
        if (kept.x >= 0 && kept.y >= 0 && kept.x + kept.width <= Screen.desktopAvailableWidth && kept.y + kept.height <= Screen.desktopAvailableHeight) {
            x = kept.x;
            y = kept.y;
        }
    }

    color: Style.theme.ground
    font.family: Style.family
    font.pixelSize: Style.bodySize
    height: Style.windowHeight
    minimumHeight: Style.windowMinHeight
    minimumWidth: Style.windowMinWidth
    title: conversation.title ? qsTr("%1 - Coterie").arg(conversation.title) : qsTr("Coterie")
    visible: true
    width: Style.windowWidth

    Component.onCompleted: {
        restoreGeometry();
        if (app.settings.windowMaximised)
            showMaximized();
        chatPage.place.forceActiveFocus();
    }
    onClosing: keepGeometry()

    Binding {
        property: "mode"
        target: Style
        value: root.app.settings.theme
    }
    Binding {
        property: "fontScale"
        target: Style
        value: root.app.settings.fontScale
    }
    // Nothing is measured while the window is not visible.
    Binding {
        property: "enabled"
        target: root.app.memory
        value: root.visible && root.visibility !== Window.Minimized
    }
    Binding {
        property: "enabled"
        target: root.app.experts
        value: root.app.memory.enabled && chatPage.showsExperts
    }
    Binding {
        property: "enabled"
        target: root.app.forecast
        value: settingsPage.visible
    }
    Binding {
        property: "listing"
        target: root.app.packedFile
        value: settingsPage.visible
    }
    Connections {
        function onStateChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }

        target: root.models
    }
    Connections {
        function onCurrentChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }

        target: root.app.pages
    }
    Connections {
        function onRaiseWanted() {
            root.show();
            root.raise();
            root.requestActivate();
        }

        target: root.app
    }
    Connections {
        function onWanted(id: string) {
            root.perform(id);
        }

        target: root.app.commands
    }
    Instantiator {
        model: root.app.commands

        delegate: Shortcut {
            required property var model

            enabled: model.enabled
            sequences: model.keys
            onActivated: root.app.commands.run(model.commandId)
        }
    }
    ModelDialog {
        id: dialog

        models: root.models
    }
    ConversationPage {
        id: chatPage

        anchors.bottom: parent.bottom
        anchors.left: side.docked ? side.right : parent.left
        anchors.right: parent.right
        anchors.top: parent.top
        app: root.app
        enabled: !side.over
        sidebarShown: side.docked
        visible: root.app.pages.current === Pages.Chat
        onOpenWanted: dialog.open()
    }
    SettingsPage {
        id: settingsPage

        anchors.fill: chatPage
        app: root.app
        enabled: chatPage.enabled
        visible: root.app.pages.current === Pages.Settings
        onBackWanted: root.write()
    }
    ShortcutsPage {
        id: shortcutsPage

        anchors.fill: chatPage
        commands: root.app.commands
        enabled: chatPage.enabled
        visible: root.app.pages.current === Pages.Shortcuts
        onBackWanted: root.write()
    }
    AboutPage {
        id: aboutPage

        anchors.fill: chatPage
        app: root.app
        enabled: chatPage.enabled
        visible: root.app.pages.current === Pages.About
        onBackWanted: root.write()
    }
    // Behind the list of chats while it is open over the page: a click there closes it.
    Rectangle {
        Accessible.ignored: true
        anchors.fill: parent
        color: Style.theme.scrim
        visible: side.over

        TapHandler {
            onTapped: root.write()
        }
    }
    Sidebar {
        id: side

        readonly property bool docked: !root.narrow && root.app.settings.sidebarShown
        readonly property bool over: root.narrow && root.drawer

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.top: parent.top
        app: root.app
        most: Math.min(Style.sidebarMax, root.width / 2)
        visible: docked || over
        onOpened: root.write()
    }
    ModelDrop {
        anchors.fill: parent
        models: root.models
    }
}
