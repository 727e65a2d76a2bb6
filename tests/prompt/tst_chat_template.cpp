// SPDX-License-Identifier: Apache-2.0
// Compares chat templates with Python's Jinja2 case by case, and with published models' templates if the reference
// folder is there, and tries templates that mean harm.
#include "prompt/chat_template.h"

#include "jinja_expressions.h"
#include "jinja_statements.h"
#include "support/reference.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <thread>
#include <vector>

using namespace coterie::engine;
using nlohmann::ordered_json;

namespace {

/// Thursday, 2026-01-15T09:30:00.
TemplateInput fixedClock() {
    std::tm now{};
    now.tm_year = 126;
    now.tm_mday = 15;
    now.tm_hour = 9;
    now.tm_min = 30;
    now.tm_wday = 4;
    now.tm_yday = 14;
    return {.now = now};
}

ordered_json contextOfCases() {
    const ordered_json user{{"role", "user"}, {"content", "Hi"}, {"k", 2}};
    const ordered_json assistant{{"role", "assistant"}, {"content", "Yo <b> & 'q' \"d\""}, {"k", 1}};
    const ordered_json tool{{"role", "tool"}, {"k", 3}};
    const ordered_json y = ordered_json::array({1, ordered_json{{"z", nullptr}}});
    ordered_json context{{"a", 1}, {"b", 2.5}, {"s", "Hello, World"}, {"n", nullptr}, {"t", true}};
    context["u"] = "Gr\u00fc\u00dfe \u4e16\u754c \U0001f30d";
    context["l"] = ordered_json::array({3, 1, 2});
    context["d"] = ordered_json{{"x", 1}, {"items", 5}, {"y", y}};
    context["e"] = ordered_json::array();
    context["m"] = ordered_json::array({user, assistant, tool});
    context["w"] = "  pad\t\n ";
    context["ml"] = "one\ntwo\n\nthree";
    return context;
}

Result<std::string> renderWith(std::string_view source, const ordered_json& context,
                               const TemplateLimits& limits = {}) {
    Result<ChatTemplate> parsed = ChatTemplate::parse(source, limits);
    if (!parsed) return parsed.error();
    const Result<PromptText> prompt = parsed->render(context, fixedClock());
    if (!prompt) return prompt.error();
    return prompt->text;
}

Result<std::string> render(std::string_view source) {
    static const ordered_json context = contextOfCases();
    return renderWith(source, context);
}

std::string repeated(std::string_view piece, size_t times) {
    std::string text;
    for (; times > 0; --times) text += piece;
    return text;
}

QString shown(const Result<std::string>& result) {
    return result ? QString::fromStdString("text: " + *result)
                  : QString::fromStdString("error: " + result.error().line());
}

/// The text, or an error where `expected` is nullptr.
bool fits(const Result<std::string>& result, const char* expected) {
    if (expected == nullptr)
        return !result && result.error().kind == ErrorKind::BadInput && !result.error().why.empty();
    return result && *result == expected;
}

QByteArray readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestChatTemplate : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void expressionsAsInPython();
    void statementsAsInPython();
    void publishedTemplates();
    void names();
    void integersOf64Bits();
    void timeInEnglish();
    void errorsNameTheLine();
    void raisedWordsReachTheUser();
    void bombsAreStopped_data();
    void bombsAreStopped();
    void limitsCanBeSet();
    void ordinaryWorkStaysUnderTheLimits();
    void truncationsAreTextsOrErrors();
    void changedBytesAreTextsOrErrors();
    void contextsThatCannotBeUsed();
    void threadsShareOneTemplate();
};

void TestChatTemplate::expressionsAsInPython() {
    for (const auto& [expression, text] : coterie::test::kExpressionCases) {
        const auto result = render("{{ " + std::string(expression) + " }}");
        QVERIFY2(
            fits(result, text),
            qPrintable(QString("%1 gives %2, wanted %3").arg(expression, shown(result), text ? text : "an error")));
    }
}

void TestChatTemplate::statementsAsInPython() {
    for (const auto& [source, text] : coterie::test::kStatementCases) {
        const auto result = render(source);
        QVERIFY2(fits(result, text),
                 qPrintable(QString("%1 gives %2, wanted %3").arg(source, shown(result), text ? text : "an error")));
    }
}

void TestChatTemplate::publishedTemplates() {
    const QString folder = coterie::test::referenceFolder();
    const QByteArray expected = folder.isEmpty() ? QByteArray() : readAll(folder + "/templates/expected.json");
    if (expected.isEmpty()) QSKIP("no reference folder beside this checkout");
    const ordered_json cases = ordered_json::parse(expected.toStdString());
    QCOMPARE(cases.size(), size_t{208});
    for (const ordered_json& one : cases) {
        const auto name = one["template"].get<std::string>();
        const QByteArray source = readAll(folder + "/templates/" + QString::fromStdString(name));
        QVERIFY2(!source.isEmpty(), name.c_str());
        const auto result = renderWith(source.toStdString(), one["context"]);
        const bool raises = one.contains("error");
        const std::string text = raises ? "" : one["text"].get<std::string>();
        QVERIFY2(
            fits(result, raises ? nullptr : text.c_str()),
            qPrintable(QString::fromStdString(name + " " + one["case"].get<std::string>() + ": ") + shown(result)));
    }
}

/// Only the context, the template's own names and the few functions can be reached.
void TestChatTemplate::names() {
    for (const char* hidden :
         {"self", "cycler", "lipsum", "joiner", "request", "config", "__builtins__", "environment", "os"})
        QVERIFY2(fits(render("{{ " + std::string(hidden) + " is defined }}"), "False"), hidden);
    for (const char* blocked : {"''.__class__.__mro__", "range.__globals__.x", "namespace.__init__.x", "l.append(4)",
                                "d.update(a=1)", "d.pop('x')"})
        QVERIFY2(fits(render("{{ " + std::string(blocked) + " }}"), nullptr), blocked);
    // A key may start with an underscore: it is data.
    QVERIFY(fits(renderWith("{{ d._id }}", {{"d", {{"_id", 7}}}}), "7"));
    QVERIFY(fits(renderWith("{{ range }}", {{"range", "mine"}}), "mine"));
}

void TestChatTemplate::integersOf64Bits() {
    QVERIFY(fits(
        render(
            "{{ 9223372036854775807 }} {{ -9223372036854775807 - 1 }} {{ 3037000499 * 3037000499 }} {{ (-2) ** 63 }}"),
        "9223372036854775807 -9223372036854775808 9223372030926249001 -9223372036854775808"));
    for (const char* tooLarge :
         {"9223372036854775808", "9223372036854775807 + 1", "-9223372036854775807 - 2", "3037000500 * 3037000500",
          "2 ** 63", "-(-9223372036854775807 - 1)", "(-9223372036854775807 - 1) * -1",
          "(-9223372036854775807 - 1) // -1", "'99999999999999999999'|int", "1e30|int", "[9223372036854775807, 1]|sum",
          "(-9223372036854775807 - 1)|abs"}) {
        const auto result = render("{{ " + std::string(tooLarge) + " }}");
        QVERIFY2(!result && result.error().why.english().find("does not fit 64 bits") != std::string::npos,
                 qPrintable(tooLarge + QString(": ") + shown(result)));
    }
    QVERIFY(fits(render("{{ (-9223372036854775807 - 1) % -1 }} {{ 9223372036854775807 % -9223372036854775807 }} {{ 6 % "
                        "9223372036854775807 }}"),
                 "0 0 6"));
    QVERIFY(fits(render("{{ 9007199254740993 == 9007199254740992.0 }} {{ 9007199254740993 > 9007199254740992.0 }} {{ "
                        "9223372036854775807 < 1e19 }}"),
                 "False True True"));
    QVERIFY(fits(render("{{ range(-9223372036854775807, 9223372036854775807, 9223372036854775807)|list }}"),
                 "[-9223372036854775807, 0]"));
    QVERIFY(fits(renderWith("{{ x }}", {{"x", uint64_t{18446744073709551615U}}}), "18446744073709551615"));
}

void TestChatTemplate::timeInEnglish() {
    QVERIFY(fits(render("{{ strftime_now('%d %B %Y, %A, %H:%M:%S, %-d %b %y, %j') }}"),
                 "15 January 2026, Thursday, 09:30:00, 15 Jan 26, 015"));
    Result<ChatTemplate> parsed = ChatTemplate::parse("{{ strftime_now('%Y')|int > 2024 }}");
    QVERIFY(parsed.ok());
    QVERIFY(!parsed->render({}, {}).error().why.empty()); // null is no object
    QCOMPARE(parsed->render(ordered_json::object(), {})->text, std::string("True"));
}

void TestChatTemplate::errorsNameTheLine() {
    struct {
        const char* source;
        const char* words;
    } const cases[] = {
        {"a\nb\n{{ 1 + }}", "line 3"},
        {"{% if a %}\n\nx", "line 3"},
        {"x\n{# open\n\n", "line 2"},
        {"\r\n\r\n{{ nope.x }}", "line 3"},
        {"{% for i in l %}\n{{ i }}\n{{ i + 'x' }}{% endfor %}", "line 3"},
        {"{% macro f() %}\n{{ 1 / 0 }}{% endmacro %}\n\n{{ f() }}", "line 2"},
        {"\n{{ s|nofilter }}", "line 2"},
        {"\n\n{{ s is notest }}", "line 3"},
        {"{{ 'a\nb' }}{% frobnicate %}", "line 2"},
        {"{%- raw -%}\n\n{%- endraw -%}\n{{ ) }}", "line 4"},
    };
    for (const auto& [source, words] : cases) {
        const auto result = render(source);
        QVERIFY2(!result && result.error().kind == ErrorKind::BadInput, source);
        QVERIFY2(result.error().why.english().find(words) != std::string::npos,
                 qPrintable(source + QString(": ") + shown(result)));
        QVERIFY(!result.error().what.empty() && !result.error().action.empty());
    }
}

void TestChatTemplate::raisedWordsReachTheUser() {
    const auto result = render("{{ raise_exception('System role not supported') }}");
    QVERIFY(!result);
    QCOMPARE(QString::fromStdString(result.error().why.english()), QString("System role not supported"));
    QVERIFY(result.error().kind == ErrorKind::BadInput);
    const auto endless = render("{{ raise_exception('\u00e9' * 1000000) }}");
    QVERIFY(!endless);
    const QString words = QString::fromStdString(endless.error().why.english());
    QVERIFY(words.size() > 100 && words.size() < 2000);
    QVERIFY(words.endsWith(QStringLiteral("\u00e9...")));
}

void TestChatTemplate::bombsAreStopped_data() {
    QTest::addColumn<QByteArray>("source");
    const auto add = [](const char* name, const std::string& source) {
        QTest::newRow(name) << QByteArray::fromStdString(source);
    };
    add("brackets", "{{ " + std::string(100000, '(') + "1" + std::string(100000, ')') + " }}");
    add("lists", "{{ " + std::string(100000, '[') + std::string(100000, ']') + " }}");
    add("dicts", "{{ " + repeated("{1:", 100000) + "1" + std::string(100000, '}') + " }}");
    add("signs", "{{ " + std::string(100000, '-') + "1 }}");
    add("nots", "{{ " + repeated("not ", 100000) + "1 }}");
    add("dots", "{{ a" + repeated(".a", 100000) + " }}");
    add("filters", "{{ a" + repeated("|e", 100000) + " }}");
    add("calls", "{{ a" + repeated("()", 100000) + " }}");
    add("blocks", repeated("{% if 1 %}", 50000));
    add("conditions", "{{ " + repeated("1 if 1 else ", 50000) + "1 }}");
    add("conditions without else", "{{ 1" + repeated(" if 1", 50000) + " }}");
    add("targets", "{% for " + std::string(100000, '(') + "a" + std::string(100000, ')') + " in l %}{% endfor %}");
    add("source", repeated("{{ a }}", 200000));
    add("repeated text", "{{ 'a' * 10**9 }}");
    add("repeated beyond 64 bits", "{{ 'aaaaaaaaaaaaaaaaaaaa' * 10**18 }}");
    add("repeated list", "{{ [1] * 10**9 }}");
    add("range", "{{ range(10**9) }}");
    add("empty loops", "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}");
    add("doubled text",
        "{% set ns = namespace(s='a') %}{% for i in range(100) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}");
    add("doubled list",
        "{% set ns = namespace(s=[1]) %}{% for i in range(100) %}{% set ns.s = ns.s + ns.s %}{% endfor %}");
    const std::string tree =
        "{% set ns = namespace(s=[1], t=[1], u=(1,)) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}"
        "{% set ns.t = [ns.t, ns.t] %}{% set ns.u = (ns.u, ns.u) %}{% endfor %}";
    add("shared parts printed", tree + "{{ ns.s }}");
    add("shared parts as JSON", tree + "{{ ns.s|tojson }}");
    add("shared parts compared", tree + "{{ ns.s == ns.t }}");
    add("shared parts ordered", tree + "{{ ns.s < ns.t }}");
    add("shared parts as key", tree + "{% set d = {ns.u: 1} %}");
    add("nested list", "{% set ns = namespace(s=[]) %}{% for i in range(100000) %}{% set ns.s = [ns.s] %}{% endfor %}");
    add("nested dict",
        "{% set ns = namespace(s=1) %}{% for i in range(100000) %}{% set ns.s = {1: ns.s} %}{% endfor %}");
    add("endless macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}");
    add("branching macro",
        "{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(12) }}{{ f(22) }}");
    add("endless caller", "{% macro f() %}{{ caller() }}{% endmacro %}{% macro g() %}{% call f() %}{{ g() }}{% endcall "
                          "%}{% endmacro %}{{ g() }}");
    add("endless loop()", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}");
    add("slow search", "{% set s = 'a' * 1000000 %}{% set p = 'a' * 500000 ~ 'b' %}{% for i in range(1000) %}{{ p in s "
                       "}}{% endfor %}");
    add("slow search back", "{% set s = 'a' * 1000000 %}{% set p = 'b' ~ 'a' * 500000 %}{% for i in range(1000) %}{{ "
                            "s.rfind(p) }}{% endfor %}");
    const std::string large = "{% set s = 'a' * 8000000 %}{% set p = 'a' * 8000000 %}{% for i in range(100000) %}";
    for (const char* use :
         {"s == p", "s.upper()", "s.strip('b')", "s|length", "s|wordcount", "s.count('')", "s|int", "s|float", "s[-1]",
          "s.split('b')", "s.startswith(s)", "s.isalpha()", "s|title", "s.splitlines()", "s|attr(s)"})
        QTest::newRow(use) << QByteArray::fromStdString(large + "{% set x = " + use + " %}{% endfor %}");
    add("many pieces", "{{ ('a,' * 8000000).split(',')|length }}");
    add("many lines", "{{ ('\\n' * 16000000).splitlines()|length }}");
    add("many characters", "{% for c in 'a' * 16000000 %}{% endfor %}");
    add("grown by replacing", "{{ ('a' * 10000).replace('a', 'b' * 10000) }}");
    add("grown by joining", "{{ ('a' * 10000)|join('b' * 10000) }}");
    add("indent", "{{ 'a'|indent(10**12) }}");
    add("center", "{{ 'a'|center(10**15) }}");
    add("zfill", "{{ 'a'.zfill(10**15) }}");
    add("batch", "{{ [1]|batch(10**15, 1)|list }}");
    add("slice", "{{ [1]|slice(10**15)|list }}");
    add("unique", "{{ range(100000)|unique|list|length }}");
    add("large dict", "{{ dict(range(100000)|batch(2))|length }}");
    add("namespaces",
        "{% for a in range(100000) %}{% for b in range(100000) %}{% set n = namespace(a=1) %}{% endfor %}{% endfor %}");
    add("kept texts", "{% set ns = namespace(l=[]) %}{% for a in range(100000) %}{% set ns.l = ns.l + [a ~ 'x' * 1000] "
                      "%}{% endfor %}");
    add("kept reasons", "{% set ns = namespace(l=[]) %}{% set s = 'a' * 4000000 %}{% for a in range(100) %}"
                        "{% set ns.l = ns.l + [s[s]] %}{% endfor %}");
    add("empty pieces", "{% set l = [''] * 300000 %}{% for a in range(100) %}{% set x = ''.join(l) %}{% endfor %}");
    add("empty places", "{% set s = '{0}' * 1000000 %}{% for a in range(20) %}{% set x = s.format('') %}{% endfor %}");
    add("empty arguments", "{% set s = '%s' * 300000 %}{% set t = ('',) * 300000 %}{% for a in range(100) %}"
                           "{% set x = s % t %}{% endfor %}");
    add("times without a zone", "{% set s = '%Z' * 4000000 %}{% for a in range(20) %}{% set x = strftime_now(s) %}"
                                "{% endfor %}");
    add("long places", "{% set s = '{' ~ ' ' * 4000000 ~ '0}' %}{% for a in range(100) %}{% set x = s.format('') %}"
                       "{% endfor %}");
    std::string parameters;
    for (int i = 0; i < 1000; ++i) parameters += "a" + std::to_string(i) + "=0,";
    parameters.pop_back();
    add("arguments and parameters",
        "{% macro m(" + parameters + ") %}{% endmacro %}{{ m(" + repeated("a999=1,", 100000) + ") }}");
    add("membership", "{% set l = range(100000)|list %}{% for a in l %}{% if -1 in l %}{% endif %}{% endfor %}");
    add("JSON indent", "{{ [[1]]|tojson(indent=10**9) }}");
    add("output", "{% for a in range(100000) %}" + std::string(10000, 'x') + "{% endfor %}");
}

/// The limits bound the time; CTest's own timeout would show a hang.
void TestChatTemplate::bombsAreStopped() {
    QFETCH(QByteArray, source);
    const auto result = render(source.toStdString());
    QVERIFY2(!result, "it gave a text");
    QVERIFY(result.error().kind == ErrorKind::BadInput);
    const QString why = QString::fromStdString(result.error().why.english());
    const bool names = why.contains("5000000 steps") || why.contains("128 deep") || why.contains("16777216 bytes") ||
                       why.contains("1048576 bytes") || why.contains("100000 numbers");
    QVERIFY2(names, qPrintable(why));
}

void TestChatTemplate::limitsCanBeSet() {
    const TemplateLimits few{.steps = 100};
    QVERIFY(fits(renderWith("{{ 1 + 1 }}", ordered_json::object(), few), "2"));
    const auto steps = renderWith("{% for i in range(50) %}x{% endfor %}", ordered_json::object(), few);
    QVERIFY(!steps && steps.error().why.english().find("100 steps") != std::string::npos);
    const TemplateLimits shallow{.depth = 8};
    QVERIFY(fits(renderWith("{{ ((1)) }}", ordered_json::object(), shallow), "1"));
    const auto depth = renderWith("{{ ((((((((1)))))))) }}", ordered_json::object(), shallow);
    QVERIFY(!depth && depth.error().why.english().find("8 deep") != std::string::npos);
    const TemplateLimits small{.outputBytes = 200};
    QVERIFY(fits(renderWith("{{ 'ab' * 100 }}", ordered_json::object(), small), repeated("ab", 100).c_str()));
    const auto bytes = renderWith("{{ 'ab' * 101 }}", ordered_json::object(), small);
    QVERIFY(!bytes && bytes.error().why.english().find("200 bytes") != std::string::npos);
    const auto written =
        renderWith("{% for i in range(3) %}" + std::string(80, 'x') + "{% endfor %}", ordered_json::object(), small);
    QVERIFY(!written && written.error().why.english().find("200 bytes") != std::string::npos);
}

/// A long conversation and a deep tool description, as people have them, must pass.
void TestChatTemplate::ordinaryWorkStaysUnderTheLimits() {
    const char* source =
        "{% macro type(t) %}{% if t.properties %}{{ '{' }}{% for k, v in t.properties.items() %}{{ k }}: {{ type(v) "
        "}}{% endfor %}{{ '}' }}"
        "{% else %}{{ t.type }}{% endif %}{% endmacro %}"
        "{% for m in messages %}{% set content = m.content %}{% if '</think>' in content %}{% set content = "
        "content.split('</think>')[-1].lstrip('\\n') %}{% endif %}{{ '<|im_start|>' + m.role + '\\n' + content|trim + "
        "'<|im_end|>\\n' }}{% endfor %}"
        "{{ type(tool) }}";
    ordered_json context{{"messages", ordered_json::array()}, {"tool", {{"type", "string"}}}};
    for (int i = 0; i < 10; ++i)
        context["tool"] = ordered_json{{"type", "object"}, {"properties", {{"p", context["tool"]}}}};
    for (int i = 0; i < 2000; ++i)
        context["messages"].push_back(
            {{"role", i % 2 == 0 ? "user" : "assistant"}, {"content", repeated("some words <b> ", 60)}});
    const auto result = renderWith(source, context);
    QVERIFY2(result.ok(), qPrintable(shown(result).left(300)));
    QVERIFY(result->size() > size_t{1'800'000});
    QVERIFY(result->ends_with("{p: {p: string}}}}}}}}}}"));
}

void TestChatTemplate::truncationsAreTextsOrErrors() {
    for (const auto& [source, text] : coterie::test::kStatementCases) {
        const std::string_view whole = source;
        for (size_t length = 0; length < whole.size(); ++length) {
            const auto result = render(whole.substr(0, length));
            QVERIFY2(result.ok() || (result.error().kind == ErrorKind::BadInput && !result.error().why.empty()),
                     source);
        }
    }
    for (const auto& [expression, text] : coterie::test::kExpressionCases) {
        const std::string whole = "{{ " + std::string(expression) + " }}";
        for (size_t length = 3; length < whole.size(); ++length) {
            const auto result = render(whole.substr(0, length) + " }}");
            QVERIFY2(result.ok() || (result.error().kind == ErrorKind::BadInput && !result.error().why.empty()),
                     expression);
        }
    }
}

void TestChatTemplate::changedBytesAreTextsOrErrors() {
    for (const auto& [source, text] : coterie::test::kStatementCases) {
        std::string changed = source;
        for (size_t at = 0; at < changed.size(); ++at) {
            for (const char byte : {'\0', '{', '%', '}', '(', '"', '\\', '|', '\xff', '9'}) {
                const char kept = std::exchange(changed[at], byte);
                const auto result = render(changed);
                QVERIFY2(result.ok() || (result.error().kind == ErrorKind::BadInput && !result.error().why.empty()),
                         changed.c_str());
                changed[at] = kept;
            }
        }
    }
}

void TestChatTemplate::contextsThatCannotBeUsed() {
    for (const char* context : {"[]", "1", "null", "\"text\""})
        QVERIFY(fits(renderWith("{{ x }}", ordered_json::parse(context)), nullptr));
    const std::string deep = "{\"x\": " + std::string(1000, '[') + std::string(1000, ']') + "}";
    const auto result = renderWith("{{ x }}", ordered_json::parse(deep));
    QVERIFY(!result && result.error().why.english().find("128 deep") != std::string::npos);
    // Variables that the template does not name are not read.
    QVERIFY(fits(renderWith("{{ y }}", ordered_json::parse(deep)), ""));
    QVERIFY(fits(renderWith("{{ x }}{{ x|length }}", {{"x", "\xff\xfe\xc3"}}), "\xff\xfe\xc3"
                                                                               "3"));
}

void TestChatTemplate::threadsShareOneTemplate() {
    const Result<ChatTemplate> parsed =
        ChatTemplate::parse("{% for x in l %}{{ loop.index }}{{ x ~ s }}{% endfor %}{{ l|map('string')|join }}");
    QVERIFY(parsed.ok());
    const std::string expected = "13Hello, World21Hello, World32Hello, World312";
    std::vector<int> good(4, 0);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < good.size(); ++t)
        threads.emplace_back([&, t] {
            const ordered_json context = contextOfCases();
            for (int i = 0; i < 200; ++i) {
                const auto result = parsed->render(context, fixedClock());
                good[t] += result.ok() && result->text == expected ? 1 : 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const int count : good) QCOMPARE(count, 200);
}

QTEST_APPLESS_MAIN(TestChatTemplate)
#include "tst_chat_template.moc"
