// SPDX-License-Identifier: Apache-2.0
// The grid of a model whose experts do not all fit into the width: 48 layers of 256 experts, drawn as one picture, not
// more often than it has to, zoomed by wheel and keys, moved by dragging, and walked through.
#include "inspector/expert_map_item.h"

#include <QElapsedTimer>
#include <QQuickWindow>
#include <QSGImageNode>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <cmath>

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

/// Looks at the node that the item gives to the scene for each picture.
class WatchedMap : public ExpertMapItem {
  public:
    using ExpertMapItem::ExpertMapItem;
    int nodes = 0;  ///< in the last scene: the item's node with all below it
    int images = 0; ///< those of them that show one texture
    int sizes = 0;  ///< pictures whose texture did not have the size of the item's picture
    int scaled = 0; ///< pictures whose place did not have the size of the texture
    bool opaque = false;

  protected:
    QSGNode* updatePaintNode(QSGNode* old, UpdatePaintNodeData* data) override {
        QSGNode* node = ExpertMapItem::updatePaintNode(old, data);
        nodes = images = 0;
        count(node);
        auto* image = dynamic_cast<QSGImageNode*>(node);
        const QSize size = image ? image->texture()->textureSize() : QSize();
        if (size != picture().size()) ++sizes;
        if (!image || image->rect().size() * picture().devicePixelRatio() != QSizeF(size)) ++scaled;
        opaque = image && !image->texture()->hasAlphaChannel();
        return node;
    }

  private:
    void count(QSGNode* node) {
        if (!node) return;
        ++nodes;
        images += dynamic_cast<QSGImageNode*>(node) ? 1 : 0;
        for (QSGNode* child = node->firstChild(); child; child = child->nextSibling()) count(child);
    }
};

} // namespace

class TestExpertMapLarge : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { window_.reset(); }
    void everyCellIsDrawn_data();
    void everyCellIsDrawn();
    void allCellsAreOneNodeWithOneTexture();
    void namesAreWrittenOnce();
    void aPictureWithTheColourBehindItCoversThat();
    void theFrameOfARowHasFourSides();
    void picturesAreDrawnAtMost30TimesASecond_data();
    void picturesAreDrawnAtMost30TimesASecond();
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
    WatchedMap* item_ = nullptr;
};

void TestExpertMapLarge::init() {
    grid_.setContent(large());
    window_ = std::make_unique<QQuickWindow>();
    item_ = new WatchedMap(window_->contentItem());
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

/// 12,288 cells, marks of experts that were waited for, lights and frames: the scene has one node of them, in all
/// views.
void TestExpertMapLarge::allCellsAreOneNodeWithOneTexture() {
    QTRY_VERIFY(item().pictures() > 0);
    item().setProperty("selectedLayer", 3);
    item().setProperty("selectedExpert", 200);
    item().setFlashMs(180);
    for (const auto kind : {ExpertGrid::Weights, ExpertGrid::Counts, ExpertGrid::Places, ExpertGrid::Difference}) {
        for (const qreal zoom : {1.0, 8.0}) {
            GridContent content = large();
            content.kind = kind;
            content.token = static_cast<int>(kind) + 1;
            content.hits.assign(content.values.size(), 1);
            content.waited.assign(content.values.size(), 1);
            const int before = item().pictures();
            grid_.setContent(content);
            item().setZoom(zoom);
            QTRY_VERIFY(item().pictures() > before);
            QCOMPARE(item_->nodes, 1);
            QCOMPARE(item_->images, 1);
            QCOMPARE(item_->sizes, 0);
            QCOMPARE(item_->scaled, 0);
        }
    }
}

/// Not for each picture: that would take longer than its cells.
void TestExpertMapLarge::namesAreWrittenOnce() {
    QTRY_VERIFY(item().pictures() > 0);
    const QImage begun = item().picture();
    const int before = item().namings();
    for (int step = 1; step <= 10; ++step) {
        GridContent content = large();
        for (double& value : content.values) value = std::fmod(value + step, 5);
        grid_.setContent(content);
        QCOMPARE(item().picture() == begun, step % 5 == 0); // the cells change
    }
    QCOMPARE(item().namings(), before);
    const auto writesAgain = [&] {
        const int written = item().namings();
        (void)item().picture();
        return item().namings() == written + 1;
    };
    item().setProperty("textColor", QColor(Qt::red));
    QVERIFY(writesAgain());
    item().setZoom(4);
    QVERIFY(writesAgain());
    item().forceActiveFocus(Qt::TabFocusReason); // the names of the cursor's row and column stand out
    QVERIFY(writesAgain());
    QVERIFY(!writesAgain());
}

/// Then the window draws nothing below the picture.
void TestExpertMapLarge::aPictureWithTheColourBehindItCoversThat() {
    QTRY_VERIFY(item().pictures() > 0);
    QVERIFY(!item_->opaque);
    const auto corner = [this] { return item().picture().pixelColor(0, item().picture().height() - 1); };
    QCOMPARE(corner().alpha(), 0);
    const int before = item().pictures();
    item().setProperty("behindColor", QColor(Qt::green));
    QCOMPARE(corner(), QColor(Qt::green));
    QTRY_VERIFY(item().pictures() > before);
    QVERIFY(item_->opaque);
}

/// Its cells are small, so the frame is around them, and yet inside of the map.
void TestExpertMapLarge::theFrameOfARowHasFourSides() {
    item().setProperty("groundColor", QColor(Qt::white));
    item().setProperty("frameColor", QColor(Qt::green));
    item().setProperty("framed", ExpertMapItem::Row);
    const QImage picture = item().picture();
    const MapPlaces places = item().places();
    const qreal scale = picture.devicePixelRatio();
    const auto green = [&](const QRectF& part) {
        const QRect area = QRectF(part.topLeft() * scale, part.size() * scale).toAlignedRect() & picture.rect();
        int pixels = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                pixels += picture.pixelColor(x, y) == QColor(Qt::green) ? 1 : 0;
        return pixels;
    };
    const QRectF row = places.cell(kLayers / 2, 0), all = places.cells(kWidth);
    const qreal middle = std::floor(row.center().y()) - 1; // between its upper and its lower line
    QVERIFY(green({all.left() - 4, middle, 4, 1}) > 0);    // outside of the cells
    QVERIFY(green({all.right(), middle, 4, 1}) > 0);
    for (const qreal y : {row.top() - 3, row.bottom()}) QVERIFY(green({all.center().x(), y, 20, 3}) > 10);
    QCOMPARE(green({all.center().x(), middle, 20, 1}), 0);
}

void TestExpertMapLarge::picturesAreDrawnAtMost30TimesASecond_data() {
    QTest::addColumn<QString>("changed");
    for (const char* changed : {"content", "pointer", "cursor", "selection", "zoom"})
        QTest::newRow(changed) << QString::fromLatin1(changed);
}

/// However quickly something changes, and none of the changes is lost. A slow machine draws fewer pictures in this
/// time, never more.
void TestExpertMapLarge::picturesAreDrawnAtMost30TimesASecond() {
    QFETCH(QString, changed);
    QTRY_VERIFY(item().pictures() > 0);
    item().setZoom(8);
    item().forceActiveFocus(Qt::TabFocusReason);
    const int before = item().pictures();
    QElapsedTimer passed;
    passed.start();
    int changes = 0;
    while (item().pictures() < before + 8 || changes < 60) {
        QVERIFY2(passed.elapsed() < coterie::kPatienceMs, "nothing is drawn");
        const int at = changes++;
        if (changed == QStringLiteral("content")) {
            GridContent content = large();
            content.values[0] = at;
            grid_.setContent(content);
        } else if (changed == QStringLiteral("pointer")) {
            QTest::mouseMove(window_.get(), middleOf(at % 9, at % 30));
        } else if (changed == QStringLiteral("cursor")) {
            QTest::keyClick(window_.get(), at % 40 < 20 ? Qt::Key_Down : Qt::Key_Up);
        } else if (changed == QStringLiteral("selection")) {
            item().setProperty("selectedLayer", at % kLayers);
            item().setProperty("selectedExpert", at % kExperts);
        } else {
            item().setZoom(4 + at % 7);
        }
        QCoreApplication::processEvents();
    }
    const int pictures = item().pictures() - before;
    const qint64 ms = passed.elapsed();
    // Qt's timers may come a little early, and a picture may have waited when this began.
    QVERIFY2(pictures <= ms / 30 + 3, qPrintable(QStringLiteral("%1 pictures in %2 ms").arg(pictures).arg(ms)));
    QVERIFY2(pictures < changes, qPrintable(QString::number(changes))); // some changes had no picture of their own
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
