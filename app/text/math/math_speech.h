// SPDX-License-Identifier: Apache-2.0
// A formula in words, for screen readers. The words follow the order of reading; where a listener could not hear an
// end, it is said ("end root").
#pragma once

#include "text/math/math_node.h"

namespace coterie::app {

QString spokenMath(const MathNode& root);

} // namespace coterie::app
