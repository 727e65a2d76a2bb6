// SPDX-License-Identifier: Apache-2.0
// Checks the places of what a window shows: no two texts overlap, no text is cut without an ellipsis, and nothing lies
// outside a parent that lays it out or cuts it off. window_checks.h has the checks of names, roles and translations.
#pragma once

#include <QColor>
#include <QQuickItem>
#include <QQuickWindow>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace coterie::tests {

/// Walks the items of a window in the order in which they are painted. Use: TextChecks(window).findings()
class TextChecks {
  public:
    explicit TextChecks(QQuickWindow* window) {
        QQuickItem* top = window->contentItem();
        while (top->parentItem()) top = top->parentItem();
        const QRectF all(QPointF(), QSizeF(window->size()));
        walk(top, {.seen = all, .room = all});
    }

    QStringList findings() {
        for (size_t b = 0; b < texts_.size(); ++b)
            for (size_t a = 0; a < b; ++a) compare(texts_[a], texts_[b]);
        findings_.removeDuplicates();
        return findings_;
    }

  private:
    static constexpr double kSlack = 1; ///< pixels that rounding may cost

    static constexpr double kMargin = 8;   ///< Style.small
    static constexpr int kManyLines = 100; ///< a text with fewer has a limit

    struct Frame {
        QRectF seen; ///< the part of the scene that no parent cuts off
        QRectF room; ///< the same, with what can be scrolled into view
        double opacity = 1;
    };
    struct Text {
        QRectF place; ///< in the scene, without what is cut off
        size_t order = 0;
        QString words;
    };
    struct Cover {
        QRectF place;
        size_t order = 0;
    };

    static QRectF sceneRect(const QQuickItem* item, const QRectF& rect) { return item->mapRectToScene(rect); }
    static QRectF sceneRect(const QQuickItem* item) {
        return sceneRect(item, QRectF(0, 0, item->width(), item->height()));
    }
    static bool inheritsAny(const QObject* item, std::initializer_list<const char*> types) {
        return std::any_of(types.begin(), types.end(), [item](const char* type) { return item->inherits(type); });
    }
    static bool sticksOut(const QRectF& inner, const QRectF& outer) {
        return inner.left() < outer.left() - kSlack || inner.top() < outer.top() - kSlack ||
               inner.right() > outer.right() + kSlack || inner.bottom() > outer.bottom() + kSlack;
    }
    /// Type, words and place in the window.
    static QString nameOf(const QQuickItem* item) {
        constexpr qsizetype kMost = 40;
        const QString words = item->property("text").toString().simplified().left(kMost);
        const QString type = QString::fromLatin1(item->metaObject()->className()).section(QLatin1String("_QML"), 0, 0);
        const QRectF at = sceneRect(item);
        const QString place =
            QStringLiteral(" (%1, %2, %3 x %4)").arg(at.x()).arg(at.y()).arg(at.width()).arg(at.height());
        return (words.isEmpty() ? type : QStringLiteral("%1 \"%2\"").arg(type, words)) + place;
    }

    void walk(QQuickItem* item, const Frame& around) {
        if (!item->isVisible()) return;
        Frame frame = around;
        frame.opacity *= item->opacity();
        if (frame.opacity <= 0) return;
        QList<QQuickItem*> children = item->childItems();
        std::stable_sort(children.begin(), children.end(),
                         [](const QQuickItem* a, const QQuickItem* b) { return a->z() < b->z(); });
        const auto inFront =
            std::find_if(children.begin(), children.end(), [](auto* child) { return child->z() >= 0; });
        const Frame inside = insideOf(item, frame);
        for (auto child = children.begin(); child != inFront; ++child) walk(*child, inside);
        look(item, frame);
        for (auto child = inFront; child != children.end(); ++child) walk(*child, inside);
    }

    /// The frame that the children of an item may use.
    static Frame insideOf(const QQuickItem* item, Frame frame) {
        if (!item->clip()) return frame;
        const QRectF own = sceneRect(item);
        frame.seen &= own;
        if (!item->inherits("QQuickFlickable")) {
            frame.room &= own;
            return frame;
        }
        const auto number = [item](const char* name) { return item->property(name).toDouble(); };
        const auto* content = item->property("contentItem").value<QQuickItem*>();
        const QRectF all = sceneRect(
            content, QRectF(number("originX"), number("originY"), number("contentWidth"), number("contentHeight")));
        const bool across = number("contentWidth") > item->width(), down = number("contentHeight") > item->height();
        // Apart for both directions: a view may have no height while a question needs all of it.
        const QRectF room = frame.room;
        frame.room.setLeft(across ? all.left() : std::max(room.left(), own.left()));
        frame.room.setRight(across ? all.right() : std::min(room.right(), own.right()));
        frame.room.setTop(down ? all.top() : std::max(room.top(), own.top()));
        frame.room.setBottom(down ? all.bottom() : std::min(room.bottom(), own.bottom()));
        return frame;
    }

    void look(const QQuickItem* item, const Frame& frame) {
        ++order_;
        if (item->width() > 0 && item->height() > 0) checkParent(item);
        if (item->inherits("QQuickRectangle") && frame.opacity >= 1 &&
            item->property("color").value<QColor>().alpha() == 255)
            covers_.push_back({.place = sceneRect(item) & frame.seen, .order = order_});
        // The body of a message is left out: it keeps room in its text for labels, which are items in it.
        const bool text = item->inherits("QQuickText");
        if (text ? !item->property("text").toString().isEmpty() : item->inherits("coterie::app::FiguresItem"))
            checkText(item, frame, text);
    }

    void checkText(const QQuickItem* item, const Frame& frame, bool text) {
        const QRectF place = sceneRect(item, text ? item->boundingRect() : QRectF(0, 0, item->width(), item->height()));
        if (const QRectF seen = place & frame.seen; !seen.isEmpty())
            texts_.push_back({.place = seen, .order = order_, .words = nameOf(item)});
        if (!text) return;
        const auto number = [item](const char* name) { return item->property(name).toDouble(); };
        // A negative padding lets a text stand close to its neighbour.
        const double width = item->width() - number("leftPadding") - number("rightPadding");
        const double height = item->height() - number("topPadding") - number("bottomPadding");
        if (number("contentWidth") > width + kSlack || number("contentHeight") > height + kSlack)
            findings_.append(nameOf(item) + QStringLiteral(" is larger than its place"));
        const int lines = item->property("maximumLineCount").toInt();
        if (item->property("truncated").toBool() && lines < kManyLines && item->property("lineCount").toInt() < lines)
            findings_.append(nameOf(item) + QStringLiteral(" ends before its last line"));
        if (sticksOut(place, frame.room)) findings_.append(nameOf(item) + QStringLiteral(" is cut off"));
    }

    /// A layout gives its children their places, so one outside shows that it is wrong.
    void checkParent(const QQuickItem* item) {
        const QQuickItem* parent = item->parentItem();
        if (!parent || item->inherits("QQuickRepeater")) return;
        const bool lays = inheritsAny(parent, {"QQuickLayout", "QQuickBasePositioner"});
        if (!lays && (!parent->clip() || parent->inherits("QQuickFlickable"))) return;
        const QRectF place(item->x(), item->y(), item->width(), item->height());
        // A button or a list may stick out a little: its icon or text, and not its edge, then lines up with the others.
        const double less = lays ? kMargin : 0;
        if (sticksOut(place.adjusted(less, less, -less, -less), QRectF(0, 0, parent->width(), parent->height())))
            findings_.append(QStringLiteral("%1 lies outside %2").arg(nameOf(item), nameOf(parent)));
    }

    /// Two texts may stand at one place if something opaque is painted between them, such as the ground of a menu.
    void compare(const Text& below, const Text& above) {
        const QRectF both = below.place & above.place;
        if (both.width() <= kSlack || both.height() <= kSlack) return;
        for (const Cover& cover : covers_)
            if (cover.order > below.order && cover.order < above.order && !sticksOut(both, cover.place)) return;
        findings_.append(QStringLiteral("%1 overlaps %2").arg(below.words, above.words));
    }

    std::vector<Text> texts_;
    std::vector<Cover> covers_;
    size_t order_ = 0;
    QStringList findings_;
};

/// Returns one line for each text that overlaps another or is cut, and for each item outside its parent.
inline QStringList textFindings(QQuickWindow* window) { return TextChecks(window).findings(); }

} // namespace coterie::tests
