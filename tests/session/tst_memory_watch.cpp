// SPDX-License-Identifier: Apache-2.0
// An automatic budget under pressure: the rule with scripted readings and times, and the thread that applies it.
#include "session/memory_watch.h"

#include <QtTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <vector>

using namespace coterie::engine;
using namespace std::chrono_literals;

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr MemoryLimits kLimits{.most = 800 * kMiB, .least = 100 * kMiB, .reserve = 400 * kMiB};

MemorySample sample(uint64_t heldMiB, uint64_t availableMiB) {
    return {.memory = {.total = 8192 * kMiB, .available = availableMiB * kMiB}, .held = heldMiB * kMiB};
}

/// Decides every 250 ms of a time of its own.
class Scene {
  public:
    explicit Scene(const MemoryLimits& limits = kLimits) : governor_(limits) {}
    uint64_t next(uint64_t heldMiB, uint64_t availableMiB) {
        return governor_.decide(sample(heldMiB, availableMiB), now_ += 250ms) / kMiB;
    }
    /// The last answer of so many seconds in which nothing changes but what slots hold: all that they may.
    uint64_t seconds(int count, uint64_t heldMiB, uint64_t othersLeaveMiB) {
        for (int i = 0; i < 4 * count; ++i) heldMiB = next(heldMiB, othersLeaveMiB - heldMiB);
        return heldMiB;
    }

  private:
    MemoryGovernor governor_;
    MemoryGovernor::Time now_{};
};

/// A value that another thread reports; waits for it without a clock.
class Told {
  public:
    void add(uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        bytes_.push_back(bytes);
        changed_.notify_all();
    }
    uint64_t waitFor(size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return bytes_.size() >= count; });
        return bytes_[count - 1];
    }
    size_t count() {
        const std::lock_guard lock(mutex_);
        return bytes_.size();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<uint64_t> bytes_;
};

} // namespace

class MemoryWatchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void thePlanHoldsWhileThereIsRoom();
    void shortMemoryLowersAtOnce();
    void neverBelowTheLeast();
    void slotsThatAreNotFilledYetArePromisedLess();
    void comesBackSlowly();
    void comingAndGoingDoesNotSwing();
    void aLittleRoomIsNotEnough();
    void withoutFiguresNothingChanges();
    void alwaysWithinTheLimits();
    void hugeNumbersDoNotWrap();
    void theThreadTellsChangesAlone();
    void endsWhileItSleeps();
};

void MemoryWatchTest::thePlanHoldsWhileThereIsRoom() {
    Scene scene;
    QCOMPARE(scene.next(0, 1200), uint64_t{800});
    QCOMPARE(scene.next(500, 900), uint64_t{800});
    QCOMPARE(scene.next(800, 400), uint64_t{800}); // exactly the reserve is left
    QCOMPARE(scene.next(800, 5000), uint64_t{800});
}

void MemoryWatchTest::shortMemoryLowersAtOnce() {
    Scene scene;
    QCOMPARE(scene.next(800, 390), uint64_t{790});
    QCOMPARE(scene.next(790, 150), uint64_t{540});
    QCOMPARE(scene.next(540, 400), uint64_t{540}); // given back, and enough
}

void MemoryWatchTest::neverBelowTheLeast() {
    Scene scene;
    QCOMPARE(scene.next(800, 0), uint64_t{400});
    QCOMPARE(scene.next(400, 0), uint64_t{100});
    QCOMPARE(scene.next(100, 0), uint64_t{100});
}

/// Slots hold 100 of 800 MiB, and others took what the rest would need: nothing has to be given back, but no more than
/// there is may be filled.
void MemoryWatchTest::slotsThatAreNotFilledYetArePromisedLess() {
    Scene scene;
    QCOMPARE(scene.next(100, 600), uint64_t{300});
}

void MemoryWatchTest::comesBackSlowly() {
    Scene scene;
    QCOMPARE(scene.next(800, 0), uint64_t{400});
    QCOMPARE(scene.seconds(9, 400, 5000), uint64_t{400});
    QCOMPARE(scene.seconds(2, 400, 5000), uint64_t{450}); // a sixteenth of the plan
    QCOMPARE(scene.seconds(1, 450, 5000), uint64_t{450});
    QCOMPARE(scene.seconds(1, 450, 5000), uint64_t{500});
    QCOMPARE(scene.seconds(60, 500, 5000), uint64_t{800});
}

void MemoryWatchTest::comingAndGoingDoesNotSwing() {
    Scene scene;
    uint64_t held = scene.next(800, 0);
    for (int i = 0; i < 20; ++i) {
        held = scene.seconds(8, held, 5000); // another program leaves for eight seconds...
        held = scene.next(held, 400);        // ...and is back
        QCOMPARE(held, uint64_t{400});
    }
}

/// Room to spare is a quarter of the reserve, and what comes back stays clear of the reserve by half of that.
void MemoryWatchTest::aLittleRoomIsNotEnough() {
    Scene scene;
    QCOMPARE(scene.next(800, 0), uint64_t{400});
    QCOMPARE(scene.seconds(60, 400, 400 + 400 + 99), uint64_t{400});
    QCOMPARE(scene.seconds(60, 400, 400 + 400 + 120), uint64_t{450});
    Scene again;
    QCOMPARE(again.next(800, 0), uint64_t{400});
    const uint64_t all = again.seconds(600, 400, 400 + 400 + 300);
    QVERIFY2(all > 550 && all <= 650, qPrintable(QString::number(all)));
}

void MemoryWatchTest::withoutFiguresNothingChanges() {
    MemoryGovernor governor(kLimits);
    QCOMPARE(governor.decide({}, {}), kLimits.most);
    QCOMPARE(governor.decide(sample(800, 0), {}), 400 * kMiB);
    QCOMPARE(governor.decide({.memory = {}, .held = 400 * kMiB}, {}), 400 * kMiB);
}

void MemoryWatchTest::alwaysWithinTheLimits() {
    std::mt19937_64 random(7);
    MemoryGovernor governor(kLimits);
    MemoryGovernor::Time now{};
    uint64_t before = kLimits.most, held = 0, raised = 0, lowered = 0;
    for (int i = 0; i < 20000; ++i) {
        const uint64_t others = random() % 64 == 0 ? random() % 8000 : 3000;
        const MemorySample now_ = sample(held, others);
        const uint64_t bytes = governor.decide(now_, now += 250ms);
        QVERIFY(bytes >= kLimits.least && bytes <= kLimits.most);
        if (bytes > before) {
            ++raised;
            QVERIFY(now_.memory.available > kLimits.reserve);
            QVERIFY(bytes - before <= kLimits.most / 16);
        }
        lowered += bytes < before;
        before = bytes;
        held = std::min(bytes / kMiB, held + random() % 50);
    }
    QVERIFY(raised > 0 && lowered > 0);
}

void MemoryWatchTest::hugeNumbersDoNotWrap() {
    constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
    MemoryGovernor governor({.most = most, .least = 1, .reserve = 10});
    QCOMPARE(governor.decide({.memory = {.total = most, .available = most}, .held = most}, {}), most - 10);
    QCOMPARE(governor.decide({.memory = {.total = most, .available = 0}, .held = 0}, {}), uint64_t{1});
    MemoryGovernor greedy({.most = 100, .least = 1, .reserve = most});
    QCOMPARE(greedy.decide({.memory = {.total = most, .available = 50}, .held = 50}, {}), uint64_t{1});
}

void MemoryWatchTest::theThreadTellsChangesAlone() {
    std::atomic<uint64_t> available{1200 * kMiB};
    std::atomic<int> asked{0};
    Told told;
    const auto watch = MemoryWatch::start(
        kLimits,
        [&] {
            ++asked;
            return MemorySample{{.total = 8192 * kMiB, .available = available}, 0};
        },
        [&](uint64_t bytes) { told.add(bytes); }, 0ms);
    QVERIFY(watch != nullptr);
    while (asked < 100) std::this_thread::yield();
    QCOMPARE(told.count(), size_t{0}); // as planned: nothing to tell
    available = 700 * kMiB;
    QCOMPARE(told.waitFor(1), 300 * kMiB);
    const int before = asked;
    while (asked < before + 100) std::this_thread::yield();
    QCOMPARE(told.count(), size_t{1});
    available = 0;
    QCOMPARE(told.waitFor(2), kLimits.least);
}

void MemoryWatchTest::endsWhileItSleeps() {
    std::atomic<int> asked{0};
    const auto source = [&] {
        ++asked;
        return MemorySample{};
    };
    // Were it to sleep out its time, this test would never end.
    MemoryWatch::start(
        kLimits, source, [](uint64_t) {}, 24h)
        .reset();
    QCOMPARE(asked.load(), 0);
}

QTEST_APPLESS_MAIN(MemoryWatchTest)
#include "tst_memory_watch.moc"
