// SPDX-License-Identifier: Apache-2.0
// Tests the record of a derived head predictor: one session measures it, the next uses it, and it is never trusted if
// the file or its folder is not as it should be.
#include "session/head_record.h"
#include "session/opened_model.h"
#include "support/faulty_files.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

TinyModelOptions largeHead(uint64_t seed = 1) {
    TinyModelOptions options{.type = TensorType::Q8_0, .layers = 1, .context = 1024, .seed = seed};
    options.width = 512; // a sketch's group of columns
    options.vocabulary = int64_t{1} << 13;
    return options;
}

HeadAgreement measured() {
    return {.calibration = HeadAgreement::kCalibrationStates,
            .margin = 3,
            .validation = HeadAgreement::kValidationStates,
            .agreeing = HeadAgreement::kValidationStates,
            .rowShares = 40,
            .worthBelow = 0.5};
}

bool same(const HeadAgreement& a, const HeadAgreement& b) {
    return a.calibration == b.calibration && a.margin == b.margin && a.validation == b.validation &&
           a.agreeing == b.agreeing && a.rowShares == b.rowShares && a.worthBelow == b.worthBelow;
}

} // namespace

class TestHeadRecord : public QObject {
    Q_OBJECT

    ModelFolder folder_;
    std::string large_, other_;

    /// A folder of its own for one test.
    std::string made(const char* name) const {
        QDir(folder_.folder()).mkpath(name);
        return folder_.folder().toStdString() + "/" + name;
    }
    static QStringList filesIn(const std::string& folder) {
        const QStringList files = QDir(QString::fromStdString(folder)).entryList(QDir::Files | QDir::Hidden);
        return files.filter(QRegularExpression("^(?!heat-)")); // those of a session's other record are not looked at
    }
    std::unique_ptr<ModelFile> model(const std::string& path) const {
        auto file = ModelFile::open(systemFiles(), path);
        if (!file) qFatal("%s", file.error().line().c_str());
        return std::move(file).value();
    }
    OpenOptions options(const std::string& recordsFolder) const {
        OpenOptions options;
        options.path = large_;
        options.threads = 2;
        options.recordsFolder = recordsFolder;
        return options;
    }
    /// Share of the head's rows that an answer used, and its text.
    static std::pair<std::string, double> answer(Session& session, const GenerateOptions& asked, uint64_t seed = 1) {
        const std::vector<TokenId> prompt = randomTokens(600, session.info().vocabulary, seed);
        const Result<Generated> result = session.completeTokens(prompt, asked, {});
        if (!result) qFatal("%s", result.error().line().c_str());
        return {result->text(), static_cast<double>(result->statistics.counts.headRows) /
                                    static_cast<double>(result->statistics.counts.headRowsPossible)};
    }

  private Q_SLOTS:
    void initTestCase() {
        large_ = folder_.save(largeHead());
        other_ = folder_.save(largeHead(2), "other.gguf");
        QVERIFY(!large_.empty() && !other_.empty());
    }

    void oneSessionMeasuresTheNextOneUses() {
        const std::string folder = made("kept");
        {
            const auto session = openSession(options(folder));
            QVERIFY(session.ok());
            QCOMPARE(int(session.value()->info().headPredictor.kind), int(HeadPredictor::Kind::Derived));
            QCOMPARE(session.value()->info().headPredictor.measured.calibration, 0);
            QCOMPARE(answer(*session.value(), greedy(4)).second, 1.0);
            QCOMPARE(filesIn(folder).size(), 1); // the measurements so far
            for (uint64_t seed = 2; seed < 6; ++seed) answer(*session.value(), greedy(4), seed);
        }
        const Result<ModelInfo> info = inspectModel(options(folder));
        QVERIFY(info.ok());
        QVERIFY(info->headPredictor.measured.settled() && info->headPredictor.measured.good());
        QCOMPARE(filesIn(folder).size(), 1);

        const auto session = openSession(options(folder));
        QVERIFY(session.ok());
        GenerateOptions full = greedy(20);
        full.head = HeadRows::All;
        const auto [predictedText, predictedRows] = answer(*session.value(), greedy(20), 9);
        const auto [fullText, fullRows] = answer(*session.value(), full, 9);
        QCOMPARE(predictedText, fullText);
        QCOMPARE(fullRows, 1.0);
        QVERIFY2(predictedRows < 0.5, qPrintable(QString::number(predictedRows)));
        GenerateOptions drawn = greedy(20);
        drawn.sampling = {.temperature = 1, .topK = 10, .seed = 3};
        const auto [drawnText, drawnRows] = answer(*session.value(), drawn, 9);
        QVERIFY(drawnRows < 0.6);
        drawn.head = HeadRows::All;
        QCOMPARE(answer(*session.value(), drawn, 9).first, drawnText);
        drawn.head = HeadRows::Predicted;
        drawn.sampling.presencePenalty = -1; // tokens that rise may come from any row
        QCOMPARE(answer(*session.value(), drawn, 9).second, 1.0);
        drawn.sampling.presencePenalty = 0;
        drawn.sampling.topK = 0; // every probability counts
        QCOMPARE(answer(*session.value(), drawn, 9).second, 1.0);
    }

    void aRecordIsReadAsItWasWritten() {
        const std::string folder = made("record");
        const auto file = model(large_);
        HeadRecord(systemFiles(), folder, *file).keep(measured());
        QVERIFY(same(HeadRecord(systemFiles(), folder, *file).known(), measured()));
        QVERIFY(same(HeadRecord(systemFiles(), folder, *model(other_)).known(), {})); // the other model has no record
        QVERIFY(same(HeadRecord(systemFiles(), "", *file).known(), {}));
        const Result<ModelInfo> info = inspectModel(options(folder));
        QVERIFY(info.ok() && same(info->headPredictor.measured, measured()));
    }

    /// A graphics card measures nothing: an answer that it computes takes nothing away from what the processor
    /// measured.
    void whoMeasuresNothingForgetsNothing() {
        const std::string folder = made("other device");
        const auto file = model(large_);
        HeadRecord record(systemFiles(), folder, *file);
        record.keep(measured());
        record.keep({});
        QVERIFY(same(record.known(), measured()));
        QVERIFY(same(HeadRecord(systemFiles(), folder, *file).known(), measured()));
    }

    void aUselessPredictorGetsNoMemory() {
        const std::string folder = made("useless");
        HeadAgreement misses = measured();
        misses.agreeing -= 3;
        HeadRecord(systemFiles(), folder, *model(large_)).keep(misses);
        const Result<ModelInfo> info = inspectModel(options(folder));
        QVERIFY(info.ok());
        QCOMPARE(int(info->headPredictor.kind), int(HeadPredictor::Kind::Derived));
        QVERIFY(!info->headPredictor.measured.good());
        QCOMPARE(info->memory.headSketch, uint64_t(0));
        const auto session = openSession(options(folder));
        QVERIFY(session.ok());
        QCOMPARE(answer(*session.value(), greedy(4)).second, 1.0);
        QVERIFY(same(HeadRecord(systemFiles(), folder, *model(large_)).known(), misses)); // and is not forgotten
    }

    void damageMeansNothingIsKnown() {
        const std::string folder = made("damaged");
        const auto file = model(large_);
        HeadRecord(systemFiles(), folder, *file).keep(measured());
        const QString path = QString::fromStdString(folder) + "/" + filesIn(folder).front();
        QFile stored(path);
        QVERIFY(stored.open(QIODevice::ReadOnly));
        const QByteArray whole = stored.readAll();
        stored.close();
        const auto knownOf = [&](const QByteArray& bytes) {
            QFile changed(path);
            if (!changed.open(QIODevice::WriteOnly) || changed.write(bytes) != bytes.size()) qFatal("can't write");
            changed.close();
            return HeadRecord(systemFiles(), folder, *file).known();
        };
        QVERIFY(same(knownOf(whole), measured()));
        for (qsizetype length = 0; length < whole.size(); ++length) QVERIFY(same(knownOf(whole.first(length)), {}));
        QVERIFY(same(knownOf(whole + '\0'), {}));
        for (qsizetype i = 0; i < whole.size() * 8; ++i) {
            QByteArray flipped = whole;
            flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << i % 8));
            QVERIFY2(same(knownOf(flipped), {}), qPrintable(QString::number(i)));
        }
        HeadRecord again(systemFiles(), folder, *file);
        again.keep(measured());
        QVERIFY(same(HeadRecord(systemFiles(), folder, *file).known(), measured()));
    }

    void figuresThatCanNotBeAreRefused() {
        const std::string folder = made("impossible");
        const auto file = model(large_);
        const auto refused = [&](const HeadAgreement& impossible) {
            HeadRecord(systemFiles(), folder, *file).keep(impossible);
            const bool gone = same(HeadRecord(systemFiles(), folder, *file).known(), {});
            for (const QString& name : filesIn(folder)) QFile::remove(QString::fromStdString(folder) + "/" + name);
            return gone;
        };
        HeadAgreement a = measured(), b = a, c = a, d = a, e = a;
        a.agreeing = a.validation + 1;
        b.margin = -1;
        c.margin = std::numeric_limits<float>::quiet_NaN();
        d.rowShares = static_cast<double>(d.validation) + 1;
        e.calibration = HeadAgreement::kCalibrationStates + 1;
        for (const HeadAgreement& impossible : {a, b, c, d, e}) QVERIFY(refused(impossible));
        QVERIFY(!refused(measured()));
    }

    void aFolderThatTakesNothingIsNoError() {
        const auto missing = openSession(options(folder_.folder().toStdString() + "/none/there"));
        QVERIFY(missing.ok());
        answer(*missing.value(), greedy(4));
        const std::string folder = made("refusing");
        for (int64_t n = 1;; ++n) { // each call of writing fails once
            FaultyFiles files;
            const auto file = model(large_);
            HeadRecord record(files, folder, *file);
            files.failCall(n);
            record.keep(measured());
            if (!files.fired()) break;
            QVERIFY(same(record.known(), {}));
            QVERIFY(filesIn(folder).empty());
        }
        QCOMPARE(filesIn(folder).size(), 1);
    }
};

QTEST_APPLESS_MAIN(TestHeadRecord)
#include "tst_head_record.moc"
