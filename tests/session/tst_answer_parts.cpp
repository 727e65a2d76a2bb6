// SPDX-License-Identifier: Apache-2.0
// An answer's parts over a scripted device: thoughts, calls and text as deltas, with markers that are control tokens of
// the vocabulary.
#include "session/generation.h"
#include "session/scripted_model.h"

#include <QtTest>

#include <numeric>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const std::vector<TokenId> kPrompt{0};

/// A model that says these pieces, each a token.
struct Stage : ScriptedAnswer {
    Stage(const std::vector<std::string>& pieces, const AnswerForms& forms) : ScriptedAnswer(withEnd(pieces), 100) {
        reading.forms = forms;
        said.resize(pieces.size());
        std::iota(said.begin(), said.end(), 0);
    }
    static std::vector<std::string> withEnd(std::vector<std::string> pieces) {
        pieces.emplace_back("<end>");
        return pieces;
    }

    Result<Generated> run() {
        return generate(kPrompt, [this](const Delta& d) {
            if (d.makesThoughts) heard.emplace_back("all thoughts");
            if (d.promptDone < d.promptTotal || (d.text.empty() && d.call == nullptr)) return;
            const char* const names[] = {"text ", "thought ", "call "};
            heard.push_back(names[static_cast<int>(d.kind)] +
                            (d.call == nullptr ? std::string(d.text) : d.call->name + d.call->arguments));
            if (static_cast<int64_t>(heard.size()) == cancelAfter) cancel = true;
        });
    }

    std::vector<std::string> heard;
    int64_t cancelAfter = -1;
};

using Heard = std::vector<std::string>;

} // namespace

class TestAnswerParts : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// A limit or a stop in the middle of a call: nobody runs half of what the model meant.
    void anAnswerThatIsCutOffCallsNothing() {
        const std::vector<std::string> pieces{"[TOOL_CALLS]", "f[ARGS]{\"days\": 1", "2", "}"};
        for (const bool cancels : {false, true}) {
            Stage stage(pieces, {.calls = kMarkedCalls});
            if (!cancels) stage.options.maxTokens = 2;
            stage.options.onLogits = [&](std::span<const float>) {
                if (cancels && stage.device.held.size() == kPrompt.size() + 2) stage.cancel = true;
            };
            const Result<Generated> result = stage.run();
            QVERIFY(result.ok());
            QCOMPARE(result->reason, cancels ? FinishReason::Cancelled : FinishReason::MaxTokens);
            QVERIFY(result->toolCalls().empty());
            QCOMPARE(result->text(), pieces[0] + pieces[1]);
        }
        Stage stage(pieces, {.calls = kMarkedCalls});
        stage.said.pop_back(); // the model itself leaves out the last bracket
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(result->toolCalls().size(), size_t{1});
        QCOMPARE(result->toolCalls().front().arguments, std::string("{\"days\":12}"));
    }

    void thoughtsAreNotText() {
        Stage stage({"<think>", "\n", "hm", " so", "\n", "</think>", "\n\n", "Hel", "lo"}, {});
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(stage.heard, (Heard{"thought hm", "thought  so", "text Hel", "text lo"}));
        QCOMPARE(result->thought(), std::string("hm so"));
        QCOMPARE(result->text(), std::string("Hello"));
        QCOMPARE(result->statistics.generated, 9);
    }

    void everyTokenIsToldOnce() {
        Stage stage({"<think>", "a", "</think>", "b"}, {});
        std::vector<TokenId> tokens;
        const Result<Generated> result = stage.generate(kPrompt, [&tokens](const Delta& d) {
            if (d.token >= 0) tokens.push_back(d.token);
        });
        QVERIFY(result.ok());
        QCOMPARE(tokens, (std::vector<TokenId>{0, 1, 2, 3}));
    }

    void markersThatAreControlTokens() {
        Stage stage({"<|channel|>", "analysis", "<|message|>", "Hm", "<|end|>", "<|start|>", "assistant", "<|channel|>",
                     "final", "<|message|>", "Hi", "<|unknown|>", "!"},
                    {.calls = {CallForm::GptOssChannels}});
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(stage.heard, (Heard{"thought Hm", "text Hi", "text !"}));
    }

    void markersThatMeanNothingStayHidden() {
        Stage stage({"<|channel|>", "a", "<|end|>", "b"}, {});
        QCOMPARE(stage.run()->text(), std::string("ab"));
    }

    void aCallComesWhole() {
        Stage stage(
            {"I look.", "\n", "<tool_", "call>{\"name\":", "\"f\",\"arguments\":", "{\"a\":1}}</tool", "_call>"},
            {.calls = kMarkedCalls});
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(stage.heard, (Heard{"text I look.", "call f{\"a\":1}"}));
        QCOMPARE(result->toolCalls().size(), size_t{1});
        QCOMPARE(result->text(), std::string("I look."));
        QCOMPARE(result->parts[1].text, std::string("<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>"));
    }

    void aCallThatTheEndCompletes() {
        Stage stage({"<|channel|>", "commentary to=functions.f ", "<|constrain|>", "json", "<|message|>", "{\"a\":1}"},
                    {.calls = {CallForm::GptOssChannels}}); // <|call|> is this model's end
        QCOMPARE(stage.run()->toolCalls().size(), size_t{1});
        QCOMPARE(stage.heard, (Heard{"call f{\"a\":1}"}));
    }

    /// The text was told before its end marker came: it becomes a thought, and each token keeps its place.
    void aThoughtThatOnlyEnds() {
        Stage stage({"Let", " me", " see.", "\n", "</think>", "\n\n", "Four", "."}, {});
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(stage.heard, (Heard{"text Let", "text  me", "text  see.", "all thoughts", "text Four", "text ."}));
        QCOMPARE(result->thought(), std::string("Let me see."));
        QCOMPARE(result->text(), std::string("Four."));
        const std::vector<TextRange> none,
            places[] = {{{0, 0, 3}}, {{0, 3, 6}}, {{0, 6, 11}}, none, none, none, {{1, 0, 4}}, {{1, 4, 5}}};
        QCOMPARE(result->tokens.size(), std::size(places));
        for (size_t i = 0; i < std::size(places); ++i) QCOMPARE(result->tokens[i].text, places[i]);
    }

    void controlTokensThatACallNeedsAreRead() {
        Stage stage({"I look.", "[TOOL_CALLS]", "f", "[ARGS]", "{\"a\":1}", "[OTHER]"}, {.calls = kMarkedCalls});
        QCOMPARE(stage.run()->toolCalls().size(), size_t{1});
        QCOMPARE(stage.heard, (Heard{"text I look.", "call f{\"a\":1}"}));
        const auto mark = [](const std::string& words) {
            return "<\xEF\xBD\x9Ctool\xE2\x96\x81" + words + "\xEF\xBD\x9C>";
        };
        const std::string begin = mark("call\xE2\x96\x81"
                                       "begin"),
                          end = mark("call\xE2\x96\x81"
                                     "end");
        Stage deep({begin, "f", mark("sep"), "{}", end, begin, "g", mark("sep"), "{}", end}, {.calls = kMarkedCalls});
        QCOMPARE(deep.run()->toolCalls().size(), size_t{2});
        QCOMPARE(deep.heard, (Heard{"call f{}", "call g{}"}));
        Stage none({"I look.", "[TOOL_CALLS]", "f", "[ARGS]", "{\"a\":1}"}, {});
        QCOMPARE(none.run()->text(), std::string("I look.f{\"a\":1}")); // no tools were offered
    }

    void stoppedInMidThought() {
        Stage stage({"<think>", "a", "b", "c", "</think>", "d"}, {});
        stage.cancelAfter = 2;
        const Result<Generated> result = stage.run();
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::Cancelled);
        QCOMPARE(result->thought(), std::string("ab"));
        QVERIFY(result->text().empty());
    }

    void stopStringsAreCutFirst() {
        Stage stage({"<think>", "a", "</think>", "Hello", " STOP", " more"}, {});
        stage.options.stop = {" STOP"};
        const Result<Generated> result = stage.run();
        QCOMPARE(result->reason, FinishReason::StopString);
        QCOMPARE(result->text(), std::string("Hello"));
        QCOMPARE(result->thought(), std::string("a"));
    }

    void withoutFormsAllIsText() {
        Stage stage({"<think>", "a", "</think>"}, {});
        stage.reading.forms.reset();
        QCOMPARE(stage.run()->text(), std::string("<think>a</think>"));
    }
};

QTEST_APPLESS_MAIN(TestAnswerParts)
#include "tst_answer_parts.moc"
