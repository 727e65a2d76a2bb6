// SPDX-License-Identifier: Apache-2.0
// Reads calls as Gemma 4 writes them: call:NAME{key:<|"|>text<|"|>,other:{inner:[1,true]}}. Keys stand bare or between
// the same quotes. Source: "Function calling with Gemma 4" of Google's documentation for Gemma.
#pragma once

#include "prompt/json_text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

/// Stands before and after each text of a call. It is a token of its own, so texts hold quotes and backslashes as they
/// are.
constexpr std::string_view kGemmaQuote = "<|\"|>";

struct GemmaCall {
    std::string name{};
    JsonText arguments{}; ///< an object; numbers keep their digits
};

/// Reads one whole call, from "call:" to its last brace, with white space around it. A value without quotes that is
/// neither a number nor true, false or null is a text, up to the next comma or bracket.
std::optional<GemmaCall> gemmaCall(std::string_view source);

/// Finds the last brace of a call in a text that is still written: brackets and markers within a text don't count.
/// Looks at each byte once.
class GemmaScanner {
  public:
    enum class Found { Unfinished, Whole, LacksBrace, Wrong };

    /// marker: ends the call where its last brace is missing.
    GemmaScanner(size_t begin, std::string_view marker) : at_(begin), marker_(marker) {}
    /// text: the same as before, with more at its end.
    Found scan(std::string_view text, bool atEnd);
    /// Whole: the end of the call. LacksBrace: the marker's beginning, or the end of the text.
    size_t at() const { return at_; }

  private:
    size_t at_;
    std::string_view marker_;
    bool quoted_ = false;
    int64_t depth_ = 0;
};

} // namespace coterie::engine
