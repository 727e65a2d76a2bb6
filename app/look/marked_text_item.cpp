// SPDX-License-Identifier: Apache-2.0
// See marked_text_item.h.
#include "look/marked_text_item.h"

#include "text/letter_forms.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace coterie::app {

MarkedTextItem::MarkedTextItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    connect(this, &MarkedTextItem::changed, this, &MarkedTextItem::layOut);
}

void MarkedTextItem::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) {
    QQuickPaintedItem::geometryChange(newGeometry, oldGeometry);
    if (newGeometry.width() != oldGeometry.width()) layOut();
}

QList<QTextLayout::FormatRange> MarkedTextItem::formats() const {
    QList<QTextLayout::FormatRange> ranges;
    const int size = static_cast<int>(text_.size());
    for (qsizetype i = 0; i + 1 < marks_.size(); i += 2) {
        QTextLayout::FormatRange range;
        range.start = std::clamp(marks_[i], 0, size);
        range.length = std::clamp(marks_[i + 1], range.start, size) - range.start;
        range.format.setForeground(markColor_);
        range.format.setBackground(markGround_);
        ranges.append(range);
    }
    return ranges;
}

/// Cuts the text into lines; the last one that has room ends with an ellipsis if more text follows.
void MarkedTextItem::layOut() {
    const QFont font = asWritten(font_, text_);
    const QFontMetricsF metrics(font);
    const qreal room = std::max(width(), 1.0);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    qreal height = 0;
    const auto fill = [&](const QString& text) {
        layout_.setText(text);
        layout_.setFont(font);
        layout_.setTextOption(option);
        layout_.setFormats(formats());
        layout_.beginLayout();
        height = 0;
        int end = 0;
        for (int line = 0; line < std::max(lines_, 1); ++line) {
            QTextLine next = layout_.createLine();
            if (!next.isValid()) break;
            next.setLineWidth(room);
            next.setPosition({0, height});
            height += next.height();
            end = next.textStart() + next.textLength();
        }
        layout_.endLayout();
        return end;
    };
    const int shown = fill(text_);
    if (shown < text_.size() && layout_.lineCount() > 0) {
        const int last = layout_.lineAt(layout_.lineCount() - 1).textStart();
        fill(text_.left(last) + metrics.elidedText(text_.mid(last), Qt::ElideRight, room));
    }
    setImplicitHeight(std::ceil(text_.isEmpty() ? 0 : height));
    setImplicitWidth(std::ceil(metrics.horizontalAdvance(text_)));
    update();
}

void MarkedTextItem::paint(QPainter* painter) {
    painter->setPen(color_);
    layout_.draw(painter, {});
}

} // namespace coterie::app
