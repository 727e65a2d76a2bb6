// SPDX-License-Identifier: Apache-2.0
// The bin: what was deleted is listed, comes back, or is erased; checked by QAbstractItemModelTester all the time.
#include "app/next_millisecond.h"
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "chats/bin_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestBinModel : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() {
        store_ = std::make_unique<StoreOnDisk>();
        bin_ = std::make_unique<BinModel>();
        tester_ = std::make_unique<QAbstractItemModelTester>(bin_.get(),
                                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        bin_->setStore(&**store_);
    }
    void cleanup() {
        tester_.reset();
        bin_.reset();
        store_.reset();
    }
    void theLastDeletedIsFirst();
    void nothingIsReadWhileThePageIsClosed();
    void chatsComeBack();
    void messagesComeBack();
    void oneIsErased();
    void allAreErased();
    void daysAreCounted();
    void errorsAreTold();

  private:
    StoreOnDisk& store() { return *store_; }
    QVariant data(int row, int role) const { return bin_->index(row).data(role); }
    QStringList titles() const {
        QStringList all;
        for (int row = 0; row < bin_->count(); ++row) all.append(data(row, BinModel::TitleRole).toString());
        return all;
    }

    std::unique_ptr<StoreOnDisk> store_;
    std::unique_ptr<BinModel> bin_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

void TestBinModel::theLastDeletedIsFirst() {
    const StoredTurn bread = store().say("Bread?", "Rises.", 0, {}, "Baking");
    const StoredTurn ships = store().say("Ships?\nThree", "Sink.", 0, {}, "Sailing");
    const StoredTurn more = store().say("More?", "No.", ships.chat);
    VERIFY_OK(store()->removeMessage(more.answer.id));
    nextMillisecond();
    VERIFY_OK(store()->remove(bread.chat));
    nextMillisecond();
    VERIFY_OK(store()->removeMessage(ships.prompt.id));
    bin_->setListing(true);
    QCOMPARE(titles(), (QStringList{"Ships? Three", "Baking", "No."}));
    QCOMPARE(data(0, BinModel::KindRole).toInt(), int(BinModel::Prompt));
    QCOMPARE(data(0, BinModel::ChatTitleRole).toString(), QStringLiteral("Sailing"));
    QCOMPARE(data(1, BinModel::KindRole).toInt(), int(BinModel::Chat));
    QCOMPARE(data(2, BinModel::KindRole).toInt(), int(BinModel::Answer));
}

void TestBinModel::nothingIsReadWhileThePageIsClosed() {
    const StoredTurn turn = store().say("One", "Two");
    VERIFY_OK(store()->remove(turn.chat));
    bin_->refresh();
    QCOMPARE(bin_->count(), 0);
    bin_->setListing(true);
    QCOMPARE(bin_->count(), 1);
    VERIFY_OK(store()->restore(turn.chat));
    bin_->refresh();
    QCOMPARE(bin_->count(), 0);
    bin_->setListing(false);
    QCOMPARE(bin_->count(), 0);
}

void TestBinModel::chatsComeBack() {
    const StoredTurn one = store().say("One", "A"), two = store().say("Two", "B", 0, {}, "Second");
    VERIFY_OK(store()->remove(one.chat));
    nextMillisecond();
    VERIFY_OK(store()->remove(two.chat));
    bin_->setListing(true);
    const QSignalSpy restored(bin_.get(), &BinModel::restored), resets(bin_.get(), &QAbstractItemModel::modelReset);
    bin_->restore(1);
    QCOMPARE(titles(), QStringList{"Second"});
    QCOMPARE(restored.count(), 1);
    QCOMPARE(restored.first().first().toLongLong(), one.chat);
    QCOMPARE(resets.count(), 0); // the other row keeps its place and the focus
    VERIFY_OK(store()->chat(one.chat));
    bin_->restore(7);
    bin_->restore(-1);
    QCOMPARE(restored.count(), 1);
}

void TestBinModel::messagesComeBack() {
    const StoredTurn one = store().say("One", "A"), two = store().say("Two", "B", one.chat);
    VERIFY_OK(store()->removeMessage(two.prompt.id));
    bin_->setListing(true);
    const QSignalSpy restored(bin_.get(), &BinModel::restored);
    bin_->restore(0);
    QCOMPARE(bin_->count(), 0);
    QCOMPARE(restored.first().first().toLongLong(), one.chat);
    QCOMPARE(store()->messages(one.chat)->size(), size_t{4});
}

void TestBinModel::oneIsErased() {
    const StoredTurn one = store().say("One", "A"), two = store().say("Two", "B");
    const StoredTurn more = store().say("More", "C", two.chat);
    VERIFY_OK(store()->remove(one.chat));
    nextMillisecond();
    VERIFY_OK(store()->removeMessage(more.prompt.id));
    bin_->setListing(true);
    const QSignalSpy erased(bin_.get(), &BinModel::erased);
    bin_->erase(1);
    QCOMPARE(titles(), QStringList{"More"});
    QVERIFY(!store()->restore(one.chat));
    bin_->erase(0);
    QCOMPARE(bin_->count(), 0);
    QCOMPARE(erased.count(), 2);
    QVERIFY(!store()->restoreMessage(more.prompt.id));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{2});
}

void TestBinModel::allAreErased() {
    const StoredTurn one = store().say("One", "A"), two = store().say("Two", "B");
    VERIFY_OK(store()->removeMessage(two.answer.id)); // below the next one
    VERIFY_OK(store()->removeMessage(two.prompt.id));
    VERIFY_OK(store()->remove(one.chat));
    bin_->setListing(true);
    QCOMPARE(bin_->count(), 3);
    const QSignalSpy failed(bin_.get(), &BinModel::failed);
    bin_->eraseAll();
    QCOMPARE(bin_->count(), 0);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{0});
}

void TestBinModel::daysAreCounted() {
    const StoredTurn turn = store().say("One", "A");
    VERIFY_OK(store()->remove(turn.chat));
    bin_->setListing(true);
    QCOMPARE(data(0, BinModel::DaysAgoRole).toInt(), 0);
    QCOMPARE(data(0, BinModel::DaysLeftRole).toInt(), kBinDays);
    const qint64 then = QDateTime::currentDateTime().addDays(-29).toMSecsSinceEpoch();
    SQLite::Database(store().file(), SQLite::OPEN_READWRITE)
        .exec("UPDATE chats SET deleted_at = " + std::to_string(then));
    bin_->refresh();
    QCOMPARE(data(0, BinModel::DaysAgoRole).toInt(), 29);
    QCOMPARE(data(0, BinModel::DaysLeftRole).toInt(), 1);
}

void TestBinModel::errorsAreTold() {
    const StoredTurn turn = store().say("One", "A");
    VERIFY_OK(store()->remove(turn.chat));
    bin_->setListing(true);
    VERIFY_OK(store()->erase(turn.chat));
    const QSignalSpy failed(bin_.get(), &BinModel::failed);
    bin_->restore(0);
    QCOMPARE(failed.count(), 1);
    bin_->erase(0);
    QCOMPARE(failed.count(), 2);
    BinModel empty;
    empty.setListing(true);
    empty.eraseAll();
    QCOMPARE(empty.count(), 0);
}

QTEST_GUILESS_MAIN(TestBinModel)
#include "tst_bin_model.moc"
