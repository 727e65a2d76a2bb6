// SPDX-License-Identifier: Apache-2.0
// Reads LaTeX into the tree of a formula. The source comes from a model, so that all that it can make large is limited
// here. Time is linear in the length of the source.
#pragma once

#include "text/math/math_node.h"

#include <QStringView>

#include <optional>

namespace coterie::app {

inline constexpr qsizetype kMathMaxLength = 8192; ///< characters of source; a long derivation has about 2,000
inline constexpr int kMathMaxNodes = 4096;
inline constexpr int kMathMaxDepth = 64;   ///< a nested fraction takes three: command, argument, row
inline constexpr int kMathMaxColumns = 64; ///< columns that a table may have

/// Returns nothing if the source has a mistake, is outside the listed set, or exceeds a limit.
std::optional<MathNode> parseMath(QStringView source);

} // namespace coterie::app
