// SPDX-License-Identifier: Apache-2.0
// See call_reader.h. The markers, the readers of JSON, of named calls and of Python, and the choice between readers.
#include "prompt/calls/call_reader.h"

#include "prompt/calls/gemma_calls.h"
#include "prompt/calls/python_calls.h"
#include "prompt/calls/stepped_reader.h"
#include "prompt/calls/tag_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace coterie::engine {
namespace {

using Found = CallReader::Found;

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
    {"<|tool_call>", "<tool_call|>", {CallForm::GemmaCalls}},
    {"[TOOL_CALLS]", "", {CallForm::MistralCalls}},
    {kCallsBegin, kCallsEnd, {CallForm::DeepSeekCalls}},
    {kCallBegin, kCallsEnd, {CallForm::DeepSeekCalls}},
    {"<code>", "</code>", {CallForm::PythonCode}},
    {"<|python_tag|>", "", {CallForm::BareJson, CallForm::PythonTag}},
};

/// A list without the bracket of its last item: "[{]" becomes "[{}]".
std::string withLast(std::string_view list, char bracket) {
    std::string mended(trimmed(list));
    if (mended.ends_with(']')) mended.insert(mended.size() - 1, 1, bracket);
    return mended;
}

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
        const bool more = skipTo(calls_.empty() ? kBlanks : std::string_view(" \t\r\n;"));
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
        return marker_.close.empty() ? wholeAt(valueEnd_) : closeBehind(valueEnd_);
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
        if (found == JsonScanner::Found::Unfinished && cut_) return Found::NoCall;
        if (found == JsonScanner::Found::Wrong) {
            const Match closed = marker_.close.empty() ? Match::No : take(marker_.close);
            if (closed != Match::Yes) return closed == Match::Wait ? Found::Unfinished : Found::NoCall;
        }
        const std::string_view open = text_.substr(scanner_->begin(), end - scanner_->begin());
        if (open.front() == '{') return add(jsonCalls(std::string(open) + '}', tools_)) ? Found::Whole : Found::NoCall;
        const bool mends =
            add(jsonCalls(std::string(open) + ']', tools_)) || add(jsonCalls(withLast(open, '}'), tools_));
        return mends ? Found::Whole : Found::NoCall;
    }

    std::string_view value() const { return text_.substr(scanner_->begin(), at_ - scanner_->begin()); }

    /// A whole answer that is JSON becomes text as soon as its first key is no call's.
    bool cantBeCall() const {
        constexpr std::string_view keys[] = {"\"name\"", "\"arguments\"", "\"parameters\"", "\"type\"", "\"function\""};
        if (text_[scanner_->begin()] == '[') return false;
        const std::string_view begin = text_.substr(scanner_->begin(), kMostBlank);
        const size_t key = begin.find_first_not_of(kBlanks, 1);
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

/// A call whose name stands before its JSON: Mistral's newer form and both of DeepSeek's.
class NamedReader final : public SteppedReader {
  public:
    NamedReader(const CallMarker& marker, const OfferedTools& tools)
        : SteppedReader(marker, tools), deepSeek_(!marker.close.empty()) {
        if (marker.open == kCallBegin) at_ = 0; // it is the first word of a call
    }

  private:
    std::optional<Found> step() override { return (this->*next_)(); }

    std::optional<Found> go(std::optional<Found> (NamedReader::*next)()) {
        next_ = next;
        return std::nullopt;
    }

    std::optional<Found> call() {
        if (!deepSeek_) return go(&NamedReader::name);
        const bool more = skipTo();
        if (!more && !atEnd_) return Found::Unfinished;
        const Match opened = more ? take(kCallBegin) : Match::No;
        if (opened == Match::Yes) return go(&NamedReader::head);
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
        return go(&NamedReader::name);
    }

    std::optional<Found> name() {
        if (!skipTo()) return needsMore();
        fenced_ = fenceEnded_ = false;
        if (text_[at_] == '{') return go(&NamedReader::arguments); // V3.1
        const std::string_view rest = text_.substr(at_, kMostName);
        const size_t end = rest.find_first_of(deepSeek_ ? "\n" : "[{");
        if (end == rest.npos) return nameMissing("");
        name_ = trimmed(rest.substr(0, end));
        at_ += end;
        return go(&NamedReader::arguments);
    }

    /// Reads the words between the name and the JSON.
    std::optional<Found> arguments() {
        if (!skipTo()) return needsMore();
        if (text_[at_] == '{') {
            scanner_ = JsonScanner(at_);
            return tools_.has(name_) ? go(&NamedReader::json) : Found::NoCall;
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
        const bool cut = cut_ && found == JsonScanner::Found::Unfinished;
        const bool ends = !cut && (deepSeek_ || at_ == text_.size()); // a closing bracket may be missing here
        if (!whole && !(ends && scanner_.lacksOneBracket())) return Found::NoCall;
        mended_ = !whole;
        const std::string_view written = text_.substr(scanner_.begin(), at_ - scanner_.begin());
        if (!add(namedCall(name_, whole ? std::string(written) : std::string(written) + '}', tools_)))
            return Found::NoCall;
        callEnd_ = at_;
        return deepSeek_ ? go(&NamedReader::jsonEnd) : Found::Whole;
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
        return go(&NamedReader::call);
    }

    const bool deepSeek_;
    std::optional<Found> (NamedReader::*next_)() = &NamedReader::call;
    std::string name_{};
    bool fenced_ = false;     ///< a Markdown fence is open around the JSON
    bool fenceEnded_ = false; ///< it was closed
    bool mended_ = false;     ///< a closing bracket was added to the JSON
    JsonScanner scanner_{};
    size_t callEnd_ = 0;
};

/// The calls of Python statements, each with its whole code. Nothing if the code is more than calls of offered tools.
Calls codeCalls(std::string_view body, const OfferedTools& tools) {
    std::optional<std::vector<PythonCall>> read = pythonCalls(body);
    if (!read) return std::nullopt;
    std::vector<ToolCall> calls;
    for (PythonCall& call : *read) {
        constexpr std::string_view method = ".call"; // Llama 3's built-in tools: brave_search.call(query="...")
        const size_t plain = call.name.size() - std::min(call.name.size(), method.size());
        if (call.name.ends_with(method) && tools.has(call.name.substr(0, plain))) call.name.resize(plain);
        std::optional<ToolCall> made = callOf(call.name, std::move(call.arguments), tools);
        if (!made) return std::nullopt;
        made->code = std::string(body);
        calls.push_back(std::move(*made));
    }
    return calls;
}

/// The text without the empty lines before it and the blanks behind it. Blanks in its first line are Python's.
std::string_view programIn(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// A program in Python, which is one call without a name. Only a model that was offered Python writes those.
Calls programCall(std::string_view body) {
    return std::vector<ToolCall>{{.name = {}, .arguments = "{}", .code = std::string(body)}};
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
            scanner_.emplace(at_, marker_.close, list_ ? PythonScanner::Source::List : PythonScanner::Source::Code);
        }
        if (listEnd_) return closeBehind(*listEnd_);
        const std::optional<size_t> end = scanner_->find(text_, atEnd_ && !cut_);
        if (!end) {
            if (atEnd_) at_ = text_.size();
            return needsMore();
        }
        at_ = *end;
        const std::string_view body = text_.substr(begin_, *end - begin_);
        return list_ ? listed(body) : code(body);
    }

    std::optional<Found> listed(std::string_view body) {
        std::optional<std::vector<PythonCall>> read = pythonCallList(body);
        if (!read && scanner_->lacksOneBracket()) {
            read = pythonCallList(std::string(body) + ']');
            if (!read) read = pythonCallList(withLast(body, ')'));
        }
        if (!read) return Found::NoCall;
        for (const PythonCall& call : *read) {
            std::optional<ToolCall> made = callOf(call.name, call.arguments, tools_);
            if (!made) return Found::NoCall;
            calls_.push_back(std::move(*made));
        }
        listEnd_ = at_;
        return std::nullopt;
    }

    Found code(std::string_view body) {
        body = programIn(body);
        at_ += marker_.close.size();
        if (body.empty()) return Found::NoCall;
        if (!add(codeCalls(body, tools_))) add(programCall(body)); // this form is only looked for if Python was offered
        return Found::Whole;
    }

    const bool list_;
    size_t begin_ = 0;
    std::optional<PythonScanner> scanner_{};
    std::optional<size_t> listEnd_{};
};

/// A call in Gemma 4's form, with a pair of markers of its own.
class GemmaReader final : public SteppedReader {
  public:
    using SteppedReader::SteppedReader;

  private:
    std::optional<Found> step() override {
        if (callEnd_) return closeBehind(*callEnd_);
        if (!scanner_) return head();
        const GemmaScanner::Found found = scanner_->scan(text_, atEnd_ && !cut_);
        at_ = scanner_->at();
        if (found == GemmaScanner::Found::Unfinished) return needsMore();
        std::string written(text_.substr(begin_, at_ - begin_));
        if (found == GemmaScanner::Found::LacksBrace) written += '}';
        std::optional<GemmaCall> read = gemmaCall(written);
        std::optional<ToolCall> made = read ? callOf(read->name, std::move(read->arguments), tools_) : std::nullopt;
        if (!made) return Found::NoCall;
        calls_.push_back(std::move(*made));
        callEnd_ = at_;
        return std::nullopt;
    }

    /// Reads up to the arguments. What is no call of an offered tool is text at once.
    std::optional<Found> head() {
        if (!skipTo()) return needsMore();
        begin_ = at_;
        const Match called = look(kCall, at_);
        if (called != Match::Yes) return called == Match::Wait ? Found::Unfinished : Found::NoCall;
        const std::string_view rest = text_.substr(at_ + kCall.size(), kMostName);
        const size_t nameEnd = rest.find('{');
        if (nameEnd == rest.npos) return rest.size() == kMostName ? Found::NoCall : needsMore();
        if (!tools_.has(trimmed(rest.substr(0, nameEnd)))) return Found::NoCall;
        scanner_.emplace(at_, marker_.close);
        return std::nullopt;
    }

    static constexpr std::string_view kCall = "call:";
    size_t begin_ = 0;
    std::optional<GemmaScanner> scanner_{};
    std::optional<size_t> callEnd_{};
};

/// JSON or Python up to the end of the answer: calls of offered tools, or a program if the model was offered Python.
class RestReader final : public SteppedReader {
  public:
    RestReader(const CallMarker& marker, const OfferedTools& tools, bool takesPrograms)
        : SteppedReader(marker, tools), takesPrograms_(takesPrograms) {}

  private:
    std::optional<Found> step() override {
        if (!atEnd_) return Found::Unfinished;
        const std::string_view body = programIn(text_.substr(at_));
        at_ = text_.size();
        if (body.empty()) return Found::NoCall;
        if (add(jsonCalls(body, tools_)) || add(codeCalls(body, tools_))) return Found::Whole;
        const std::optional<JsonText> json = readJson(body);
        const bool otherCall = json && json->is(JsonText::Kind::Object);
        return takesPrograms_ && !cut_ && !otherCall && add(programCall(body)) ? Found::Whole : Found::NoCall;
    }

    const bool takesPrograms_;
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
            at_ = std::min(text.find_first_not_of(kBlanks, at_), text.size());
            if (at_ == text.size()) return atEnd ? Found::NoCall : Found::Unfinished;
            chosen_ = choose(text[at_]);
            if (!chosen_) return Found::NoCall;
        }
        if (cut_) chosen_->cutOff();
        const Found found = chosen_->read(text, atEnd);
        at_ = chosen_->end();
        plain_ = chosen_->plain();
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
            return tagReader(marker_, CallForm::FunctionTags, tools_);
        if (!json && first != '<' && forms_.has(CallForm::ArgumentTags))
            return tagReader(marker_, CallForm::ArgumentTags, tools_);
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
    constexpr std::string_view arguments[] = {"<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"};
    const bool argument = std::find(std::begin(arguments), std::end(arguments), text) != std::end(arguments);
    return (deepSeek && forms.has(CallForm::DeepSeekCalls)) || (argument && forms.has(CallForm::ArgumentTags)) ||
           ((text == kArguments || text == kCallId) && forms.has(CallForm::MistralCalls)) ||
           (text == kGemmaQuote && forms.has(CallForm::GemmaCalls));
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
    if (opens(CallForm::SeedTags)) return tagReader(marker, CallForm::SeedTags, tools);
    if (opens(CallForm::InvokeTags)) return tagReader(marker, CallForm::InvokeTags, tools);
    if (opens(CallForm::GraniteJson)) return std::make_unique<JsonReader>(marker, tools, JsonReader::Extent::OneValue);
    if (opens(CallForm::GemmaCalls)) return std::make_unique<GemmaReader>(marker, tools);
    if (opens(CallForm::DeepSeekCalls)) return std::make_unique<NamedReader>(marker, tools);
    if (opens(CallForm::BareJson)) return std::make_unique<RestReader>(marker, tools, forms.has(CallForm::PythonTag));
    return std::make_unique<PythonReader>(marker, tools, opens(CallForm::PythonList));
}

std::unique_ptr<CallReader> bareReader(const OfferedTools& tools) {
    return std::make_unique<JsonReader>(kNoMarker, tools, JsonReader::Extent::Rest);
}

} // namespace coterie::engine
