// SPDX-License-Identifier: Apache-2.0
// B7 of the review: a second start of the program hands its model to the first one and ends; nothing is opened twice.
// Here both are objects in one process, and strangers misuse the channel; tests/ui/tst_second_start.cpp has two
// processes.
#include "app/app_bench.h"

#include <QLocalSocket>
#include <QSignalSpy>
#include <QTest>

#include <future>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestOneInstance : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void b7ASecondStartHandsItsModelOver();
    void withoutAModelItOnlyComesToTheFront();
    void aStartWithAnotherFolderIsItsOwn();
    void nobodyListensAfterTheEnd();
    void strangersCannotHurt();

  private:
    /// Starts a second program in a thread, while this one handles events. The first one listens, or there is none.
    static bool handOver(const QString& folder, const QString& model) {
        auto done =
            std::async(std::launch::async, [=] { return InstanceChannel::handOver(folder, model, 0, kPatienceMs); });
        const auto ready = [&] { return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
        return QTest::qWaitFor(ready, kPatienceMs) && done.get();
    }
};

void TestOneInstance::b7ASecondStartHandsItsModelOver() {
    AppBench bench;
    QSignalSpy raised(&bench.app(), &App::raiseWanted);
    QVERIFY(bench.app().alone());
    QVERIFY(handOver(bench.folder(), bench.model()));
    QCOMPARE(raised.count(), 1);
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().path(), QDir::toNativeSeparators(bench.model()));
    App second({.dataFolder = bench.folder(), .factory = fakeFactory(AppBench::words()), .model = {}});
    QVERIFY(!second.alone());
}

void TestOneInstance::withoutAModelItOnlyComesToTheFront() {
    AppBench bench;
    QSignalSpy raised(&bench.app(), &App::raiseWanted);
    QVERIFY(handOver(bench.folder() + QStringLiteral("/."), {})); // the same folder, spelled otherwise
    QCOMPARE(raised.count(), 1);
    QCOMPARE(bench.models().state(), ModelController::None);
}

void TestOneInstance::aStartWithAnotherFolderIsItsOwn() {
    AppBench bench;
    const QTemporaryDir other;
    QVERIFY(!handOver(other.path(), bench.model()));
    AppBench second(AppBench::words(), other.path());
    QVERIFY(second.app().alone());
}

void TestOneInstance::nobodyListensAfterTheEnd() {
    AppBench bench;
    bench.stop();
    QVERIFY(!handOver(bench.folder(), {}));
    bench.start();
    QVERIFY(handOver(bench.folder(), {}));
}

void TestOneInstance::strangersCannotHurt() {
    const QTemporaryDir folder;
    InstanceChannel channel(folder.path());
    QVERIFY(channel.listening());
    QSignalSpy started(&channel, &InstanceChannel::started);
    int friends = 0;
    for (const QByteArray& bytes : {QByteArray(), QByteArray("x"), QByteArray(1 << 20, '\xff'),
                                    QByteArray::fromHex("fffffffe0041"), QByteArray::fromHex("00000004")}) {
        QLocalSocket socket;
        socket.connectToServer(channel.fullName());
        QVERIFY(socket.waitForConnected(kPatienceMs));
        socket.write(bytes);
        socket.flush();
        QVERIFY(handOver(folder.path(), {})); // it works beside the stranger, whose bytes came first
        QCOMPARE(started.count(), ++friends);
        socket.abort();
    }
    QVERIFY(handOver(folder.path(), {}));
    QCOMPARE(started.count(), ++friends);
}

QTEST_MAIN(TestOneInstance)
#include "tst_one_instance.moc"
