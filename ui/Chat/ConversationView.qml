// SPDX-License-Identifier: Apache-2.0
// The messages of the current chat, and a page in their place if it has none (the demo model has a page of its own).
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property Conversation conversation
    required property ModelController models
    readonly property alias following: list.following

    signal inspectWanted(var messageId)
    signal tokenClicked(var messageId, int token)

    readonly property string progress: {
        switch (conversation.state) {
        case Conversation.Waiting:
            return qsTr("Waiting for the answer of another chat");
        case Conversation.Reading:
            return conversation.promptTotal > 0 ? qsTr("Reading %1 of %Ln token(s)", "of the prompt", conversation.promptTotal).arg(conversation.promptDone.toLocaleString(Qt.locale(), "f", 0)) : qsTr("Reading");
        case Conversation.Writing:
            return qsTr("Writing");
        case Conversation.Stopping:
            return qsTr("Stopping");
        }
        return "";
    }

    function toEnd(): void {
        list.toEnd();
    }

    // Selects the next block (1) or the one before (-1), in the message that has the focus or in one after or before it.
    function toBlock(step: int): void {
        let at = list.readIndex;
        if (!list.itemAtIndex(at)?.reading) { // the reader comes from elsewhere: begin at what is in view
            at = list.indexAt(0, step > 0 ? list.contentY + Style.large : list.contentY + list.height - Style.wide);
            if (at < 0)
                at = step > 0 ? 0 : list.count - 1;
        }
        for (; at >= 0 && at < list.count; at += step) {
            if (!list.itemAtIndex(at))
                list.positionViewAtIndex(at, ListView.Contain);
            if (list.itemAtIndex(at)?.selectBlock(step))
                return;
        }
    }

    Connections {
        function onChatChanged() {
            list.toEnd();
        }

        target: root.conversation
    }
    Connections {
        function onRowsAboutToBeInserted(parent, first: int) {
            if (first === 0 && list.count > 0)
                list.keepPlace();
        }
        function onRowsInserted(parent, first: int, last: int) {
            if (first <= list.readIndex)
                list.readIndex += last - first + 1;
        }

        target: root.conversation.messages
    }
    FollowingList {
        id: list

        property int readIndex: -1 // the message that has the focus, or had it last

        // Earlier messages are read when the reader comes near the first one, or if the last ones do not fill the view.
        function readMore(): void {
            const near = !following && contentY - originY < height;
            if (root.conversation.moreBefore && (near || contentHeight <= height))
                Qt.callLater(root.conversation.readMoreBefore); // qmllint disable
        }

        Accessible.name: qsTr("Conversation")
        Accessible.role: Accessible.List
        anchors.fill: parent
        bottomMargin: Style.small
        model: root.conversation.messages
        topMargin: Style.large

        onContentHeightChanged: readMore()
        onContentYChanged: readMore()

        delegate: MessageItem {
            latest: index === list.count - 1
            progress: streaming ? root.progress : ""
            width: list.width
            onHeightChanged: list.followSoon()
            onCopyWanted: messageId => root.conversation.copyMessage(messageId)
            onInspectWanted: messageId => root.inspectWanted(messageId)
            onTokenClicked: (messageId, token) => root.tokenClicked(messageId, token)
            onPlaceWanted: (top, bottom) => list.reveal(y + top, y + bottom)
            onReadingChanged: {
                if (reading)
                    list.readIndex = index;
            }
        }

        FocusRing {
            gap: -Style.ring * 2
            shown: list.Window.activeFocusItem === list
        }
    }
    PushButton {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.small
        anchors.horizontalCenter: parent.horizontalCenter
        iconName: "arrowDown"
        text: qsTr("Jump to latest")
        visible: list.count > 0 && !list.following && !list.atEnd
        onClicked: list.toEnd()
    }
    Column {
        readonly property bool opening: root.models.state === ModelController.Opening

        anchors.centerIn: parent
        spacing: Style.small
        visible: list.count === 0 && !root.models.demo && (root.models.state === ModelController.Ready || opening)
        width: Math.min(parent.width - 2 * Style.wide, Style.cardWidth)

        CoterieMark {
            anchors.horizontalCenter: parent.horizontalCenter
        }
        TitleText {
            elide: Text.ElideMiddle
            horizontalAlignment: Text.AlignHCenter
            text: root.models.name
            topPadding: Style.small
            width: parent.width
        }
        BodyText {
            color: Style.theme.quiet
            horizontalAlignment: Text.AlignHCenter
            text: {
                if (parent.opening)
                    return qsTr("The model is being opened.");
                return root.models.continuesText ? qsTr("This model continues texts: write the beginning of one.") : qsTr("Write the first message below.");
            }
            width: parent.width
            wrapMode: Text.Wrap
        }
        Repeater {
            // Assumptions that were made about the file, and anything unusual in it.
            model: root.models.notes

            SmallText {
                required property string modelData

                horizontalAlignment: Text.AlignHCenter
                text: modelData
                width: parent.width
                wrapMode: Text.Wrap
            }
        }
        ThinGauge {
            anchors.horizontalCenter: parent.horizontalCenter
            value: root.models.progress
            visible: parent.opening
            width: Style.fieldWidth * 2
        }
        PushButton {
            anchors.horizontalCenter: parent.horizontalCenter
            kind: "quiet"
            text: qsTr("Cancel")
            visible: parent.opening
            onClicked: root.models.cancelOpening()
        }
    }
    // Tells screen readers that an answer is complete.
    Announcement {
        id: announcer

        property bool wasBusy: false

        Connections {
            function onStateChanged() {
                if (announcer.wasBusy && !root.conversation.busy)
                    announcer.say(qsTr("The answer has ended"));
                else if (root.conversation.busy && !announcer.wasBusy)
                    announcer.say(qsTr("The model is answering"));
                announcer.wasBusy = root.conversation.busy;
            }

            target: root.conversation
        }
    }
}
