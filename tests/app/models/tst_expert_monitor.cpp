// SPDX-License-Identifier: Apache-2.0
// The live gauges: rates over the last second computed from counters, idle shown as idle, nothing sampled while
// disabled.
#include "app/app_bench.h"
#include "models/expert_rates.h"

#include <QSignalSpy>
#include <QTimer>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;
using engine::Counts;

class TestExpertMonitor : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void ratesAreOfTheLastSecond();
    void restIsNotTheLastRate();
    void anotherModelBeginsAnew();
    void waitingIsAtMostAllOfTheTime();
    void nothingIsSampledWhileDisabled();
    void anIdleStoreTellsNothing();
    void restsWhenNothingIsRequested();
    void guessesThatCameTrueCameFromDisk();
    void saysWhereTheExpertsAre();
    void layersOfADenseModelAreTold();
    void keepsTheFastestRateOfAModel();
};

void TestExpertMonitor::ratesAreOfTheLastSecond() {
    ExpertWindow window;
    QCOMPARE(window.rates(), ExpertRates{});
    // 100 experts in each tenth of a second: all come from memory in the first second, half of them in the next.
    Counts counted;
    for (int tenth = 0; tenth <= 20; ++tenth) {
        window.add(tenth * 0.1, counted);
        counted.hits += tenth < 10 ? 100 : 50;
        if (tenth < 10) continue;
        counted.misses += 30;
        counted.hits += 20;
        counted.prefetchedUsed += 20;
        counted.bytesRead += 1000;
        counted.waitSeconds += 0.025;
    }
    const ExpertRates rates = window.rates();
    QVERIFY(rates.working);
    QCOMPARE(rates.fromMemory, 0.5);
    QCOMPARE(rates.bytesPerSecond, 10000.0);
    QCOMPARE(rates.waitShare, 0.25);
}

void TestExpertMonitor::restIsNotTheLastRate() {
    ExpertWindow window;
    const Counts after{.hits = 90, .misses = 10, .bytesRead = 5000, .waitSeconds = 0.5};
    window.add(0, {});
    window.add(0.5, after);
    QVERIFY(window.rates().working);
    QCOMPARE(window.rates().fromMemory, 0.9);
    window.add(1.4, after);
    QVERIFY(window.rates().working); // the work began less than a second before the last sample
    window.add(1.6, after);
    QCOMPARE(window.rates(), ExpertRates{});
    QCOMPARE(window.rates().fromMemory, -1.0);
}

void TestExpertMonitor::anotherModelBeginsAnew() {
    ExpertWindow window;
    window.add(0, {.hits = 900, .misses = 100, .bytesRead = 1 << 20, .waitSeconds = 3});
    window.add(0.1, {.hits = 1, .misses = 3, .bytesRead = 100, .waitSeconds = 0});
    QCOMPARE(window.rates(), ExpertRates{});
    window.add(0.2, {.hits = 2, .misses = 6, .bytesRead = 200, .waitSeconds = 0});
    QCOMPARE(window.rates().fromMemory, 0.25);
}

/// 8 experts were requested, and 6 of them were in memory or arriving; 3 of these 6 had been prefetched from disk.
void TestExpertMonitor::guessesThatCameTrueCameFromDisk() {
    ExpertWindow window;
    window.add(0, {.hits = 10, .misses = 10, .prefetched = 20, .prefetchedUsed = 5});
    window.add(0.5, {.hits = 16, .misses = 12, .prefetched = 30, .prefetchedUsed = 8});
    QCOMPARE(window.rates().fromMemory, 0.375);
    window.add(0.6, {.hits = 16, .misses = 12, .prefetched = 30, .prefetchedUsed = 20}); // read during an update
    QCOMPARE(window.rates().fromMemory, 0.0);
    QCOMPARE(shareFromMemory(0, 0), -1.0);

    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().setExperts({.hits = 6, .misses = 2, .prefetched = 9, .prefetchedUsed = 3},
                               {.used = 1, .usable = 1});
    bench.app().experts()->sample(0);
    QCOMPARE(bench.app().experts()->wholeFromMemory(), 0.375);
}

void TestExpertMonitor::waitingIsAtMostAllOfTheTime() {
    ExpertWindow window;
    window.add(0, {});
    window.add(0.5, {.waitSeconds = 2}); // a long wait is counted when it ends
    QCOMPARE(window.rates().waitShare, 1.0);
    QVERIFY(window.rates().working);
}

void TestExpertMonitor::nothingIsSampledWhileDisabled() {
    AppBench bench;
    OPEN_MODEL(bench);
    ExpertMonitor& monitor = *bench.app().experts();
    QSignalSpy changes(&monitor, &ExpertMonitor::changed);
    QVERIFY(!monitor.enabled());
    QCOMPARE(monitor.place(), ExpertMonitor::NoModel); // the monitor has not sampled yet
    monitor.setEnabled(true);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(monitor.place(), ExpertMonitor::AllKept);
    bench.control().setExperts({.hits = 8}, {.used = 1, .usable = 1});
    QVERIFY(changes.wait(kPatienceMs));
    monitor.setEnabled(false);
    bench.control().setExperts({.hits = 16}, {.used = 1, .usable = 1});
    const int before = changes.count();
    // The timer itself shows that more than one interval has passed.
    QTimer interval;
    QSignalSpy passed(&interval, &QTimer::timeout);
    interval.start(600);
    QVERIFY(passed.wait(kPatienceMs));
    QCOMPARE(changes.count(), before);
}

void TestExpertMonitor::anIdleStoreTellsNothing() {
    AppBench bench;
    OPEN_MODEL(bench);
    ExpertMonitor& monitor = *bench.app().experts();
    bench.control().setExperts({.hits = 8}, {.used = 1, .usable = 1});
    monitor.sample(0);
    QSignalSpy changes(&monitor, &ExpertMonitor::changed);
    monitor.sample(10);
    monitor.sample(20);
    QCOMPARE(changes.count(), 0);
    bench.control().setExperts({.hits = 8}, {.used = 2, .usable = 2});
    monitor.sample(30);
    QCOMPARE(changes.count(), 1);
}

void TestExpertMonitor::restsWhenNothingIsRequested() {
    AppBench bench;
    OPEN_MODEL(bench);
    ExpertMonitor& monitor = *bench.app().experts();
    bench.control().setExperts({}, {.used = 1, .usable = 1});
    monitor.sample(0);
    bench.control().setExperts({.hits = 8}, {.used = 1, .usable = 1});
    monitor.sample(0.5);
    QVERIFY(monitor.working());
    QCOMPARE(monitor.fromMemory(), 1.0);
    monitor.sample(2);
    QVERIFY(!monitor.working());
    QCOMPARE(monitor.fromMemory(), -1.0);
}

void TestExpertMonitor::saysWhereTheExpertsAre() {
    FakeScript script = AppBench::words();
    script.layers = 32;
    AppBench bench(script);
    ExpertMonitor& monitor = *bench.app().experts();
    monitor.sample(0);
    QCOMPARE(monitor.place(), ExpertMonitor::NoModel);
    OPEN_MODEL(bench);
    monitor.sample(1);
    QCOMPARE(monitor.place(), ExpertMonitor::FromDisk);
    QCOMPARE(monitor.experts(), 1024);
    QCOMPARE(monitor.kept(), monitor.room());
    QVERIFY(monitor.room() > 0 && monitor.room() < 1024);
    bench.control().setExperts({.hits = 3, .misses = 1, .bytesRead = 50, .waitSeconds = 2},
                               {.used = 7, .usable = 1024});
    monitor.sample(2);
    QCOMPARE(monitor.place(), ExpertMonitor::RoomForAll);
    QCOMPARE(monitor.kept(), 7);
    QCOMPARE(monitor.wholeFromMemory(), 0.75);
    QCOMPARE(monitor.wholeBytes(), 50.0);
    QCOMPARE(monitor.wholeWait(), 2.0);
    bench.control().setExperts({}, {.used = 1024, .usable = 1024});
    monitor.sample(3);
    QCOMPARE(monitor.place(), ExpertMonitor::AllKept);
    QCOMPARE(monitor.wholeFromMemory(), -1.0);
    bench.models().close();
    QTRY_VERIFY((monitor.sample(4), monitor.place() == ExpertMonitor::NoModel));
    QCOMPARE(monitor.experts(), 0);
    QVERIFY(!monitor.working());
}

void TestExpertMonitor::layersOfADenseModelAreTold() {
    FakeScript script = AppBench::words();
    script.dense = true;
    script.layers = 30;
    script.bytesFromDisk = 720 << 20; // 12 layers per token, each read before its turn
    AppBench bench(script);
    ExpertMonitor& monitor = *bench.app().experts();
    monitor.sample(0);
    QVERIFY(!monitor.dense());
    OPEN_MODEL(bench);
    monitor.sample(1);
    QVERIFY(monitor.dense());
    QCOMPARE(monitor.place(), ExpertMonitor::FromDisk);
    QCOMPARE(monitor.experts(), 30);
    QVERIFY(monitor.room() > 0 && monitor.room() < 30);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    monitor.sample(1.5);
    QCOMPARE(monitor.fromMemory(), 0.6);
    bench.models().close();
    QTRY_VERIFY((monitor.sample(2), monitor.place() == ExpertMonitor::NoModel));
    QVERIFY(!monitor.dense());
}

void TestExpertMonitor::keepsTheFastestRateOfAModel() {
    AppBench bench;
    OPEN_MODEL(bench);
    ExpertMonitor& monitor = *bench.app().experts();
    const auto read = [&](double seconds, uint64_t bytes) {
        bench.control().setExperts({.misses = bytes, .bytesRead = bytes}, {});
        monitor.sample(seconds);
    };
    read(0, 0);
    read(1, 500);
    read(2, 600);
    QCOMPARE(monitor.diskRate(), 100.0);
    QCOMPARE(monitor.fastestDiskRate(), 500.0);
    read(3, 10); // another model, whose counters are lower
    QCOMPARE(monitor.fastestDiskRate(), 0.0);
    read(4, 30);
    QCOMPARE(monitor.fastestDiskRate(), 20.0);
}

QTEST_GUILESS_MAIN(TestExpertMonitor)
#include "tst_expert_monitor.moc"
