// SPDX-License-Identifier: Apache-2.0
// See math_picture.h. Baselines and lines are moved to whole pixels of the device, which keeps them sharp at any scale;
// nothing is moved from left to right.
#include "text/math/math_picture.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr qreal kMargin = 0.5;   ///< px at the left and the right, for what pixels that are partly covered add
constexpr qreal kMarginUp = 1.0; ///< px above and below, where moving to whole pixels and hinting add half of one each

/// The way from places in the formula to pixels of the device, and back.
class Pixels {
  public:
    explicit Pixels(const QPainter& painter) : to_(painter.deviceTransform()) {
        straight_ = to_.type() <= QTransform::TxScale && to_.m22() > 0 && to_.m11() > 0;
    }

    qreal wholeY(qreal y) const {
        return straight_ ? (std::round(y * to_.m22() + to_.dy()) - to_.dy()) / to_.m22() : y;
    }
    qreal wholeX(qreal x) const {
        return straight_ ? (std::round(x * to_.m11() + to_.dx()) - to_.dx()) / to_.m11() : x;
    }
    /// A thickness of at least one pixel.
    qreal thickness(qreal length) const {
        return straight_ ? std::max(1.0, std::round(length * to_.m22())) / to_.m22() : length;
    }

  private:
    QTransform to_;
    bool straight_ = false;
};

QGlyphRun runOf(const GlyphInk& glyph) {
    QGlyphRun run;
    run.setRawFont(glyph.font);
    run.setGlyphIndexes({glyph.index});
    run.setPositions({QPointF(0, 0)});
    return run;
}

void drawRule(QPainter& painter, const Pixels& pixels, QPointF at, QSizeF size) {
    const bool across = size.width() >= size.height();
    const qreal height = across ? pixels.thickness(size.height()) : size.height();
    const qreal width = across ? size.width() : pixels.thickness(size.width());
    const qreal x = across ? at.x() : pixels.wholeX(at.x());
    painter.fillRect(QRectF(x, pixels.wholeY(at.y()), width, height), painter.pen().color());
}

} // namespace

void MathBox::put(MathBox box, qreal x, qreal up) {
    ascent = std::max(ascent, box.ascent + up);
    descent = std::max(descent, box.descent - up);
    parts.emplace_back(QPointF(x, -up), std::move(box));
}

void MathBox::append(MathBox box) {
    const qreal x = width;
    width += box.width;
    put(std::move(box), x, 0);
}

void MathBox::addRule(const QRectF& rule) {
    inks.push_back(
        {.what = RuleInk{.size = rule.size()}, .at = rule.topLeft(), .covers = QRectF(QPointF(0, 0), rule.size())});
    ascent = std::max(ascent, -rule.top());
    descent = std::max(descent, rule.bottom());
}

MathPicture::MathPicture(MathBox box) {
    flatten(box, {0, 0});
    QRectF covered(0, -box.ascent, box.width, box.height());
    qreal left = kMargin;
    for (const MathInk& ink : inks_) {
        const QRectF place = ink.covers.translated(ink.at);
        if (place.isEmpty()) continue;
        covered |= place;
        left = std::min(left, place.left());
    }
    left_ = std::max(0.0, std::ceil(kMargin - left));
    size_ = {.width = std::ceil(left_ + covered.right() + kMargin),
             .ascent = std::ceil(-covered.top() + kMarginUp),
             .descent = std::max(0.0, std::ceil(covered.bottom() + kMarginUp))};
}

void MathPicture::flatten(MathBox& box, QPointF at) {
    for (MathInk& ink : box.inks) {
        ink.at += at;
        inks_.push_back(std::move(ink));
    }
    for (auto& [place, part] : box.parts) flatten(part, at + place);
}

void MathPicture::draw(QPainter& painter, QPointF baselineLeft) const {
    const Pixels pixels(painter);
    const QPointF origin = baselineLeft + QPointF(left_, 0);
    const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const MathInk& ink : inks_) {
        const QPointF at = ink.at + origin;
        const QPointF sharp(at.x(), pixels.wholeY(at.y()));
        if (const auto* glyph = std::get_if<GlyphInk>(&ink.what)) {
            painter.drawGlyphRun(sharp, runOf(*glyph));
        } else if (const auto* run = std::get_if<RunInk>(&ink.what)) {
            painter.drawGlyphRun(sharp, run->run);
        } else if (const auto* rule = std::get_if<RuleInk>(&ink.what)) {
            drawRule(painter, pixels, at, rule->size);
        } else if (const auto* outline = std::get_if<OutlineInk>(&ink.what)) {
            const qreal ruleTop = at.y() + outline->ruleTop;
            const QPointF moved(at.x(), at.y() + pixels.wholeY(ruleTop) - ruleTop);
            painter.fillPath(outline->path.translated(moved), painter.pen().color());
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, smooth);
}

} // namespace coterie::app
