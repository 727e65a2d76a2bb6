// SPDX-License-Identifier: Apache-2.0
// See tip_place.h. Qt's own items have no public types, so they are known by their names.
#include "look/tip_place.h"

#include <QQuickWindow>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace coterie::app {
namespace {

struct Side {
    QRectF place; ///< in the scene
    bool fits = false;
};

QRectF placeInScene(const QQuickItem& item) { return item.mapRectToScene(QRectF(0, 0, item.width(), item.height())); }

/// Whether people read the item or click it.
bool isContent(const QQuickItem& item) {
    constexpr std::array kTexts{"QQuickText", "QQuickTextInput", "QQuickTextEdit", "coterie::app::FiguresItem",
                                "coterie::app::MarkedTextItem"};
    if (item.inherits("QQuickAbstractButton") || item.inherits("coterie::app::MessageText")) return true;
    return std::any_of(kTexts.begin(), kTexts.end(), [&](const char* type) { return item.inherits(type); }) &&
           !item.property("text").toString().isEmpty();
}

/// Adds the places of the content under an item, as far as they are seen. Menus and tips do not count.
void addContent(const QQuickItem& item, const QRectF& around, std::vector<QRectF>& found) {
    if (!item.isVisible() || item.opacity() <= 0 || item.inherits("QQuickOverlay")) return;
    const QRectF seen = item.clip() ? around & placeInScene(item) : around;
    if (seen.isEmpty()) return;
    if (isContent(item)) {
        const QRectF place = item.mapRectToScene(item.boundingRect()) & seen;
        if (!place.isEmpty()) found.push_back(place);
    }
    for (const QQuickItem* const child : item.childItems()) addContent(*child, seen, found);
}

/// Returns the beginning of a length that is to begin at `wanted`, but stays between two edges.
qreal between(qreal wanted, qreal length, qreal first, qreal last) {
    return std::max(first, std::min(wanted, last - length));
}

/// Returns the sides of a control in the order of preference.
std::array<Side, 4> sidesOf(const QRectF& control, const QSizeF& size, qreal gap, const QRectF& room) {
    const qreal x = between(control.center().x() - size.width() / 2, size.width(), room.left(), room.right());
    const qreal y = between(control.center().y() - size.height() / 2, size.height(), room.top(), room.bottom());
    const QRectF above(QPointF(x, control.top() - gap - size.height()), size);
    const QRectF below(QPointF(x, control.bottom() + gap), size);
    const QRectF right(QPointF(control.right() + gap, y), size);
    const QRectF left(QPointF(control.left() - gap - size.width(), y), size);
    return {Side{above, above.top() >= room.top()}, Side{below, below.bottom() <= room.bottom()},
            Side{right, right.right() <= room.right()}, Side{left, left.left() >= room.left()}};
}

} // namespace

QPointF TipPlace::beside(QQuickItem* control, QSizeF size, qreal gap, qreal margin) const {
    const QQuickWindow* const window = control ? control->window() : nullptr;
    if (!window) return {};
    const QRectF all(QPointF(), QSizeF(window->size()));
    const std::array<Side, 4> sides =
        sidesOf(placeInScene(*control), size, gap, all.adjusted(margin, margin, -margin, -margin));
    std::vector<QRectF> content;
    addContent(*window->contentItem(), all, content);
    const Side* best = nullptr;
    qreal least = 0;
    for (const Side& side : sides) {
        if (!side.fits) continue;
        const qreal covered =
            std::accumulate(content.begin(), content.end(), qreal(0), [&](qreal sum, const QRectF& place) {
                const QRectF both = place & side.place;
                return sum + both.width() * both.height();
            });
        if (best && covered >= least) continue;
        best = &side;
        least = covered;
    }
    return control->mapFromScene((best ? *best : sides[1]).place.topLeft());
}

bool TipPlace::inView(QQuickItem* control) const {
    if (!control || !control->isVisible()) return false;
    QRectF seen = placeInScene(*control);
    for (const QQuickItem* up = control->parentItem(); up; up = up->parentItem())
        if (up->clip()) seen &= placeInScene(*up);
    return !seen.isEmpty();
}

} // namespace coterie::app
