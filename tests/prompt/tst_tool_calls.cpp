// SPDX-License-Identifier: Apache-2.0
// Calls of offered tools as real models write them: which answers are calls, the types of their arguments, markers
// within strings, small mistakes, and the forms of families.
#include "prompt/answer_parser.h"
#include "prompt/json_text.h"

#include <QtTest>

using namespace coterie::engine;

namespace {

const char* const kTools =
    R"([{"type": "function", "function": {"name": "plant", "parameters": {"type": "object", "properties": {)"
    R"("species": {"type": "string"}, "row": {"type": "integer"}, "depth": {"type": "number"},)"
    R"("watered": {"type": "boolean"}, "note": {"type": ["string", "null"]}, "spots": {"type": "array"},)"
    R"("size": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "soil": {"$ref": "#/$defs/Soil"},)"
    R"("kind": {"enum": ["1", "2"]}, "extra": {}}, "$defs": {"Soil": {"type": "string"}}}}}, {"name": "weed"}])";

std::shared_ptr<const OfferedTools> offered() {
    const auto tools = std::make_shared<OfferedTools>();
    tools->add(kTools);
    return tools;
}

AnswerForms forms(FormSet<CallForm> more = {}) {
    AnswerForms forms{.calls = kMarkedCalls, .tools = offered()};
    forms.calls.add(more);
    return forms;
}

std::vector<Part> partsOf(const std::string& text, const AnswerForms& given, size_t step, bool cut = false) {
    AnswerParser parser(given);
    std::vector<Part> parts;
    for (size_t at = 0; at < text.size(); at += step)
        for (const AnswerEvent& event : parser.push(std::string_view(text).substr(at, step))) addTo(parts, event);
    for (const AnswerEvent& event : parser.finish(cut)) addTo(parts, event);
    return parts;
}

/// "text[...]thought[...]call[name arguments]", the same for every size of the pieces.
QByteArray shown(const std::string& text, const AnswerForms& given = forms()) {
    const std::vector<Part> parts = partsOf(text, given, text.size() + 1);
    for (const size_t step : {1, 2, 3, 7})
        if (partsOf(text, given, step) != parts) return "the cuts change the parts";
    QByteArray out;
    for (const Part& part : parts) {
        if (part.kind == PartKind::ToolCall)
            out += "call[" + QByteArray::fromStdString(part.call.name + " " + part.call.arguments) + "]";
        else
            out += (part.kind == PartKind::Text ? "text[" : "thought[") + QByteArray::fromStdString(part.text) + "]";
    }
    return out;
}

std::string hermes(const std::string& arguments, const char* name = "plant") {
    return std::string("<tool_call>\n{\"name\": \"") + name + "\", \"arguments\": " + arguments + "}\n</tool_call>";
}

std::string tags(const std::string& key, const std::string& value) {
    return "<tool_call>\n<function=plant>\n<parameter=" + key + ">\n" + value +
           "\n</parameter>\n</function>\n</tool_call>";
}

/// One of DeepSeek's control tokens.
std::string deep(const char* words) {
    QString word = QString::fromLatin1(words);
    word.replace(QLatin1Char(' '), QChar(0x2581));
    return ("<" + QString(QChar(0xFF5C)) + "tool" + QChar(0x2581) + word + QChar(0xFF5C) + ">").toStdString();
}

/// JSON that was written with other quotes, since moc counts the brackets of raw strings.
QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }
std::string json(const std::string& text) { return quoted(QByteArray::fromStdString(text)).toStdString(); }

/// A function, since moc does not read raw strings in a macro.
void same(const QByteArray& heard, const QByteArray& wanted) {
    QVERIFY2(heard == wanted, (heard + "\ninstead of\n" + wanted).constData());
}

QByteArray text(const std::string& words) { return "text[" + QByteArray::fromStdString(words) + "]"; }

} // namespace

class TestToolCalls : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aCallNamesAnOfferedToolAndHasArguments() {
        same(shown(hermes("{}")), "call[plant {}]");
        const std::string others[] = {hermes("{}", "harvest"),
                                      hermes("[1]"),
                                      hermes("null"),
                                      "<tool_call>\n{\"name\": \"plant\"}\n</tool_call>",
                                      "<tool_call>harvest\n</tool_call>",
                                      "<tool_call><function=harvest></function></tool_call>",
                                      "[TOOL_CALLS][{\"name\": \"harvest\", \"arguments\": {}}]",
                                      "[TOOL_CALLS]harvest[ARGS]{}",
                                      "<|tool_call_start|>[harvest()]<|tool_call_end|>",
                                      "<|tool_call|>[{\"name\": \"harvest\", \"arguments\": {}}]",
                                      "<|tool_call>call:harvest{}<tool_call|>"};
        for (const std::string& other : others) same(shown(other), text(other));
        const AnswerForms bare = forms({CallForm::BareJson});
        const std::string book = R"({"name": "Emma", "type": "novel", "year": 1815})";
        same(shown(book, bare), text(book));
        same(shown(R"({"name": "weed", "parameters": {"a": 1}})", bare), R"(call[weed {"a":1}])");
        const std::string list = "<tool_call>[" +
                                 std::string(R"({"name":"plant","arguments":{}},{"name":"x","arguments":{}})") +
                                 "]</tool_call>";
        same(shown(list), text(list)); // one of them is none, so nobody knows which was meant
    }

    void channelsAndCodeAskForOfferedToolsToo() {
        const AnswerForms channels{.calls = {CallForm::GptOssChannels}, .tools = offered()};
        const std::string head = "<|channel|>commentary to=functions.", body = "<|message|>{\"row\": 1}";
        same(shown(head + "plant" + body + "<|call|>", channels), R"(call[plant {"row":1}])");
        same(shown(head + "harvest" + body + "<|call|>", channels), text(head + "harvest" + body));
        same(shown(head + "plant<|message|>{\"note\": \"a <|call|> b\"}<|call|>", channels),
             R"(call[plant {"note":"a <|call|> b"}])");
        same(shown(head + "plant<|message|>{\"row\": 1<|call|>", channels), R"(call[plant {"row":1}])");
        const AnswerForms code{.calls = {CallForm::PythonCode}, .tools = offered()};
        same(shown("<code>plant(row=1)</code>", code), R"(call[plant {"row":1}])");
        same(shown("<code>print('x')</code>", code), "call[ {}]"); // a program
        same(shown("<code>plant(note='a </code> b')</code>", code), R"(call[plant {"note":"a </code> b"}])");
    }

    /// Llama 3 writes calls of tools behind this tag, and programs if it was offered Python.
    void aPythonTagAsksForOfferedToolsOrPython() {
        const AnswerForms calls = forms({CallForm::BareJson}),
                          python = forms({CallForm::BareJson, CallForm::PythonTag});
        const std::string tag = "<|python_tag|>";
        for (const AnswerForms& given : {calls, python}) {
            same(shown("So." + tag + R"({"name": "plant", "parameters": {"row": 1}})", given),
                 R"(text[So.]call[plant {"row":1}])");
            same(shown(tag + "plant(row=1)", given), R"(call[plant {"row":1}])");
            same(shown(tag + "weed.call(row=1)\n", given), R"(call[weed {"row":1}])");
            for (const std::string& none :
                 {tag + R"({"name": "harvest", "parameters": {}})", tag + R"({"name": "plant"})", tag, tag + "\n"})
                same(shown(none, given), text(none));
        }
        for (const std::string words : {"hello there", "print('x')", "harvest(row=1)", "\nplant(row=1)\nprint(2)"}) {
            same(shown(tag + words, calls), text(tag + words));
            same(shown(tag + words, python), "call[ {}]");
        }
        same(shown(tag + "hello", forms()), text(tag + "hello"));
    }

    void typesComeFromTheSchema_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("value");
        const auto add = [](const char* key, const char* written, const char* value) {
            QTest::addRow("%s %s", key, written) << QByteArray(key) << QByteArray(written) << QByteArray(value);
        };
        add("species", "0042", R"("0042")");
        add("species", "2e3", R"("2e3")");
        add("species", "false", R"("false")");
        add("species", "None", R"("None")");
        add("species", " {\"b\":  [1.0]}", "\" {\\\"b\\\":  [1.0]}\"");
        add("species", "\"quoted\"", "\"\\\"quoted\\\"\"");
        add("row", "12", "12");
        add("row", " 12 ", "12");
        add("row", "12.5", R"("12.5")"); // no integer
        add("row", "many", R"("many")");
        add("depth", "2.50", "2.50");
        add("depth", "3", "3");
        add("watered", "True", "true");
        add("watered", "false", "false");
        add("note", "null", "null");
        add("note", "nothing", R"("nothing")");
        add("spots", "[1, \"a\"]", R"([1,"a"])");
        add("spots", "1", R"("1")");
        add("size", "7", "7");
        add("size", "large", R"("large")");
        add("soil", "12", R"("12")");
        add("kind", "2", R"("2")");
        add("extra", "2e3", "2e3");
        add("extra", "word", R"("word")");
        add("unknown", "{\"a\": null}", R"({"a":null})");
    }

    void typesComeFromTheSchema() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, value);
        const QByteArray wanted = "call[plant {\"" + key + "\":" + value + "}]";
        same(shown(tags(key.toStdString(), written.toStdString())), wanted);
        same(shown("<tool_call>plant<arg_key>" + key.toStdString() + "</arg_key>\n<arg_value>" + written.toStdString() +
                   "</arg_value></tool_call>"),
             wanted);
    }

    void jsonOfAnotherTypeIsFitted() {
        same(shown(hermes(R"({"species": 12.50, "row": "7", "watered": "true", "note": null})")),
             R"(call[plant {"species":"12.50","row":7,"watered":true,"note":null}])");
        same(shown("<|tool_call_start|>[plant(species=007.5, row='x')]<|tool_call_end|>"),
             text("<|tool_call_start|>[plant(species=007.5, row='x')]<|tool_call_end|>")); // no Python number
        same(shown("<|tool_call_start|>[plant(species=7_5, row='3')]<|tool_call_end|>"),
             R"(call[plant {"species":"75","row":3}])");
    }

    /// The schema has types for what lists and objects hold, too.
    void typesWithinListsAndObjects_data() {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("value");
        const auto add = [](const char* schema, const char* written, const char* value) {
            QTest::addRow("%s %s", schema, written) << quoted(schema) << quoted(written) << quoted(value);
        };
        const char* const texts = "{'type':'array','items':{'type':'string'}}";
        add(texts, "[0.50,true,'7',null]", "['0.50','true','7',null]");
        add(texts, "[12345678901234567890123]", "['12345678901234567890123']");
        add("{'type':'array','items':{'type':'array','items':{'type':'integer'}}}", "[['7'],['x',8]]", "[[7],['x',8]]");
        const char* const address =
            "{'type':'object','properties':{'zip':{'type':'string'},'floor':{'type':'integer'}}}";
        add(address, "{'zip':1010,'floor':'3','other':1}", "{'zip':'1010','floor':3,'other':1}");
        add("{'type':'object','additionalProperties':{'type':'string'}}", "{'a':1}", "{'a':'1'}");
        add("{'type':'array','prefixItems':[{'type':'string'},{'type':'integer'}]}", "[1,'2','3']", "['1',2,'3']");
        add("{'$ref':'#/$defs/Tree'}", "{'name':1,'below':[{'name':2,'below':[]}]}",
            "{'name':'1','below':[{'name':'2','below':[]}]}");
        add("{'allOf':[{'$ref':'#/$defs/Tree'}]}", "{'name':1}", "{'name':'1'}");
        add("{'anyOf':[{'type':'array','items':{'type':'string'}},{'type':'null'}]}", "[1]", "['1']");
        add("{'anyOf':[{'type':'array','items':{'type':'string'}},{'type':'array'}]}", "[1]", "[1]"); // two readings
        add("{'type':'array','items':true}", "[1,'2']", "[1,'2']");
    }

    void typesWithinListsAndObjects() {
        QFETCH(QByteArray, schema);
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, value);
        const auto tools = std::make_shared<OfferedTools>();
        tools->add(json("[{'name':'plant','parameters':{'type':'object','properties':{'x':" + schema.toStdString() +
                        "},'$defs':{'Tree':{'type':'object','properties':{'name':{'type':'string'}," +
                        "'below':{'type':'array','items':{'$ref':'#/$defs/Tree'}}}}}}}]"));
        const AnswerForms given{.calls = kMarkedCalls, .tools = tools};
        const QByteArray wanted = "call[plant {\"x\":" + value + "}]";
        same(shown(hermes("{\"x\": " + written.toStdString() + "}"), given), wanted);
        same(shown(tags("x", written.toStdString()), given), wanted);
        // A list or an object that was written as a text is read, and then what it holds.
        if (value == written || value.contains("null")) return;
        same(shown(hermes("{\"x\": " + writeJson(JsonText::string(written.toStdString())) + "}"), given), wanted);
    }

    /// A schema may refer to itself in any number of ways: the time stays short, and what comes out is JSON that can be
    /// read.
    void schemasThatReferToThemselves() {
        std::string choices;
        for (int i = 0; i < 40; ++i) choices += "{'$ref':'#/properties/x'},";
        const auto tools = std::make_shared<OfferedTools>();
        tools->add(json("[{'name':'plant','parameters':{'type':'object','properties':{'x':{'anyOf':[" + choices +
                        "{'type':'array','items':{'$ref':'#/properties/x'}}]}," +
                        "'y':{'type':'array','items':{'$ref':'#/properties/y'}}}}}]"));
        const AnswerForms given{.calls = kMarkedCalls, .tools = tools};
        std::string deep = std::string(100, '[') + std::string(100, ']');
        QVERIFY(shown(hermes("{\"x\": " + deep + "}"), given).startsWith("call["));
        for (int i = 0; i < 4; ++i)
            deep = std::string(60, '[') + writeJson(JsonText::string(deep)) + std::string(60, ']');
        const std::vector<Part> parts = partsOf(hermes("{\"y\": " + deep + "}"), given, 1000);
        QCOMPARE(parts.size(), size_t(1));
        QVERIFY(readJson(parts.front().call.arguments));
    }

    /// The last value may be half of one: "row: 1" of "row: 12". What lacks its end is a call only if the model ended
    /// it.
    void whatWasCutOffIsNoCall_data() {
        QTest::addColumn<QByteArray>("written");
        QTest::newRow("JSON in markers") << QByteArray("<tool_call>{'name': 'plant', 'arguments': {'row': 1}");
        QTest::newRow("a list of JSON") << QByteArray("[TOOL_CALLS][{'name': 'plant', 'arguments': {'row': 1}}");
        QTest::newRow("a name before JSON") << QByteArray("[TOOL_CALLS]plant[ARGS]{'row': 1");
        QTest::newRow("a name before JSON, DeepSeek") << QByteArray::fromStdString(
            deep("calls begin") + deep("call begin") + "plant" + deep("sep") + "{'row': 1");
        QTest::newRow("a list in Python") << QByteArray("<|tool_call_start|>[plant(row=1)");
        QTest::newRow("Gemma") << QByteArray("<|tool_call>call:plant{row:1");
        QTest::newRow("bare JSON") << QByteArray("{'name': 'plant', 'parameters': {'row': 1}");
        QTest::newRow("a channel") << QByteArray("<|channel|>commentary to=functions.plant<|message|>{'row': 1");
        QTest::newRow("an empty channel") << QByteArray("<|channel|>commentary to=functions.plant<|message|>");
        QTest::newRow("a program") << QByteArray("<|python_tag|>import os\nos.remove('/home/a");
    }
    void whatWasCutOffIsNoCall() {
        QFETCH(QByteArray, written);
        const std::string text = quoted(written).toStdString();
        AnswerForms given = forms({CallForm::BareJson, CallForm::PythonTag});
        if (text.starts_with("<|channel|>")) given.calls.add(CallForm::GptOssChannels);
        const std::vector<Part> whole = partsOf(text, given, text.size());
        QVERIFY(whole.size() == 1 && whole.front().kind == PartKind::ToolCall);
        for (const size_t step : {text.size(), size_t{1}}) {
            const std::vector<Part> cut = partsOf(text, given, step, true);
            QVERIFY(cut.size() == 1 && cut.front().kind == PartKind::Text);
            QCOMPARE(cut.front().text, text);
        }
    }

    /// Nothing but a closing marker is missing: no value can be half of one.
    void aWholeCallMayBeTheLastThingBeforeACut() {
        for (const char* text :
             {"<tool_call>{'name': 'plant', 'arguments': {'row': 1}}", "[TOOL_CALLS]plant[ARGS]{'row': 1}",
              "<|tool_call_start|>[plant(row=1)]", "<|tool_call>call:plant{row:1}",
              "<tool_call><function=plant><parameter=row>1</parameter></function>"}) {
            const std::vector<Part> parts = partsOf(json(text), forms(), 1000, true);
            QVERIFY2(parts.size() == 1 && parts.front().kind == PartKind::ToolCall, text);
            QCOMPARE(parts.front().call.arguments, std::string("{\"row\":1}"));
        }
    }

    void numbersKeepTheirDigits() {
        same(shown(hermes(R"({"row": 98765432109876543210987, "depth": 2.5e3, "spots": [1.10, 1e999, -0.0]})")),
             R"(call[plant {"row":98765432109876543210987,"depth":2.5e3,"spots":[1.10,1e999,-0.0]}])");
        same(shown(tags("row", "18446744073709551616")), R"(call[plant {"row":18446744073709551616}])");
        same(shown("<|tool_call_start|>[plant(row=18446744073709551616, depth=1.50)]<|tool_call_end|>"),
             R"(call[plant {"row":18446744073709551616,"depth":1.50}])");
        same(shown(hermes(R"({"row": 01})")), text(hermes(R"({"row": 01})"))); // no JSON
    }

    void aMarkerWithinAStringEndsNothing() {
        same(shown(hermes("{\"note\": \"</tool_call> <tool_call> \\\"</tool_call>\"}") + "Done."),
             "call[plant {\"note\":\"</tool_call> <tool_call> \\\"</tool_call>\"}]text[Done.]");
        same(shown(tags("species", "a\n</parameter>\nb </function> c")),
             "call[plant {\"species\":\"a\\n</parameter>\\nb </function> c\"}]");
        same(shown(tags("species", "</parameter></function></parameter>")),
             "call[plant {\"species\":\"</parameter></function></parameter>\"}]");
        // A key that was given already begins no parameter: the value quotes a call.
        same(shown(tags("species", "</parameter><parameter=species>x")),
             "call[plant {\"species\":\"</parameter><parameter=species>x\"}]");
        same(shown("<tool_call>plant<arg_key>note</arg_key><arg_value>a </arg_value> b</arg_value></tool_call>"),
             "call[plant {\"note\":\"a </arg_value> b\"}]");
        same(shown("<|tool_call_start|>[plant(note=']<|tool_call_end|>')]<|tool_call_end|>"),
             "call[plant {\"note\":\"]<|tool_call_end|>\"}]");
    }

    void smallMistakesAreMended() {
        same(shown(hermes("{\"note\": \"one\ntwo\tthree\r\n\"}")),
             "call[plant {\"note\":\"one\\ntwo\\tthree\\r\\n\"}]");
        same(shown(hermes("{\"note\": \"\\udc00a\\ud83d\", \"species\": \"\\ud83c\\udf31\"}")),
             "call[plant {\"note\":\"\xEF\xBF\xBD"
             "a\xEF\xBF\xBD\",\"species\":\"\xF0\x9F\x8C\xB1\"}]");
        const std::string open = R"({"name": "plant", "arguments": {"row": 1})";
        same(shown("<tool_call>" + open + "\n</tool_call>x"), R"(call[plant {"row":1}]text[x])");
        same(shown("<tool_call>" + open), R"(call[plant {"row":1}])");
        same(shown(open, forms({CallForm::BareJson})), R"(call[plant {"row":1}])");
        same(shown("[TOOL_CALLS][" + open + "}"), R"(call[plant {"row":1}])");
        same(shown("<tool_call>\r\n<function=plant>\r\n<parameter=species>\r\nbeech\r\nred\r\n</parameter>\r\n"
                   "</function>\r\n</tool_call>"),
             "call[plant {\"species\":\"beech\\r\\nred\"}]");
        for (const std::string& bad :
             {"<tool_call>" + open.substr(0, open.size() - 1) + "</tool_call>", "<tool_call>" + open + ", </tool_call>",
              "<tool_call>" + open + " x", hermes("{\"note\": \"\x01\"}"), hermes("{\"note\": \"\\x\"}")})
            same(shown(bad), text(bad));
    }

    /// A list of JSON or of Python lacks its last bracket, or the brace before it.
    void listsAreMended() {
        const std::string call = R"({"name": "plant", "arguments": {"row": 1}})",
                          open = call.substr(0, call.size() - 1), other = R"({"name": "weed", "arguments": {}})";
        const QByteArray wanted = R"(call[plant {"row":1}])", both = wanted + "call[weed {}]";
        for (const std::string marker : {"[TOOL_CALLS]", "<|tool_call|>", "<tool_call>"}) {
            same(shown(marker + "[" + call), wanted);
            same(shown(marker + "[" + open + "]"), wanted);
            same(shown(marker + "[" + other + ", " + open + " ]\n"), "call[weed {}]" + wanted);
            for (const std::string& bad : {marker + "[" + open + ", " + other + "]", marker + "[" + open,
                                           marker + "[{\"name\": \"weed\", \"arguments\": ]"})
                same(shown(bad), text(bad));
        }
        same(shown("<tool_call>[" + open + "]\n</tool_call>x"), wanted + "text[x]");

        const std::string begin = "<|tool_call_start|>", end = "<|tool_call_end|>";
        same(shown(begin + "[plant(row=1)" + end + "x"), wanted + "text[x]");
        same(shown(begin + "[plant(row=1), weed()\n" + end), both);
        same(shown(begin + "[plant(row=1)"), wanted);
        same(shown(begin + "[plant(row=1), weed(]" + end), both);
        same(shown(begin + "[plant(note='" + end + "')" + end), "call[plant {\"note\":\"<|tool_call_end|>\"}]");
        same(shown(begin + R"([plant(note='\ud83c\udf31 \ud83c')])" + end),
             "call[plant {\"note\":\"\xF0\x9F\x8C\xB1 \xEF\xBF\xBD\"}]");
        for (const std::string& bad :
             {begin + "[plant(row=1" + end, begin + "[plant(spots=[1)" + end, begin + "[plant(row=1) and" + end,
              begin + "[plant(row=1, weed()]" + end, begin + "plant(row=1)]" + end, begin + "[" + end})
            same(shown(bad), text(bad));
    }

    /// OpenAI's interface wraps calls like this.
    void aCallMayBeWrapped() {
        const std::string call = R"({"name": "weed", "arguments": {"row": 2}})";
        same(shown("<tool_call>{\"type\": \"function\", \"function\": " + call + "}</tool_call>"),
             R"(call[weed {"row":2}])");
        same(shown(R"({"function": {"name": "weed", "parameters": {"row": 2}}})", forms({CallForm::BareJson})),
             R"(call[weed {"row":2}])");
        same(
            shown(R"({"type": "function", "function": "weed", "parameters": {"row": 2}})", forms({CallForm::BareJson})),
            R"(call[weed {"row":2}])");
        for (const std::string other :
             {R"({"function": {"name": "harvest", "arguments": {}}})", R"({"function": [1], "arguments": {}})",
              R"({"name": "harvest", "function": {"name": "weed", "arguments": {}}})"})
            same(shown("<tool_call>" + other + "</tool_call>"), text("<tool_call>" + other + "</tool_call>"));
    }

    void mistralsForms() {
        same(shown(R"(I look. [TOOL_CALLS][{"name": "plant", "arguments": {"row": 1}, "id": "abcdefghi"},)"
                   R"( {"name": "weed", "arguments": {}}])"),
             R"(text[I look.]call[plant {"row":1}]call[weed {}])");
        same(shown(R"([TOOL_CALLS]plant[ARGS]{"row": 1}[TOOL_CALLS]weed[CALL_ID]abc123xyz[ARGS]{})"),
             R"(call[plant {"row":1}]call[weed {}])");
        same(shown(R"([TOOL_CALLS]plant{"note": "[TOOL_CALLS]"} So.)"),
             R"(call[plant {"note":"[TOOL_CALLS]"}]text[So.])");
    }

    void deepSeeksForms() {
        const std::string first = deep("call begin") + "function" + deep("sep") +
                                  "plant\n```json\n{\"note\": \"```\"}\n```" + deep("call end"),
                          newer = deep("call begin") + "weed" + deep("sep") + "{}" + deep("call end");
        same(shown("So.\n" + deep("calls begin") + first + "\n" + first + deep("calls end")),
             R"(text[So.]call[plant {"note":"```"}]call[plant {"note":"```"}])");
        same(shown(deep("calls begin") + newer + newer + deep("calls end") + "Done."),
             "call[weed {}]call[weed {}]text[Done.]");
        same(shown(newer), "call[weed {}]"); // without the markers around all calls
        const std::string cut = deep("calls begin") + deep("call begin") + "weed" + deep("sep") + "{\"a\": [";
        same(shown(cut), text(cut));
    }

    /// A quotation of a whole call, in each form with tags. Its closing tags end nothing, if the value goes on behind
    /// it.
    void aValueMayQuoteACall_data() {
        QTest::addColumn<QByteArray>("open");
        QTest::addColumn<QByteArray>("inner");
        QTest::addColumn<QByteArray>("close");
        QTest::newRow("function tags") << QByteArray("<tool_call>\n<function=plant>\n<parameter=species>")
                                       << QByteArray("<tool_call>\n<function=weed>\n<parameter=row>\n1\n</parameter>\n"
                                                     "<parameter=note>x</parameter>\n</function>\n</tool_call>")
                                       << QByteArray("</parameter>\n</function>\n</tool_call>");
        QTest::newRow("without markers") << QByteArray("<tool_call>\n<function=plant>\n<parameter=species>")
                                         << QByteArray("<function=a>\n<parameter=b>\n1</parameter>\n</function>\n"
                                                       "<function=a>\n</function>")
                                         << QByteArray("</parameter>\n</function>\n</tool_call>");
        QTest::newRow("Seed's tags") << QByteArray("<seed:tool_call>\n<function=plant>\n<parameter=species>")
                                     << QByteArray("<seed:tool_call>\n<function=weed>\n<parameter=row>1</parameter>\n"
                                                   "</function>\n</seed:tool_call>")
                                     << QByteArray("</parameter>\n</function>\n</seed:tool_call>");
        QTest::newRow("MiniMax's tags")
            << QByteArray("<minimax:tool_call>\n<invoke name=\"plant\">\n<parameter name=\"species\">")
            << QByteArray("<minimax:tool_call>\n<invoke name=\"weed\">\n<parameter name=\"row\">1</parameter>\n"
                          "</invoke>\n</minimax:tool_call>")
            << QByteArray("</parameter>\n</invoke>\n</minimax:tool_call>");
        QTest::newRow("GLM's tags")
            << QByteArray("<tool_call>plant\n<arg_key>species</arg_key>\n<arg_value>")
            << QByteArray("<tool_call>weed\n<arg_key>row</arg_key>\n<arg_value>1</arg_value>\n</tool_call>")
            << QByteArray("</arg_value>\n</tool_call>");
    }
    void aValueMayQuoteACall() {
        QFETCH(QByteArray, open);
        QFETCH(QByteArray, inner);
        QFETCH(QByteArray, close);
        const QByteArray twice = inner + " and " + inner, value = "Write\n" + twice + "\nto ask.";
        const std::string answer = (open + value + close).toStdString();
        same(shown(answer), "call[plant {\"species\":" +
                                QByteArray::fromStdString(writeJson(JsonText::string(value.toStdString()))) + "}]");
        QCOMPARE(shown(answer + "So." + answer).count("call[plant"), 2);
        // Cut off behind the quotation: nobody called the tool that is quoted.
        same(shown((open + value).toStdString()), text((open + value).toStdString()));
        // The beginning of a call that never ends is no quotation.
        const QByteArray begun = "Write " + inner.left(inner.indexOf('1') + 1).trimmed();
        const QByteArray call =
            "call[plant {\"species\":" + QByteArray::fromStdString(writeJson(JsonText::string(begun.toStdString()))) +
            "}]";
        same(shown((open + begun + close).toStdString()), call);
        same(shown((open + begun + close + "\n" + open + begun + close).toStdString()), call + call);
    }

    void gemmasForm() {
        const auto gemma = [](const std::string& arguments, const char* name = "plant") {
            return "<|tool_call>call:" + std::string(name) + "{" + arguments + "}<tool_call|>";
        };
        same(shown(gemma("")), "call[plant {}]");
        same(shown("So.\n" + gemma("row:12,species:<|\"|>beech, \"red\" } \n<tool_call|><|\"|>") + gemma("", "weed") +
                   "Done."),
             "text[So.]call[plant {\"row\":12,\"species\":\"beech, \\\"red\\\" } \\n<tool_call|>\"}]"
             "call[weed {}]text[Done.]");
        same(shown(gemma("spots:[1,<|\"|>a<|\"|>,[true,null],{x:-2.50,<|\"|>y z<|\"|>:{}}]")),
             R"(call[plant {"spots":[1,"a",[true,null],{"x":-2.50,"y z":{}}]}])");
        same(shown(gemma(" row : 12 , note : null ")), R"(call[plant {"row":12,"note":null}])");
        // The types are the schema's, and words without quotes are texts.
        same(shown(gemma("species:0042,row:<|\"|>7<|\"|>,note:ten to 12:30,watered:true")),
             R"(call[plant {"species":"0042","row":7,"note":"ten to 12:30","watered":true}])");
        // A missing brace, and missing markers.
        same(shown("<|tool_call>call:plant{row:1<tool_call|>x"), R"(call[plant {"row":1}]text[x])");
        same(shown("<|tool_call>call:plant{row:1"), R"(call[plant {"row":1}])");
        same(shown("<|tool_call>call:plant{row:1} x"), R"(call[plant {"row":1}]text[x])");
        const std::string others[] = {"<|tool_call>call:plant{row:1,spots:[<tool_call|>",
                                      "<|tool_call>call:plant{species:<|\"|>beech}<tool_call|>",
                                      "<|tool_call>call:plant{row}<tool_call|>",
                                      "<|tool_call>call:plant[row:1]<tool_call|>",
                                      "<|tool_call>plant{row:1}<tool_call|>",
                                      "<|tool_call>call:plant",
                                      "<|tool_call>",
                                      "<|tool_call>call:{}<tool_call|>"};
        for (const std::string& other : others) same(shown(other), text(other));
        same(shown("<|tool_call>call:plant{row:1}}<tool_call|>x"), R"(call[plant {"row":1}]text[}<tool_call|>x])");
        std::string deep = "spots:";
        for (int i = 0; i < 5000; ++i) deep += '[';
        same(shown(gemma(deep + std::string(5000, ']'))), text(gemma(deep + std::string(5000, ']'))));
    }

    /// The templates of LFM2.5 write a text between single quotation marks, with its line ends as they are.
    void textsOfAListHoldLineEnds() {
        const AnswerForms code{.calls = {CallForm::PythonCode}, .tools = offered()};
        same(shown("<|tool_call_start|>[plant(note='one\ntwo', species=\"a\n]\"), weed()]<|tool_call_end|>"),
             "call[plant {\"note\":\"one\\ntwo\",\"species\":\"a\\n]\"}]call[weed {}]");
        const std::string open = "<|tool_call_start|>[plant(note='one\ntwo)]<|tool_call_end|>";
        same(shown(open), text(open));
        const std::string program = "<code>plant(note='one\ntwo')</code>"; // in code it is a mistake
        same(shown(program, code), text(program));
    }

    /// SmolLM3 writes code if tools are offered to it as Python functions.
    void codeOfSmolLm3() {
        const AnswerForms python{.calls = {CallForm::PythonCode}, .tools = offered()};
        const auto code = [&](const std::string& lines) { return shown("<code>" + lines + "</code>", python); };
        same(code("\nplant(species=\"l'\\u00e9t\\xe9 \\\"2\\\"\", note='a\\tb\\'')\n"),
             "call[plant {\"species\":\"l'\xC3\xA9t\xC3\xA9 \\\"2\\\"\",\"note\":\"a\\tb'\"}]");
        same(code("plant(species='\xE6\xA1\x9C \xF0\x9F\x8C\xB8', note=\"\"\"a\n\"b\" c\"\"\")"),
             "call[plant {\"species\":\"\xE6\xA1\x9C \xF0\x9F\x8C\xB8\",\"note\":\"a\\n\\\"b\\\" c\"}]");
        same(code("plant(row='7', depth=-2.50, watered=True, note=None)"),
             "call[plant {\"row\":7,\"depth\":-2.50,\"watered\":true,\"note\":null}]");
        same(code("plant(spots=[1, (True, None)], extra={'a': [{'b': False}], \"c\": {}},)"),
             "call[plant {\"spots\":[1,[true,null]],\"extra\":{\"a\":[{\"b\":false}],\"c\":{}}}]");
        same(code("\n# Two of them.\nseed = plant(row=1)\r\n\nprint(weed())\n"),
             "call[plant {\"row\":1}]call[weed {}]");
        same(shown("So.\n<code>weed()</code>\nThen <code>weed()</code> it is.", python),
             "text[So.]call[weed {}]text[Then]call[weed {}]text[it is.]");
        // Everything else in Python is a program, which is shown and not run.
        for (const std::string other : {"plant(1)", "plant(row=+1)", "plant(row=1 + 1)", "plant(row=[1)",
                                        "plant(row=weed())", "plant(note=f'{x}')", "plant(note='\\x4')",
                                        "plant(note='x)\n", "plant(extra={1: 2})", "harvest(row=1)", "weed()\nx = 2"})
            same(code(other), "call[ {}]");
        const std::string deep = std::string(5000, '[') + std::string(5000, ']');
        same(code("plant(spots=" + deep + ")"), "call[ {}]");
        // Code that does not end is text, and so is HTML if no Python was offered.
        for (const std::string open : {"<code>", "<code>plant(row=1", "<code>plant(note='x)</code>",
                                       "<code>plant(note='a\n')</code>", "<code>\n</code>"})
            same(shown(open, python), text(open));
        same(shown("<code>weed()</code>"), text("<code>weed()</code>"));
        same(shown("Write `<code>weed()</code>`.", python), text("Write `<code>weed()</code>`."));
    }

    void otherTags() {
        same(shown("<seed:tool_call>\n<function=plant>\n<parameter=species>\n12</parameter>\n</function>\n"
                   "</seed:tool_call>"),
             "call[plant {\"species\":\"\\n12\"}]");
        same(shown("<minimax:tool_call>\n<invoke name=\"plant\">\n<parameter name=\"species\">12</parameter>\n"
                   "<parameter name=\"row\">12</parameter>\n</invoke>\n<invoke name=\"weed\">\n</invoke>\n"
                   "</minimax:tool_call>"),
             R"(call[plant {"species":"12","row":12}]call[weed {}])");
        same(shown("<tool_call>weed</tool_call>\n<tool_call>weed\n</tool_call>"), "call[weed {}]call[weed {}]");
    }

    void aFormThatTheModelDoesNotUseIsText() {
        AnswerForms narrow{.calls = {CallForm::ArgumentTags}, .tools = offered()};
        same(shown(hermes("{}"), narrow), text(hermes("{}")));
        same(shown("<tool_call>weed</tool_call>", narrow), "call[weed {}]");
        same(shown("[TOOL_CALLS]weed[ARGS]{}", narrow), text("[TOOL_CALLS]weed[ARGS]{}"));
    }

    void callsInAFenceOrAThoughtAreText() {
        const std::string call = hermes("{}");
        for (const std::string& fenced : {"Write:\n```\n" + call + "\n```\nSo.", "```" + call,
                                          "  ````\n```\n" + call + "\n```\n````", "~~~xml `x`\n" + call + "\n~~"})
            same(shown(fenced), text(fenced));
        AnswerForms anywhere = forms();
        anywhere.fencesQuote = false;
        same(shown("```\n" + call, anywhere), "text[```]call[plant {}]");
        same(shown("Write `" + call + "`."), text("Write `" + call + "`."));
        same(shown("`" + call, anywhere), "text[`]call[plant {}]");
        same(shown("```\nx\n```\n" + call), "text[```\nx\n```]call[plant {}]");
        same(shown("```x``` and `y` " + call), "text[```x``` and `y`]call[plant {}]");
        same(shown("<think>\n" + call + "\n</think>" + call),
             "thought[" + QByteArray::fromStdString(call) + "]call[plant {}]");
        same(shown("So " + call + " is it.\n</think>\nDone."),
             "thought[So]thought[" + QByteArray::fromStdString(call) + "]thought[is it.]text[Done.]");
    }

    /// Code within a line ends at its closing ticks: what stands behind them is not talked about.
    void ticksQuoteWhileTheyAreOpen() {
        const std::string call = hermes("{}");
        same(shown("I use `plant`" + call), "text[I use `plant`]call[plant {}]");
        same(shown("``a`b``" + call + "`c`" + call), "text[``a`b``]call[plant {}]text[`c`]call[plant {}]");
        same(shown("It's `x`</think>So."), "thought[It's `x`]text[So.]");
        same(shown("a ` b\n`" + call), text("a ` b\n`" + call)); // each line for itself
        for (const std::string& open : {"`" + call + "`", "`a` and `" + call, "`` `" + call + " ``", "``" + call,
                                        "`a``" + call, std::string("Write `</think>` to end.")})
            same(shown(open), text(open));
    }

    /// JSON that can be no call is behind a real one's marker, or hides one.
    void aCallBehindABrokenOne() {
        same(shown("<tool_call> I mean " + hermes("{}")), "text[<tool_call> I mean]call[plant {}]");
        const std::string broken = "<tool_call>{\"name\": \"plant\", \"arguments\": {\"note\": \"x}}</tool_call>";
        same(shown(broken + hermes("{}")), text(broken).chopped(1) + "]call[plant {}]");
    }

    void jsonIsReadAndWritten() {
        const char* const same[] = {"{}",
                                    "[]",
                                    "null",
                                    "[true,false]",
                                    R"({"b":1,"a":{"c":[0.10,-1E+5]}})",
                                    "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\"]"};
        for (const char* json : same)
            QCOMPARE(writeJson(readJson(json).value_or(JsonText::string("?"))), std::string(json));
        QCOMPARE(writeJson(*readJson(" {\"a\" : 1, \"b\":2, \"a\":[ ] } ")), std::string("{\"a\":[],\"b\":2}"));
        QCOMPARE(writeJson(JsonText::string("a\xFF")), std::string("\"a\xEF\xBF\xBD\""));
        for (const char* bad : {"", "{", "[1,]", "{\"a\" 1}", "01", "1.", ".5", "+1", "nul", "\"a", "[1] 2", "{a:1}",
                                "1e", "\"\\u12g4\"", "'a'", "-"})
            QVERIFY2(!readJson(bad), bad);
    }
};

QTEST_APPLESS_MAIN(TestToolCalls)
#include "tst_tool_calls.moc"
