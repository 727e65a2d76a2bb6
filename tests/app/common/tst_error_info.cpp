// SPDX-License-Identifier: Apache-2.0
// The engine's errors in the user's language: sentences are translated, and numbers and sizes are written as that
// language writes them.
#include "base/files.h"
#include "common/error_info.h"
#include "engine_link/engine_worker.h"
#include "fakes/fake_session.h"

#include <QSignalSpy>
#include <QTranslator>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

/// Some of the engine's sentences in German; one of them has its arguments in another order.
class German : public QTranslator {
  public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        static const QHash<QByteArray, QString> kTexts{
            {"No model is open", QStringLiteral("Kein Modell ist offen")},
            {"It has %1 tokens, and the context holds %2", QStringLiteral("In den Kontext passen %2 von %1 Tokens")},
            {"It needs at least %1", QStringLiteral("Es braucht mindestens %1")},
            {"It failed: %1", QStringLiteral("Das ging nicht: %1")},
        };
        return QByteArray(context) == "Engine" ? kTexts.value(source) : QString();
    }
};

} // namespace

class TestErrorInfo : public QObject {
    Q_OBJECT

    German german_;

  private Q_SLOTS:
    void init() {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QVERIFY(QCoreApplication::installTranslator(&german_));
    }
    void cleanup() {
        QCoreApplication::removeTranslator(&german_);
        QLocale::setDefault(QLocale::c());
    }

    void patternsAndNumbersAreTranslated() {
        const ErrorInfo info(engine::Error{engine::ErrorKind::ContextFull,
                                           "No model is open",
                                           {"It has %1 tokens, and the context holds %2", 40960, 32768},
                                           {"It failed: %1", engine::Sentence("It needs at least %1", 2.5)}});
        QCOMPARE(info.what, QStringLiteral("Kein Modell ist offen"));
        QCOMPARE(info.why, QStringLiteral("In den Kontext passen 32.768 von 40.960 Tokens"));
        QCOMPARE(info.action, QStringLiteral("Das ging nicht: Es braucht mindestens 2,5"));
    }

    void sizesUseTheWindowsUnits() {
        constexpr uint64_t kGiB = 1 << 30;
        QCOMPARE(shownText({"It needs at least %1", engine::ByteCount{kGiB * 5 / 4}}),
                 QStringLiteral("Es braucht mindestens 1,3 GiB")); // rounded up: 1,2 would not be enough
        QCOMPARE(shownText({"It needs at least %1", engine::ByteCount{2 * kGiB}}),
                 QStringLiteral("Es braucht mindestens 2,0 GiB"));
    }

    void untranslatedPatternsStayEnglish() {
        QCOMPARE(shownText({"Nobody translates %1 of %2", "a%2", 3}), QStringLiteral("Nobody translates a%2 of 3"));
        QVERIFY(!ErrorInfo(engine::Error{}).valid());
    }

    /// A file's name can't turn the sentence around it (tests/app/common/tst_isolated_name.cpp looks at the letters).
    void foreignNamesAreIsolated() {
        QCOMPARE(shownText({"Can't open %1 now", "a\u202Efdp.exe"}),
                 QStringLiteral("Can't open \u2068a\u202Efdp.exe\u2069 now"));
        QCOMPARE(shownText({"It failed: %1", engine::Sentence("No %1", "b\u2067")}),
                 QStringLiteral("Das ging nicht: No \u2068b\u2067\u2069\u2069"));
    }

    /// A sentence that is missing from the catalogue could never be translated.
    void translatorsHaveTheSentences() {
        QFile catalogue(QStringLiteral(CATALOGUE));
        QVERIFY(catalogue.open(QIODevice::ReadOnly));
        const std::string sources = catalogue.readAll().toStdString();
        const auto missing = engine::systemFiles().openForReading("/nowhere/a file");
        QVERIFY(!missing);
        for (const engine::Sentence* part : {&missing.error().what, &missing.error().why, &missing.error().action})
            QVERIFY2(sources.find("<source>" + std::string(part->pattern()) + "</source>") != std::string::npos,
                     part->english().c_str());
    }

    /// The worker's own error once stayed English beside a translated error of the window.
    void workersErrorIsTranslated() {
        EngineWorker worker(test::fakeFactory(test::FakeScript()));
        QSignalSpy finished(&worker, &EngineWorker::finished);
        GenerateRequest request;
        request.id = 1;
        worker.generate(request);
        QTRY_COMPARE(finished.size(), 1);
        const auto outcome = finished.at(0).at(0).value<GenerationOutcome>();
        QVERIFY(outcome.error);
        QCOMPARE(ErrorInfo(*outcome.error).what, QStringLiteral("Kein Modell ist offen"));
    }
};

QTEST_GUILESS_MAIN(TestErrorInfo)
#include "tst_error_info.moc"
