// SPDX-License-Identifier: Apache-2.0
// See figures_item.h. The text is cut into runs: each digit is one, and everything between two digits is one.
#include "look/figures_item.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace coterie::app {

FiguresItem::FiguresItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    connect(this, &FiguresItem::textChanged, this, &FiguresItem::measure);
    connect(this, &FiguresItem::reservedChanged, this, &FiguresItem::measureRoom);
    connect(this, &FiguresItem::lookChanged, this, [this] { update(); });
    connect(this, &FiguresItem::fontChanged, this, [this] {
        digits_.clear();
        measureRoom();
    });
    measure();
}

/// Measuring a character takes as long as laying a text out, and a figure changes many times a second.
const FiguresItem::Digits& FiguresItem::digitsOf(const QFontMetricsF& metrics, QChar digit) {
    const auto zero = static_cast<char16_t>(digit.unicode() - digit.digitValue());
    const auto known = digits_.constFind(zero);
    if (known != digits_.constEnd()) return *known;
    Digits digits;
    for (char16_t i = 0; i < 10; ++i) {
        digits.advance[i] = metrics.horizontalAdvance(QChar(static_cast<char16_t>(zero + i)));
        digits.cell = std::max(digits.cell, digits.advance[i]);
    }
    digits.cell = std::ceil(digits.cell);
    return *digits_.insert(zero, digits);
}

std::vector<FiguresItem::Run> FiguresItem::runsOf(const QFontMetricsF& metrics, const QString& text) {
    std::vector<Run> runs;
    qreal at = 0;
    for (qsizetype begin = 0; begin < text.size();) {
        qsizetype end = begin + 1;
        Run run;
        if (text[begin].isDigit()) {
            const Digits& digits = digitsOf(metrics, text[begin]);
            run = {text.mid(begin, 1), at + (digits.cell - digits.advance[text[begin].digitValue()]) / 2,
                   at + digits.cell};
        } else {
            while (end < text.size() && !text[end].isDigit()) ++end;
            run.text = text.mid(begin, end - begin);
            run.x = at;
            run.end = at + metrics.horizontalAdvance(run.text);
        }
        at = run.end;
        begin = end;
        runs.push_back(std::move(run));
    }
    return runs;
}

qreal FiguresItem::widthOf(const std::vector<Run>& runs) { return runs.empty() ? 0 : std::ceil(runs.back().end); }

void FiguresItem::measure() {
    const QFontMetricsF metrics(font_);
    runs_ = runsOf(metrics, text_);
    width_ = widthOf(runs_);
    setImplicitSize(std::max(width_, room_), std::ceil(metrics.height()));
    update();
}

/// The reserved texts stay while the figures change.
void FiguresItem::measureRoom() {
    const QFontMetricsF metrics(font_);
    qreal room = 0;
    for (const QString& text : reserved_) room = std::max(room, widthOf(runsOf(metrics, text)));
    const bool differs = room != room_;
    room_ = room;
    measure();
    if (differs) Q_EMIT roomChanged();
}

void FiguresItem::paint(QPainter* painter) {
    const QFontMetricsF metrics(font_);
    painter->setFont(font_);
    painter->setPen(color_);
    const qreal left = leading_ ? 0 : width() - width_;
    const qreal baseline = std::round((height() - metrics.height()) / 2 + metrics.ascent());
    for (const Run& run : runs_) painter->drawText(QPointF(left + run.x, baseline), run.text);
}

} // namespace coterie::app
