// SPDX-License-Identifier: Apache-2.0
// The sampler against a slow, literal computation of each filter: which tokens may win, how often, and in which order
// for a seed.
#include "sampling/random.h"
#include "sampling/sampler.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace coterie::engine;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Everything off, so that a test turns on what it is about.
SamplingOptions plain(float temperature = 1.0f, uint64_t seed = 1) {
    SamplingOptions options;
    options.temperature = temperature;
    options.topK = 0;
    options.topP = 1.0f;
    options.minP = 0.0f;
    options.seed = seed;
    return options;
}

/// Logits without ties, from -4 to 4, in an order that a fixed generator shuffles.
std::vector<float> someLogits(int count, uint64_t seed) {
    std::vector<float> logits;
    for (int i = 0; i < count; ++i) logits.push_back(-4.0f + 8.0f * static_cast<float>(i) / static_cast<float>(count));
    SplitMix64 random(seed);
    for (size_t i = logits.size() - 1; i > 0; --i) std::swap(logits[i], logits[random.next() % (i + 1)]);
    return logits;
}

/// Does word for word as the header promises: sorts everything, then cuts. Returns the probability of each token that
/// stays.
std::map<TokenId, double> literally(const std::vector<float>& logits, const SamplingOptions& options) {
    std::vector<std::pair<long double, TokenId>> ranked; // probability (unnormalised), id
    for (size_t i = 0; i < logits.size(); ++i)
        ranked.emplace_back(std::exp(static_cast<long double>(logits[i]) / options.temperature),
                            static_cast<TokenId>(i));
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (options.topK > 0) ranked.resize(std::min(ranked.size(), static_cast<size_t>(options.topK)));
    long double total = 0, sum = 0;
    for (const auto& r : ranked) total += r.first;
    size_t kept = 0;
    while (kept < ranked.size() && (kept == 0 || sum < options.topP * total)) sum += ranked[kept++].first;
    ranked.resize(kept);
    const long double least = options.minP * ranked.front().first;
    std::erase_if(ranked, [least](const auto& r) { return r.first < least; });
    sum = 0;
    for (const auto& r : ranked) sum += r.first;
    std::map<TokenId, double> out;
    for (const auto& r : ranked) out[r.second] = static_cast<double>(r.first / sum);
    return out;
}

std::map<TokenId, int> countDraws(const std::vector<float>& logits, const SamplingOptions& options, int draws) {
    Sampler sampler(options, static_cast<int64_t>(logits.size()));
    std::map<TokenId, int> counts;
    for (int i = 0; i < draws; ++i) ++counts[sampler.pick(logits)];
    return counts;
}

TokenId greedy(const std::vector<float>& logits, SamplingOptions options, std::initializer_list<TokenId> seen) {
    options.temperature = 0;
    Sampler sampler(options, static_cast<int64_t>(logits.size()));
    for (TokenId token : seen) sampler.accept(token);
    return sampler.pick(logits);
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void randomNumbersAreThePublishedOnes() {
        SplitMix64 random(1234567); // the sequence that Vigna's reference program prints for this seed
        for (uint64_t wanted : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u})
            QCOMPARE(random.next(), wanted);
        SplitMix64 unit(42);
        for (int i = 0; i < 1000; ++i) {
            const double u = unit.nextUnit();
            QVERIFY(u >= 0 && u < 1);
        }
    }

    void freshSeedsDiffer() {
        std::set<uint64_t> seeds;
        for (int i = 0; i < 1000; ++i) seeds.insert(freshSeed());
        QCOMPARE(seeds.size(), size_t(1000));
        SamplingOptions options = plain();
        options.seed.reset();
        QVERIFY(Sampler(options, 4).seed() != Sampler(options, 4).seed());
    }

    void filtersKeepWhatTheHeaderSays_data() {
        QTest::addColumn<int>("vocabulary");
        QTest::addColumn<float>("temperature");
        QTest::addColumn<int>("topK");
        QTest::addColumn<float>("topP");
        QTest::addColumn<float>("minP");
        QTest::newRow("all off") << 12 << 1.0f << 0 << 1.0f << 0.0f;
        QTest::newRow("hot") << 12 << 3.0f << 0 << 1.0f << 0.0f;
        QTest::newRow("top-k 1") << 50 << 1.0f << 1 << 1.0f << 0.0f;
        QTest::newRow("top-k 5") << 50 << 1.0f << 5 << 1.0f << 0.0f;
        QTest::newRow("top-k over vocabulary") << 12 << 1.0f << 500 << 1.0f << 0.0f;
        QTest::newRow("top-p 0") << 50 << 1.0f << 0 << 0.0f << 0.0f;
        QTest::newRow("top-p 0.5") << 50 << 1.0f << 0 << 0.5f << 0.0f;
        QTest::newRow("top-p 0.9 of top-k 8") << 50 << 1.5f << 8 << 0.9f << 0.0f;
        QTest::newRow("top-p cold") << 50 << 0.3f << 0 << 0.8f << 0.0f;
        QTest::newRow("min-p 0.2") << 50 << 1.0f << 0 << 1.0f << 0.2f;
        QTest::newRow("min-p 1") << 50 << 1.0f << 0 << 1.0f << 1.0f;
        QTest::newRow("min-p looser than top-p") << 50 << 2.0f << 0 << 0.4f << 0.1f;
        QTest::newRow("min-p stricter than top-p") << 50 << 2.0f << 0 << 0.95f << 0.5f;
        QTest::newRow("all three") << 50 << 2.0f << 30 << 0.85f << 0.15f;
    }
    void filtersKeepWhatTheHeaderSays() {
        QFETCH(int, vocabulary);
        QFETCH(float, temperature);
        SamplingOptions options = plain(temperature, 99);
        QFETCH(int, topK);
        QFETCH(float, topP);
        QFETCH(float, minP);
        options.topK = topK;
        options.topP = topP;
        options.minP = minP;
        const std::vector<float> logits = someLogits(vocabulary, 7);
        const std::map<TokenId, double> wanted = literally(logits, options);
        constexpr int kDraws = 40000;
        const std::map<TokenId, int> drawn = countDraws(logits, options, kDraws);

        for (const auto& [token, count] : drawn) QVERIFY2(wanted.count(token), qPrintable(QString::number(token)));
        for (const auto& [token, probability] : wanted) {
            const double expected = probability * kDraws;
            const double spread =
                5 * std::sqrt(expected * (1 - probability)) + 1; // five standard deviations of a binomial
            const int count = drawn.count(token) ? drawn.at(token) : 0;
            QVERIFY2(std::abs(count - expected) <= spread,
                     qPrintable(QString("token %1: %2 of %3").arg(token).arg(count).arg(expected)));
        }
    }

    void sameSeedSameTokens() {
        const std::vector<float> logits = someLogits(100, 3);
        SamplingOptions options; // the defaults
        options.seed = 20240229;
        Sampler a(options, 100), b(options, 100);
        std::vector<TokenId> first, second;
        for (int i = 0; i < 200; ++i) {
            first.push_back(a.pick(logits));
            second.push_back(b.pick(logits));
        }
        QCOMPARE(first, second);
        QCOMPARE(a.seed(), uint64_t(20240229));
        QVERIFY(std::set<TokenId>(first.begin(), first.end()).size() > 5);
    }

    void theSequenceOfASeedIsFixed() {
        // ids 0..7 with weights 8, 7, ... 1: worked out apart from the sampler, from the published numbers of this seed
        std::vector<float> logits;
        for (int i = 0; i < 8; ++i) logits.push_back(std::log(static_cast<float>(8 - i)));
        SplitMix64 random(1234567);
        Sampler sampler(plain(1.0f, 1234567), 8);
        for (int i = 0; i < 64; ++i) {
            double goal = random.nextUnit() * 36; // 8 + 7 + ... + 1
            TokenId wanted = 0;
            while (goal >= 8 - wanted) goal -= 8 - wanted++;
            QCOMPARE(sampler.pick(logits), wanted);
        }
        Sampler again(plain(1.0f, 1234567), 8);
        std::vector<TokenId> start;
        for (int i = 0; i < 12; ++i) start.push_back(again.pick(logits));
        QCOMPARE(start, (std::vector<TokenId>{1, 0, 2, 1, 5, 2, 3, 1, 2, 4, 2, 2}));
    }

    void greedyTakesTheBestAndTheSmallerIdOfTwo() {
        QCOMPARE(greedy({0.5f, 2.0f, -1.0f, 2.0f}, plain(), {}), 1);
        const std::vector<float> logits = someLogits(5000, 11);
        QCOMPARE(greedy(logits, plain(), {}),
                 static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
    }

    void topKOfEqualLogitsKeepsTheSmallerIds() {
        SamplingOptions options = plain();
        options.topK = 3;
        const std::map<TokenId, int> drawn = countDraws(std::vector<float>(20, 1.0f), options, 2000);
        QCOMPARE(drawn.size(), size_t(3));
        QVERIFY(drawn.count(0) && drawn.count(1) && drawn.count(2));
    }

    void minusInfinityNeverWins() {
        std::vector<float> logits(64, -kInfinity);
        logits[17] = -3.0e38f;
        logits[40] = -3.1e38f;
        for (float temperature : {0.0f, 0.01f, 1.0f, 100.0f})
            for (const auto& [token, count] : countDraws(logits, plain(temperature), 500))
                QVERIFY(token == 17 || token == 40);
    }

    void whatIsNotANumberNeverWins() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (float temperature : {0.0f, 1.0f}) {
            for (const auto& [token, count] : countDraws({nan, 1.0f, nan, 2.0f}, plain(temperature), 200))
                QVERIFY(token == 1 || token == 3);
            for (const auto& [token, count] : countDraws({0.0f, kInfinity, 1.0f}, plain(temperature), 200))
                QCOMPARE(token, 1);
            QCOMPARE(countDraws({nan, -kInfinity, nan}, plain(temperature), 1).begin()->first, -1);
            QCOMPARE(countDraws({}, plain(temperature), 1).begin()->first, -1);
        }
    }

    void repetitionPenaltyDividesOrMultiplies() {
        SamplingOptions options = plain();
        options.repetitionPenalty = 2.0f;
        QCOMPARE(greedy({3.0f, 2.0f}, options, {}), 0);
        QCOMPARE(greedy({3.0f, 2.0f}, options, {0}), 1);       // 1.5 against 2
        QCOMPARE(greedy({5.0f, 2.0f}, options, {0}), 0);       // 2.5 against 2
        QCOMPARE(greedy({5.0f, 2.0f}, options, {0, 0, 0}), 0); // once, however often it stands there
        QCOMPARE(greedy({-1.0f, -1.9f}, options, {0}), 1);     // -2 against -1.9
        QCOMPARE(greedy({-1.0f, -2.1f}, options, {0}), 0);
    }

    void presenceCountsOnceAndFrequencyEachTime() {
        SamplingOptions presence = plain(), frequency = plain();
        presence.presencePenalty = 1.0f;
        frequency.frequencyPenalty = 1.0f;
        QCOMPARE(greedy({3.0f, 1.5f}, presence, {0, 0}), 0);  // 2 against 1.5
        QCOMPARE(greedy({3.0f, 1.5f}, frequency, {0}), 0);    // 2 against 1.5
        QCOMPARE(greedy({3.0f, 1.5f}, frequency, {0, 0}), 1); // 1 against 1.5
        QCOMPARE(greedy({2.0f, 1.5f}, presence, {0}), 1);
    }

    void penaltiesForgetWhatLeavesTheWindow() {
        SamplingOptions options = plain();
        options.presencePenalty = 10.0f;
        options.penaltyWindow = 3;
        QCOMPARE(greedy({3.0f, 2.0f, 1.0f}, options, {0, 2, 2}), 1);
        QCOMPARE(greedy({3.0f, 2.0f, 1.0f}, options, {0, 2, 2, 2}), 0);
        QCOMPARE(greedy({3.0f, 2.0f, 1.0f}, options, {0, 0, 2, 2}), 1); // one of the two is still in it
        options.penaltyWindow = 0;
        QCOMPARE(greedy({3.0f, 2.0f}, options, {0}), 0);
        QCOMPARE(greedy({3.0f, 2.0f}, options, {-1, 2, 99}), 0); // no such tokens
    }

    void aHugePenaltyLeavesNumbers() {
        SamplingOptions options = plain();
        options.repetitionPenalty = 100.0f;
        QCOMPARE(greedy({-3.0e38f, -kInfinity}, options, {0}), 0);
    }

    void badOptionsAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<float>("value");
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (float bad : {-0.1f, 101.0f, nan, kInfinity})
            QTest::addRow("temperature %f", double(bad)) << "temperature" << bad;
        QTest::newRow("top-k") << "top-k" << -1.0f;
        for (float bad : {-0.1f, 1.1f, nan}) {
            QTest::addRow("top-p %f", double(bad)) << "top-p" << bad;
            QTest::addRow("min-p %f", double(bad)) << "min-p" << bad;
        }
        for (float bad : {0.0f, -1.0f, nan}) QTest::addRow("repetition %f", double(bad)) << "repetition penalty" << bad;
        QTest::newRow("presence") << "presence penalty" << kInfinity;
        QTest::newRow("frequency") << "frequency penalty" << nan;
        QTest::newRow("window") << "penalty window" << -1.0f;
        QTest::newRow("window too long") << "penalty window" << 1e9f;
    }
    void badOptionsAreNamed() {
        QFETCH(QString, name);
        QFETCH(float, value);
        SamplingOptions options;
        if (name == "temperature") options.temperature = value;
        if (name == "top-k") options.topK = int(value);
        if (name == "top-p") options.topP = value;
        if (name == "min-p") options.minP = value;
        if (name == "repetition penalty") options.repetitionPenalty = value;
        if (name == "presence penalty") options.presencePenalty = value;
        if (name == "frequency penalty") options.frequencyPenalty = value;
        if (name == "penalty window") options.penaltyWindow = int(value);
        const Status status = checkSamplingOptions(options);
        QVERIFY(!status);
        QCOMPARE(status.error().kind, ErrorKind::BadInput);
        QVERIFY2(QString::fromStdString(status.error().what.english()).contains(name),
                 status.error().what.english().c_str());
        QVERIFY(!status.error().why.empty() && !status.error().action.empty());
    }

    void defaultsPass() { QVERIFY(checkSamplingOptions({}).ok()); }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"
