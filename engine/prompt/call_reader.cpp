// SPDX-License-Identifier: Apache-2.0
// See call_reader.h. Each reader is a small state machine over the text: it goes on where it was when more has come.
#include "prompt/call_reader.h"

#include "prompt/python_calls.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace coterie::engine {
namespace {

using Found = CallReader::Found;

constexpr std::string_view kSpaces = " \t\r\n";
constexpr size_t kMostName = 256; ///< bytes of a name or key; longer ones are no names
constexpr size_t kMostBlank = 64; ///< white space between two tags of one call

// DeepSeek's control tokens. The bars are U+FF5C, the low lines U+2581.
constexpr std::string_view kCallsBegin = "<\xEF\xBD\x9Ctool\xE2\x96\x81"
                                         "calls\xE2\x96\x81"
                                         "begin\xEF\xBD\x9C>",
                           kCallsEnd = "<\xEF\xBD\x9Ctool\xE2\x96\x81"
                                       "calls\xE2\x96\x81"
                                       "end\xEF\xBD\x9C>",
                           kCallBegin = "<\xEF\xBD\x9Ctool\xE2\x96\x81"
                                        "call\xE2\x96\x81"
                                        "begin\xEF\xBD\x9C>",
                           kCallEnd = "<\xEF\xBD\x9Ctool\xE2\x96\x81"
                                      "call\xE2\x96\x81"
                                      "end\xEF\xBD\x9C>",
                           kSeparator = "<\xEF\xBD\x9Ctool\xE2\x96\x81sep\xEF\xBD\x9C>";
constexpr std::string_view kArguments = "[ARGS]", kCallId = "[CALL_ID]"; // Mistral's

constexpr CallMarker kMarkers[] = {
    {"<tool_call>", "</tool_call>", {CallForm::HermesJson, CallForm::FunctionTags, CallForm::ArgumentTags}},
    {"<seed:tool_call>", "</seed:tool_call>", {CallForm::SeedTags}},
    {"<minimax:tool_call>", "</minimax:tool_call>", {CallForm::InvokeTags}},
    {"<|tool_call_start|>", "<|tool_call_end|>", {CallForm::PythonList}},
    {"<|tool_call|>", "", {CallForm::GraniteJson}},
    {"[TOOL_CALLS]", "", {CallForm::MistralCalls}},
    {kCallsBegin, kCallsEnd, {CallForm::DeepSeekCalls}},
    {kCallBegin, kCallsEnd, {CallForm::DeepSeekCalls}},
    {"<code>", "</code>", {CallForm::PythonCode}},
    {"<|python_tag|>", "", {CallForm::BareJson}},
};

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

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(kSpaces);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Returns the text without the line end after its beginning and the one before its end.
std::string_view withoutLineEnds(std::string_view text) {
    const bool wide = text.starts_with("\r\n"); // then the other one is as wide
    const std::string_view lineEnd = wide ? "\r\n" : "\n";
    if (text.starts_with(lineEnd)) text.remove_prefix(lineEnd.size());
    if (text.ends_with(lineEnd)) text.remove_suffix(lineEnd.size());
    return text;
}

/// A reader in steps, with a place in the text that only moves forward.
class SteppedReader : public CallReader {
  public:
    SteppedReader(const CallMarker& marker, const OfferedTools& tools) : marker_(marker), tools_(tools) {
        at_ = marker.open.size();
    }

    Found read(std::string_view text, bool atEnd) final {
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
    bool skipTo(std::string_view blanks = kSpaces) {
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

    const CallMarker& marker_;
    const OfferedTools& tools_;
    std::string_view text_{};
    bool atEnd_ = false;
};

/// JSON values: one, or several in a row.
class JsonReader final : public SteppedReader {
  public:
    enum class Extent {
        OneValue,
        Values, ///< several may follow each other
        Rest,   ///< they must be the whole rest of the answer
    };
    JsonReader(const CallMarker& marker, const OfferedTools& tools, Extent extent)
        : SteppedReader(marker, tools), extent_(extent) {}

  private:
    std::optional<Found> step() override {
        if (scanner_) return within();
        const bool more = skipTo(calls_.empty() ? kSpaces : std::string_view(" \t\r\n;"));
        if (more && (text_[at_] == '{' || text_[at_] == '[')) {
            scanner_.emplace(at_);
            return std::nullopt;
        }
        if (calls_.empty()) return more ? Found::NoCall : needsMore();
        return after(more);
    }

    /// Behind a value, at something that is not another one.
    Found after(bool more) {
        if (!more && !atEnd_) return Found::Unfinished;
        if (extent_ == Extent::Rest) return more ? Found::NoCall : Found::Whole;
        if (marker_.close.empty()) return wholeAt(valueEnd_);
        const Match closed = take(marker_.close);
        if (closed == Match::Wait) return Found::Unfinished;
        return closed == Match::Yes ? Found::Whole : wholeAt(valueEnd_);
    }

    std::optional<Found> within() {
        if (extent_ == Extent::Rest && cantBeCall()) return Found::NoCall;
        const JsonScanner::Found found = scanner_->scan(text_);
        if (found == JsonScanner::Found::Unfinished && !atEnd_) return Found::Unfinished;
        at_ = scanner_->at();
        if (found != JsonScanner::Found::Whole) return mended(found);
        if (!add(jsonCalls(value(), tools_))) return Found::NoCall;
        scanner_.reset();
        valueEnd_ = at_;
        if (extent_ == Extent::OneValue && marker_.close.empty()) return Found::Whole;
        return std::nullopt;
    }

    /// One closing bracket is missing, and the value ends at the closing marker or with the answer.
    Found mended(JsonScanner::Found found) {
        const size_t end = at_;
        if (!scanner_->lacksOneBracket()) return Found::NoCall;
        if (found == JsonScanner::Found::Wrong) {
            const Match closed = marker_.close.empty() ? Match::No : take(marker_.close);
            if (closed != Match::Yes) return closed == Match::Wait ? Found::Unfinished : Found::NoCall;
        }
        const std::string_view open = text_.substr(scanner_->begin(), end - scanner_->begin());
        const std::string whole = std::string(open) + (open.front() == '{' ? '}' : ']');
        return add(jsonCalls(whole, tools_)) ? Found::Whole : Found::NoCall;
    }

    std::string_view value() const { return text_.substr(scanner_->begin(), at_ - scanner_->begin()); }

    /// A whole answer that is JSON becomes text as soon as its first key is no call's.
    bool cantBeCall() const {
        constexpr std::string_view keys[] = {"\"name\"", "\"arguments\"", "\"parameters\"", "\"type\"", "\"function\""};
        if (text_[scanner_->begin()] == '[') return false;
        const std::string_view begin = text_.substr(scanner_->begin(), kMostBlank);
        const size_t key = begin.find_first_not_of(kSpaces, 1);
        if (key == begin.npos) return begin.size() == kMostBlank;
        return std::none_of(std::begin(keys), std::end(keys), [&](std::string_view wanted) {
            const size_t n = std::min(wanted.size(), begin.size() - key);
            return begin.substr(key, n) == wanted.substr(0, n);
        });
    }

    Extent extent_;
    std::optional<JsonScanner> scanner_{}; ///< reads the value that is not whole yet
    size_t valueEnd_ = 0;
};

/// Calls in tags. A value ends at its closing tag only if the next tag follows that one.
class TagReader final : public SteppedReader {
  public:
    TagReader(const CallMarker& marker, const OfferedTools& tools, const TagWords& words)
        : SteppedReader(marker, tools), words_(words) {}

  private:
    enum class Stage { Call, Name, Parameter, Key, ValueBegin, Value };

    std::optional<Found> step() override {
        switch (stage_) {
        case Stage::Call:
            return call();
        case Stage::Name:
            return name();
        case Stage::Parameter:
            return parameter();
        case Stage::Key:
            return key();
        case Stage::ValueBegin:
            return valueBegin();
        case Stage::Value:
            return value();
        }
        return Found::NoCall;
    }
    std::optional<Found> go(Stage stage) {
        stage_ = stage;
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
        return go(Stage::Name);
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
        return tools_.has(name_) ? go(Stage::Parameter) : Found::NoCall;
    }

    std::optional<Found> parameter() {
        if (!skipTo()) return needsMore();
        const Match opened = take(words_.keyOpen);
        if (opened == Match::Yes) return go(Stage::Key);
        const Match closed = take(callEndWord());
        if (closed == Match::Yes) return ended();
        return opened == Match::Wait || closed == Match::Wait ? Found::Unfinished : Found::NoCall;
    }
    std::string_view callEndWord() const { return words_.callClose.empty() ? marker_.close : words_.callClose; }

    std::optional<Found> ended() {
        std::optional<ToolCall> call = callOf(name_, members_.take(), tools_);
        if (!call) return Found::NoCall;
        calls_.push_back(std::move(*call));
        callEnd_ = at_;
        return words_.callClose.empty() ? Found::Whole : go(Stage::Call);
    }

    std::optional<Found> key() {
        const std::optional<std::string_view> key = takeUpTo(words_.keyEnd);
        if (!key) return nameMissing(words_.keyEnd);
        if (key->empty()) return Found::NoCall;
        key_ = *key;
        used_.insert(key_);
        return go(Stage::ValueBegin);
    }

    std::optional<Found> valueBegin() {
        if (!words_.valueOpen.empty()) {
            if (!skipTo()) return needsMore();
            const Match opened = take(words_.valueOpen);
            if (opened != Match::Yes) return opened == Match::Wait ? Found::Unfinished : Found::NoCall;
        }
        valueBegin_ = at_;
        return go(Stage::Value);
    }

    /// at_ goes on over closing tags that stand within the value.
    std::optional<Found> value() {
        const size_t close = text_.find(words_.valueClose, at_);
        if (close == text_.npos) {
            at_ = std::max(at_, text_.size() - std::min(text_.size(), words_.valueClose.size() - 1));
            return needsMore();
        }
        at_ = close;
        const Match ends = endsValue(close + words_.valueClose.size());
        if (ends == Match::Wait) return Found::Unfinished;
        if (ends == Match::No) {
            ++at_;
            return std::nullopt;
        }
        std::string_view written = text_.substr(valueBegin_, close - valueBegin_);
        if (words_.trimsLineEnds) written = withoutLineEnds(written);
        members_.set(key_, tools_.typed(name_, key_, written));
        at_ = close + words_.valueClose.size();
        return go(Stage::Parameter);
    }

    /// Returns the place at which something other than white space begins, or nothing if too much of it comes.
    std::optional<size_t> behindBlank(size_t place) const {
        const size_t next = std::min(text_.find_first_not_of(kSpaces, place), text_.size());
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
    Stage stage_ = Stage::Call;
    std::string name_{}, key_{};
    std::unordered_set<std::string> used_{}; ///< keys of this call
    JsonMembers members_{};
    size_t valueBegin_ = 0, callEnd_ = 0;
};

/// A call whose name stands before its JSON: Mistral's newer form and both of DeepSeek's.
class NamedReader final : public SteppedReader {
  public:
    NamedReader(const CallMarker& marker, const OfferedTools& tools)
        : SteppedReader(marker, tools), deepSeek_(!marker.close.empty()) {
        if (marker.open == kCallBegin) at_ = 0; // it is the first word of a call
    }

  private:
    enum class Stage { Call, Head, Name, Arguments, Json, JsonEnd };

    std::optional<Found> step() override {
        switch (stage_) {
        case Stage::Call:
            return call();
        case Stage::Head:
            return head();
        case Stage::Name:
            return name();
        case Stage::Arguments:
            return arguments();
        case Stage::Json:
            return json();
        case Stage::JsonEnd:
            return jsonEnd();
        }
        return Found::NoCall;
    }
    std::optional<Found> go(Stage stage) {
        stage_ = stage;
        return std::nullopt;
    }

    std::optional<Found> call() {
        if (!deepSeek_) return go(Stage::Name);
        const bool more = skipTo();
        if (!more && !atEnd_) return Found::Unfinished;
        const Match opened = more ? take(kCallBegin) : Match::No;
        if (opened == Match::Yes) return go(Stage::Head);
        const Match closed = more && !calls_.empty() ? take(marker_.close) : Match::No;
        if (closed == Match::Yes) return Found::Whole;
        if (opened == Match::Wait || closed == Match::Wait) return Found::Unfinished;
        return wholeAt(calls_.empty() ? at_ : callEnd_);
    }

    /// DeepSeek: the name in V3.1, the word "function" in V3 and R1, where the name follows.
    std::optional<Found> head() {
        const std::optional<std::string_view> head = takeUpTo(kSeparator);
        if (!head) return nameMissing(kSeparator);
        name_ = *head;
        return go(Stage::Name);
    }

    std::optional<Found> name() {
        if (!skipTo()) return needsMore();
        fenced_ = fenceEnded_ = false;
        if (text_[at_] == '{') return go(Stage::Arguments); // V3.1
        const std::string_view rest = text_.substr(at_, kMostName);
        const size_t end = rest.find_first_of(deepSeek_ ? "\n" : "[{");
        if (end == rest.npos) return nameMissing("");
        name_ = trimmed(rest.substr(0, end));
        at_ += end;
        return go(Stage::Arguments);
    }

    /// Reads the words between the name and the JSON.
    std::optional<Found> arguments() {
        if (!skipTo()) return needsMore();
        if (text_[at_] == '{') {
            scanner_ = JsonScanner(at_);
            return tools_.has(name_) ? go(Stage::Json) : Found::NoCall;
        }
        if (deepSeek_) {
            const Match fence = fenced_ ? Match::No : take("```json");
            fenced_ = fenced_ || fence == Match::Yes;
            if (fence == Match::Yes) return std::nullopt;
            return fence == Match::Wait ? Found::Unfinished : Found::NoCall;
        }
        const Match given = take(kArguments);
        if (given == Match::Yes) return std::nullopt;
        const Match numbered = take(kCallId);
        if (numbered == Match::Yes) {
            if (takeUpTo(kArguments)) return std::nullopt;
            at_ -= kCallId.size(); // it is looked for again when more has come
            return nameMissing(kArguments);
        }
        return given == Match::Wait || numbered == Match::Wait ? Found::Unfinished : Found::NoCall;
    }

    std::optional<Found> json() {
        const JsonScanner::Found found = scanner_.scan(text_);
        if (found == JsonScanner::Found::Unfinished && !atEnd_) return Found::Unfinished;
        at_ = scanner_.at();
        const bool whole = found == JsonScanner::Found::Whole;
        const bool ends = deepSeek_ || at_ == text_.size(); // a closing bracket may be missing here
        if (!whole && !(ends && scanner_.lacksOneBracket())) return Found::NoCall;
        mended_ = !whole;
        const std::string_view written = text_.substr(scanner_.begin(), at_ - scanner_.begin());
        if (!add(namedCall(name_, whole ? std::string(written) : std::string(written) + '}', tools_)))
            return Found::NoCall;
        callEnd_ = at_;
        return deepSeek_ ? go(Stage::JsonEnd) : Found::Whole;
    }

    std::optional<Found> jsonEnd() {
        const bool more = skipTo();
        if (!more) return atEnd_ ? wholeAt(callEnd_) : Found::Unfinished;
        if (fenced_) {
            const Match fence = take("```");
            if (fence == Match::Wait) return Found::Unfinished;
            fenced_ = false;
            fenceEnded_ = fence == Match::Yes;
            if (fenceEnded_) return std::nullopt;
        }
        const Match ended = take(kCallEnd);
        if (ended == Match::Wait) return Found::Unfinished;
        if (ended == Match::No) return mended_ && !fenceEnded_ ? Found::NoCall : wholeAt(callEnd_);
        callEnd_ = at_;
        return go(Stage::Call);
    }

    const bool deepSeek_;
    Stage stage_ = Stage::Call;
    std::string name_{};
    bool fenced_ = false;     ///< a Markdown fence is open around the JSON
    bool fenceEnded_ = false; ///< it was closed
    bool mended_ = false;     ///< a closing bracket was added to the JSON
    JsonScanner scanner_{};
    size_t callEnd_ = 0;
};

/// The calls of Python statements, each with its whole code. Code that is more than calls of offered tools is one call
/// without a name.
std::vector<ToolCall> codeCalls(std::string_view body, const OfferedTools& tools) {
    std::vector<ToolCall> calls;
    if (std::optional<std::vector<PythonCall>> read = pythonCalls(body)) {
        for (PythonCall& call : *read) {
            constexpr std::string_view method = ".call"; // Llama 3's built-in tools: brave_search.call(query="...")
            const size_t plain = call.name.size() - std::min(call.name.size(), method.size());
            if (call.name.ends_with(method) && tools.has(call.name.substr(0, plain))) call.name.resize(plain);
            std::optional<ToolCall> made = callOf(call.name, std::move(call.arguments), tools);
            if (made) calls.push_back(std::move(*made));
        }
        if (calls.size() != read->size()) calls.clear();
    }
    if (calls.empty()) calls.push_back({.name = {}, .arguments = "{}", .code = {}});
    for (ToolCall& call : calls) call.code = std::string(body);
    return calls;
}

/// A list of calls, or code, in Python.
class PythonReader final : public SteppedReader {
  public:
    PythonReader(const CallMarker& marker, const OfferedTools& tools, bool list)
        : SteppedReader(marker, tools), list_(list) {}

  private:
    std::optional<Found> step() override {
        if (!listEnd_ && !scanner_) {
            if (list_ && !skipTo()) return needsMore();
            if (list_ && text_[at_] != '[') return Found::NoCall;
            begin_ = at_;
            scanner_.emplace(at_, list_ ? std::string_view() : marker_.close);
        }
        if (listEnd_) return after();
        const std::optional<size_t> end = scanner_->find(text_, atEnd_);
        if (!end) {
            if (atEnd_) at_ = text_.size();
            return needsMore();
        }
        at_ = *end;
        const std::string_view body = text_.substr(begin_, *end - begin_);
        return list_ ? listed(body) : code(body);
    }

    std::optional<Found> listed(std::string_view body) {
        const std::optional<std::vector<PythonCall>> read = pythonCallList(body);
        if (!read) return Found::NoCall;
        for (const PythonCall& call : *read) {
            std::optional<ToolCall> made = callOf(call.name, call.arguments, tools_);
            if (!made) return Found::NoCall;
            calls_.push_back(std::move(*made));
        }
        listEnd_ = at_;
        return std::nullopt;
    }
    Found after() {
        if (!skipTo() && !atEnd_) return Found::Unfinished;
        const Match closed = take(marker_.close);
        if (closed == Match::Wait) return Found::Unfinished;
        return closed == Match::Yes ? Found::Whole : wholeAt(*listEnd_);
    }

    Found code(std::string_view body) {
        while (body.starts_with('\n')) body.remove_prefix(1);
        while (!body.empty() && kSpaces.find(body.back()) != kSpaces.npos) body.remove_suffix(1);
        at_ += marker_.close.size();
        if (body.empty()) return Found::NoCall;
        calls_ = codeCalls(body, tools_);
        return Found::Whole;
    }

    const bool list_;
    size_t begin_ = 0;
    std::optional<PythonScanner> scanner_{};
    std::optional<size_t> listEnd_{};
};

/// JSON or Python up to the end of the answer.
class RestReader final : public SteppedReader {
  public:
    using SteppedReader::SteppedReader;

  private:
    std::optional<Found> step() override {
        if (!atEnd_) return Found::Unfinished;
        std::string_view body = text_.substr(at_);
        at_ = text_.size();
        while (body.starts_with('\n')) body.remove_prefix(1);
        while (!body.empty() && kSpaces.find(body.back()) != kSpaces.npos) body.remove_suffix(1);
        if (body.empty()) return Found::NoCall;
        if (!add(jsonCalls(body, tools_))) calls_ = codeCalls(body, tools_);
        return Found::Whole;
    }
};

/// A marker that opens several forms: the first byte behind it says which.
class ChoosingReader final : public CallReader {
  public:
    ChoosingReader(const CallMarker& marker, FormSet<CallForm> forms, const OfferedTools& tools)
        : marker_(marker), forms_(forms), tools_(tools) {
        at_ = marker.open.size();
    }

    Found read(std::string_view text, bool atEnd) override {
        if (!chosen_) {
            at_ = std::min(text.find_first_not_of(kSpaces, at_), text.size());
            if (at_ == text.size()) return atEnd ? Found::NoCall : Found::Unfinished;
            chosen_ = choose(text[at_]);
            if (!chosen_) return Found::NoCall;
        }
        const Found found = chosen_->read(text, atEnd);
        at_ = chosen_->end();
        if (found == Found::Whole) calls_ = chosen_->take();
        return found;
    }

  private:
    std::unique_ptr<CallReader> choose(char first) const {
        using Extent = JsonReader::Extent;
        const bool json = first == '{' || first == '[';
        if (json && forms_.has(CallForm::MistralCalls))
            return std::make_unique<JsonReader>(marker_, tools_, Extent::OneValue);
        if (forms_.has(CallForm::MistralCalls)) return std::make_unique<NamedReader>(marker_, tools_);
        if (json && forms_.has(CallForm::HermesJson))
            return std::make_unique<JsonReader>(marker_, tools_, Extent::Values);
        if (first == '<' && forms_.has(CallForm::FunctionTags))
            return std::make_unique<TagReader>(marker_, tools_, kFunctionTags);
        if (!json && first != '<' && forms_.has(CallForm::ArgumentTags))
            return std::make_unique<TagReader>(marker_, tools_, kArgumentTags);
        return nullptr;
    }

    const CallMarker& marker_;
    const FormSet<CallForm> forms_;
    const OfferedTools& tools_;
    std::unique_ptr<CallReader> chosen_{};
};

constexpr CallMarker kNoMarker{"", "", {CallForm::BareJson}};

} // namespace

std::span<const CallMarker> callMarkers() { return kMarkers; }

bool isInnerMarker(std::string_view text, FormSet<CallForm> forms) {
    const bool deepSeek = text == kCallBegin || text == kSeparator || text == kCallEnd || text == kCallsEnd;
    return (deepSeek && forms.has(CallForm::DeepSeekCalls)) ||
           ((text == kArguments || text == kCallId) && forms.has(CallForm::MistralCalls));
}

std::unique_ptr<CallReader> readerFor(const CallMarker& marker, FormSet<CallForm> forms, const OfferedTools& tools) {
    const auto opens = [&](CallForm form) { return marker.forms.has(form); };
    if (opens(CallForm::HermesJson) || opens(CallForm::MistralCalls)) {
        FormSet<CallForm> wanted;
        for (const CallForm form :
             {CallForm::HermesJson, CallForm::FunctionTags, CallForm::ArgumentTags, CallForm::MistralCalls})
            if (opens(form) && forms.has(form)) wanted.add(form);
        return std::make_unique<ChoosingReader>(marker, wanted, tools);
    }
    if (opens(CallForm::SeedTags)) return std::make_unique<TagReader>(marker, tools, kSeedTags);
    if (opens(CallForm::InvokeTags)) return std::make_unique<TagReader>(marker, tools, kInvokeTags);
    if (opens(CallForm::GraniteJson)) return std::make_unique<JsonReader>(marker, tools, JsonReader::Extent::OneValue);
    if (opens(CallForm::DeepSeekCalls)) return std::make_unique<NamedReader>(marker, tools);
    if (opens(CallForm::BareJson)) return std::make_unique<RestReader>(marker, tools);
    return std::make_unique<PythonReader>(marker, tools, opens(CallForm::PythonList));
}

std::unique_ptr<CallReader> bareReader(const OfferedTools& tools) {
    return std::make_unique<JsonReader>(kNoMarker, tools, JsonReader::Extent::Rest);
}

} // namespace coterie::engine
