// SPDX-License-Identifier: Apache-2.0
// End to end: the real window, application and engine over a model file. A prompt that is typed gets an answer, both
// are saved, and both are there after a restart. With stories260k, a model that others trained, the story must be the
// known one. The window says what the chat template of a file can't do.
#include "accessible_tree.h"
#include "gated_session.h"
#include "session/session.h"
#include "support/reference.h"
#include "support/tiny_model.h"
#include "window_fixture.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace coterie;
using namespace coterie::tests;
using app::ChatListModel;
using app::MessageModel;
using app::ModelController;

namespace {

const QString kPrompt = QStringLiteral("Once upon a time");

/// Makes a model of our own; without a chat template it continues any text with nonsense.
QString madeModel(const QString& folder, const std::string& chatTemplate = "") {
    const QString path = QDir(folder).filePath(QStringLiteral("tiny model.gguf"));
    const test::TinyModelOptions options{.context = 4096, .chatTemplate = chatTemplate};
    return test::saveTinyModel(options, path.toStdString()) ? path : QString();
}

QString storyModel() {
    const QString folder = test::referenceFolder();
    const QString path = QDir(folder).filePath(QStringLiteral("models/stories260k.gguf"));
    return !folder.isEmpty() && QFile::exists(path) ? path : QString();
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle(QStringLiteral("Basic")); }
    void talkStopRestart_data();
    void talkStopRestart();
    void theWindowSaysWhatATemplateCannotDo_data();
    void theWindowSaysWhatATemplateCannotDo();

  private:
    void open(WindowFixture& fixture, const QString& model);
    void sendPrompt(WindowFixture& fixture);
    void hearWhole(WindowFixture& fixture);
    void stopMidway(WindowFixture& fixture);
    void findBoth(WindowFixture& fixture);
    void findBothInDatabase(const QString& folder);
    static QString role(const WindowFixture& fixture, int row, int role) {
        const MessageModel* messages = fixture.app()->conversation()->messages();
        return messages->data(messages->index(row), role).toString();
    }

    std::shared_ptr<Gate> gate_;
    QString whole_, part_; ///< the answers as they were shown
};

void MainWindowTest::talkStopRestart_data() {
    QTest::addColumn<bool>("story");
    QTest::newRow("a model made here") << false;
    QTest::newRow("stories260k") << true;
}

void MainWindowTest::open(WindowFixture& fixture, const QString& model) {
    QVERIFY(fixture.start(model));
    QVERIFY(QTest::qWaitForWindowActive(fixture.window(), kPatienceMs));
    QTRY_VERIFY(fixture.app()->models()->state() != ModelController::Opening);
    QVERIFY2(fixture.app()->models()->state() == ModelController::Ready,
             qPrintable(fixture.app()->models()->error().what + QStringLiteral("; ") +
                        fixture.app()->models()->error().why));
    fixture.app()->settings()->temperature = 0;
}

void MainWindowTest::sendPrompt(WindowFixture& fixture) {
    const int before = fixture.app()->conversation()->messages()->count();
    QTest::keyClick(fixture.window(), Qt::Key_L, Qt::ControlModifier);
    for (const QChar c : kPrompt) QTest::keyClick(fixture.window(), c.toLatin1());
    QTest::keyClick(fixture.window(), Qt::Key_Return);
    // The story model's context is short: the engine counts the prompt's tokens before the message is accepted.
    QTRY_COMPARE(fixture.app()->conversation()->messages()->count(), before + 2);
    QCOMPARE(role(fixture, before, MessageModel::TextRole), kPrompt);
}

/// Follows one answer to its end: it grows in the view while it is written.
void MainWindowTest::hearWhole(WindowFixture& fixture) {
    fixture.app()->settings()->maxTokens = 60;
    sendPrompt(fixture);
    QString before;
    for (int steps = 0; steps < 3; ++steps) {
        gate_->allow(10);
        QTRY_VERIFY(role(fixture, 1, MessageModel::TextRole).size() > before.size());
        QCOMPARE(role(fixture, 1, MessageModel::StateRole), QStringLiteral("streaming"));
        const QString now = role(fixture, 1, MessageModel::TextRole);
        QVERIFY(now.startsWith(before));
        before = now;
    }
    gate_->allow(60);
    QTRY_VERIFY(!fixture.app()->conversation()->busy());
    QCOMPARE(role(fixture, 1, MessageModel::StateRole), QStringLiteral("complete"));
    whole_ = role(fixture, 1, MessageModel::TextRole);
    QVERIFY(whole_.startsWith(before));
    const auto shows = [&] {
        for (QAccessibleInterface* node : accessibleNodes(fixture.window())) {
            if (node->role() == QAccessible::StaticText &&
                node->text(QAccessible::Name).simplified() == whole_.simplified()) // paragraphs are apart
                return true;
        }
        return false;
    };
    QTRY_VERIFY2(shows(), qPrintable(whole_));
}

void MainWindowTest::stopMidway(WindowFixture& fixture) {
    QTest::keyClick(fixture.window(), Qt::Key_N, Qt::ControlModifier);
    fixture.app()->settings()->maxTokens = 0;
    sendPrompt(fixture);
    gate_->allow(20);
    QTRY_VERIFY(!role(fixture, 1, MessageModel::TextRole).isEmpty());
    QVERIFY(fixture.app()->conversation()->busy());
    QTest::keyClick(fixture.window(), Qt::Key_Escape);
    QTRY_VERIFY(!fixture.app()->conversation()->busy());
    QCOMPARE(role(fixture, 1, MessageModel::StateRole), QStringLiteral("stopped"));
    part_ = role(fixture, 1, MessageModel::TextRole);
    QVERIFY(!part_.isEmpty());
}

void MainWindowTest::findBoth(WindowFixture& fixture) {
    app::ChatListModel* chats = fixture.app()->chats();
    QCOMPARE(chats->count(), 2);
    const QStringList expected{part_, whole_};
    for (int row = 0; row < 2; ++row) {
        fixture.app()->conversation()->openChat(chats->data(chats->index(row), ChatListModel::ChatIdRole).toLongLong());
        QCOMPARE(fixture.app()->conversation()->messages()->count(), 2);
        QCOMPARE(role(fixture, 0, MessageModel::TextRole), kPrompt);
        QCOMPARE(role(fixture, 1, MessageModel::TextRole), expected[row]);
    }
}

void MainWindowTest::findBothInDatabase(const QString& folder) {
    auto store = app::ChatStore::open({.folder = folder, .migrations = {}});
    QVERIFY(store.ok());
    const auto chats = store.value()->chats();
    QVERIFY(chats.ok());
    QCOMPARE(chats.value().size(), size_t(2));
    const QStringList expected{part_, whole_};
    for (size_t i = 0; i < 2; ++i) {
        const auto messages = store.value()->messages(chats.value()[i].id);
        QVERIFY(messages.ok());
        QCOMPARE(messages.value().size(), size_t(2));
        QCOMPARE(messages.value()[0].text(), kPrompt);
        QCOMPARE(messages.value()[1].text(), expected[static_cast<qsizetype>(i)]);
        QCOMPARE(messages.value()[1].state, i == 0 ? app::MessageState::Stopped : app::MessageState::Complete);
    }
}

void MainWindowTest::talkStopRestart() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("qrc:/|QML|QQml")));
    QFETCH(bool, story);
    gate_ = std::make_shared<Gate>();
    WindowFixture fixture(gatedFactory(gate_));
    const QString model = story ? storyModel() : madeModel(fixture.dataFolder());
    if (story && model.isEmpty()) QSKIP("the reference models are not beside this checkout");
    QVERIFY(!model.isEmpty());
    open(fixture, model);
    hearWhole(fixture);
    if (QTest::currentTestFailed()) return;
    if (story) QVERIFY2(whole_.startsWith(QStringLiteral(", there was a little girl named Lily")), qPrintable(whole_));
    stopMidway(fixture);
    if (QTest::currentTestFailed()) return;
    fixture.stop();
    open(fixture, {}); // the last model opens by itself
    findBoth(fixture);
    if (QTest::currentTestFailed()) return;
    fixture.stop();
    findBothInDatabase(fixture.dataFolder());
}

void MainWindowTest::theWindowSaysWhatATemplateCannotDo_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("a template made here") << QByteArray("{% for m in messages %}{% if m.role == 'system' %}"
                                                        "{{ raise_exception('no system message') }}{% endif %}"
                                                        "<{{ m.role }}>{{ m.content }}{% endfor %}");
    QFile published(test::referenceFolder() + QStringLiteral("/templates/google-gemma-2-2b-it.jinja"));
    if (published.open(QIODevice::ReadOnly)) QTest::newRow("the template of Gemma 2") << published.readAll();
}

void MainWindowTest::theWindowSaysWhatATemplateCannotDo() {
    QFETCH(QByteArray, source);
    gate_ = std::make_shared<Gate>();
    WindowFixture fixture(gatedFactory(gate_));
    open(fixture, madeModel(fixture.dataFolder(), source.toStdString()));
    if (QTest::currentTestFailed()) return;
    for (const char* missing : {"The chat template has no place for a system message, so it joins the first question",
                                "The chat template has no place for tools, so the model can't know them"}) {
        const auto isShown = [&](QAccessibleInterface* node) {
            return node->role() == QAccessible::StaticText && !node->state().invisible &&
                   node->text(QAccessible::Name).contains(QLatin1String(missing));
        };
        QTRY_VERIFY2(std::ranges::any_of(accessibleNodes(fixture.window()), isShown), missing);
    }
}

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    MainWindowTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_main_window.moc"
