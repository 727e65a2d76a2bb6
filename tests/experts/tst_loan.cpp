// SPDX-License-Identifier: Apache-2.0
// The memory of slots that is lent for a while: experts in memory stay right, the least needed ones leave, and nothing
// is written to the lent bytes meanwhile.
#include "experts/loan_checks.h"
#include "experts/store_setup.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <semaphore>
#include <string>
#include <thread>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

void useAll(const StoreSetup& s, std::string& wrong) {
    for (int layer = 0; layer < kLayerCount; ++layer)
        for (int expert = 0; expert < kExpertCount; ++expert) s.use(layer, expert, &wrong);
}

} // namespace

class LoanTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Whatever was in memory before, and however many slots are lent.
    void expertsStayRight() {
        for (const int used : {0, 3, 12, 24})
            for (const uint64_t lent : {1, 5, 10}) {
                StoreSetup s;
                QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
                std::string wrong;
                for (int i = 0; i < used; ++i) s.use(i % kLayerCount, i / kLayerCount, &wrong);
                const std::span<std::byte> memory = s.lendSlots(lent);
                QCOMPARE(memory.size(), static_cast<size_t>(lent * s.store->slotUse().bytesEach));
                QCOMPARE(s.store->usableSlots(), 12 - lent);
                QCOMPARE(s.store->slotUse().lent, lent);
                QCOMPARE(s.store->slotUse().usable, uint64_t{12});
                QVERIFY(s.store->slotUse().used <= 12 - lent);
                std::fill(memory.begin(), memory.end(), kOurs);
                useAll(s, wrong);
                s.store->fillWhileIdle();
                useAll(s, wrong);
                QVERIFY(s.store->slotUse().used <= 12 - lent);
                QVERIFY(allOurs(memory));
                s.store->endLoan();
                QCOMPARE(s.store->usableSlots(), uint64_t{12});
                useAll(s, wrong);
                useAll(s, wrong);
                QCOMPARE(wrong, std::string());
                QCOMPARE(s.store->slotUse().used, uint64_t{12});
            }
    }

    /// The experts that were used most stay, in other slots, and are not read again.
    void theLeastNeededLeave() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 8, .minimumSlots = 2}));
        std::string wrong;
        for (int round = 0; round < 6; ++round)
            for (int expert = 0; expert < kExpertCount; ++expert)
                if (round == 0 || expert >= 4) s.use(0, expert, &wrong); // 4 to 7 are in the last slots
        QVERIFY(!s.lendSlots(4).empty());
        QCOMPARE(s.store->slotUse().used, uint64_t{4});
        for (int expert = 0; expert < kExpertCount; ++expert)
            QCOMPARE(s.store->state(0, expert), expert < 4 ? ExpertState::OnDisk : ExpertState::InMemory);
        for (int expert = 4; expert < kExpertCount; ++expert) QVERIFY(s.use(0, expert, &wrong));
        QCOMPARE(wrong, std::string());
    }

    /// Reads on their way are waited for, and arranging too: the reader never writes to lent memory.
    void readsOnTheirWay() {
        StoreSetup s;
        s.arranges = true;
        s.arranging = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        std::string wrong;
        for (int round = 0; round < 5; ++round)
            for (int expert = 0; expert < kExpertCount; ++expert) s.useArranged(0, expert, &wrong);
        for (int round = 0; round < 20; ++round) {
            s.store->fillWhileIdle();
            const std::span<std::byte> memory = s.lendSlots(8);
            QVERIFY(!memory.empty());
            std::fill(memory.begin(), memory.end(), kOurs);
            for (int expert = 0; expert < kExpertCount; ++expert) s.useArranged(round % 3, expert, &wrong);
            QVERIFY(allOurs(memory));
            s.store->endLoan();
        }
        QCOMPARE(wrong, std::string());
    }

    /// None is lent while a pass holds slots, or if others need the memory, or if too few would remain.
    void noLoan() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 6, .minimumSlots = 2}));
        QVERIFY(s.lendSlots(5).empty());
        std::string wrong;
        for (int expert = 0; expert < 6; ++expert) s.use(0, expert, &wrong);
        {
            auto pass = s.request(0, std::array{0, 1, 2, 3, 4, 5});
            QVERIFY(pass);
            QVERIFY(s.lendSlots(2).empty());
            QCOMPARE(s.store->slotUse().lent, uint64_t{0});
            QCOMPARE(s.store->usableSlots(), uint64_t{6});
            for (int expert = 0; expert < 6; ++expert) QCOMPARE(s.check(*pass, expert), std::string());
        }
        s.store->limitSlots(5);
        QVERIFY(s.lendSlots(1).empty());
        s.store->limitSlots(6);
        QVERIFY(!s.lendSlots(4).empty());
        QCOMPARE(wrong, std::string());
    }

    /// Memory gets short while slots are lent: theirs stays, and the others give back all but the minimum.
    void lessRoomMeanwhile() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        std::string wrong;
        useAll(s, wrong);
        const std::span<std::byte> memory = s.lendSlots(6);
        std::fill(memory.begin(), memory.end(), kOurs);
        for (const uint64_t limit : {9, 7, 2, 0}) {
            s.store->limitSlots(limit);
            useAll(s, wrong);
            QVERIFY(s.store->usableSlots() >= 2);
            QVERIFY(allOurs(memory));
        }
        s.store->endLoan();
        QCOMPARE(s.store->usableSlots(), uint64_t{2});
        QVERIFY(s.store->slotUse().used <= 2);
        QVERIFY(s.store->slotUse().bytesHeld <= 2 * s.store->slotUse().bytesEach); // lent memory went back, too
        useAll(s, wrong);
        s.store->limitSlots(12);
        useAll(s, wrong);
        QCOMPARE(s.store->slotUse().used, uint64_t{12});
        QCOMPARE(wrong, std::string());
    }

    /// Memory gets short while a slot to be lent is worked on: nothing is lent, and slots that were lent by then go
    /// back to the system like others.
    void lessRoomWhileItWaits() {
        std::binary_semaphore goOn(0);
        StoreSetup s;
        s.arranges = true;
        s.arranging = [&goOn] {
            goOn.acquire();
            goOn.release(); // for the next one
        };
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        std::string wrong;
        for (int i = 0; i < 12; ++i) s.use(i / kExpertCount, i % kExpertCount, &wrong); // in slots 0 to 11
        for (int round = 0; round < 3; ++round) s.use(1, 2, &wrong); // it is in slot 10, and worth arranging now
        while (s.store->state(1, 2) != ExpertState::Arriving) std::this_thread::yield();
        std::span<std::byte> memory;
        std::thread lending([&] { memory = s.lendSlots(3); });
        while (s.store->slotUse().lent != 1) std::this_thread::yield();
        s.store->limitSlots(4);
        goOn.release();
        lending.join();
        QVERIFY(memory.empty());
        QCOMPARE(s.store->slotUse().lent, uint64_t{0});
        QVERIFY(s.store->slotUse().bytesHeld <= 4 * s.store->slotUse().bytesEach);
        useAll(s, wrong);
        QCOMPARE(s.store->slotUse().used, uint64_t{4});
        QCOMPARE(wrong, std::string());
    }

    /// The limit was lowered and raised again, and a slot's memory is still on its way back to the system.
    void aSlotThatIsBeingEmptiedIsWaitedFor() {
        StoreSetup s;
        s.moreDown = uint64_t{1} << 20; // giving so much back takes the system a while
        QVERIFY(s.open({.slots = 4, .minimumSlots = 2}));
        std::string wrong;
        for (int round = 0; round < 40; ++round) {
            for (int expert = 0; expert < 4; ++expert) s.use(0, expert, &wrong);
            QCOMPARE(s.store->slotUse().used, uint64_t{4});
            std::thread other([&] { s.store->limitSlots(2); });
            while (s.store->slotUse().used == 4) std::this_thread::yield();
            s.store->limitSlots(4);
            const std::span<std::byte> memory = s.lendSlots(1);
            std::fill(memory.begin(), memory.end(), kOurs);
            other.join();
            for (int expert = 0; expert < 4; ++expert) s.use(2, expert, &wrong);
            const bool lent = !memory.empty() && allOurs(memory);
            s.store->endLoan();
            QVERIFY(lent);
        }
        QCOMPARE(wrong, std::string());
    }

    void limitsFromAnotherThread() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        const auto use = [&](int) {
            std::string wrong;
            useAll(s, wrong);
            return wrong;
        };
        QCOMPARE(lendUnderChangingLimits(*s.store, 5 * s.store->slotUse().bytesEach, use), std::string());
    }
};

QTEST_GUILESS_MAIN(LoanTest)
#include "tst_loan.moc"
