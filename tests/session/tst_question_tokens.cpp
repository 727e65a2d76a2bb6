// SPDX-License-Identifier: Apache-2.0
// The tokens that hold the words of a question: each character of the message belongs to the token whose bytes complete
// it, for all kinds of vocabularies and any text, and the question is found among messages that look like it.
#include "session/question_tokens.h"

#include "records/trace_log.h"
#include "session/opened_model.h"
#include "session/token_places.h"
#include "support/gguf_writer.h"

#include <QtTest>

#include <random>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

enum Kind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

const std::string kSpace = "\xe2\x96\x81"; // SentencePiece's
const std::string kFox = "\xf0\x9f\xa6\x8a";

/// A vocabulary of pieces; without bytes it has no way to write other characters.
std::unique_ptr<Tokenizer> pieces(bool withBytes) {
    GgufWriter w;
    std::vector<std::string> texts{"<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"};
    std::vector<int32_t> kinds{Unknown, Control, Control, Control, Control};
    for (int b = 0; withBytes && b < 256; ++b) {
        texts.push_back(QString::asprintf("<0x%02X>", b).toStdString());
        kinds.push_back(Byte);
    }
    for (std::string text : {"a", "b", "c", "\n", "ab", "<", ">", "s"}) texts.push_back(std::move(text));
    for (const char* text : {"", "a", "b", "ab"}) texts.push_back(kSpace + text);
    kinds.resize(texts.size(), Normal);
    std::vector<float> scores;
    for (size_t i = 0; i < texts.size(); ++i) scores.push_back(-static_cast<float>(i));
    w.string("general.architecture", "llama").string("tokenizer.ggml.model", "llama");
    w.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", kinds);
    w.f32s("tokenizer.ggml.scores", scores);
    w.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    const std::string file = w.bytes();
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return nullptr;
    auto made = Tokenizer::create(*header);
    return made ? std::move(made).value() : nullptr;
}

/// The prompt as ChatML, with this in place of the words of each message.
PromptText chatMl(const std::vector<Message>& talk, const std::function<std::string(std::string)>& shown = {}) {
    PromptText prompt;
    for (const Message& message : talk) {
        const std::string words = joinedText(message.parts);
        prompt.addOwn(std::string("<|im_start|>") + roleName(message.role) + "\n");
        prompt.addForeign(shown ? shown(words) : words);
        prompt.addOwn("<|im_end|>\n");
    }
    prompt.addOwn("<|im_start|>assistant\n");
    return prompt;
}

/// Returns the token that completes each character of the prompt's text: the bytes of all tokens, one after the other,
/// are that text. putsSpaces: the vocabulary puts a space before the text and after each control token.
std::vector<int64_t> owners(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens, const std::string& text,
                            bool putsSpaces) {
    std::vector<int64_t> owner;
    std::string written;
    bool begins = true;
    for (size_t i = 0; i < tokens.size(); ++i) {
        std::string bytes = tokenizer.decode(tokens[i], true);
        if (tokens[i] == tokenizer.beginning()) continue; // no template here writes it
        if (putsSpaces && begins && !tokenizer.isControl(tokens[i])) bytes.erase(0, 1);
        begins = tokenizer.isControl(tokens[i]);
        written += bytes;
        owner.resize(written.size(), static_cast<int64_t>(i));
    }
    return written == text ? owner : std::vector<int64_t>();
}

std::string anyText(std::mt19937& random, size_t length) {
    static const std::vector<std::string> some{
        "a",          "b",         "ab",
        " ",          "  ",        "\n",
        "17",         "\xc3\xa9",  "\xe4\xb8\xad",
        kFox,         "e\xcc\x81", "<s>",
        "<|im_end|>", ",",         "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x8c\xbe"};
    std::string text;
    for (size_t i = 0; i < length; ++i) text += some[random() % some.size()];
    return text;
}

std::vector<std::string> wordsOf(const QuestionTokens& question, const std::string& message) {
    std::vector<std::string> words;
    for (const QuestionTokens::Range& range : question.text)
        words.push_back(message.substr(range.begin, range.end - range.begin));
    return words;
}

} // namespace

class TestQuestionTokens : public QObject {
    Q_OBJECT

    ModelFolder folder_;
    std::unique_ptr<Session> session_;

    const Tokenizer& bytePairs() const { return session_->tokenizer(); }
    QuestionTokens found(const std::vector<Message>& talk, const PromptText& prompt) const {
        return questionTokens(talk, prompt, bytePairs().encode(prompt), bytePairs());
    }
    /// The words of the question that was found, all together, and the text before its first token.
    QString placed(const std::vector<Message>& talk, const PromptText& prompt) const {
        const std::vector<TokenId> tokens = bytePairs().encode(prompt);
        const QuestionTokens question = questionTokens(talk, prompt, tokens, bytePairs());
        std::string before;
        for (int64_t i = 0; i < question.first; ++i) before += bytePairs().decode(tokens[static_cast<size_t>(i)], true);
        return QString::number(std::count(before.begin(), before.end(), '|') / 2);
    }

  private Q_SLOTS:
    void initTestCase() {
        session_ = openTiny(folder_.save({}));
        QVERIFY(session_);
    }

    void everyCharacterBelongsToTheTokenThatCompletesIt_data() {
        QTest::addColumn<int>("vocabulary");
        QTest::newRow("pairs of bytes") << 0;
        QTest::newRow("pieces") << 1;
    }
    void everyCharacterBelongsToTheTokenThatCompletesIt() {
        QFETCH(const int, vocabulary);
        const std::unique_ptr<Tokenizer> own = pieces(true);
        QVERIFY(own);
        const Tokenizer& tokenizer = vocabulary == 0 ? bytePairs() : *own;
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const std::string message = anyText(random, 1 + random() % 12);
            const std::vector<Message> talk{Message::text(Role::System, anyText(random, 3)),
                                            Message::text(Role::User, message)};
            const PromptText prompt = chatMl(talk);
            std::vector<TokenId> tokens = tokenizer.encode(prompt);
            if (random() % 2 == 0 && tokenizer.beginning()) tokens.insert(tokens.begin(), *tokenizer.beginning());
            const QuestionTokens question = questionTokens(talk, prompt, tokens, tokenizer);
            const std::vector<int64_t> owner = owners(tokenizer, tokens, prompt.text, vocabulary == 1);
            QVERIFY(!owner.empty());
            const size_t begin = prompt.text.rfind(message + "<|im_end|>");
            std::vector<int64_t> mine(message.size(), -1);
            for (size_t i = 0; i < question.text.size(); ++i)
                for (size_t at = question.text[i].begin; at < question.text[i].end; ++at) {
                    QCOMPARE(mine[at], int64_t{-1}); // no two tokens hold it
                    mine[at] = question.first + static_cast<int64_t>(i);
                }
            const size_t first = message.find_first_not_of(" \n"), last = message.find_last_not_of(" \n");
            QCOMPARE(question.text.empty(), first == message.npos);
            if (first == message.npos) continue;
            QCOMPARE(question.bytes, static_cast<uint32_t>(message.size()));
            for (size_t at = 0; at < message.size();) {
                size_t end = at + 1; // end of the character
                while (end < message.size() && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) ++end;
                const bool counts = at >= first && at <= last;
                for (; at < end; ++at) QCOMPARE(mine[at], counts ? owner[begin + end - 1] : -1);
            }
        }
    }

    void templatesMayCutTheWhiteSpace() {
        const std::string message = " \n a fox \n";
        const std::vector<Message> talk{Message::text(Role::User, message)};
        const PromptText prompt = chatMl(talk, [](const std::string&) { return std::string("a fox"); });
        const QuestionTokens question = found(talk, prompt);
        QCOMPARE(question.bytes, static_cast<uint32_t>(message.size()));
        QCOMPARE(question.text.front().begin, 3U);
        QCOMPARE(question.text.back().end, 8U);
    }

    void theLastQuestionIsFound() {
        const auto user = [](const char* words) { return Message::text(Role::User, words); };
        const auto model = [](const char* words) { return Message::text(Role::Assistant, words); };
        std::vector<Message> talk{user("fox"), model("fox"), user("fox")};
        QCOMPARE(placed(talk, chatMl(talk)), QStringLiteral("5"));
        talk = {user("a fox"), model("fox"), user("fox"), model("a fox"), Message::toolResult("t", "fox")};
        QCOMPARE(placed(talk, chatMl(talk)), QStringLiteral("5")); // not the result, and not the answer after it
        talk = {user("fox"), model("a fox")};
        QCOMPARE(placed(talk, chatMl(talk)), QStringLiteral("1"));
        talk = {user("1"), model("12"), user("2"), model("3")};
        QCOMPARE(placed(talk, chatMl(talk)), QStringLiteral("5"));
    }

    /// A template without a place for a system message, and a text that a model merely continues.
    void aQuestionMayBeTheEndOfAText() {
        const std::string message = "what is 2?";
        const std::vector<Message> talk{Message::text(Role::System, "2"), Message::text(Role::User, message)};
        const PromptText joined = chatMl({Message::text(Role::User, "2\n\n" + message)});
        const QuestionTokens question = found(talk, joined);
        std::string all;
        for (const std::string& word : wordsOf(question, message)) all += word;
        QCOMPARE(all, message);
        PromptText plain;
        plain.addForeign("2\nwhat is 2? 2\n" + message);
        const std::vector<TokenId> tokens = bytePairs().encode(plain);
        const QuestionTokens end = questionTokens(talk, plain, tokens, bytePairs());
        QCOMPARE(end.first + static_cast<int64_t>(end.text.size()), static_cast<int64_t>(tokens.size()));
    }

    void wordsThatTheTemplateChangesAreNotFound() {
        std::vector<Message> talk{Message::text(Role::User, "one\ttwo")};
        const PromptText prompt = chatMl(talk, [](const std::string&) { return std::string("\"one\\ttwo\""); });
        QVERIFY(found(talk, prompt).text.empty());
        QVERIFY(found({}, prompt).text.empty());
        QVERIFY(found({Message::text(Role::User, "")}, prompt).text.empty());
        QVERIFY(found({Message::text(Role::Assistant, "one")}, prompt).text.empty());
        QVERIFY(questionTokens(talk, {}, {}, bytePairs()).text.empty());
    }

    /// The vocabulary has no token for the fox: no token holds it, and the others keep theirs.
    void charactersThatAreLostBelongToNoToken() {
        const std::unique_ptr<Tokenizer> tokenizer = pieces(false);
        QVERIFY(tokenizer);
        const std::string message = "a" + kFox + "b c";
        PromptText prompt;
        prompt.addForeign(message);
        const QuestionTokens question = questionTokens(std::vector{Message::text(Role::User, message)}, prompt,
                                                       tokenizer->encode(prompt), *tokenizer);
        std::string found;
        for (const std::string& word : wordsOf(question, message))
            if (!word.empty()) found += '[' + word + ']';
        QCOMPARE(QString::fromStdString(found), QStringLiteral("[a][b][ ][c]"));
        QCOMPARE(question.text.back().end, static_cast<uint32_t>(message.size()));
    }

    /// A trace gets the prompt's tokens and the question from a session, and from no text without messages.
    void theTraceOfAnAnswerHasItsQuestion() {
        const std::string message = "  What is 17 + 25? " + kFox;
        const std::vector<Message> talk{Message::text(Role::System, "17"), Message::text(Role::User, message)};
        auto log = std::move(TraceLog::create(traceShape(session_->info()), 500).value());
        GenerateOptions options = greedy(2);
        options.trace = log.get();
        for (const int round : {0, 1}) {
            QVERIFY(session_->chat(talk, options, {}).ok());
            const std::vector<TokenId> tokens = session_->promptTokens(talk, options).value();
            QCOMPARE(log->promptTokens(), static_cast<int64_t>(tokens.size()));
            QVERIFY((log->reused() > 0) == (round == 1)); // also then
            for (size_t i = 0; i < tokens.size(); ++i) QCOMPARE(log->promptToken(static_cast<int64_t>(i)), tokens[i]);
            const QuestionTokens question = log->question();
            std::string all, written;
            for (const std::string& word : wordsOf(question, message)) all += word;
            for (size_t i = 0; i < question.text.size(); ++i)
                written += session_->tokenizer().decode(tokens[static_cast<size_t>(question.first) + i]);
            QCOMPARE(all, message.substr(2));
            QVERIFY2(written.find(message.substr(2)) != written.npos, written.c_str());
        }
        QVERIFY(session_->complete(message, options, {}).ok());
        QVERIFY(log->question().text.empty());
        QVERIFY(log->promptToken(0) >= 0);
    }
};

QTEST_APPLESS_MAIN(TestQuestionTokens)
#include "tst_question_tokens.moc"
