// SPDX-License-Identifier: Apache-2.0
// See figures_item.h. The text is cut into runs: each digit is one, and everything between two digits is one.
#include "figures_item.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

/// Returns the width of a digit's cell: the widest of the ten digits of its script.
qreal cellWidth(const QFontMetricsF& metrics, QChar digit) {
    const auto zero = static_cast<char16_t>(digit.unicode() - digit.digitValue());
    qreal widest = 0;
    for (char16_t i = 0; i < 10; ++i)
        widest = std::max(widest, metrics.horizontalAdvance(QChar(static_cast<char16_t>(zero + i))));
    return std::ceil(widest);
}

/// Calls visit(run, left edge, left edge of its characters) for each run, and returns the right edge of the last one.
template <typename Visit>
qreal forEachRun(const QFontMetricsF& metrics, const QString& text, const Visit& visit) {
    qreal at = 0;
    for (qsizetype begin = 0; begin < text.size();) {
        qsizetype end = begin + 1;
        const bool digit = text[begin].isDigit();
        while (!digit && end < text.size() && !text[end].isDigit()) ++end;
        const QString run = text.mid(begin, end - begin);
        const qreal advance = metrics.horizontalAdvance(run);
        const qreal width = digit ? cellWidth(metrics, text[begin]) : advance;
        visit(run, at + (width - advance) / 2);
        at += width;
        begin = end;
    }
    return at;
}

qreal widthOf(const QFontMetricsF& metrics, const QString& text) {
    return std::ceil(forEachRun(metrics, text, [](const QString&, qreal) {}));
}

} // namespace

FiguresItem::FiguresItem(QQuickItem* parent) : QQuickPaintedItem(parent) { measure(); }

void FiguresItem::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    measure();
    Q_EMIT textChanged();
}

void FiguresItem::setReserved(const QStringList& texts) {
    if (texts == reserved_) return;
    reserved_ = texts;
    measure();
    Q_EMIT reservedChanged();
}

void FiguresItem::setColor(const QColor& color) {
    if (color == color_) return;
    color_ = color;
    update();
    Q_EMIT colorChanged();
}

void FiguresItem::setFont(const QFont& font) {
    if (font == font_) return;
    font_ = font;
    measure();
    Q_EMIT fontChanged();
}

void FiguresItem::setLeading(bool leading) {
    if (leading == leading_) return;
    leading_ = leading;
    update();
    Q_EMIT leadingChanged();
}

void FiguresItem::measure() {
    const QFontMetricsF metrics(font_);
    width_ = widthOf(metrics, text_);
    qreal room = 0;
    for (const QString& text : reserved_) room = std::max(room, widthOf(metrics, text));
    const bool roomDiffers = room != room_;
    room_ = room;
    setImplicitSize(std::max(width_, room_), std::ceil(metrics.height()));
    update();
    if (roomDiffers) Q_EMIT roomChanged();
}

void FiguresItem::paint(QPainter* painter) {
    const QFontMetricsF metrics(font_);
    painter->setFont(font_);
    painter->setPen(color_);
    const qreal left = leading_ ? 0 : width() - width_;
    const qreal baseline = std::round((height() - metrics.height()) / 2 + metrics.ascent());
    forEachRun(metrics, text_,
               [&](const QString& run, qreal x) { painter->drawText(QPointF(left + x, baseline), run); });
}

} // namespace coterie::app
