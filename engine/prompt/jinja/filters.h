// SPDX-License-Identifier: Apache-2.0
// The two tables that findFilter() looks into.
#pragma once

#include "prompt/jinja/native.h"

#include <span>

namespace coterie::engine::jinja {

/// Filters that make a text or a number.
std::span<const Native> textFilters();
/// Filters over lists and dicts.
std::span<const Native> sequenceFilters();

} // namespace coterie::engine::jinja
