// SPDX-License-Identifier: Apache-2.0
// Any bytes as a formula of a model: it is refused, or it is laid out, drawn and said. Its size stays within what its
// length can make.
#include "fuzz_application.h"
#include "text/math/math_formula.h"
#include "text/math/math_parser.h"

#include <QImage>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace coterie::app;

namespace {

constexpr qreal kLargest = 1e6; ///< px; 4,096 of the widest nodes need less

/// Lays the formula out and draws it, on a line of its own or not.
void show(const MathFormula& formula, bool display) {
    QFont font;
    font.setPixelSize(15);
    const MathSize room = formula.size(font, display);
    if (!(room.width >= 0 && room.width < kLargest && room.ascent + room.descent < kLargest)) std::abort();
    QImage image(64, 64, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    formula.draw(painter, {0, 32}, font, display);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    startApplication([] { show(*MathFormula::parse(QStringLiteral("x")), true); });
    const QString source = QString::fromUtf8(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const std::optional<MathFormula> formula = MathFormula::parse(source);
    if (!formula) return 0;
    if (source.size() > kMathMaxLength) std::abort();
    for (const bool display : {true, false}) show(*formula, display);
    (void)formula->spoken();
    return 0;
}
