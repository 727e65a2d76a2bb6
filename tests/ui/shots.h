// SPDX-License-Identifier: Apache-2.0
// A picture of coterie-screenshots, and the steps that lead the window into a state. Only its sources use this.
#pragma once

#include "accessible_tree.h"
#include "fakes/fake_packed_files.h"
#include "fakes/fake_session.h"
#include "support/prompt_waits.h"
#include "window_fixture.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QKeyEvent>
#include <QTextStream>

#include <algorithm>
#include <functional>

namespace coterie::tests {

struct Shot {
    QString name;
    QSize size{1180, 780};
    QString theme = QStringLiteral("light");
    double scale = 1;
    const char* script = "fast";  ///< the fake engine's script; nullptr: the real engine with the real guide
    bool paced = false;           ///< the times in the script apply, so that the model is still being opened
    const char* family = nullptr; ///< the real engine has the small model with this name in place of the guide
    std::shared_ptr<test::FakePackedFile> packedFile{};
    std::function<void(WindowFixture&)> prepare;
};

/// The pace of the fake engine in the state that is made: it does all at once, unless a state holds it.
inline std::shared_ptr<test::FakeControl> pace;

inline const char* const kAnswer =
    "A Mixture-of-Experts model keeps many small networks, the experts, and a router that picks a few of "
    "them for every token. So it knows as much as a large model and works as fast as a small one.\n\n"
    "The catch is memory: all experts must be somewhere, even those that rest. Coterie keeps the ones "
    "in use in memory and reads the others from disk when the router asks for them.\n\n"
    "```python\ndef route(scores, k):\n    best = sorted(range(len(scores)), key=lambda e: -scores[e])[:k]\n"
    "    total = sum(scores[e] for e in best)\n    return [(e, scores[e] / total) for e in best]  # weights that "
    "add up to one, whatever the scores were before\n```\n\nThe weights add up to one.";

using Parts = std::vector<app::MessagePart>;
using app::PartKind;

inline const Parts kThought{
    {.kind = PartKind::Thought, .text = "The user wants one sentence. Keep it short."},
    {.kind = PartKind::Text, .text = "It is the part that decides which experts see a token."},
};
inline const Parts kToolCall{
    {.kind = PartKind::Thought, .text = "I can't know the time, but there is a tool for it."},
    {.kind = PartKind::Text, .text = "I look at the clock."},
    {.kind = PartKind::ToolCall, .tool = "get_time", .arguments = "{\"city\": \"Lisbon\", \"format\": \"24h\"}"},
};

struct Turn {
    Turn(QString prompt, const char* answer) : asked(std::move(prompt)), answered(app::textParts(answer)) {}
    Turn(QString prompt, Parts answer) : asked(std::move(prompt)), answered(std::move(answer)) {}

    QString asked;
    Parts answered;
};

/// Adds a chat as the store would have it after a conversation.
inline void addChat(app::ChatStore& store, const QString& title, const std::vector<Turn>& turns,
                    app::MessageState last = app::MessageState::Complete) {
    qint64 chat = 0;
    for (const Turn& said : turns) {
        auto turn = store.addTurn(
            {.chat = chat, .title = title, .prompt = said.asked, .model = QStringLiteral("SmallThinker 4B")});
        if (!turn) qFatal("%s", turn.error().line().c_str());
        chat = turn.value().chat;
        app::MessageRow answer = turn.value().answer;
        answer.parts = said.answered;
        answer.statistics = {.tokensPerSecond = 12.4, .firstTokenSeconds = 0.31, .tokens = 150};
        answer.state = &said == &turns.back() ? last : app::MessageState::Complete;
        if (answer.state == app::MessageState::Failed) {
            answer.error =
                app::ErrorInfo(QStringLiteral("The answer broke off"), QStringLiteral("The model's file is gone"),
                               QStringLiteral("Plug the disk in again, then send the message once more"));
        }
        if (!store.finishAnswer(answer)) qFatal("answer not stored");
    }
}

inline void fillStore(const QString& folder, app::MessageState last = app::MessageState::Complete) {
    auto store = app::ChatStore::open({.folder = folder, .migrations = {}});
    if (!store) qFatal("%s", store.error().line().c_str());
    addChat(*store.value(), QStringLiteral("What time is it?"), {{"What time is it in Lisbon?", kToolCall}});
    addChat(*store.value(), QStringLiteral("A walk through the Alps with two children and a dog"),
            {{"Plan a walk", "Gladly."}});
    addChat(*store.value(), QStringLiteral("Sourdough"), {{"Why is my bread flat?", "It rose for too long."}});
    addChat(*store.value(), QStringLiteral("Long words"),
            {{"Is there a longest word? " + QString(300, u'x'),
              app::textParts("Donaudampfschifffahrtsgesellschaft is a candidate. " + QString(400, u'y') + "\n```\n" +
                             QString(300, u'z') + "\n```")}});
    addChat(*store.value(), QStringLiteral("What is a Mixture of Experts?"),
            {{"What is a Mixture of Experts?", kAnswer}, {"And the router, in one sentence?", kThought}}, last);
}

inline void openChat(WindowFixture& fixture, int row) {
    app::ChatListModel* chats = fixture.app()->chats();
    const QModelIndex index = chats->index(row);
    fixture.app()->conversation()->openChat(chats->data(index, app::ChatListModel::ChatIdRole).toLongLong());
}

/// Waits until the window rests: no picture follows the last one, so its transitions have ended. A window that changed
/// is drawn by a timer of this thread after 5 ms, and transitions go on every 5 ms (quick_animations.h), so that a
/// longer timer of this thread ends after them, also on a slow machine. Some windows never rest: the wait ends after
/// 400 ms. What comes from another thread must be waited for by itself.
inline void settle() {
    constexpr int kQuietMs = 15, kMostMs = 400;
    QEventLoop events;
    QTimer quiet;
    quiet.setSingleShot(true);
    quiet.setTimerType(Qt::PreciseTimer);
    QObject::connect(&quiet, &QTimer::timeout, &events, &QEventLoop::quit);
    for (QWindow* window : QGuiApplication::topLevelWindows())
        if (auto* const shown = qobject_cast<QQuickWindow*>(window))
            QObject::connect(shown, &QQuickWindow::frameSwapped, &quiet, [&quiet] { quiet.start(); });
    QTimer::singleShot(kMostMs, &events, &QEventLoop::quit);
    quiet.start(kQuietMs);
    events.exec();
}

/// Waits until `done` returns true.
inline void waitUntil(const std::function<bool()>& done) {
    if (!waitFor(done)) qFatal("what the state waits for did not happen");
}

/// Waits for the item with this name.
inline QQuickItem* awaited(const WindowFixture& fixture, const QString& name,
                           QAccessible::Role role = QAccessible::NoRole) {
    QQuickItem* item = nullptr;
    waitUntil([&] { return (item = tests::namedItem(fixture.window(), name, role)) != nullptr; });
    return item;
}

inline QString modelFile(const WindowFixture& fixture,
                         const QString& name = QStringLiteral("SmallThinker-4B-A0.6B-Q4_0.gguf")) {
    const QString path = QDir(fixture.dataFolder()).filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("no model file");
    return path;
}

inline void waitForModel(const WindowFixture& fixture) {
    using app::ModelController;
    const ModelController* models = fixture.app()->models();
    waitUntil([models] { return models->state() != ModelController::Opening; });
}

/// Starts with a model; whether it opens depends on the script.
inline void startWithModel(WindowFixture& fixture) {
    fixture.start(modelFile(fixture));
    waitForModel(fixture);
}

/// Starts with the bundled demo model.
inline void startWithGuide(WindowFixture& fixture) {
    fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
    fixture.start();
    waitForModel(fixture);
}

inline void key(const WindowFixture& fixture, int code, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
                const QString& text = {}) {
    QKeyEvent press(QEvent::KeyPress, code, modifiers, text);
    QKeyEvent release(QEvent::KeyRelease, code, modifiers, text);
    QCoreApplication::sendEvent(fixture.window(), &press);
    QCoreApplication::sendEvent(fixture.window(), &release);
}

inline void talk(WindowFixture& fixture) {
    fillStore(fixture.dataFolder());
    startWithModel(fixture);
    openChat(fixture, 0);
}

/// Asks for an answer of which nothing may have been written yet.
inline void send(WindowFixture& fixture, const QString& text) {
    app::Conversation& chat = *fixture.app()->conversation();
    const int before = chat.messages()->count();
    chat.send(text);
    waitUntil([&] { return chat.messages()->count() > before; });
}

/// Asks for a long answer, and holds it when this many characters of it are written.
inline void sendForPart(app::Conversation& chat, qsizetype characters) {
    constexpr int64_t kStep = 4; // tokens, between two looks
    const app::MessageModel& messages = *chat.messages();
    const int before = messages.count();
    pace->hold();
    chat.send(QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&] {
        if (messages.count() <= before + 1 || !pace->waits()) return false;
        const QModelIndex last = messages.index(messages.count() - 1);
        if (last.data(app::MessageModel::TextRole).toString().size() >= characters) return true;
        pace->allow(kStep);
        return false;
    });
}

/// Presses the button with this name, with the same effect as a click.
inline void press(WindowFixture& fixture, const QString& name) {
    awaited(fixture, name)->forceActiveFocus(Qt::TabFocusReason);
    key(fixture, Qt::Key_Return);
}

/// Every page at every width where the layout changes, light and dark: "at-900-models-dark".
QList<Shot> widthShots();
/// Words found in the chat, messages that wait, the end of the context.
QList<Shot> flowShots();
/// Answers of the real guide in the inspector, and the steps of the first look.
QList<Shot> guideShots();
/// Actions on messages.
QList<Shot> messageShots();
/// The inspector of an answer.
QList<Shot> inspectorShots();
/// The same as a page, from one column to three.
QList<Shot> inspectorPageShots();
/// The states of the page of exports and imports.
QList<Shot> exchangeShots();
/// Formatted answers.
QList<Shot> textShots();
/// The settings by scope, presets, and the search in settings.
QList<Shot> settingShots();
/// The list of chats, its menus, and the search of all chats.
QList<Shot> chatShots();
/// Two chats side by side.
QList<Shot> paneShots();
/// The pictures of the top README.md about chats.
QList<Shot> readmeShots();
/// The other states of the pages.
QList<Shot> stateShots();

} // namespace coterie::tests
