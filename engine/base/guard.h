// SPDX-License-Identifier: Apache-2.0
// Turns exceptions into errors at a border: small containers throw when memory runs out, and borders return errors.
#pragma once

#include "base/result.h"

#include <new>
#include <system_error>

namespace coterie::engine {

/// Calls `body`, which returns a Result. std::bad_alloc and a system that refuses a thread become OutOfMemory; nothing
/// else is caught.
template <typename Body>
auto guarded(const Body& body, const Sentence& what = "The engine could not go on") -> decltype(body()) {
    Sentence why = "The system has no memory left";
    try {
        return body();
    } catch (const std::bad_alloc&) { // the error below reports it
    } catch (const std::system_error&) {
        why = "The system refused a thread";
    }
    return Error{ErrorKind::OutOfMemory, what, why, "Close other programs, or choose a smaller model or context"};
}

} // namespace coterie::engine
