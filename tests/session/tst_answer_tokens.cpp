// SPDX-License-Identifier: Apache-2.0
// The tokens of an answer over a scripted device: which bytes of which part each wrote, how likely it was, and answers
// that go on from the tokens of another.
#include "records/token_chances.h"
#include "session/generation.h"
#include "session/scripted_model.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Pieces that come into each other's way: halves of characters, of markers and of stop strings.
const std::vector<std::string> kPieces{"a",
                                       "Hello",
                                       " wor",
                                       "ld",
                                       " ",
                                       "\n",
                                       "  \n",
                                       "\xC3\xA9",
                                       "\xE2\x82",
                                       "\xAC",
                                       "\xE2",
                                       "\x82\xAC",
                                       "\xF0\x9F",
                                       "\x98\x80",
                                       "\xFF",
                                       "x\xC3",
                                       "<",
                                       "<think>",
                                       "</think>",
                                       "<th",
                                       "ink>",
                                       "</thi",
                                       "nk>",
                                       " x</think>\n\ny",
                                       "STOP",
                                       "ST",
                                       "OP",
                                       "b STOP c",
                                       "<tool_call>",
                                       "</tool_call>",
                                       "{\"name\":\"f\",\"arguments\":{}}",
                                       "<tool_",
                                       "call>",
                                       "</tool_call>z",
                                       "no call",
                                       "{\"name\": ",
                                       "\"f\",\"parameters\":{}}",
                                       "<code>",
                                       "f()",
                                       "</code>",
                                       "<|channel|>",
                                       "analysis",
                                       "final",
                                       "commentary to=functions.f",
                                       "<|message|>",
                                       "<|end|>",
                                       "<|start|>",
                                       "assistant",
                                       "<|unknown|>",
                                       "<|python_tag|>",
                                       "<end>"};
const auto kEnd = static_cast<TokenId>(kPieces.size() - 1);
constexpr TokenId kPrompt = 0;

/// A model that answers a prompt of one token, whatever was reused of it. It keeps what all deltas said.
struct Stage : ScriptedAnswer {
    Stage() : ScriptedAnswer(kPieces, 1000) {}

    Result<Generated> run() {
        deltas.clear(), told.clear(), drawn.clear();
        cancel = false;
        return generate({kPrompt}, [this](const Delta& d) { hear(d); });
    }
    void hear(const Delta& d) {
        if (d.token >= 0) drawn.push_back(d.token);
        told.insert(told.end(), d.tokens.begin(), d.tokens.end());
        if (static_cast<int64_t>(drawn.size()) == cancelAfter) cancel = true;
        if (d.makesThoughts)
            for (Part& part : deltas) part = {.kind = PartKind::Thought, .text = part.text};
        if (d.text.empty() && d.call == nullptr) return;
        if (deltas.empty())
            deltas.assign(d.answer.begin(), d.answer.end()), start = deltas;
        else if (deltas.size() <= d.part)
            deltas.push_back({.kind = d.kind, .text = std::string(d.text)});
        else
            deltas[d.part].text += d.text;
        if (d.call != nullptr) deltas[d.part].call = *d.call;
    }

    std::vector<TokenId> drawn;
    std::vector<Part> deltas, start; ///< all deltas put together, from the answer at the first one on
    std::vector<TokenRecord> told;
    int64_t cancelAfter = -1;
};

TokenId idOf(const std::string& piece) {
    const auto found = std::find(kPieces.begin(), kPieces.end(), piece);
    if (found == kPieces.end()) qFatal("no piece %s", piece.c_str());
    return static_cast<TokenId>(found - kPieces.begin());
}

std::vector<TokenId> ids(const std::vector<std::string>& pieces) {
    std::vector<TokenId> tokens;
    for (const std::string& piece : pieces) tokens.push_back(idOf(piece));
    return tokens;
}

std::vector<TokenId> idsOf(const std::vector<TokenRecord>& records) {
    std::vector<TokenId> tokens;
    for (const TokenRecord& record : records) tokens.push_back(record.id);
    return tokens;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Says how the ranges of an answer without a prefix are wrong, or returns "" if they are right. Each part's text must
/// be the ranges put together in the order of tokens: then every byte belongs to exactly one.
std::string wrongIn(const Generated& answer) {
    std::vector<size_t> filled(answer.parts.size(), 0);
    for (const TokenRecord& token : answer.tokens) {
        size_t last = 0;
        for (const TextRange& range : token.text) {
            if (&range != token.text.data() && range.part <= last) return "a part comes twice";
            last = range.part;
            if (range.part >= answer.parts.size()) return "no such part";
            const Part& part = answer.parts[range.part];
            if (range.begin != filled[range.part]) return "a gap or an overlap";
            if (range.end < range.begin || range.end > part.text.size()) return "beyond the text";
            if (range.begin == range.end) return "an empty range";
            if (range.end < part.text.size() && continues(part.text[range.end])) return "a character is cut";
            filled[range.part] = range.end;
        }
    }
    for (size_t i = 0; i < filled.size(); ++i)
        if (filled[i] != answer.parts[i].text.size()) return "bytes of no token";
    return {};
}

/// A token that is whole characters after whole characters wrote nothing that is not in it.
std::string foreignText(const Generated& answer) {
    bool whole = true;
    for (const TokenRecord& token : answer.tokens) {
        const std::string& piece = kPieces[static_cast<size_t>(token.id)];
        const bool plain = QString::fromUtf8(piece.c_str()).toUtf8() == piece.c_str();
        for (const TextRange& range : token.text) {
            const std::string text = answer.parts[range.part].text.substr(range.begin, range.end - range.begin);
            if (plain && whole && piece.find(text) == piece.npos) return "'" + text + "' is not in '" + piece + "'";
        }
        if (!piece.starts_with("<|")) whole = plain; // a control token may have no text
    }
    return {};
}

AnswerForms drawForms(std::mt19937& random) {
    AnswerForms forms{.startsInThought = random() % 4 == 0};
    if (random() % 2 == 0) forms.calls.add(kMarkedCalls);
    if (random() % 3 == 0) forms.calls.add(CallForm::PythonCode);
    if (random() % 4 == 0) forms.calls.add({CallForm::BareJson, CallForm::PythonTag});
    if (random() % 3 == 0) forms.calls.add(CallForm::GptOssChannels);
    return forms;
}

AnswerReading drawReading(std::mt19937& random) {
    AnswerReading reading;
    reading.dropLeadingSpace = random() % 4 == 0;
    if (random() % 8 != 0) reading.forms = drawForms(random);
    return reading;
}

void drawAnswer(std::mt19937& random, Stage& stage) {
    stage.reading = drawReading(random);
    stage.options.stop.clear();
    for (const char* stop : {"STOP", "ld ",
                             "\xE2\x82\xAC"
                             "a",
                             "k>"})
        if (random() % 6 == 0) stage.options.stop.emplace_back(stop);
    stage.said.clear();
    const size_t narrow = random() % 3 == 0 ? 17 : kPieces.size() - 1; // often the first: text alone
    for (size_t i = random() % 25; i > 0; --i) stage.said.push_back(static_cast<TokenId>(random() % narrow));
    stage.options.maxTokens = random() % 3 == 0 ? static_cast<int64_t>(random() % 12) + 1 : -1;
    stage.cancelAfter = random() % 5 == 0 ? static_cast<int64_t>(random() % 10) + 1 : -1;
}

/// The softmax as in the textbook.
std::vector<double> softmax(const std::vector<float>& logits) {
    std::vector<double> p;
    double total = 0;
    for (const float l : logits) total += std::exp(static_cast<double>(l));
    for (const float l : logits) p.push_back(std::exp(static_cast<double>(l)) / total);
    return p;
}

} // namespace

class TestAnswerTokens : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyByteBelongsToOneToken() {
        std::mt19937 random(14);
        Stage stage;
        size_t calls = 0, thoughts = 0, stops = 0;
        for (int i = 0; i < 20000; ++i) {
            drawAnswer(random, stage);
            const Result<Generated> answer = stage.run();
            QVERIFY(answer.ok());
            const std::string wrong = wrongIn(*answer) + foreignText(*answer);
            QVERIFY2(wrong.empty(), qPrintable(QString("answer %1: %2").arg(i).arg(wrong.c_str())));
            QCOMPARE(idsOf(answer->tokens), stage.drawn);
            QCOMPARE(answer->statistics.generated, static_cast<int64_t>(stage.drawn.size()));
            QCOMPARE(stage.told, answer->tokens); // each once, in their order, as they stay
            QCOMPARE(stage.deltas, answer->parts);
            calls += answer->toolCalls().size();
            thoughts += !answer->thought().empty();
            stops += answer->reason == FinishReason::StopString;
        }
        QVERIFY(calls > 100 && thoughts > 1000 && stops > 1000); // there was something to see
    }

    /// The same answer, cut at any token and continued: the same parts, the rest of the records, one prefill.
    void anAnswerGoesOnFromAnyOfItsTokens() {
        std::mt19937 random(15);
        Stage stage;
        for (int i = 0; i < 5000; ++i) {
            drawAnswer(random, stage);
            stage.options.prefix.clear();
            stage.cancelAfter = stage.options.maxTokens = -1;
            const Result<Generated> whole = stage.run();
            QVERIFY(whole.ok());
            const size_t cut = random() % (whole->tokens.size() + 1);
            const std::vector<TokenId> tokens = idsOf(whole->tokens);
            stage.options.prefix.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(cut));
            const Result<Generated> rest = stage.run();
            QVERIFY(rest.ok());
            QCOMPARE(rest->parts, whole->parts);
            QCOMPARE(rest->reason, whole->reason);
            QCOMPARE(stage.drawn,
                     (std::vector<TokenId>(tokens.begin() + static_cast<std::ptrdiff_t>(cut), tokens.end())));
            QCOMPARE(rest->tokens.size(), tokens.size() - cut);
            for (size_t t = cut; t < tokens.size(); ++t) QCOMPARE(rest->tokens[t - cut].text, whole->tokens[t].text);
            if (!stage.deltas.empty()) QCOMPARE(stage.deltas, whole->parts);
        }
    }

    void aPrefixIsReadWithThePrompt() {
        Stage stage;
        stage.said = ids({"Hello", " wor", "ld", "a", "a"});
        stage.options.maxTokens = 2;
        QCOMPARE(stage.run()->text(), std::string("Hello wor"));
        QCOMPARE(stage.device.held.size(), size_t{2}); // the last token was not read yet
        stage.options.prefix = ids({"Hello", " wor"});
        stage.device.forwardedTokens = 0;
        const Result<Generated> more = stage.run();
        QCOMPARE(more->text(), std::string("Hello world") + "a");
        QCOMPARE(stage.start.front().text, std::string("Hello world")); // the first delta's, after the prefix
        QCOMPARE(more->statistics.promptTokens, int64_t{3});
        QCOMPARE(more->statistics.promptReused, int64_t{2});
        QCOMPARE(more->statistics.generated, int64_t{2}); // new ones alone
        QCOMPARE(more->statistics.decodePasses, int64_t{1});
        QCOMPARE(stage.device.forwardedTokens, int64_t{1 + 1});
        QCOMPARE(stage.drawn, ids({"ld", "a"}));

        stage.options.prefix = ids({"Hello", "a"}); // another branch
        const Result<Generated> branch = stage.run();
        QCOMPARE(branch->statistics.promptReused, int64_t{2});
        QCOMPARE(branch->text(), std::string("Helloald") + "a");
    }

    void aPrefixEndsWithinAThought() {
        Stage stage;
        stage.reading.forms = AnswerForms{};
        stage.said = ids({"<think>", "a", "Hello", "</think>", "a"});
        stage.options.prefix = ids({"<think>", "a"});
        const Result<Generated> answer = stage.run();
        QCOMPARE(answer->parts, (std::vector<Part>{{.kind = PartKind::Thought, .text = "aHello"}, {.text = "a"}}));
        QCOMPARE(answer->tokens[0].text, (std::vector<TextRange>{{0, 1, 6}}));
        QCOMPARE(answer->tokens[1].text, (std::vector<TextRange>{}));
        QCOMPARE(answer->tokens[2].text, (std::vector<TextRange>{{1, 0, 1}}));
    }

    /// Half a character or half a marker at a prefix's end is not lost.
    void aPrefixEndsWithinACharacter() {
        Stage stage;
        stage.said = ids({"a", "\xE2\x82", "\xAC"});
        stage.options.prefix = ids({"a", "\xE2\x82"});
        const Result<Generated> euro = stage.run();
        QCOMPARE(euro->text(), std::string("a\xE2\x82\xAC"));
        QCOMPARE(euro->tokens[0].text, (std::vector<TextRange>{{0, 1, 4}}));
        stage.said = ids({"a", "\xE2\x82"});
        QCOMPARE(stage.run()->text(), std::string("a\xEF\xBF\xBD"));
        QVERIFY(stage.told.empty());
    }

    void aPrefixThatHoldsAStopStringIsOver() {
        Stage stage;
        stage.options.stop = {"STOP"};
        stage.options.prefix = ids({"a", "ST", "OP"});
        const Result<Generated> answer = stage.run();
        QVERIFY(answer.ok());
        QCOMPARE(answer->reason, FinishReason::StopString);
        QCOMPARE(answer->text(), std::string("a"));
        QCOMPARE(stage.device.forwardedTokens, int64_t{0});
        stage.options.prefix = ids({"a", "ST"});
        stage.said = ids({"a", "ST", "OP"});
        const Result<Generated> across = stage.run();
        QCOMPARE(across->reason, FinishReason::StopString);
        QCOMPARE(across->text(), std::string("a"));
        QCOMPARE(across->tokens.size(), size_t{1});
        QVERIFY(across->tokens[0].text.empty());
    }

    void badPrefixesAreRefused() {
        Stage stage;
        for (const TokenId bad : {-1, kEnd + 1}) {
            stage.options.prefix = {0, bad};
            const Result<Generated> refused = stage.run();
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, ErrorKind::BadInput);
        }
        stage.info.memory.context = 4;
        stage.options.prefix = {0, 0, 0, 0};
        const Result<Generated> tooLong = stage.run();
        QVERIFY(!tooLong);
        QCOMPARE(tooLong.error().kind, ErrorKind::ContextFull);
    }

    void aPrefixCountsForPenalties() {
        Stage stage;
        stage.options.sampling.presencePenalty = 1.0f;
        stage.options.maxTokens = 1;
        stage.device.logits = [](const std::vector<TokenId>&) {
            std::vector<float> logits(kPieces.size(), 0.0f);
            logits[1] = 2.0f, logits[2] = 1.5f;
            return logits;
        };
        QCOMPARE(stage.run()->tokens[0].id, 1);
        stage.options.prefix = {1};
        QCOMPARE(stage.run()->tokens[0].id, 2);
    }

    void chancesAreTheTextbooks() {
        std::mt19937 random(3);
        for (int i = 0; i < 50; ++i) {
            std::vector<float> logits(200);
            for (float& logit : logits) logit = static_cast<float>(static_cast<int>(random() % 4000) - 2000) * 0.005f;
            const std::vector<double> p = softmax(logits);
            TokenRecord record{.id = static_cast<TokenId>(random() % 200)};
            setChances(logits, 7, record);
            QVERIFY(std::abs(*record.probability - p[static_cast<size_t>(record.id)]) < 1e-12);
            double entropy = 0;
            for (const double x : p) entropy -= x * std::log(x);
            QVERIFY(std::abs(*record.entropy - entropy) < 1e-9);
            QCOMPARE(record.alternatives.size(), size_t{7});
            for (size_t n = 0; n < 7; ++n) {
                const TokenChance& chance = record.alternatives[n];
                QVERIFY(std::abs(chance.probability - p[static_cast<size_t>(chance.id)]) < 1e-12);
                const auto better = std::count_if(logits.begin(), logits.end(), [&](const float& l) {
                    const float own = logits[static_cast<size_t>(chance.id)];
                    return l > own || (l == own && &l - logits.data() < chance.id);
                });
                QCOMPARE(static_cast<size_t>(better), n); // the smaller id comes first among equal ones
            }
        }
    }

    void chancesOfStrangeLogits() {
        const float none = -std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
        TokenRecord record{.id = 2};
        setChances(std::array{none, nan, 5.0f, none}, 3, record);
        QCOMPARE(*record.probability, 1.0);
        QCOMPARE(*record.entropy, 0.0);
        QCOMPARE(record.alternatives, (std::vector<TokenChance>{{2, 1.0}}));
        TokenRecord unknown{.id = 0};
        setChances(std::array{none, nan}, 3, unknown);
        QVERIFY(!unknown.probability && !unknown.entropy && unknown.alternatives.empty());
        TokenRecord large{.id = 1};
        setChances(std::array{-1e30f, 3e38f, std::numeric_limits<float>::infinity()}, 1, large);
        QCOMPARE(large.alternatives, (std::vector<TokenChance>{{2, 1.0}}));
    }

    /// Asked for, all rows of the head are computed, and what is drawn stays the same; else nothing is said.
    void probabilitiesNeedAllRows() {
        for (const bool asked : {false, true}) {
            Stage stage;
            stage.said = ids({"Hello", " wor", "ld"});
            stage.options.sampling.repetitionPenalty = 1.5f; // probabilities are those before penalties
            stage.options.details = {.probabilities = asked, .alternatives = asked ? 2 : 0};
            const Result<Generated> answer = stage.run();
            QCOMPARE(idsOf(answer->tokens), stage.said);
            for (const HeadRows rows : stage.device.heads) QCOMPARE(rows, asked ? HeadRows::All : HeadRows::Predicted);
            double before = 0;
            for (const TokenRecord& token : answer->tokens) {
                QCOMPARE(token.probability.has_value(), asked);
                QCOMPARE(token.entropy.has_value(), asked);
                QCOMPARE(token.alternatives.size(), asked ? size_t{2} : size_t{0});
                QVERIFY(token.seconds >= before);
                before = token.seconds;
                if (!asked) continue;
                const std::vector<double> p = softmax(only(token.id, kPieces.size()));
                QVERIFY(std::abs(*token.probability - p[static_cast<size_t>(token.id)]) < 1e-12);
                QCOMPARE(token.alternatives.front().id, token.id);
            }
        }
        GenerateOptions options;
        options.details.alternatives = -1;
        QVERIFY(!checkGenerateOptions(options));
    }
};

QTEST_APPLESS_MAIN(TestAnswerTokens)
#include "tst_answer_tokens.moc"
