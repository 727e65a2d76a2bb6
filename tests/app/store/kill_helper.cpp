// SPDX-License-Identifier: Apache-2.0
// The program that tst_kill and tst_chat_migration kill.
//
// kill_helper FOLDER NAME TOKENS UNSAVED: Coterie without its window over a fast scripted engine. It sends one prompt
// after the other to two chats, so that one answer always waits for the other, and meanwhile reads, renames and
// searches a third chat. It writes to stdout what was accepted, written and stored, so that it is also kept outside the
// database:
//
// - "P <prompt>" once a prompt was accepted
// - "R <number>" once the third chat has this title
// - "A <prompt>" before an answer begins
// - "T <token>" before a token of it is passed on
// - "S <characters>" once the program says that so much of it is stored
//
// The engine waits before a token if UNSAVED tokens of the answer are not yet said to be stored, and after TOKENS
// tokens of all answers, until it is killed. So no speed of the machine makes it write more.
//
// kill_helper --migrate FOLDER N: opens the store in the folder and is killed at the Nth write. Prints "W <writes>" if
// it lives; with N = 0 it always does.
//
// kill_helper --temporary FOLDER WORD: writes temporary chats that contain the word, and prints "Z" after two answers.
#include "app/store/faulty_disk.h"
#include "fakes/fake_session.h"
#include "fakes/forwarding_session.h"
#include "shell/app.h"
#include "store/chat_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTimer>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string_view>

using namespace coterie;

namespace {

constexpr int kShortAnswer = 30, kLongAnswer = 600; // tokens, five milliseconds each

void tell(const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
}

/// Holds the engine back before a token. Thread-safe.
class Gate {
  public:
    /// tokens: of all answers; unsaved: of the answer that is being written.
    void limit(int tokens, int unsaved) {
        tokens_ = tokens;
        unsaved_ = unsaved;
    }
    void beginAnswer() {
        const std::lock_guard lock(mutex_);
        written_ = saved_ = 0;
    }
    void waitForToken() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return all_ < tokens_ && written_ - saved_ < unsaved_; });
        ++written_;
        ++all_;
    }
    /// So many tokens of the answer are stored.
    void save(int tokens) {
        const std::lock_guard lock(mutex_);
        saved_ = tokens;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int tokens_ = std::numeric_limits<int>::max(), unsaved_ = tokens_;
    int all_ = 0, written_ = 0, saved_ = 0;
};

/// The scripted session, which prints a line to stdout before each token.
class Telling : public test::ForwardingSession {
  public:
    Telling(std::unique_ptr<engine::Session> inner, Gate& gate) : ForwardingSession(std::move(inner)), gate_(gate) {}

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        const std::string asked = conversation.back().parts.front().text;
        gate_.beginAnswer();
        tell("A " + asked.substr(asked.rfind('\n') + 1) + "\n"); // prompts without an answer stand before it
        return ForwardingSession::chat(conversation, options, [&](const engine::Delta& delta) {
            if (!delta.text.empty()) {
                gate_.waitForToken();
                tell("T " + std::string(delta.text) + "\n");
            }
            onDelta(delta);
        });
    }

  private:
    Gate& gate_;
};

/// The gate outlives the sessions.
engine::SessionFactory tellingFactory(Gate& gate) {
    test::FakeScript script;
    for (int i = 0; i < kLongAnswer; ++i) script.pieces.push_back("w" + std::to_string(i) + ".");
    script.tokenStep = std::chrono::milliseconds(5);
    script.contextSize = 1 << 30;
    return [inner = test::fakeFactory(script),
            &gate](const engine::OpenOptions& options) -> engine::Result<std::unique_ptr<engine::Session>> {
        auto session = inner(options);
        if (!session) return session.error();
        return std::unique_ptr<engine::Session>(new Telling(std::move(session).value(), gate));
    };
}

/// Prints how much of an answer is stored, as soon as the program says so.
void tellSaves(const app::AnswerQueue& answers, Gate& gate) {
    const auto stored = [&gate](const app::MessageRow& answer) {
        const QString text = answer.text();
        tell("S " + std::to_string(text.size()) + "\n");
        gate.save(static_cast<int>(text.count(u'.'))); // each token ends with one
    };
    QObject::connect(&answers, &app::AnswerQueue::progressStored, &answers,
                     [&answers, stored](qint64 message) { stored(*answers.newest(message)); });
    QObject::connect(&answers, &app::AnswerQueue::ended, &answers, [&answers, stored](const app::MessageRow& answer) {
        if (!answers.newest(answer.id)) stored(answer); // else the store refused it
    });
}

/// Sends the next prompt to the two chats in turn, as soon as the chat has no unfinished answer.
class Sender {
  public:
    Sender(app::App& program, QString name) : program_(program), name_(std::move(name)) {
        timer_.setInterval(1);
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { sendNext(); });
        timer_.start();
    }

  private:
    void sendNext() {
        app::Conversation& shown = *program_.conversation();
        qint64& chat = chats_[static_cast<size_t>(sent_) % chats_.size()];
        if (chat != 0 && program_.answers()->progress(chat)) return;
        if (sent_ % 8 < 2 || chat == 0) {
            shown.newChat(); // a new one now and then
        } else {
            shown.openChat(chat);
        }
        const QString prompt = name_ + QStringLiteral("-prompt-") + QString::number(sent_);
        program_.settings()->maxTokens = sent_ % 3 == 2 ? kLongAnswer : kShortAnswer;
        if (!shown.send(prompt)) return;
        ++sent_;
        chat = shown.chatId();
        tell("P " + prompt.toStdString() + "\n");
    }

    app::App& program_;
    const QString name_;
    std::array<qint64, 2> chats_{};
    int sent_ = 0;
    QTimer timer_;
};

/// Renames a chat, reads it in another conversation and searches for it.
class ThirdChat {
  public:
    explicit ThirdChat(app::App& program) : program_(program) {
        timer_.setInterval(3);
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { edit(); });
        timer_.start();
    }

  private:
    void edit() {
        app::ChatListModel& chats = *program_.chats();
        if (chat_ == 0 && chats.count() > 2) // the oldest one, which no prompt goes to any more
            chat_ = chats.index(chats.count() - 1).data(app::ChatListModel::ChatIdRole).toLongLong();
        if (chat_ == 0) return;
        chats.rename(chat_, QStringLiteral("edit-%1").arg(++edits_));
        tell("R " + std::to_string(edits_) + "\n");
        if (edits_ % 5 == 0) program_.search()->setWords(edits_ % 2 == 0 ? QStringLiteral("prompt w1") : QString());
    }

    app::App& program_;
    qint64 chat_ = 0;
    int edits_ = 0;
    QTimer timer_;
};

/// Writes temporary chats with this word, one answer after the other. Prints "Z" when one is whole and the next begins.
int writeTemporary(const char* folder, const char* word) {
    const QDir data(QString::fromLocal8Bit(folder));
    QFile model(data.filePath(QStringLiteral("model.gguf")));
    if (!model.open(QIODevice::WriteOnly)) return 2;
    Gate gate;
    app::App program({.dataFolder = data.path(), .factory = tellingFactory(gate), .model = model.fileName()});
    app::Conversation& shown = *program.conversation();
    program.settings()->maxTokens = kShortAnswer;
    shown.newTemporaryChat();
    QTimer timer;
    int sent = 0;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (shown.busy() || !shown.send(QString::fromLocal8Bit(word) + QStringLiteral(" again"))) return;
        shown.setDraft(QString::fromLocal8Bit(word));
        if (++sent == 3) tell("Z\n");
    });
    timer.start(1);
    program.start();
    return QCoreApplication::exec();
}

int migrate(const char* folder, const char* killAt) {
    test::FaultyDisk disk;
    disk.killAt(std::atoll(killAt));
    {
        const auto store = app::ChatStore::open({.folder = QString::fromLocal8Bit(folder), .migrations = {}});
        if (!store) return 1;
    }
    tell("W " + std::to_string(disk.writes()) + "\n");
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication qt(argc, argv);
    if (argc == 4 && std::string_view(argv[1]) == "--migrate") return migrate(argv[2], argv[3]);
    if (argc == 4 && std::string_view(argv[1]) == "--temporary") return writeTemporary(argv[2], argv[3]);
    if (argc != 5) return 2;
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    const QString name = QString::fromLocal8Bit(argv[2]);
    QFile model(folder.filePath(QStringLiteral("model.gguf")));
    if (!model.open(QIODevice::WriteOnly)) return 2;
    Gate gate;
    gate.limit(std::atoi(argv[3]), std::atoi(argv[4]));
    app::App program({.dataFolder = folder.path(), .factory = tellingFactory(gate), .model = model.fileName()});
    if (program.error().valid()) {
        tell("E " + program.error().why.toStdString() + "\n");
        return 1;
    }
    program.settings()->autoTitles = false; // each answer belongs to a prompt
    tellSaves(*program.answers(), gate);
    Sender sender(program, name);
    ThirdChat third(program);
    program.start();
    return QCoreApplication::exec();
}
