// SPDX-License-Identifier: Apache-2.0
// See answer_parser.h. A state machine with a few modes reads the text that has not been given out yet. White space
// around markers belongs to the markers: it is held back until other text follows.
#include "prompt/answer_parser.h"

#include "prompt/python_calls.h"
#include "prompt/tool_calls.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace coterie::engine {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kThoughtBegin = "<think>", kThoughtEnd = "</think>";
constexpr std::string_view kPythonTag = "<|python_tag|>";
constexpr std::string_view kStart = "<|start|>", kChannel = "<|channel|>", kMessage = "<|message|>";
constexpr std::string_view kRecipient = "to=functions."; // in a channel's header, before the tool's name

using Calls = std::optional<std::vector<ToolCall>>;

Calls taggedCalls(std::string_view body) {
    Calls calls = jsonCalls(body);
    return calls ? std::move(calls) : functionTagCalls(body);
}

Calls codeCalls(std::string_view body) {
    while (!body.empty() && body.front() == '\n') body.remove_prefix(1);
    while (!body.empty() && kSpaces.find(body.back()) != body.npos) body.remove_suffix(1);
    if (body.empty()) return std::nullopt;
    Calls calls = pythonCalls(body);
    if (!calls) calls = std::vector<ToolCall>{{.name = {}, .arguments = "{}", .code = {}}};
    for (ToolCall& call : *calls) call.code = std::string(body);
    return calls;
}

/// Llama 3's built-in tools: brave_search.call(query="...").
Calls pythonTagCalls(std::string_view body) {
    if (Calls calls = jsonCalls(body)) return calls;
    Calls calls = codeCalls(body);
    constexpr std::string_view method = ".call";
    if (!calls) return calls;
    for (ToolCall& call : *calls)
        if (call.name.ends_with(method)) call.name.resize(call.name.size() - method.size());
    return calls;
}

/// A pair of markers with calls between them.
struct ToolTag {
    std::string_view open, close; ///< an empty close: the end of the answer closes it
    Calls (*read)(std::string_view body);
    bool needsClose; ///< a call that stops in the middle is not a call
};

constexpr ToolTag kToolTags[] = {
    {"<tool_call>", "</tool_call>", taggedCalls, false},
    {"<|tool_call_start|>", "<|tool_call_end|>", pythonCallList, false},
    {"<|tool_call|>", "", jsonCalls, false},
};
constexpr ToolTag kPythonTags[] = {{"<code>", "</code>", codeCalls, true}};
constexpr ToolTag kBareTags[] = {{kPythonTag, "", pythonTagCalls, false}};
constexpr std::array kMessageEnds{std::string_view("<|end|>"), std::string_view("<|call|>"),
                                  std::string_view("<|return|>"), kStart};

/// Whether `text` may be the beginning of `marker`, or begins with it.
bool mayBegin(std::string_view text, std::string_view marker) {
    const size_t n = std::min(text.size(), marker.size());
    return text.substr(0, n) == marker.substr(0, n);
}

} // namespace

class AnswerParser::State {
  public:
    explicit State(const AnswerForms& forms) : forms_(forms) {
        const auto use = [this](bool wanted, const auto& tags) {
            for (const ToolTag& tag : tags)
                if (wanted) tags_.push_back(tag);
        };
        use(forms.toolTags, kToolTags);
        use(forms.pythonTags, kPythonTags);
        use(forms.bareJson, kBareTags);
        if (forms.startsInThought) enter(Mode::Thought);
    }

    std::vector<AnswerEvent> push(std::string_view text, bool atEnd) {
        held_ += text;
        while (step(atEnd)) {
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
        const bool heldHeader = mode_ == Mode::ChannelBody && header_.find(kRecipient) != header_.npos;
        return base_ - (heldHeader ? header_.size() + kMessage.size() : spaces_.size());
    }

    bool wantsMarker(std::string_view text) const {
        constexpr std::string_view inChannels[] = {kStart, kChannel, kMessage, "<|end|>", "<|constrain|>"};
        if (text == kThoughtBegin || text == kThoughtEnd) return true;
        if (forms_.channels && std::find(std::begin(inChannels), std::end(inChannels), text) != std::end(inChannels))
            return true;
        return std::any_of(tags_.begin(), tags_.end(),
                           [text](const ToolTag& tag) { return text == tag.open || text == tag.close; });
    }

  private:
    enum class Mode {
        Start, ///< only white space has come
        Text,
        Thought,       ///< up to kThoughtEnd
        Tool,          ///< between a tag's markers
        Bare,          ///< JSON up to the end of the answer
        ChannelHeader, ///< up to kMessage
        ChannelBody,
    };

    void enter(Mode mode) {
        mode_ = mode;
        scanned_ = at_;
        if (mode != Mode::Bare) trimsFront_ = mode != Mode::Text;
    }

    /// Reads some of the held text. Returns false if more text is needed, or nothing is left.
    bool step(bool atEnd) {
        switch (mode_) {
        case Mode::Start:
            return start(atEnd);
        case Mode::Text:
            return text(atEnd);
        case Mode::Thought:
            return thought(atEnd);
        case Mode::Tool:
            return tool(atEnd);
        case Mode::Bare:
            return bare(atEnd);
        case Mode::ChannelHeader:
            return channelHeader(atEnd);
        case Mode::ChannelBody:
            return channelBody(atEnd);
        }
        return false;
    }

    bool start(bool atEnd);
    bool text(bool atEnd);
    bool thought(bool atEnd);
    bool tool(bool atEnd);
    bool bare(bool atEnd);
    bool channelHeader(bool atEnd);
    bool channelBody(bool atEnd);

    size_t contentBegin();
    std::optional<size_t> findEnd(std::string_view marker);
    template <typename Markers>
    size_t giveUpTo(const Markers& markers, PartKind kind, bool atEnd);
    void give(PartKind kind, std::string_view text, size_t source);
    void say(std::string words, size_t source);
    void endPart();
    void flushSpaces();
    bool giveCalls(Calls calls, std::string_view written, size_t source);

    AnswerForms forms_;
    std::vector<ToolTag> tags_;
    Mode mode_ = Mode::Start;
    std::string held_;
    size_t base_ = 0;    ///< bytes of the whole text before held_
    size_t at_ = 0;      ///< text before it was given out
    size_t scanned_ = 0; ///< no end marker begins before it
    ToolTag tag_{};
    std::string header_;             ///< the header of the message in a channel, as written
    PartKind kind_ = PartKind::Text; ///< the kind of the part that spaces_ belong to
    bool open_ = false;              ///< words of kind_ go on in the last part; false: they begin a new one
    size_t parts_ = 0;               ///< parts begun so far
    std::string spaces_;             ///< held back until something follows them
    bool trimsFront_ = false;        ///< white space here belongs to a marker
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
        const size_t content = text.find_first_not_of(kSpaces);
        if (content == text.npos) return;
        text.remove_prefix(content);
        source += content;
        trimsFront_ = false;
    }
    const size_t last = text.find_last_not_of(kSpaces);
    if (last == text.npos) {
        spaces_ += text;
        return;
    }
    source -= spaces_.size();
    std::string piece = std::exchange(spaces_, std::string(text.substr(last + 1)));
    piece += text.substr(0, last + 1);
    say(std::move(piece), source);
}

/// Returns false if there are no calls: then the words are text.
bool AnswerParser::State::giveCalls(Calls calls, std::string_view written, size_t source) {
    if (!calls) {
        give(PartKind::Text, written, source);
        return false;
    }
    endPart();
    for (ToolCall& call : *calls) {
        events_.push_back({PartKind::ToolCall, parts_++, std::string(written), std::move(call), source});
        written = {}; // the words belong to the first of several calls
    }
    trimsFront_ = true;
    return true;
}

/// Returns the place at or after at_ at which `marker` begins. Looks at each byte once.
std::optional<size_t> AnswerParser::State::findEnd(std::string_view marker) {
    const size_t found = held_.find(marker, std::max(at_, scanned_));
    if (found != held_.npos) return found;
    scanned_ = std::max(at_, held_.size() - std::min(held_.size(), marker.size() - 1));
    return std::nullopt;
}

/// Returns the place at or after at_ at which something other than white space begins. Looks at each byte once.
size_t AnswerParser::State::contentBegin() {
    scanned_ = std::min(held_.find_first_not_of(kSpaces, std::max(at_, scanned_)), held_.size());
    return scanned_;
}

/// Gives out the text before the next marker; text that may become a marker waits. Returns the number of the marker, or
/// the number of markers if none came.
template <typename Markers>
size_t AnswerParser::State::giveUpTo(const Markers& markers, PartKind kind, bool atEnd) {
    size_t end = at_;
    size_t found = markers.size();
    for (;; ++end) {
        end = std::min(held_.find('<', end), held_.size());
        if (end == held_.size()) break;
        const std::string_view tail = std::string_view(held_).substr(end);
        bool unfinished = false;
        for (size_t i = 0; i < markers.size() && found == markers.size(); ++i) {
            const std::string_view marker(markers[i]);
            if (tail.starts_with(marker)) found = i;
            unfinished = unfinished || (tail.size() < marker.size() && mayBegin(tail, marker));
        }
        if (found < markers.size() || (unfinished && !atEnd)) break;
    }
    give(kind, std::string_view(held_).substr(at_, end - at_), base_ + at_);
    at_ = end;
    return found;
}

bool AnswerParser::State::start(bool atEnd) {
    const size_t content = contentBegin();
    if (content == held_.size() && !atEnd) return false;
    const std::string_view tail = std::string_view(held_).substr(content);
    const auto waits = [&](std::string_view marker) {
        return !atEnd && tail.size() < marker.size() && mayBegin(tail, marker);
    };
    if (tail.starts_with(kThoughtBegin)) {
        at_ = content + kThoughtBegin.size();
        enter(Mode::Thought);
        return true;
    }
    const bool channel = forms_.channels && (tail.starts_with(kChannel) || tail.starts_with(kStart));
    const bool json = forms_.bareJson && tail.starts_with('{');
    if (channel || json) {
        if (channel) at_ = content;
        enter(channel ? Mode::ChannelHeader : Mode::Bare);
        return true;
    }
    if (waits(kThoughtBegin) || (forms_.channels && (waits(kChannel) || waits(kStart)))) return false;
    enter(Mode::Text);
    return true;
}

bool AnswerParser::State::thought(bool atEnd) {
    const size_t found = giveUpTo(std::array{kThoughtEnd}, PartKind::Thought, atEnd);
    if (found == 1) return false;
    at_ += kThoughtEnd.size();
    endPart();
    kind_ = PartKind::Text;
    enter(Mode::Text);
    trimsFront_ = true;
    return true;
}

bool AnswerParser::State::text(bool atEnd) {
    if (trimsFront_ && forms_.bareJson) { // after a thought or a call
        const size_t content = contentBegin();
        if (content == held_.size()) return false;
        if (held_[content] == '{') {
            enter(Mode::Bare);
            return true;
        }
    }
    std::vector<std::string_view> markers;
    for (const ToolTag& tag : tags_) markers.push_back(tag.open);
    const size_t found = giveUpTo(markers, PartKind::Text, atEnd);
    if (found == markers.size()) return false;
    tag_ = tags_[found];
    mode_ = Mode::Tool;
    scanned_ = at_ + tag_.open.size();
    return true;
}

bool AnswerParser::State::tool(bool atEnd) {
    const size_t begin = at_ + tag_.open.size();
    const std::optional<size_t> close = tag_.close.empty() ? std::nullopt : findEnd(tag_.close);
    if (!close && !atEnd) return false;
    const size_t bodyEnd = close.value_or(held_.size());
    const size_t end = bodyEnd + (close ? tag_.close.size() : 0);
    const bool tried = close || !tag_.needsClose;
    Calls calls = tried ? tag_.read(std::string_view(held_).substr(begin, bodyEnd - begin)) : std::nullopt;
    const std::string written = held_.substr(at_, end - at_);
    const size_t source = base_ + std::exchange(at_, end);
    const bool called = giveCalls(std::move(calls), written, source);
    mode_ = Mode::Text;
    trimsFront_ = called;
    return at_ < held_.size();
}

/// JSON becomes text as soon as it cannot be a call.
bool AnswerParser::State::bare(bool atEnd) {
    constexpr size_t nearby = 64; // white space between the brace and the first key
    constexpr std::string_view keys[] = {"\"name\"", "\"parameters\"", "\"type\""};
    const size_t brace = contentBegin();
    const std::string_view body = std::string_view(held_).substr(brace), begin = body.substr(0, nearby);
    const size_t key = std::min(begin.find_first_not_of(kSpaces, 1), begin.size());
    const bool possible = key < nearby && std::any_of(std::begin(keys), std::end(keys), [&](std::string_view wanted) {
                              return mayBegin(body.substr(key), wanted);
                          });
    if (possible && !atEnd) return false;
    const std::string written(body);
    if (Calls calls = possible ? jsonCalls(body) : std::nullopt) {
        at_ = held_.size();
        giveCalls(std::move(calls), written, base_ + brace);
        return false;
    }
    mode_ = Mode::Text;
    give(PartKind::Text, std::string_view(held_).substr(at_, brace + 1 - at_),
         base_ + at_); // so that it isn't looked at as JSON again
    at_ = brace + 1;
    return true;
}

bool AnswerParser::State::channelHeader(bool atEnd) {
    const std::optional<size_t> end = findEnd(kMessage);
    if (!end) {
        if (atEnd) at_ = held_.size(); // a header without a message says nothing
        return false;
    }
    header_ = held_.substr(at_, *end - at_);
    at_ = *end + kMessage.size();
    enter(Mode::ChannelBody);
    return true;
}

bool AnswerParser::State::channelBody(bool atEnd) {
    const auto says = [this](std::string_view word) { return header_.find(word) != header_.npos; };
    const size_t named = header_.find(kRecipient);
    if (named == header_.npos) {
        const PartKind kind = says("<|channel|>analysis") ? PartKind::Thought : PartKind::Text;
        const size_t found = giveUpTo(kMessageEnds, kind, atEnd);
        if (found == kMessageEnds.size()) return false;
        endPart();
        at_ += kMessageEnds[found] == kStart ? 0 : kMessageEnds[found].size();
        enter(Mode::ChannelHeader);
        return true;
    }
    size_t end = held_.size(), next = end;
    for (const std::string_view marker : kMessageEnds) {
        const size_t found = held_.find(marker, std::max(at_, scanned_));
        if (found < end) end = found, next = marker == kStart ? found : found + marker.size();
    }
    constexpr size_t longest = std::string_view("<|return|>").size();
    scanned_ = std::max(at_, held_.size() - std::min(held_.size(), longest - 1));
    if (end == held_.size() && !atEnd) return false;
    const size_t nameBegin = named + kRecipient.size();
    const size_t nameEnd = std::min(header_.find_first_of(" <\t\n", nameBegin), header_.size());
    const std::string body = held_.substr(at_, end - at_);
    Calls calls;
    if (std::optional<std::string> arguments = jsonObject(body.empty() ? std::string_view("{}") : body))
        calls = std::vector<ToolCall>{{header_.substr(nameBegin, nameEnd - nameBegin), std::move(*arguments), {}}};
    giveCalls(std::move(calls), header_ + std::string(kMessage) + body, base_ + at_ - kMessage.size() - header_.size());
    endPart();
    at_ = next;
    enter(Mode::ChannelHeader);
    return at_ < held_.size();
}

void addTo(std::vector<Part>& parts, const AnswerEvent& event) {
    if (parts.size() <= event.part) parts.push_back({.kind = event.kind, .call = event.call});
    parts.back().text += event.text;
}

PromptText wordsOfCall(std::string_view words) {
    PromptText out;
    size_t bodyBegin = 0, bodyEnd = words.size();
    const auto look = [&](const auto& tags) {
        for (const ToolTag& tag : tags) {
            if (!words.starts_with(tag.open)) continue;
            bodyBegin = tag.open.size();
            const bool closed = words.size() >= bodyBegin + tag.close.size() && words.ends_with(tag.close);
            bodyEnd = words.size() - (closed ? tag.close.size() : 0);
        }
    };
    look(kToolTags);
    look(kPythonTags);
    look(kBareTags);
    out.addOwn(words.substr(0, bodyBegin));
    out.addForeign(words.substr(bodyBegin, bodyEnd - bodyBegin));
    out.addOwn(words.substr(bodyEnd));
    return out;
}

AnswerParser::AnswerParser(const AnswerForms& forms) : state_(std::make_unique<State>(forms)) {}
AnswerParser::~AnswerParser() = default;
AnswerParser::AnswerParser(AnswerParser&&) noexcept = default;
AnswerParser& AnswerParser::operator=(AnswerParser&&) noexcept = default;

std::vector<AnswerEvent> AnswerParser::push(std::string_view text) { return state_->push(text, false); }
std::vector<AnswerEvent> AnswerParser::finish() { return state_->push({}, true); }
size_t AnswerParser::settled() const { return state_->settled(); }

bool AnswerParser::wantsMarker(std::string_view text) const { return state_->wantsMarker(text); }

} // namespace coterie::engine
