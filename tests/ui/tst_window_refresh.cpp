// SPDX-License-Identifier: Apache-2.0
// Counts the changes of all items of the pane while an answer grows, because the engine needs the processor meanwhile.
// It lists them by their class and signal, and never measures time.
#include "inspector/expert_map_item.h"
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "window_driver.h"

#include <QElapsedTimer>
#include <QMap>
#include <QMetaMethod>
#include <QMetaProperty>

using namespace coterie;
using namespace coterie::tests;
using app::ActivityGrid;
using app::ExpertGrid;
using app::ExpertMapItem;
using app::Inspector;

/// Counts the changes of properties of all items in a part of the window.
class ChangeCounter : public QObject {
    Q_OBJECT
  public:
    explicit ChangeCounter(QQuickItem* root) { watch(root); }
    QMap<QString, int> changes() const { return changes_; }
    void clear() { changes_.clear(); }
    QString report() const {
        QStringList lines;
        for (auto it = changes_.begin(); it != changes_.end(); ++it)
            lines.append(QStringLiteral("%1 x %2").arg(it.value()).arg(it.key()));
        return lines.join(u'\n');
    }

  public Q_SLOTS:
    void note() {
        const QMetaMethod signal = sender()->metaObject()->method(senderSignalIndex());
        ++changes_[QStringLiteral("%1::%2").arg(QString::fromLatin1(sender()->metaObject()->className()),
                                                QString::fromLatin1(signal.name()))];
    }

  private:
    void watch(QQuickItem* item) {
        const QMetaMethod slot = metaObject()->method(metaObject()->indexOfSlot("note()"));
        QSet<int> watched;
        for (int i = 0; i < item->metaObject()->propertyCount(); ++i) {
            const QMetaProperty property = item->metaObject()->property(i);
            if (!property.hasNotifySignal() || watched.contains(property.notifySignalIndex())) continue;
            watched.insert(property.notifySignalIndex());
            connect(item, property.notifySignal(), this, slot);
        }
        for (QQuickItem* child : item->childItems()) watch(child);
    }

    QMap<QString, int> changes_;
};

class WindowRefreshTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void onlyTheGridFollowsEachToken_data();
    void onlyTheGridFollowsEachToken();

  private:
    Inspector& inspector() const { return *app()->inspector(); }
    const ExpertGrid& cells() const { return *inspector().grid()->cells(); }
    QQuickItem* byType(const char* type) const {
        return findItem(window()->contentItem(), [type](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).contains(type);
        });
    }
    size_t written() const {
        const auto* record = app()->answers()->record(inspector().messageId());
        return record ? record->tokens.size() : 0;
    }
};

void WindowRefreshTest::onlyTheGridFollowsEachToken_data() {
    QTest::addColumn<ActivityGrid::Mode>("mode");
    QTest::newRow("now") << ActivityGrid::Now;
    QTest::newRow("answer") << ActivityGrid::Reply;
    QTest::newRow("places") << ActivityGrid::Store;
}

/// Words and figures of the pane follow once a second. Between two of these times a token changes nothing in the pane
/// except the picture of its grid: no text is laid out, and nothing else is drawn. At the end of the answer all is
/// shown.
void WindowRefreshTest::onlyTheGridFollowsEachToken() {
    QFETCH(ActivityGrid::Mode, mode);
    test::FakeScript script = *test::fakeScript("story");
    script.endless = true;
    startWith(script);
    app()->settings()->activityShown = true;
    QVERIFY(app()->conversation()->send(QStringLiteral("Hello")));
    control_->allow(script.promptTokens + 3);
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && inspector().live() && byType("ActivityPane_QMLTYPE"));
    inspector().grid()->setMode(mode);
    app()->memory()->setEnabled(false); // they have times of their own, four a second
    app()->experts()->setEnabled(false);
    QVERIFY(drawn());
    const auto* map = qobject_cast<ExpertMapItem*>(byType("ExpertMapItem"));
    QVERIFY(map);
    const int namings = map->namings();
    ChangeCounter counter(byType("ActivityPane_QMLTYPE"));
    QSignalSpy words(inspector().grid(), &ActivityGrid::textChanged), grid(&cells(), &ExpertGrid::changed);
    QElapsedTimer passed;
    passed.start();
    for (int tokens = 0; tokens < 8;) {
        QVERIFY2(passed.elapsed() < kPatienceMs, "words follow each token");
        QVERIFY(drawn());
        words.clear();
        grid.clear();
        counter.clear();
        const size_t before = written();
        const int pictures = map->pictures();
        control_->allow(1);
        QTRY_VERIFY(written() > before && !grid.isEmpty() && map->pictures() > pictures);
        if (!words.isEmpty()) continue;
        QVERIFY2(counter.changes().isEmpty(), qPrintable(counter.report()));
        ++tokens;
    }
    QCOMPARE(map->namings(), namings); // the names of rows and columns stay as they were written
    app()->conversation()->stop();
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy() && !inspector().live());
    QVERIFY(drawn());
    QCOMPARE(byType("GridLegend_QMLTYPE")->property("ends").toStringList(), cells().scaleEnds());
    QVERIFY2(shows(inspector().grid()->text().toUtf8().constData()), qPrintable(inspector().grid()->text()));
}

int main(int argc, char** argv) { return runWindowTest<WindowRefreshTest>(argc, argv); }
#include "tst_window_refresh.moc"
