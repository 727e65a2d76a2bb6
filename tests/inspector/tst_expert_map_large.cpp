// SPDX-License-Identifier: Apache-2.0
// The grid of a model whose experts do not all fit into the width: 48 layers of 256 experts, drawn, zoomed by wheel and
// keys, moved by dragging, and walked through.
#include "inspector/expert_map_item.h"

#include <QQuickWindow>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

using namespace coterie::app;

namespace {

constexpr int kLayers = 48, kExperts = 256;
constexpr qreal kWidth = 640;

double countOf(int layer, int expert) { return (layer * 7 + expert * 3) % 5; }

GridContent large() {
    GridContent content{
        .kind = ExpertGrid::Counts, .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts), .most = 4};
    for (int l = 0; l < kLayers; ++l)
        for (int e = 0; e < kExperts; ++e) content.values.push_back(countOf(l, e));
    return content;
}

} // namespace

class TestExpertMapLarge : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { window_.reset(); }
    void everyCellIsDrawn_data();
    void everyCellIsDrawn();
    void theWheelZoomsWithControl();
    void theWheelMovesALargeGridSideways();
    void draggingMovesTheGrid();
    void keysZoom();
    void theCursorStaysInSight();

  private:
    ExpertMapItem& item() { return *item_; }
    QPoint middleOf(int layer, int expert) { return item_->places().cell(layer, expert).center().toPoint(); }
    /// Turns the wheel over this point. Returns whether the item took it; a page would scroll otherwise.
    bool turn(QPoint at, QPoint angle, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(at, window_->mapToGlobal(at), QPoint(), angle, Qt::NoButton, with, Qt::NoScrollPhase, false);
        event.setAccepted(false);
        QCoreApplication::sendEvent(window_.get(), &event);
        return event.isAccepted();
    }

    ExpertGrid grid_;
    std::unique_ptr<QQuickWindow> window_;
    ExpertMapItem* item_ = nullptr;
};

void TestExpertMapLarge::init() {
    grid_.setContent(large());
    window_ = std::make_unique<QQuickWindow>();
    item_ = new ExpertMapItem(window_->contentItem());
    item_->setGrid(&grid_);
    item_->setSize({kWidth, kLayers * 32.0});
    window_->resize(int(kWidth), 300);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get(), coterie::kPatienceMs));
    window_->requestActivate();
    QVERIFY(QTest::qWaitForWindowActive(window_.get(), coterie::kPatienceMs));
}

void TestExpertMapLarge::everyCellIsDrawn_data() {
    QTest::addColumn<qreal>("zoom");
    QTest::newRow("the whole width") << 1.0; // 2.5 pixels a cell
    QTest::newRow("eight times larger") << 8.0;
}

void TestExpertMapLarge::everyCellIsDrawn() {
    QFETCH(qreal, zoom);
    item().setZoom(zoom);
    const QImage picture = item().picture();
    const qreal dpr = picture.devicePixelRatio();
    int seen = 0;
    for (int l = 0; l < kLayers; ++l) {
        for (int e = 0; e < kExperts; ++e) {
            const QRectF cell = item().places().cell(l, e);
            if (cell.left() < item().places().left || cell.right() > kWidth) continue;
            const QPoint pixel(int(cell.center().x() * dpr), int(cell.center().y() * dpr));
            QCOMPARE(picture.pixel(pixel), cellColour(grid_, countOf(l, e), false).rgb());
            ++seen;
        }
    }
    QVERIFY2(zoom > 1 ? seen >= kLayers * (kExperts / 8 - 2) : seen == kLayers * kExperts,
             qPrintable(QString::number(seen)));
}

void TestExpertMapLarge::theWheelZoomsWithControl() {
    const QPoint at = middleOf(3, 100);
    QVERIFY(turn(at, {0, 120}, Qt::ControlModifier));
    QCOMPARE(item().zoom(), 1.25);
    for (int i = 0; i < 5; ++i) QVERIFY(turn(at, {0, 120}, Qt::ControlModifier));
    // The cell under the pointer stays there.
    const QRectF cell = item().places().cell(0, 100);
    QVERIFY(cell.left() <= at.x() && at.x() <= cell.right());
    for (int i = 0; i < 9; ++i) turn(at, {0, -120}, Qt::ControlModifier);
    QCOMPARE(item().zoom(), 1.0);
    QVERIFY(!turn(at, {0, 120})); // the page scrolls
    QCOMPARE(item().zoom(), 1.0);
}

void TestExpertMapLarge::theWheelMovesALargeGridSideways() {
    QVERIFY(!turn({100, 20}, {-120, 0})); // everything is in sight
    item().setZoom(8);
    const qreal before = item().places().x;
    QVERIFY(turn({100, 20}, {-120, 0}));
    QCOMPARE(item().places().x, before + 60);
    QVERIFY(turn({100, 20}, {120, 0}));
    QCOMPARE(item().places().x, before);
    QVERIFY(!turn({100, 20}, {0, -120})); // the page scrolls
    QCOMPARE(item().places().x, before);
    for (int i = 0; i < 200; ++i) turn({100, 20}, {120, 0});
    QCOMPARE(item().places().x, 0.0); // not beyond its end
}

void TestExpertMapLarge::draggingMovesTheGrid() {
    const QSignalSpy clicked(item_, &ExpertMapItem::cellClicked);
    const auto drag = [this](QPoint from, QPoint to) {
        QTest::mousePress(window_.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(window_.get(), (from + to) / 2);
        QTest::mouseMove(window_.get(), to);
        QTest::mouseRelease(window_.get(), Qt::LeftButton, {}, to);
    };
    drag({300, 20}, {200, 20});
    QCOMPARE(item().places().x, 0.0); // everything is in sight
    item().setZoom(8);
    const int clicks = int(clicked.count());
    const qreal before = item().places().x;
    drag({300, 20}, {200, 20});
    QCOMPARE(item().places().x, before + 100);
    drag({200, 20}, {300, 20});
    QCOMPARE(item().places().x, before);
    QCOMPARE(int(clicked.count()), clicks); // a drag chooses no cell
    drag({300, 20}, {302, 20});             // a hand that is not quite still
    QCOMPARE(item().places().x, before);
    QCOMPARE(int(clicked.count()), clicks + 1);
    for (int i = 0; i < 30; ++i) drag({100, 20}, {600, 20});
    QCOMPARE(item().places().x, 0.0);
}

void TestExpertMapLarge::keysZoom() {
    item().forceActiveFocus(Qt::TabFocusReason);
    const auto press = [this](Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(window_.get(), key, with);
    };
    press(Qt::Key_Plus);
    press(Qt::Key_Plus);
    QCOMPARE(item().zoom(), 1.25 * 1.25);
    press(Qt::Key_Minus);
    QCOMPARE(item().zoom(), 1.25);
    press(Qt::Key_Plus, Qt::ControlModifier); // those of the window
    press(Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(item().zoom(), 1.25);
    press(Qt::Key_0);
    QCOMPARE(item().zoom(), 1.0);
    press(Qt::Key_Minus);
    QCOMPARE(item().zoom(), 1.0);
    for (int i = 0; i < 40; ++i) press(Qt::Key_Plus);
    QCOMPARE(item().places().cellWidth, 32.0);
}

void TestExpertMapLarge::theCursorStaysInSight() {
    item().forceActiveFocus(Qt::TabFocusReason);
    item().setZoom(8);
    const auto inSight = [this] {
        const QRectF cell = item().places().cell(item().cursorLayer(), item().cursorExpert());
        return cell.left() >= item().places().left - 0.001 && cell.right() <= kWidth + 0.001;
    };
    QTest::keyClick(window_.get(), Qt::Key_End);
    QCOMPARE(item().cursorExpert(), kExperts - 1);
    QVERIFY(inSight());
    for (int i = 0; i < 60; ++i) {
        QTest::keyClick(window_.get(), Qt::Key_Left);
        QVERIFY(inSight());
    }
    QCOMPARE(item().cursorExpert(), kExperts - 61);
    QTest::keyClick(window_.get(), Qt::Key_Home);
    QCOMPARE(item().cursorExpert(), 0);
    QVERIFY(inSight());
}

QTEST_MAIN(TestExpertMapLarge)
#include "tst_expert_map_large.moc"
