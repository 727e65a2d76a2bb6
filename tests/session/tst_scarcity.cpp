// SPDX-License-Identifier: Apache-2.0
// When something is scarce: the battery as a script says, memory as it is told, and who looks at what on which thread.
#include "fakes/losing_backend.h"
#include "session/opened_model.h"
#include "session/scarcity.h"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace coterie::engine;
using namespace coterie::test;
using namespace std::chrono_literals;

namespace {

constexpr PowerReading kLow{.onBattery = true, .charge = 0.1}, kFull{.onBattery = true, .charge = 0.9};

/// A battery that is read from several threads.
struct Battery {
    std::atomic<bool> low{false};
    std::atomic<int> asked{0};

    Scarcity::Source source() {
        return [this] {
            ++asked;
            return low ? kLow : kFull;
        };
    }
};

TinyModelOptions sparse() {
    TinyModelOptions options;
    options.architecture = "smallthinker";
    options.experts = 8;
    options.expertsPerToken = 4;
    return options;
}

} // namespace

class TestScarcity : public QObject {
    Q_OBJECT

    ModelFolder folder_;

  private Q_SLOTS:
    void nothingIsScarceUntilSomeoneSaysSo() {
        Battery battery;
        battery.low = true;
        const Scarcity scarcity(battery.source());
        QVERIFY(!scarcity.now());
        QCOMPARE(battery.asked.load(), 0);
    }

    void aLowBatteryIsSeenAtOnce() {
        Battery battery;
        battery.low = true;
        Scarcity scarcity(battery.source(), 24h);
        scarcity.watchPower();
        QVERIFY(scarcity.now());
        scarcity.watchPower(); // goes on as it is
        QCOMPARE(battery.asked.load(), 1);
    }

    void theBatteryIsLookedAtAgain() {
        Battery battery;
        Scarcity scarcity(battery.source(), 0ms);
        scarcity.watchPower();
        QVERIFY(!scarcity.now());
        battery.low = true;
        while (!scarcity.now()) std::this_thread::yield();
        battery.low = false;
        while (scarcity.now()) std::this_thread::yield();
    }

    void askingReadsNothing() {
        Battery battery;
        Scarcity scarcity(battery.source(), 24h);
        scarcity.watchPower();
        for (int i = 0; i < 1000; ++i) QVERIFY(!scarcity.now());
        QCOMPARE(battery.asked.load(), 1);
    }

    void shortMemoryIsScarceToo() {
        Battery battery;
        Scarcity scarcity(battery.source(), 24h);
        scarcity.setMemoryShort(true);
        QVERIFY(scarcity.now());
        scarcity.watchPower();
        QVERIFY(scarcity.now()); // a full battery doesn't help
        scarcity.setMemoryShort(false);
        QVERIFY(!scarcity.now());
    }

    /// A whole model: answers that ask for it are approximate while the battery is low; others don't look at the
    /// battery.
    void aSessionAsksForItsBattery() {
        Battery battery;
        OpenOptions open;
        open.path = folder_.save(sparse());
        open.threads = 2;
        open.memory = uint64_t{1} << 30; // a budget that is not automatic: memory is never short
        open.readPower = battery.source();
        const auto session = openSession(open);
        QVERIFY(session.ok());
        const auto answer = [&session](const GenerateOptions& options) {
            return session.value()->complete("Once upon", options, {}).value();
        };
        GenerateOptions options = greedy(12);
        const Generated exact = answer(options);
        QCOMPARE(exact.statistics.exactness, Exactness::SameBits);
        QVERIFY(exact.statistics.decoding.choices > 0);

        options.routing.topWeightShare = 0.3f;
        const Generated always = answer(options);
        QCOMPARE(always.statistics.exactness, Exactness::Approximate);
        QVERIFY(always.statistics.decoding.choicesChanged > 0);
        QVERIFY(always.statistics.decoding.choicesChanged <= always.statistics.decoding.choices);
        QCOMPARE(battery.asked.load(), 0);

        options.topWeightShareWhen = RoutingWhen::Scarce;
        const Generated plenty = answer(options);
        QCOMPARE(plenty.statistics.exactness, Exactness::SameBits);
        QCOMPARE(plenty.text(), exact.text());
        QVERIFY(battery.asked.load() > 0);
    }

    void aLowBatteryMakesAnswersApproximate() {
        Battery battery;
        battery.low = true;
        OpenOptions open;
        open.path = folder_.save(sparse());
        open.memory = uint64_t{1} << 30;
        open.readPower = battery.source();
        const auto session = openSession(open);
        QVERIFY(session.ok());
        GenerateOptions options = greedy(12);
        options.routing.topWeightShare = 0.3f;
        const Generated always = session.value()->complete("Once upon", options, {}).value();
        options.topWeightShareWhen = RoutingWhen::Scarce;
        options.reuseCache = false;
        const Generated low = session.value()->complete("Once upon", options, {}).value();
        QCOMPARE(low.statistics.exactness, Exactness::Approximate);
        QCOMPARE(low.text(), always.text());
    }

    /// The decoder that takes a lost one's place starts with all its slots, whatever the lost one had to give back.
    void shortMemoryEndsWithItsDevice() {
        Battery battery;
        DeviceScript losing;
        std::atomic<bool> full{false};
        OpenOptions open;
        open.path = folder_.save(sparse());
        open.threads = 1;
        open.device = losing.name;
        open.devices = losingDevices({&losing});
        open.readPower = battery.source();
        open.readMemory = [&full] {
            constexpr uint64_t some = uint64_t{1} << 30, few = uint64_t{1} << 16;
            return MemoryReading{.resident = few, .total = some, .available = full ? 0 : some};
        };
        const auto session = openSession(open);
        QVERIFY(session.ok());
        const uint64_t all = session.value()->telemetry().slots.usable;
        full = true;
        while (session.value()->telemetry().slots.usable == all) std::this_thread::yield();
        full = false;
        losing.callsUntilLost = losing.calls; // with the next one
        GenerateOptions options = greedy(12);
        options.routing.topWeightShare = 0.3f;
        options.topWeightShareWhen = RoutingWhen::Scarce;
        const Result<Generated> answer = session.value()->complete("Once upon", options, {});
        QVERIFY(answer.ok());
        QCOMPARE(answer->notes.size(), size_t{1});
        QCOMPARE(answer->statistics.exactness, Exactness::SameBits);
    }

    void withoutExpertsNobodyAsks() {
        Battery battery;
        OpenOptions open;
        open.path = folder_.save({});
        open.readPower = battery.source();
        const auto session = openSession(open);
        QVERIFY(session.ok());
        GenerateOptions options = greedy(4);
        options.routing.topWeightShare = 0.3f;
        options.topWeightShareWhen = RoutingWhen::Scarce;
        QCOMPARE(session.value()->complete("Once", options, {})->statistics.exactness, Exactness::SameBits);
        QCOMPARE(battery.asked.load(), 0);
    }
};

QTEST_APPLESS_MAIN(TestScarcity)
#include "tst_scarcity.moc"
