// SPDX-License-Identifier: Apache-2.0
// Where memory runs out in a small container deep inside, the exception ends here and becomes an error.
#pragma once

#include "base/result.h"

#include <new>
#include <system_error>

namespace coterie::engine {

/// Calls `body`, which returns a Result. std::bad_alloc and a system that refuses a thread become OutOfMemory; nothing
/// else is caught.
template <typename Body>
auto guarded(const Body& body) -> decltype(body()) {
    Sentence why = "The system has no memory left";
    try {
        return body();
    } catch (const std::bad_alloc&) { // nothing to do but tell
    } catch (const std::system_error&) {
        why = "The system refused a thread";
    }
    return Error{ErrorKind::OutOfMemory, "The engine could not go on", why,
                 "Close other programs, or choose a smaller model or context"};
}

} // namespace coterie::engine
