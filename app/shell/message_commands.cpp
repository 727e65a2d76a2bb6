// SPDX-License-Identifier: Apache-2.0
// See message_commands.h.
#include "shell/message_commands.h"

#include "chats/message_actions.h"
#include "chats/panes.h"
#include "common/undo_stack.h"
#include "shell/command_list.h"
#include "shell/pages.h"

#include <QCoreApplication>

namespace coterie::app {
namespace {

/// Adds commands to a list. It is also the context of the texts here: lupdate needs one.
class MessageCommands {
    Q_DECLARE_TR_FUNCTIONS(MessageCommands)
  public:
    MessageCommands(CommandList& commands, Panes& panes, Pages& pages)
        : commands_(commands), panes_(panes), pages_(pages) {}
    static void addUndo(CommandList& commands, UndoStack& undo);
    void addMessage();

  private:
    using Act = std::function<void(MessageActions&, qint64)>;
    using Can = std::function<bool(MessageActions&, qint64)>;

    static constexpr double kWarmer = 0.3; ///< a step of the temperature that can be noticed

    void addAnswer();
    /// Adds a command that does `act` to the message that has the focus or is the last one, if `can` allows it.
    void add(const char* id, const QString& title, const QStringList& keys, const Act& act, const Can& can = {});

    CommandList& commands_;
    Panes& panes_;
    Pages& pages_;
};

void MessageCommands::add(const char* id, const QString& title, const QStringList& keys, const Act& act,
                          const Can& can) {
    Panes& panes = panes_;
    Pages& pages = pages_;
    commands_.add({.id = QLatin1String(id),
                   .group = tr("Message"),
                   .title = title,
                   .keys = keys,
                   .enabled =
                       [&panes, can] {
                           MessageActions& actions = *panes.active()->actions();
                           return actions.target() != 0 && (!can || can(actions, actions.target()));
                       },
                   .run =
                       [&panes, &pages, act] {
                           MessageActions& actions = *panes.active()->actions();
                           pages.open(Pages::Chat);
                           act(actions, actions.target());
                       }});
}

void MessageCommands::addMessage() {
    add("message.copy", tr("Copy the message as Markdown"), {QStringLiteral("Ctrl+Shift+C")},
        [](MessageActions& actions, qint64 id) { actions.copyMarkdown(id); });
    add("message.copyPlain", tr("Copy the message as plain text"), {},
        [](MessageActions& actions, qint64 id) { actions.copyPlain(id); });
    add("message.edit", tr("Edit your last message, or the one that has the focus"), {QStringLiteral("Ctrl+E")},
        [](MessageActions& actions, qint64) { actions.beginEdit(actions.editTarget()); });
    addAnswer();
    add("message.fork", tr("Fork into a new chat"), {QStringLiteral("Ctrl+Shift+B")},
        [](MessageActions& actions, qint64 id) { actions.fork(id); });
    add("message.delete", tr("Delete the message and what follows"), {QStringLiteral("Ctrl+Shift+Del")},
        [](MessageActions& actions, qint64 id) { actions.remove(id); });
    commands_.add({.id = QStringLiteral("message.deleteFocused"),
                   .group = tr("Message"),
                   .title = tr("Delete the message that has the focus"),
                   .keys = {QStringLiteral("Del")},
                   .local = true});
    QObject::connect(&panes_, &Panes::commandsChanged, &commands_, &CommandList::refresh);
}

/// Adds what concerns how an answer was written.
void MessageCommands::addAnswer() {
    add("message.regenerate", tr("Regenerate the answer"), {QStringLiteral("Ctrl+R")},
        [](MessageActions& actions, qint64 id) { actions.regenerate(id); });
    add("message.warmer", tr("Regenerate the answer, more varied"), {},
        [](MessageActions& actions, qint64 id) { actions.regenerateWarmer(id, kWarmer); });
    add("message.cooler", tr("Regenerate the answer, more predictable"), {},
        [](MessageActions& actions, qint64 id) { actions.regenerateWarmer(id, -kWarmer); });
    add(
        "message.continue", tr("Continue the answer"), {QStringLiteral("Ctrl+Shift+Return")},
        [](MessageActions& actions, qint64 id) { actions.continueAnswer(id); },
        [](MessageActions& actions, qint64 id) { return actions.canContinue(id); });
    const auto answers = [](MessageActions& actions, qint64 id) { return actions.hasTokens(id); };
    add(
        "message.alternatives", tr("Show alternatives for the words of the answer"), {QStringLiteral("Ctrl+T")},
        [](MessageActions& actions, qint64 id) { actions.showAlternatives(id); }, answers);
    add(
        "message.tint", tr("Colour the words of the answer by probability, or no longer"),
        {QStringLiteral("Ctrl+Shift+T")}, [](MessageActions& actions, qint64 id) { actions.toggleTint(id); }, answers);
    for (const int step : {-1, 1})
        add(
            step < 0 ? "message.previousVersion" : "message.nextVersion",
            step < 0 ? tr("Show the version before") : tr("Show the next version"),
            {step < 0 ? QStringLiteral("Alt+Left") : QStringLiteral("Alt+Right")},
            [step](MessageActions& actions, qint64 id) { actions.showVersion(id, step); },
            [step](MessageActions& actions, qint64 id) { return actions.canShow(id, step); });
}

void MessageCommands::addUndo(CommandList& commands, UndoStack& undo) {
    const QString group = tr("Undo");
    commands.add(
        {.id = QStringLiteral("edit.undo"),
         .group = group,
         .title = tr("Undo"),
         .keys = {QStringLiteral("Ctrl+Z")},
         .enabled = [&undo] { return !undo.undoTitle().isEmpty(); },
         .run = [&undo] { undo.undo(); },
         .fullTitle =
             [&undo] { return undo.undoTitle().isEmpty() ? QString() : tr("Undo: %1").arg(undo.undoTitle()); }});
    commands.add(
        {.id = QStringLiteral("edit.redo"),
         .group = group,
         .title = tr("Redo"),
         .keys = {QStringLiteral("Ctrl+Shift+Z"), QStringLiteral("Ctrl+Y")},
         .enabled = [&undo] { return !undo.redoTitle().isEmpty(); },
         .run = [&undo] { undo.redo(); },
         .fullTitle =
             [&undo] { return undo.redoTitle().isEmpty() ? QString() : tr("Redo: %1").arg(undo.redoTitle()); }});
    QObject::connect(&undo, &UndoStack::changed, &commands, &CommandList::refresh);
}

} // namespace

void addMessageCommands(CommandList& commands, Panes& panes, Pages& pages) {
    MessageCommands(commands, panes, pages).addMessage();
}

void addUndoCommands(CommandList& commands, UndoStack& undo) { MessageCommands::addUndo(commands, undo); }

} // namespace coterie::app
