// SPDX-License-Identifier: Apache-2.0
// The memory forecast of the settings and the offer to pack, over the real engine. The forecast is made while the model
// is open, and must hold when it is opened again.
#include "session/packed_files.h"
#include "shell/app.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <memory>

using namespace coterie;
using namespace coterie::app;

namespace {

constexpr double kMiB = 1 << 20, kExpertBytes = 432 << 10;

/// 64 experts of 432 KiB.
test::TinyModelOptions withExperts() {
    test::TinyModelOptions options{.architecture = "smallthinker", .type = engine::TensorType::Q4_0};
    options.layers = 4;
    options.width = 256;
    options.heads = 8;
    options.feedForward = 1024;
    options.experts = 16;
    return options;
}

} // namespace

class TestModelMemory : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { app_.reset(); }

    void theForecastHolds();
    void theLeastBudgetOpens();
    void aPackedFileIsMadeUsedAndRemoved();
    void aCopyWithoutItsModelIsRemoved();

  private:
    void open() {
        app_->models()->open(model_);
        QTRY_VERIFY(app_->models()->state() != ModelController::Opening);
    }
    /// Waits for the forecast for this budget.
    void look(double wanted) {
        const double budget = std::floor(wanted);
        app_->settings()->memoryBudget = budget;
        QTRY_COMPARE(app_->forecast()->budget(), budget);
    }

    QTemporaryDir models_;
    QString model_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<App> app_;
};

void TestModelMemory::initTestCase() {
    model_ = QDir(models_.path()).filePath(QStringLiteral("model.gguf"));
    QVERIFY(test::saveTinyModel(withExperts(), model_.toStdString()));
}

void TestModelMemory::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    app_ = std::make_unique<App>(AppOptions{.dataFolder = folder_->path(),
                                            .factory = engine::openSession,
                                            .model = {},
                                            .inspect = engine::inspectModel,
                                            .packedFolder = folder_->filePath(QStringLiteral("packed")),
                                            .packedFiles = packedFileCalls()});
    open();
    QCOMPARE(app_->models()->state(), ModelController::Ready);
    app_->forecast()->setEnabled(true);
    QTRY_COMPARE(app_->forecast()->state(), MemoryForecast::Fits);
}

void TestModelMemory::theForecastHolds() {
    MemoryForecast& forecast = *app_->forecast();
    QCOMPARE(forecast.allExperts(), 64);
    QCOMPARE(forecast.tokenExperts(), 4 * 2);
    QCOMPARE(forecast.room(), 64);
    look(forecast.needed() - forecast.experts() / 2);
    QVERIFY(forecast.room() > 0 && forecast.room() < 64);
    const int foretold = forecast.room();
    app_->models()->reopen();
    QTRY_COMPARE(app_->models()->state(), ModelController::Ready);
    ExpertMonitor& measured = *app_->experts();
    measured.sample(0);
    // The memory of the process itself isn't the same to the byte. If the forecast had counted the open model, it would
    // be wrong by the model's whole size.
    QVERIFY2(qAbs(measured.room() - foretold) * kExpertBytes <= 12 * kMiB,
             qPrintable(QStringLiteral("%1 slots, foretold %2").arg(measured.room()).arg(foretold)));
}

void TestModelMemory::theLeastBudgetOpens() {
    MemoryForecast& forecast = *app_->forecast();
    look(forecast.least());
    QCOMPARE(forecast.state(), MemoryForecast::Fits);
    app_->models()->reopen();
    QTRY_COMPARE(app_->models()->state(), ModelController::Ready);
    look(forecast.least() * 0.4);
    QCOMPARE(forecast.state(), MemoryForecast::TooLittle);
    app_->models()->reopen(); // it is refused, and the model stays open with the former budget
    QTRY_VERIFY(app_->models()->error().valid());
    QCOMPARE(app_->models()->state(), ModelController::Ready);
}

/// Follows the packed file from the offer to its removal.
void TestModelMemory::aPackedFileIsMadeUsedAndRemoved() {
    PackedFileController& packed = *app_->packedFile();
    QCOMPARE(packed.state(), PackedFileController::NotUseful);
    look(app_->forecast()->needed() - app_->forecast()->experts() / 2);
    app_->models()->reopen();
    QTRY_COMPARE(packed.state(), PackedFileController::Offered);
    const double bytes = packed.bytes();
    QVERIFY2(bytes >= 64 * kExpertBytes && bytes < 1.2 * 64 * kExpertBytes + kMiB, qPrintable(QString::number(bytes)));
    QVERIFY(!QFile::exists(packed.path()));
    packed.pack();
    QTRY_COMPARE(packed.state(), PackedFileController::Present);
    QCOMPARE(static_cast<double>(QFileInfo(packed.path()).size()), bytes);
    QCOMPARE(packed.progress(), 1.0);
    app_->models()->reopen();
    QTRY_COMPARE(app_->models()->state(), ModelController::Ready);
    QTRY_COMPARE(packed.state(), PackedFileController::Present);
    QVERIFY(!packed.waiting());
    const QString path = packed.path();
    packed.remove();
    QTRY_COMPARE(packed.state(), PackedFileController::Offered);
    QVERIFY(!QFile::exists(path));
}

/// The open model keeps its packed file, and the packed file of a deleted model is removed.
void TestModelMemory::aCopyWithoutItsModelIsRemoved() {
    const QString other = folder_->filePath(QStringLiteral("other.gguf"));
    QVERIFY(QFile::copy(model_, other));
    engine::OpenOptions options = app_->models()->openOptions();
    const auto own = engine::packModel(options, {});
    options.path = other.toStdString();
    const auto left = engine::packModel(options, {});
    QVERIFY(own && left);
    QVERIFY(QFile::remove(other));
    PackedFileController& packed = *app_->packedFile();
    packed.setListing(true);
    QTRY_COMPARE(packed.unusedNames(), QStringList{QStringLiteral("other.gguf")});
    QCOMPARE(packed.unusedBytes(), static_cast<double>(left->bytes));
    packed.removeUnused();
    QTRY_VERIFY(packed.unusedNames().isEmpty());
    QVERIFY(QFile::exists(QString::fromStdString(own->path)) && !QFile::exists(QString::fromStdString(left->path)));
}

QTEST_MAIN(TestModelMemory)
#include "tst_model_memory.moc"
