// SPDX-License-Identifier: Apache-2.0
// Pictures of the window in all its states, made offscreen over the real application objects. Not a test: for people to
// look at.   coterie-screenshots [--out build/screenshots] [NAME...]
#include "accessible_tree.h"
#include "fakes/fake_session.h"
#include "window_fixture.h"

#include <QCommandLineParser>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QKeyEvent>
#include <QTextStream>

#include <functional>

using namespace coterie;
using coterie::tests::WindowFixture;

namespace {

struct Shot {
    QString name;
    QSize size{1180, 780};
    QString theme = QStringLiteral("light");
    double scale = 1;
    const char* script = "fast"; ///< of the fake engine
    std::function<void(WindowFixture&)> prepare;
};

const char* const kAnswer =
    "A Mixture-of-Experts model keeps many small networks, the experts, and a router that picks a few of "
    "them for every token. So it knows as much as a large model and works as fast as a small one.\n\n"
    "The catch is memory: all experts must be somewhere, even those that rest. Coterie keeps the ones "
    "in use in memory and reads the others from disk when the router asks for them.\n\n"
    "```python\ndef route(scores, k):\n    best = sorted(range(len(scores)), key=lambda e: -scores[e])[:k]\n"
    "    total = sum(scores[e] for e in best)\n    return [(e, scores[e] / total) for e in best]  # weights that "
    "add up to one, whatever the scores were before\n```\n\nThe weights add up to one.";
const char* const kThought =
    "<think>The user wants one sentence. Keep it short.</think>It is the part that decides which experts "
    "see a token.";

const char* const kToolCall =
    "<think>\nI can't know the time, but there is a tool for it.\n</think>\n\nI look at the clock.\n\n"
    "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"city\": \"Lisbon\", \"format\": \"24h\"}}\n</tool_call>\n";

/// A chat as it would stand in the store after a talk.
void addChat(app::ChatStore& store, const QString& title, const QStringList& turns,
             app::MessageState last = app::MessageState::Complete) {
    qint64 chat = 0;
    for (qsizetype i = 0; i + 1 < turns.size(); i += 2) {
        auto turn = store.addTurn(
            {.chat = chat, .title = title, .prompt = turns[i], .model = QStringLiteral("SmallThinker 4B")});
        if (!turn) qFatal("%s", turn.error().line().c_str());
        chat = turn.value().chat;
        app::MessageRow answer = turn.value().answer;
        answer.text = turns[i + 1];
        answer.statistics = {.tokensPerSecond = 12.4, .firstTokenSeconds = 0.31, .tokens = 150};
        answer.state = i + 2 >= turns.size() - 1 ? last : app::MessageState::Complete;
        if (answer.state == app::MessageState::Failed) {
            answer.error =
                app::ErrorInfo(QStringLiteral("The answer broke off"), QStringLiteral("The model's file is gone"),
                               QStringLiteral("Plug the disk in again, then send the message once more"));
        }
        if (!store.finishAnswer(answer)) qFatal("answer not stored");
    }
}

void fillStore(const QString& folder, app::MessageState last = app::MessageState::Complete) {
    auto store = app::ChatStore::open({.folder = folder, .migrations = {}});
    if (!store) qFatal("%s", store.error().line().c_str());
    addChat(*store.value(), QStringLiteral("What time is it?"), {"What time is it in Lisbon?", kToolCall});
    addChat(*store.value(), QStringLiteral("A walk through the Alps with two children and a dog"),
            {"Plan a walk", "Gladly."});
    addChat(*store.value(), QStringLiteral("Sourdough"), {"Why is my bread flat?", "It rose for too long."});
    addChat(*store.value(), QStringLiteral("Long words"),
            {"Is there a longest word? " + QString(300, u'x'), "Donaudampfschifffahrtsgesellschaft is a candidate. " +
                                                                   QString(400, u'y') + "\n```\n" + QString(300, u'z') +
                                                                   "\n```"});
    addChat(*store.value(), QStringLiteral("What is a Mixture of Experts?"),
            {"What is a Mixture of Experts?", kAnswer, "And the router, in one sentence?", kThought}, last);
}

void openChat(WindowFixture& fixture, int row) {
    app::ChatListModel* chats = fixture.app()->chats();
    const QModelIndex index = chats->index(row);
    fixture.app()->conversation()->openChat(chats->data(index, app::ChatListModel::ChatIdRole).toLongLong());
}

/// Long enough for every transition of the window to end.
void settle(int milliseconds = 400) {
    const QDeadlineTimer deadline(milliseconds);
    while (!deadline.hasExpired()) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

/// Waits until `done` or a few seconds have gone.
void waitUntil(const std::function<bool()>& done) {
    QDeadlineTimer deadline(5000);
    while (!done() && !deadline.hasExpired()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
}

QString modelFile(const WindowFixture& fixture,
                  const QString& name = QStringLiteral("SmallThinker-4B-A0.6B-Q4_0.gguf")) {
    const QString path = QDir(fixture.dataFolder()).filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("no model file");
    return path;
}

void waitForModel(const WindowFixture& fixture) {
    using app::ModelController;
    const ModelController* models = fixture.app()->models();
    waitUntil([models] { return models->state() != ModelController::Opening; });
}

/// Starts with a model open, or not to be opened.
void startWithModel(WindowFixture& fixture) {
    fixture.start(modelFile(fixture));
    waitForModel(fixture);
}

/// Starts with the bundled demo model.
void startWithGuide(WindowFixture& fixture) {
    fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
    fixture.start();
    waitForModel(fixture);
}

void key(const WindowFixture& fixture, int code, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
         const QString& text = {}) {
    QKeyEvent press(QEvent::KeyPress, code, modifiers, text);
    QKeyEvent release(QEvent::KeyRelease, code, modifiers, text);
    QCoreApplication::sendEvent(fixture.window(), &press);
    QCoreApplication::sendEvent(fixture.window(), &release);
}

void talk(WindowFixture& fixture) {
    fillStore(fixture.dataFolder());
    startWithModel(fixture);
    openChat(fixture, 0);
}

void send(WindowFixture& fixture, const QString& text) {
    fixture.app()->conversation()->send(text);
    settle(100);
}

/// Presses a button by its name, as its click would.
void press(WindowFixture& fixture, const QString& name) {
    QQuickItem* item = tests::namedItem(fixture.window(), name);
    if (!item) qFatal("no %s", qPrintable(name));
    item->forceActiveFocus(Qt::TabFocusReason);
    key(fixture, Qt::Key_Return);
}

QList<Shot> startShots() {
    const auto start = [](WindowFixture& fixture) { fixture.start(); };
    return {
        {.name = "first-start", .prepare = start},
        {.name = "first-start-dark", .theme = "dark", .prepare = start},
        {.name = "first-start-narrow", .size = {720, 520}, .prepare = start},
        {.name = "first-start-large", .scale = 1.6, .prepare = start},
        {.name = "model-failed", .script = "open-failure", .prepare = startWithModel},
        {.name = "model-ready", .prepare = startWithModel},
        {.name = "model-notes", .script = "notes", .prepare = startWithModel},
        {.name = "model-continues", .theme = "dark", .script = "continues", .prepare = startWithModel},
        {.name = "model-opening",
         .script = "slow",
         .prepare = [](WindowFixture& fixture) { fixture.start(modelFile(fixture)); }},
    };
}

QList<Shot> demoShots() {
    const auto afterAModel = [](WindowFixture& fixture) {
        fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
        startWithModel(fixture);
        fixture.app()->models()->close();
        waitForModel(fixture);
    };
    const auto narrow = [](WindowFixture& fixture) {
        startWithGuide(fixture);
        fixture.app()->settings()->setSidebarWidth(300);
    };
    return {
        {.name = "demo", .prepare = startWithGuide},
        {.name = "demo-dark", .theme = "dark", .prepare = startWithGuide},
        {.name = "demo-large", .scale = 1.6, .prepare = startWithGuide},
        {.name = "demo-narrow", .size = {640, 560}, .prepare = narrow},
        {.name = "demo-narrow-large", .size = {720, 900}, .theme = "dark", .scale = 1.6, .prepare = startWithGuide},
        {.name = "demo-again", .prepare = afterAModel},
        {.name = "demo-failed", .script = "open-failure", .prepare = startWithGuide},
        {.name = "demo-menu",
         .prepare =
             [](WindowFixture& fixture) {
                 fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Model: Scripted"));
             }},
        {.name = "demo-talk",
         .prepare =
             [](WindowFixture& fixture) {
                 startWithGuide(fixture);
                 settle();
                 press(fixture, QStringLiteral("What is an expert cache?"));
                 waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
             }},
    };
}

QList<Shot> talkShots() {
    const auto toolCall = [](WindowFixture& fixture) {
        talk(fixture);
        openChat(fixture, 4);
    };
    const auto failed = [](WindowFixture& fixture) {
        startWithModel(fixture);
        send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    };
    return {
        {.name = "conversation-light", .prepare = talk},
        {.name = "conversation-dark", .theme = "dark", .prepare = talk},
        {.name = "conversation-large", .scale = 1.6, .prepare = talk},
        {.name = "conversation-narrow", .size = {720, 560}, .prepare = talk},
        {.name = "conversation-top",
         .size = {1400, 900},
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 key(fixture, Qt::Key_Tab, Qt::ShiftModifier);
                 key(fixture, Qt::Key_Home);
             }},
        {.name = "no-model",
         .prepare =
             [](WindowFixture& fixture) {
                 fillStore(fixture.dataFolder());
                 fixture.start();
                 openChat(fixture, 0);
             }},
        {.name = "tool-call", .prepare = toolCall},
        {.name = "tool-call-dark-large", .theme = "dark", .scale = 1.6, .prepare = toolCall},
        {.name = "long-words",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 openChat(fixture, 1);
             }},
        {.name = "streaming",
         .script = "story",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
                 settle(2400);
             }},
        {.name = "answer-failed", .script = "disk-lost", .prepare = failed},
        {.name = "answer-failed-dark", .theme = "dark", .script = "disk-lost", .prepare = failed},
    };
}

QList<Shot> pageShots() {
    return {
        {.name = "settings",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_Comma, Qt::ControlModifier);
             }},
        {.name = "settings-dark-large",
         .size = {720, 640},
         .theme = "dark",
         .scale = 1.6,
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_Comma, Qt::ControlModifier);
             }},
        {.name = "offline",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Offline"));
             }},
        {.name = "models",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Model: Scripted"));
             }},
        {.name = "first-start-again",
         .prepare =
             [](WindowFixture& fixture) {
                 startWithModel(fixture);
                 fixture.app()->models()->close();
             }},
        {.name = "shortcuts",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_F1);
             }},
        {.name = "search",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 fixture.app()->chats()->setFilter(QStringLiteral("experts"));
             }},
        {.name = "undo",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 app::ChatListModel* chats = fixture.app()->chats();
                 chats->remove(chats->data(chats->index(2), app::ChatListModel::ChatIdRole).toLongLong());
             }},
    };
}

bool take(const Shot& shot, const QDir& out) {
    WindowFixture fixture(test::fakeFactory(*test::fakeScript(shot.script)));
    shot.prepare(fixture);
    if (!fixture.window()) return false;
    fixture.app()->settings()->setTheme(shot.theme);
    fixture.app()->settings()->setFontScale(shot.scale);
    fixture.window()->resize(shot.size);
    settle();
    return fixture.window()->grabWindow().save(out.filePath(shot.name + QStringLiteral(".png")));
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    QCommandLineParser parser;
    parser.addOption({QStringLiteral("out"), QStringLiteral("Folder for the pictures"), QStringLiteral("folder"),
                      QStringLiteral("build/screenshots")});
    parser.addPositionalArgument(QStringLiteral("names"), QStringLiteral("Which ones; all if none is named"));
    parser.process(application);
    const QDir out(parser.value(QStringLiteral("out")));
    out.mkpath(QStringLiteral("."));
    const QStringList wanted = parser.positionalArguments();
    for (const Shot& shot : startShots() + demoShots() + talkShots() + pageShots()) {
        if (!wanted.isEmpty() && !wanted.contains(shot.name)) continue;
        const bool taken = take(shot, out);
        QTextStream(stdout) << shot.name << (taken ? "" : ": failed") << Qt::endl;
        if (!taken) return 1;
    }
    return 0;
}
