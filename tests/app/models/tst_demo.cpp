// SPDX-License-Identifier: Apache-2.0
// The bundled demo model in the life of the program, without a window: when it opens, that it is never remembered, and
// how a damaged one fails. It runs over the real engine, with a made model in place of the bundled one; tst_guide.cpp
// tests the bundled one's answers.
#include "models/guide_model.h"
#include "shell/app.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <mutex>

using namespace coterie;
using namespace coterie::app;

#define OPENS(models) QTRY_VERIFY2((models).state() == ModelController::Ready, qPrintable((models).error().why))

class TestDemo : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { app_.reset(); }
    void opensWhereNoOtherIs();
    void isNotThere();
    void theLastModelWins();
    void theCommandLineWins();
    void aLastModelThatIsGoneIsTold();
    void closingReturnsToIt();
    void cancellingReturnsToIt();
    void aDamagedOneFailsOnce();
    void byItsPathItIsTheSame();
    void opensAsItWasTrained();
    void liesBesideTheProgram();

  private:
    /// Ends the program and starts it again with the same folder.
    void start(const QString& model = {}) {
        app_.reset();
        const engine::SessionFactory factory = [this](const engine::OpenOptions& options) {
            {
                const std::lock_guard lock(mutex_);
                asked_ = options;
            }
            return engine::openSession(options);
        };
        app_ = std::make_unique<App>(
            AppOptions{.dataFolder = file("data"), .factory = factory, .model = model, .guide = file("guide.gguf")});
        app_->start();
    }
    ModelController& models() { return *app_->models(); }
    QString file(const char* name) const { return QDir(folder_->path()).filePath(QString::fromLatin1(name)); }
    engine::OpenOptions asked() {
        const std::lock_guard lock(mutex_);
        return asked_;
    }
    void damageGuide() {
        QFile guide(file("guide.gguf"));
        QVERIFY(guide.resize(guide.size() / 2));
    }
    void isTheGuide() {
        OPENS(models());
        QVERIFY(models().demo());
        QVERIFY(!models().demoOffered());
        QCOMPARE(models().path(), QDir::toNativeSeparators(file("guide.gguf")));
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<App> app_;
    std::mutex mutex_;
    engine::OpenOptions asked_;
};

void TestDemo::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(test::saveTinyModel({.architecture = "smallthinker"}, file("guide.gguf").toStdString()));
    QVERIFY(test::saveTinyModel({.context = 1024}, file("other.gguf").toStdString()));
}

void TestDemo::opensWhereNoOtherIs() {
    start();
    QCOMPARE(models().state(), ModelController::Opening);
    QVERIFY(models().demo()); // true from the start, so that the window shows no other page first
    isTheGuide();
    QVERIFY(models().recent().isEmpty());
    QVERIFY(app_->settings()->lastModel().isEmpty());
    app_->settings()->maxTokens = 4;
    QVERIFY(app_->conversation()->send(QStringLiteral("Hello")));
    QTRY_VERIFY(!app_->conversation()->busy());
    QVERIFY(!app_->conversation()->error().valid());
    start();
    isTheGuide();
}

void TestDemo::isNotThere() {
    QVERIFY(QFile::remove(file("guide.gguf")));
    start();
    QCOMPARE(models().state(), ModelController::None);
    QVERIFY(!models().demo() && !models().demoOffered());
    models().openDemo();
    QCOMPARE(models().state(), ModelController::None);
    models().open(file("other.gguf"));
    OPENS(models());
    models().close();
    QCOMPARE(models().state(), ModelController::None);
}

void TestDemo::theLastModelWins() {
    start();
    models().open(file("other.gguf"));
    OPENS(models());
    QVERIFY(!models().demo() && models().demoOffered());
    QCOMPARE(models().recent().size(), 1);
    start();
    OPENS(models());
    QVERIFY(!models().demo());
    QCOMPARE(models().path(), QDir::toNativeSeparators(file("other.gguf")));
    models().openDemo(); // from now on it is the model that opens, because the user chose it
    isTheGuide();
    QCOMPARE(models().recent().size(), 1);
    start();
    isTheGuide();
    models().open(file("other.gguf"));
    OPENS(models());
    models().open(file("guide.gguf")); // the same choice, by its file
    isTheGuide();
    start();
    isTheGuide();
}

void TestDemo::theCommandLineWins() {
    start(file("other.gguf"));
    OPENS(models());
    QVERIFY(!models().demo());
    QCOMPARE(models().path(), QDir::toNativeSeparators(file("other.gguf")));
    start(file("nowhere.gguf"));
    QCOMPARE(models().state(), ModelController::Missing);
}

void TestDemo::aLastModelThatIsGoneIsTold() {
    start(file("other.gguf"));
    OPENS(models());
    QVERIFY(QFile::remove(file("other.gguf")));
    start();
    QCOMPARE(models().state(), ModelController::Missing);
    QVERIFY(!models().demo() && models().demoOffered());
    models().openDemo();
    isTheGuide();
    QVERIFY(!models().error().valid());
    start();
    isTheGuide();
}

void TestDemo::closingReturnsToIt() {
    start(file("other.gguf"));
    OPENS(models());
    models().close();
    QVERIFY(models().demo());
    isTheGuide();
    QVERIFY(app_->settings()->lastModel().isEmpty());
    QCOMPARE(models().recent().size(), 1);
    models().close();
    QCOMPARE(models().state(), ModelController::None);
    QVERIFY(!models().demo() && models().demoOffered());
}

void TestDemo::cancellingReturnsToIt() {
    start(file("other.gguf"));
    OPENS(models());
    models().open(file("other.gguf"));
    models().cancelOpening();
    isTheGuide();
    QCOMPARE(app_->settings()->lastModel(), QDir::toNativeSeparators(file("other.gguf")));
}

void TestDemo::aDamagedOneFailsOnce() {
    damageGuide();
    start();
    QTRY_COMPARE(models().state(), ModelController::Failed);
    QVERIFY(models().demo() && models().demoOffered());
    QVERIFY2(models().error().what.contains(QStringLiteral("demo model")), qPrintable(models().error().what));
    QVERIFY(!models().error().why.isEmpty());
    QVERIFY2(models().error().action.contains(QStringLiteral("Install Coterie")), qPrintable(models().error().action));
    models().open(file("other.gguf"));
    OPENS(models());
    models().close(); // does not return to the demo model, which is known to fail
    QCOMPARE(models().state(), ModelController::None);
    models().openDemo(); // tries again, because the user asks for it
    QTRY_COMPARE(models().state(), ModelController::Failed);
    QVERIFY(test::saveTinyModel({.architecture = "smallthinker"}, file("guide.gguf").toStdString()));
    models().openDemo();
    isTheGuide();
    models().open(file("other.gguf"));
    OPENS(models());
    models().close();
    isTheGuide();
}

void TestDemo::byItsPathItIsTheSame() {
    start(file("other.gguf"));
    OPENS(models());
    models().open(QUrl::fromLocalFile(file("guide.gguf")).toString());
    isTheGuide();
    QCOMPARE(models().recent().size(), 1);
}

void TestDemo::opensAsItWasTrained() {
    start(file("other.gguf"));
    OPENS(models());
    app_->settings()->contextTokens = 777;
    app_->settings()->keyValueFormat = QStringLiteral("q8_0");
    app_->settings()->threads = 1;
    models().openDemo();
    isTheGuide();
    QCOMPARE(asked().context, 0);
    QVERIFY(asked().keyValueFormat == engine::TensorType::F16);
    QCOMPARE(asked().threads, 1);
    models().open(file("other.gguf"));
    OPENS(models());
    QCOMPARE(asked().context, 777);
}

void TestDemo::liesBesideTheProgram() {
    const QDir programs(file("installed/bin"));
    QVERIFY(programs.mkpath(QStringLiteral(".")));
    QCOMPARE(guideBeside(programs.path()), QString());
    const QString place = QDir::cleanPath(programs.filePath(QStringLiteral(GUIDE_PLACE)));
    QVERIFY(QDir().mkpath(QFileInfo(place).path()));
    QVERIFY(QFile::copy(file("guide.gguf"), place));
    QCOMPARE(guideBeside(programs.path()), place);
}

QTEST_MAIN(TestDemo)
#include "tst_demo.moc"
