// SPDX-License-Identifier: Apache-2.0
// The page of exports and imports: the buttons, what an export contains, the progress of the job that runs, and its
// result.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property ChatExchange exchange: app.exchange
    readonly property bool asking: exchange.state === ChatExchange.Asking
    readonly property bool hasChat: app.conversation.chatId !== 0 && !app.conversation.temporary // qmllint disable

    property Item needed: null // the button of the state that has the focus, and vanishes with the state

    // The focus goes to the button that is needed next; another one may have vanished under it. The question takes the
    // focus itself.
    function followState(): void {
        spoken.text = ""; // it was about the state before
        if (!visible)
            return;
        const before = needed;
        needed = exchange.busy ? stop : exchange.state === ChatExchange.Done ? close : null;
        if (needed)
            needed.forceActiveFocus(Qt.ShortcutFocusReason);
        else if (before && !asking)
            source.forceActiveFocus(Qt.ShortcutFocusReason);
        if (exchange.state === ChatExchange.Done)
            spoken.say(exchange.result);
    }

    title: qsTr("Export and import")

    Connections {
        function onChanged() {
            Qt.callLater(root.followState); // qmllint disable
        }

        target: root.exchange
    }
    Announcement {
        id: spoken
    }
    GroupHeading {
        text: qsTr("Export")
        width: parent.width
    }
    SettingRow {
        hint: qsTr("One JSON file with every chat, all branches, attached files, folders and settings. Coterie can import it on any computer.")
        title: qsTr("All chats")

        PushButton {
            enabled: !root.exchange.busy
            text: qsTr("Export all chats\u2026")
            onClicked: root.app.commands.run("chats.export")
        }
    }
    SettingRow {
        title: qsTr("Also what is in the bin")

        ChoiceBar {
            label: qsTr("Also what is in the bin")
            options: [
                {
                    value: "off",
                    text: qsTr("Leave out")
                },
                {
                    value: "on",
                    text: qsTr("Include")
                }
            ]
            value: root.exchange.withBin ? "on" : "off"
            onChosen: value => root.exchange.withBin = value === "on"
        }
    }
    SettingRow {
        hint: qsTr("What the experts did with each answer. This can make the file many times as large.")
        title: qsTr("Records of answers")

        ChoiceBar {
            label: qsTr("Records of answers")
            options: [
                {
                    value: "off",
                    text: qsTr("Leave out")
                },
                {
                    value: "on",
                    text: qsTr("Include")
                }
            ]
            value: root.exchange.withRecords ? "on" : "off"
            onChosen: value => root.exchange.withRecords = value === "on"
        }
    }
    SettingRow {
        hint: qsTr("One Markdown file for each chat, in a folder that you choose. No file in it is replaced. Markdown is for reading: it can't be imported.")
        title: qsTr("All chats for reading")

        PushButton {
            enabled: !root.exchange.busy
            text: qsTr("Export as Markdown\u2026")
            onClicked: root.app.commands.run("chats.exportMarkdown")
        }
    }
    SettingRow {
        hint: root.hasChat ? root.app.conversation.title : qsTr("Open a chat to export it alone. A temporary chat must be kept first.")
        title: qsTr("The open chat")

        PushButton {
            enabled: !root.exchange.busy && root.hasChat
            text: qsTr("As Markdown\u2026")
            onClicked: root.app.commands.run("chat.exportMarkdown")
        }
        PushButton {
            enabled: !root.exchange.busy && root.hasChat
            text: qsTr("As JSON\u2026")
            onClicked: root.app.commands.run("chat.exportJson")
        }
    }
    HairLine {
        width: parent.width
    }
    GroupHeading {
        text: qsTr("Import")
        width: parent.width
    }
    SettingRow {
        hint: qsTr("Exports of Coterie, ChatGPT (the zip file or conversations.json), LM Studio, Jan (thread.json, or a thread exported as JSON) and llama.cpp's web page (JSONL, JSON or the zip file). Chats that are here already are not doubled.")
        title: qsTr("Chats from files")

        PushButton {
            id: source

            enabled: !root.exchange.busy
            text: qsTr("Import chats\u2026")
            onClicked: root.app.commands.run("chats.import")
        }
    }
    SettingRow {
        hint: qsTr("LM Studio and Jan keep a file for each chat. Choose their folder of chats: .lmstudio/conversations in your home folder, or threads in the data folder of Jan. Other files in it are passed over.")
        title: qsTr("All chats of LM Studio or Jan")

        PushButton {
            enabled: !root.exchange.busy
            text: qsTr("Import a folder\u2026")
            onClicked: root.app.commands.run("chats.importFolder")
        }
    }
    HairLine {
        visible: root.exchange.state !== ChatExchange.Idle
        width: parent.width
    }
    ReplaceQuestion {
        asking: root.asking
        file: NameText.isolated(root.exchange.file)
        width: parent.width
        onAnswered: replace => {
            if (replace)
                root.exchange.replaceFile();
            else
                root.exchange.dismiss();
        }
        onFocusLost: source.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    SettingRow {
        hint: root.exchange.file
        title: root.exchange.state === ChatExchange.Importing ? qsTr("Importing: %1 done").arg(Units.share(root.exchange.progress)) : qsTr("Exporting: %1 done").arg(Units.share(root.exchange.progress))
        visible: root.exchange.busy

        PushButton {
            id: stop

            text: qsTr("Stop")
            onClicked: root.exchange.cancel()
        }
    }
    ThinGauge {
        value: root.exchange.progress
        visible: root.exchange.busy
        width: parent.width
    }
    SettingRow {
        title: root.exchange.result
        visible: root.exchange.state === ChatExchange.Done

        PushButton {
            id: close

            text: qsTr("Close")
            onClicked: root.exchange.dismiss()
        }
    }
    Repeater {
        model: root.exchange.problems

        SmallText {
            required property string modelData

            text: modelData
            width: parent?.width ?? 0
            wrapMode: Text.Wrap
        }
    }
    SmallText {
        text: root.exchange.file
        visible: root.exchange.state === ChatExchange.Done || root.exchange.state === ChatExchange.Failed
        width: parent.width
        wrapMode: Text.WrapAnywhere
    }
    ErrorCard {
        action: root.exchange.error.action
        dismissable: true
        visible: root.exchange.error.valid
        what: root.exchange.error.what
        why: root.exchange.error.why
        width: parent.width
        onDismissed: root.exchange.dismiss()
    }
}
