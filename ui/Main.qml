// SPDX-License-Identifier: Apache-2.0
// The window: the list of chats at the left, the conversation or a page above it, and the model's activity at the right.
// How many of the three are shown beside each other depends on the window's width: all three from breakWide on, two
// from breakMedium on, else one. Large texts need more width.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Chat
import Coterie.Inspector
import Coterie.Models
import Coterie.Settings
import Coterie.Style

ApplicationWindow {
    id: root

    required property App app
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool shown: visible && visibility !== Window.Minimized
    readonly property bool narrow: width < Style.breakMedium // room for one
    readonly property real paneBeside: Style.halfMin + Style.paneMin // a chat, and the activity's pane beside it
    readonly property bool roomForPane: !narrow && width >= paneBeside
    // Room for all three, also while two chats are beside each other.
    readonly property bool roomy: width >= Math.max(Style.breakWide, paneBeside + Style.sidebarMin, app.panes.split ? 2 * Style.halfMin + Style.paneDefault + Style.sidebarDefault : 0)
    readonly property bool showsChat: app.pages.current === Pages.Chat
    readonly property bool activityDocked: roomForPane && showsChat && app.settings.activityShown
    // The list of chats does not stay open at the left: it opens over the rest for a moment.
    readonly property bool drawerOnly: narrow || (activityDocked && !roomy)
    property bool wantsPage: false // the activity was opened as a page, not for want of room
    property bool chatBegins: false // a new chat begins when the question whether the temporary one may end is answered
    property Item focusBefore: null // the focus before the command palette opened

    // Runs a command that concerns the window alone; app/shell/window_commands.cpp has the list of all.
    function perform(id: string): void {
        app.pages.palette = false;
        if (exchange.perform(id) || performInList(id) || performInChat(id))
            return;
        switch (id) {
        case "chat.new":
            app.panes.newChat();
            beginChat();
            break;
        case "chat.temporary":
            app.panes.newTemporaryChat();
            beginChat();
            break;
        case "model.open":
            dialog.pick();
            break;
        case "window.activity":
            toggleActivity();
            break;
        case "window.activityPage":
            toggleActivityPage();
            break;
        case "activity.say":
            spoken.say(app.inspector.news());
            break;
        case "text.larger":
            zoom(1);
            break;
        case "text.smaller":
            zoom(-1);
            break;
        case "text.usual":
            textSize.slide("fontScale", 1);
            break;
        case "window.quit":
            close();
            break;
        }
    }
    // The same for commands of the list of chats. Returns false if this is another one.
    function performInList(id: string): bool {
        switch (id) {
        case "chat.search":
            showChats();
            side.search();
            break;
        case "chat.list":
            showChats();
            side.focusList();
            break;
        case "chat.duplicate":
        case "chat.folder":
        case "chat.move":
            showChats();
            side.act(id);
            break;
        case "chat.pin":
            side.act(id);
            break;
        case "window.sidebar":
            if (!drawerOnly)
                app.settings.sidebarShown = !app.settings.sidebarShown;
            else if (app.pages.chatsOver)
                app.pages.chatsOver = false;
            else {
                showChats();
                side.focusList(); // nothing below it can have the focus
            }
            mendFocus();
            break;
        default:
            return false;
        }
        return true;
    }
    // The same for commands of the conversation.
    function performInChat(id: string): bool {
        switch (id) {
        case "panes.other":
            app.panes.activateOther();
            write();
            break;
        case "message.write":
            write();
            break;
        case "message.attach":
            write();
            attachDialog.ask("");
            break;
        case "answer.latest":
            app.pages.open(Pages.Chat);
            chatPage.toEnd();
            break;
        case "find.open":
            find();
            break;
        case "block.next":
        case "block.previous":
            app.pages.close();
            chatPage.toBlock(id === "block.next" ? 1 : -1);
            break;
        default:
            return false;
        }
        return true;
    }
    // The settings have a search of their own.
    function find(): void {
        if (settingsPage.shown) {
            (settingsPage.item as SettingsPage)?.find();
        } else if (chatSettingsPage.shown) {
            (chatSettingsPage.item as ChatSettingsPage)?.find();
        } else {
            app.pages.open(Pages.Chat);
            chatPage.find();
        }
    }
    // Shows the setting with this key, with the focus in its control.
    function showSetting(key: string): void {
        app.pages.open(Pages.Settings);
        (settingsPage.item as SettingsPage)?.showSetting(key);
    }
    function write(): void {
        app.pages.open(Pages.Chat);
        chatPage.write();
    }
    // A new chat has nothing to be found, and stands in the list of chats, not among the hits of a search. While the
    // temporary chat asks whether it may end, there is no new one.
    function beginChat(): void {
        chatBegins = conversation.asksToLeave;
        if (chatBegins)
            return;
        side.endSearch();
        conversation.find.active = false;
        write();
    }
    // A letter that nobody beside the conversation has a use for belongs to the composer: a button, a message or the list
    // of chats may have had the focus last. Among the hits of a search it goes on with the words of the search. AltGr, which
    // some letters need, is Ctrl and Alt on some systems.
    function typeOn(event: var): void {
        const held = event.modifiers & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier);
        const command = held !== 0 && held !== (Qt.ControlModifier | Qt.AltModifier);
        const letter = event.text > " " && event.text !== "\x7f"; // before the space are the control characters
        event.accepted = letter && !command && (side.type(event.text) || (showsChat && chatPage.enabled && chatPage.type(event.text)));
    }
    // Closes the page; mendFocus() moves the focus to what is shown then.
    function back(): void {
        app.pages.close();
    }
    function toggleActivityPage(): void {
        wantsPage = app.pages.current !== Pages.Activity;
        if (wantsPage)
            app.pages.open(Pages.Activity);
        else
            back();
    }
    function toggleActivity(): void {
        wantsPage = false;
        if (!roomForPane && app.pages.current === Pages.Activity)
            back();
        else if (!roomForPane)
            app.pages.open(Pages.Activity);
        else
            app.settings.activityShown = !activityDocked;
        if (roomForPane)
            app.pages.open(Pages.Chat);
        mendFocus();
    }
    // Shows the activity and begins its first look.
    function takeFirstLook(): void {
        if (roomForPane)
            app.settings.activityShown = true;
        else
            app.pages.open(Pages.Activity);
        const shown = roomForPane ? activityPane.item as ActivityPane : null;
        if (shown)
            shown.takeFirstLook();
        else
            (activityPage.item as ActivityPage)?.takeFirstLook();
    }
    function showChats(): void {
        if (drawerOnly)
            app.pages.chatsOver = true;
        else
            app.settings.sidebarShown = true;
    }
    // Several of these that follow each other are one step of undo, as in the settings.
    function zoom(steps: int): void {
        const percent = Math.round(app.settings.fontScale * 100) + steps * Style.zoomStepPercent;
        textSize.slide("fontScale", percent / 100);
    }
    // The activity is a page while there is no room for its pane. Called when all changes of an event are done: the text
    // size may be about to change, which is a setting as well.
    function mendActivity(): void {
        if (roomForPane && !wantsPage && app.pages.current === Pages.Activity) {
            app.settings.activityShown = true;
            app.pages.open(Pages.Chat);
        }
        mendFocus();
    }
    // If the focused item is no longer visible, the focus moves to the place where a user would expect it.
    function mendFocus(): void {
        if (activeFocusItem && activeFocusItem.visible)
            return;
        if (side.over)
            side.forceActiveFocus(Qt.OtherFocusReason); // the page behind it can't have the focus
        else
            enterPage();
    }
    // Gives the focus to the page in view, unless it is there already.
    function enterPage(): void {
        for (const page of [modelsPage, settingsPage, chatSettingsPage, binPage, exchangePage, activityPage, shortcutsPage, aboutPage, licencesPage]) {
            if (!page.shown)
                continue;
            if (!page.item?.activeFocus || !activeFocusItem.visible)
                page.item?.forceActiveFocus(Qt.OtherFocusReason); // it goes to what had it last here
            if (!activeFocusItem?.visible)
                page.item?.begin(Qt.OtherFocusReason);
            return;
        }
        chatPage.begin(Qt.OtherFocusReason);
    }
    // The focus goes into the palette, and back to where it was.
    function followPalette(): void {
        if (palette.visible) {
            SharedTip.end();
            focusBefore = activeFocusItem;
            palette.begin();
            return;
        }
        const before = focusBefore;
        focusBefore = null;
        if (before && before.visible)
            before.forceActiveFocus(Qt.OtherFocusReason);
        else
            mendFocus();
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
    // For the toolkit's own dialogs.
    palette.base: Style.theme.surface
    palette.button: Style.theme.fill
    palette.buttonText: Style.theme.text
    palette.dark: Style.theme.mark
    palette.highlight: Style.theme.ember
    palette.highlightedText: Style.theme.text
    palette.light: Style.theme.surface
    palette.mid: Style.theme.mark
    palette.midlight: Style.theme.fillStrong
    palette.placeholderText: Style.theme.quiet
    palette.shadow: Style.theme.scrim
    palette.text: Style.theme.text
    palette.window: Style.theme.ground
    palette.windowText: Style.theme.text
    title: conversation.temporary ? qsTr("Temporary chat - Coterie") : conversation.title ? qsTr("%1 - Coterie").arg(NameText.isolated(conversation.title)) : qsTr("Coterie")
    visible: true
    width: Style.windowWidth

    Component.onCompleted: {
        restoreGeometry();
        if (app.settings.windowMaximised)
            showMaximized();
        chatPage.write();
    }
    onClosing: close => {
        close.accepted = app.panes.mayClose();
        keepGeometry();
        chatPage.keepPlace();
    }
    onDrawerOnlyChanged: {
        app.pages.chatsOver = false;
        Qt.callLater(mendFocus); // qmllint disable
    }
    onHeightChanged: keepSoon.restart()
    onRoomForPaneChanged: Qt.callLater(mendActivity) // qmllint disable
    onVisibilityChanged: keepSoon.restart()
    onWidthChanged: keepSoon.restart()
    onXChanged: keepSoon.restart()
    onYChanged: keepSoon.restart()

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
    // Nothing is measured while nothing shows it.
    Binding {
        property: "enabled"
        target: root.app.memory
        value: root.shown && (chatPage.visible || activityPage.shown)
    }
    Binding {
        property: "enabled"
        target: root.app.experts
        value: root.shown && (chatPage.showsExperts || activityPane.shown || activityPage.shown)
    }
    Binding {
        property: "enabled"
        target: root.app.inspector
        value: root.shown && (activityPane.shown || activityPage.shown || root.conversation.alternatives.tinted !== 0) // qmllint disable
    }
    Binding {
        property: "stripLength"
        target: root.app.inspector.tokens
        value: activityPage.shown && activityPage.item?.wide ? Style.tokensOnPage : Style.tokensInPane
    }
    Binding {
        property: "dark"
        target: root.app.inspector.tokens
        value: Style.dark
    }
    Binding {
        property: "family"
        target: root.app.inspector.files
        value: Style.family
    }
    Binding {
        property: "listing"
        target: root.app.bin
        value: binPage.shown
    }
    Binding {
        property: "enabled"
        target: root.app.forecast
        value: settingsPage.shown
    }
    Binding {
        property: "listing"
        target: root.app.packedFile
        value: settingsPage.shown
    }
    Connections {
        function onStateChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }

        target: root.models
    }
    // An item that has the focus may be hidden with its part, as the last button of the first look is.
    Connections {
        function onVisibleChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }

        target: root.activeFocusItem
    }
    // The card above the composer leads to a setting if something has no room in the context.
    Connections {
        function onSettingWanted(key: string) {
            root.showSetting(key);
        }

        target: root.app.conversation.context
    }
    Connections {
        function onChatsOverChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }
        // A page that opens has the focus, wherever it was; the chats leave it in their list.
        function onCurrentChanged() {
            Qt.callLater(root.showsChat ? root.mendFocus : root.enterPage); // qmllint disable
        }

        target: root.app.pages
    }
    Connections {
        function onCloseAllowed() {
            root.close();
        }
        function onAsksToLeaveChanged() {
            root.app.pages.open(Pages.Chat);
            // The new chat comes a moment later. A user who stays, or goes elsewhere instead, wants none.
            if (root.chatBegins && !root.conversation.temporary)
                Qt.callLater(root.beginChat); // qmllint disable
            root.chatBegins = false;
        }
        // The card above the composer leads to a new chat.
        function onMessageTaken() {
            root.beginChat();
        }

        target: root.app.panes
    }
    // A temporary chat has begun or ended, and a new chat has nothing to be found.
    Connections {
        function onTemporaryChanged() {
            if (root.conversation.chatId === 0) // qmllint disable
                root.conversation.find.active = false;
        }

        target: root.conversation
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
    // A program that is killed keeps the window's place, too.
    Timer {
        id: keepSoon

        interval: Style.restMs
        onTriggered: root.keepGeometry()
    }
    SettingEditor {
        id: textSize

        app: root.app
    }
    FieldCarets {}
    FieldKeys {
        undo: root.app.undo
    }
    KeyFocus {}
    MenuKeys {}
    Announcement {
        id: spoken
    }
    ModelDialog {
        id: dialog

        models: root.models
    }
    AttachDialog {
        id: attachDialog

        files: root.app.conversation.files
    }
    ExchangeDialogs {
        id: exchange

        app: root.app
    }
    ConversationPage {
        id: chatPage

        activityShown: root.activityDocked
        anchors.bottom: parent.bottom
        anchors.left: place.left
        anchors.right: place.right
        anchors.rightMargin: activityPane.shown ? activityPane.item?.width ?? 0 : 0
        anchors.top: parent.top
        app: root.app
        enabled: !side.over
        listSaysUndone: side.showsUndone
        sidebarShown: side.docked
        visible: root.showsChat
        Keys.onPressed: event => root.typeOn(event)
        onLookWanted: root.takeFirstLook()
        onOpenWanted: dialog.pick()
    }
    MadeWhenShown {
        id: activityPane

        shown: root.activityDocked

        delegate: ActivityPane {
            anchors.bottom: parent?.bottom
            anchors.right: parent?.right
            anchors.top: parent?.top
            app: root.app
            enabled: !side.over
            most: Math.min(Style.paneMax, place.width / 2, place.width - Style.halfMin)
            visible: activityPane.open
            Keys.onPressed: event => root.typeOn(event)
            onCloseWanted: root.toggleActivity()
        }
    }
    // The room beside the list of chats. No anchors lead to it: the window's contents get their width before the window says
    // so, and the list of chats leaves its place later. The pages would be laid out twice, and Qt gives up then.
    Item {
        id: place

        readonly property string backTip: root.app.pages.below === Pages.Chat ? qsTr("Back to the conversation") : qsTr("Back")

        anchors.bottom: parent.bottom
        anchors.top: parent.top
        width: root.width - x
        x: side.docked ? side.width : 0
    }
    MadeWhenShown {
        id: modelsPage

        shown: root.app.pages.current === Pages.Models

        delegate: ModelsPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: modelsPage.open
            onBackWanted: root.back()
            onOpenWanted: dialog.pick()
        }
    }
    MadeWhenShown {
        id: settingsPage

        shown: root.app.pages.current === Pages.Settings

        delegate: SettingsPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: settingsPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: chatSettingsPage

        shown: root.app.pages.current === Pages.ChatSettings

        delegate: ChatSettingsPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: chatSettingsPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: binPage

        shown: root.app.pages.current === Pages.Bin

        delegate: BinPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: binPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: exchangePage

        shown: root.app.pages.current === Pages.Exchange

        delegate: ExchangePage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: exchangePage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: activityPage

        shown: root.app.pages.current === Pages.Activity

        delegate: ActivityPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: activityPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: shortcutsPage

        shown: root.app.pages.current === Pages.Shortcuts

        delegate: ShortcutsPage {
            anchors.fill: place
            backTip: place.backTip
            commands: root.app.commands
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: shortcutsPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: aboutPage

        shown: root.app.pages.current === Pages.About

        delegate: AboutPage {
            anchors.fill: place
            app: root.app
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: aboutPage.open
            onBackWanted: root.back()
        }
    }
    MadeWhenShown {
        id: licencesPage

        shown: root.app.pages.current === Pages.Licences

        delegate: LicencesPage {
            anchors.fill: place
            backTip: place.backTip
            coveredEnd: undoBar.covered
            enabled: chatPage.enabled
            visible: licencesPage.open
            onBackWanted: root.back()
        }
    }
    // Behind the list of chats while it is open over the page: a click there closes it.
    Rectangle {
        Accessible.ignored: true
        anchors.fill: parent
        color: Style.theme.scrim
        visible: side.over

        // No TapHandler: it would see the clicks on what is above it, too.
        MouseArea {
            anchors.fill: parent
            onClicked: root.write()
        }
    }
    Sidebar {
        id: side

        readonly property bool docked: !root.drawerOnly && root.app.settings.sidebarShown
        readonly property bool over: root.drawerOnly && root.app.pages.chatsOver

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.top: parent.top
        app: root.app
        most: Math.min(Style.sidebarMax, root.width / 2, root.activityDocked ? root.width - root.paneBeside : Infinity)
        visible: docked || over
        Keys.onPressed: event => root.typeOn(event)
        onOpened: root.write()
    }
    // The keys of undo work on every page, so each says what they did; that of the chats has a bar of its own. While the list of
    // chats is open over a page, the bar is beside it, above the dimmed page. A click on it leaves the focus where it is: the
    // page would scroll to it when the bar ends.
    UndoBar {
        id: undoBar

        readonly property real begin: side.over ? side.width : place.x
        readonly property real covered: visible ? height + Style.large : 0

        anchors.bottom: place.bottom
        anchors.bottomMargin: Style.large
        buttonFocus: Qt.TabFocus
        here: (!root.showsChat || side.over) && !side.showsUndone
        undo: root.app.undo
        width: Math.min(implicitWidth, root.width - begin - 2 * Style.large)
        x: begin + (root.width - begin - width) / 2
    }
    CommandPalette {
        id: palette

        anchors.fill: parent
        app: root.app
        visible: root.app.pages.palette
        onSearchWanted: words => (settingsPage.item as SettingsPage)?.search(words)
        onVisibleChanged: root.followPalette()
    }
    ModelDrop {
        anchors.fill: parent
        exchange: root.app.exchange
        files: root.app.conversation.files
        importing: root.app.pages.current === Pages.Exchange
        models: root.models
        onFilesAimed: place => chatPage.activateAt(place)
        onFilesDropped: root.write()
    }
}
