// SPDX-License-Identifier: Apache-2.0
// Measures the window with a long chat and many chats, drawn by software over the fake engine: opening a chat of N
// messages by a click, scrolling to its start, finishing an answer while the sidebar lists M chats, and a search that
// finds all of them but one. Prints one JSON object a line.
//
//     bench_window [--messages 10000] [--chats 5000]
#include "fakes/fake_session.h"
#include "gui_clock.h"
#include "store/chat_store.h"
#include "ui/window_fixture.h"
#include "window_bench.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace {

using coterie::app::ChatListModel;
using coterie::app::ChatStore;
using coterie::app::Conversation;
using coterie::app::MessageState;
using coterie::bench::BlockClock;
using coterie::bench::print;
using coterie::bench::settle;
using coterie::bench::threadMs;

constexpr int kPatienceMs = 120000;

const QString kPrompt = QStringLiteral("What did the keeper of the lighthouse count in the morning of day %1?");
/// Answers have these beside their words, in turns.
const std::array kInserts{
    QStringLiteral("```cpp\nint ships(int day) {\n    return day % 7 + %1;\n}\n```"),
    QStringLiteral(
        "| ship | from | day |\n| --- | --- | ---: |\n| **Clara** | the west | %1 |\n| Ida | `north` | %1 |"),
    QStringLiteral("$$\\sum_{i=1}^{%1} \\frac{s_i}{\\sqrt{i}}$$"),
    QStringLiteral("- the *Clara*, with wool\n- the *Ida*, with $x^2 + %1$ barrels\n    1. of oil\n    2. of wine"),
};

QString answerOf(int day) {
    return QStringLiteral(
               "On day %1 the keeper counted the ships that had come in during the night, and wrote their names "
               "in a book. The fog had been thick, so some of them lay far out.\n\n%2\n\nIn the evening he "
               "counted them again, and the number was never the same.")
        .arg(QString::number(day), kInserts[static_cast<size_t>(day) % kInserts.size()].arg(day));
}

/// Adds a turn; returns its chat, 0 after an error.
qint64 say(ChatStore& store, qint64 chat, const QString& title, const QString& prompt, const QString& answer) {
    auto turn = store.addTurn({.chat = chat, .title = title, .prompt = prompt, .model = QStringLiteral("Demo model")});
    if (!turn) return 0;
    turn->answer.parts = coterie::app::textParts(answer);
    turn->answer.state = MessageState::Complete;
    return store.finishAnswer(turn->answer) ? turn->chat : 0;
}

/// One long chat, which is the newest, and many short ones; all but the first of these tell of a harbour.
bool fill(const QString& folder, int messages, int chats) {
    auto opened = ChatStore::open({.folder = folder, .migrations = {}});
    if (!opened) return false;
    ChatStore& store = *opened.value();
    for (int i = 1; i < chats; ++i) {
        const QString answer = i == 1 ? QStringLiteral("It is quiet.") : QStringLiteral("The harbour is quiet.");
        if (say(store, 0, QStringLiteral("Chat %1").arg(i), kPrompt.arg(i), answer) == 0) return false;
    }
    qint64 chat = 0;
    for (int i = 0; i < messages / 2; ++i) {
        const QString answer = i == 0 ? QStringLiteral("The harbour was full.") : answerOf(i);
        chat = say(store, chat, QStringLiteral("The long chat"), kPrompt.arg(i), answer);
        if (chat == 0) return false;
    }
    return true;
}

class Bench {
  public:
    Bench(int messages, int chats) : messages_(messages), chats_(chats) {}

    bool start() {
        const QString model = QDir(fixture_.dataFolder()).filePath(QStringLiteral("model.gguf"));
        QFile file(model);
        if (!file.open(QIODevice::WriteOnly) || !fill(fixture_.dataFolder(), messages_, chats_)) return false;
        if (!fixture_.start(model)) return false;
        app().conversation()->newChat();
        window().resize(1100, 760);
        return QTest::qWaitFor([&] { return app().models()->state() == coterie::app::ModelController::Ready; },
                               kPatienceMs);
    }

    /// The first opening makes the first messages of the program; later ones are what a person waits for all day.
    bool openLongChat() {
        constexpr int kAgain = 9;
        const auto first = open();
        std::vector<double> shown, longest;
        for (int i = 0; first && i < kAgain; ++i) {
            app().conversation()->newChat();
            const auto again = open();
            if (!again) return false;
            shown.push_back(again->shownMs);
            longest.push_back(again->longestMs);
        }
        if (!first) return false;
        print({{QStringLiteral("step"), QStringLiteral("last page")},
               {QStringLiteral("messages"), messages_},
               {QStringLiteral("shown_ms"), first->shownMs},
               {QStringLiteral("longest_block_ms"), first->longestMs},
               {QStringLiteral("again_shown_ms"), coterie::bench::median(shown)},
               {QStringLiteral("again_longest_block_ms"), coterie::bench::median(longest)}});
        return true;
    }

    /// Presses PageUp until the first message is in view.
    bool scrollToStart() {
        QQuickItem* list = conversationList();
        if (!list) return false;
        list->forceActiveFocus();
        settle(window());
        const int itemsBefore = items();
        int itemsMost = itemsBefore, keys = 0;
        std::vector<double> blocks;
        while (app().conversation()->moreBefore() || !atStart(*list)) {
            clock_.restart();
            QTest::keyClick(&window(), Qt::Key_PageUp);
            settleOneFrame();
            blocks.push_back(clock_.longestMs());
            itemsMost = std::max(itemsMost, items());
            if (++keys > messages_ * 4) return false;
        }
        std::sort(blocks.begin(), blocks.end());
        print({{QStringLiteral("step"), QStringLiteral("to the start")},
               {QStringLiteral("messages"), app().conversation()->messages()->count()},
               {QStringLiteral("keys"), keys},
               {QStringLiteral("items_at_the_end"), itemsBefore},
               {QStringLiteral("items_at_most"), itemsMost},
               {QStringLiteral("median_block_ms"), blocks[blocks.size() / 2]},
               {QStringLiteral("p99_block_ms"), blocks[blocks.size() * 99 / 100]},
               {QStringLiteral("longest_block_ms"), blocks.back()}});
        return app().conversation()->messages()->count() == messages_;
    }

    /// Measures the list of chats after an answer: the oldest chat, answered, becomes the first row.
    bool finishAnswers() {
        std::vector<double> times;
        ChatListModel& list = *app().chats();
        for (int i = 0; i < std::min(20, list.count() - 1); ++i) { // the newest is the long chat
            const auto last = list.index(list.count() - 1);
            const qint64 chat = last.data(ChatListModel::ChatIdRole).toLongLong();
            app().conversation()->openChat(chat);
            settle(window());
            double inList = 0;
            const auto before =
                QObject::connect(app().answers(), &coterie::app::AnswerQueue::chatStored, &list, [&](qint64 stored) {
                    const double begun = threadMs();
                    list.refresh(stored);
                    inList = std::max(inList, threadMs() - begun);
                });
            app().conversation()->send(QStringLiteral("And today?"));
            const bool ended =
                QTest::qWaitFor([&] { return inList > 0 && !app().conversation()->busy(); }, kPatienceMs);
            settle(window());
            QObject::disconnect(before);
            if (!ended) return false;
            times.push_back(inList);
        }
        std::sort(times.begin(), times.end());
        print({{QStringLiteral("step"), QStringLiteral("finished answer")},
               {QStringLiteral("chats"), list.count()},
               {QStringLiteral("median_ms"), times[times.size() / 2]},
               {QStringLiteral("longest_ms"), times.back()}});
        return true;
    }

    /// From the last key of the word to the frame with the hits.
    bool search() {
        coterie::app::ChatSearchModel& list = *app().search();
        settle(window());
        clock_.restart();
        QElapsedTimer wall;
        wall.start();
        list.setWords(QStringLiteral("harbour"));
        const bool ended = QTest::qWaitFor([&] { return !list.searching(); }, kPatienceMs);
        const double found = static_cast<double>(wall.nsecsElapsed()) * 1e-6;
        settle(window());
        print({{QStringLiteral("step"), QStringLiteral("search")},
               {QStringLiteral("chats"), chats_},
               {QStringLiteral("hits"), list.count()},
               {QStringLiteral("found_ms"), found},
               {QStringLiteral("longest_block_ms"), clock_.longestMs()}});
        return ended && (list.more() || list.count() == chats_ - 1); // all but the long chat
    }

  private:
    struct Opening {
        double shownMs, longestMs;
    };
    /// From the click on the chat's row to the frame that shows its last message.
    std::optional<Opening> open() {
        settle(window());
        QQuickItem* row = itemWith("title", QStringLiteral("The long chat"));
        if (!row) return {};
        const QPoint middle = row->mapToScene(QPointF(row->width() / 2, row->height() / 2)).toPoint();
        QTest::mouseMove(&window(), middle); // the pointer was there before the click
        settle(window());
        clock_.restart();
        QElapsedTimer wall;
        double shown = 0;
        const auto frame = QObject::connect(&window(), &QQuickWindow::frameSwapped, &window(), [&] {
            if (shown == 0 && lastIsShown()) shown = static_cast<double>(wall.nsecsElapsed()) * 1e-6;
        });
        wall.start();
        QTest::mouseClick(&window(), Qt::LeftButton, Qt::NoModifier, middle);
        coterie::bench::waitUntil([&] { return shown > 0; }, "the last page was not shown", 1);
        settle(window());
        QObject::disconnect(frame);
        return Opening{shown, clock_.longestMs()};
    }

    coterie::app::App& app() { return *fixture_.app(); }
    QQuickWindow& window() { return *fixture_.window(); }
    QQuickItem* itemWith(const char* property, const QVariant& value) {
        return coterie::tests::findItem(window().contentItem(), [&](QQuickItem* item) {
            return item->isVisible() && item->property(property) == value && item->inherits("QQuickAbstractButton");
        });
    }
    QQuickItem* conversationList() {
        if (!list_)
            list_ = coterie::tests::findItem(window().contentItem(), [](QQuickItem* item) {
                return item->property("readIndex").isValid() && item->property("contentY").isValid();
            });
        return list_;
    }
    /// Messages for which the list holds an item.
    int items() {
        const QQuickItem* content = conversationList()->property("contentItem").value<QQuickItem*>();
        const QList<QQuickItem*> children = content->childItems();
        return static_cast<int>(std::count_if(children.begin(), children.end(), [](const QQuickItem* child) {
            return child->property("condition").isValid();
        }));
    }
    bool lastIsShown() {
        QQuickItem* list = conversationList();
        return list && app().conversation()->messages()->count() > 0 && list->property("atEnd").toBool() && items() > 0;
    }
    static bool atStart(const QQuickItem& list) {
        const double first = list.property("originY").toDouble() - list.property("topMargin").toDouble();
        return list.property("contentY").toDouble() <= first + 1;
    }
    /// Handles what the key asked for, up to the next frame or a moment without one.
    void settleOneFrame() {
        QEventLoop loop;
        QObject::connect(&window(), &QQuickWindow::frameSwapped, &loop, &QEventLoop::quit);
        QTimer::singleShot(coterie::bench::kQuietMs, &loop, &QEventLoop::quit);
        loop.exec();
        QCoreApplication::processEvents();
    }

    int messages_, chats_;
    coterie::tests::WindowFixture fixture_{
        coterie::test::fakeFactory(*coterie::test::fakeScript("fast"), std::shared_ptr<coterie::test::FakeControl>())};
    BlockClock clock_;
    QQuickItem* list_ = nullptr;
};

} // namespace

int main(int argc, char** argv) {
    const coterie::bench::WindowBench program(argc, argv, {{"messages", "10000"}, {"chats", "5000"}});
    Bench bench(program.number("messages", 2), program.number("chats", 2));
    if (!bench.start()) qFatal("the window did not start");
    if (!bench.openLongChat()) qFatal("the last page was not shown");
    if (!bench.scrollToStart()) qFatal("the start was not reached");
    if (!bench.finishAnswers()) qFatal("an answer did not end");
    if (!bench.search()) qFatal("the search did not find all");
    return 0;
}
