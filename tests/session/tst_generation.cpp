// SPDX-License-Identifier: Apache-2.0
// One answer over a scripted device: what ends it, what is counted, what is reused, and what an error leaves behind.
#include "base/guard.h"
#include "session/generation.h"
#include "session/scripted_model.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <system_error>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const std::vector<std::string> kPieces{"Hel", "lo wo", "rld", "!", "\xE2\x82", "\xAC", "<end>"};
constexpr TokenId kEnd = 6;

/// A model with experts that says `answer`. It keeps the texts of all deltas.
struct Stage : ScriptedAnswer {
    explicit Stage(std::vector<TokenId> answer, int64_t context = 100) : ScriptedAnswer(kPieces, context) {
        said = std::move(answer);
        info.experts = 8;
        info.trainedContext = 1000;
    }

    Result<Generated> run(const std::vector<TokenId>& prompt) {
        deltas.clear();
        return generate(prompt, [this](const Delta& d) {
            if (d.token >= 0 || !d.text.empty()) deltas.emplace_back(d.text);
            if (onDelta) onDelta(d);
        });
    }

    DeltaCallback onDelta;
    std::vector<std::string> deltas;
};

Error ioError() { return {ErrorKind::Io, "Can't read", "The disk is gone", "Attach it"}; }

} // namespace

class TestGeneration : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anAnswerEndsWithItsEndToken() {
        Stage stage({0, 1, 2});
        const Result<Generated> result = stage.run({3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::EndOfGeneration);
        QCOMPARE(result->text(), std::string("Hello world"));
        QCOMPARE(stage.deltas, (std::vector<std::string>{"Hel", "lo wo", "rld"}));
        QCOMPARE(result->statistics.generated, 3);
        QCOMPARE(result->statistics.promptTokens, 2);
        QCOMPARE(result->statistics.promptReused, 0);
        QCOMPARE(result->statistics.decodePasses, 3); // the last one gave the end token
        QCOMPARE(result->statistics.decodeRate(), std::optional(3 / result->statistics.decodeSeconds));
        QCOMPARE(result->statistics.decoding.weightBytesRead, uint64_t(300)); // three tokens were decoded
        QCOMPARE(result->statistics.counts.hits, uint64_t(25));               // five went through in all
        QCOMPARE(result->statistics.counts.misses, uint64_t(5));
        QCOMPARE(result->statistics.counts.fromDisk(), uint64_t(15)); // those that were guessed in time, too
        QVERIFY(!result->statistics.dense);
    }

    /// One formula for tokens per second, by the passes that were really made: the first token comes from the prompt's
    /// pass, and only an answer that the model ends has looked beyond its last token.
    void theRateCountsForwardPasses() {
        for (const int64_t most : {-1, 3, 2, 1}) {
            Stage stage({0, 1, 2});
            stage.options.maxTokens = most;
            const GenerationStatistics s = stage.run({3, 3})->statistics;
            const int64_t passes = most < 0 ? 3 : most - 1;
            QCOMPARE(s.decodePasses, passes);
            QCOMPARE(stage.device.forwardedTokens, 2 + passes);
            QCOMPARE(s.decodeRate().has_value(), passes > 0);
            if (passes > 0) QCOMPARE(*s.decodeRate(), static_cast<double>(passes) / s.decodeSeconds);
        }
    }

    void measuringGoesOnPastTheEnd() {
        Stage stage({0, kEnd, 2});
        stage.options.ignoreEnd = true;
        stage.options.maxTokens = 3;
        const Result<Generated> result = stage.run({3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::MaxTokens);
        QCOMPARE(result->text(), std::string("Helrld"));
        QCOMPARE(result->statistics.generated, 3);
        QCOMPARE(result->statistics.decodePasses, 2); // no pass follows the last token
        QCOMPARE(result->statistics.decodeRate(), std::optional(2 / result->statistics.decodeSeconds));
    }

    void forcedTokensTakeThePlaceOfDrawnOnes() {
        Stage stage({0, 1, 2, 3, 0});
        stage.options.forced = {3, kEnd, 3};
        stage.options.maxTokens = 4;
        stage.options.ignoreEnd = true;
        std::vector<TokenId> likeliest;
        stage.options.onLogits = [&likeliest](std::span<const float> logits) {
            likeliest.push_back(static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
        };
        const Result<Generated> result = stage.run({2});
        QVERIFY(result.ok());
        QCOMPARE(result->text(), std::string("!!!"));
        QCOMPARE(likeliest, (std::vector<TokenId>{0, 1, 2, 3})); // the tokens that would have been drawn
        QCOMPARE(stage.device.held, (std::vector<TokenId>{2, 3, kEnd, 3}));
        for (const TokenId bad : {-1, 7}) {
            stage.options.forced = {0, bad};
            const Result<Generated> refused = stage.run({2});
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().kind, ErrorKind::BadInput);
        }
    }

    /// The model would say them; the likeliest of the others takes their place, here the first one.
    void suppressedTokensAreNeverDrawn() {
        Stage stage({2, 1, 2});
        stage.tokenizer.never = {1, 900}; // the model has no row 900
        bool seen = false;
        stage.options.onLogits = [&seen](std::span<const float> logits) { seen = seen || logits[1] >= 0; };
        const Result<Generated> result = stage.run({3});
        QVERIFY(result.ok());
        QCOMPARE(result->text(), std::string("rldHelrld"));
        QVERIFY(!seen);
        QCOMPARE(stage.device.bestRows, 3); // so that one is left of the highest
        stage.tokenizer.never = {0, 1, 2, 3, 4, 5, kEnd};
        QCOMPARE(stage.run({3}).error().kind, ErrorKind::Internal);
    }

    void onlyTheAnswerIsRoutedApproximately() {
        Stage stage({0, 1, 2});
        stage.options.routing.topWeightShare = 0.5f;
        const Result<Generated> result = stage.run({3, 3, 3});
        QVERIFY(result.ok());
        QCOMPARE(stage.device.forwardedTokens, 6);
        QCOMPARE(stage.device.approximateTokens, 3);
        QCOMPARE(result->statistics.exactness, Exactness::Approximate);
        QCOMPARE(result->statistics.decoding.choices, uint64_t{3 * ScriptedBackend::kLayers});
        QCOMPARE(result->statistics.decoding.choicesChanged, uint64_t{3});
    }

    /// The only token is drawn from the prompt, or nothing else was chosen than without: what comes out is exact.
    void whatChangesNothingIsExact() {
        for (const bool oneToken : {true, false}) {
            Stage stage({0, 1, 2});
            stage.options.routing = {.preferCached = 0.5f, .topWeightShare = 0.9f};
            stage.options.maxTokens = oneToken ? 1 : 3;
            stage.device.findsOthers = oneToken;
            const Result<Generated> result = stage.run({3, 3});
            QVERIFY(result.ok());
            QCOMPARE(result->statistics.exactness, Exactness::SameBits);
            QCOMPARE(result->statistics.decoding.choicesChanged, uint64_t{0});
            stage.options.routing = {};
            QCOMPARE(stage.run({3, 3, 0, 1, 2})->statistics.promptReused, oneToken ? 2 : 4); // all that is there
        }
    }

    void aModelWithoutExpertsIsExact() {
        Stage stage({0, 1, 2});
        stage.info.experts = 0;
        stage.options.routing = {.preferCached = 0.5f, .topWeightShare = 0.9f};
        QCOMPARE(stage.run({3})->statistics.exactness, Exactness::SameBits);
        QCOMPARE(stage.device.approximateTokens, 0);
    }

    /// Each way by its own rule, looked at for each token.
    void scarcityTurnsOnWhatWaitsForIt() {
        Stage stage({0, 1, 2, 0, 1});
        stage.options.routing = {.preferCached = 0.25f, .topWeightShare = 0.5f};
        stage.options.topWeightShareWhen = RoutingWhen::Scarce;
        stage.options.maxTokens = 5;
        stage.onDelta = [&](const Delta& d) { stage.scarcity.setMemoryShort(d.generated == 2 || d.generated == 3); };
        QVERIFY(stage.run({3, 3}).ok());
        std::vector<float> shares;
        for (size_t i = 0; i < stage.device.routings.size(); ++i) {
            QCOMPARE(stage.device.routings[i].preferCached, i == 0 ? 0.0f : 0.25f); // the prompt
            shares.push_back(stage.device.routings[i].topWeightShare);
        }
        QCOMPARE(shares, (std::vector<float>{0, 0, 0.5f, 0.5f, 0}));

        stage.device.routings.clear();
        stage.options.routing.preferCached = 0;
        stage.scarcity.setMemoryShort(false);
        stage.onDelta = {};
        const Result<Generated> plenty = stage.run({3, 2});
        QCOMPARE(plenty->statistics.exactness, Exactness::SameBits);
        stage.power = {.onBattery = true, .charge = 0.1};
        QCOMPARE(stage.run({3, 1})->statistics.exactness, Exactness::SameBits); // nobody has looked at the battery
        stage.scarcity.watchPower();
        QCOMPARE(stage.run({3, 0})->statistics.exactness, Exactness::Approximate);
    }

    /// An answer that starts exactly, because nothing is scarce any more, goes on from nothing approximate.
    void afterwardsAnAnswerIsExactAgain() {
        Stage stage({0, 1, 2});
        stage.options.routing.topWeightShare = 0.5f;
        stage.options.topWeightShareWhen = RoutingWhen::Scarce;
        stage.scarcity.setMemoryShort(true);
        QCOMPARE(stage.run({3, 3, 3})->statistics.exactness, Exactness::Approximate);
        const Result<Generated> scarce = stage.run({3, 3, 3, 0, 1, 2, 3});
        QCOMPARE(scarce->statistics.promptReused, 6);
        QCOMPARE(scarce->statistics.exactness, Exactness::Approximate);
        stage.options.maxTokens = 1;
        const Result<Generated> follows = stage.run({3, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3});
        QCOMPARE(follows->statistics.decoding.choicesChanged, uint64_t{0});
        QCOMPARE(follows->statistics.exactness, Exactness::Approximate); // the text before it was read approximately
        stage.scarcity.setMemoryShort(false);
        const Result<Generated> plenty = stage.run({3, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3});
        QCOMPARE(plenty->statistics.promptReused, 3);
        QCOMPARE(plenty->statistics.exactness, Exactness::SameBits);
    }

    /// The next prompt holds the answer: an approximate one goes on from it, an exact one reads it again.
    void anExactAnswerKeepsNothingApproximate() {
        for (const bool exactly : {true, false}) {
            Stage stage({0, 1, 2});
            stage.options.routing.preferCached = 0.5f;
            QVERIFY(stage.run({3, 3, 3}).ok());
            if (exactly) stage.options.routing = {};
            const Result<Generated> next = stage.run({3, 3, 3, 0, 1, 2, 3});
            QVERIFY(next.ok());
            QCOMPARE(next->statistics.promptReused, exactly ? 3 : 6);
            // From now on all of it is exact, or some of it never was.
            stage.options.routing = {};
            const Result<Generated> last = stage.run({3, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3});
            QVERIFY(last.ok());
            QCOMPARE(last->statistics.promptReused, exactly ? 10 : 3);
        }
    }

    void routingIsChecked() {
        for (const float bad : {-0.1f, 1.1f, std::numeric_limits<float>::quiet_NaN()})
            for (const ApproximateRouting& routing :
                 {ApproximateRouting{.preferCached = bad}, ApproximateRouting{.topWeightShare = bad}}) {
                GenerateOptions options;
                options.routing = routing;
                const Status status = checkGenerateOptions(options);
                QVERIFY(!status.ok());
                QCOMPARE(status.error().kind, ErrorKind::BadInput);
            }
    }

    void aStopStringAcrossTokensIsCut() {
        Stage stage({0, 1, 2, 3});
        stage.options.stop = {"o wor"};
        const Result<Generated> result = stage.run({3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::StopString);
        QCOMPARE(result->text(), std::string("Hell"));
        QCOMPARE(stage.deltas, (std::vector<std::string>{"Hel", "l", ""}));
    }

    void heldTextComesOutWhenTheAnswerEnds() {
        Stage stage({0, 1, 4});
        stage.options.stop = {"wow"};
        const Result<Generated> result = stage.run({3});
        QVERIFY(result.ok());
        QCOMPARE(result->text(), std::string("Hello wo\xEF\xBF\xBD")); // half a euro sign is none
        QCOMPARE(QString::fromStdString(result->text()), QString::fromUtf8("Hello wo\xEF\xBF\xBD"));
    }

    void maxTokensAreCounted_data() {
        QTest::addColumn<int>("most");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0 << "";
        QTest::newRow("one") << 1 << "Hel";
        QTest::newRow("two") << 2 << "Hello wo";
    }
    void maxTokensAreCounted() {
        QFETCH(int, most);
        QFETCH(QString, text);
        Stage stage({0, 1, 2});
        stage.options.maxTokens = most;
        const Result<Generated> result = stage.run({3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::MaxTokens);
        QCOMPARE(QString::fromStdString(result->text()), text);
        QCOMPARE(stage.device.held.size(), size_t(2 + std::max(0, most - 1))); // the last one needs no forward pass
    }

    void aFullContextEndsTheAnswer() {
        Stage stage({0, 1, 2, 3, 3, 3}, 5);
        const Result<Generated> result = stage.run({3, 3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::ContextFull);
        QCOMPARE(result->text(), std::string("Hello world"));
        QCOMPARE(stage.device.held.size(), size_t(5));
    }

    void aPromptThatFillsTheContextStillGetsOneToken() {
        Stage stage({0, 1}, 3);
        const Result<Generated> result = stage.run({3, 3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::ContextFull);
        QCOMPARE(result->text(), std::string("Hel"));
    }

    void aLongerPromptIsRefusedByCount() {
        Stage stage({0}, 4);
        const Result<Generated> result = stage.run({3, 3, 3, 3, 3, 3, 3});
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::ContextFull);
        const QString line = QString::fromStdString(result.error().line());
        QVERIFY2(line.contains("7 tokens") && line.contains("3 more than the 4") && line.contains("1000"),
                 qPrintable(line));
        QVERIFY(stage.device.held.empty());
    }

    void cancelEndsWithinOneToken() {
        Stage stage({0, 1, 2, 3});
        stage.onDelta = [&](const Delta& d) { stage.cancel = d.generated == 2; };
        const Result<Generated> result = stage.run({3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::Cancelled);
        QCOMPARE(result->text(), std::string("Hello wo"));
        QCOMPARE(result->statistics.generated, 2);
    }

    void cancelWhileThePromptIsRead() {
        Stage stage({0});
        stage.onDelta = [&](const Delta& d) { stage.cancel = d.promptDone == 6; };
        const Result<Generated> result = stage.run({3, 3, 3, 3, 3, 3, 3, 3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->reason, FinishReason::Cancelled);
        QCOMPARE(result->text(), std::string());
        QCOMPARE(result->statistics.generated, 0);
        QCOMPARE(stage.cache.position(), stage.script.device.decoder()->position()); // four, a whole chunk

        stage.cancel = false;
        stage.onDelta = {};
        const Result<Generated> again = stage.run({3, 3, 3, 3, 3, 3, 3, 3, 3});
        QVERIFY(again.ok());
        QCOMPARE(again->statistics.promptReused, 4);
        QCOMPARE(again->text(), std::string("Hel"));
    }

    void promptProgressRisesToItsTotal() {
        Stage stage({0});
        std::vector<int64_t> done;
        stage.onDelta = [&](const Delta& d) {
            QCOMPARE(d.promptTotal, 5);
            if (d.generated == 0 && d.token < 0) done.push_back(d.promptDone);
        };
        QVERIFY(stage.run({3, 3, 3, 3, 3}).ok());
        QCOMPARE(done, (std::vector<int64_t>{1, 2, 3, 4, 5}));
    }

    /// The caller is slow in this test, so that half a second passes before most of the prompt is read.
    void aSlowPromptSaysHowLongItTakes() {
        Stage stage({0});
        std::vector<double> left;
        stage.onDelta = [&](const Delta& d) {
            if (d.generated != 0 || d.token >= 0) return;
            if (left.empty()) QTest::qSleep(600);
            left.push_back(d.promptSecondsLeft);
        };
        QVERIFY(stage.run({3, 3, 3, 3, 3}).ok());
        QCOMPARE(left.size(), size_t{5});
        QCOMPARE(left[0], -1.0);
        QVERIFY(left[1] >= 0.6 * 3 / 2 && left[2] >= 0.6 * 2 / 3);
        QCOMPARE(left[4], 0.0);
        QCOMPARE(secondsLeft(10, 0, 5), -1.0);
        QCOMPARE(secondsLeft(0.4, 1, 5), -1.0);
        QCOMPARE(secondsLeft(3, 2, 10), 12.0);
    }

    void whatTwoPromptsShareIsReadOnce() {
        Stage stage({0, 1});
        QVERIFY(stage.run({3, 3, 2}).ok());
        const int64_t before = stage.device.forwardedTokens;
        const Result<Generated> more = stage.run({3, 3, 2, 0, 1, 2});
        QVERIFY(more.ok());
        QCOMPARE(more->statistics.promptReused, 5); // the first prompt and its answer
        QCOMPARE(stage.device.forwardedTokens - before, 1 + 2);
        const Result<Generated> same = stage.run({3, 3, 2, 0, 1, 2});
        QVERIFY(same.ok());
        QCOMPARE(same->statistics.promptReused, 5); // the last token's logits are wanted
        const Result<Generated> other = stage.run({3, 2});
        QVERIFY(other.ok());
        QCOMPARE(other->statistics.promptReused, 1);
        QCOMPARE(other->text(), std::string("Hello wo"));
    }

    void whatTheDeviceForgetsIsReadAgain() {
        Stage stage({0});
        QVERIFY(stage.run({3, 3, 2, 2}).ok());
        stage.device.rewindKeeps = 1;
        const Result<Generated> result = stage.run({3, 3, 2, 2, 1});
        QVERIFY(result.ok());
        QCOMPARE(result->statistics.promptReused, 1);
        QCOMPARE(stage.device.held, (std::vector<TokenId>{3, 3, 2, 2, 1, 0}));
    }

    void measuringReadsThePromptAnew() {
        Stage stage({0});
        QVERIFY(stage.run({3, 3, 2}).ok());
        stage.options.reuseCache = false;
        const Result<Generated> result = stage.run({3, 3, 2});
        QVERIFY(result.ok());
        QCOMPARE(result->statistics.promptReused, 0);
    }

    void withoutACacheEachTokenReadsEverythingAgain() {
        Stage stage({0, 1, 2});
        QVERIFY(stage.run({3, 3}).ok());
        QCOMPARE(stage.device.forwardedTokens, 2 + 3);
        stage.options.keepCache = false;
        stage.options.reuseCache = false;
        stage.device.forwardedTokens = 0;
        const Result<Generated> result = stage.run({3, 3});
        QVERIFY(result.ok());
        QCOMPARE(result->text(), std::string("Hello world"));
        QCOMPARE(stage.device.forwardedTokens, 2 + 3 + 4 + 5);
        QCOMPARE(stage.cache.position(), 5);
    }

    void anErrorLeavesNothingHalfDone() {
        Stage stage({0, 1, 2});
        QVERIFY(stage.run({3, 3}).ok());
        stage.device.beforeEach = [](const std::vector<TokenId>& held) {
            return held.size() == 6 ? Status(ioError()) : Status();
        };
        const Result<Generated> failed = stage.run({3, 3, 0, 3, 3});
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::Io);
        QCOMPARE(stage.cache.position(), 0);
        QCOMPARE(stage.script.device.decoder()->position(), 0);
        stage.device.beforeEach = {};
        const Result<Generated> again = stage.run({3, 3, 0, 3, 3});
        QVERIFY(again.ok());
        QCOMPARE(again->text(), std::string("Hello world"));
    }

    void logitsThatAreNoNumbersAreAnError() {
        Stage stage({});
        stage.device.logits = [](const std::vector<TokenId>&) {
            return std::vector<float>(kPieces.size(), std::numeric_limits<float>::quiet_NaN());
        };
        const Result<Generated> result = stage.run({3});
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Internal);
    }

    /// The numbers of the tokens before may be spoilt too: the next try reads them again.
    void logitsThatAreNoNumbersLeaveNothingInTheCache() {
        Stage stage({0, 1, 2});
        const auto well = std::exchange(stage.device.logits, [](const std::vector<TokenId>&) {
            return std::vector<float>(kPieces.size(), std::numeric_limits<float>::quiet_NaN());
        });
        QVERIFY(!stage.run({3, 3, 3}));
        QCOMPARE(stage.cache.position(), 0);
        stage.device.logits = well;
        const Result<Generated> again = stage.run({3, 3, 3});
        QVERIFY(again.ok());
        QCOMPARE(again->statistics.promptReused, 0);
        QCOMPARE(again->text(), std::string("Hello world"));
    }

    void thePromptCountsForPenalties() {
        Stage stage({});
        stage.options.sampling.presencePenalty = 1.0f;
        stage.options.maxTokens = 2;
        stage.device.logits = [](const std::vector<TokenId>&) {
            return std::vector<float>{1.0f, 0.8f, 0.5f, 0, 0, 0, 0};
        };
        const Result<Generated> result = stage.run({0}); // so 0 is lowered at once, and 1 after it was drawn
        QVERIFY(result.ok());
        QCOMPARE(result->text(), std::string("lo world"));
    }

    void theLogitsOfEachTokenAreShown() {
        Stage stage({0, 1});
        int shown = 0;
        stage.options.onLogits = [&shown](std::span<const float> logits) { shown += logits.size() == kPieces.size(); };
        QVERIFY(stage.run({3}).ok());
        QCOMPARE(shown, 3);
    }

    void badPromptsAreRefused() {
        Stage stage({0});
        for (const std::vector<TokenId>& prompt : {std::vector<TokenId>{}, {-1}, {0, 7}}) {
            const Result<Generated> result = stage.run(prompt);
            QVERIFY(!result);
            QCOMPARE(result.error().kind, ErrorKind::BadInput);
        }
    }

    void badOptionsAreRefused() {
        GenerateOptions options;
        QVERIFY(checkGenerateOptions(options).ok());
        options.stop = {"a", ""};
        QVERIFY(!checkGenerateOptions(options));
        options.stop.clear();
        options.maxTokens = -2;
        QVERIFY(!checkGenerateOptions(options));
        options.maxTokens = -1;
        options.sampling.topP = 2;
        QVERIFY(!checkGenerateOptions(options));
    }

    void theRateIsZeroAfterwards() {
        Stage stage({0, 1, 2});
        QVERIFY(stage.run({3}).ok());
        QCOMPARE(stage.rate.perSecond(), 0.0);
    }

    void lostMemoryAndThreadsBecomeErrors() {
        const Result<int> memory = guarded([]() -> Result<int> { throw std::bad_alloc(); });
        QVERIFY(!memory);
        QCOMPARE(memory.error().kind, ErrorKind::OutOfMemory);
        const Result<int> threads = guarded([]() -> Result<int> {
            throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        });
        QVERIFY(!threads);
        QCOMPARE(threads.error().kind, ErrorKind::OutOfMemory);
        QCOMPARE(guarded([] { return Result<int>(7); }).value(), 7);
    }
};

QTEST_APPLESS_MAIN(TestGeneration)
#include "tst_generation.moc"
