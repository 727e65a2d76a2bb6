// SPDX-License-Identifier: Apache-2.0
// See exchange_commands.h.
#include "shell/exchange_commands.h"

#include "chats/chat_exchange.h"
#include "chats/panes.h"
#include "shell/command_list.h"

#include <QCoreApplication>

namespace coterie::app {
namespace {

/// The class is the context of the commands' texts: lupdate needs one.
class ExchangeCommands {
    Q_DECLARE_TR_FUNCTIONS(ExchangeCommands)
  public:
    static void add(CommandList& commands, Panes& panes, ChatExchange& exchange);
};

void ExchangeCommands::add(CommandList& commands, Panes& panes, ChatExchange& exchange) {
    const auto command = [&](const char* id, const QString& title, std::function<bool()> enabled) {
        commands.add(
            {.id = QLatin1String(id), .group = tr("Export and import"), .title = title, .enabled = std::move(enabled)});
    };
    // A temporary chat is never written to the disk: it is kept first.
    const auto hasChat = [&] {
        return panes.active()->chatId() != 0 && !panes.active()->temporary() && !exchange.busy();
    };
    const auto free = [&] { return !exchange.busy(); };
    command("chat.exportMarkdown", tr("Export this chat as Markdown"), hasChat);
    command("chat.exportBranches", tr("Export this chat with all branches as Markdown"), hasChat);
    command("chat.exportJson", tr("Export this chat as JSON"), hasChat);
    command("chats.export", tr("Export all chats"), free);
    command("chats.exportMarkdown", tr("Export all chats as Markdown"), free);
    command("chats.import", tr("Import chats"), free);
    command("chats.importFolder", tr("Import a folder of chats"), free);
}

} // namespace

void addExchangeCommands(CommandList& commands, Panes& panes, ChatExchange& exchange) {
    ExchangeCommands::add(commands, panes, exchange);
    QObject::connect(&panes, &Panes::commandsChanged, &commands, &CommandList::refresh);
    QObject::connect(&exchange, &ChatExchange::changed, &commands, &CommandList::refresh);
}

} // namespace coterie::app
