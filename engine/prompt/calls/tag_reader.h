// SPDX-License-Identifier: Apache-2.0
// Calls in tags: a tag names the tool, and each argument has tags of its own. Values hold any text, other tags
// included.
#pragma once

#include "prompt/calls/call_reader.h"

#include <memory>

namespace coterie::engine {

/// form: FunctionTags, SeedTags, InvokeTags or ArgumentTags. Both `marker` and `tools` outlive the reader.
std::unique_ptr<CallReader> tagReader(const CallMarker& marker, CallForm form, const OfferedTools& tools);

} // namespace coterie::engine
