// SPDX-License-Identifier: Apache-2.0
// The page of the chat in view: the model, errors, the messages or a first page in their place, the composer, and the
// gauges.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Chat
import Coterie.Models
import Coterie.Style

FocusScope {
    id: root

    required property App app
    required property bool sidebarShown
    required property bool activityShown
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool noMessages: conversation.messages.count === 0
    readonly property bool noModel: models.state !== ModelController.Ready && models.state !== ModelController.Opening
    readonly property alias showsExperts: status.showsExperts
    readonly property Item place: firstStart.visible ? firstStart : composer // the place where users expect the focus

    signal openWanted

    function write(): void {
        place.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function toEnd(): void {
        messages.toEnd();
    }
    function toBlock(step: int): void {
        messages.toBlock(step);
    }

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        RowLayout {
            id: header

            Layout.fillWidth: true
            Layout.leftMargin: Style.large
            Layout.rightMargin: Style.large
            Layout.preferredHeight: Style.barHeight + Style.small
            spacing: Style.medium

            IconButton {
                id: showSidebar

                Layout.leftMargin: -Style.small
                iconName: "sidebar"
                text: root.app.commands.tip(qsTr("Show the list of chats"), "window.sidebar")
                visible: !root.sidebarShown
                onClicked: root.app.commands.run("window.sidebar")
            }
            ModelChip {
                commands: root.app.commands
                models: root.models
                room: root.width - 2 * Style.large - 2 * header.spacing - activity.width - (speed.visible ? speed.width + header.spacing : 0) - (showSidebar.visible ? showSidebar.width + header.spacing : 0)
                onOpenWanted: root.openWanted()
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
            IconButton {
                id: activity

                Accessible.checkable: true
                Accessible.checked: checked
                Layout.rightMargin: -Style.small
                checked: root.activityShown
                iconName: "sidebar"
                text: root.app.commands.tip(qsTr("Model activity"), "window.activity")
                onClicked: root.app.commands.run("window.activity")

                // The icon of the left side, turned round, stands for the right one.
                Binding {
                    property: "rotation"
                    target: activity.contentItem
                    value: 180
                }
            }
        }
        HairLine {
            Layout.fillWidth: true
        }
        ProblemStrip {
            Layout.fillWidth: true
            app: root.app
            onOpenWanted: root.openWanted()
        }
        Item {
            Layout.fillHeight: true
            Layout.fillWidth: true

            ConversationView {
                id: messages

                anchors.fill: parent
                conversation: root.conversation
                models: root.models
                visible: !firstStart.visible
                onInspectWanted: messageId => {
                    root.app.inspector.showMessage(messageId);
                    if (!root.activityShown)
                        root.app.commands.run("window.activity");
                }
                onTokenClicked: (messageId, token) => root.app.inspector.showToken(messageId, token)
            }
            FirstStart {
                id: firstStart

                anchors.fill: parent
                models: root.models
                visible: root.noModel && root.noMessages
                onOpenWanted: root.openWanted()
            }
            DemoStart {
                anchors.fill: parent
                conversation: root.conversation
                models: root.models
                visible: root.models.demo && !root.noModel && root.noMessages
                onAsked: {
                    root.write();
                    messages.toEnd();
                }
                onOpenWanted: root.openWanted()
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
            commands: root.app.commands
            settings: root.app.settings
            visible: !firstStart.visible
            onSent: messages.toEnd()
        }
        HairLine {
            Layout.fillWidth: true
        }

        StatusLine {
            id: status

            Layout.bottomMargin: Style.tiny
            Layout.fillWidth: true
            Layout.leftMargin: Style.large
            Layout.minimumHeight: Style.statusHeight - 2 * Style.tiny
            Layout.rightMargin: Style.large
            Layout.topMargin: Style.tiny
            app: root.app
        }
    }
}
