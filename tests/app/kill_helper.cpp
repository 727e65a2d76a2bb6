// SPDX-License-Identifier: Apache-2.0
// The program that tst_kill and tst_chat_migration kill.
//
// kill_helper FOLDER NAME: Coterie without its window over a fast scripted engine. It sends one prompt after the other,
// and writes to stdout which prompts were accepted and when each token left the engine, so that the words are also kept
// outside the database: a line "P <prompt>" once a prompt was accepted, and "T <milliseconds> <token>" before a token
// is passed on.
//
// kill_helper --migrate FOLDER N: opens the store in the folder and is killed at the Nth write. Prints "W <writes>" if
// it lives; with N = 0 it always does.
#include "app.h"
#include "fakes/fake_session.h"
#include "fakes/forwarding_session.h"
#include "faulty_disk.h"
#include "store/chat_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace coterie;

namespace {

constexpr int kShortAnswer = 30, kLongAnswer = 600; // tokens, five milliseconds each

qint64 nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void tell(const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
}

/// The scripted session, which prints a line to stdout before each token.
class Telling : public test::ForwardingSession {
  public:
    using ForwardingSession::ForwardingSession;

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        return ForwardingSession::chat(conversation, options, [&](const engine::Delta& delta) {
            if (!delta.text.empty()) tell("T " + std::to_string(nowMs()) + " " + std::string(delta.text) + "\n");
            onDelta(delta);
        });
    }
};

engine::SessionFactory tellingFactory() {
    test::FakeScript script;
    for (int i = 0; i < kLongAnswer; ++i) script.pieces.push_back("w" + std::to_string(i) + ".");
    script.tokenStep = std::chrono::milliseconds(5);
    script.contextSize = 1 << 30;
    return [inner = test::fakeFactory(script)](
               const engine::OpenOptions& options) -> engine::Result<std::unique_ptr<engine::Session>> {
        auto session = inner(options);
        if (!session) return session.error();
        return std::unique_ptr<engine::Session>(new Telling(std::move(session).value()));
    };
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
    if (argc != 3) return 2;
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    const QString name = QString::fromLocal8Bit(argv[2]);
    QFile model(folder.filePath(QStringLiteral("model.gguf")));
    if (!model.open(QIODevice::WriteOnly)) return 2;
    app::App program({.dataFolder = folder.path(), .factory = tellingFactory(), .model = model.fileName()});
    if (program.error().valid()) {
        tell("E " + program.error().why.toStdString() + "\n");
        return 1;
    }
    app::Conversation* chat = program.conversation();
    int sent = 0;
    const auto sendNext = [&] {
        if (!chat->canSend()) return;
        if (sent % 4 == 0) chat->newChat();
        const QString prompt = name + QStringLiteral("-prompt-") + QString::number(sent);
        program.settings()->maxTokens = sent % 3 == 2 ? kLongAnswer : kShortAnswer;
        if (!chat->send(prompt)) return;
        ++sent;
        tell("P " + prompt.toStdString() + "\n");
    };
    QObject::connect(chat, &app::Conversation::canSendChanged, chat, sendNext, Qt::QueuedConnection);
    program.start();
    return QCoreApplication::exec();
}
