// SPDX-License-Identifier: Apache-2.0
// See tip_place.h. Content has ranks: that of buttons which are offered for a short time; that of the control's row and
// the buttons next to the control, which no tip should cover either; that of what is around the row, such as the
// message whose button it is; and everything else.
#include "look/tip_place.h"

#include "look/figures_item.h"
#include "look/marked_text_item.h"
#include "text/message_text.h"

#include <QCoreApplication>
#include <QQuickWindow>
#include <QSinglePointEvent>

#include <algorithm>
#include <array>
#include <vector>

namespace coterie::app {
namespace {

constexpr size_t kRanks = 4;
/// An item with this property, set to true, keeps tips away from its buttons.
constexpr const char* kKeepsTipsAway = "keepsTipsAway";

/// The area that a tip would cover, by rank. The first difference decides which of two is less.
using Covered = std::array<qreal, kRanks>;

/// A place for the tip, in the scene.
struct Place {
    QRectF rect;
    bool fits = false; ///< there is room on this side of the control
};

/// A part of the window that people read or click.
struct Content {
    const QQuickItem* item = nullptr;
    QRectF place;    ///< in the scene, as far as it is seen
    size_t rank = 0; ///< 0 counts most
};

QRectF placeInScene(const QQuickItem& item) { return item.mapRectToScene(QRectF(0, 0, item.width(), item.height())); }

/// Qt's controls and texts have no public types, so these are known by their names.
bool isButton(const QQuickItem& item) { return item.inherits("QQuickAbstractButton"); }

bool isTextOfQt(const QQuickItem& item) {
    return item.inherits("QQuickText") || item.inherits("QQuickTextInput") || item.inherits("QQuickTextEdit");
}

/// Whether the item has one text, which its property has.
bool isText(const QQuickItem& item) {
    return isTextOfQt(item) || qobject_cast<const FiguresItem*>(&item) || qobject_cast<const MarkedTextItem*>(&item);
}

/// Menus and tips are in the overlay.
bool isOverlay(const QQuickItem& item) { return item.inherits("QQuickOverlay"); }

/// Whether people read the item or click it.
bool isContent(const QQuickItem& item) {
    return isButton(item) || qobject_cast<const MessageText*>(&item) ||
           (isText(item) && !item.property("text").toString().isEmpty());
}

/// Adds the content under an item, as far as it is seen. Menus and tips do not count. inBar: the item is in one that
/// keeps tips away.
void addContent(const QQuickItem& item, const QRectF& around, bool inBar, std::vector<Content>& found) {
    if (!item.isVisible() || item.opacity() <= 0 || isOverlay(item)) return;
    const bool kept = inBar || item.property(kKeepsTipsAway).toBool();
    const QRectF seen = item.clip() ? around & placeInScene(item) : around;
    if (seen.isEmpty()) return;
    if (isContent(item)) {
        const QRectF place = item.mapRectToScene(item.boundingRect()) & seen;
        const size_t rank = kept && isButton(item) ? 0 : kRanks - 1;
        if (!place.isEmpty()) found.push_back({.item = &item, .place = place, .rank = rank});
    }
    for (const QQuickItem* const child : item.childItems()) addContent(*child, seen, kept, found);
}

bool holds(const QQuickItem* outer, const QQuickItem* inner) { return outer == inner || outer->isAncestorOf(inner); }

/// Returns the nearest parent of an item that has content which the item has not; null if there is none.
const QQuickItem* surroundingsOf(const QQuickItem* item, const std::vector<Content>& content) {
    for (const QQuickItem* around = item ? item->parentItem() : nullptr; around; around = around->parentItem()) {
        const bool more = std::any_of(content.begin(), content.end(), [&](const Content& each) {
            return holds(around, each.item) && !holds(item, each.item);
        });
        if (more) return around;
    }
    return nullptr;
}

void rank(const QQuickItem& control, std::vector<Content>& content) {
    const QQuickItem* const row = surroundingsOf(&control, content);
    const QQuickItem* const around = surroundingsOf(row, content);
    const qreal reach = std::min(control.width(), control.height());
    const QRectF beside = placeInScene(control).adjusted(-reach, -reach, reach, reach);
    for (Content& each : content) {
        if (each.rank == 0) continue;
        if ((row && holds(row, each.item)) || (isButton(*each.item) && beside.intersects(each.place)))
            each.rank = 1;
        else if (around && holds(around, each.item))
            each.rank = 2;
    }
}

Covered coveredBy(const QRectF& tip, const std::vector<Content>& content) {
    Covered covered{};
    for (const Content& each : content) {
        const QRectF both = each.place & tip;
        covered[each.rank] += both.width() * both.height();
    }
    return covered;
}

/// Returns the beginning of a length that is to begin at `wanted`, but stays between two edges.
qreal between(qreal wanted, qreal length, qreal first, qreal last) {
    return std::max(first, std::min(wanted, last - length));
}

/// Returns the places beside a control in the order of preference. On each side, the tip may be in the middle, or in
/// line with one of the control's two edges.
std::vector<Place> placesBeside(const QRectF& control, const QSizeF& size, qreal gap, const QRectF& room) {
    const auto x = [&](qreal wanted) { return between(wanted, size.width(), room.left(), room.right()); };
    const auto y = [&](qreal wanted) { return between(wanted, size.height(), room.top(), room.bottom()); };
    const std::array xs{x(control.center().x() - size.width() / 2), x(control.left()),
                        x(control.right() - size.width())};
    const std::array ys{y(control.center().y() - size.height() / 2), y(control.top()),
                        y(control.bottom() - size.height())};
    std::vector<Place> places;
    for (size_t i = 0; i < xs.size(); ++i) {
        const QRectF above(QPointF(xs[i], control.top() - gap - size.height()), size);
        const QRectF below(QPointF(xs[i], control.bottom() + gap), size);
        const QRectF right(QPointF(control.right() + gap, ys[i]), size);
        const QRectF left(QPointF(control.left() - gap - size.width(), ys[i]), size);
        places.push_back({above, above.top() >= room.top()});
        places.push_back({below, below.bottom() <= room.bottom()});
        places.push_back({right, right.right() <= room.right()});
        places.push_back({left, left.left() >= room.left()});
    }
    return places;
}

} // namespace

TipPlace::TipPlace(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

/// Qt finds items that came under a resting pointer with the next picture, not while an event of the pointer is
/// handled.
bool TipPlace::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::MouseMove && event->type() != QEvent::Enter) return false;
    if (!event->isSinglePointEvent() || !qobject_cast<QQuickWindow*>(watched)) return false;
    window_ = watched;
    pointer_ = static_cast<QSinglePointEvent*>(event)->scenePosition();
    moving_ = true;
    QMetaObject::invokeMethod(
        this, [this] { moving_ = false; }, Qt::QueuedConnection);
    Q_EMIT pointerMoved();
    return false;
}

bool TipPlace::cameUnderPointer(QQuickItem* control) const {
    if (moving_ || !control || control->hasActiveFocus() || control->window() != window_.data()) return false;
    return control->contains(control->mapFromScene(pointer_));
}

QPointF TipPlace::beside(QQuickItem* control, QSizeF size, qreal gap, qreal margin) const {
    const QQuickWindow* const window = control ? control->window() : nullptr;
    if (!window) return {};
    const QRectF all(QPointF(), QSizeF(window->size()));
    const QRectF room = all.adjusted(margin, margin, -margin, -margin);
    std::vector<Content> content;
    addContent(*window->contentItem(), all, false, content);
    rank(*control, content);
    const std::vector<Place> places = placesBeside(placeInScene(*control), size, gap, room);
    const Place* best = nullptr;
    Covered least{};
    for (const Place& place : places) {
        if (!place.fits) continue;
        const Covered covered = coveredBy(place.rect, content);
        if (best && covered >= least) continue;
        best = &place;
        least = covered;
    }
    const Place& below = places[1]; // it is taken if no side has room
    return control->mapFromScene((best ? *best : below).rect.topLeft());
}

bool TipPlace::inView(QQuickItem* control) const {
    if (!control || !control->isVisible()) return false;
    QRectF seen = placeInScene(*control);
    for (const QQuickItem* up = control->parentItem(); up; up = up->parentItem())
        if (up->clip()) seen &= placeInScene(*up);
    return !seen.isEmpty();
}

} // namespace coterie::app
