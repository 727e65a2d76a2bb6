// SPDX-License-Identifier: Apache-2.0
// The frame that readers of calls share: each is a small state machine over the text, which goes on where it was when
// more has come.
#pragma once

#include "prompt/blanks.h"
#include "prompt/calls/call_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace coterie::engine {

inline constexpr size_t kMostName = 256; ///< bytes of a name or key; longer ones are no names
inline constexpr size_t kMostBlank = 64; ///< white space between two tags of one call

/// A reader in steps, with a place in the text that only moves forward.
class SteppedReader : public CallReader {
  public:
    SteppedReader(const CallMarker& marker, const OfferedTools& tools) : marker_(marker), tools_(tools) {
        at_ = marker.open.size();
    }

    CallReader::Found read(std::string_view text, bool atEnd) final {
        text_ = text;
        atEnd_ = atEnd;
        for (;;)
            if (const std::optional<Found> found = step()) return *found;
    }

  protected:
    enum class Match { Yes, No, Wait };

    /// Reads on. Returns nothing if the next step can be made at once.
    virtual std::optional<Found> step() = 0;

    /// Takes the word, if it stands here.
    Match take(std::string_view word) {
        const Match match = look(word, at_);
        if (match == Match::Yes) at_ += word.size();
        return match;
    }
    Match look(std::string_view word, size_t place) const {
        const std::string_view rest = text_.substr(place);
        if (rest.starts_with(word)) return Match::Yes;
        return !atEnd_ && word.starts_with(rest) ? Match::Wait : Match::No;
    }
    /// Skips white space. Returns whether something follows it.
    bool skipTo(std::string_view blanks = kBlanks) {
        at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
        return at_ < text_.size();
    }
    /// Needs more text, or is no call if none comes.
    Found needsMore() const { return atEnd_ ? Found::NoCall : Found::Unfinished; }
    /// Takes a short name and the word behind it. Returns nothing if it is not whole yet: see needsMore().
    std::optional<std::string_view> takeUpTo(std::string_view word) {
        const std::string_view rest = text_.substr(at_, kMostName + word.size());
        const size_t end = rest.find(word);
        if (end == rest.npos) return std::nullopt;
        at_ += end + word.size();
        return trimmed(rest.substr(0, end));
    }
    /// Whether a name that has no end yet is too long for one.
    bool tooLong(std::string_view word) const { return text_.size() - at_ >= kMostName + word.size(); }
    Found nameMissing(std::string_view word) const { return tooLong(word) ? Found::NoCall : needsMore(); }

    bool add(Calls calls) {
        if (!calls) return false;
        for (ToolCall& call : *calls) calls_.push_back(std::move(call));
        return true;
    }
    /// The calls that were read so far are all: they end here.
    Found wholeAt(size_t end) {
        at_ = end;
        return calls_.empty() ? Found::NoCall : Found::Whole;
    }

    /// Behind the last call, which ends there: takes the closing marker if it is there.
    Found closeBehind(size_t end) {
        if (!skipTo() && !atEnd_) return Found::Unfinished;
        const Match closed = take(marker_.close);
        if (closed == Match::Wait) return Found::Unfinished;
        return closed == Match::Yes ? Found::Whole : wholeAt(end);
    }

    const CallMarker& marker_;
    const OfferedTools& tools_;
    std::string_view text_{};
    bool atEnd_ = false;
};

} // namespace coterie::engine
