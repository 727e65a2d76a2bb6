// SPDX-License-Identifier: Apache-2.0
// A dense layer beside layers with experts has a slot of its own: it stays in memory, whatever comes and goes beside
// it, and the slots that experts share are as small as experts are.
#include "experts/slot_layout.h"
#include "experts/store_setup.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// A store whose layer 0 is dense: its one expert is all of the file's experts of that layer, side by side.
struct DenseFirst : StoreSetup {
    bool openStore(const ExpertStoreOptions& options) {
        if (!openModel()) return false;
        layers[0].experts = 1;
        for (ExpertLayer::Matrix* matrix : {&layers[0].gate, &layers[0].up, &layers[0].down})
            matrix->bytes *= kExpertCount;
        return open(options);
    }
    /// Uses the dense layer, and compares every byte of it. Returns whether it was a hit.
    bool useDense(std::string& wrong) const {
        bool hit = false;
        auto pass = request(0, std::array{0}, {&hit, 1});
        const auto parts = pass ? pass->wait(0) : Result<ExpertParts>(pass.error());
        if (!parts) {
            wrong = parts.error().line();
            return hit;
        }
        const std::array at{parts->gate, parts->up, parts->down};
        for (size_t part = 0; part < at.size(); ++part)
            for (uint64_t i = 0; i < kPartBytes[part] * kExpertCount; ++i)
                if (static_cast<unsigned char>(at[part][i]) !=
                    expected(0, part, static_cast<int>(i / kPartBytes[part]), i % kPartBytes[part]))
                    wrong = std::string("a wrong byte of ") += kPartNames[part];
        return hit;
    }
    void useExperts(std::string& wrong) const {
        for (int layer = 1; layer < kLayerCount; ++layer)
            for (int expert = 0; expert < kExpertCount; ++expert) use(layer, expert, &wrong);
    }
};

} // namespace

class OwnSlotsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void placesInTheArena() {
        const SlotLayout layout(std::vector{0, 1, 8, 1, 8}, std::vector<uint64_t>{0, 40960, 4096, 8192, 12288});
        QCOMPARE(layout.own(), 2U);
        QCOMPARE(layout.ownBytes(), uint64_t{49152});
        QCOMPARE(layout.sharedBytes(), uint64_t{12288});
        QCOMPARE(layout.ownSlotOf(1), std::optional(0U));
        QCOMPARE(layout.ownSlotOf(3), std::optional(1U));
        for (const int layer : {0, 2, 4}) QVERIFY(!layout.ownSlotOf(layer));
        const std::array<uint64_t, 4> offsets{0, 40960, 49152, 61440}, bytes{40960, 8192, 12288, 12288};
        for (uint32_t slot = 0; slot < offsets.size(); ++slot) {
            QCOMPARE(layout.offset(slot), offsets[slot]);
            QCOMPARE(layout.bytes(slot), bytes[slot]);
        }
        QCOMPARE(layout.arenaBytes(4), uint64_t{73728});
    }

    /// If no layer has experts, or all have some, all slots are alike.
    void sharedByAll() {
        for (const std::vector<int>& experts : {std::vector{1, 1, 1}, std::vector{4, 4, 4}, std::vector{0, 1, 1}}) {
            const SlotLayout layout(experts, std::vector<uint64_t>{0, 8192, 4096});
            QCOMPARE(layout.own(), 0U);
            QCOMPARE(layout.sharedBytes(), uint64_t{8192});
            QCOMPARE(layout.offset(3), uint64_t{3 * 8192});
            QCOMPARE(layout.arenaBytes(5), uint64_t{5 * 8192});
        }
    }

    void sizesDoNotWrap() {
        constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
        const SlotLayout layout(std::vector{1, 1, 8}, std::vector<uint64_t>{most, most, most / 2});
        QCOMPARE(layout.ownBytes(), most);
        QCOMPARE(layout.arenaBytes(3), most);
        QCOMPARE(SlotLayout(std::vector{8}, std::vector<uint64_t>{most / 2}).arenaBytes(3), most);
    }

    void aDenseLayerStays() {
        DenseFirst s;
        QVERIFY(s.openStore({.slots = 4, .minimumSlots = 3}));
        const SlotLayout layout = SlotLayout::of(s.layers);
        SlotUse slots = s.store->slotUse();
        QCOMPARE(slots.bytesEach, s.layers[1].slotBytes());
        QCOMPARE(slots.bytesMost, layout.arenaBytes(4));
        QCOMPARE(s.store->usableSlots(), uint64_t{3});
        std::string wrong;
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(s.useDense(wrong), round > 0);
            s.useExperts(wrong);
            QCOMPARE(s.store->state(0, 0), ExpertState::InMemory);
        }
        slots = s.store->slotUse();
        QCOMPARE(slots.used, uint64_t{4});
        QCOMPARE(slots.bytesMost, slots.bytesHeld);
        QCOMPARE(wrong, std::string());
    }

    void noSlotBesides() {
        DenseFirst s;
        QVERIFY(!s.openStore({.slots = 1}));
    }

    void itStaysUnderALowerLimit() {
        DenseFirst s;
        QVERIFY(s.openStore({.slots = 8, .minimumSlots = 3}));
        std::string wrong;
        s.useDense(wrong);
        s.useExperts(wrong);
        for (const uint64_t limit : {5, 3, 0, 8}) {
            s.store->limitSlots(limit);
            QVERIFY(s.useDense(wrong));
            s.useExperts(wrong);
            QVERIFY(s.store->slotUse().used <= std::max<uint64_t>(limit, 3));
        }
        QCOMPARE(s.store->slotUse().used, uint64_t{8});
        QCOMPARE(wrong, std::string());
    }

    /// Idle fills and hints bring it, too, and it is not lent.
    void itIsFilledAndNotLent() {
        DenseFirst s;
        QVERIFY(s.openStore({.slots = 8, .minimumSlots = 3}));
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->slotUse().used, uint64_t{8});
        QTRY_COMPARE(s.store->state(0, 0), ExpertState::InMemory);
        const uint64_t each = s.store->slotUse().bytesEach;
        const std::span<std::byte> memory = s.store->lend(4 * each + 1);
        QCOMPARE(memory.size(), static_cast<size_t>(5 * each));
        std::fill(memory.begin(), memory.end(), std::byte{0xA5});
        std::string wrong;
        QVERIFY(s.useDense(wrong));
        s.useExperts(wrong);
        QVERIFY(std::all_of(memory.begin(), memory.end(), [](std::byte byte) { return byte == std::byte{0xA5}; }));
        s.store->endLoan();
        s.useExperts(wrong);
        QVERIFY(s.store->lend(6 * each).empty()); // too few would remain
        QCOMPARE(wrong, std::string());
    }

    void aHintBringsIt() {
        DenseFirst s;
        QVERIFY(s.openStore({.slots = 8, .minimumSlots = 3}));
        std::string wrong;
        s.use(2, 0, &wrong);
        s.store->prefetch(std::array{PrefetchHint{0, 0}});
        QTRY_COMPARE(s.store->state(0, 0), ExpertState::InMemory);
        QVERIFY(s.useDense(wrong));
        QCOMPARE(s.store->counts().prefetchedUsed, uint64_t{1});
        QCOMPARE(wrong, std::string());
    }

    /// After a read that failed the slot is free for the next one, and the memory figures agree.
    void aFailedReadIsTriedAgain() {
        DenseFirst s;
        QVERIFY(s.openStore({.slots = 4, .minimumSlots = 3}));
        const uint64_t most = s.store->slotUse().bytesMost;
        std::string wrong;
        s.files.vanishAfterReads(0);
        s.useDense(wrong);
        QVERIFY(!wrong.empty());
        QTRY_COMPARE(s.store->state(0, 0), ExpertState::OnDisk);
        QCOMPARE(s.store->slotUse().used, uint64_t{0});
        QVERIFY(s.store->slotUse().bytesMost >= most);
        s.files.heal();
        wrong.clear();
        QVERIFY(!s.useDense(wrong));
        QVERIFY(s.useDense(wrong));
        QCOMPARE(wrong, std::string());
    }
};

QTEST_GUILESS_MAIN(OwnSlotsTest)
#include "tst_own_slots.moc"
