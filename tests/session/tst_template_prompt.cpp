// SPDX-License-Identifier: Apache-2.0
// Tests the probe of a chat template: the form in which it wants messages, what it can't show, and that the prompt
// holds what was asked all the same.
#include "session/template_prompt.h"
#include "support/reference.h"

#include <QDir>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Marks each turn; `content` is the expression that writes a message's words.
std::string turns(const std::string& content) {
    return "{% for m in messages %}[{{ m.role }}: " + content + "]{% endfor %}";
}

const std::string kPlain = turns("{{ m.content }}");
const std::string kParts = turns("{% for part in m.content %}{{ part.text if part.type == 'text' }}{% endfor %}");

const std::vector<Message> kTalk{Message::text(Role::System, "Answer in verse."), Message::text(Role::User, "Why?"),
                                 Message::text(Role::Assistant, "So."), Message::text(Role::User, "And then?")};

Result<TemplatePrompt> probed(const std::string& source) { return TemplatePrompt::probe(source, {}); }

QString textOf(const std::string& source, const std::vector<Message>& talk = kTalk, const PromptOptions& options = {}) {
    const Result<TemplatePrompt> made = probed(source);
    if (!made) return QString::fromStdString("error: " + made.error().line());
    const Result<PromptText> prompt = made->render(talk, options);
    return QString::fromStdString(prompt ? prompt->text : "error: " + prompt.error().line());
}

const QString kWhole = QStringLiteral("[system: Answer in verse.][user: Why?][assistant: So.][user: And then?]");
const QString kJoined = QStringLiteral("[user: Answer in verse.\n\nWhy?][assistant: So.][user: And then?]");
const std::string kTools =
    R"([{"type":"function","function":{"name":"find_word","description":"Finds","parameters":{"type":"object",)"
    R"("properties":{"word":{"type":"string","description":"A word"}},"required":["word"]}}}])";
const std::string kWritesTools = "{% if tools %}{{ tools | tojson }}{% endif %}";

} // namespace

class TestTemplatePrompt : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatShowsTheWordsIsUsed_data() {
        QTest::addColumn<QString>("source");
        const auto row = [](const char* name, const std::string& source) {
            QTest::newRow(name) << QString::fromStdString(source);
        };
        row("strings", kPlain);
        row("parts", kParts);
        row("the last part alone", turns("{{ m.content[-1]['text'] }}"));
        row("both", turns("{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}"
                          "{% endfor %}{% endif %}"));
        row("parts for questions, strings for the others",
            turns("{% if m.role == 'user' %}{{ m.content[0].text }}{% else %}{{ m.content + '' }}{% endif %}"));
        row("strings for questions, parts for the others",
            turns("{% if m.role == 'user' %}{{ m.content + '' }}{% else %}{{ m.content[0].text }}{% endif %}"));
    }
    void whatShowsTheWordsIsUsed() {
        QFETCH(QString, source);
        QCOMPARE(textOf(source.toStdString()), kWhole);
    }

    void toolResultsHaveAFormToo() {
        std::vector<Message> talk{Message::text(Role::User, "Why?")};
        talk.push_back({Role::Assistant, {{.kind = PartKind::ToolCall, .call = {"find_word", "{}", ""}}}});
        talk.push_back(Message::toolResult("find_word", "because"));
        const std::string source =
            "{# tool_calls #}" +
            turns("{% if m.role == 'tool' %}{{ m.content[0].text }}{% else %}{{ m.content }}{% endif %}");
        QCOMPARE(textOf(source, talk, {.tools = kTools}), QStringLiteral("[user: Why?][assistant: ][tool: because]"));
    }

    void aQuestionThatIsSwallowedIsSeen_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("question");
        QTest::newRow("a word") << "mistral" << false;
        QTest::newRow("nothing") << "" << false;
        QTest::newRow("other fields") << "{% for m in messages %}{{ m.text }}{% endfor %}" << false;
        QTest::newRow("system messages alone")
            << "{% for m in messages if m.role == 'system' %}{{ m.content }}{% endfor %}" << false;
        QTest::newRow("the last question") << "{{ messages[-1].content }}" << true;
        QTest::newRow("only behind a system message")
            << "{% if messages[0].role == 'system' %}{{ messages[0].content }}{{ messages[1].content }}{% endif %}"
            << true;
    }
    void aQuestionThatIsSwallowedIsSeen() {
        QFETCH(QString, source);
        QFETCH(bool, question);
        const Result<TemplatePrompt> made = probed(source.toStdString());
        QVERIFY(made.ok());
        QCOMPARE(made->abilities().question, question);
    }

    void aTemplateThatAlwaysFailsIsAnError() {
        const Result<TemplatePrompt> made = probed("{{ raise_exception('for embeddings only') }}");
        QVERIFY(!made);
        QVERIFY(made.error().line().find("for embeddings only") != std::string::npos);
        QVERIFY(!probed("{% for m in messages %}{{ m.content }"));
    }

    /// The instructions are at the front of the first question, an empty line before it.
    void aSystemMessageWithoutPlaceJoinsTheQuestion_data() {
        QTest::addColumn<QString>("source");
        QTest::newRow("refused") << QString::fromStdString(
            "{% for m in messages if m.role == 'system' %}{{ raise_exception('no instructions') }}{% endfor %}" +
            kPlain);
        QTest::newRow("dropped")
            << "{% for m in messages if m.role != 'system' %}[{{ m.role }}: {{ m.content }}]{% endfor %}";
        QTest::newRow("dropped, with parts")
            << "{% for m in messages if m.role != 'system' %}[{{ m.role }}: {{ m.content[0].text }}]{% endfor %}";
        QTest::newRow("refused in a longer talk alone")
            << QString::fromStdString("{% if messages | length > 3 %}{% if messages[0].role == 'system' %}"
                                      "{{ raise_exception('too much') }}{% endif %}{% endif %}" +
                                      kPlain);
    }
    void aSystemMessageWithoutPlaceJoinsTheQuestion() {
        QFETCH(QString, source);
        QCOMPARE(textOf(source.toStdString()), kJoined);
    }

    void joiningKeepsTheRest() {
        const std::string source =
            "{% for m in messages if m.role != 'system' %}[{{ m.role }}: {{ m.content }}]{% endfor %}";
        const auto with = [&](std::vector<Message> talk) { return textOf(source, talk); };
        QCOMPARE(with({Message::text(Role::User, "Why?")}), QStringLiteral("[user: Why?]"));
        QCOMPARE(with({Message::text(Role::System, " \n"), Message::text(Role::User, "Why?")}),
                 QStringLiteral("[user: Why?]"));
        QCOMPARE(with({Message::text(Role::System, "In verse."), Message::text(Role::Assistant, "Hello."),
                       Message::text(Role::User, "Why?")}),
                 QStringLiteral("[assistant: Hello.][user: In verse.\n\nWhy?]"));
        QCOMPARE(with({Message::text(Role::System, "In verse.")}), QStringLiteral("[user: In verse.]"));
    }

    /// A refusal that has nothing to do with the system message is told as the template words it.
    void otherRefusalsAreTold() {
        const std::string source =
            "{% for m in messages if 'secret' in m.content %}{{ raise_exception('not that') }}{% endfor %}" + kPlain;
        const QString error =
            textOf(source, {Message::text(Role::System, "In verse."), Message::text(Role::User, "a secret")});
        QVERIFY2(error.startsWith("error: ") && error.contains("not that"), qPrintable(error));
    }

    void abilities_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("can"); // system, system with tools, tools, thoughts
        const auto row = [](const char* name, const std::string& source, const char* can) {
            QTest::newRow(name) << QString::fromStdString(source) << can;
        };
        const std::string thoughts = turns("{{ m.reasoning_content or '' }}{{ m.content }}");
        const std::string toolsForSystem = "{% if tools %}{{ tools | tojson }}{% set messages = messages[1:] if "
                                           "messages[0].role == 'system' else messages %}{% endif %}";
        row("plain", kPlain, "s,S,-,-");
        row("tools", kWritesTools + kPlain, "s,S,t,-");
        row("tools under another name", "{{ xml_tools | tojson if xml_tools }}" + kPlain, "s,S,t,-");
        row("thoughts", thoughts, "s,S,-,h");
        row("all", kWritesTools + thoughts, "s,S,t,h");
        row("no system", "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}", "-,-,-,-");
        row("tools replace the system message", toolsForSystem + kPlain, "s,-,t,-");
        row("tools beside a system message alone",
            "{% if messages[0].role == 'system' %}" + kWritesTools + "{% endif %}" + kPlain, "s,S,t,-");
        row("a number of tools is no tool", "{{ tools | length if tools }}" + kPlain, "s,S,-,-");
    }
    void abilities() {
        QFETCH(QString, source);
        QFETCH(QString, can);
        const Result<TemplatePrompt> made = probed(source.toStdString());
        QVERIFY(made.ok());
        const TemplateAbilities& found = made->abilities();
        QCOMPARE(QStringList({found.system ? "s" : "-", found.systemWithTools ? "S" : "-", found.tools ? "t" : "-",
                              found.thoughts ? "h" : "-"})
                     .join(","),
                 can);
    }

    void toolsThatReplaceTheSystemMessageMakeItJoin() {
        const std::string source =
            "{% if tools %}{{ tools | length }}{% set messages = messages[1:] if messages[0].role "
            "== 'system' else messages %}{{ tools | tojson }}{% endif %}" +
            kPlain;
        QCOMPARE(textOf(source), kWhole);
        QVERIFY(textOf(source, kTalk, {.tools = kTools}).endsWith(kJoined));
    }

    /// SmolLM3's template reads tools under names of its own, and a program that offers `tools` can't know that.
    void toolsHaveTheNameThatTheTemplateReads() {
        const std::string xml = "{{ xml_tools | tojson if xml_tools }}", python = "{{ 'python' if python_tools }}";
        const auto offered = [&](const std::string& source, const PromptOptions& options) {
            return textOf(source + "|" + kPlain, {Message::text(Role::User, "Why?")}, options).section('|', 0, 0);
        };
        const QString list = offered(xml, {.xmlTools = kTools});
        QVERIFY(list.contains("find_word"));
        QCOMPARE(offered(xml, {.tools = kTools}), list);
        QCOMPARE(offered(xml, {.tools = kTools, .xmlTools = kTools}), list);
        QCOMPARE(offered(xml, {}), QString());
        QCOMPARE(offered(kWritesTools + xml, {.tools = kTools}), list); // it reads `tools`: once is enough
        // A caller that offers tools under one of these names gets that name alone.
        QCOMPARE(offered(xml + python, {.tools = kTools, .pythonTools = kTools}), QStringLiteral("python"));
        QCOMPARE(offered(xml, {.tools = kTools, .variables = R"({"xml_tools": [1]})"}), QStringLiteral("[1]"));
    }

    /// A template without a place for tools may refuse them, or fail at them.
    void toolsThatATemplateRefusesAreLeftOut_data() {
        QTest::addColumn<QString>("source");
        QTest::newRow("refused") << "{% if tools %}{{ raise_exception('no tools') }}{% endif %}";
        QTest::newRow("of another shape") << "{% for t in tools %}{{ t.signature.upper() }}{% endfor %}";
    }
    void toolsThatATemplateRefusesAreLeftOut() {
        QFETCH(QString, source);
        const std::string both = source.toStdString() + kPlain;
        QCOMPARE(textOf(both, kTalk, {.tools = kTools}), kWhole);
        QVERIFY(!probed(both)->abilities().tools); // so that the person gets to know it
        const std::string always =
            both + "{{ raise_exception('not ' + messages[-1].content) if messages | length > 2 }}";
        QVERIFY(textOf(always, kTalk, {.tools = kTools}).startsWith("error: "));
    }

    /// A person's words in a list of parts are as foreign as in a string.
    void partsAreForeign() {
        const Result<TemplatePrompt> made = probed(kParts);
        const std::vector<Message> talk{Message::text(Role::User, "Why<|im_end|>?")};
        const Result<PromptText> prompt = made->render(talk, {});
        QVERIFY(prompt.ok());
        QCOMPARE(prompt->own, (std::vector<ByteRange>{{0, 7}, {21, 22}}));
    }

    /// The markers of a call that the model wrote come back as the template's own, also within a part.
    void markersInPartsAreOwn() {
        const std::string words = "<tool_call>\n{\"name\":\"f\"}\n</tool_call>";
        const std::vector<Message> talk{
            Message::text(Role::User, "Why?"),
            {Role::Assistant, {{.kind = PartKind::ToolCall, .text = words, .call = {"f", "{}", ""}}}}};
        const Result<TemplatePrompt> made = probed(turns("{{ m.content[0].text }}"));
        QVERIFY(made.ok() && made->abilities().forms[Role::Assistant]);
        const Result<PromptText> prompt = made->render(talk, {});
        QVERIFY(prompt.ok());
        const size_t open = prompt->text.find("<tool_call>"), close = prompt->text.find("</tool_call>");
        const auto isOwn = [&](size_t at) {
            return std::any_of(prompt->own.begin(), prompt->own.end(),
                               [at](const ByteRange& own) { return own.begin <= at && at < own.end; });
        };
        QVERIFY(isOwn(open) && isOwn(close) && !isOwn(prompt->text.find("\"name\"")));
    }

    /// For each published template: a question, a system message and an offered tool stand in the prompt, or the probe
    /// says that they can't. The table is for a look at it.
    void publishedTemplates() {
        const QStringList files = QDir(referenceFolder() + "/templates").entryList({"*.jinja"});
        if (referenceFolder().isEmpty() || files.isEmpty()) QSKIP("the reference templates are not there");
        for (const QString& name : files) {
            QFile file(referenceFolder() + "/templates/" + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const Result<TemplatePrompt> made = TemplatePrompt::probe(file.readAll().toStdString(), {"<s>", "</s>"});
            QVERIFY2(made.ok() && made->abilities().question, qPrintable(name));
            const TemplateAbilities& can = made->abilities();
            qInfo("%-55s system %d/%d, tools %d, thoughts %d, parts %d", qPrintable(name), can.system,
                  can.systemWithTools, can.tools, can.thoughts, can.forms[Role::User]);
            for (const bool tools : {false, true}) {
                PromptOptions options;
                if (tools) options.tools = options.xmlTools = kTools;
                const Result<PromptText> prompt = made->render(kTalk, options);
                QVERIFY2(prompt.ok(), qPrintable(name));
                const auto stands = [&](const char* words) { return prompt->text.find(words) != std::string::npos; };
                QVERIFY2(stands("And then?") && stands("Answer in verse."), qPrintable(name));
                QVERIFY2(!tools || !can.tools || stands("find_word"), qPrintable(name));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestTemplatePrompt)
#include "tst_template_prompt.moc"
