// SPDX-License-Identifier: Apache-2.0
// The model in use over a scripted engine: what is shown is what is open, also if several are opened in a row.
#include "fakes/fake_session.h"
#include "models/model_controller.h"
#include "settings/settings.h"
#include "support/patience.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

bool isNamed(const engine::OpenOptions& options, const char* name) { return options.path.ends_with(name); }

/// The second model has more layers than the others.
FakeScript scriptOf(const engine::OpenOptions& options) {
    FakeScript script = fakeScript("fast").value();
    if (isNamed(options, "second")) ++script.layers;
    return script;
}

/// The third model can't be opened.
engine::Result<engine::ModelInfo> inspect(const engine::OpenOptions& options) {
    if (isNamed(options, "third"))
        return engine::Error{engine::ErrorKind::BadInput, "The model can't be opened", "It is damaged",
                             "Download it again"};
    return fakeInspector(scriptOf(options))(options);
}

} // namespace

class TestModelController : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aModelThatWasOvertakenIsNotTakenForTheOneBefore();

  private:
    /// Makes the file of a model and returns its path.
    QString file(const char* name) {
        const QString path = folder_.filePath(QLatin1String(name));
        QFile made(path);
        return made.open(QIODevice::WriteOnly) ? path : QString();
    }

    QTemporaryDir folder_;
};

void TestModelController::aModelThatWasOvertakenIsNotTakenForTheOneBefore() {
    EngineWorker worker([](const engine::OpenOptions& options) { return fakeFactory(scriptOf(options))(options); },
                        inspect);
    Settings settings{QString()};
    ModelController models(&worker, &settings);
    const auto layers = [&worker] {
        const auto telemetry = worker.telemetry();
        return telemetry ? telemetry->plan.totalExperts : 0;
    };
    models.open(file("first"));
    QTRY_COMPARE(models.state(), ModelController::Ready);
    const auto first = layers();
    // The engine has opened the second one, and the window does not know it yet when the third one is chosen.
    models.open(file("second"));
    for (const QDeadlineTimer patience(kPatienceMs); layers() <= first && !patience.hasExpired();)
        QThread::yieldCurrentThread();
    QVERIFY(layers() > first);
    models.open(file("third"));
    QTRY_COMPARE(models.state(), ModelController::Failed);
    QTRY_VERIFY(!worker.telemetry());
    QCOMPARE(models.error().why, QStringLiteral("It is damaged"));
}

QTEST_GUILESS_MAIN(TestModelController)
#include "tst_model_controller.moc"
