// SPDX-License-Identifier: Apache-2.0
// See math_formula.h.
#include "text/math/math_formula.h"

#include "text/math/math_layout.h"
#include "text/math/math_parser.h"
#include "text/math/math_speech.h"

#include <utility>

namespace coterie::app {

MathFormula::MathFormula(MathNode root) : root_(std::make_shared<const MathNode>(std::move(root))) {}

std::optional<MathFormula> MathFormula::parse(const QString& source) {
    std::optional<MathNode> root = parseMath(source);
    if (!root) return std::nullopt;
    return MathFormula(std::move(*root));
}

MathSize MathFormula::size(const QFont& body, bool display) const { return picture(body, display).size(); }

void MathFormula::draw(QPainter& painter, QPointF baselineLeft, const QFont& body, bool display) const {
    picture(body, display).draw(painter, baselineLeft);
}

QString MathFormula::spoken() const { return spokenMath(*root_); }

const MathPicture& MathFormula::picture(const QFont& body, bool display) const {
    if (!picture_ || pictureDisplay_ != display || pictureFont_ != body) {
        const std::shared_ptr<const MathFont> font = MathFont::of(body);
        picture_ = std::make_shared<const MathPicture>(MathLayout(*font).layOut(*root_, display));
        pictureFont_ = body;
        pictureDisplay_ = display;
    }
    return *picture_;
}

} // namespace coterie::app
