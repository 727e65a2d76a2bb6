// SPDX-License-Identifier: Apache-2.0
// The base of the window's tests. It starts the window over the scripted engine, uses it by keys and pointer, and reads
// it as screen readers do. A QML warning fails the test.
#pragma once

#include "accessible_tree.h"
#include "fakes/fake_packed_files.h"
#include "fakes/fake_session.h"
#include "support/prompt_waits.h"
#include "window_fixture.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <functional>
#include <utility>

namespace coterie::tests {

/// A test class derives from this. A class with a cleanup() of its own calls this one's.
class WindowDriver : public QObject {
    Q_OBJECT
  protected Q_SLOTS:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("qrc:/|QML|QQml")));
        control_ = std::make_shared<test::FakeControl>();
        packedFile_ = std::make_shared<test::FakePackedFile>();
        devices_ = {};
    }
    void cleanup() { fixture_.reset(); }

  protected:
    /// Starts the program with an empty folder. If a model or the guide is given, it has been opened or has failed when
    /// this returns.
    void start(const char* script = "story", bool withModel = true, bool withGuide = false) {
        startWith(*test::fakeScript(script), withModel, withGuide);
    }
    /// The same with a script of the test's own.
    void startWith(const test::FakeScript& scripted, bool withModel = true, bool withGuide = false) {
        fixture_ = std::make_unique<WindowFixture>(test::fakeFactory(scripted, control_));
        fixture_->setEngine(test::fakeInspector(scripted), test::fakePackedFiles(packedFile_, {}));
        fixture_->setDevices(devices_);
        model_ = QDir(fixture_->dataFolder()).filePath(QStringLiteral("model.gguf"));
        QFile file(model_);
        QVERIFY(file.open(QIODevice::WriteOnly));
        if (withGuide) {
            const QString guide = QDir(fixture_->dataFolder()).filePath(QStringLiteral("guide.gguf"));
            QVERIFY(QFile::copy(model_, guide));
            fixture_->setGuide(guide);
        }
        QVERIFY(fixture_->start(withModel ? model_ : QString()));
        QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
        if (withModel || withGuide) QTRY_VERIFY(app()->models()->state() != app::ModelController::Opening);
    }

    void type(const QString& text) {
        for (const QChar c : text) QTest::keyClick(window(), c.toLatin1());
    }
    /// Drops it on the middle of the window. Returns whether it was accepted.
    bool dropFile(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint at(window()->width() / 2, window()->height() / 2);
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window(), &enter);
        if (!enter.isAccepted()) return false;
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window(), &drop);
        return drop.isAccepted();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(window(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(const QString& name, QAccessible::Role role = QAccessible::NoRole) {
        clickFound([&] { return namedItem(window(), name, role); }, qPrintable(name));
    }
    /// Clicks what is found once it keeps its place.
    void clickFound(const std::function<const QQuickItem*()>& find, const char* name) {
        QPoint place;
        QTRY_VERIFY2(keepsPlace(find, place), name);
        QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, place);
    }
    /// Whether the middle of what is found is still at `place` in the window's next picture; writes it there. Lines of
    /// a menu, for example, move until all are laid out.
    bool keepsPlace(const std::function<const QQuickItem*()>& find, QPoint& place) {
        if (!drawn()) return false;
        const QQuickItem* target = find();
        const QPoint now = target ? middleOf(target) : QPoint();
        return std::exchange(place, now) == now && target;
    }
    /// Waits for the window's next picture: what the keys and clicks before it changed has its place then.
    bool drawn() {
        QSignalSpy swapped(window(), &QQuickWindow::frameSwapped);
        window()->update();
        return swapped.wait(kPatienceMs);
    }
    static QPoint middleOf(const QQuickItem* target) {
        return target->mapToScene(QRectF(0, 0, target->width(), target->height()).center()).toPoint();
    }
    /// Moves the focus to the control as the Tab key does.
    void focusOn(const QString& name) {
        QQuickItem* target = nullptr;
        QTRY_VERIFY2((target = item(name)), qPrintable(name));
        target->forceActiveFocus(Qt::TabFocusReason);
    }
    /// Presses a button with a key, not with the pointer.
    void use(const char* name) {
        focusOn(QString::fromLatin1(name));
        press(Qt::Key_Return);
    }
    /// Lets the fake write one whole answer of this script, of which this many steps were allowed already. The next
    /// answer waits for its own steps.
    void allowAnswer(const test::FakeScript& script, int64_t allowed = 0) {
        control_->allow(script.promptTokens + static_cast<int64_t>(script.pieces.size()) - allowed);
    }
    /// Sends a prompt and waits for the whole answer.
    void talk(const QString& prompt) {
        const int before = app()->conversation()->messages()->count();
        control_->allowAll();
        press(Qt::Key_L, Qt::ControlModifier);
        type(prompt);
        press(Qt::Key_Return);
        QTRY_COMPARE(app()->conversation()->messages()->count(), before + 2); // a long prompt is counted first
        QTRY_VERIFY(!app()->conversation()->busy());
    }
    /// Deletes new chats "One" and "Two", and opens the bin.
    void fillTheBin() {
        for (const char* title : {"One", "Two"}) {
            press(Qt::Key_N, Qt::ControlModifier);
            talk(QString::fromLatin1(title));
            app()->chats()->remove(app()->conversation()->chatId());
        }
        app()->pages()->open(app::Pages::Bin);
        QTRY_COMPARE(app()->bin()->count(), 2);
    }

    QStringList shownTexts() const {
        QStringList texts;
        for (QAccessibleInterface* node : accessibleNodes(window())) texts.append(node->text(QAccessible::Name));
        return texts;
    }
    /// Whether a text is shown that contains this one.
    bool shows(const char* part) const { return !shownTexts().filter(QString::fromUtf8(part)).isEmpty(); }
    QQuickItem* item(const QString& name) const { return namedItem(window(), name); }
    QQuickWindow* window() const { return fixture_->window(); }
    app::App* app() const { return fixture_->app(); }

    std::unique_ptr<WindowFixture> fixture_;
    std::shared_ptr<test::FakeControl> control_;
    std::shared_ptr<test::FakePackedFile> packedFile_;
    engine::DeviceFactory devices_; ///< devices besides the CPU; a test sets them before start()
    QString model_;
};

/// Runs such a test; main() returns the result.
template <typename Test>
int runWindowTest(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace coterie::tests
