// SPDX-License-Identifier: Apache-2.0
// The place of a tip: it covers no text of its control's row and no button next to the control, and else as little as
// it can. Each test has a control in the middle of a small window, with texts on its four sides.
#include "look/figures_item.h"
#include "look/marked_text_item.h"
#include "look/tip_place.h"
#include "text/message_text.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QtTest>

#include <memory>

using namespace coterie::app;

class TestTipPlace : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { window_.reset(); }
    void withoutContentItIsAbove();
    void itCoversNoTextOfTheRow();
    void itCoversNoTextOfTheMessage();
    void itCoversNoButtonBesideTheControl();
    void itCoversNoButtonOfABar();
    void itIsInLineWithAnEdgeIfThatCoversLess();
    void eachKindOfTextCounts_data();
    void eachKindOfTextCounts();
    void whatIsNotSeenDoesNotCount();
    void itStaysInTheWindow();

  private:
    /// Makes an item at a place in its parent.
    QQuickItem* placed(QQuickItem* item, QQuickItem* parent, const QRectF& place) const {
        item->setParent(parent);
        item->setParentItem(parent);
        item->setPosition(place.topLeft());
        item->setSize(place.size());
        return item;
    }
    QQuickItem* text(QQuickItem* parent, const QRectF& place) const {
        auto* const made = new FiguresItem;
        made->setProperty("text", QStringLiteral("words"));
        return placed(made, parent, place);
    }
    QQuickItem* fromQml(const char* code) {
        QQmlComponent component(&engine_);
        component.setData(QByteArray("import QtQuick\nimport QtQuick.Controls.Basic\n") + code, QUrl());
        auto* const made = qobject_cast<QQuickItem*>(component.create());
        if (!made) qWarning("%s", qPrintable(component.errorString()));
        return made;
    }
    /// Fills the sides of the control with texts: a tip there would cover as much of them on the right and on the left
    /// as on a filled side above or below, and half of that on another one.
    void fill(bool above, bool below) const {
        text(content(), QRectF(0, 0, 176, 300));
        text(content(), QRectF(224, 0, 176, 300));
        if (above) text(content(), QRectF(176, 0, 48, 136));
        if (below) text(content(), QRectF(176, 164, 48, 136));
    }
    QQuickItem* content() const { return window_->contentItem(); }
    /// The place of the tip in the control's coordinates.
    QPointF tip() const { return TipPlace().beside(control_, QSizeF(100, 30), 4, 8); }

    static constexpr QPointF kAbove{-30, -34}, kBelow{-30, 24};

    QQmlEngine engine_;
    std::unique_ptr<QQuickWindow> window_;
    QQuickItem* row_ = nullptr;
    QQuickItem* control_ = nullptr; ///< at 180, 140 in the window, 40 x 20
};

void TestTipPlace::init() {
    window_ = std::make_unique<QQuickWindow>();
    window_->resize(400, 300);
    row_ = placed(new QQuickItem, content(), QRectF(0, 100, 400, 100));
    control_ = placed(new QQuickItem, row_, QRectF(180, 40, 40, 20));
}

void TestTipPlace::withoutContentItIsAbove() { QCOMPARE(tip(), kAbove); }

/// Below it would cover less, but that belongs to the control.
void TestTipPlace::itCoversNoTextOfTheRow() {
    fill(true, false);
    QCOMPARE(tip(), kBelow);
    text(row_, QRectF(150, 64, 100, 4));
    QCOMPARE(tip(), kAbove);
}

/// The row of a message's buttons is below the message; a larger text of the next one is below the row.
void TestTipPlace::itCoversNoTextOfTheMessage() {
    QQuickItem* const message = placed(new QQuickItem, content(), QRectF(0, 0, 400, 200));
    row_->setParentItem(message);
    fill(false, true);
    text(row_, QRectF(360, 40, 40, 20));
    text(message, QRectF(150, 130, 100, 6));
    QCOMPARE(tip(), kBelow);
}

void TestTipPlace::itCoversNoButtonBesideTheControl() {
    fill(true, false);
    text(row_, QRectF(390, 0, 10, 10)); // the button is not in the row
    QCOMPARE(tip(), kBelow);
    QQuickItem* const button = fromQml("Button {}");
    QVERIFY(button);
    placed(button, content(), QRectF(190, 166, 20, 10));
    QCOMPARE(tip(), kAbove);
}

/// Such a button is offered for a few seconds only, and may be anywhere.
void TestTipPlace::itCoversNoButtonOfABar() {
    fill(true, false);
    text(row_, QRectF(390, 0, 10, 10)); // the button is not in the row
    QQuickItem* const bar = placed(new QQuickItem, content(), QRectF(100, 178, 200, 20));
    QQuickItem* const button = fromQml("Button {}");
    QVERIFY(button);
    placed(button, bar, QRectF(85, 4, 30, 10));
    QCOMPARE(tip(), kBelow); // it covers less than above
    bar->setProperty("keepsTipsAway", true);
    QCOMPARE(tip(), kAbove);
}

void TestTipPlace::itIsInLineWithAnEdgeIfThatCoversLess() {
    fill(false, true);
    text(content(), QRectF(0, 100, 178, 36));
    QCOMPARE(tip(), QPointF(0, -34));
    text(content(), QRectF(250, 100, 100, 36));         // now both edges are beside a text
    QCOMPARE(tip(), QPointF(0, -34) + QPointF(-30, 0)); // the middle covers as little as any
}

void TestTipPlace::eachKindOfTextCounts_data() {
    QTest::addColumn<QByteArray>("kind");
    for (const char* kind : {"figures", "marked", "message", "Text { text: 'words' }", "TextInput { text: 'words' }",
                             "TextEdit { text: 'words' }", "Button { text: 'words' }"})
        QTest::newRow(kind) << QByteArray(kind);
}

void TestTipPlace::eachKindOfTextCounts() {
    QFETCH(const QByteArray, kind);
    QQuickItem* const made = kind == "figures"   ? new FiguresItem
                             : kind == "marked"  ? static_cast<QQuickItem*>(new MarkedTextItem)
                             : kind == "message" ? static_cast<QQuickItem*>(new MessageText)
                                                 : fromQml(kind.constData());
    QVERIFY(made);
    placed(made, content(), QRectF(160, 112, 80, 20));
    made->setProperty("text", QStringLiteral("words"));
    QCOMPARE(tip(), kBelow);
    if (kind == "message" || kind.startsWith("Button")) return; // these count without words, too
    made->setProperty("text", QString());
    QCOMPARE(tip(), kAbove);
}

void TestTipPlace::whatIsNotSeenDoesNotCount() {
    QQuickItem* const above = text(content(), QRectF(150, 106, 100, 30));
    QCOMPARE(tip(), kBelow);
    above->setOpacity(0);
    QCOMPARE(tip(), kAbove);
    above->setOpacity(1);
    above->setVisible(false);
    QCOMPARE(tip(), kAbove);
    above->setVisible(true);
    QQuickItem* const view = placed(new QQuickItem, content(), QRectF(0, 0, 400, 50));
    above->setParentItem(view);
    QCOMPARE(tip(), kBelow);
    view->setClip(true);
    QCOMPARE(tip(), kAbove);
}

void TestTipPlace::itStaysInTheWindow() {
    for (const QPointF& at : {QPointF(0, -100), QPointF(360, -100), QPointF(0, 180), QPointF(360, 180)}) {
        control_->setPosition(at);
        const QRectF place(control_->mapToScene(tip()), QSizeF(100, 30));
        QVERIFY(QRectF(8, 8, 384, 284).contains(place));
        QVERIFY(!place.intersects(control_->mapRectToScene(QRectF(0, 0, 40, 20))));
    }
}

QTEST_MAIN(TestTipPlace)
#include "tst_tip_place.moc"
