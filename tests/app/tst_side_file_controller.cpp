// SPDX-License-Identifier: Apache-2.0
// A model's packed copy, from the offer to its removal, over calls that keep no file.
#include "app_bench.h"
#include "fakes/fake_side_files.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;
using State = SideFileController::State;

namespace {

FakeScript largeModel() {
    FakeScript script = AppBench::words();
    script.layers = 32;
    return script;
}

SideFileInfo info(SideFileInfo::State state) {
    return {.state = state, .path = QStringLiteral("/packed/model"), .bytes = 1000};
}

} // namespace

#define TRY_STATE(bench, wanted)                                                                                       \
    QTRY_COMPARE_WITH_TIMEOUT((bench).app().sideFile()->state(), SideFileController::wanted, kPatienceMs)

class TestSideFileController : public QObject {
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
    void unusedCopiesAreToldWhileSomebodyLooks();
    void unusedCopiesAreRemoved();

  private:
    std::shared_ptr<FakeSideFile> file_;
    std::unique_ptr<AppBench> open(SideFileInfo::State state, const FakeScript& script = largeModel()) {
        file_ = std::make_shared<FakeSideFile>(info(state));
        return std::make_unique<AppBench>(script, QString(), fakeSideFiles(file_, {}));
    }
};

void TestSideFileController::isOfferedWithItsSize() {
    const auto bench = open(SideFileInfo::State::None);
    QCOMPARE(bench->app().sideFile()->state(), State::Unavailable);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    QCOMPARE(bench->app().sideFile()->bytes(), 1000.0);
    QCOMPARE(bench->app().sideFile()->path(), QStringLiteral("/packed/model"));
    bench->models().close();
    TRY_STATE(*bench, Unavailable);
}

void TestSideFileController::isNotOfferedWhereAllFits() {
    const auto bench = open(SideFileInfo::State::None, AppBench::words());
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, NotUseful);
    bench->app().sideFile()->pack();
    QCOMPARE(bench->app().sideFile()->state(), State::NotUseful);
}

/// Whether its layers all fit or not.
void TestSideFileController::isNotOfferedWithoutExperts() {
    for (const int64_t layers : {4, 30}) {
        FakeScript script = AppBench::words();
        script.dense = true;
        script.layers = layers;
        const auto bench = open(SideFileInfo::State::None, script);
        OPEN_MODEL(*bench);
        QCOMPARE(bench->models().readsExperts(), layers == 30);
        QCOMPARE(bench->app().sideFile()->state(), State::Unavailable);
        bench->app().sideFile()->setListing(true); // the list waits for whatever was asked before
        file_->leave({.bytes = 1, .names = {QStringLiteral("old.gguf")}});
        bench->models().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(bench->app().sideFile()->unusedBytes(), 1.0, kPatienceMs);
        QCOMPARE(bench->app().sideFile()->state(), State::Unavailable);
    }
}

void TestSideFileController::isMadeWithProgressAndUsedByTheNextOpening() {
    const auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    SideFileController& controller = *bench->app().sideFile();
    file_->packUpTo(0.5);
    controller.pack();
    QCOMPARE(controller.state(), State::Packing);
    QTRY_COMPARE_WITH_TIMEOUT(controller.progress(), 0.5, kPatienceMs);
    QCOMPARE(controller.state(), State::Packing);
    file_->packUpTo(1);
    TRY_STATE(*bench, Present);
    QVERIFY(controller.waiting());
    bench->models().reopen();
    QTRY_COMPARE_WITH_TIMEOUT(bench->models().state(), ModelController::Ready, kPatienceMs);
    TRY_STATE(*bench, Present);
    QVERIFY(!controller.waiting());
}

void TestSideFileController::makingCanBeStopped() {
    const auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    SideFileController& controller = *bench->app().sideFile();
    file_->packUpTo(0.3);
    controller.pack();
    QTRY_VERIFY_WITH_TIMEOUT(controller.progress() > 0.2, kPatienceMs);
    controller.cancel();
    TRY_STATE(*bench, Offered);
    QVERIFY(!controller.error().valid()); // what the user wanted is no error
    QVERIFY(!controller.waiting());
    controller.pack();
    QCOMPARE(controller.progress(), 0.0);
    file_->packUpTo(1);
    TRY_STATE(*bench, Present);
}

void TestSideFileController::isRemoved() {
    const auto bench = open(SideFileInfo::State::Current);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Present);
    QVERIFY(!bench->app().sideFile()->waiting());
    bench->app().sideFile()->remove();
    TRY_STATE(*bench, Offered);
}

void TestSideFileController::aStaleOneIsMadeAnew() {
    const auto bench = open(SideFileInfo::State::Stale);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Stale);
    bench->app().sideFile()->pack();
    TRY_STATE(*bench, Present);
    QVERIFY(bench->app().sideFile()->waiting());
}

void TestSideFileController::aFailureIsSaidAndCanBeTriedAgain() {
    const auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    SideFileController& controller = *bench->app().sideFile();
    file_->failWith({engine::ErrorKind::Io, "It wasn't made", "The disk is full", "Make room"});
    controller.pack();
    TRY_STATE(*bench, Failed);
    QCOMPARE(controller.error().why, QStringLiteral("The disk is full"));
    controller.pack(); // not from here
    QCOMPARE(controller.state(), State::Failed);
    controller.lookAgain();
    TRY_STATE(*bench, Offered);
    QVERIFY(!controller.error().valid());
}

void TestSideFileController::anotherOpeningStopsTheMaking() {
    const auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->packUpTo(0.3);
    bench->app().sideFile()->pack();
    bench->models().reopen();
    QCOMPARE(bench->app().sideFile()->state(), State::Unavailable);
    QTRY_COMPARE_WITH_TIMEOUT(bench->models().state(), ModelController::Ready, kPatienceMs);
    TRY_STATE(*bench, Offered); // its look comes after the making has given up
}

void TestSideFileController::theProgramEndsWhileItIsMade() {
    auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->packUpTo(0.3);
    bench->app().sideFile()->pack();
    QTRY_VERIFY_WITH_TIMEOUT(bench->app().sideFile()->progress() > 0.2, kPatienceMs);
    bench.reset();
    const auto left = file_->inspect();
    QCOMPARE(left.value().state, SideFileInfo::State::None);
}

void TestSideFileController::modelsThatCannotBePackedHaveNone() {
    const auto bench = open(SideFileInfo::State::None);
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    file_->refuse();
    QSignalSpy changes(bench->app().sideFile(), &SideFileController::changed);
    bench->models().reopen();
    QTRY_COMPARE_WITH_TIMEOUT(changes.count(), 3, kPatienceMs); // opening, opened, the answer to its look
    QCOMPARE(bench->app().sideFile()->state(), State::Unavailable);
    QVERIFY(!bench->app().sideFile()->error().valid());
}

void TestSideFileController::withoutCallsThereIsNone() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    QCOMPARE(bench.app().sideFile()->state(), State::Unavailable);
    bench.app().sideFile()->pack();
    QCOMPARE(bench.app().sideFile()->state(), State::Unavailable);
}

void TestSideFileController::unusedCopiesAreToldWhileSomebodyLooks() {
    const auto bench = open(SideFileInfo::State::None);
    SideFileController& controller = *bench->app().sideFile();
    file_->leave({.bytes = 5000, .names = {QStringLiteral("old.gguf"), QStringLiteral("older.gguf")}});
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered);
    QVERIFY(controller.unusedNames().isEmpty()); // nobody looks
    controller.setListing(true);
    QTRY_COMPARE_WITH_TIMEOUT(controller.unusedBytes(), 5000.0, kPatienceMs);
    QCOMPARE(controller.unusedNames().size(), 2);
    file_->leave({.bytes = 70, .names = {QStringLiteral("old.gguf")}});
    bench->models().close();
    QTRY_COMPARE_WITH_TIMEOUT(controller.unusedBytes(), 70.0, kPatienceMs); // without a model, too
    controller.setListing(false);
    file_->leave({});
    OPEN_MODEL(*bench);
    TRY_STATE(*bench, Offered); // on the same thread, after any list
    QCOMPARE(controller.unusedBytes(), 70.0);
}

void TestSideFileController::unusedCopiesAreRemoved() {
    const auto bench = open(SideFileInfo::State::None);
    SideFileController& controller = *bench->app().sideFile();
    file_->leave({.bytes = 5000, .names = {QStringLiteral("old.gguf")}});
    controller.setListing(true);
    QTRY_COMPARE_WITH_TIMEOUT(controller.unusedBytes(), 5000.0, kPatienceMs);
    file_->failWith({engine::ErrorKind::Io, "It can't be removed", "It is in use", "Close other windows"});
    controller.removeUnused();
    QTRY_COMPARE_WITH_TIMEOUT(controller.unusedError().why, QStringLiteral("It is in use"), kPatienceMs);
    QCOMPARE(controller.unusedBytes(), 5000.0);
    controller.removeUnused();
    QTRY_VERIFY_WITH_TIMEOUT(controller.unusedNames().isEmpty(), kPatienceMs);
    QVERIFY(!controller.unusedError().valid());
}

QTEST_GUILESS_MAIN(TestSideFileController)
#include "tst_side_file_controller.moc"
