// SPDX-License-Identifier: Apache-2.0
// See icon_paths.h.
#include "look/icon_paths.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coterie::app {
namespace {

struct Drawing {
    const char* name;
    const char* path;
};

// clang-format off
constexpr Drawing kDrawings[] = {
    {"again", "M19 12a7 7 0 1 1 -2.2 -5.1M19.5 4v4.5H15"},
    {"arrowDown", "M12 5v14M6 13l6 6l6 -6"},
    {"arrowLeft", "M19 12H5M11 6l-6 6l6 6"},
    {"arrowUp", "M12 19V5M6 11l6 -6l6 6"},
    {"check", "M5 12.5l4.5 4.5L19 7.5"},
    {"chevronDown", "M6.5 9.5l5.5 5.5l5.5 -5.5"},
    {"chevronLeft", "M14.5 6.5l-5.5 5.5l5.5 5.5"},
    {"chevronRight", "M9.5 6.5l5.5 5.5l-5.5 5.5"},
    {"chevronUp", "M6.5 14.5l5.5 -5.5l5.5 5.5"},
    {"clip", "M18.5 11.5l-6.8 6.8a4.2 4.2 0 0 1 -6 -6l7.6 -7.6a2.8 2.8 0 0 1 4 4l-7.4 7.4a1.4 1.4 0 0 1 -2 -2l6.4 -6.4"},
    {"clock", "M12 20.5a8.5 8.5 0 1 1 0 -17a8.5 8.5 0 0 1 0 17zM12 7.5v4.7l3 2"},
    {"close", "M6.5 6.5l11 11M17.5 6.5l-11 11"},
    {"columns", "M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1v-11a1 1 0 0 1 1 -1zM12 5.5v13"},
    {"copy",
     "M10 9h8a1 1 0 0 1 1 1v9a1 1 0 0 1 -1 1h-8a1 1 0 0 1 -1 -1v-9a1 1 0 0 1 1 -1zM5.5 15"
     "a0.5 0.5 0 0 1 -0.5 -0.5V5a1 1 0 0 1 1 -1h8.5a0.5 0.5 0 0 1 0.5 0.5"},
    {"cube", "M12 3.5l7.5 4.2v8.6L12 20.5l-7.5 -4.2V7.7zM12 12l7.5 -4.3M12 12L4.5 7.7M12 12v8.5"},
    // Circles that the stroke fills: a dot that is two pixels wide at the smallest size is as dark as its colour.
    {"dots", "M5.3 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0zM11.3 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0z"
     "M17.3 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0z"},
    {"drop", "M12 4v10M8 10.5l4 4l4 -4M5 19.5h14"},
    {"expand", "M14 4.5h5.5V10M19 5l-6 6M10 19.5H4.5V14M5 19l6 -6"},
    {"export", "M12 15V4M7.5 8.5L12 4l4.5 4.5M5 14v5a1 1 0 0 0 1 1h12a1 1 0 0 0 1 -1v-5"},
    {"fork", "M7 20V4M7 14c0 -4 10 -2 10 -8M14 8.5l3 -3l3 3"},
    {"folder", "M3.5 18V6.5a1 1 0 0 1 1 -1H9l2 2.5h8.5a1 1 0 0 1 1 1V18a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1z"},
    {"minus", "M5 12h14"},
    {"more", "M4.8 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0zM11.3 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0z"
     "M17.8 12a0.7 0.7 0 1 1 1.4 0a0.7 0.7 0 1 1 -1.4 0z"},
    {"pause", "M9 6v12M15 6v12"},
    {"pencil", "M4 20l1 -4.5L15.5 5l3.5 3.5L8.5 19zM13 7.5l3.5 3.5"},
    {"pin", "M9 4h6l-0.7 6.5L17.5 14v0.8h-11V14l3.2 -3.5zM12 14.8V20.5"},
    {"play", "M8 5.5v13l10.5 -6.5z"},
    {"plus", "M12 5v14M5 12h14"},
    {"question",
     "M9 9.5a3 3 0 1 1 4.6 2.5c-1 0.7 -1.6 1.2 -1.6 2.5M12 17.4v0.2M12 21a9 9 0 1 1 0 -18a9 9 0 0 1 0 18z"},
    {"reset", "M5 4.5v4.5h4.5M5.3 9a7.5 7.5 0 1 1 -0.6 5"},
    {"search", "M11 18a7 7 0 1 1 0 -14a7 7 0 0 1 0 14zM16.2 16.2l4.3 4.3"},
    {"send", "M12 19V5M6 11l6 -6l6 6"},
    {"shield", "M12 3.5l7 2.8v5c0 4.7 -2.9 7.8 -7 9.2c-4.1 -1.4 -7 -4.5 -7 -9.2v-5zM9 12l2.2 2.2L15.2 10"},
    {"sidebar", "M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1v-11a1 1 0 0 1 1 -1zM9.5 5.5v13"},
    {"sliders",
     "M4 7h8M18 7h2M4 17h2M12 17h8M15 9.5a2.5 2.5 0 1 0 0 -5a2.5 2.5 0 0 0 0 5zM9 19.5"
     "a2.5 2.5 0 1 0 0 -5a2.5 2.5 0 0 0 0 5z"},
    {"sort", "M4.5 7h9M4.5 12h6M4.5 17h3.5M17 6v12M14 15l3 3l3 -3"},
    {"stop",
     "M7.5 7h9a0.5 0.5 0 0 1 0.5 0.5v9a0.5 0.5 0 0 1 -0.5 0.5h-9a0.5 0.5 0 0 1 -0.5 -0.5v-9"
     "a0.5 0.5 0 0 1 0.5 -0.5z"},
    {"table",
     "M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1v-11a1 1 0 0 1 1 -1zM3.5 10h17M3.5 14.2h17"
     "M9.5 10v8.5"},
    {"thought", "M9 16.5c0 -2.2 -2.7 -3 -2.7 -6.3a5.7 5.7 0 0 1 11.4 0c0 3.3 -2.7 4.1 -2.7 6.3zM9.7 20h4.6"},
    {"trash", "M4.5 7h15M10 7V4h4v3M6.5 7l1 13h9l1 -13M10 11v5M14 11v5"},
    {"undo", "M8.5 5L5 8.5l3.5 3.5M5 8.5h9.5a4.5 4.5 0 0 1 0 9H9"},
    {"wrap", "M4 6.5h16M4 17.5h5M4 12h13a2.75 2.75 0 0 1 0 5.5h-4M15 15l-2.5 2.5L15 20"},
    {"warning", "M12 4.5l8.5 15h-17zM12 10v4.5M12 17v0.2"},
};
// clang-format on

/// Reads numbers and commands one after the other.
class PathReader {
  public:
    explicit PathReader(const QString& text) : text_(text) {}

    QPainterPath read() {
        while (good_ && !atEnd()) {
            if (text_[at_].isLetter()) command_ = text_[at_++];
            step(command_.toLower(), command_.isLower() ? path_.currentPosition() : QPointF());
        }
        return path_;
    }

  private:
    bool atEnd() {
        while (at_ < text_.size() && (text_[at_].isSpace() || text_[at_] == u',')) ++at_;
        return at_ >= text_.size();
    }
    qreal number() {
        if (atEnd()) good_ = false;
        qsizetype end = at_;
        while (end < text_.size() && (text_[end].isDigit() || text_[end] == u'.' || (end == at_ && text_[end] == u'-')))
            ++end;
        bool isNumber = false;
        const qreal value = QStringView(text_).mid(at_, end - at_).toDouble(&isNumber);
        good_ = good_ && isNumber;
        at_ = end;
        return value;
    }
    QPointF point(QPointF from) {
        const qreal x = number();
        return from + QPointF(x, number());
    }
    /// Draws one command. from: the current point if its numbers are relative, else the origin.
    void step(QChar command, QPointF from) {
        const QPointF here = path_.currentPosition();
        switch (command.unicode()) {
        case u'm':
            path_.moveTo(point(from));
            command_ = command_.isLower() ? u'l' : u'L'; // further points are lines
            break;
        case u'l':
            path_.lineTo(point(from));
            break;
        case u'h':
            path_.lineTo(from.x() + number(), here.y());
            break;
        case u'v':
            path_.lineTo(here.x(), from.y() + number());
            break;
        case u'c': {
            const QPointF first = point(from), second = point(from);
            path_.cubicTo(first, second, point(from));
            break;
        }
        case u'a': {
            const qreal radius = number();
            number(); // the second radius is the same
            number(); // a circle has no rotation
            const bool large = number() != 0, clockwise = number() != 0;
            arc(radius, large, clockwise, point(from));
            break;
        }
        case u'z':
            path_.closeSubpath();
            command_ = QChar(); // no numbers may follow
            break;
        default:
            good_ = false;
        }
    }
    /// Draws the arc of a circle, as "Elliptical arc implementation notes" of the SVG standard computes it.
    void arc(qreal radius, bool large, bool clockwise, QPointF end) {
        const QPointF begin = path_.currentPosition();
        const QPointF half = (begin - end) / 2;
        const qreal square = QPointF::dotProduct(half, half);
        if (square == 0) return;
        const qreal r = std::max(radius, std::sqrt(square));
        const qreal away = std::sqrt(std::max(0.0, r * r - square) / square) * (large == clockwise ? -1 : 1);
        const QPointF centre = (begin + end) / 2 + QPointF(half.y(), -half.x()) * away;
        const auto angle = [&](QPointF at) { return std::atan2(at.y() - centre.y(), at.x() - centre.x()); };
        constexpr qreal kTurn = 2 * std::numbers::pi;
        qreal turn = angle(end) - angle(begin);
        if (clockwise && turn < 0) turn += kTurn;
        if (!clockwise && turn > 0) turn -= kTurn;
        // Angles of SVG grow clockwise, those of QPainterPath the other way.
        const qreal degrees = 360 / kTurn;
        path_.arcTo(QRectF(centre - QPointF(r, r), QSizeF(2 * r, 2 * r)), -angle(begin) * degrees, -turn * degrees);
    }

    const QString& text_;
    qsizetype at_ = 0;
    QChar command_;
    bool good_ = true;
    QPainterPath path_;
};

} // namespace

QPainterPath readPath(const QString& description) { return PathReader(description).read(); }

QPainterPath iconPath(const QString& name) {
    static const QHash<QString, QPainterPath> kPaths = [] {
        QHash<QString, QPainterPath> paths;
        for (const Drawing& drawing : kDrawings)
            paths.insert(QString::fromLatin1(drawing.name), readPath(QString::fromLatin1(drawing.path)));
        return paths;
    }();
    return kPaths.value(name);
}

} // namespace coterie::app
