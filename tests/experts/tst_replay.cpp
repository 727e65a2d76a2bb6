// SPDX-License-Identifier: Apache-2.0
// Replays of recorded traces: cases counted by hand, the clairvoyant bound compared with a search over every choice,
// and a check that no policy beats it.
#include "experts/expert_source.h"
#include "experts/replay.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr EvictionKind kKinds[] = {EvictionKind::ExpectedUse, EvictionKind::LeastRecentlyUsed,
                                   EvictionKind::LeastFrequentlyUsed};

using Visits = std::vector<std::pair<int, std::vector<int>>>; // layer, experts

RoutingTrace traceOf(const Visits& visits) {
    RoutingTrace trace;
    for (const auto& [layer, experts] : visits)
        if (!trace.add(layer, experts)) return {};
    return trace;
}

/// Tokens that use mostly the same experts for a while, then others.
Visits drawVisits(uint32_t seed, int tokens, int layers, int experts, int chosen) {
    std::mt19937 random(seed);
    Visits visits;
    for (int token = 0; token < tokens; ++token)
        for (int layer = 0; layer < layers; ++layer) {
            std::set<int> taken;
            while (static_cast<int>(taken.size()) < chosen) {
                const auto some = static_cast<int>(random() % static_cast<uint32_t>(experts));
                const auto liked = (token / 20 * 3 + layer + static_cast<int>(random() % 3)) % experts;
                taken.insert(random() % 3 == 0 ? some : liked);
                if (random() % 8 == 0) taken.insert(some);
                while (static_cast<int>(taken.size()) > chosen) taken.erase(taken.begin());
            }
            visits.push_back({layer, {taken.begin(), taken.end()}});
        }
    return visits;
}

/// The fewest possible misses, found by trying every set of experts to keep.
class EveryChoice {
  public:
    EveryChoice(const Visits& visits, size_t slots) : visits_(visits), slots_(slots) {}

    uint64_t misses() { return from(0, {}); }

  private:
    using Held = std::set<std::pair<int, int>>;

    uint64_t from(size_t visit, const Held& held) {
        if (visit == visits_.size()) return 0;
        const auto known = best_.find({visit, held});
        if (known != best_.end()) return known->second;
        Held wanted;
        for (const int expert : visits_[visit].second) wanted.insert({visits_[visit].first, expert});
        uint64_t missed = 0;
        for (const auto& expert : wanted) missed += !held.contains(expert);
        std::vector<std::pair<int, int>> others;
        std::set_difference(held.begin(), held.end(), wanted.begin(), wanted.end(), std::back_inserter(others));
        uint64_t least = std::numeric_limits<uint64_t>::max();
        for (uint32_t keep = 0; keep < 1u << others.size(); ++keep) {
            Held next = wanted;
            for (size_t i = 0; i < others.size(); ++i)
                if (keep >> i & 1) next.insert(others[i]);
            if (next.size() <= slots_) least = std::min(least, from(visit + 1, next));
        }
        return best_[{visit, held}] = missed + least;
    }

    const Visits& visits_;
    const size_t slots_;
    std::map<std::pair<size_t, Held>, uint64_t> best_;
};

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

    static std::array<uint64_t, 2> counts(const Result<ReplayCounts>& replayed) {
        return replayed ? std::array{replayed->hits, replayed->misses} : std::array<uint64_t, 2>{999, 999};
    }
    using Counts = std::array<uint64_t, 2>;

  private Q_SLOTS:
    void countedByHand() {
        // Three layers with one expert each, four tokens, room for two experts.
        Visits circle;
        for (int i = 0; i < 12; ++i) circle.push_back({i % 3, {0}});
        const RoutingTrace trace = traceOf(circle);
        QCOMPARE(trace.tokens(), uint64_t{4});
        QCOMPARE(trace.tokenCycle(), 3.0);
        QVERIFY(counts(replay(trace, EvictionKind::LeastRecentlyUsed, 2)) == (Counts{0, 12}));
        // a b [a]c, a hit, b in c's place, c hit, a in b's place, b hit, ...: every other one from the fourth on
        QVERIFY(counts(replayClairvoyant(trace, 2)) == (Counts{5, 7}));
        // One layer: experts 1 2 3 1 4 1 2, room for two experts.
        const RoutingTrace line = traceOf({{0, {1}}, {0, {2}}, {0, {3}}, {0, {1}}, {0, {4}}, {0, {1}}, {0, {2}}});
        QVERIFY(counts(replay(line, EvictionKind::LeastRecentlyUsed, 2)) == (Counts{1, 6}));
        QVERIFY(counts(replay(line, EvictionKind::LeastFrequentlyUsed, 2)) == (Counts{1, 6}));
        QVERIFY(counts(replayClairvoyant(line, 2)) == (Counts{2, 5}));
    }

    /// The store's rule: a layer with one expert has a slot of its own if other layers have more.
    void denseLayersBesideOthers() {
        QCOMPARE(RoutingTrace().denseLayers(), size_t{0});
        QCOMPARE(traceOf({{0, {0}}, {1, {0}}, {2, {3, 1}}, {0, {0}}, {1, {0}}, {2, {0, 1}}}).denseLayers(), size_t{2});
        QCOMPARE(traceOf({{0, {0}}, {1, {0}}, {0, {0}}, {1, {0}}}).denseLayers(), size_t{0}); // all are dense
        QCOMPARE(traceOf({{0, {0}}, {3, {7}}, {0, {1}}, {3, {7}}}).denseLayers(), size_t{1});
        QCOMPARE(traceOf({{0, {0}}, {3, {7}}, {0, {1}}, {3, {5}}}).denseLayers(), size_t{0});
    }

    /// With a model, a dense layer has a slot for itself, and experts of two sizes do not compete with each other.
    void slotsOfAModel() {
        const auto slots = [](std::initializer_list<std::array<int, 2>> layers) {
            std::vector<ExpertLayer> all;
            for (const auto& [experts, bytes] : layers) {
                ExpertLayer& layer = all.emplace_back();
                layer.gate.bytes = static_cast<uint64_t>(bytes);
                layer.experts = experts;
                layer.chosen = 1;
            }
            return StoreSlots::of(all);
        };
        Visits circle;
        for (int i = 0; i < 12; ++i) circle.push_back({i % 4, {0}});
        const StoreSlots dense = slots({{1, 100000}, {4, 100000}, {4, 100000}, {4, 100000}});
        // Layer 0 has its own slot; the others go round in two.
        QVERIFY(counts(replay(traceOf(circle), EvictionKind::LeastRecentlyUsed, 3, &dense)) == (Counts{2, 10}));
        QVERIFY(counts(replayClairvoyant(traceOf(circle), 3, &dense)) == (Counts{5, 7}));
        QVERIFY(counts(replay(traceOf(circle), EvictionKind::LeastRecentlyUsed, 3)) == (Counts{0, 12}));
        // Two large slots and two small ones: three small experts go round, and the large one stays.
        Visits sizes;
        for (int i = 0; i < 12; ++i) sizes.push_back({i % 2, {i % 2 == 0 ? 0 : i / 2 % 3}});
        const StoreSlots two = slots({{4, 100000}, {4, 50000}});
        QVERIFY(counts(replay(traceOf(sizes), EvictionKind::LeastRecentlyUsed, 4, &two)) == (Counts{5, 7}));
        QVERIFY(counts(replayClairvoyant(traceOf(sizes), 4, &two)) == (Counts{7, 5}));
        QVERIFY(counts(replay(traceOf(sizes), EvictionKind::LeastRecentlyUsed, 4)) == (Counts{8, 4}));
        // More slots than experts are of no use.
        QVERIFY(counts(replay(traceOf(sizes), EvictionKind::ExpectedUse, 1000, &two)) == (Counts{8, 4}));
        const auto refused = [](const auto& result) { return !result && result.error().kind == ErrorKind::BadInput; };
        QVERIFY(refused(replay(traceOf(circle), EvictionKind::ExpectedUse, 4, &two))); // other layers
        const RoutingTrace several = traceOf({{0, {0}}, {1, {0}}, {0, {1}}, {1, {0}}});
        QVERIFY(refused(replay(several, EvictionKind::ExpectedUse, 4, &dense)));         // layer 0 has one expert
        QVERIFY(refused(replay(traceOf(circle), EvictionKind::ExpectedUse, 1, &dense))); // no shared slot
        QVERIFY(refused(replayClairvoyant(traceOf({{0, {0}}}), 0, &dense)));
    }

    /// The experts that a layer uses for one token are held together: neither of the two may evict the other.
    void heldTogether() {
        const RoutingTrace trace = traceOf({{0, {1, 2}}, {0, {2, 3}}, {0, {1, 2}}, {0, {3, 1}}});
        for (const EvictionKind kind : kKinds) QVERIFY(counts(replay(trace, kind, 2)) == (Counts{3, 5}));
        QVERIFY(counts(replayClairvoyant(trace, 2)) == (Counts{3, 5}));
        QVERIFY(counts(replayClairvoyant(trace, 3)) == (Counts{5, 3}));
    }

    void theBoundIsTheBestThereIs() {
        for (uint32_t seed = 0; seed < 40; ++seed) {
            const Visits visits = drawVisits(seed, 6, 2, 4, 1 + static_cast<int>(seed % 2));
            for (size_t slots = 2; slots <= 5; ++slots) {
                const auto bound = replayClairvoyant(traceOf(visits), slots);
                QVERIFY(bound);
                QCOMPARE(bound->misses, EveryChoice(visits, slots).misses());
            }
        }
    }

    /// Layers of one expert each, as in a dense model: the expert that was just used is evicted, which is the best
    /// choice.
    void aCircleIsHitAsOftenAsCanBe() {
        constexpr int layers = 12;
        RoutingTrace trace;
        for (int token = 0; token < 60; ++token)
            for (int layer = 0; layer < layers; ++layer) QVERIFY(trace.add(layer, std::array{0}));
        for (uint64_t slots = 1; slots <= layers; ++slots) {
            const ReplayCounts most = replayClairvoyant(trace, slots).value();
            QCOMPARE(replay(trace, EvictionKind::ExpectedUse, slots)->hits, most.hits);
            QVERIFY(most.hits <= trace.uses() * (slots - 1) / (layers - 1));
            QVERIFY(most.hits + 2 * layers >= trace.uses() * (slots - 1) / (layers - 1));
            if (slots < layers) QCOMPARE(replay(trace, EvictionKind::LeastRecentlyUsed, slots)->hits, uint64_t{0});
        }
    }

    void nobodyBeatsTheBound() {
        for (uint32_t seed = 0; seed < 6; ++seed) {
            const RoutingTrace trace = traceOf(drawVisits(seed, 150, 5, 12, 1 + static_cast<int>(seed % 3)));
            uint64_t before = 0;
            for (uint64_t slots = trace.mostAtOnce(); slots < trace.distinctExperts() + 3; ++slots) {
                const auto bound = replayClairvoyant(trace, slots);
                QVERIFY(bound);
                QCOMPARE(bound->hits + bound->misses, uint64_t{trace.uses()});
                QVERIFY(bound->hits >= before); // more room never costs hits
                before = bound->hits;
                for (const EvictionKind kind : kKinds) {
                    const auto replayed = replay(trace, kind, slots);
                    QVERIFY(replayed);
                    QCOMPARE(replayed->hits + replayed->misses, uint64_t{trace.uses()});
                    QVERIFY2(replayed->hits <= bound->hits, evictionName(kind));
                    if (slots >= trace.distinctExperts()) QCOMPARE(replayed->misses, uint64_t{trace.distinctExperts()});
                }
            }
        }
    }

    /// The largest expert numbers and slots cost no more than the trace's length.
    void hugeNumbers() {
        const int last = std::numeric_limits<int>::max();
        const RoutingTrace trace = traceOf({{0, {last, 0}}, {1023, {last}}, {0, {last, 7}}});
        QCOMPARE(trace.distinctExperts(), size_t{4});
        QCOMPARE(trace.tokens(), uint64_t{2});
        for (const EvictionKind kind : kKinds)
            QVERIFY(counts(replay(trace, kind, std::numeric_limits<uint64_t>::max())) == (Counts{1, 4}));
        QVERIFY(counts(replayClairvoyant(trace, std::numeric_limits<uint64_t>::max())) == (Counts{1, 4}));
    }

    void whatCannotBeReplayed() {
        RoutingTrace trace;
        const auto refused = [](const auto& result) { return !result && result.error().kind == ErrorKind::BadInput; };
        QVERIFY(refused(replay(trace, EvictionKind::ExpectedUse, 4)));
        QVERIFY(refused(replayClairvoyant(trace, 4)));
        QVERIFY(refused(trace.add(-1, std::array{0})));
        QVERIFY(refused(trace.add(1024, std::array{0})));
        QVERIFY(refused(trace.add(0, std::array{0, -1})));
        QVERIFY(refused(trace.add(0, std::array{5, 0, 5})));
        QVERIFY(refused(trace.add(0, std::vector<int>(2000))));
        QCOMPARE(trace.visits(), size_t{0}); // nothing was added
        QVERIFY(trace.add(0, std::span<const int>()));
        QVERIFY(refused(replay(trace, EvictionKind::ExpectedUse, 4))); // no expert in it
        QVERIFY(trace.add(1, std::array{1, 2, 3}));
        for (const EvictionKind kind : kKinds) QVERIFY(refused(replay(trace, kind, 2)));
        QVERIFY(refused(replayClairvoyant(trace, 0)));
        QVERIFY(replay(trace, EvictionKind::ExpectedUse, 3));
    }
};

QTEST_APPLESS_MAIN(TestReplay)
#include "tst_replay.moc"
