// SPDX-License-Identifier: Apache-2.0
// See window_commands.h.
#include "shell/window_commands.h"

#include "chats/panes.h"
#include "settings/setting_texts.h"
#include "shell/command_list.h"
#include "shell/pages.h"

#include <QCoreApplication>

namespace coterie::app {
namespace {

/// The commands, by group. The class is the context of their texts: lupdate needs one.
class WindowCommands {
    Q_DECLARE_TR_FUNCTIONS(WindowCommands)
  public:
    static void addChatCommands(CommandList& commands);
    static void addSideCommands(CommandList& commands, Panes& panes);
    static void addAnswerCommands(CommandList& commands, Panes& panes);
    static void addFindCommands(CommandList& commands, Panes& panes);
    static void addPageCommands(CommandList& commands, Panes& panes, Pages& pages);
    static void addPaneCommands(CommandList& commands, Pages& pages);
};

void WindowCommands::addChatCommands(CommandList& commands) {
    const QString chats = tr("Chats");
    commands.add({.id = QStringLiteral("chat.new"),
                  .group = chats,
                  .title = tr("New chat"),
                  .keys = {QStringLiteral("Ctrl+N")}});
    commands.add({.id = QStringLiteral("chat.temporary"),
                  .group = chats,
                  .title = tr("New temporary chat"),
                  .keys = {QStringLiteral("Ctrl+Shift+N")}});
    commands.add({.id = QStringLiteral("chat.search"),
                  .group = chats,
                  .title = tr("Search in all chats"),
                  .keys = {QStringLiteral("Ctrl+Shift+F")}});
    commands.add({.id = QStringLiteral("chat.list"),
                  .group = chats,
                  .title = tr("Go to the list of chats"),
                  .keys = {QStringLiteral("Ctrl+K")}});
    commands.add({.id = QStringLiteral("chat.rename"),
                  .group = chats,
                  .title = tr("Rename the chat in the list"),
                  .keys = {QStringLiteral("F2")},
                  .local = true});
    commands.add({.id = QStringLiteral("chat.delete"),
                  .group = chats,
                  .title = tr("Delete the chat in the list"),
                  .keys = {QStringLiteral("Del")},
                  .local = true});
    commands.add({.id = QStringLiteral("chat.select"),
                  .group = chats,
                  .title = tr("Select the chat in the list, or no longer"),
                  .keys = {QStringLiteral("Ctrl+Space")},
                  .local = true});
    commands.add({.id = QStringLiteral("chat.pin"),
                  .group = chats,
                  .title = tr("Pin the chat, or unpin it"),
                  .keys = {QStringLiteral("Ctrl+P")}});
    commands.add({.id = QStringLiteral("chat.move"),
                  .group = chats,
                  .title = tr("Move the chat to a folder"),
                  .keys = {QStringLiteral("Ctrl+Shift+M")}});
    commands.add({.id = QStringLiteral("chat.duplicate"),
                  .group = chats,
                  .title = tr("Duplicate the chat"),
                  .keys = {QStringLiteral("Ctrl+Shift+D")}});
    commands.add({.id = QStringLiteral("chat.folder"), .group = chats, .title = tr("New folder")});
}

void WindowCommands::addSideCommands(CommandList& commands, Panes& panes) {
    const QString chats = tr("Chats");
    commands.add({.id = QStringLiteral("chat.beside"),
                  .group = chats,
                  .title = tr("Show the chat in the list beside the other"),
                  .keys = {QStringLiteral("Ctrl+Return")},
                  .local = true});
    commands.add({.id = QStringLiteral("panes.split"),
                  .group = chats,
                  .title = tr("Show a second chat, or close this one of two"),
                  .keys = {QStringLiteral("Ctrl+\\")},
                  .run = [&panes] {
                      if (panes.split())
                          panes.close(panes.active());
                      else
                          panes.openSecond();
                  }});
    commands.add({.id = QStringLiteral("panes.other"),
                  .group = chats,
                  .title = tr("Go to the chat at the other side"),
                  .keys = {QStringLiteral("F6")},
                  .enabled = [&panes] { return panes.split(); }});
}

void WindowCommands::addAnswerCommands(CommandList& commands, Panes& panes) {
    const QString group = tr("Conversation");
    commands.add({.id = QStringLiteral("message.write"),
                  .group = group,
                  .title = tr("Write a message"),
                  .keys = {QStringLiteral("Ctrl+L")}});
    commands.add({.id = QStringLiteral("message.send"),
                  .group = group,
                  .title = tr("Send the message"),
                  .keys = {QStringLiteral("Enter")},
                  .local = true});
    commands.add({.id = QStringLiteral("message.line"),
                  .group = group,
                  .title = tr("New line in the message"),
                  .keys = {QStringLiteral("Shift+Enter")},
                  .local = true});
    commands.add({.id = QStringLiteral("message.attach"),
                  .group = group,
                  .title = tr("Attach files to the message"),
                  .keys = {QStringLiteral("Ctrl+Shift+A")}});
    commands.add({.id = QStringLiteral("block.next"),
                  .group = group,
                  .title = tr("Select the next paragraph or code"),
                  .keys = {QStringLiteral("Alt+Down")}});
    commands.add({.id = QStringLiteral("block.previous"),
                  .group = group,
                  .title = tr("Select the paragraph or code before"),
                  .keys = {QStringLiteral("Alt+Up")}});
    commands.add({.id = QStringLiteral("answer.stop"),
                  .group = group,
                  .title = tr("Stop the answer"),
                  .keys = {QStringLiteral("Ctrl+.")},
                  .enabled = [&panes] { return panes.active()->busy(); },
                  .run = [&panes] { panes.active()->stop(); }});
    commands.add({.id = QStringLiteral("answer.latest"),
                  .group = group,
                  .title = tr("Jump to the latest message"),
                  .keys = {QStringLiteral("Ctrl+J")}});
}

void WindowCommands::addFindCommands(CommandList& commands, Panes& panes) {
    const QString group = tr("Conversation");
    const auto active = [&panes] { return panes.active()->find()->active(); };
    commands.add({.id = QStringLiteral("find.open"),
                  .group = group,
                  .title = tr("Find in this chat"),
                  .keys = {QStringLiteral("Ctrl+F")}});
    commands.add({.id = QStringLiteral("find.next"),
                  .group = group,
                  .title = tr("Find the next place"),
                  .keys = {QStringLiteral("F3")},
                  .enabled = active,
                  .run = [&panes] { panes.active()->find()->next(); }});
    commands.add({.id = QStringLiteral("find.previous"),
                  .group = group,
                  .title = tr("Find the place before"),
                  .keys = {QStringLiteral("Shift+F3")},
                  .enabled = active,
                  .run = [&panes] { panes.active()->find()->previous(); }});
}

void WindowCommands::addPageCommands(CommandList& commands, Panes& panes, Pages& pages) {
    const QString group = tr("Pages");
    const auto page = [&](const char* id, const QString& title, const QStringList& keys, Pages::Page shown,
                          const QStringList& found = {}) {
        commands.add({.id = QLatin1String(id),
                      .group = group,
                      .title = title,
                      .keys = keys,
                      .run = [&pages, shown] { pages.open(shown); },
                      .found = found});
    };
    page("page.models", tr("Models"), {QStringLiteral("Ctrl+M")}, Pages::Models);
    QStringList settings;
    for (const SettingText& setting : settingTexts()) settings.append(setting.title + u' ' + setting.synonyms);
    page("page.settings", tr("Settings"), {QStringLiteral("Ctrl+,")}, Pages::Settings, settings);
    page("chat.settings", tr("Settings of this chat"), {QStringLiteral("Ctrl+Shift+S")}, Pages::ChatSettings);
    page("page.bin", tr("Bin"), {}, Pages::Bin);
    page("page.exchange", tr("Export and import"), {}, Pages::Exchange);
    page("page.shortcuts", tr("Keyboard shortcuts"), {QStringLiteral("F1"), QStringLiteral("Ctrl+/")},
         Pages::Shortcuts);
    page("page.about", tr("About Coterie"), {}, Pages::About);
    page("page.licences", tr("Licences"), {}, Pages::Licences);
    commands.add({.id = QStringLiteral("page.close"),
                  .group = group,
                  .title = tr("Close the page, or stop the answer"),
                  .keys = {QStringLiteral("Esc")},
                  .enabled =
                      [&] {
                          return pages.palette() || pages.chatsOver() || pages.current() != Pages::Chat ||
                                 panes.active()->find()->active() || panes.active()->busy() ||
                                 panes.active()->error().valid();
                      },
                  .run =
                      [&] {
                          if (pages.palette())
                              pages.setPalette(false);
                          else if (pages.chatsOver())
                              pages.setChatsOver(false);
                          else if (pages.current() != Pages::Chat)
                              pages.close();
                          else if (panes.active()->find()->active())
                              panes.active()->find()->setActive(false);
                          else if (panes.active()->busy())
                              panes.active()->stop();
                          else
                              panes.active()->dismissError();
                      }});
}

void WindowCommands::addPaneCommands(CommandList& commands, Pages& pages) {
    const QString group = tr("Window");
    commands.add({.id = QStringLiteral("model.open"),
                  .group = group,
                  .title = tr("Open a model"),
                  .keys = {QStringLiteral("Ctrl+O")}});
    commands.add({.id = QStringLiteral("window.palette"),
                  .group = group,
                  .title = tr("All commands"),
                  .keys = {QStringLiteral("Ctrl+Shift+P")},
                  .run = [&pages] { pages.setPalette(!pages.palette()); }});
    commands.add({.id = QStringLiteral("window.sidebar"),
                  .group = group,
                  .title = tr("Show or hide the list of chats"),
                  .keys = {QStringLiteral("Ctrl+B")}});
    commands.add({.id = QStringLiteral("window.activity"),
                  .group = group,
                  .title = tr("Show or hide the model's activity"),
                  .keys = {QStringLiteral("Ctrl+I")}});
    commands.add({.id = QStringLiteral("window.activityPage"),
                  .group = group,
                  .title = tr("Show the model's activity as a page"),
                  .keys = {QStringLiteral("Ctrl+Shift+I")}});
    commands.add({.id = QStringLiteral("activity.say"),
                  .group = group,
                  .title = tr("Say what the experts do, for screen readers"),
                  .keys = {QStringLiteral("Ctrl+Shift+E")}});
    commands.add({.id = QStringLiteral("text.larger"),
                  .group = group,
                  .title = tr("Larger text"),
                  .keys = {QStringLiteral("Ctrl++"), QStringLiteral("Ctrl+=")}});
    commands.add({.id = QStringLiteral("text.smaller"),
                  .group = group,
                  .title = tr("Smaller text"),
                  .keys = {QStringLiteral("Ctrl+-")}});
    commands.add({.id = QStringLiteral("text.usual"),
                  .group = group,
                  .title = tr("Text in its usual size"),
                  .keys = {QStringLiteral("Ctrl+0")}});
    commands.add({.id = QStringLiteral("window.quit"),
                  .group = group,
                  .title = tr("Close the program"),
                  .keys = {QStringLiteral("Ctrl+Q")}});
}

} // namespace

void addWindowCommands(CommandList& commands, Panes& panes, Pages& pages) {
    WindowCommands::addChatCommands(commands);
    WindowCommands::addSideCommands(commands, panes);
    WindowCommands::addAnswerCommands(commands, panes);
    WindowCommands::addFindCommands(commands, panes);
    WindowCommands::addPageCommands(commands, panes, pages);
    WindowCommands::addPaneCommands(commands, pages);
    QObject::connect(&panes, &Panes::changed, &commands, &CommandList::refresh);
    QObject::connect(&panes, &Panes::commandsChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::currentChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::paletteChanged, &commands, &CommandList::refresh);
    QObject::connect(&pages, &Pages::chatsOverChanged, &commands, &CommandList::refresh);
}

} // namespace coterie::app
