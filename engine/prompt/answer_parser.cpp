// SPDX-License-Identifier: Apache-2.0
// See answer_parser.h. A state machine with a few modes reads the text that has not been given out yet. White space
// around markers belongs to the markers: it is held back until other text follows.
#include "prompt/answer_parser.h"

#include "prompt/blanks.h"
#include "prompt/calls/call_reader.h"
#include "prompt/code_fences.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace coterie::engine {
namespace {

constexpr std::string_view kStart = "<|start|>", kChannel = "<|channel|>", kMessage = "<|message|>";
constexpr std::string_view kRecipient = "to=functions."; // in a channel's header, before the tool's name
constexpr std::array kMessageEnds{std::string_view("<|end|>"), std::string_view("<|call|>"),
                                  std::string_view("<|return|>"), kStart};

constexpr ThoughtMarkers kThoughts[] = {
    {ThoughtForm::Think, "<think>", "</think>"},
    {ThoughtForm::SeedThink, "<seed:think>", "</seed:think>"},
    {ThoughtForm::BracketThink, "[THINK]", "[/THINK]"},
    {ThoughtForm::GemmaChannel, "<|channel>thought", "<channel|>"},
};

/// Text that looked like a call is read once more behind its opening marker, which may be the beginning of a real call.
/// After so many bytes in one answer it is not, so that no answer takes long.
constexpr size_t kMostRescanned = size_t{4} << 20;

bool isSpace(char c) { return kBlanks.find(c) != kBlanks.npos; }

const OfferedTools& anyTool() {
    static const OfferedTools tools = OfferedTools::any();
    return tools;
}

} // namespace

class AnswerParser::State {
  public:
    explicit State(const AnswerForms& forms) : forms_(forms) {
        for (const ThoughtMarkers& thought : kThoughts) {
            if (!forms.thoughts.has(thought.form)) continue;
            markers_.push_back({Marker::ThoughtBegin, thought.begin, nullptr, &thought});
            markers_.push_back({Marker::ThoughtEnd, thought.end, nullptr, &thought});
            thoughtEnds_.push_back(thought.end);
        }
        for (const CallMarker& call : callMarkers())
            if (forms.calls.hasAnyOf(call.forms)) markers_.push_back({Marker::Call, call.open, &call, nullptr});
        if (forms.calls.has(CallForm::GptOssChannels))
            for (const std::string_view begin : {kChannel, kStart})
                markers_.push_back({Marker::Channel, begin, nullptr, nullptr});
        if (forms.startsInThought) enter(&State::thought);
        mayRepeat_ = forms.startsInThought;
    }

    void cutOff() { cut_ = true; }

    std::vector<AnswerEvent> push(std::string_view text, bool atEnd) {
        held_ += text;
        while ((this->*mode_)(atEnd)) {
        }
        held_.erase(0, at_);
        base_ += at_;
        scanned_ -= std::min(scanned_, at_);
        at_ = 0;
        if (atEnd && kind_ == PartKind::Text) flushSpaces();
        return std::exchange(events_, {});
    }

    /// The header of a call in a channel comes out with its body if that is no call.
    size_t settled() const {
        const bool heldHeader = mode_ == &State::channelBody && header_.find(kRecipient) != header_.npos;
        return base_ - (heldHeader ? header_.size() + kMessage.size() : spaces_.size());
    }

    bool wantsMarker(std::string_view text) const {
        constexpr std::string_view inChannels[] = {kStart, kChannel, kMessage, "<|end|>", "<|constrain|>"};
        if (forms_.calls.has(CallForm::GptOssChannels) &&
            std::find(std::begin(inChannels), std::end(inChannels), text) != std::end(inChannels))
            return true;
        if (isInnerMarker(text, forms_.calls)) return true;
        return std::any_of(markers_.begin(), markers_.end(), [text](const Marker& marker) {
            if (marker.call != nullptr) return text == marker.text || text == marker.call->close;
            // "<|channel>thought" is a control token and a word.
            return marker.thought != nullptr && text.size() > 2 && marker.text.starts_with(text);
        });
    }

  private:
    /// The function that reads the held text now. Returns false if more text is needed, or nothing is left.
    using Mode = bool (State::*)(bool atEnd);

    struct Marker {
        enum Kind { ThoughtBegin, ThoughtEnd, Call, Channel } kind;
        std::string_view text;
        const CallMarker* call;
        const ThoughtMarkers* thought;
    };

    const OfferedTools& tools() const { return forms_.tools ? *forms_.tools : anyTool(); }

    void enter(Mode mode) {
        mode_ = mode;
        scanned_ = at_;
        trimsFront_ = true;
        begun_ = false;
        fences_.beginLine();
    }

    bool text(bool atEnd);
    bool thought(bool atEnd);       ///< up to one of thoughtEnds_
    bool call(bool atEnd);          ///< while reader_ reads
    bool channelHeader(bool atEnd); ///< up to kMessage
    bool channelBody(bool atEnd);

    bool repeatsBegin(bool atEnd);
    bool channelCall(bool atEnd, size_t named);

    bool counts(const Marker& marker) const;
    bool markerAt(size_t place, bool atEnd, const Marker*& found) const;
    void beginAt(const Marker& marker);
    void beginCall(std::unique_ptr<CallReader> reader, size_t opening);
    void makeThoughts();

    std::optional<size_t> findEnd(std::string_view marker);
    template <typename Markers>
    size_t giveUpTo(const Markers& markers, PartKind kind, bool atEnd);
    void give(PartKind kind, std::string_view text, size_t source);
    void say(std::string words, size_t source);
    void endPart();
    void flushSpaces();
    void giveCalls(std::vector<ToolCall> calls, std::string_view written, size_t source);

    AnswerForms forms_;
    bool cut_ = false;            ///< the answer was cut off
    std::vector<Marker> markers_; ///< those that text may hold
    Mode mode_ = &State::text;
    std::string held_;
    size_t base_ = 0;       ///< bytes of the whole text before held_
    size_t at_ = 0;         ///< text before it was given out
    size_t scanned_ = 0;    ///< no end marker begins before it
    size_t plainUntil_ = 0; ///< bytes of the whole text before which no marker begins
    size_t rescanned_ = 0;  ///< bytes of what looked like calls

    CodeFences fences_;                           ///< in the text of the part
    bool begun_ = false;                          ///< the text has more than white space
    bool mayRepeat_ = false;                      ///< the marker that the prompt ends with may come once more
    std::vector<std::string_view> thoughtEnds_{}; ///< markers that end the thought
    std::unique_ptr<CallReader> reader_{};
    size_t opening_ = 0;                ///< bytes of the call's opening marker
    std::string header_;                ///< the header of the message in a channel, as written
    std::optional<JsonScanner> json_{}; ///< reads the call in a channel

    PartKind kind_ = PartKind::Text;     ///< the kind of the part that spaces_ belong to
    bool open_ = false;                  ///< words of kind_ go on in the last part; false: they begin a new one
    size_t parts_ = 0;                   ///< parts begun so far
    std::optional<size_t> spokenFrom_{}; ///< the first of them that is not a thought
    std::string spaces_;                 ///< held back until something follows them
    bool trimsFront_ = false;            ///< white space here belongs to a marker
    std::vector<AnswerEvent> events_;
};

void AnswerParser::State::flushSpaces() {
    const size_t source = base_ - spaces_.size();
    if (!spaces_.empty()) say(std::exchange(spaces_, {}), source);
}

/// White space before a border belongs to the marker that makes the border.
void AnswerParser::State::endPart() {
    spaces_.clear();
    open_ = false;
}

/// Words of the part that is open. Consecutive pieces of one part are one event.
void AnswerParser::State::say(std::string words, size_t source) {
    if (!std::exchange(open_, true)) ++parts_;
    const size_t part = parts_ - 1;
    if (kind_ != PartKind::Thought && !spokenFrom_) spokenFrom_ = part;
    if (!events_.empty() && events_.back().part == part)
        events_.back().text += words;
    else
        events_.push_back({.kind = kind_, .part = part, .text = std::move(words), .source = source});
}

/// `source`: the place of `text` in all that was pushed. The spaces that are held back stand right before it.
void AnswerParser::State::give(PartKind kind, std::string_view text, size_t source) {
    if (text.empty()) return;
    if (kind != kind_) endPart();
    kind_ = kind;
    if (trimsFront_) {
        const size_t content = text.find_first_not_of(kBlanks);
        if (content == text.npos) return;
        text.remove_prefix(content);
        source += content;
        trimsFront_ = false;
    }
    const size_t last = text.find_last_not_of(kBlanks);
    if (last == text.npos) {
        spaces_ += text;
        return;
    }
    source -= spaces_.size();
    std::string piece = std::exchange(spaces_, std::string(text.substr(last + 1)));
    piece += text.substr(0, last + 1);
    say(std::move(piece), source);
}

void AnswerParser::State::giveCalls(std::vector<ToolCall> calls, std::string_view written, size_t source) {
    endPart();
    if (!spokenFrom_) spokenFrom_ = parts_;
    for (ToolCall& call : calls) {
        events_.push_back({PartKind::ToolCall, parts_++, std::string(written), std::move(call), source});
        written = {}; // the words belong to the first of several calls
    }
}

/// Returns the place at or after at_ at which `marker` begins. Looks at each byte once.
std::optional<size_t> AnswerParser::State::findEnd(std::string_view marker) {
    const size_t found = held_.find(marker, std::max(at_, scanned_));
    if (found != held_.npos) return found;
    scanned_ = std::max(at_, held_.size() - std::min(held_.size(), marker.size() - 1));
    return std::nullopt;
}

/// Gives out the text before the next marker; text that may become a marker waits. Returns the number of the marker, or
/// the number of markers if none came.
template <typename Markers>
size_t AnswerParser::State::giveUpTo(const Markers& markers, PartKind kind, bool atEnd) {
    size_t end = at_;
    size_t found = markers.size();
    for (;; ++end) {
        end = std::min(held_.find_first_of("<[", end), held_.size());
        if (end == held_.size()) break;
        const std::string_view tail = std::string_view(held_).substr(end);
        bool unfinished = false;
        for (size_t i = 0; i < markers.size() && found == markers.size(); ++i) {
            const std::string_view marker(markers[i]);
            if (tail.starts_with(marker)) found = i;
            unfinished = unfinished || marker.starts_with(tail);
        }
        if (found < markers.size() || (unfinished && !atEnd)) break;
    }
    give(kind, std::string_view(held_).substr(at_, end - at_), base_ + at_);
    at_ = end;
    return found;
}

/// Whether a marker means something at the place of a text that fences_ have come to. Behind ticks that open code it is
/// talked about.
bool AnswerParser::State::counts(const Marker& marker) const {
    switch (marker.kind) {
    case Marker::ThoughtBegin:
        return fences_.atLineStart();
    case Marker::ThoughtEnd:
        return !fences_.behindOpenTicks();
    case Marker::Channel:
        return !begun_ && parts_ == 0;
    case Marker::Call:
        return !forms_.fencesQuote || !fences_.behindOpenTicks();
    }
    return true;
}

/// Returns whether a marker begins at this place, or may do so when more has come: then `found` stays null.
bool AnswerParser::State::markerAt(size_t place, bool atEnd, const Marker*& found) const {
    const std::string_view tail = std::string_view(held_).substr(place);
    bool waits = false;
    for (const Marker& marker : markers_) {
        if (!counts(marker)) continue;
        if (tail.starts_with(marker.text)) {
            found = &marker;
            return true;
        }
        waits = waits || (!atEnd && marker.text.starts_with(tail));
    }
    return waits;
}

bool AnswerParser::State::text(bool atEnd) {
    size_t end = at_;
    const Marker* found = nullptr;
    bool bare = false;
    for (; end < held_.size(); ++end) {
        const char c = held_[end];
        if (base_ + end >= plainUntil_ && !(forms_.fencesQuote && fences_.within())) {
            bare = c == '{' && !begun_ && forms_.calls.has(CallForm::BareJson);
            if (bare || ((c == '<' || c == '[') && markerAt(end, atEnd, found))) break;
        }
        fences_.take(c);
        begun_ = begun_ || !isSpace(c);
    }
    give(PartKind::Text, std::string_view(held_).substr(at_, end - at_), base_ + at_);
    at_ = end;
    if (bare)
        beginCall(bareReader(tools()), 1);
    else if (found != nullptr)
        beginAt(*found);
    else
        return false;
    return true;
}

void AnswerParser::State::beginAt(const Marker& marker) {
    switch (marker.kind) {
    case Marker::ThoughtBegin:
        endPart();
        at_ += marker.text.size();
        thoughtEnds_ = {marker.thought->end};
        return enter(&State::thought);
    case Marker::ThoughtEnd:
        at_ += marker.text.size();
        return makeThoughts();
    case Marker::Call:
        return beginCall(readerFor(*marker.call, forms_.calls, tools()), marker.text.size());
    case Marker::Channel:
        endPart();
        return enter(&State::channelHeader);
    }
}

void AnswerParser::State::beginCall(std::unique_ptr<CallReader> reader, size_t opening) {
    reader_ = std::move(reader);
    opening_ = opening;
    mode_ = &State::call;
}

void AnswerParser::State::makeThoughts() {
    endPart();
    if (const std::optional<size_t> from = std::exchange(spokenFrom_, std::nullopt))
        events_.push_back({PartKind::Thought, *from, {}, {}, base_ + at_, true});
    kind_ = PartKind::Text;
    enter(&State::text);
}

/// Some models begin a thought that the prompt has begun already: that marker is no word of the thought. Returns
/// whether more text is needed to know.
bool AnswerParser::State::repeatsBegin(bool atEnd) {
    const size_t place = std::min(held_.find_first_not_of(kBlanks, at_), held_.size());
    const std::string_view tail = std::string_view(held_).substr(place);
    for (const Marker& marker : markers_) {
        if (marker.kind != Marker::ThoughtBegin) continue;
        if (!atEnd && tail.size() < marker.text.size() && marker.text.starts_with(tail)) return true;
        if (tail.starts_with(marker.text)) at_ = place + marker.text.size();
    }
    mayRepeat_ = false;
    return false;
}

bool AnswerParser::State::thought(bool atEnd) {
    if (mayRepeat_ && repeatsBegin(atEnd)) return false;
    const size_t found = giveUpTo(thoughtEnds_, PartKind::Thought, atEnd);
    if (found == thoughtEnds_.size()) return false;
    at_ += thoughtEnds_[found].size();
    endPart();
    kind_ = PartKind::Text;
    enter(&State::text);
    return true;
}

/// Text that is no call after all comes out as text. Its beginning is not looked at again.
bool AnswerParser::State::call(bool atEnd) {
    if (cut_) reader_->cutOff();
    const CallReader::Found found = reader_->read(std::string_view(held_).substr(at_), atEnd);
    if (found == CallReader::Found::Unfinished) return false;
    const size_t end = reader_->end();
    if (found == CallReader::Found::NoCall) {
        rescanned_ += end;
        const size_t plain = std::max(opening_, reader_->plain());
        plainUntil_ = base_ + at_ + (rescanned_ > kMostRescanned ? std::max(end, plain) : plain);
        mode_ = &State::text;
        return true;
    }
    const std::string written = held_.substr(at_, end);
    const size_t source = base_ + std::exchange(at_, at_ + end);
    giveCalls(reader_->take(), written, source);
    enter(&State::text);
    return at_ < held_.size();
}

bool AnswerParser::State::channelHeader(bool atEnd) {
    const std::optional<size_t> end = findEnd(kMessage);
    if (!end) {
        if (atEnd) at_ = held_.size(); // a header without a message says nothing
        return false;
    }
    header_ = held_.substr(at_, *end - at_);
    at_ = *end + kMessage.size();
    json_.reset();
    enter(&State::channelBody);
    return true;
}

bool AnswerParser::State::channelBody(bool atEnd) {
    const size_t named = header_.find(kRecipient);
    if (named != header_.npos) return channelCall(atEnd, named + kRecipient.size());
    const bool thinks = header_.find("<|channel|>analysis") != header_.npos;
    const size_t found = giveUpTo(kMessageEnds, thinks ? PartKind::Thought : PartKind::Text, atEnd);
    if (found == kMessageEnds.size()) return false;
    endPart();
    at_ += kMessageEnds[found] == kStart ? 0 : kMessageEnds[found].size();
    enter(&State::channelHeader);
    return true;
}

/// A message to a tool, whose name begins at this place of the header. A marker within a string of its JSON is no end.
bool AnswerParser::State::channelCall(bool atEnd, size_t named) {
    const std::string_view rest = std::string_view(held_).substr(at_);
    if (!json_) json_.emplace(0);
    const JsonScanner::Found read = json_->scan(rest);
    if (read == JsonScanner::Found::Unfinished && !atEnd) return false;
    const bool whole = read == JsonScanner::Found::Whole;
    const size_t from = std::max(at_ + (whole ? json_->at() : 0), scanned_);
    size_t end = held_.size(), next = end;
    for (const std::string_view marker : kMessageEnds) {
        const size_t found = held_.find(marker, from);
        if (found < end) end = found, next = marker == kStart ? found : found + marker.size();
    }
    constexpr size_t longest = std::string_view("<|return|>").size();
    scanned_ = std::max(at_, held_.size() - std::min(held_.size(), longest - 1));
    if (end == held_.size() && !atEnd) return false;
    const size_t nameEnd = std::min(header_.find_first_of(" <\t\n", named), header_.size());
    const std::string body = held_.substr(at_, end - at_);
    const bool cut = cut_ && end == held_.size();
    const bool mends = !whole && !cut && json_->lacksOneBracket();
    const std::string arguments = body.empty() && !cut ? "{}" : mends ? body + "}" : body;
    const std::string written = header_ + std::string(kMessage) + body;
    const size_t source = base_ + at_ - kMessage.size() - header_.size();
    if (Calls calls = namedCall(header_.substr(named, nameEnd - named), arguments, tools()))
        giveCalls(std::move(*calls), written, source);
    else
        give(PartKind::Text, written, source);
    endPart();
    at_ = next;
    enter(&State::channelHeader);
    return at_ < held_.size();
}

void addTo(std::vector<Part>& parts, const AnswerEvent& event) {
    if (event.makesThoughts) {
        for (size_t i = event.part; i < parts.size(); ++i)
            parts[i] = {.kind = PartKind::Thought, .text = std::move(parts[i].text)};
        return;
    }
    if (parts.size() <= event.part) parts.push_back({.kind = event.kind, .call = event.call});
    parts.back().text += event.text;
}

PromptText wordsOfCall(std::string_view words) {
    PromptText out;
    size_t bodyBegin = 0, bodyEnd = words.size();
    for (const CallMarker& marker : callMarkers()) {
        if (!words.starts_with(marker.open)) continue;
        bodyBegin = marker.open.size();
        const bool closed = words.size() >= bodyBegin + marker.close.size() && words.ends_with(marker.close);
        bodyEnd = words.size() - (closed ? marker.close.size() : 0);
    }
    out.addOwn(words.substr(0, bodyBegin));
    out.addForeign(words.substr(bodyBegin, bodyEnd - bodyBegin));
    out.addOwn(words.substr(bodyEnd));
    return out;
}

std::span<const ThoughtMarkers> thoughtMarkers() { return kThoughts; }

AnswerParser::AnswerParser(const AnswerForms& forms) : state_(std::make_unique<State>(forms)) {}
AnswerParser::~AnswerParser() = default;
AnswerParser::AnswerParser(AnswerParser&&) noexcept = default;
AnswerParser& AnswerParser::operator=(AnswerParser&&) noexcept = default;

std::vector<AnswerEvent> AnswerParser::push(std::string_view text) { return state_->push(text, false); }
std::vector<AnswerEvent> AnswerParser::finish(bool cut) {
    if (cut) state_->cutOff();
    return state_->push({}, true);
}
size_t AnswerParser::settled() const { return state_->settled(); }

bool AnswerParser::wantsMarker(std::string_view text) const { return state_->wantsMarker(text); }

} // namespace coterie::engine
