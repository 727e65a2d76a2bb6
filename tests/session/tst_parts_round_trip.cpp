// SPDX-License-Identifier: Apache-2.0
// Random answers in every form that models write them in: written down, parsed in random pieces, given to a template,
// and parsed again. Nothing may change on the way.
#include "gguf/gguf.h"
#include "prompt/answer_parser.h"
#include "session/prompt_format.h"
#include "support/tiny_model.h"

#include <QtTest>

#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

using namespace coterie::engine;
using namespace coterie::test;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kCases = 10'000;

enum class Form { Hermes, Coder, Python, Bare, Channels, Lfm2, Granite, Gemma };
constexpr Form kForms[] = {Form::Hermes,   Form::Coder, Form::Python,  Form::Bare,
                           Form::Channels, Form::Lfm2,  Form::Granite, Form::Gemma};

AnswerForms formsOf(Form form) {
    AnswerForms forms;
    if (form == Form::Python)
        forms.calls = {CallForm::PythonCode};
    else if (form == Form::Bare)
        forms.calls = {CallForm::BareJson};
    else if (form == Form::Channels)
        forms.calls = {CallForm::GptOssChannels};
    else
        forms.calls = kMarkedCalls;
    return forms;
}

const char* const kWords[] = {"a",
                              "Hello",
                              "<",
                              "<b>",
                              "</think",
                              "<tool_",
                              "{",
                              "}",
                              "\"",
                              "\\",
                              "\n",
                              " ",
                              "\n\n",
                              "\xc3\xa9",
                              "|>",
                              "<|",
                              "&",
                              "```",
                              "\t",
                              "12",
                              "'",
                              "</",
                              "null",
                              "):",
                              "[x]",
                              "=",
                              "#",
                              "<code",
                              "to=functions.x",
                              "\xe6\x97\xa5\xe6\x9c\xac",
                              "\xf0\x9f\xa6\x99",
                              ";",
                              ",",
                              "%}"};
const char* const kMarkers[] = {"<think>", "</think>", "<tool_call>", "</tool_call>", "<code>", "</code>", "<|"};

/// Draws answers, and writes them as a model of the form does.
class Author {
  public:
    explicit Author(uint32_t seed) : random_(seed) {}

    struct Answer {
        Form form = Form::Hermes;
        std::vector<Part> parts; ///< a tool call's text are its words
        std::string written;
    };
    Answer answer();
    size_t below(size_t count) { return random_() % count; }

  private:
    bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
    std::string words();
    std::string name();
    Json value(int depth);
    Json arguments(bool plainText);
    std::string pythonOf(const Json& value);
    std::string pythonCall(const ToolCall& call);
    ToolCall call(bool plainText = false) { return {name(), arguments(plainText).dump(), {}}; }
    std::string jsonOf(const ToolCall& call, const char* key);

    void addWords(Answer& answer, PartKind kind);
    void addCalls(Answer& answer);
    void add(Answer& answer, std::vector<ToolCall> calls, const std::string& written);
    void addHermes(Answer& answer);
    void addCoder(Answer& answer);
    void addPython(Answer& answer);
    void addList(Answer& answer);
    void addMessages(Answer& answer);
    std::string gemmaOf(const Json& value);
    void addGemma(Answer& answer);

    std::mt19937 random_;
};

/// Not empty, without white space at its ends and without a whole marker.
std::string Author::words() {
    for (;;) {
        std::string text;
        for (size_t n = 1 + below(8); n > 0; --n) text += kWords[below(std::size(kWords))];
        const size_t begin = text.find_first_not_of(" \t\n");
        if (begin == text.npos) continue;
        text = text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
        const auto has = [&](const char* marker) { return text.find(marker) != text.npos; };
        if (std::none_of(std::begin(kMarkers), std::end(kMarkers), has) && text.front() != '{') return text;
    }
}

std::string Author::name() {
    const char* const names[] = {"f", "get_time", "add2", "_x", "web_search"};
    return names[below(std::size(names))];
}

Json Author::value(int depth) {
    switch (below(depth > 2 ? 5 : 7)) {
    case 0:
        return static_cast<int64_t>(random_()) - (int64_t{1} << 31);
    case 1:
        return static_cast<double>(below(1000)) / 8 + 0.0625;
    case 2:
        return chance(50);
    case 3:
        return nullptr;
    case 4:
        return chance(10) ? std::string() : words();
    case 5: {
        Json list = Json::array();
        for (size_t n = below(3); n > 0; --n) list.push_back(value(depth + 1));
        return list;
    }
    default:
        break;
    }
    Json object = Json::object();
    for (size_t n = below(3); n > 0; --n) object[words()] = value(depth + 1);
    return object;
}

/// plainText: texts that Qwen3-Coder's tags can hold, where "12" is a number.
Json Author::arguments(bool plainText) {
    Json object = Json::object();
    for (size_t n = below(4); n > 0; --n) {
        Json argument = value(0);
        if (plainText && argument.is_string() && Json::accept(argument.get<std::string>())) continue;
        object[name()] = std::move(argument);
    }
    return object;
}

std::string Author::pythonOf(const Json& value) {
    if (value.is_null()) return "None";
    if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
    std::string out, separator;
    if (value.is_array()) {
        for (const Json& item : value) out += std::exchange(separator, ", ") + pythonOf(item);
        return "[" + out + "]";
    }
    if (value.is_object()) {
        for (const auto& [key, item] : value.items())
            out += std::exchange(separator, ", ") + Json(key).dump() + ": " + pythonOf(item);
        return "{" + out + "}";
    }
    return value.dump(); // a number, or a text whose escapes are Python's too
}

std::string Author::pythonCall(const ToolCall& call) {
    std::string out, separator;
    const Json given = Json::parse(call.arguments);
    for (const auto& [key, value] : given.items()) out += std::exchange(separator, ", ") + key + "=" + pythonOf(value);
    return call.name + "(" + out + ")";
}

std::string Author::jsonOf(const ToolCall& call, const char* key) {
    const Json json{{"name", call.name}, {key, Json::parse(call.arguments)}};
    return chance(50) ? json.dump() : json.dump(2);
}

void Author::addWords(Answer& answer, PartKind kind) {
    std::string said = words();
    while (said.find("```") != said.npos) said = words(); // calls in a fence are text
    answer.parts.push_back({.kind = kind, .text = said});
    answer.written += kind == PartKind::Thought ? "<think>\n" + said + "\n</think>\n\n" : said;
}

void Author::add(Answer& answer, std::vector<ToolCall> calls, const std::string& written) {
    for (size_t i = 0; i < calls.size(); ++i)
        answer.parts.push_back(
            {.kind = PartKind::ToolCall, .text = i == 0 ? written : std::string(), .call = std::move(calls[i])});
    answer.written += written;
}

void Author::addHermes(Answer& answer) {
    const ToolCall made = call();
    add(answer, {made}, "<tool_call>\n" + jsonOf(made, chance(80) ? "arguments" : "parameters") + "\n</tool_call>");
}

void Author::addCoder(Answer& answer) {
    const ToolCall made = call(true);
    std::string out = "<tool_call>\n<function=" + made.name + ">\n";
    const Json given = Json::parse(made.arguments);
    for (const auto& [key, value] : given.items())
        out += "<parameter=" + key + ">\n" + (value.is_string() ? value.get<std::string>() : value.dump()) +
               "\n</parameter>\n";
    add(answer, {made}, out + "</function>\n</tool_call>");
}

void Author::addPython(Answer& answer) {
    std::string code;
    std::vector<ToolCall> calls;
    if (chance(20)) {
        code = "for i in range(3):\n    " + name() + "(i)";
        calls.push_back({"", "{}", ""});
    }
    for (size_t n = calls.empty() ? 1 + below(3) : 0; n > 0; --n) {
        calls.push_back(call());
        const std::string source = pythonCall(calls.back());
        const std::string statement[] = {source, "x = " + source, "print(" + source + ")", source + "  # why"};
        code += (code.empty() ? "" : "\n") + statement[below(std::size(statement))];
    }
    for (ToolCall& made : calls) made.code = code;
    add(answer, std::move(calls), "<code>\n" + code + "\n</code>");
}

/// Several calls in one pair of markers.
void Author::addList(Answer& answer) {
    std::vector<ToolCall> calls;
    std::string out, separator;
    for (size_t n = 1 + below(3); n > 0; --n) {
        calls.push_back(call());
        out +=
            std::exchange(separator, answer.form == Form::Bare ? "; " : ", ") +
            (answer.form == Form::Lfm2 ? pythonCall(calls.back())
                                       : jsonOf(calls.back(), answer.form == Form::Bare ? "parameters" : "arguments"));
    }
    if (answer.form == Form::Lfm2) out = "<|tool_call_start|>[" + out + "]<|tool_call_end|>";
    if (answer.form == Form::Granite) out = "<|tool_call|>[" + out + "]";
    add(answer, std::move(calls), out);
}

/// The words hold no "<|", with which Gemma's quotes begin.
std::string Author::gemmaOf(const Json& value) {
    const std::string quote = "<|\"|>";
    if (value.is_string()) return quote + value.get<std::string>() + quote;
    if (!value.is_structured()) return value.dump();
    std::string out, separator;
    for (const auto& [key, item] : value.items()) {
        out += std::exchange(separator, ",");
        if (value.is_object()) out += quote + key + quote + ":";
        out += gemmaOf(item);
    }
    return value.is_array() ? "[" + out + "]" : "{" + out + "}";
}

void Author::addGemma(Answer& answer) {
    const ToolCall made = call();
    add(answer, {made}, "<|tool_call>call:" + made.name + gemmaOf(Json::parse(made.arguments)) + "<tool_call|>");
}

/// gpt-oss: each part is a message.
void Author::addMessages(Answer& answer) {
    for (size_t n = 1 + below(4); n > 0; --n) {
        std::string& out = answer.written;
        if (!out.empty()) out += "<|start|>assistant";
        const size_t kind = below(4);
        if (kind == 3) {
            const ToolCall made = call();
            out += " to=functions." + made.name + "<|channel|>commentary <|constrain|>json<|message|>" +
                   Json::parse(made.arguments).dump(chance(50) ? -1 : 1) + "<|call|>";
            answer.parts.push_back({.kind = PartKind::ToolCall, .call = made});
            continue;
        }
        const std::string said = words();
        const char* const channels[] = {"analysis", "commentary", "final"};
        out += std::string("<|channel|>") + channels[kind] + "<|message|>" + said + "<|end|>";
        answer.parts.push_back({.kind = kind == 0 ? PartKind::Thought : PartKind::Text, .text = said});
    }
    // The first header's role is the prompt's.
    if (answer.written.starts_with(" to=")) answer.written = "<|start|>assistant" + answer.written;
}

void Author::addCalls(Answer& answer) {
    switch (answer.form) {
    case Form::Hermes:
        return addHermes(answer);
    case Form::Coder:
        return addCoder(answer);
    case Form::Python:
        return addPython(answer);
    case Form::Gemma:
        return addGemma(answer);
    default:
        return addList(answer);
    }
}

Author::Answer Author::answer() {
    Answer answer{.form = kForms[below(std::size(kForms))], .parts = {}, .written = {}};
    if (answer.form == Form::Channels) return addMessages(answer), answer;
    if (chance(40)) addWords(answer, PartKind::Thought);
    const bool toTheEnd = answer.form == Form::Bare || answer.form == Form::Granite; // a call ends the answer
    bool spoke = false;
    for (size_t n = 1 + below(toTheEnd ? 1 : 4); n > 0; --n) {
        const bool speaks = !spoke && chance(60);
        if (speaks)
            addWords(answer, PartKind::Text);
        else
            addCalls(answer);
        if (n > 1) answer.written += "\n";
        spoke = speaks;
    }
    return answer;
}

std::vector<Part> parsed(const AnswerForms& forms, std::string_view text, const std::function<size_t()>& pieceSize) {
    AnswerParser parser(forms);
    std::vector<Part> parts;
    for (size_t at = 0; at < text.size();) {
        const std::string_view piece = text.substr(at, pieceSize());
        for (const AnswerEvent& event : parser.push(piece)) addTo(parts, event);
        at += piece.size();
    }
    for (const AnswerEvent& event : parser.finish()) addTo(parts, event);
    return parts;
}

std::string shown(const std::vector<Part>& parts) {
    const char* const kinds[] = {"text", "thought", "call", "result"};
    std::string out;
    for (const Part& part : parts)
        out += std::string(kinds[static_cast<int>(part.kind)]) + "[" + part.text + "|" + part.call.name + "|" +
               part.call.arguments + "|" + part.call.code + "]\n";
    return out;
}

/// gpt-oss's template writes calls itself: what was around them doesn't matter.
std::vector<Part> withoutWords(std::vector<Part> parts, bool channels) {
    for (Part& part : parts)
        if (channels && part.kind == PartKind::ToolCall) part.text.clear();
    return parts;
}

/// A model's file with this template.
class Prompter {
  public:
    explicit Prompter(const std::string& source) {
        const TinyModel model = makeTinyModel({.chatTemplate = source});
        const auto header = gguf::parse(std::as_bytes(std::span(model.bytes)), model.bytes.size());
        const auto tokenizer = Tokenizer::create(*header);
        std::vector<Sentence> notes;
        format_ = PromptFormat::choose(*header, **tokenizer, notes);
    }
    std::string operator()(const std::vector<Part>& parts) const {
        const Message message{Role::Assistant, parts};
        const Result<PromptText> prompt = format_.render({&message, 1}, {});
        return prompt ? prompt->text : "error: " + prompt.error().line();
    }

  private:
    PromptFormat format_;
};

/// The parts that a template which knows tool_calls is given, from what it was given.
std::vector<Part> partsOfContext(const Json& message) {
    std::vector<Part> parts;
    if (message.contains("reasoning_content"))
        parts.push_back({.kind = PartKind::Thought, .text = message["reasoning_content"].get<std::string>()});
    if (const auto content = message["content"].get<std::string>(); !content.empty())
        parts.push_back({.text = content});
    if (message.contains("tool_calls"))
        for (const Json& call : message["tool_calls"])
            parts.push_back(
                {.kind = PartKind::ToolCall,
                 .call = {call["function"]["name"].get<std::string>(), call["function"]["arguments"].dump(), {}}});
    return parts;
}

/// The same from the parts: one thought, one text, the calls. Code that is more than calls goes with the text.
std::vector<Part> partsForContext(const std::vector<Part>& parts) {
    std::vector<Part> texts, out;
    for (const Part& part : parts) {
        const bool spelled = part.kind == PartKind::ToolCall && part.call.name.empty();
        if (part.kind == PartKind::Text || spelled) texts.push_back({.text = part.text});
    }
    if (const std::string thought = joinedText(parts, PartKind::Thought); !thought.empty())
        out.push_back({.kind = PartKind::Thought, .text = thought});
    if (!texts.empty()) out.push_back({.text = joinedText(texts)});
    for (const ToolCall& call : toolCallsOf(parts))
        if (!call.name.empty()) out.push_back({.kind = PartKind::ToolCall, .call = {call.name, call.arguments, {}}});
    return out;
}

} // namespace

class TestPartsRoundTrip : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void answersComeBack() {
        const Prompter structured("{# tool_calls #}{{ messages[0] | tojson }}"),
            contentAlone("{{ messages[0].content }}");
        Author author(14);
        for (int i = 0; i < kCases; ++i) {
            const Author::Answer answer = author.answer();
            const bool channels = answer.form == Form::Channels;
            const std::vector<Part> given = withoutWords(
                parsed(formsOf(answer.form), answer.written, [&] { return 1 + author.below(12); }), channels);
            const std::string why =
                "wrote:\n" + answer.written + "\nmeant:\n" + shown(answer.parts) + "parsed:\n" + shown(given);
            QVERIFY2(given == answer.parts, why.c_str());

            const Json message = Json::parse(structured(given), nullptr, false);
            QVERIFY2(message.is_object(), why.c_str());
            QVERIFY2(partsOfContext(message) == partsForContext(given), (why + message.dump()).c_str());

            // A template that knows no calls gives the model back what it wrote.
            if (channels) continue;
            const std::string content = contentAlone(given);
            std::vector<Part> spoken = given;
            std::erase_if(spoken, [](const Part& part) { return part.kind == PartKind::Thought; });
            const std::vector<Part> again = parsed(formsOf(answer.form), content, [&] { return 1 + author.below(12); });
            QVERIFY2(again == spoken, (why + "content:\n" + content).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestPartsRoundTrip)
#include "tst_parts_round_trip.moc"
