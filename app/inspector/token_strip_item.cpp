// SPDX-License-Identifier: Apache-2.0
// See token_strip_item.h.
#include "inspector/token_strip_item.h"

#include "look/colour_maps.h"
#include "text/letter_forms.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr qreal kGap = 1;          // lies between cells
constexpr qreal kTintShare = 0.35; // the share of the heat scale on which words can be read

} // namespace

TokenStripItem::TokenStripItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAcceptedMouseButtons(Qt::LeftButton);
    setActiveFocusOnTab(true);
    connect(this, &TokenStripItem::lookChanged, this, &TokenStripItem::layOut);
}

QString TokenStripItem::shownWords(const QString& words) {
    static const QRegularExpression lineEnds(QStringLiteral("\\s*\\n\\s*"));
    const QString shown = QString(words).replace(lineEnds, QStringLiteral("\u21b5")).trimmed();
    if (!shown.isEmpty()) return shown;
    return words.isEmpty() ? tr("no text") : QStringLiteral("\u2423"); // an open box stands for a space
}

void TokenStripItem::setStrip(const TokenStrip& strip) {
    if (strip == strip_) return;
    strip_ = strip;
    layOut();
    Q_EMIT stripChanged();
    Q_EMIT currentTextChanged();
}

void TokenStripItem::setPosition(int position) {
    if (position == position_) return;
    for (const int changed : {indexOf(position_), indexOf(position)})
        if (changed >= 0) update(cell(changed).toAlignedRect());
    position_ = position;
    Q_EMIT positionChanged();
    Q_EMIT currentTextChanged();
    Q_EMIT currentCellChanged();
}

QRectF TokenStripItem::currentCell() const {
    const int index = indexOf(position_);
    return index < 0 ? QRectF() : cell(index);
}

QString TokenStripItem::currentText() const {
    const int index = indexOf(position_);
    if (index < 0) return {};
    const StripToken& token = strip_.tokens[static_cast<size_t>(index)];
    const QString shown = shownWords(token.words);
    const QString words = token.thought ? tr("%1 (thought)").arg(shown) : shown;
    return token.value.isEmpty() ? words : tr("%1, %2").arg(words, token.value);
}

QString TokenStripItem::rangeText() const {
    const auto shown = static_cast<int>(strip_.tokens.size());
    const QLocale locale;
    if (shown == 0) return {};
    const bool thoughts =
        std::any_of(strip_.tokens.begin(), strip_.tokens.end(), [](const StripToken& token) { return token.thought; });
    const QString from = locale.toString(strip_.from + 1), to = locale.toString(strip_.from + shown),
                  all = locale.toString(strip_.all);
    QString range = tr("Tokens %1 to %2 of %3").arg(from, to, all);
    if (strip_.prompt) range = tr("Tokens %1 to %2 of the prompt's %3").arg(from, to, all);
    if (shown == strip_.all)
        range = strip_.prompt ? tr("All %Ln token(s) of the prompt", nullptr, shown)
                              : tr("All %Ln token(s) of the answer", nullptr, shown);
    return thoughts ? tr("%1; thoughts are underlined").arg(range) : range;
}

QFont TokenStripItem::fontOf(const StripToken& token, QFont font) {
    font.setItalic(token.marker);
    font.setUnderline(token.thought);
    return asWritten(font, shownWords(token.words));
}

int TokenStripItem::indexOf(int position) const {
    if (strip_.tokens.empty()) return -1;
    const int index = position - strip_.tokens.front().position;
    return index >= 0 && index < static_cast<int>(strip_.tokens.size()) ? index : -1;
}

int TokenStripItem::indexAt(QPointF point) const {
    const auto hit = std::find_if(cells_.begin(), cells_.end(),
                                  [&](const QRectF& cell) { return cell.adjusted(0, 0, kGap, kGap).contains(point); });
    return hit == cells_.end() ? -1 : static_cast<int>(hit - cells_.begin());
}

/// Places the cells as words in lines.
void TokenStripItem::layOut() {
    const QFontMetricsF metrics(font_);
    const qreal height = std::ceil(metrics.height()) + padding_;
    qreal x = 0, y = 0;
    const qreal most = std::max(width(), 2 * padding_);
    cells_.clear();
    shown_.clear();
    for (const StripToken& token : strip_.tokens) {
        QString words = shownWords(token.words);
        const bool plain = !token.marker && !hasOtherForms(words);
        const QFontMetricsF own = plain ? metrics : QFontMetricsF(fontOf(token, font_));
        const qreal needed = std::ceil(own.horizontalAdvance(words)) + 2 * padding_;
        const qreal wide = std::min(needed, most);
        shown_.push_back(needed <= most ? words : own.elidedText(words, Qt::ElideRight, most - 2 * padding_));
        if (x > 0 && x + wide > width()) {
            x = 0;
            y += height + kGap;
        }
        cells_.emplace_back(x, y, wide, height);
        x += wide + kGap;
    }
    setImplicitHeight(cells_.empty() ? 0 : y + height);
    update();
    Q_EMIT currentCellChanged();
}

void TokenStripItem::paint(QPainter* painter) {
    const QRectF dirty = painter->hasClipping() ? painter->clipBoundingRect() : boundingRect();
    for (size_t i = 0; i < cells_.size(); ++i) {
        const QRectF& cell = cells_[i];
        if (!cell.intersects(dirty)) continue;
        const StripToken& token = strip_.tokens[i];
        painter->setPen(token.position == position_ ? text_ : line_);
        painter->setBrush(token.share > 0 ? QBrush(mappedColour(ColourMap::Heat, token.share * kTintShare, dark_))
                                          : QBrush(Qt::NoBrush));
        painter->drawRect(cell.adjusted(0, 0, -1, -1));
        painter->setFont(fontOf(token, font_));
        // The quiet colour can be read on the ground only.
        painter->setPen((token.thought || token.marker) && token.share <= 0 ? quiet_ : text_);
        painter->drawText(cell, Qt::AlignCenter, shown_[i]);
    }
}

void TokenStripItem::geometryChange(const QRectF& now, const QRectF& before) {
    QQuickPaintedItem::geometryChange(now, before);
    if (now.width() != before.width()) layOut();
}

void TokenStripItem::mousePressEvent(QMouseEvent* event) { event->setAccepted(indexAt(event->position()) >= 0); }

void TokenStripItem::mouseReleaseEvent(QMouseEvent* event) {
    const int index = indexAt(event->position());
    if (index < 0) return;
    forceActiveFocus(Qt::MouseFocusReason);
    Q_EMIT chosen(strip_.tokens[static_cast<size_t>(index)].position);
}

/// The first and the last key go to the ends of the strip; the strip itself moves on with the position.
void TokenStripItem::keyPressEvent(QKeyEvent* event) {
    if (strip_.tokens.empty() || event->modifiers() != Qt::NoModifier) return event->ignore();
    switch (event->key()) {
    case Qt::Key_Left:
        return chosen(position_ - 1);
    case Qt::Key_Right:
        return chosen(position_ + 1);
    case Qt::Key_Home:
        return chosen(strip_.tokens.front().position);
    case Qt::Key_End:
        return chosen(strip_.tokens.back().position);
    default:
        event->ignore();
    }
}

} // namespace coterie::app
