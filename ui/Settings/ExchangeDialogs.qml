// SPDX-License-Identifier: Apache-2.0
// The system's dialogs for the file of an export or import. The page of the exchange asks before a file is replaced, so
// that every desktop asks once.
import QtQuick
import QtQuick.Dialogs
import Coterie.App

Item {
    id: root

    required property App app
    readonly property ChatExchange exchange: app.exchange
    property double chat: 0 // 0: all chats
    property int format: ChatExchange.Json

    // Runs one of the commands of app/shell/exchange_commands.cpp; returns whether it was one.
    function perform(id: string): bool {
        switch (id) {
        case "chat.exportMarkdown":
            exportChat(app.conversation.chatId, ChatExchange.Markdown); // qmllint disable
            return true;
        case "chat.exportBranches":
            exportChat(app.conversation.chatId, ChatExchange.MarkdownWithBranches);
            return true;
        case "chat.exportJson":
            exportChat(app.conversation.chatId, ChatExchange.Json);
            return true;
        case "chats.export":
            exportChat(0, ChatExchange.Json);
            return true;
        case "chats.import":
            source.open();
            return true;
        case "chats.importFolder":
            folder.open();
            return true;
        }
        return false;
    }
    function exportChat(chatId: double, chatFormat: int): void {
        chat = chatId;
        format = chatFormat;
        target.defaultSuffix = chatFormat === ChatExchange.Json ? "json" : "md";
        target.nameFilters = chatFormat === ChatExchange.Json ? [qsTr("JSON (*.json)")] : [qsTr("Markdown (*.md)")];
        target.title = chatId === 0 ? qsTr("Export all chats") : qsTr("Export the chat");
        target.currentFile = target.currentFolder + "/" + encodeURIComponent(exchange.suggestedName(chatId, chatFormat));
        target.open();
    }

    visible: false

    Connections {
        function onFileWanted(chatId: double, chatFormat: int) {
            root.exportChat(chatId, chatFormat);
        }

        target: root.exchange
    }
    FileDialog {
        id: target

        acceptLabel: qsTr("Save")
        fileMode: FileDialog.SaveFile
        options: FileDialog.DontConfirmOverwrite // qmllint disable

        onAccepted: {
            root.app.pages.open(Pages.Exchange);
            if (root.chat === 0)
                root.exchange.exportAll(selectedFile);
            else
                root.exchange.exportChat(root.chat, root.format, selectedFile);
        }
    }
    FileDialog {
        id: source

        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Chats (*.json *.jsonl *.zip)"), qsTr("All files (*)")]
        title: qsTr("Import chats")

        onAccepted: {
            root.app.pages.open(Pages.Exchange);
            root.exchange.importFiles(selectedFiles);
        }
    }
    FolderDialog {
        id: folder

        title: qsTr("Import a folder of chats")

        onAccepted: {
            root.app.pages.open(Pages.Exchange);
            root.exchange.importFile(selectedFolder);
        }
    }
}
