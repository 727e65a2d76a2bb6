// SPDX-License-Identifier: Apache-2.0
// Answers in every form that models write them in: the parser finds texts, thoughts and calls, and cuts change nothing.
#include "prompt/answer_parser.h"
#include "prompt/calls/python_calls.h"
#include "prompt/calls/tool_calls.h"

#include <QtTest>

#include <random>

using namespace coterie::engine;

namespace {

using Events = std::vector<AnswerEvent>;

/// The events of each part put together.
Events joined(const Events& events) {
    Events out;
    for (const AnswerEvent& event : events) {
        if (event.kind == PartKind::ToolCall)
            out.push_back({event.kind, event.part, event.text, event.call});
        else if (event.makesThoughts)
            for (AnswerEvent& before : out) before = {PartKind::Thought, before.part, before.text};
        else if (!out.empty() && out.back().part == event.part)
            out.back().text += event.text;
        else
            out.push_back(event);
    }
    return out;
}

Events parsed(const AnswerForms& forms, const std::vector<std::string_view>& pieces) {
    AnswerParser parser(forms);
    Events all;
    for (const std::string_view piece : pieces)
        for (AnswerEvent& event : parser.push(piece)) all.push_back(std::move(event));
    for (AnswerEvent& event : parser.finish()) all.push_back(std::move(event));
    return joined(all);
}

QByteArray shown(const Events& events) {
    QByteArray out;
    for (const AnswerEvent& event : events) {
        const char* const kinds[] = {"text", "thought", "call"};
        const bool call = event.kind == PartKind::ToolCall;
        out += QByteArray(kinds[static_cast<int>(event.kind)]) + "[" +
               (call ? QByteArray() : QByteArray::fromStdString(event.text));
        if (call)
            out += QByteArray::fromStdString(event.call.name + " " + event.call.arguments) +
                   (event.call.code.empty() ? QByteArray() : " code " + QByteArray::fromStdString(event.call.code));
        out += "]";
    }
    return out;
}

const AnswerForms kNone{};
const AnswerForms kStarted{.startsInThought = true};
const AnswerForms kTags{.calls = kMarkedCalls};
const AnswerForms kPython{.calls = {CallForm::PythonCode}};
const AnswerForms kBareJson{.calls = {CallForm::BareJson}};
const AnswerForms kChannels{.calls = {CallForm::GptOssChannels}};

void row(const char* name, const AnswerForms& forms, const char* text, const char* events) {
    QTest::newRow(name) << forms << QByteArray(text) << QByteArray(events);
}

} // namespace

Q_DECLARE_METATYPE(coterie::engine::AnswerForms)

class AnswerParserTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void forms_data();
    void forms();
    void anyCutsGiveTheSame_data() { forms_data(); }
    void anyCutsGiveTheSame();
    void eventsMakeParts();
    void wordsOfACallAreKept();
    void longAnswersAreLinear();
    void deepJsonIsText();
    void pythonLiterals_data();
    void pythonLiterals();

  private:
    static void thoughts();
    static void toolTags();
    static void others();
};

void AnswerParserTest::thoughts() {
    row("plain", kNone, "Hello <b>you</b>", "text[Hello <b>you</b>]");
    row("white space stays", kNone, "\n a b \n", "text[\n a b \n]");
    row("empty", kNone, "", "");
    row("thought", kNone, "<think>\nhm\n\nyes\n</think>\n\nHello", "thought[hm\n\nyes]text[Hello]");
    row("spaces before", kNone, " \n<think>hm</think>Hello", "thought[hm]text[Hello]");
    row("empty thought", kNone, "<think>\n\n</think>\n\nHello", "text[Hello]");
    row("no end", kNone, "<think>hm, what", "thought[hm, what]");
    row("within a line is text", kNone, "Tags: <think>hm", "text[Tags: <think>hm]");
    row("several", kNone, "<think>a</think><think>b</think>\n\nHello\n <think>c</think> you",
        "thought[a]thought[b]text[Hello]thought[c]text[you]");
    row("begins like one", kNone, "<thin", "text[<thin]");
    row("end alone", kNone, "Let me\nsee.\n</think>\n\nFour.", "thought[Let me\nsee.]text[Four.]");
    row("end at once", kNone, "</think>\n\nFour.", "text[Four.]");
    row("end alone, twice", kNone, "a</think> b\n</think>c", "thought[a]thought[b]text[c]");
    row("end after a call", kTags, "a<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call></think>c",
        "thought[a]thought[<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>]text[c]");
    row("end in code", kNone, "Write `</think>` or\n```\n</think>\n```",
        "text[Write `</think>` or\n```\n</think>\n```]");
    row("not at a line's start", kNone, "a <think>b</think> c", "thought[a <think>b]text[c]");
    row("tags in a thought", kNone, "<think>a <b> </thin </think>c", "thought[a <b> </thin]text[c]");
    row("begun by the prompt", kStarted, "hm\n</think>\n\nHello", "thought[hm]text[Hello]");
    row("begun and not ended", kStarted, "hm", "thought[hm]");
    row("begun once more", kStarted, "\n<think>\nhm\n</think>\n\nHello", "thought[hm]text[Hello]");
    row("begun in another way", kStarted, "<thinks>hm</think>Hello", "thought[<thinks>hm]text[Hello]");
    row("begun later", kStarted, "hm <think>a</think>Hello", "thought[hm <think>a]text[Hello]");
    row("begun once more, nothing else", kStarted, "<think>", "");
    row("no calls unless asked", kNone, "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>",
        "text[<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>]");
}

void AnswerParserTest::toolTags() {
    const char* one =
        "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"zone\": \"UTC\", \"a\": 1}}\n</tool_call>";
    row("call", kTags, one, R"(call[get_time {"zone":"UTC","a":1}])");
    row("text and call", kTags, "I look.\n\n<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n",
        "text[I look.]call[f {}]");
    row("thought and two calls", kTags,
        "<think>a</think>\n\n<tool_call>{\"name\":\"f\",\"arguments\":{}}</"
        "tool_call>\n<tool_call>{\"name\":\"g\",\"parameters\":{}}"
        "</tool_call>",
        "thought[a]call[f {}]call[g {}]");
    row("arguments as text", kTags, R"(<tool_call>{"name":"f","arguments":"{\"x\": [1, 2]}"}</tool_call>)",
        R"(call[f {"x":[1,2]}])");
    row("no closing tag", kTags, "<tool_call>{\"name\":\"f\",\"arguments\":{}}", "call[f {}]");
    row("cut short", kTags, "<tool_call>{\"name\":\"f\", \"argu", "text[<tool_call>{\"name\":\"f\", \"argu]");
    row("bad JSON", kTags, "A <tool_call>{name}</tool_call> b", "text[A <tool_call>{name}</tool_call> b]");
    row("talked about", kTags, "Write `<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>` for it.",
        "text[Write `<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>` for it.]");
    row("no name", kTags, "<tool_call>{\"arguments\":{}}</tool_call>",
        "text[<tool_call>{\"arguments\":{}}</tool_call>]");
    row("arguments are a list", kTags, "<tool_call>{\"name\":\"f\",\"arguments\":[1]}</tool_call>",
        "text[<tool_call>{\"name\":\"f\",\"arguments\":[1]}</tool_call>]");
    row("after a bad one", kTags, "<tool_call>x y</tool_call><tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>",
        "text[<tool_call>x y</tool_call>]call[f {}]");
    row("Qwen3-Coder", kTags,
        "<tool_call>\n<function=edit>\n<parameter=path>\na b\n</parameter>\n<parameter=line>\n12\n</parameter>\n"
        "</function>\n</tool_call>",
        R"(call[edit {"path":"a b","line":12}])");
    row("Granite", kTags, "<|tool_call|>[{\"name\":\"f\",\"arguments\":{\"a\":true}}]", R"(call[f {"a":true}])");
    row("LFM2", kTags, "<|tool_call_start|>[f(a=\"x\"), g()]<|tool_call_end|>Done.",
        R"(call[f {"a":"x"}]call[g {}]text[Done.])");
}

void AnswerParserTest::others() {
    row("Python", kPython, "Let me.\n<code>\nt = get_time(zone='UTC')\nprint(add(a=1, b=-2.5))\n</code>",
        "text[Let me.]call[get_time {\"zone\":\"UTC\"} code t = get_time(zone='UTC')\nprint(add(a=1, b=-2.5))]"
        "call[add {\"a\":1,\"b\":-2.5} code t = get_time(zone='UTC')\nprint(add(a=1, b=-2.5))]");
    row("more than calls", kPython, "<code>for i in range(3): f(i)</code>", "call[ {} code for i in range(3): f(i)]");
    row("unfinished code", kPython, "<code>\nf(", "text[<code>\nf(]");
    row("Llama JSON", kBareJson, " {\"name\": \"f\", \"parameters\": {\"x\": \"1\"}}", R"(call[f {"x":"1"}])");
    row("two of them", kBareJson, R"({"name":"f","parameters":{}}; {"name":"g","parameters":{}})",
        "call[f {}]call[g {}]");
    row("typed", kBareJson, R"({"type":"function","name":"f","parameters":{}})", "call[f {}]");
    row("other JSON", kBareJson, " {\"answer\": 42} ", "text[ {\"answer\": 42} ]");
    row("and words behind", kBareJson, R"({"name":"f","parameters":{}} is JSON)",
        R"(text[{"name":"f","parameters":{}} is JSON])");
    row("JSON later", kBareJson, "Here: {\"name\":\"f\",\"arguments\":{}}",
        "text[Here: {\"name\":\"f\",\"arguments\":{}}]");
    row("thought, then JSON", kBareJson, "<think>a</think>\n{\"name\":\"f\",\"arguments\":{}}", "thought[a]call[f {}]");
    row("python tag", kBareJson, "<|python_tag|>{\"name\":\"f\",\"parameters\":{}}", "call[f {}]");
    row("built-in tool", kBareJson, "<|python_tag|>brave_search.call(query=\"x\")",
        "call[brave_search {\"query\":\"x\"} code brave_search.call(query=\"x\")]");
    row("gpt-oss", kChannels,
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>",
        "thought[Hm.]text[Hello]");
    row("gpt-oss call", kChannels,
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.get_time "
        "<|constrain|>json<|message|>{\"zone\":\"UTC\"}<|call|>",
        R"(thought[Hm.]call[get_time {"zone":"UTC"}])");
    row("recipient in the role", kChannels,
        "<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>", "call[f {}]");
    row("call that stops", kChannels, "<|channel|>commentary to=functions.f<|message|>{\"a\":",
        "text[<|channel|>commentary to=functions.f<|message|>{\"a\":]");
    row("preamble", kChannels, "<|channel|>commentary<|message|>I look.<|end|>", "text[I look.]");
    row("each message is a part", kChannels,
        "<|channel|>analysis<|message|>A.<|end|><|start|>assistant<|channel|>analysis<|message|>B.<|end|>"
        "<|start|>assistant<|channel|>commentary<|message|>C.\n<|end|><|start|>assistant<|channel|>final<|message|>D.",
        "thought[A.]thought[B.]text[C.]text[D.]");
    row("string where an object is due", kChannels, "<|channel|>commentary to=functions.f<|message|>\"[1\"<|call|>\"]",
        "text[<|channel|>commentary to=functions.f<|message|>\"[1\"]");
    row("no channels", kChannels, "Hello <|end|>", "text[Hello <|end|>]");
    row("header alone", kChannels, "<|channel|>fin", "");
}

void AnswerParserTest::forms_data() {
    QTest::addColumn<AnswerForms>("given");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("events");
    thoughts();
    toolTags();
    others();
}

void AnswerParserTest::forms() {
    QFETCH(AnswerForms, given);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, events);
    QCOMPARE(shown(parsed(given, {text.toStdString()})), events);
}

void AnswerParserTest::anyCutsGiveTheSame() {
    QFETCH(AnswerForms, given);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, events);
    const std::string whole = text.toStdString();
    const std::string_view view(whole);
    std::vector<std::string_view> bytes;
    for (size_t i = 0; i < view.size(); ++i) {
        QCOMPARE(shown(parsed(given, {view.substr(0, i), view.substr(i)})), events);
        bytes.push_back(view.substr(i, 1));
    }
    QCOMPARE(shown(parsed(given, bytes)), events);
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::string_view> pieces;
        for (size_t at = 0; at < view.size();) {
            pieces.push_back(view.substr(at, random() % 9));
            at += pieces.back().size();
        }
        QCOMPARE(shown(parsed(given, pieces)), events);
    }
}

void AnswerParserTest::eventsMakeParts() {
    AnswerParser parser(kTags);
    std::vector<Part> parts;
    for (const char* piece :
         {"<think>h", "m</think>", "I lo", "ok.\n<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>", "So"})
        for (const AnswerEvent& event : parser.push(piece)) addTo(parts, event);
    for (const AnswerEvent& event : parser.finish()) addTo(parts, event);
    const std::vector<Part> wanted{{.kind = PartKind::Thought, .text = "hm"},
                                   {.kind = PartKind::Text, .text = "I look."},
                                   {.kind = PartKind::ToolCall,
                                    .text = "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>",
                                    .call = {"f", "{}", ""}},
                                   {.kind = PartKind::Text, .text = "So"}};
    QVERIFY(parts == wanted);
    QCOMPARE(joinedText(parts), std::string("I look.\nSo"));
    QCOMPARE(toolCallsOf(parts).size(), size_t{1});
}

void AnswerParserTest::wordsOfACallAreKept() {
    AnswerParser parser(kTags);
    const std::string text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    const Events events = parser.push(text);
    QCOMPARE(events.size(), size_t{1});
    QCOMPARE(events[0].text, text);
    QVERIFY(parser.finish().empty());
}

/// A megabyte of text that might become markers, byte by byte: a parser that reads all held text again would take
/// hours.
void AnswerParserTest::longAnswersAreLinear() {
    AnswerForms all{.calls = kMarkedCalls};
    all.calls.add({CallForm::PythonCode, CallForm::BareJson, CallForm::GptOssChannels});
    const char* const units[] = {"<",
                                 "<tool_cal",
                                 "<tool_call>",
                                 "{\"name\"",
                                 " ",
                                 "```\n",
                                 "<|channel|>",
                                 "a</think>",
                                 "<tool_call>{\"a\":\"",
                                 "<tool_call><function=f><parameter=a>",
                                 "<tool_call><function=f><parameter=a></parameter>",
                                 "<tool_call>f<arg_key>a</arg_key><arg_value></arg_value>",
                                 "[TOOL_CALLS]f[ARGS]{\"a\":[",
                                 "<|tool_call_start|>[f(a='",
                                 "<code>\'\'\'"};
    for (const std::string unit : units) {
        std::string text;
        while (text.size() < (1u << 20)) text += unit;
        AnswerParser parser(all);
        std::vector<Part> parts;
        const auto take = [&parts](const Events& events) {
            for (const AnswerEvent& event : events) addTo(parts, event);
        };
        for (const char c : text) take(parser.push({&c, 1}));
        take(parser.finish());
        size_t given = 0;
        for (const Part& part : parts) given += part.text.size();
        if (unit == "a</think>")
            QCOMPARE(given, parts.size());
        else if (unit != "<|channel|>")
            QCOMPARE(given, text.size()); // a header without a message is none
    }
}

void AnswerParserTest::deepJsonIsText() {
    std::string deep = "{\"name\":\"f\",\"arguments\":{\"a\":";
    deep += std::string(100000, '[') + std::string(100000, ']') + "}}";
    const std::string text = "<tool_call>" + deep + "</tool_call>";
    QCOMPARE(shown(parsed(kTags, {text})), "text[" + QByteArray::fromStdString(text) + "]");
    QVERIFY(!pythonCalls("f(a=" + std::string(100000, '[')));
    QVERIFY(!readJson(std::string(100000, '{')));
}

void AnswerParserTest::pythonLiterals_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("arguments"); // empty if it is no call
    const auto add = [](const char* source, const char* arguments) {
        QTest::newRow(source) << QByteArray(source) << QByteArray(arguments);
    };
    add("f()", "{}");
    add("f( a = 'x' , )  # why", R"({"a":"x"})");
    add("f(a=\"it's\\n\", b=r'\\d', c='''x\ny''')", R"({"a":"it's\n","b":"\\d","c":"x\ny"})");
    add("f(a='one' \"two\")", R"({"a":"onetwo"})");
    add("f(a='\\x41\\u00e9\\U0001f600')", "{\"a\":\"A\xc3\xa9\xf0\x9f\x98\x80\"}");
    add("f(a='\\ud83d\\ude00')", "{\"a\":\"\xf0\x9f\x98\x80\"}"); // as JSON writes it
    add("f(a='\\ud83dx\\ude00\\ud83d\\u0041')", "{\"a\":\"\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd"
                                                "A\"}");
    add("f(a=1_000, b=-1, c=2.5e3, d=.5, e=3.)", R"({"a":1000,"b":-1,"c":2.5e3,"d":0.5,"e":3.0})");
    add("f(a=True, b=False, c=None)", R"({"a":true,"b":false,"c":null})");
    add("f(a=[1, (2, 3), {'k': 'v'}], b={})", R"({"a":[1,[2,3],{"k":"v"}],"b":{}})");
    add("f(\n  a=1,\n  b=2\n)", R"({"a":1,"b":2})");
    add("x = print(f(a=1))", R"({"a":1})");
    add("a.b.f(x=1);", R"({"x":1})");
    for (const char* other : {"", "f", "f(1)", "f(a)", "f(a=g())", "f(a=1", "f(a=1) + 1", "import os", "f(a='x)",
                              "f(a=1, a=2)", "f(a='\\ud83d\\u00g1')", "f(a='\\U00110000')", "f(a={1: 2})", "f(a=1 b=2)",
                              "x == f()", "f(a=f'{x}')", "f(a=--1)", "1", "(f())"})
        add(other, "");
}

void AnswerParserTest::pythonLiterals() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, arguments);
    const auto calls = pythonCalls(source.toStdString());
    QCOMPARE(calls.has_value(), !arguments.isEmpty());
    if (!calls) return;
    QCOMPARE(calls->size(), size_t{1});
    QCOMPARE(QByteArray::fromStdString(writeJson(calls->front().arguments)), arguments);
}

QTEST_APPLESS_MAIN(AnswerParserTest)
#include "tst_answer_parser.moc"
