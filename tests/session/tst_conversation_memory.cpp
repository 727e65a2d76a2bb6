// SPDX-License-Identifier: Apache-2.0
// Conversations with a model whose layers remember the past in a state. Whatever a person does (asks, stops, edits,
// branches, regenerates, continues, changes the chat, loses the device), the logits are those of a fresh prefill to the
// bit, and a regenerated answer does not read the whole chat again.
#include "fakes/losing_backend.h"
#include "session/message_starts.h"
#include "session/opened_model.h"
#include "support/effort.h"
#include "support/random.h"

#include <QtTest>

#include <algorithm>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

using Logits = std::vector<std::vector<float>>;

/// One chat, with the tokens of its last answer.
struct Chat {
    std::vector<Message> messages;
    std::vector<TokenId> answer;
};

std::string words(Random& random, size_t most) {
    std::string text;
    for (size_t n = 1 + random.bits() % most; n > 0; --n)
        text += std::string(1 + random.bits() % 6, static_cast<char>('a' + random.bits() % 26)) + " ";
    return text;
}

/// Continues the last answer, goes on from one of its tokens with another one, has it written again, edits a message,
/// or asks a new question. The chat ends with a question then.
void act(Random& random, Chat& chat, GenerateOptions& options) {
    const uint64_t kind = random.bits() % 10;
    const bool answered = !chat.messages.empty() && chat.messages.back().role == Role::Assistant;
    if (answered && kind < 3) chat.messages.pop_back();
    if (answered && kind < 2) options.prefix = chat.answer;
    if (kind == 1 && !options.prefix.empty()) {
        options.prefix.resize(1 + random.bits() % options.prefix.size());
        options.prefix.back() = static_cast<TokenId>(random.bits() % 256);
    }
    if (!chat.messages.empty() && kind == 3) {
        chat.messages.resize(random.bits() % chat.messages.size());
        if (!chat.messages.empty() && chat.messages.back().role == Role::User) chat.messages.pop_back();
    }
    if (chat.messages.size() > 12) chat.messages.clear();
    if (chat.messages.empty() || chat.messages.back().role == Role::Assistant)
        chat.messages.push_back(Message::text(Role::User, words(random, 12)));
}

} // namespace

class ConversationMemoryTest : public QObject {
    Q_OBJECT

    ModelFolder folder_;

    OpenOptions optionsFor(const std::string& path) const {
        OpenOptions options;
        options.path = path;
        options.threads = 2;
        options.memory = uint64_t{1} << 30;
        return options;
    }
    std::unique_ptr<Session> open(const OpenOptions& options) const {
        Result<std::unique_ptr<Session>> session = openSession(options);
        if (session) return std::move(session).value();
        qWarning("%s", session.error().line().c_str());
        return nullptr;
    }
    /// Answers, and adds all logits that were drawn from.
    static Result<Generated> ask(Session& session, const Chat& chat, GenerateOptions options, Logits& logits,
                                 const DeltaCallback& onDelta = {}) {
        options.head = HeadRows::All;
        options.onLogits = [&logits](std::span<const float> drawn) { logits.emplace_back(drawn.begin(), drawn.end()); };
        return session.chat(chat.messages, options, onDelta);
    }

  private Q_SLOTS:
    void anyHistoryEqualsAFreshPrefill_data() {
        QTest::addColumn<QString>("architecture");
        for (const char* name : {"qwen35", "qwen35moe", "qwen3next", "lfm2moe", "gemma4"})
            QTest::newRow(name) << QString(name);
    }
    void anyHistoryEqualsAFreshPrefill() {
        QFETCH(QString, architecture);
        TinyModelOptions model{.architecture = architecture.toStdString(), .layers = 3, .context = 4096};
        if (architecture == "gemma4") // windows, and layers without keys of their own
            model.layers = 6, model.headDim = 64, model.window = 8, model.sharedLayers = 3, model.expertsBeside = true;
        const std::string path = folder_.save(model, "history.gguf");
        DeviceScript script;
        OpenOptions losing = optionsFor(path);
        losing.device = script.name;
        losing.devices = losingDevices({&script});
        auto session = open(losing), fresh = open(optionsFor(path));
        QVERIFY(session && fresh);
        Random random(architecture == "qwen35" ? 1 : 2);
        std::vector<Chat> chats(2);
        int64_t reused = 0, reread = 0, prompts = 0;
        const int steps = longTests() ? 10000 : kSanitized ? 60 : architecture == "qwen35moe" ? 250 : 100;
        for (int step = 0; step < steps; ++step) {
            if (random.bits() % 50 == 0) { // another budget
                losing.memory = (uint64_t{64} << 20) << random.bits() % 4;
                script.callsUntilLost = -1;
                session.reset();
                session = open(losing);
                QVERIFY(session);
            }
            if (random.bits() % 50 == 0)
                script.callsUntilLost = script.calls + static_cast<int64_t>(random.bits() % 40);
            Chat& chat = chats[random.bits() % 8 == 0 ? 1 : 0];
            GenerateOptions options = greedy(1 + static_cast<int64_t>(random.bits() % 6));
            act(random, chat, options);

            std::atomic<bool> cancel{false};
            const bool stops = random.bits() % 4 == 0;
            const auto stopAt = static_cast<int64_t>(random.bits() % 60);
            options.cancel = &cancel;
            Logits got, want;
            const auto answer = ask(*session, chat, options, got, [&](const Delta& delta) {
                cancel = stops && delta.promptDone + delta.generated > stopAt;
            });
            QVERIFY2(answer, answer ? "" : answer.error().line().c_str());
            options.cancel = nullptr;
            options.reuseCache = false;
            options.maxTokens = std::max<int64_t>(1, static_cast<int64_t>(got.size()));
            QVERIFY(ask(*fresh, chat, options, want));
            want.resize(got.size());
            QVERIFY2(got == want, qPrintable(QString::number(step)));
            chat.answer = options.prefix;
            for (const TokenRecord& token : answer->tokens) chat.answer.push_back(token.id);
            chat.messages.push_back(Message::text(Role::Assistant, answer->text()));
            reused += answer->statistics.promptReused;
            reread += answer->statistics.promptReread;
            prompts += answer->statistics.promptTokens;
        }
        qInfo("of %lld prompt tokens %lld were reused and %lld read again", static_cast<long long>(prompts),
              static_cast<long long>(reused), static_cast<long long>(reread));
        QVERIFY(reused > prompts / 4 && (reread > 0 || architecture == "gemma4"));
    }

    /// A new question reads itself and at most the last turn, and a regenerated answer its own question, however long
    /// the chat is. An edit reads from the edited message on, as far back as there are copies.
    void noMoreIsReadThanNeeded() {
        const std::string path = folder_.save({.architecture = "qwen35", .layers = 2, .context = 4096}, "reads.gguf");
        auto session = open(optionsFor(path));
        QVERIFY(session);
        Random random(5);
        Chat chat;
        std::vector<int64_t> lengths; // tokens of the prompts
        Logits logits;
        for (int turn = 0; turn < 6; ++turn) {
            chat.messages.push_back(Message::text(Role::User, words(random, 30)));
            const auto answer = ask(*session, chat, greedy(8), logits);
            QVERIFY(answer);
            // A text may have other tokens than those that were drawn: then the last answer is read with its question.
            if (turn > 1) QVERIFY(answer->statistics.promptReused >= lengths[static_cast<size_t>(turn) - 2]);
            lengths.push_back(answer->statistics.promptTokens);
            chat.messages.push_back(Message::text(Role::Assistant, answer->text()));
        }
        chat.messages.pop_back();
        const auto again = ask(*session, chat, greedy(8), logits);
        QVERIFY(again);
        QVERIFY(again->statistics.promptReused >= lengths[4]); // all but the last question
        QVERIFY(again->statistics.promptReread > 0);
        for (int turn = 4; turn >= 3; --turn) {
            chat.messages.resize(static_cast<size_t>(2 * turn));
            chat.messages.push_back(Message::text(Role::User, "zzz " + words(random, 30)));
            const auto edited = ask(*session, chat, greedy(8), logits);
            QVERIFY(edited);
            QVERIFY(edited->statistics.promptReused >= lengths[static_cast<size_t>(turn - 1)]);
            lengths[static_cast<size_t>(turn)] = edited->statistics.promptTokens;
        }
    }

    /// The budget is so small that one copy has room: it is the one before the last message.
    void theCopyBeforeTheLastMessageStays() {
        TinyModelOptions tiny{.architecture = "qwen35", .layers = 2, .context = 2048};
        tiny.stateSize = 512; // 4 MiB for a layer
        const std::string path = folder_.save(tiny, "large.gguf");
        OpenOptions options = optionsFor(path);
        options.memory = 100 << 20;
        options.held = 16 << 20;
        auto session = open(options);
        QVERIFY(session);
        QCOMPARE(session->info().memory.stateCopies, 1);
        Random random(6);
        Chat chat;
        Logits logits;
        int64_t before = 0;
        for (int turn = 0; turn < 4; ++turn) {
            chat.messages.push_back(Message::text(Role::User, words(random, 30)));
            const auto answer = ask(*session, chat, greedy(4), logits);
            QVERIFY(answer);
            const auto again = ask(*session, chat, greedy(4), logits);
            QVERIFY(again && again->statistics.promptReused >= before);
            before = again->statistics.promptTokens;
            chat.messages.push_back(Message::text(Role::Assistant, again->text()));
        }
    }

    /// The tokens before a message are those that a prompt with another message shares.
    void messagesBeginWhereEditsDiffer() {
        const std::string path = folder_.save({.architecture = "qwen35", .layers = 2}, "starts.gguf");
        auto session = open(optionsFor(path));
        QVERIFY(session);
        std::vector<Message> talk{Message::text(Role::System, "be kind, a"), Message::text(Role::User, "  a\nb"),
                                  Message::text(Role::Assistant, "a good answer"), Message::text(Role::User, "a")};
        const auto tokensOf = [&](const std::vector<Message>& messages) {
            return session->promptTokens(messages, {}).value();
        };
        const std::vector<TokenId> tokens = tokensOf(talk);
        PromptText prompt;
        for (const Message& message : talk) {
            prompt.addOwn(std::string("<|im_start|>") + roleName(message.role) + "\n");
            prompt.addForeign(joinedText(message.parts));
            prompt.addOwn("<|im_end|>\n");
        }
        prompt.addOwn("<|im_start|>assistant\n");
        QVERIFY(session->tokenizer().encode(prompt) == tokens);
        const std::vector<int64_t> starts = messageStarts(talk, prompt, tokens, session->tokenizer());
        QCOMPARE(starts.size(), size_t{2});
        for (size_t i = 0; i < 2; ++i) {
            std::vector<Message> edited = talk;
            edited[2 * i + 1] = Message::text(Role::User, "zebras");
            const std::vector<TokenId> other = tokensOf(edited);
            const auto shared = std::mismatch(tokens.begin(), tokens.end(), other.begin(), other.end()).first;
            QVERIFY(starts[i] <= shared - tokens.begin() && starts[i] + 8 > shared - tokens.begin());
            QVERIFY(session->tokenizer().isControl(tokens[static_cast<size_t>(starts[i])]));
        }
        QVERIFY(messageStarts({}, prompt, tokens, session->tokenizer()).empty());
        talk = {Message::text(Role::User, "not in the prompt")};
        QVERIFY(messageStarts(talk, prompt, tokens, session->tokenizer()).empty());
        QVERIFY(messageStarts(talk, {}, {}, session->tokenizer()).empty());
    }
};

QTEST_APPLESS_MAIN(ConversationMemoryTest)
#include "tst_conversation_memory.moc"
