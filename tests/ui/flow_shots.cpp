// SPDX-License-Identifier: Apache-2.0
// The pictures of the flow of a conversation: words found in the chat, messages that wait, the end of the context, and
// a tool that asks.
#include "shots.h"

namespace coterie::tests {
namespace {

using Prepare = std::function<void(WindowFixture&)>;

/// Finds a word that is in several messages of the chat.
void findWord(WindowFixture& fixture) {
    talk(fixture);
    settle();
    key(fixture, Qt::Key_F, Qt::ControlModifier);
    fixture.app()->conversation()->find()->setWords(QStringLiteral("expert"));
    settle();
    key(fixture, Qt::Key_F3, Qt::ShiftModifier);
}

/// Puts messages into the queue while an answer is being written.
void queueUp(WindowFixture& fixture) {
    talk(fixture);
    sendForPart(*fixture.app()->conversation(), 60);
    app::QueuedPrompts* queue = fixture.app()->conversation()->queue();
    queue->add(QStringLiteral("And what happened to the ships?"));
    queue->add(
        QStringLiteral("Please write the whole story once more, in three sentences of at most twelve words each, "
                       "so that a child of six years can follow it without asking what a lighthouse is, and "
                       "then give it a title."));
    fixture.app()->conversation()->setDraft(QStringLiteral("One more thing"));
}

/// Puts a message with files into the queue.
void queueFiles(WindowFixture& fixture) {
    talk(fixture);
    sendForPart(*fixture.app()->conversation(), 60);
    app::Conversation& chat = *fixture.app()->conversation();
    for (const char* name : {"notes.md", "measurements-of-the-third-week-of-october.csv"}) {
        const QString path = QDir(fixture.dataFolder()).filePath(QLatin1String(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write("The lantern is red.\n") < 0) qFatal("no file");
        file.close();
        const int before = chat.files()->count();
        chat.files()->add({QUrl::fromLocalFile(path)});
        waitUntil([&] { return chat.files()->count() > before; });
    }
    chat.queue()->add(QStringLiteral("What do these say about the light?"));
    settle();
}

Prepare queueHeld() {
    return [](WindowFixture& fixture) {
        queueUp(fixture);
        fixture.app()->conversation()->stop();
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    };
}

void fillContext(WindowFixture& fixture) {
    startWithModel(fixture);
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    fixture.app()->conversation()->setDraft(QStringLiteral("And then?"));
    const app::ContextView& context = *fixture.app()->conversation()->context();
    waitUntil([&context] { return context.offers(app::ContextView::LeaveOutOldest); });
}

/// Writes more than the composer shows at once.
void writeMuch(WindowFixture& fixture) {
    talk(fixture);
    fixture.app()->conversation()->setDraft(
        QStringLiteral("Please write the whole story once more, so that a child of six years can follow it. ")
            .repeated(9));
}

/// Sends a message and asks for another answer while no model is open.
void beRefused(WindowFixture& fixture) {
    talk(fixture);
    fixture.app()->models()->close();
    app::Conversation& chat = *fixture.app()->conversation();
    chat.setDraft(QStringLiteral("And then?"));
    chat.send(chat.draft());
    chat.actions()->regenerate(chat.messages()->index(1).data(app::MessageModel::MessageIdRole).toLongLong());
}

/// The model calls a tool, which asks first.
void callTool(WindowFixture& fixture) {
    talk(fixture);
    fixture.app()->settings()->setValue(QStringLiteral("tools"), true);
    send(fixture, QStringLiteral("What is 2*(3+4)?"));
    waitUntil([&fixture] { return fixture.app()->tools()->asking(); });
}

/// The card that says so has no place.
void fillContextOfTwo(WindowFixture& fixture) {
    fillContext(fixture);
    key(fixture, Qt::Key_Backslash, Qt::ControlModifier);
    settle();
    key(fixture, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    app::Conversation& chat = *fixture.app()->conversation();
    chat.setDraft(QStringLiteral("And then?"));
    waitUntil(
        [&chat] { return chat.context()->offers(app::ContextView::LeaveOutOldest) && !chat.context()->draftFits(); });
}

void seeWhatHelps(WindowFixture& fixture) {
    fillContextOfTwo(fixture);
    settle();
    press(fixture, QStringLiteral("No room: see what helps"));
}

/// Finds a word in one of two chats, of which one has room.
void findInOneOfTwo(WindowFixture& fixture) {
    talk(fixture);
    key(fixture, Qt::Key_Backslash, Qt::ControlModifier);
    settle();
    openChat(fixture, 0);
    settle();
    key(fixture, Qt::Key_F, Qt::ControlModifier);
    fixture.app()->conversation()->find()->setWords(QStringLiteral("expert"));
    settle();
    key(fixture, Qt::Key_F3);
}

void shortenView(WindowFixture& fixture) {
    fillContext(fixture);
    settle();
    press(fixture, QStringLiteral("Continue without the oldest turns"));
    settle();
}

} // namespace

QList<Shot> flowShots() {
    return {
        {.name = "find", .prepare = findWord},
        {.name = "find-dark", .theme = "dark", .prepare = findWord},
        {.name = "find-narrow-large", .size = {640, 640}, .scale = 1.6, .prepare = findWord},
        {.name = "find-beside-dark-narrow-large",
         .size = {640, 440},
         .theme = "dark",
         .scale = 2,
         .prepare = findInOneOfTwo},
        {.name = "queued", .script = "story", .prepare = queueUp},
        {.name = "queued-dark", .theme = "dark", .script = "story", .prepare = queueUp},
        {.name = "queued-files", .script = "story", .prepare = queueFiles},
        {.name = "queued-files-dark-narrow-large",
         .size = {640, 700},
         .theme = "dark",
         .scale = 1.6,
         .script = "story",
         .prepare = queueFiles},
        {.name = "queued-held-narrow", .size = {640, 640}, .script = "story", .prepare = queueHeld()},
        {.name = "draft-long", .prepare = writeMuch},
        {.name = "draft-long-dark-narrow-large", .size = {640, 560}, .theme = "dark", .scale = 2, .prepare = writeMuch},
        {.name = "refused", .prepare = beRefused},
        {.name = "refused-dark-narrow-large", .size = {640, 640}, .theme = "dark", .scale = 2, .prepare = beRefused},
        {.name = "tool-question", .script = "tools", .prepare = callTool},
        {.name = "tool-question-dark-narrow-large",
         .size = {640, 640},
         .theme = "dark",
         .scale = 1.6,
         .script = "tools",
         .prepare = callTool},
        {.name = "context-full", .script = "context-full", .prepare = fillContext},
        {.name = "context-full-dark-narrow-large",
         .size = {640, 640},
         .theme = "dark",
         .scale = 1.6,
         .script = "context-full",
         .prepare = fillContext},
        {.name = "context-full-beside-narrow-large",
         .size = {640, 440},
         .scale = 2,
         .script = "context-full",
         .prepare = fillContextOfTwo},
        {.name = "context-full-ways-dark-narrow-large",
         .size = {640, 440},
         .theme = "dark",
         .scale = 2,
         .script = "context-full",
         .prepare = seeWhatHelps},
        {.name = "context-shortened", .script = "context-full", .prepare = shortenView},
        {.name = "context-shortened-dark-narrow",
         .size = {640, 560},
         .theme = "dark",
         .script = "context-full",
         .prepare = shortenView},
    };
}

} // namespace coterie::tests
