// SPDX-License-Identifier: Apache-2.0
// See window_commands.h.
#include "shell/window_commands.h"

#include "chats/panes.h"
#include "chats/tool_runner.h"
#include "settings/setting_texts.h"
#include "shell/app.h"
#include "shell/command_list.h"
#include "shell/pages.h"

#include <QCoreApplication>
#include <utility>

namespace coterie::app {
namespace {

/// Adds commands that have the same heading.
class CommandGroup {
  public:
    CommandGroup(CommandList& commands, QString name) : commands_(commands), name_(std::move(name)) {}

    /// Without `run`, the window runs the command; without `enabled`, it can always be run.
    void add(const QString& id, const QString& title, const QStringList& keys, std::function<void()> run = {},
             std::function<bool()> enabled = {}) const {
        commands_.add({.id = id,
                       .group = name_,
                       .title = title,
                       .keys = keys,
                       .enabled = std::move(enabled),
                       .run = std::move(run)});
    }
    /// A command whose keys the focused item handles itself.
    void list(const QString& id, const QString& title, const QStringList& keys) const {
        commands_.add({.id = id, .group = name_, .title = title, .keys = keys, .local = true});
    }

  private:
    CommandList& commands_;
    QString name_;
};

/// The commands, by group. The class is the context of their texts: lupdate needs one.
class WindowCommands {
    Q_DECLARE_TR_FUNCTIONS(WindowCommands)
  public:
    static void addChatCommands(CommandList& commands);
    static void addSideCommands(CommandList& commands, Panes& panes, Pages& pages);
    static void addAnswerCommands(CommandList& commands, Panes& panes);
    static void addFindCommands(CommandList& commands, Panes& panes);
    static void addPageCommands(CommandList& commands, Pages& pages);
    static void addCloseCommand(CommandList& commands, App& app);
    static void addPaneCommands(CommandList& commands, Pages& pages);
};

void WindowCommands::addChatCommands(CommandList& commands) {
    const CommandGroup group(commands, tr("Chats"));
    group.add("chat.new", tr("New chat"), {"Ctrl+N"});
    group.add("chat.temporary", tr("New temporary chat"), {"Ctrl+Shift+N"});
    group.add("chat.search", tr("Search in all chats"), {"Ctrl+Shift+F"});
    group.add("chat.list", tr("Go to the list of chats"), {"Ctrl+K"});
    group.list("chat.rename", tr("Rename the chat in the list"), {"F2"});
    group.list("chat.delete", tr("Delete the chat in the list"), {"Del"});
    group.list("chat.select", tr("Select the chat in the list, or no longer"), {"Ctrl+Space"});
    group.add("chat.pin", tr("Pin the chat, or unpin it"), {"Ctrl+P"});
    group.add("chat.move", tr("Move the chat to a folder"), {"Ctrl+Shift+M"});
    group.add("chat.duplicate", tr("Duplicate the chat"), {"Ctrl+Shift+D"});
    group.add("chat.folder", tr("New folder"), {});
}

/// A page that covers the chats is closed first: nobody would see what the key has done, and write into a chat behind
/// it. Two chats that it has covered stay.
void WindowCommands::addSideCommands(CommandList& commands, Panes& panes, Pages& pages) {
    const CommandGroup group(commands, tr("Chats"));
    group.list("chat.beside", tr("Show the chat in the list beside the other"), {"Ctrl+Return"});
    group.add("panes.split", tr("Show a second chat, or close this one of two"), {"Ctrl+\\"}, [&panes, &pages] {
        const bool covered = pages.current() != Pages::Chat;
        pages.open(Pages::Chat);
        if (!panes.split())
            panes.openSecond();
        else if (!covered)
            panes.close(panes.active());
    });
    group.add("panes.other", tr("Go to the chat at the other side"), {"F6"}, {}, [&panes] { return panes.split(); });
}

void WindowCommands::addAnswerCommands(CommandList& commands, Panes& panes) {
    const CommandGroup group(commands, tr("Conversation"));
    group.add("message.write", tr("Write a message"), {"Ctrl+L"});
    group.list("message.send", tr("Send the message"), {"Enter"});
    group.list("message.line", tr("New line in the message"), {"Shift+Enter"});
    group.add("message.attach", tr("Attach files to the message"), {"Ctrl+Shift+A"});
    group.add("block.next", tr("Select the next paragraph or code"), {"Alt+Down"});
    group.add("block.previous", tr("Select the paragraph or code before"), {"Alt+Up"});
    const auto busy = [&panes] { return panes.active()->busy(); };
    const auto stop = [&panes] { panes.active()->stop(); };
    group.add("answer.stop", tr("Stop the answer"), {"Ctrl+."}, stop, busy);
    group.add("answer.latest", tr("Jump to the latest message"), {"Ctrl+J"});
}

void WindowCommands::addFindCommands(CommandList& commands, Panes& panes) {
    const CommandGroup group(commands, tr("Conversation"));
    const auto active = [&panes] { return panes.active()->find()->active(); };
    group.add("find.open", tr("Find in this chat"), {"Ctrl+F"});
    const auto next = [&panes] { panes.active()->find()->next(); };
    const auto previous = [&panes] { panes.active()->find()->previous(); };
    group.add("find.next", tr("Find the next place"), {"F3"}, next, active);
    group.add("find.previous", tr("Find the place before"), {"Shift+F3"}, previous, active);
}

void WindowCommands::addPageCommands(CommandList& commands, Pages& pages) {
    const auto page = [&](const QString& id, const QString& title, const QStringList& keys, Pages::Page shown,
                          const QString& words, const QStringList& found = {}) {
        commands.add({.id = id,
                      .group = tr("Pages"),
                      .title = title,
                      .keys = keys,
                      .run = [&pages, shown] { pages.open(shown); },
                      .found = found,
                      .pageWords = words});
    };
    page("page.models", tr("Models"), {"Ctrl+M"}, Pages::Models, tr("GGUF, model files, demo model, open, recent"));
    QStringList settings;
    for (const SettingText& setting : settingTexts()) settings.append(setting.title + u' ' + setting.synonyms);
    page("page.settings", tr("Settings"), {"Ctrl+,"}, Pages::Settings, {}, settings);
    page("chat.settings", tr("Settings of this chat"), {"Ctrl+Shift+S"}, Pages::ChatSettings, {});
    page("page.bin", tr("Bin"), {}, Pages::Bin, tr("deleted chats, deleted messages, trash, restore, erase"));
    page("page.exchange", tr("Export and import"), {}, Pages::Exchange,
         tr("backup, other computer, Markdown, JSON, ChatGPT, LM Studio, Jan, llama.cpp"));
    page("page.shortcuts", tr("Keyboard shortcuts"), {"F1", "Ctrl+/"}, Pages::Shortcuts, tr("keys, hotkeys"));
    page("page.about", tr("About Coterie"), {}, Pages::About, tr("version, offline, network, privacy"));
    page("page.licences", tr("Licences"), {}, Pages::Licences, tr("licenses, libraries, copyright, free software"));
}

/// Esc ends one thing at a time. It answers a question in the chat so that nothing is lost and no tool is run. A card
/// comes before what it may cover or be about, such as the answer that is being written.
void WindowCommands::addCloseCommand(CommandList& commands, App& app) {
    const CommandGroup group(commands, tr("Pages"));
    Panes& panes = *app.panes();
    Pages& pages = *app.pages();
    ToolRunner& tools = *app.tools();
    const auto toolAsks = [&panes, &tools] { return tools.asking() && tools.chat() == panes.active()->chatId(); };
    // The panel of other words is open, or a click on a word would open it.
    const auto choosesWords = [&panes] {
        const TokenAlternatives& alternatives = *panes.active()->alternatives();
        return alternatives.state() != TokenAlternatives::Closed || alternatives.mode() != 0;
    };
    const auto closes = [&app, &panes, &pages, toolAsks, choosesWords] {
        return pages.palette() || pages.chatsOver() || pages.current() != Pages::Chat ||
               panes.active()->asksToLeave() || panes.active()->hasCard() || app.hasCard() || toolAsks() ||
               choosesWords() || panes.active()->find()->active() || panes.active()->queue()->editing() ||
               panes.active()->busy();
    };
    const auto close = [&app, &panes, &pages, &tools, toolAsks, choosesWords] {
        if (pages.palette())
            pages.setPalette(false);
        else if (pages.chatsOver())
            pages.setChatsOver(false);
        else if (pages.current() != Pages::Chat)
            pages.close();
        else if (panes.active()->asksToLeave())
            panes.active()->stay();
        else if (panes.active()->hasCard())
            panes.active()->closeCard();
        else if (app.hasCard())
            app.closeCard();
        else if (choosesWords()) {
            panes.active()->alternatives()->setMode(0);
            panes.active()->alternatives()->close();
        } else if (panes.active()->find()->active())
            panes.active()->find()->setActive(false);
        else if (toolAsks())
            tools.refuse(false);
        else if (panes.active()->queue()->editing())
            panes.active()->queue()->leaveEdit();
        else
            panes.active()->stop();
    };
    group.add("page.close", tr("Close the page, or stop the answer"), {"Esc"}, close, closes);
    QObject::connect(&tools, &ToolRunner::changed, &commands, &CommandList::refresh);
    QObject::connect(&panes, &Panes::asksToLeaveChanged, &commands, &CommandList::refresh);
    QObject::connect(&app, &App::cardsChanged, &commands, &CommandList::refresh);
}

void WindowCommands::addPaneCommands(CommandList& commands, Pages& pages) {
    const CommandGroup group(commands, tr("Window"));
    group.add("model.open", tr("Open a model"), {"Ctrl+O"});
    const auto togglePalette = [&pages] { pages.setPalette(!pages.palette()); };
    group.add("window.palette", tr("All commands"), {"Ctrl+Shift+P"}, togglePalette);
    group.add("window.sidebar", tr("Show or hide the list of chats"), {"Ctrl+B"});
    group.add("window.activity", tr("Show or hide the model's activity"), {"Ctrl+I"});
    group.add("window.activityPage", tr("Show the model's activity as a page"), {"Ctrl+Shift+I"});
    group.add("activity.say", tr("Say what the experts do, for screen readers"), {"Ctrl+Shift+E"});
    group.add("text.larger", tr("Larger text"), {"Ctrl++", "Ctrl+="});
    group.add("text.smaller", tr("Smaller text"), {"Ctrl+-"});
    group.add("text.usual", tr("Text in its usual size"), {"Ctrl+0"});
    group.add("window.quit", tr("Close the program"), {"Ctrl+Q"});
}

} // namespace

void addWindowCommands(CommandList& commands, App& app) {
    Panes& panes = *app.panes();
    Pages& pages = *app.pages();
    WindowCommands::addChatCommands(commands);
    WindowCommands::addSideCommands(commands, panes, pages);
    WindowCommands::addAnswerCommands(commands, panes);
    WindowCommands::addFindCommands(commands, panes);
    WindowCommands::addPageCommands(commands, pages);
    WindowCommands::addCloseCommand(commands, app);
    WindowCommands::addPaneCommands(commands, pages);
    QObject::connect(&panes, &Panes::changed, &commands, &CommandList::refresh);
    QObject::connect(&panes, &Panes::commandsChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::currentChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::paletteChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::chatsOverChanged, &commands, &CommandList::refresh);
}

} // namespace coterie::app
