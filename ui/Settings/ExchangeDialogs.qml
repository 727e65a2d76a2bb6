// SPDX-License-Identifier: Apache-2.0
// The system's dialogs for the file of an export or import. The window itself asks before a file is replaced, so that
// every desktop asks once.
import QtQuick
import QtQuick.Dialogs
import Coterie.App
import Coterie.Style

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
        case "chats.exportMarkdown":
            folder.ask(true);
            return true;
        case "chats.import":
            source.ask("");
            return true;
        case "chats.importFolder":
            folder.ask(false);
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
        target.ask(exchange.suggestedName(chatId, chatFormat));
    }

    visible: false

    Connections {
        function onFileWanted(chatId: double, chatFormat: int) {
            root.exportChat(chatId, chatFormat);
        }

        target: root.exchange
    }
    SaveDialog {
        id: target

        // The page of the chats says what comes of one of them (ExportNotice.qml): its reader stays there.
        onChosen: file => {
            if (root.chat === 0)
                root.app.pages.open(Pages.Exchange);
            else if (root.app.pages.current !== Pages.Exchange)
                root.app.pages.open(Pages.Chat);
            if (root.chat === 0)
                root.exchange.exportAll(file);
            else
                root.exchange.exportChat(root.chat, root.format, file);
        }
    }
    OpenDialog {
        id: source

        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Chats (*.json *.jsonl *.zip)"), qsTr("All files (*)")]
        title: qsTr("Import chats")

        onChosen: files => {
            root.app.pages.open(Pages.Exchange);
            root.exchange.importFiles(files);
        }
    }
    FolderDialog {
        id: folder

        property bool forExport: false

        title: forExport ? qsTr("Export all chats as Markdown") : qsTr("Import a folder of chats")

        function ask(exporting: bool): void {
            forExport = exporting;
            currentFolder = toolkit.startFolder();
            open();
        }
        function finish(): void {
            toolkit.keepFolderOf(selectedFolder);
            root.app.pages.open(Pages.Exchange);
            if (forExport)
                root.exchange.exportFolder(selectedFolder);
            else
                root.exchange.importFile(selectedFolder);
        }

        onAccepted: Qt.callLater(finish) // qmllint disable
        onVisibleChanged: SharedTip.covered = visible

        ToolkitDialog {
            id: toolkit

            dialog: folder
        }
    }
}
