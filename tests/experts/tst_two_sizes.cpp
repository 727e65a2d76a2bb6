// SPDX-License-Identifier: Apache-2.0
// Shared slots of two sizes: how they lie in the arena, and that a store with both never gives an expert wrong bytes or
// waits for a slot of the other size. How they are divided is in tst_slot_division.cpp.
#include "experts/loan_checks.h"
#include "experts/replay.h"
#include "experts/slot_layout.h"
#include "experts/store_setup.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr uint64_t kMore = 16384;

/// A store over layers of 8 experts: those of layers 0 and 2 are larger than those of layer 1.
struct TwoSizes : StoreSetup {
    ExpertHeat dividedBy; ///< the recorded use by which slots are divided

    bool openStore(ExpertStoreOptions options) {
        if (moreDown == 0) moreDown = kMore;
        if (!model && !openModel()) return false;
        for (ExpertLayer& layer : layers) layer.chosen = 2;
        options.classes = SlotClasses::of(layers, dividedBy);
        return open(options);
    }
    uint64_t large() const { return layers[0].slotBytes(); }
    uint64_t small() const { return layers[1].slotBytes(); }
    /// A pass that uses so many experts of the layer at once, from this one on.
    void useSeveral(int layer, int first, uint64_t count, std::string& wrong) const {
        std::vector<int> experts;
        for (int i = 0; i < static_cast<int>(count); ++i) experts.push_back((first + i) % kExpertCount);
        auto pass = request(layer, experts);
        if (!pass) wrong = pass.error().line();
        for (const int expert : experts)
            if (const std::string result = pass ? check(*pass, expert) : wrong; !result.empty()) wrong = result;
    }
    void useAll(std::string& wrong) const {
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (int expert = 0; expert < kExpertCount; ++expert) use(layer, expert, &wrong);
    }
};

/// Nothing, and records in which the experts of one size were used, but hardly those of the other.
std::array<ExpertHeat, 3> heats() {
    std::array<ExpertHeat, 3> heats;
    for (const size_t even : {0, 1}) {
        ExpertHeat& heat = heats[even + 1];
        heat.tokens.assign(kLayerCount, 100);
        for (size_t i = 0; i < kLayerCount * kExpertCount; ++i)
            heat.uses.push_back(i / kExpertCount % 2 == even ? 50 + static_cast<float>(i) : 1);
    }
    return heats;
}

/// A layer whose experts take these bytes, and a little for alignment.
ExpertLayer layerOf(int experts, uint64_t bytes, int chosen = 2) {
    ExpertLayer layer;
    layer.gate.bytes = bytes;
    layer.experts = experts;
    layer.chosen = chosen;
    return layer;
}

} // namespace

class TwoSizesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void slotsFollowEachOther() {
        std::mt19937 random(4);
        for (int round = 0; round < 60; ++round) {
            std::vector<ExpertLayer> layers{layerOf(1, 900000)};
            for (int i = 0; i < 6; ++i)
                layers.push_back(layerOf(2 + static_cast<int>(random() % 30), random() % 2 == 0 ? 50000 : 100000));
            const SlotClasses classes = SlotClasses::of(layers);
            uint64_t all = 0;
            for (const ExpertLayer& layer : layers) all += static_cast<uint64_t>(layer.experts);
            for (const uint64_t slots : {all, all / 2, all / 3}) {
                const SlotLayout layout = SlotLayout::of(layers).divided(classes, slots);
                std::array<uint64_t, 2> counts{};
                QCOMPARE(layout.offset(0), uint64_t{0});
                for (uint32_t slot = 0; slot < slots; ++slot) {
                    QCOMPARE(layout.offset(slot) + layout.bytes(slot), layout.offset(slot + 1));
                    if (slot >= layout.own()) ++counts[placeOf(layout.sizeOf(slot))];
                    for (const SlotSize size : kSlotSizes)
                        QCOMPARE(layout.countOf(size, slot + 1), counts[placeOf(size)]);
                }
                QCOMPARE(layout.offset(static_cast<uint32_t>(slots)), layout.arenaBytes(slots));
                for (size_t i = 1; i < layers.size(); ++i)
                    QVERIFY(layers[i].slotBytes() <= layout.bytesOf(layout.sizeFor(static_cast<int>(i))));
                const uint64_t bytes = random() % (layout.arenaBytes(slots) - layout.ownBytes());
                const uint64_t last = layout.lastWith(bytes, slots);
                QVERIFY(layout.arenaBytes(slots) - layout.arenaBytes(slots - last) >= bytes);
                if (last > 0) QVERIFY(layout.arenaBytes(slots) - layout.arenaBytes(slots - last + 1) < bytes);
                QVERIFY(layout.lastWith(layout.arenaBytes(slots) + 1, slots) > slots - layout.own());
            }
        }
    }

    /// The same bytes have room for more slots, and the store takes no more than the layout says.
    void moreSlotsInTheSameBytes() {
        TwoSizes s;
        QVERIFY(s.openStore({.slots = 12}));
        const SlotLayout one = SlotLayout::of(s.layers);
        uint64_t slots = 12;
        while (one.divided(SlotClasses::of(s.layers), slots + 1).arenaBytes(slots + 1) <= one.arenaBytes(12)) ++slots;
        QVERIFY(slots > 12);
        QVERIFY(s.openStore({.slots = slots, .minimumSlots = 2}));
        std::string wrong;
        s.useAll(wrong);
        const SlotUse use = s.store->slotUse();
        QCOMPARE(use.used, slots);
        QVERIFY(use.bytesEach > s.small() && use.bytesEach < s.large());
        QVERIFY(use.bytesMost <= one.arenaBytes(12));
        QCOMPARE(wrong, std::string());
    }

    /// A replay has as many hits and misses as the store, with one size, with two, however these are divided, and with
    /// a slot for each expert.
    void aReplayCountsWhatTheStoreCounts() {
        size_t round = 0;
        for (const EvictionName& eviction : kEvictionNames)
            for (const uint64_t slots : {4, 6, 7, 9, 12, 15, 20, 24}) {
                TwoSizes s;
                s.dividedBy = heats()[round++ % heats().size()]; // another one for each policy
                QVERIFY(s.openStore({.slots = slots, .minimumSlots = 2, .eviction = eviction.kind}));
                std::mt19937 random(static_cast<uint32_t>(slots));
                RoutingTrace trace;
                std::string wrong;
                for (int token = 0; token < 60; ++token)
                    for (int layer = 0; layer < kLayerCount; ++layer) {
                        const int liked = static_cast<int>(random() % (random() % 2 == 0 ? 3 : kExpertCount));
                        const std::array experts{(liked + token / 20) % kExpertCount,
                                                 (liked + token / 20 + 3) % kExpertCount};
                        QVERIFY(trace.add(layer, experts));
                        auto pass = s.request(layer, experts);
                        QVERIFY(pass);
                        for (const int expert : experts)
                            if (const std::string result = s.check(*pass, expert); !result.empty()) wrong = result;
                    }
                QCOMPARE(wrong, std::string());
                const StoreSlots model = StoreSlots::of(s.layers, s.dividedBy);
                const auto replayed = replay(trace, eviction.kind, slots, &model);
                QVERIFY(replayed);
                QCOMPARE(replayed->hits, s.store->counts().hits);
                QCOMPARE(replayed->misses, s.store->counts().misses);
                QVERIFY(replayClairvoyant(trace, slots, &model)->hits >= replayed->hits);
            }
    }

    /// With too few slots they all have the larger size, and the minimum is the plan's.
    void fewSlotsHaveOneSize() {
        TwoSizes s;
        QVERIFY(s.openStore({.slots = 4, .minimumSlots = 2}));
        QCOMPARE(s.store->slotUse().bytesEach, s.large());
        for (const int layer : {0, 1}) QCOMPARE(s.store->usableSlots(layer), uint64_t{4});
        std::string wrong;
        for (int layer = 0; layer < kLayerCount; ++layer) s.useSeveral(layer, 1, 4, wrong);
        s.store->limitSlots(0);
        QCOMPARE(s.store->usableSlots(), uint64_t{2});
        QVERIFY(s.openStore({.slots = 12, .minimumSlots = 2}));
        s.store->limitSlots(0);
        for (const int layer : {0, 1, 2}) QCOMPARE(s.store->usableSlots(layer), uint64_t{2});
        QCOMPARE(wrong, std::string());
    }

    /// A size without room does not keep hints and idle fills of the other from being read, and loses nothing to it.
    void sizesDoNotWaitForEachOther() {
        TwoSizes s;
        QVERIFY(s.openStore({.slots = 12, .minimumSlots = 2}));
        std::string wrong;
        const uint64_t small = s.store->usableSlots(1);
        QCOMPARE(small, uint64_t{4});
        for (const int expert : {0, 1}) s.use(0, expert, &wrong);
        {
            auto pass = s.request(1, std::array{0, 1, 2, 3}); // all small slots
            QVERIFY(pass);
            s.store->prefetch(std::array{PrefetchHint{1, 5}, PrefetchHint{2, 3}});
            QTRY_COMPARE(s.store->state(2, 3), ExpertState::InMemory);
            QCOMPARE(s.store->state(1, 5), ExpertState::OnDisk);
            QVERIFY(!pass->request(std::array{4})); // although large slots are free
            for (const int expert : {0, 1, 2, 3}) QCOMPARE(s.check(*pass, expert), std::string());
        }
        s.useSeveral(1, 4, 4, wrong);
        QCOMPARE(s.store->state(2, 3), ExpertState::InMemory); // small experts evict small ones
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->slotUse().used, uint64_t{12});
        QCOMPARE(wrong, std::string());
    }

    /// Anything in any order: as many experts at once as the layer may use, with hints, loans and limits between them.
    void anythingInAnyOrder() {
        std::mt19937 random(6);
        size_t round = 0;
        for (const uint64_t slots : {7, 12, 17, 24})
            for (const bool arranges : {false, true}) {
                TwoSizes s;
                s.arranges = arranges;
                s.dividedBy = heats()[round++ % heats().size()];
                QVERIFY(s.openStore({.slots = slots, .minimumSlots = 2}));
                std::string wrong;
                std::span<std::byte> memory;
                for (int step = 0; step < 400; ++step) {
                    const int layer = static_cast<int>(random() % kLayerCount);
                    const uint64_t usable = std::min<uint64_t>(s.store->usableSlots(layer), kExpertCount);
                    QVERIFY(usable >= 2);
                    const auto first = static_cast<int>(random() % kExpertCount);
                    s.useSeveral(layer, first, random() % 3 == 0 ? usable : 1 + random() % 2, wrong);
                    QVERIFY(s.store->slotUse().used + s.store->slotUse().lent <= slots);
                    if (random() % 4 == 0)
                        s.store->prefetch(std::array{PrefetchHint{static_cast<int>(random() % 3), first},
                                                     PrefetchHint{static_cast<int>(random() % 3), 7 - first}});
                    if (random() % 8 == 0) s.store->fillWhileIdle();
                    if (random() % 8 == 0) s.store->limitSlots(random() % (slots + 1));
                    if (random() % 3 == 0) s.store->limitSlots(slots);
                    if (random() % 6 != 0) continue;
                    QVERIFY(allOurs(memory));
                    s.store->endLoan();
                    const uint64_t bytes = random() % (slots * s.small());
                    memory = s.store->lend(bytes);
                    QVERIFY(memory.empty() || memory.size() >= bytes);
                    std::fill(memory.begin(), memory.end(), kOurs);
                }
                s.store->endLoan();
                s.store->limitSlots(slots);
                s.useAll(wrong);
                s.useAll(wrong);
                QCOMPARE(s.store->slotUse().used, slots);
                QVERIFY(s.store->slotUse().bytesHeld <= SlotLayout::of(s.layers).arenaBytes(slots));
                QCOMPARE(wrong, std::string());
            }
    }

    /// Under a lower limit both sizes give memory back, from the arena's end, and a loan ends in it.
    void bothSizesGiveWay() {
        TwoSizes s;
        QVERIFY(s.openStore({.slots = 18, .minimumSlots = 2}));
        const SlotLayout layout = SlotLayout::of(s.layers).divided(SlotClasses::of(s.layers), 18);
        std::string wrong;
        s.useAll(wrong);
        QVERIFY(!s.store->lend(s.large()).empty());
        for (const uint64_t limit : {15, 9, 4}) {
            s.store->limitSlots(limit);
            s.store->endLoan();
            QVERIFY(s.store->slotUse().used <= limit);
            QVERIFY(s.store->slotUse().bytesHeld <= layout.arenaBytes(limit));
            s.useAll(wrong);
            QCOMPARE(s.store->slotUse().used, limit);
            QVERIFY(s.store->slotUse().bytesHeld <= layout.arenaBytes(limit));
        }
        QCOMPARE(s.store->usableSlots(0), uint64_t{2});
        QCOMPARE(s.store->usableSlots(1), uint64_t{2});
        QCOMPARE(wrong, std::string());
    }

    /// All other large slots are pinned, and another thread gives the last one's memory back: a request for a large
    /// slot waits until that one is there again. Its expert is on disk from the moment when its memory is about to go.
    void aSlotThatIsBeingEmptiedIsWaitedFor() {
        TwoSizes s;
        s.moreDown = 64 * kMore; // giving so much back takes the system a while
        QVERIFY(s.openStore({.slots = 12, .minimumSlots = 2}));
        QCOMPARE(s.store->usableSlots(0), uint64_t{8});
        auto pass = s.request(0, std::array{0, 1, 2, 3, 4, 5, 6});
        QVERIFY(pass);
        for (int round = 0; round < 40; ++round) {
            s.store->limitSlots(12);
            (void)s.use(2, 0);
            QCOMPARE(s.store->state(2, 0), ExpertState::InMemory);
            std::thread other([&] { s.store->limitSlots(0); });
            while (s.store->state(2, 0) == ExpertState::InMemory) std::this_thread::yield();
            const Status asked = pass->request(std::array{7});
            other.join();
            QVERIFY2(asked, asked ? "" : asked.error().line().c_str());
            pass->release(std::array{7});
        }
    }

    void limitsFromAnotherThread() {
        TwoSizes s;
        QVERIFY(s.openStore({.slots = 12, .minimumSlots = 2}));
        const auto use = [&](int round) {
            std::string wrong;
            for (int layer = 0; layer < kLayerCount; ++layer) {
                s.useSeveral(layer, round, s.store->usableSlots(layer), wrong);
                s.store->prefetch(std::array{PrefetchHint{(layer + 1) % kLayerCount, round % kExpertCount}});
            }
            return wrong;
        };
        QCOMPARE(lendUnderChangingLimits(*s.store, 5 * s.small(), use), std::string());
    }
};

QTEST_GUILESS_MAIN(TwoSizesTest)
#include "tst_two_sizes.moc"
