// SPDX-License-Identifier: Apache-2.0
// See tag_reader.h.
#include "prompt/calls/tag_reader.h"

#include "prompt/calls/stepped_reader.h"

#include <string>
#include <unordered_set>

namespace coterie::engine {
namespace {

using Found = CallReader::Found;

/// Tags that a call is made of. An empty one is not there.
struct TagWords {
    std::string_view callOpen, nameEnd, callClose;
    std::string_view keyOpen, keyEnd, valueOpen, valueClose;
    bool trimsLineEnds; ///< a line end after the value's beginning and one before its end belong to the tags
};
constexpr TagWords kFunctionTags{"<function=", ">", "</function>", "<parameter=", ">", "", "</parameter>", true};
constexpr TagWords kSeedTags{"<function=", ">", "</function>", "<parameter=", ">", "", "</parameter>", false};
constexpr TagWords kInvokeTags{"<invoke name=\"", "\">", "</invoke>", "<parameter name=\"", "\">", "",
                               "</parameter>",    false};
constexpr TagWords kArgumentTags{"", "", "", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", false};

/// Returns the text without the line end after its beginning and the one before its end.
std::string_view withoutLineEnds(std::string_view text) {
    const bool wide = text.starts_with("\r\n"); // then the other one is as wide
    const std::string_view lineEnd = wide ? "\r\n" : "\n";
    if (text.starts_with(lineEnd)) text.remove_prefix(lineEnd.size());
    if (text.ends_with(lineEnd)) text.remove_suffix(lineEnd.size());
    return text;
}

/// Calls in tags. A value ends at its closing tag only if the next tag follows that one.
class TagReader final : public SteppedReader {
  public:
    TagReader(const CallMarker& marker, const OfferedTools& tools, const TagWords& words)
        : SteppedReader(marker, tools), words_(words) {}

  private:
    std::optional<Found> step() override { return (this->*next_)(); }

    std::optional<Found> go(std::optional<Found> (TagReader::*next)()) {
        next_ = next;
        return std::nullopt;
    }

    std::optional<Found> call() {
        const bool more = skipTo();
        if (!more && !atEnd_) return Found::Unfinished;
        if (!calls_.empty()) {
            const Match closed = take(marker_.close);
            if (closed == Match::Yes) return Found::Whole;
            if (closed == Match::Wait && more) return Found::Unfinished;
        }
        const Match opened = more ? take(words_.callOpen) : Match::No;
        if (opened == Match::Wait) return Found::Unfinished;
        if (opened == Match::No) return wholeAt(calls_.empty() ? at_ : callEnd_);
        members_ = {};
        used_.clear();
        return go(&TagReader::name);
    }

    std::optional<Found> name() {
        if (!words_.nameEnd.empty()) {
            const std::optional<std::string_view> name = takeUpTo(words_.nameEnd);
            if (!name) return nameMissing(words_.nameEnd);
            name_ = *name;
        } else {
            const std::string_view rest = text_.substr(at_, kMostName);
            const size_t end = rest.find_first_of(" \t\r\n<");
            if (end == rest.npos) return nameMissing("");
            name_ = rest.substr(0, end);
            at_ += end;
        }
        return tools_.has(name_) ? go(&TagReader::parameter) : Found::NoCall;
    }

    std::optional<Found> parameter() {
        if (!skipTo()) return needsMore();
        const Match opened = take(words_.keyOpen);
        if (opened == Match::Yes) return go(&TagReader::key);
        const Match closed = take(callEndWord());
        if (closed == Match::Yes) return ended();
        return opened == Match::Wait || closed == Match::Wait ? Found::Unfinished : Found::NoCall;
    }
    std::string_view callEndWord() const { return words_.callClose.empty() ? marker_.close : words_.callClose; }

    std::optional<Found> ended() {
        std::optional<ToolCall> call = callOf(name_, members_.take(), tools_);
        if (!call || (!takesQuotations_ && !nothingFollows())) return Found::NoCall;
        calls_.push_back(std::move(*call));
        callEnd_ = at_;
        return words_.callClose.empty() ? Found::Whole : go(&TagReader::call);
    }

    std::optional<Found> key() {
        const std::optional<std::string_view> key = takeUpTo(words_.keyEnd);
        if (!key) return nameMissing(words_.keyEnd);
        if (key->empty()) return Found::NoCall;
        key_ = *key;
        used_.insert(key_);
        return go(&TagReader::valueBegin);
    }

    std::optional<Found> valueBegin() {
        if (!words_.valueOpen.empty()) {
            if (!skipTo()) return needsMore();
            const Match opened = take(words_.valueOpen);
            if (opened != Match::Yes) return opened == Match::Wait ? Found::Unfinished : Found::NoCall;
        }
        valueBegin_ = at_;
        firstEnd_.reset();
        quoted_ = 0;
        quotes_ = false;
        return go(&TagReader::value);
    }

    /// at_ goes on over tags that stand within the value. A whole call in it is a quotation, whose closing tags end
    /// nothing.
    std::optional<Found> value() {
        at_ = std::min(text_.find('<', at_), text_.size());
        if (at_ == text_.size()) return atEnd_ ? withoutQuotations() : Found::Unfinished;
        const Match closes = look(words_.valueClose, at_);
        const Match ends = closes == Match::Yes ? endsValue(at_ + words_.valueClose.size()) : closes;
        if (ends == Match::Wait) return Found::Unfinished;
        if (ends == Match::Yes && quoted_ == 0) return endValue();
        const Match tag = takesQuotations_ ? quotationTag() : Match::No;
        if (tag == Match::Wait) return Found::Unfinished;
        if (ends == Match::Yes && !firstEnd_) firstEnd_ = at_;
        ++at_;
        return std::nullopt;
    }

    std::optional<Found> endValue() {
        std::string_view written = text_.substr(valueBegin_, at_ - valueBegin_);
        if (words_.trimsLineEnds) written = withoutLineEnds(written);
        members_.set(key_, tools_.typed(name_, key_, written));
        at_ += words_.valueClose.size();
        return go(&TagReader::parameter);
    }

    /// Counts a call that begins at this place of the value, or ends there.
    Match quotationTag() {
        const Match closed = quoted_ > 0 ? look(callEndWord(), at_) : Match::No;
        if (closed == Match::Yes) --quoted_;
        if (closed != Match::No) return closed;
        const Match opened = beginsCall(at_);
        if (opened == Match::Yes) ++quoted_, quotes_ = true;
        return opened;
    }
    /// Whether a call begins there: its first tag with a name, and an argument or the call's end behind it.
    Match beginsCall(size_t place) const {
        const std::string_view first = words_.callOpen.empty() ? marker_.open : words_.callOpen;
        if (const Match opened = look(first, place); opened != Match::Yes) return opened;
        const std::string_view rest = text_.substr(place + first.size(), kMostName + words_.nameEnd.size());
        const size_t nameEnd = words_.nameEnd.empty() ? rest.find_first_of(" \t\r\n<") : rest.find(words_.nameEnd);
        if (nameEnd == rest.npos)
            return atEnd_ || rest.size() == kMostName + words_.nameEnd.size() ? Match::No : Match::Wait;
        const std::optional<size_t> next = behindBlank(place + first.size() + nameEnd + words_.nameEnd.size());
        if (!next || nameEnd == 0) return Match::No;
        const Match key = look(words_.keyOpen, *next), end = look(callEndWord(), *next);
        if (key == Match::Yes || end == Match::Yes) return Match::Yes;
        return key == Match::Wait || end == Match::Wait ? Match::Wait : Match::No;
    }

    /// The answer ended, and no end of the value was found outside of quotations. Then the call that began in the value
    /// was no quotation, if another reading is possible: the value ends at the first place where it can, and so does
    /// the answer behind its calls. Otherwise nobody knows which call was meant, and all of it is text.
    std::optional<Found> withoutQuotations() {
        if (quotes_) plain_ = text_.size();
        if (!firstEnd_ || cut_) return Found::NoCall;
        takesQuotations_ = false;
        quoted_ = 0;
        at_ = *std::exchange(firstEnd_, std::nullopt);
        return endValue();
    }
    /// Whether nothing, or another call, stands behind a call.
    bool nothingFollows() const {
        const auto behind = [this](size_t place) {
            return text_.substr(std::min(text_.find_first_not_of(kBlanks, place), text_.size()));
        };
        std::string_view rest = behind(at_);
        if (rest.starts_with(marker_.close)) rest = behind(text_.size() - rest.size() + marker_.close.size());
        return rest.empty() || rest.starts_with(marker_.open) ||
               (!words_.callOpen.empty() && rest.starts_with(words_.callOpen));
    }

    /// Returns the place at which something other than white space begins, or nothing if too much of it comes.
    std::optional<size_t> behindBlank(size_t place) const {
        const size_t next = std::min(text_.find_first_not_of(kBlanks, place), text_.size());
        return next - place <= kMostBlank ? std::optional(next) : std::nullopt;
    }

    /// Whether what follows a closing tag is the next parameter, which has a new key, or the end of the call.
    Match endsValue(size_t place) const {
        const std::optional<size_t> next = behindBlank(place);
        if (!next) return Match::No;
        if (*next == text_.size()) return atEnd_ ? Match::No : Match::Wait;
        const Match opened = look(words_.keyOpen, *next);
        if (opened == Match::Yes) return beginsNewKey(*next + words_.keyOpen.size());
        const Match closed = look(callEndWord(), *next);
        if (closed == Match::Yes && !words_.callClose.empty()) return endsCall(*next + words_.callClose.size());
        return closed == Match::No ? opened : closed;
    }
    Match beginsNewKey(size_t place) const {
        const std::string_view rest = text_.substr(place, kMostName + words_.keyEnd.size());
        const size_t end = rest.find(words_.keyEnd);
        if (end == rest.npos)
            return atEnd_ || rest.size() == kMostName + words_.keyEnd.size() ? Match::No : Match::Wait;
        return used_.contains(std::string(trimmed(rest.substr(0, end)))) ? Match::No : Match::Yes;
    }
    /// Behind the tag that closes a call: the closing marker, another call, or the end of the answer.
    Match endsCall(size_t place) const {
        const std::optional<size_t> next = behindBlank(place);
        if (!next) return Match::No;
        if (*next == text_.size()) return atEnd_ ? Match::Yes : Match::Wait;
        const Match closed = look(marker_.close, *next), opened = look(words_.callOpen, *next);
        if (closed == Match::Yes || opened == Match::Yes) return Match::Yes;
        return closed == Match::Wait || opened == Match::Wait ? Match::Wait : Match::No;
    }

    const TagWords& words_;
    std::optional<Found> (TagReader::*next_)() = &TagReader::call;
    std::string name_{}, key_{};
    std::unordered_set<std::string> used_{}; ///< keys of this call
    JsonMembers members_{};
    size_t valueBegin_ = 0, callEnd_ = 0;

    bool takesQuotations_ = true;      ///< until one turns out to be none
    bool quotes_ = false;              ///< a call began within the value
    size_t quoted_ = 0;                ///< calls that began within the value and have not ended
    std::optional<size_t> firstEnd_{}; ///< the first place at which the value could end within them
};

} // namespace

std::unique_ptr<CallReader> tagReader(const CallMarker& marker, CallForm form, const OfferedTools& tools) {
    const TagWords& words = form == CallForm::SeedTags       ? kSeedTags
                            : form == CallForm::InvokeTags   ? kInvokeTags
                            : form == CallForm::ArgumentTags ? kArgumentTags
                                                             : kFunctionTags;
    return std::make_unique<TagReader>(marker, tools, words);
}

} // namespace coterie::engine
