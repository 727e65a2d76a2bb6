// SPDX-License-Identifier: Apache-2.0
// The page of the chats in view: the model and errors above them, one chat or two side by side, and the gauges below. If
// two have no room, the active one is shown.
pragma ComponentBehavior: Bound
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
    required property bool listSaysUndone // the list of chats has the bar
    readonly property Conversation conversation: app.conversation
    readonly property ModelController models: app.models
    readonly property bool low: height > 0 && height < Style.lowWindow // the conversation needs the room of what is around it
    readonly property bool roomForTwo: width >= 2 * Style.halfMin
    readonly property bool sideBySide: app.panes.split && roomForTwo
    readonly property ChatPane secondPane: second.count > 0 ? second.itemAt(0) as ChatPane : null
    readonly property ChatPane pane: first.active ? first : secondPane // the active one; null before it is made
    readonly property bool crowded: pane?.crowded ?? false // a question has the room of what lies over the messages
    readonly property alias showsExperts: status.showsExperts

    signal lookWanted // at what the experts do
    signal openWanted

    function begin(reason: int): void {
        pane?.begin(reason);
    }
    function write(): void {
        pane?.write();
    }
    function type(text: string): bool {
        return pane?.type(text) ?? false;
    }
    function toEnd(): void {
        pane?.toEnd();
    }
    function find(): void {
        pane?.find();
    }
    function keepPlace(): void {
        first.keepPlace();
        secondPane?.keepPlace();
    }
    function toBlock(step: int): void {
        pane?.toBlock(step);
    }
    // Makes the chat at this place of the window the active one, if there are two.
    function activateAt(place: point): void {
        const other = first.active ? secondPane : first;
        if (sideBySide && visible && other?.contains(other.mapFromItem(null, place)))
            other.activate();
    }
    function showOther(): void {
        app.panes.activateOther();
        write();
    }
    // The focus does not stay in a chat that is no longer the active one, nor on the button that opened another one.
    function mendFocus(): void {
        if (activeFocus && !pane?.activeFocus)
            write();
    }

    Connections {
        function onActiveChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }
        function onChanged() {
            Qt.callLater(root.mendFocus); // qmllint disable
        }

        target: root.app.panes
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        // It is no layout: one of Qt 6.4 leaves a button over the model's chip if both change during one pass.
        Item {
            id: header

            readonly property real besideOne: Style.control + Style.medium // the width that one button takes
            // The width for the model, the speed and the button that splits the page, which gives way to the model.
            readonly property real wide: width - 2 * Style.large - Style.medium - (showSidebar.visible ? 3 : 2) * besideOne - (root.conversation.temporary ? temporary.width + Style.medium : 0)
            // The width that the model and the speed may take.
            readonly property real rest: split.visible ? wide - besideOne : wide

            Layout.fillWidth: true
            Layout.preferredHeight: root.low ? Style.control + 2 * Style.tiny : Style.barHeight + Style.small

            IconButton {
                id: showSidebar

                anchors.left: parent.left
                anchors.leftMargin: Style.large - Style.small
                anchors.verticalCenter: parent.verticalCenter
                iconName: "sidebar"
                text: root.app.commands.tip(qsTr("Show the list of chats"), "window.sidebar")
                visible: !root.sidebarShown
                onClicked: root.app.commands.run("window.sidebar")
            }
            ModelChip {
                anchors.left: showSidebar.visible ? showSidebar.right : parent.left
                anchors.leftMargin: showSidebar.visible ? Style.medium : Style.large
                anchors.verticalCenter: parent.verticalCenter
                commands: root.app.commands
                models: root.models
                room: header.rest - (speed.visible ? speed.width + Style.medium : 0)
                onChosen: Qt.callLater(root.write) // qmllint disable
                onOpenWanted: root.openWanted()
            }
            Row {
                anchors.right: parent.right
                anchors.rightMargin: Style.large - Style.small
                anchors.verticalCenter: parent.verticalCenter
                spacing: Style.medium

                // It stands for the strip that says the same, where that gives way to the cards of a low window. Its room is kept,
                // so that the model's name stays as it is.
                Item {
                    id: temporary

                    Accessible.name: qsTr("Temporary")
                    Accessible.role: Accessible.StaticText
                    anchors.verticalCenter: parent.verticalCenter
                    height: Style.control
                    visible: root.conversation.temporary && !(root.pane?.saysTemporary ?? false)
                    width: Style.iconSmall

                    Icon {
                        anchors.centerIn: parent
                        color: Style.theme.quiet
                        name: "clock"
                        size: Style.iconSmall
                    }
                    HoverHandler {
                        id: overTemporary
                    }
                    HoverTip {
                        shown: overTemporary.hovered
                        target: temporary
                        text: temporary.Accessible.name
                    }
                }
                Figures {
                    id: speed

                    Accessible.name: qsTr("Speed: %1").arg(text)
                    anchors.verticalCenter: parent.verticalCenter
                    text: Units.speed(root.conversation.tokensPerSecond)
                    visible: root.conversation.busy && root.conversation.tokensPerSecond > 0 && header.rest - implicitWidth - Style.medium >= Style.chipMin
                }
                IconButton {
                    id: split

                    Accessible.checkable: true
                    Accessible.checked: checked
                    checked: root.app.panes.split
                    iconName: "columns"
                    text: root.app.commands.tip(root.app.panes.split ? qsTr("Close this side") : qsTr("Show a second chat"), "panes.split")
                    visible: header.wide - header.besideOne >= Style.chipMin
                    onClicked: root.app.commands.run("panes.split")
                }
                IconButton {
                    id: chatSettings

                    about: checked ? qsTr("This chat has settings of its own") : ""
                    checked: root.conversation.settings.own
                    iconName: "sliders"
                    text: root.app.commands.tip(qsTr("Settings of this chat"), "chat.settings")
                    onClicked: root.app.commands.run("chat.settings")
                }
                IconButton {
                    id: activity

                    Accessible.checkable: true
                    Accessible.checked: checked
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
        }
        HairLine {
            Layout.fillWidth: true
        }
        Item {
            id: chats

            // The cards and notices over the messages stand below the bars of the chats, one below the other.
            readonly property real belowBars: Math.max(first.visible ? first.bars : 0, root.secondPane?.visible ? root.secondPane.bars : 0)
            readonly property real belowProblems: belowBars + problemPlace.height
            readonly property real covered: belowProblems + (newsBar.visible ? newsBar.height + Style.small : 0)
            // The bars over the end of the messages, with the gap below each.
            readonly property real coveredEnd: (undoBar.visible ? undoBar.height + Style.small : 0) + (noticePlace.height > 0 ? noticePlace.height + Style.small : 0)
            // The height that it has without the last line of the window is the same whether that line is shown or not.
            readonly property real lent: root.low ? height - (root.height - header.Layout.preferredHeight - 2 * Style.hairline - Style.statusHeight) : 0
            readonly property real half: Math.floor((width - Style.hairline) / 2) // the right one has a pixel more, if need be

            function xOf(conversation: Conversation): real {
                return root.sideBySide && root.app.panes.left !== conversation ? half + Style.hairline : 0;
            }
            function widthOf(conversation: Conversation): real {
                if (!root.sideBySide)
                    return width;
                return root.app.panes.left === conversation ? half : width - half - Style.hairline;
            }

            Layout.fillHeight: true
            Layout.fillWidth: true

            ChatPane {
                id: first

                activityShown: root.activityShown
                app: root.app
                conversation: root.app.panes.first
                covered: chats.covered
                coveredEnd: active ? chats.coveredEnd : 0
                height: chats.height
                hidesOther: root.app.panes.split && !root.sideBySide
                lent: chats.lent
                visible: active || root.sideBySide
                width: chats.widthOf(conversation)
                x: chats.xOf(conversation)
                onLookWanted: root.lookWanted()
                onOpenWanted: root.openWanted()
                onOtherWanted: root.showOther()
            }
            // It exists while it is in view.
            Optional {
                id: second

                wanted: root.app.panes.split || root.conversation === root.app.panes.second

                ChatPane {
                    activityShown: root.activityShown
                    app: root.app
                    conversation: root.app.panes.second
                    covered: chats.covered
                    coveredEnd: active ? chats.coveredEnd : 0
                    height: chats.height
                    hidesOther: root.app.panes.split && !root.sideBySide
                    lent: chats.lent
                    visible: active || root.sideBySide
                    width: chats.widthOf(conversation)
                    x: chats.xOf(conversation)
                    onLookWanted: root.lookWanted()
                    onOpenWanted: root.openWanted()
                    onOtherWanted: root.showOther()
                }
            }
            HairLine {
                anchors.bottom: parent.bottom
                anchors.top: parent.top
                visible: root.sideBySide
                width: Style.hairline
                x: chats.half
            }
            // It lies over the messages, so that they stay where they are for whoever reads them.
            MouseArea {
                id: problemPlace

                anchors.left: parent.left
                anchors.right: parent.right
                anchors.top: parent.top
                anchors.topMargin: chats.belowBars
                enabled: problems.any // a click is not for the message below, nor the wheel
                height: Math.min(problems.implicitHeight, root.pane?.roomForCards ?? Infinity)
                z: 1
                onWheel: wheel => wheel.accepted = true

                ScrollArea {
                    anchors.fill: parent
                    clip: interactive
                    contentHeight: problems.implicitHeight
                    interactive: contentHeight > height

                    ProblemStrip {
                        id: problems

                        app: root.app
                        width: problemPlace.width
                        onOpenWanted: root.openWanted()
                    }
                }
            }
            NewsBar {
                id: newsBar

                anchors.horizontalCenter: parent.horizontalCenter
                anchors.top: parent.top
                anchors.topMargin: Style.small + chats.belowProblems
                news: root.app.news
                visible: wanted && !root.crowded
                width: Math.min(implicitWidth, parent.width - 2 * Style.large)
                z: 1
                onShowWanted: chatId => {
                    root.app.panes.open(chatId);
                    root.write();
                }
            }
            // It lies over the end of the messages, where a deleted message leaves its bar, too.
            UndoBar {
                id: undoBar

                readonly property real room: root.pane?.roomForBars ?? chats.height
                readonly property Item side: root.pane ?? chats

                // Else it is beside the list of chats, which is over the page, or in it. It waits until it has room below the bar of a search.
                here: root.enabled && !root.crowded && !root.listSaysUndone && (!root.pane?.finding || room >= Style.noticeHeight + Style.small)
                most: Math.max(Style.noticeHeight, room - Style.small - Style.bodyLine * Style.bodySize) // a line of the messages stays in view
                undo: root.app.undo
                width: Math.min(implicitWidth, side.width - 2 * Style.large)
                x: side.x + (side.width - width) / 2
                y: (root.pane?.messagesEnd ?? chats.height) - height - Style.small
                z: 1
                onActed: root.write()
            }
            // In a low pane it scrolls below the bar of a search.
            ScrollBox {
                id: noticePlace

                height: Math.min(implicitHeight, Math.max(Style.control, undoBar.room - (undoBar.visible ? undoBar.height + Style.small : 0) - 2 * Style.small))
                visible: !root.crowded
                width: Math.min(Style.cardWidth, undoBar.side.width - 2 * Style.large)
                x: undoBar.side.x + (undoBar.side.width - width) / 2
                y: undoBar.y + (undoBar.visible ? 0 : undoBar.height + Style.small) - height - Style.small
                z: 1

                ExportNotice {
                    exchange: root.app.exchange
                    width: noticePlace.width
                    onClosed: root.write()
                }
            }
        }
        HairLine {
            Layout.fillWidth: true
            visible: status.visible
        }

        StatusLine {
            id: status

            Layout.bottomMargin: Style.tiny
            Layout.fillWidth: true
            Layout.leftMargin: Style.large
            Layout.minimumHeight: Style.statusHeight - 2 * Style.tiny
            Layout.minimumWidth: 0 // else the page could not get narrower than a gauge that fills it
            Layout.rightMargin: Style.large
            Layout.topMargin: Style.tiny
            app: root.app
            brief: root.low
            visible: !root.low || !root.pane?.finding
        }
    }
}
