// SPDX-License-Identifier: Apache-2.0
// See chart_item.h.
#include "inspector/chart_item.h"

#include "common/units.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr qreal kPad = 4;           // pixels between labels and figures
constexpr qreal kStroke = 1.5;      // thickness of a line
constexpr qreal kMedian = 2;        // thickness of a median
constexpr double kBoxShare = 0.6;   // width of a box as a share of its room
constexpr double kMostLabel = 0.35; // share of the width that the labels of the vertical axis may take
constexpr int kSpanSteps = 16;      // places at which a line is looked at, to find room beside it
constexpr double kKeySteps = 20;    // presses of a key from one end to the other

/// The line's value at this x, between its points.
double valueAt(const ChartLine& line, double x) {
    const auto after = std::lower_bound(line.points.begin(), line.points.end(), x,
                                        [](const QPointF& point, double at) { return point.x() < at; });
    if (after == line.points.begin()) return after->y();
    if (after == line.points.end()) return line.points.back().y();
    const QPointF before = *std::prev(after);
    const double share = (x - before.x()) / (after->x() - before.x());
    return before.y() + share * (after->y() - before.y());
}

} // namespace

ChartItem::ChartItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAcceptHoverEvents(true);
    setAcceptedMouseButtons(Qt::LeftButton);
    setActiveFocusOnTab(true);
    setAntialiasing(true);
}

void ChartItem::setFigures(const ChartData& figures) {
    if (figures == data_) return;
    data_ = figures;
    update();
    Q_EMIT figuresChanged();
    Q_EMIT valueTextChanged();
}

QRectF ChartItem::plot() const {
    const QFontMetricsF metrics(font_);
    const qreal labels = metrics.height() + kPad;
    const qreal ends = std::max(metrics.horizontalAdvance(data_.lowerText), metrics.horizontalAdvance(data_.upperText));
    const qreal left = ends > 0 ? std::min(std::ceil(ends) + kPad, kMostLabel * width()) : 0;
    return {left + 0.5, labels, std::max(1.0, width() - left - 1), std::max(1.0, height() - 2 * labels)};
}

QPointF ChartItem::placeOf(QPointF figure) const {
    const QRectF room = plot();
    const double x = (figure.x() - data_.leastX) / (data_.mostX - data_.leastX);
    const double y = (figure.y() - data_.leastY) / (data_.mostY - data_.leastY);
    return {room.left() + x * room.width(), room.bottom() - y * room.height()};
}

void ChartItem::paint(QPainter* painter) {
    if (data_.empty()) return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font_);
    painter->setPen(QPen(line_, 1));
    painter->drawLine(plot().bottomLeft(), plot().bottomRight());
    painter->drawLine(plot().topLeft(), plot().topRight());
    if (data_.mark >= 0) {
        painter->setPen(QPen(text_, 1, Qt::DotLine));
        painter->drawLine(placeOf({data_.mark, data_.leastY}), placeOf({data_.mark, data_.mostY}));
    }
    paintBoxes(painter);
    paintLines(painter);
    paintLabels(painter);
    paintNames(painter);
    paintReading(painter);
}

void ChartItem::paintBoxes(QPainter* painter) const {
    const double room =
        data_.boxes.size() > 1 ? (data_.mostX - data_.leastX) / static_cast<double>(data_.boxes.size()) : 1;
    const double half = room * kBoxShare / 2;
    for (const ChartBox& box : data_.boxes) {
        const bool bar = box.upperQuartile == 0 && box.median == 0;
        const QPointF top = placeOf({box.x - half, bar ? box.most : box.upperQuartile});
        const QPointF bottom = placeOf({box.x + half, bar ? data_.leastY : box.lowerQuartile});
        painter->fillRect(QRectF(top, bottom), main_);
        if (bar) continue;
        painter->setPen(QPen(main_, 1));
        painter->drawLine(placeOf({box.x, box.least}), placeOf({box.x, box.lowerQuartile}));
        painter->drawLine(placeOf({box.x, box.upperQuartile}), placeOf({box.x, box.most}));
        painter->setPen(QPen(median_, kMedian, Qt::SolidLine, Qt::FlatCap));
        painter->drawLine(placeOf({box.x - half, box.median}), placeOf({box.x + half, box.median}));
    }
}

void ChartItem::paintLines(QPainter* painter) const {
    painter->setBrush(Qt::NoBrush);
    for (const ChartLine& line : data_.lines) {
        if (line.points.empty()) continue;
        QPainterPath path(placeOf(line.points.front()));
        for (const QPointF& point : line.points) path.lineTo(placeOf(point));
        const bool baseline = line.look == ChartLine::Look::Baseline;
        const QColor colour = baseline ? baseline_ : line.look == ChartLine::Look::Second ? second_ : main_;
        painter->setPen(QPen(colour, kStroke, baseline ? Qt::DashLine : Qt::SolidLine));
        painter->drawPath(path);
    }
}

void ChartItem::paintLabels(QPainter* painter) const {
    painter->setPen(text_);
    const QRectF room = plot();
    const QFontMetricsF metrics(font_);
    const qreal height = metrics.height();
    const auto draw = [&](const QRectF& place, Qt::Alignment side, const QString& text) {
        painter->drawText(place, static_cast<int>(side | Qt::AlignVCenter),
                          metrics.elidedText(text, Qt::ElideRight, place.width()));
    };
    draw({0, 0, width(), height}, Qt::AlignLeft, data_.title);
    const qreal ends = room.left() - kPad;
    draw({0, room.top() - kPad / 2, ends, height}, Qt::AlignRight, data_.upperText);
    draw({0, room.bottom() + kPad / 2 - height, ends, height}, Qt::AlignRight, data_.lowerText);
    const QRectF below(room.left(), room.bottom() + kPad / 2, room.width(), height);
    draw(below, Qt::AlignLeft, data_.leftText);
    draw(below, Qt::AlignRight, data_.rightText);
}

/// The part of the height that the line takes between these two places in the width.
ChartItem::PixelSpan ChartItem::span(const ChartLine& line, qreal from, qreal to) const {
    const QRectF room = plot();
    PixelSpan span{room.bottom(), room.top()};
    for (int step = 0; step <= kSpanSteps; ++step) {
        const qreal at = from + (to - from) * step / kSpanSteps;
        const double x = data_.leastX + (at - room.left()) / room.width() * (data_.mostX - data_.leastX);
        const qreal y = placeOf({x, valueAt(line, x)}).y();
        span = {std::min(span.top, y), std::max(span.bottom, y)};
    }
    return span;
}

/// Returns room for the name of a line near its end: above it, or else below, where no line and no other name is.
/// Beside the title, above the line at the upper end of the axis, there is room, too. Empty if there is none.
QRectF ChartItem::nameRoom(const ChartLine& line, QSizeF size, const std::vector<QRectF>& taken) const {
    const QRectF room = plot();
    const qreal titleEnd = QFontMetricsF(font_).horizontalAdvance(data_.title) + kPad;
    const auto isFree = [&](const QRectF& place) {
        return std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); }) &&
               std::none_of(data_.lines.begin(), data_.lines.end(), [&](const ChartLine& other) {
                   if (other.points.empty()) return false;
                   const auto there = span(other, place.left(), place.right());
                   return there.top < place.bottom() && there.bottom > place.top();
               });
    };
    for (const double end : {1.0, 0.8, 0.6, 0.4}) {
        const qreal right = room.left() + end * room.width() - kPad, left = right - size.width();
        if (left < room.left()) break;
        const auto own = span(line, left, right);
        for (const qreal top : {own.top - kPad / 2 - size.height(), own.bottom + kPad / 2}) {
            QRectF place(QPointF(left, top), size);
            if (place.top() < room.top()) place.moveBottom(std::min(place.bottom(), room.top() - kPad / 2));
            const bool besideTitle = place.top() >= 0 && place.left() > titleEnd;
            if ((place.top() >= room.top() || besideTitle) && place.bottom() <= room.bottom() && isFree(place))
                return place;
        }
    }
    return {};
}

void ChartItem::paintNames(QPainter* painter) const {
    const QFontMetricsF metrics(font_);
    std::vector<QRectF> taken;
    for (const ChartLine& line : data_.lines) {
        if (line.points.empty() || line.label.isEmpty()) continue;
        const QSizeF size(std::ceil(metrics.horizontalAdvance(line.label)), metrics.height());
        const QRectF place = nameRoom(line, size, taken);
        if (place.isEmpty()) continue;
        taken.push_back(place);
        painter->setPen(line.look == ChartLine::Look::Main ? main_ : text_);
        painter->drawText(place, Qt::AlignCenter, line.label);
    }
    if (data_.mark < 0 || data_.markText.isEmpty()) return;
    // At the foot of its line, where lines that grow have left their room, on the side that has more of it.
    const QRectF room = plot();
    const qreal x = placeOf({data_.mark, data_.mostY}).x();
    const qreal top = room.bottom() - metrics.height();
    const bool right = x < room.center().x();
    const QRectF side = right ? QRectF(x + kPad, top, room.right() - x - kPad, metrics.height())
                              : QRectF(room.left(), top, x - kPad - room.left(), metrics.height());
    painter->setPen(text_);
    painter->drawText(side, static_cast<int>((right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter),
                      data_.markText);
}

void ChartItem::paintReading(QPainter* painter) const {
    if (valueText().isEmpty()) return;
    painter->setPen(QPen(text_, 1));
    painter->drawLine(placeOf({readAt(), data_.leastY}), placeOf({readAt(), data_.mostY}));
}

double ChartItem::readAt() const {
    const double share = pointed_ >= 0 ? pointed_ : cursor_;
    const double x = data_.leastX + share * (data_.mostX - data_.leastX);
    return data_.boxes.empty() ? x : std::clamp(std::round(x), data_.boxes.front().x, data_.boxes.back().x);
}

QString ChartItem::textAt(double x) const {
    const QLocale locale;
    if (!data_.boxes.empty()) {
        const auto box =
            std::min_element(data_.boxes.begin(), data_.boxes.end(), [x](const ChartBox& a, const ChartBox& b) {
                return std::abs(a.x - x) < std::abs(b.x - x);
            });
        const bool bar = box->upperQuartile == 0 && box->median == 0;
        if (bar) return tr("Layer %1: %2").arg(locale.toString(box->x, 'f', 0), locale.toString(box->most, 'f', 2));
        return tr("Layer %1: half of the tokens between %2 and %3, the median %4")
            .arg(locale.toString(box->x, 'f', 0), shareText(box->lowerQuartile), shareText(box->upperQuartile),
                 shareText(box->median));
    }
    QStringList values;
    for (const ChartLine& line : data_.lines)
        if (!line.points.empty()) values.append(tr("%1: %2").arg(line.name, shareText(valueAt(line, x))));
    return tr("At %1: %2").arg(locale.toString(std::round(x), 'f', 0), factsText(values));
}

QString ChartItem::valueText() const {
    if (data_.empty() || (pointed_ < 0 && !hasActiveFocus())) return {};
    return textAt(readAt());
}

void ChartItem::changeReading() {
    update();
    Q_EMIT valueTextChanged();
}

void ChartItem::hoverMoveEvent(QHoverEvent* event) {
    pointed_ = std::clamp((event->position().x() - plot().left()) / plot().width(), 0.0, 1.0);
    changeReading();
}

void ChartItem::hoverLeaveEvent(QHoverEvent*) {
    pointed_ = -1;
    changeReading();
}

void ChartItem::mousePressEvent(QMouseEvent*) { forceActiveFocus(Qt::MouseFocusReason); }

void ChartItem::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) return event->ignore();
    const double steps = data_.boxes.size() > 1 ? static_cast<double>(data_.boxes.size()) : kKeySteps;
    cursor_ = std::clamp(cursor_ + (event->key() == Qt::Key_Left ? -1 : 1) / steps, 0.0, 1.0);
    changeReading();
}

void ChartItem::focusInEvent(QFocusEvent* event) {
    QQuickPaintedItem::focusInEvent(event);
    changeReading();
}

void ChartItem::focusOutEvent(QFocusEvent* event) {
    QQuickPaintedItem::focusOutEvent(event);
    changeReading();
}

} // namespace coterie::app
