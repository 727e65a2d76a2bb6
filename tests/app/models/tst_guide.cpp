// SPDX-License-Identifier: Apache-2.0
// The answers of the bundled demo model, through the program and the real engine, to the questions that the window
// offers and to those that people ask first. tst_demo.cpp tests how the program handles this model.
#include "shell/app.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

using namespace coterie;
using namespace coterie::app;

class TestGuide : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { app_.reset(); }
    void answers_data();
    void answers();

  private:
    QTemporaryDir folder_;
    std::unique_ptr<App> app_;
};

void TestGuide::initTestCase() {
    const QString guide = QStringLiteral(GUIDE);
    if (guide.isEmpty() || !QFile::exists(guide)) QSKIP("this build has no demo model");
    app_ = std::make_unique<App>(
        AppOptions{.dataFolder = folder_.path(), .factory = engine::openSession, .model = {}, .guide = guide});
    app_->settings()->temperature = 0;
    app_->start();
    QTRY_VERIFY(app_->models()->state() != ModelController::Opening);
    QVERIFY2(app_->models()->state() == ModelController::Ready, qPrintable(app_->models()->error().why));
    QVERIFY(app_->models()->demo());
    if (app_->models()->ownName() != QStringLiteral("Coterie Guide"))
        QSKIP("the demo model of this build is another one, which can't know the answers");
}

void TestGuide::answers_data() {
    QTest::addColumn<QString>("question");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* question, const QStringList& words) {
        QTest::newRow(question) << QString::fromLatin1(question) << words;
    };
    row("What is an expert cache?", {QStringLiteral("expert"), QStringLiteral("memory")});
    row("What is 7 times 8?", {QStringLiteral("56")});
    row("What is the capital of France?", {QStringLiteral("Paris")});
    row("Who are you?", {QStringLiteral("demo")});
    row("How do I open a model?", {QStringLiteral("gguf")});
    row("Tell me a short story about a fox.", {QStringLiteral("fox")});
}

void TestGuide::answers() {
    QFETCH(QString, question);
    QFETCH(QStringList, words);
    Conversation& chat = *app_->conversation();
    chat.newChat();
    QVERIFY(chat.send(question));
    QTRY_COMPARE(chat.messages()->count(), 2);
    QTRY_VERIFY(!chat.busy());
    const MessageModel* messages = chat.messages();
    const auto last = [&](int role) { return messages->data(messages->index(messages->count() - 1), role).toString(); };
    const QString answer = last(MessageModel::TextRole);
    // The answer ends by itself: an endless one would fill the context and be stopped.
    QVERIFY2(last(MessageModel::StateRole) == QStringLiteral("complete"), qPrintable(answer));
    QVERIFY2(!answer.contains(QStringLiteral("<think>")), qPrintable(answer)); // it thinks only if it is asked to
    for (const QString& word : words) QVERIFY2(answer.contains(word, Qt::CaseInsensitive), qPrintable(answer));
}

QTEST_MAIN(TestGuide)
#include "tst_guide.moc"
