// SPDX-License-Identifier: Apache-2.0
// Reads calls of tools, in each form that models write them in, while they are written. A reader sees one call, or
// several in one pair of markers, from the opening marker on. It says when the call is whole, which is where its JSON
// or its last tag ends, or that it is none. It looks at each byte a bounded number of times.
#pragma once

#include "prompt/answer_forms.h"
#include "prompt/calls/tool_calls.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

class CallReader {
  public:
    enum class Found { Unfinished, Whole, NoCall };

    virtual ~CallReader() = default;
    /// text: the answer from the opening marker on; the same as before, with more at its end.
    virtual Found read(std::string_view text, bool atEnd) = 0;
    /// Says that the text ends because the answer was cut off: then the end of the text closes nothing, since the last
    /// value may be half of one. Call it before the read() at the end.
    void cutOff() { cut_ = true; }
    /// Whole: bytes of the call with its markers. NoCall: bytes after which this was clear.
    size_t end() const { return at_; }
    /// NoCall: bytes from the opening marker on in which no other call begins; 0 if nothing is known of them.
    size_t plain() const { return plain_; }
    /// The calls, once they are whole.
    std::vector<ToolCall> take() { return std::move(calls_); }

  protected:
    bool cut_ = false; ///< see cutOff()
    size_t at_ = 0, plain_ = 0;
    std::vector<ToolCall> calls_{};
};

/// A marker that opens calls, and the forms that it may open.
struct CallMarker {
    std::string_view open;
    std::string_view close; ///< empty: the calls end by themselves, or with the answer
    FormSet<CallForm> forms;
};
std::span<const CallMarker> callMarkers();
/// Whether this is a marker within calls of these forms, such as "[ARGS]".
bool isInnerMarker(std::string_view text, FormSet<CallForm> forms);

/// A reader of the calls that `marker` opens, in one of `forms`. Both `marker` and `tools` outlive it.
std::unique_ptr<CallReader> readerFor(const CallMarker& marker, FormSet<CallForm> forms, const OfferedTools& tools);
/// A reader of JSON calls that are the whole rest of the answer, without a marker.
std::unique_ptr<CallReader> bareReader(const OfferedTools& tools);

} // namespace coterie::engine
