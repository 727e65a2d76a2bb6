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
    readonly property ChatController conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool noMessages: conversation.messages.count === 0
    readonly property bool noModel: models.state !== ModelController.Ready && models.state !== ModelController.Opening
    // Each shortcut is listed here once: the shortcuts themselves and the page that lists them are made from this.
    readonly property var commands: [
        {
            title: qsTr("New chat"),
            keys: ["Ctrl+N"],
            run: () => {
                root.conversation.newChat();
                composer.forceActiveFocus(Qt.ShortcutFocusReason);
            }
        },
        {
            title: qsTr("Open a model"),
            keys: ["Ctrl+O"],
            run: () => dialog.open()
        },
        {
            title: qsTr("Search in all chats"),
            keys: ["Ctrl+F"],
            run: () => chatList.search()
        },
        {
            title: qsTr("Go to the list of chats"),
            keys: ["Ctrl+K"],
            run: () => chatList.focusList()
        },
        {
            title: qsTr("Write a message"),
            keys: ["Ctrl+L"],
            run: () => composer.forceActiveFocus(Qt.ShortcutFocusReason)
        },
        {
            title: qsTr("Stop the answer"),
            keys: ["Ctrl+.", "Esc"],
            run: () => root.conversation.stop(),
            needsAnswer: true
        },
        {
            title: qsTr("Jump to the latest message"),
            keys: ["Ctrl+J"],
            run: () => messages.toEnd()
        },
        {
            title: qsTr("Settings"),
            keys: ["Ctrl+,"],
            run: () => settingsPage.open()
        },
        {
            title: qsTr("Keyboard shortcuts"),
            keys: ["F1", "Ctrl+/"],
            run: () => shortcutsPage.open()
        },
        {
            title: qsTr("Larger text"),
            keys: ["Ctrl++", "Ctrl+="],
            run: () => root.zoom(1)
        },
        {
            title: qsTr("Smaller text"),
            keys: ["Ctrl+-"],
            run: () => root.zoom(-1)
        },
        {
            title: qsTr("Close the program"),
            keys: ["Ctrl+Q"],
            run: () => root.close()
        }
    ]
    // Keys that are handled by the item that has the focus.
    readonly property var localKeys: [
        {
            title: qsTr("Send the message"),
            keys: ["Enter"]
        },
        {
            title: qsTr("New line in the message"),
            keys: ["Shift+Enter"]
        },
        {
            title: qsTr("Rename the chat in the list"),
            keys: ["F2"]
        },
        {
            title: qsTr("Delete the chat in the list"),
            keys: ["Del"]
        }
    ]

    function zoom(steps: int): void {
        const percent = Math.round(app.settings.fontScale * 100) + steps * Style.zoomStepPercent;
        app.settings.fontScale = percent / 100;
    }
    // If the focused item is no longer visible, the focus moves to the field where a user would expect it.
    function mendFocus(): void {
        if (!activeFocusItem || !activeFocusItem.visible)
            (firstStart.visible ? firstStart : composer).forceActiveFocus(Qt.OtherFocusReason);
    }
    function keepGeometry(): void {
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
        (firstStart.visible ? firstStart : composer).forceActiveFocus();
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
        value: root.app.memory.enabled && expertGauge.visible
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
    Instantiator {
        model: root.commands

        delegate: Shortcut {
            required property var modelData

            enabled: !modelData.needsAnswer || root.conversation.busy
            sequences: modelData.keys
            onActivated: modelData.run()
        }
    }
    ModelDialog {
        id: dialog

        models: root.models
    }
    SettingsPage {
        id: settingsPage

        app: root.app
    }
    ShortcutsPage {
        id: shortcutsPage

        entries: root.commands.concat(root.localKeys).map(command => ({
                    title: command.title,
                    keys: command.keys.join(qsTr(" or "))
                }))
    }
    SplitView {
        anchors.fill: parent
        orientation: Qt.Horizontal

        handle: Item {
            implicitWidth: Style.hairline

            HairLine {
                anchors.fill: parent
            }
            // The handle is wider than the visible line, so that it is easy to hit.
            containmentMask: Item {
                height: root.height
                width: 2 * Style.tiny
                x: -Style.tiny
            }
        }

        onResizingChanged: {
            if (!resizing)
                root.app.settings.sidebarWidth = side.width;
        }

        Rectangle {
            id: side

            SplitView.maximumWidth: Math.min(Style.sidebarMax, root.width / 2)
            SplitView.minimumWidth: Style.sidebarMin
            SplitView.preferredWidth: root.app.settings.sidebarWidth || Style.sidebarDefault
            color: Style.theme.sunken

            ChatList {
                id: chatList

                anchors.fill: parent
                chats: root.app.chats
                conversation: root.conversation
                onOpened: composer.forceActiveFocus(Qt.OtherFocusReason)

                IconButton {
                    iconName: "sliders"
                    text: qsTr("Settings (Ctrl+,)")
                    onClicked: settingsPage.open()
                }
                IconButton {
                    iconName: "keyboard"
                    text: qsTr("Keyboard shortcuts (F1)")
                    onClicked: shortcutsPage.open()
                }
                Item {
                    Layout.fillWidth: true
                }
                OfflineBadge {}
            }
        }
        ColumnLayout {
            SplitView.fillWidth: true
            spacing: 0

            RowLayout {
                id: header

                Layout.fillWidth: true
                Layout.leftMargin: Style.large
                Layout.rightMargin: Style.large
                Layout.preferredHeight: Style.barHeight + Style.small
                spacing: Style.medium

                ModelChip {
                    models: root.models
                    room: root.width - side.width - 2 * Style.large - header.spacing - (speed.visible ? speed.width + header.spacing : 0)
                    onOpenWanted: dialog.open()
                }
                Item {
                    Layout.fillWidth: true
                }
                Figures {
                    id: speed

                    Accessible.name: qsTr("Speed: %1").arg(text)
                    text: qsTr("%1 tok/s").arg(root.conversation.tokensPerSecond.toLocaleString(Qt.locale(), "f", 1))
                    visible: root.conversation.busy && root.conversation.tokensPerSecond > 0
                }
            }
            HairLine {
                Layout.fillWidth: true
            }
            ProblemStrip {
                Layout.fillWidth: true
                app: root.app
                onOpenWanted: dialog.open()
            }
            Item {
                Layout.fillHeight: true
                Layout.fillWidth: true

                Conversation {
                    id: messages

                    anchors.fill: parent
                    conversation: root.conversation
                    models: root.models
                    visible: !firstStart.visible
                }
                FirstStart {
                    id: firstStart

                    anchors.fill: parent
                    models: root.models
                    visible: root.noModel && root.noMessages
                    onOpenWanted: dialog.open()
                }
                DemoStart {
                    anchors.fill: parent
                    conversation: root.conversation
                    models: root.models
                    visible: root.models.demo && !root.noModel && root.noMessages
                    onAsked: {
                        composer.forceActiveFocus(Qt.OtherFocusReason);
                        messages.toEnd();
                    }
                    onOpenWanted: dialog.open()
                }
            }
            Composer {
                id: composer

                Layout.alignment: Qt.AlignHCenter
                Layout.bottomMargin: Style.medium
                Layout.fillWidth: true
                Layout.leftMargin: Style.wide
                Layout.maximumWidth: Style.measure
                Layout.rightMargin: Style.wide
                conversation: root.conversation
                models: root.models
                settings: root.app.settings
                visible: !firstStart.visible
                onSent: messages.toEnd()
            }
            HairLine {
                Layout.fillWidth: true
            }
            GridLayout {
                id: status

                // The gauges use a second line if they do not fit into one and the experts' gauge has something to
                // show.
                readonly property bool wide: width >= memoryBar.implicitWidth + expertGauge.implicitWidth + Style.gaugeWidth + 2 * columnSpacing

                Layout.bottomMargin: Style.tiny
                Layout.fillWidth: true
                Layout.leftMargin: Style.large
                Layout.minimumHeight: Style.statusHeight - 2 * Style.tiny
                Layout.rightMargin: Style.large
                Layout.topMargin: Style.tiny
                columnSpacing: Style.wide
                columns: wide || !expertGauge.visible ? 2 : 1
                rowSpacing: 0

                MemoryBar {
                    id: memoryBar

                    Layout.fillWidth: true
                    memory: root.app.memory
                }
                RowLayout {
                    Layout.fillWidth: status.columns === 1
                    spacing: status.columnSpacing

                    ExpertGauge {
                        id: expertGauge

                        Layout.fillWidth: !status.wide
                        experts: root.app.experts
                        visible: status.wide || root.models.readsExperts
                    }
                    ContextGauge {
                        readonly property real besides: status.wide ? memoryBar.implicitWidth + status.columnSpacing + expertGauge.implicitWidth : (expertGauge.visible ? expertGauge : memoryBar).implicitWidth

                        room: status.width - status.columnSpacing - besides
                        size: root.conversation.contextSize
                        used: root.conversation.contextUsed
                        visible: size > 0
                    }
                }
            }
        }
    }
    ModelDrop {
        anchors.fill: parent
        models: root.models
    }
}
