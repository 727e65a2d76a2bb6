// SPDX-License-Identifier: Apache-2.0
// A model's packed file from the offer to its removal, over fake calls that write no file.
#include "app/app_bench.h"
#include "fakes/fake_packed_files.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;
using State = PackedFileController::State;

namespace {

FakeScript largeModel() {
    FakeScript script = AppBench::words();
    script.layers = 32;
    return script;
}

} // namespace

#define TRY_STATE(bench, wanted) QTRY_COMPARE((bench).app().packedFile()->state(), PackedFileController::wanted)

class TestPackedFileController : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void isOfferedWithItsSize();
    void isNotOfferedWhereAllFits();
    void isNotOfferedWithoutExperts();
    void isMadeWithProgressAndUsedByTheNextOpening();
    void makingCanBeStopped();
    void isRemoved();
    void aStaleOneIsMadeAnew();
    void aFailureIsSaidAndCanBeTriedAgain();
    void anotherOpeningStopsTheMaking();
    void theProgramEndsWhileItIsMade();
    void modelsThatCannotBePackedHaveNone();
    void withoutCallsThereIsNone();
    void unusedPackedFilesAreToldWhileSomebodyLooks();
    void unusedPackedFilesAreRemoved();

  private:
    std::shared_ptr<FakePackedFile> file_;
    std::unique_ptr<AppBench> open(engine::PackedFileStatus::State state, const FakeScript& script = largeModel()) {
        file_ = std::make_shared<FakePackedFile>(state, "/packed/model", 1000);
        return std::make_unique<AppBench>(script, QString(), fakePackedFiles(file_, {}));
    }
};

void TestPackedFileController::isOfferedWithItsSize() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    QCOMPARE(bench->app().packedFile()->state(), State::Unavailable);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    QCOMPARE(bench->app().packedFile()->bytes(), 1000.0);
    QCOMPARE(bench->app().packedFile()->path(), QStringLiteral("/packed/model"));
    bench->models().close();
    TRY_STATE(*bench, Unavailable);
}

void TestPackedFileController::isNotOfferedWhereAllFits() {
    const auto bench = open(engine::PackedFileStatus::State::None, AppBench::words());
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, NotUseful);
    bench->app().packedFile()->pack();
    QCOMPARE(bench->app().packedFile()->state(), State::NotUseful);
}

/// A dense model has none, whether all its layers fit into memory or not.
void TestPackedFileController::isNotOfferedWithoutExperts() {
    for (const int64_t layers : {4, 30}) {
        FakeScript script = AppBench::words();
        script.dense = true;
        script.layers = layers;
        const auto bench = open(engine::PackedFileStatus::State::None, script);
        OPEN_MODEL(*bench);
        QCOMPARE(bench->models().readsExperts(), layers == 30);
        QCOMPARE(bench->app().packedFile()->state(), State::Unavailable);
        bench->app().packedFile()->setListing(true); // the list is made after all earlier requests
        file_->leave(1, {QStringLiteral("old.gguf")});
        bench->models().reopen();
        QTRY_COMPARE(bench->app().packedFile()->unusedBytes(), 1.0);
        QCOMPARE(bench->app().packedFile()->state(), State::Unavailable);
    }
}

void TestPackedFileController::isMadeWithProgressAndUsedByTheNextOpening() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    PackedFileController& controller = *bench->app().packedFile();
    file_->packUpTo(0.5);
    controller.pack();
    QCOMPARE(controller.state(), State::Packing);
    QTRY_COMPARE(controller.progress(), 0.5);
    QCOMPARE(controller.state(), State::Packing);
    file_->packUpTo(1);
    TRY_STATE(*bench, Present);
    QVERIFY(controller.waiting());
    bench->models().reopen();
    QTRY_COMPARE(bench->models().state(), ModelController::Ready);
    TRY_STATE(*bench, Present);
    QVERIFY(!controller.waiting());
}

void TestPackedFileController::makingCanBeStopped() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    PackedFileController& controller = *bench->app().packedFile();
    file_->packUpTo(0.3);
    controller.pack();
    QTRY_VERIFY(controller.progress() > 0.2);
    controller.cancel();
    TRY_STATE(*bench, Offered);
    QVERIFY(!controller.error().valid()); // a cancellation by the user is no error
    QVERIFY(!controller.waiting());
    controller.pack();
    QCOMPARE(controller.progress(), 0.0);
    file_->packUpTo(1);
    TRY_STATE(*bench, Present);
}

void TestPackedFileController::isRemoved() {
    const auto bench = open(engine::PackedFileStatus::State::Current);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Present);
    QVERIFY(!bench->app().packedFile()->waiting());
    bench->app().packedFile()->remove();
    TRY_STATE(*bench, Offered);
}

void TestPackedFileController::aStaleOneIsMadeAnew() {
    const auto bench = open(engine::PackedFileStatus::State::Stale);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Stale);
    bench->app().packedFile()->pack();
    TRY_STATE(*bench, Present);
    QVERIFY(bench->app().packedFile()->waiting());
}

void TestPackedFileController::aFailureIsSaidAndCanBeTriedAgain() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    PackedFileController& controller = *bench->app().packedFile();
    file_->failWith({engine::ErrorKind::Io, "It wasn't made", "The disk is full", "Make room"});
    controller.pack();
    TRY_STATE(*bench, Failed);
    QCOMPARE(controller.error().why, QStringLiteral("The disk is full"));
    controller.pack(); // does nothing in this state
    QCOMPARE(controller.state(), State::Failed);
    controller.lookAgain();
    TRY_STATE(*bench, Offered);
    QVERIFY(!controller.error().valid());
}

void TestPackedFileController::anotherOpeningStopsTheMaking() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->packUpTo(0.3);
    bench->app().packedFile()->pack();
    bench->models().reopen();
    QCOMPARE(bench->app().packedFile()->state(), State::Unavailable);
    QTRY_COMPARE(bench->models().state(), ModelController::Ready);
    TRY_STATE(*bench, Offered); // the controller looks for the file after packing has stopped
}

void TestPackedFileController::theProgramEndsWhileItIsMade() {
    auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->packUpTo(0.3);
    bench->app().packedFile()->pack();
    QTRY_VERIFY(bench->app().packedFile()->progress() > 0.2);
    bench.reset();
    const auto left = file_->inspect();
    QCOMPARE(left.value().state, engine::PackedFileStatus::State::None);
}

void TestPackedFileController::modelsThatCannotBePackedHaveNone() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->refuse();
    QSignalSpy changes(bench->app().packedFile(), &PackedFileController::changed);
    bench->models().reopen();
    QTRY_COMPARE(changes.count(), 3); // opening, opened, and what was found
    QCOMPARE(bench->app().packedFile()->state(), State::Unavailable);
    QVERIFY(!bench->app().packedFile()->error().valid());
}

void TestPackedFileController::withoutCallsThereIsNone() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    QCOMPARE(bench.app().packedFile()->state(), State::Unavailable);
    bench.app().packedFile()->pack();
    QCOMPARE(bench.app().packedFile()->state(), State::Unavailable);
}

void TestPackedFileController::unusedPackedFilesAreToldWhileSomebodyLooks() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    PackedFileController& controller = *bench->app().packedFile();
    file_->leave(5000, {QStringLiteral("old.gguf"), QStringLiteral("older.gguf")});
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    QVERIFY(controller.unusedNames().isEmpty()); // the list is made only while its page is visible
    controller.setListing(true);
    QTRY_COMPARE(controller.unusedBytes(), 5000.0);
    QCOMPARE(controller.unusedNames().size(), 2);
    file_->leave(70, {QStringLiteral("old.gguf")});
    bench->models().close();
    QTRY_COMPARE(controller.unusedBytes(), 70.0); // the list is made without a model, too
    controller.setListing(false);
    file_->leave(0, {});
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered); // the same thread does this after any list
    QCOMPARE(controller.unusedBytes(), 70.0);
}

void TestPackedFileController::unusedPackedFilesAreRemoved() {
    const auto bench = open(engine::PackedFileStatus::State::None);
    PackedFileController& controller = *bench->app().packedFile();
    file_->leave(5000, {QStringLiteral("old.gguf")});
    controller.setListing(true);
    QTRY_COMPARE(controller.unusedBytes(), 5000.0);
    file_->failWith({engine::ErrorKind::Io, "It can't be removed", "It is in use", "Close other windows"});
    controller.removeUnused();
    QTRY_COMPARE(controller.unusedError().why, QStringLiteral("It is in use"));
    QCOMPARE(controller.unusedBytes(), 5000.0);
    controller.removeUnused();
    QTRY_VERIFY(controller.unusedNames().isEmpty());
    QVERIFY(!controller.unusedError().valid());
}

QTEST_GUILESS_MAIN(TestPackedFileController)
#include "tst_packed_file_controller.moc"
