// SPDX-License-Identifier: Apache-2.0
// Tests which text of an answer may be shown, and when: whole characters only, possible stop strings are held back. And
// the rate of tokens.
#include "sampling/random.h"
#include "session/answer_text.h"
#include "session/rate_meter.h"

#include <QtTest>

using namespace coterie::engine;
using namespace std::chrono_literals;

namespace {

using Texts = std::vector<std::string>;

/// Every piece's output, joined, with what comes at the end.
std::string joined(AnswerText& text, const Texts& pieces) {
    std::string out;
    for (const std::string& piece : pieces) out += text.push(piece);
    return out + text.finish();
}

std::string joined(const Texts& stops, const Texts& pieces) {
    AnswerText text(stops, false);
    return joined(text, pieces);
}

/// The text up to the stop that is complete first, found byte by byte.
std::string cutLiterally(const std::string& text, const Texts& stops) {
    for (size_t end = 1; end <= text.size(); ++end) {
        size_t cut = std::string::npos;
        for (const std::string& stop : stops)
            if (end >= stop.size() && text.compare(end - stop.size(), stop.size(), stop) == 0)
                cut = std::min(cut, end - stop.size());
        if (cut != std::string::npos) return text.substr(0, cut);
    }
    return text;
}

} // namespace

class TestAnswerText : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void withoutStopsNothingIsHeldBack() {
        AnswerText text({}, false);
        QCOMPARE(text.push("Hel"), std::string("Hel"));
        QCOMPARE(text.push("lo"), std::string("lo"));
        QCOMPARE(text.finish(), std::string());
        QVERIFY(!text.stopped());
    }

    void aCharacterComesWhole() {
        AnswerText text({}, false);
        QCOMPARE(text.push("a\xE2\x82"), std::string("a"));
        QCOMPARE(text.push("\xAC"
                           "b"),
                 std::string("\xE2\x82\xAC"
                             "b"));
        QCOMPARE(text.push("\xF0\x9F"), std::string());
        QCOMPARE(text.finish(), std::string("\xEF\xBF\xBD"));
    }

    void whatMayBecomeAStopIsHeldUntilItCannot() {
        AnswerText text({"END"}, false);
        QCOMPARE(text.push("the E"), std::string("the "));
        QCOMPARE(text.push("N"), std::string());
        QCOMPARE(text.push("T E"), std::string("ENT "));
        QCOMPARE(text.push("ND and more"), std::string());
        QVERIFY(text.stopped());
        QCOMPARE(text.push("more"), std::string());
        QCOMPARE(text.finish(), std::string());
    }

    void heldTextComesOutAtTheEnd() { QCOMPARE(joined({"STOP"}, {"no ST", "O"}), std::string("no STO")); }
    void aStopMayOverlapItself() { QCOMPARE(joined({"aab"}, {"aa", "aa", "b", "c"}), std::string("aa")); }
    void theStopThatIsCompleteFirstCounts() {
        for (const Texts& pieces : {Texts{"xabc"}, Texts{"x", "a", "b", "c"}})
            QCOMPARE(joined({"abc", "b"}, pieces), std::string("xa"));
        QCOMPARE(joined({"c", "abc"}, {"xabc"}), std::string("x"));
        QCOMPARE(joined({"abc", "c"}, {"xabc"}), std::string("x"));
    }

    void anyPiecesGiveTheSameCut() {
        SplitMix64 random(5);
        int stoppedRuns = 0;
        for (int run = 0; run < 3000; ++run) {
            const auto word = [&random](size_t length) {
                std::string out;
                for (size_t i = 0; i < length; ++i) out += "ab"[random.next() % 2];
                return out;
            };
            const std::string whole = word(random.next() % 16);
            const Texts stops{word(1 + random.next() % 5), word(2 + random.next() % 4)};
            Texts pieces;
            for (size_t at = 0; at < whole.size();) {
                const size_t length = 1 + random.next() % 4;
                pieces.push_back(whole.substr(at, length));
                at += length;
            }
            AnswerText text(stops, false);
            const std::string wanted = cutLiterally(whole, stops);
            QCOMPARE(joined(text, pieces), wanted);
            QCOMPARE(text.stopped(), wanted != whole);
            stoppedRuns += text.stopped();
        }
        QVERIFY(stoppedRuns > 500 && stoppedRuns < 2900);
    }

    void oneLeadingSpaceIsDropped() {
        AnswerText text({}, true);
        QCOMPARE(joined(text, {"", "  Hello", " you"}), std::string(" Hello you"));
        AnswerText none({}, true);
        QCOMPARE(joined(none, {"Hello", " you"}), std::string("Hello you"));
        AnswerText kept({}, false);
        QCOMPARE(joined(kept, {" Hello"}), std::string(" Hello"));
    }

    void theRateCountsTheLastSecond() {
        RateMeter rate;
        const RateMeter::Time start{};
        QCOMPARE(rate.perSecond(), 0.0);
        rate.token(start);
        QCOMPARE(rate.perSecond(), 0.0); // one token has no rate
        for (int i = 1; i <= 100; ++i) rate.token(start + i * 10ms);
        QCOMPARE(rate.perSecond(), 100.0);
        for (int i = 1; i <= 60; ++i) rate.token(start + 1s + i * 20ms);
        QCOMPARE(rate.perSecond(), 50.0); // the fast ones have left the second
        rate.stop();
        QCOMPARE(rate.perSecond(), 0.0);
    }

    void aSlowModelIsJudgedByItsLastTwoTokens() {
        RateMeter rate;
        for (int i = 0; i < 5; ++i) rate.token(RateMeter::Time{} + i * 4s);
        QCOMPARE(rate.perSecond(), 0.25);
    }
};

QTEST_APPLESS_MAIN(TestAnswerText)
#include "tst_answer_text.moc"
