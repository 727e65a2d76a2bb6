// SPDX-License-Identifier: Apache-2.0
// Tests which way a conversation becomes a prompt, and what the three ways write.
#include "gguf/gguf.h"
#include "session/prompt_format.h"
#include "support/tiny_model.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// A model's header and vocabulary, without weights.
struct Vocabulary {
    explicit Vocabulary(const TinyModelOptions& options) : Vocabulary(makeTinyModel(options)) {}
    explicit Vocabulary(TinyModel made) : model(std::move(made)) {
        Result<gguf::Header> parsed = gguf::parse(std::as_bytes(std::span(model.bytes)), model.bytes.size());
        if (!parsed) return;
        header = std::move(parsed).value();
        Result<std::unique_ptr<Tokenizer>> read = Tokenizer::create(header);
        if (read) tokenizer = std::move(read).value();
    }
    TinyModel model;
    gguf::Header header;
    std::unique_ptr<Tokenizer> tokenizer;
};

const std::vector<Message> kTalk{Message::text(Role::System, "Be brief."), Message::text(Role::User, "Hi"),
                                 Message::text(Role::Assistant, "Hello"), Message::text(Role::User, "Bye")};

/// A file with this key, with ChatML's markers or with others.
TinyModel withKey(const std::string& key, const std::string& text, bool markers) {
    TinyModelOptions options;
    options.chatTemplate = "";
    options.extraKeys = [&](GgufWriter& writer) { writer.string(key, text); };
    TinyModel model = makeTinyModel(options);
    for (size_t at = 0; !markers && (at = model.bytes.find("<|im_", at)) != std::string::npos;)
        model.bytes[at + 2] = 'x';
    return model;
}

/// The text that a template makes of a conversation, or "error: ...". A template that shows no question is rendered
/// too.
QString textOf(const std::string& source, const std::vector<Message>& talk, const PromptOptions& options) {
    const Result<TemplatePrompt> made = TemplatePrompt::probe(source, {});
    if (!made) return QString::fromStdString("error: " + made.error().line());
    const Result<PromptText> prompt = made->render(talk, options);
    return QString::fromStdString(prompt ? prompt->text : "error: " + prompt.error().line());
}

/// Whether there are `count` notes, and the last one says that tools can't be known without a template.
bool endsWithoutTools(const std::vector<Sentence>& notes, size_t count) {
    return notes.size() == count &&
           notes.back().english() ==
               "Without a chat template there is no place for tools, so the model can't know them";
}

} // namespace

class TestPromptFormat : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFilesTemplateComesFirst() {
        TinyModelOptions options;
        options.chatTemplate = "{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}"
                               "{{ bos_token }}{{ eos_token }}{% if add_generation_prompt %}>{% endif %}"
                               "{% if enable_thinking is defined %}{{ enable_thinking }}{% endif %}";
        const Vocabulary v(options);
        QVERIFY(v.tokenizer);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.turns() == Turns::Template);
        QCOMPARE(notes.size(), size_t(2)); // no tools, no earlier thoughts
        const std::string start = "[system:Be brief.][user:Hi][assistant:Hello][user:Bye]<|endoftext|><|im_end|>>";
        QCOMPARE(format.render(kTalk, {})->text, start);
        QCOMPARE(format.render(kTalk, {.thinking = true})->text, start + "True");
        QCOMPARE(format.render(kTalk, {.thinking = false})->text, start + "False");
    }

    void whatTheTemplateRefusesIsToldInItsWords() {
        TinyModelOptions options;
        options.chatTemplate = "{% if messages | length > 2 %}{{ raise_exception('only two turns') }}{% endif %}"
                               "{% for m in messages %}{{ m.content }}{% endfor %}";
        const Vocabulary v(options);
        std::vector<Sentence> notes;
        const Result<PromptText> prompt = PromptFormat::choose(v.header, *v.tokenizer, notes).render(kTalk, {});
        QVERIFY(!prompt);
        QCOMPARE(prompt.error().kind, ErrorKind::BadInput);
        QVERIFY(prompt.error().why.english().find("only two turns") != std::string::npos);
    }

    void chatMlWhereTheVocabularyKnowsIt() {
        TinyModelOptions options;
        options.chatTemplate = "";
        const Vocabulary v(options);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.turns() == Turns::ChatMl);
        QVERIFY(endsWithoutTools(notes, 2));
        QVERIFY(QString::fromStdString(notes.front().english()).contains("no chat template"));
        QCOMPARE(
            format.render(kTalk, {})->text,
            std::string(
                "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
                "<|im_start|>assistant\nHello<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n"));
    }

    void aTemplateThatDoesNotParseIsPassedOverAndTold() {
        TinyModelOptions options;
        options.chatTemplate = "{% for m in messages %}{{ m.content }"; // never closed
        const Vocabulary v(options);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.turns() == Turns::ChatMl);
        QVERIFY(endsWithoutTools(notes, 2));
        QVERIFY2(QString::fromStdString(notes.front().english()).contains("can't be used"),
                 notes.front().english().c_str());
    }

    void aTemplateThatSwallowsTheQuestionIsNotUsed_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("markers");
        QTest::addColumn<int>("turns");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const char* source, bool markers, Turns turns, const char* why) {
            QTest::newRow(name) << source << markers << static_cast<int>(turns) << why;
        };
        row("empty", "", true, Turns::ChatMl, "It is empty");
        row("white space", " \n", false, Turns::Plain, "It is empty");
        row("another program's word", "llama2", true, Turns::ChatMl, "\"llama2\"");
        row("its word, no ChatML", "vicuna", false, Turns::Plain, "\"vicuna\"");
        row("ChatML's name", "chatml", true, Turns::ChatMl, "names ChatML");
        row("ChatML's name alone", "chatml", false, Turns::ChatMl, "names ChatML");
        row("fields of another kind", "{% for m in messages %}{{ m.value }}{% endfor %}", true, Turns::ChatMl,
            "doesn't stand");
        row("always refuses", "{{ raise_exception('for pictures') }}", false, Turns::Plain, "for pictures");
        row("never ends", "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", true,
            Turns::ChatMl, "limit");
    }
    void aTemplateThatSwallowsTheQuestionIsNotUsed() {
        QFETCH(QString, source);
        QFETCH(bool, markers);
        QFETCH(int, turns);
        QFETCH(QString, why);
        const Vocabulary v(withKey("tokenizer.chat_template", source.toStdString(), markers));
        QVERIFY(v.tokenizer);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QCOMPARE(static_cast<int>(format.turns()), turns);
        QVERIFY(endsWithoutTools(notes, 2));
        QVERIFY2(QString::fromStdString(notes.front().english()).contains(why), notes.front().english().c_str());
        const Result<PromptText> prompt = format.render(kTalk, {});
        QVERIFY(prompt.ok() && prompt->text.find("Bye") != std::string::npos);
        QVERIFY(!format.canThink());
    }

    /// A template that shows a first question may still lose a later one: that is told before the model is asked.
    void aLostQuestionIsAnError_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("question");
        QTest::addColumn<bool>("stands");
        const QString all = "{% for m in messages %}{{ m.content }}{% endfor %}";
        QTest::newRow("only the first message") << "{{ messages[0].content }}"
                                                << "Bye" << false;
        QTest::newRow("short messages alone")
            << "{% for m in messages if m.content | length < 30 %}{{ m.content }}{% endfor %}"
            << "a question of more than thirty letters" << false;
        QTest::newRow("words of the template's own")
            << "user{% for m in messages if m.content != 'user' %}{{ m.content }}{% endfor %}"
            << "user" << false;
        QTest::newRow("cut in the middle") << "{% for m in messages %}{{ m.content.split('|')[0] }}{% endfor %}"
                                           << "one | two" << false;
        QTest::newRow("the same words as before") << "{{ messages[0].content }}"
                                                  << "Hi" << false;
        QTest::newRow("words that were said, in their order")
            << "{% for m in messages[:2] %}{{ m.content }}{% endfor %}"
            << "i lo" << false;
        QTest::newRow("asked again") << all << "Hi" << true;
        QTest::newRow("whole") << all << "  Bye \n now " << true;
        QTest::newRow("trimmed") << "{% for m in messages %}{{ m.content | trim }}{% endfor %}"
                                 << QString(QChar(0x3000)) + "  Bye \n now " << true;
        QTest::newRow("spaces made one") << "{% for m in messages %}{{ m.content.split() | join(' ') }}{% endfor %}"
                                         << "Bye \n\n now" << true;
        QTest::newRow("as JSON") << "{% for m in messages %}{{ m.content | tojson }}{% endfor %}"
                                 << "say \"Bye\"\nC:\\now" << true;
        QTest::newRow("a switch taken out")
            << "{% for m in messages %}{{ m.content.replace('/no_think', '') }}{% endfor %}"
            << "Bye/no_think now /no_think" << true;
        QTest::newRow("nothing asked") << all << " " << true;
    }
    void aLostQuestionIsAnError() {
        QFETCH(QString, source);
        QFETCH(QString, question);
        QFETCH(bool, stands);
        const Vocabulary v(withKey("tokenizer.chat_template", source.toStdString(), true));
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QCOMPARE(format.turns(), Turns::Template);
        const std::vector<Message> talk{Message::text(Role::User, "Hi"), Message::text(Role::Assistant, "Hello"),
                                        Message::text(Role::User, question.toStdString())};
        const Result<PromptText> prompt = format.render(talk, {});
        QCOMPARE(prompt.ok(), stands);
        if (!stands) QVERIFY(prompt.error().line().find("your message") != std::string::npos);
    }

    void theTemplateForToolsIsUsedWithTools() {
        const std::string usual = "{% for m in messages %}[{{ m.content }}]{% endfor %}";
        const std::string forTools =
            "{{ tools | tojson if tools }}{% for m in messages %}<{{ m.content }}>{% endfor %}";
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        const PromptOptions offered{.tools = R"([{"name": "roll_dice"}])"};
        const auto both = [&](const std::string& first, const std::string& second, std::vector<Sentence>& notes) {
            TinyModelOptions options;
            options.chatTemplate = first;
            options.extraKeys = [&](GgufWriter& writer) { writer.string("tokenizer.chat_template.tool_use", second); };
            const Vocabulary v(options);
            const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
            return QString::fromStdString(format.render(talk, {})->text + " " + format.render(talk, offered)->text);
        };
        std::vector<Sentence> notes;
        QCOMPARE(both(usual, forTools, notes), QStringLiteral("[Hi] [{\"name\": \"roll_dice\"}]<Hi>"));
        QVERIFY(notes.empty()); // one of the two can do each thing
        // The only template of the file is used always.
        QCOMPARE(both("", forTools, notes), QStringLiteral("<Hi> [{\"name\": \"roll_dice\"}]<Hi>"));
        QVERIFY(notes.empty());
        // One that shows no tools, or can't be used, is left alone.
        QCOMPARE(both(usual, "{% for m in messages %}<{{ m.content }}>{% endfor %}", notes),
                 QStringLiteral("[Hi] [Hi]"));
        QCOMPARE(notes.size(), size_t(1)); // no tools
        notes.clear();
        // One may need tools: it is never rendered without them.
        const std::string needsTools = "{{ tools | tojson }}{% for m in messages %}<{{ m.content }}>{% endfor %}";
        notes.clear();
        QCOMPARE(both(usual, needsTools, notes), QStringLiteral("[Hi] [{\"name\": \"roll_dice\"}]<Hi>"));
        QVERIFY(notes.empty());
        QVERIFY(both("", needsTools, notes).startsWith("<|im_start|>user\nHi<|im_end|>"));
        notes.clear();
        QCOMPARE(both(usual, "{% if %}", notes), QStringLiteral("[Hi] [Hi]"));
        QCOMPARE(notes.size(), size_t(2));
        notes.clear();
        QCOMPARE(both("zephyr", forTools, notes), QStringLiteral("<Hi> [{\"name\": \"roll_dice\"}]<Hi>"));
        QCOMPARE(notes.size(), size_t(1));
    }

    void whatTheTemplateCantDoIsTold_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("told");
        const QString tools = "{{ tools | tojson if tools }}",
                      all = "{% for m in messages %}{{ m.content }}{% endfor %}";
        const QString noSystem = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}";
        QTest::newRow("nothing") << tools + all << QStringList();
        QTest::newRow("tools") << all << QStringList{"no place for tools"};
        QTest::newRow("system") << tools + noSystem << QStringList{"no place for a system message"};
        QTest::newRow("system beside tools") << tools + "{% if tools %}" + noSystem + "{% else %}" + all + "{% endif %}"
                                             << QStringList{"when tools are offered"};
        QTest::newRow("thoughts") << "{# </think> #}" + tools + all << QStringList{"thought in earlier answers"};
        QTest::newRow("all of it") << "{# reasoning #}" + noSystem
                                   << QStringList{"no place for a system message", "no place for tools",
                                                  "thought in earlier answers"};
    }
    void whatTheTemplateCantDoIsTold() {
        QFETCH(QString, source);
        QFETCH(QStringList, told);
        const Vocabulary v(withKey("tokenizer.chat_template", source.toStdString(), true));
        std::vector<Sentence> notes;
        PromptFormat::choose(v.header, *v.tokenizer, notes);
        QCOMPARE(static_cast<qsizetype>(notes.size()), told.size());
        for (qsizetype i = 0; i < told.size(); ++i)
            QVERIFY2(QString::fromStdString(notes[static_cast<size_t>(i)].english()).contains(told[i]),
                     notes[static_cast<size_t>(i)].english().c_str());
    }

    /// A family that thinks does so whatever template its file has, and then its thoughts are heard, and left out
    /// later.
    void lostThoughtsAreToldForAFamilyThatThinks_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("marker");
        QTest::addColumn<bool>("told");
        const QString all = "{{ tools | tojson if tools }}{% for m in messages %}{{ m.content }}{% endfor %}";
        const QString shows = "{% for m in messages %}{{ m.reasoning_content }}{{ m.content }}{% endfor %}";
        QTest::newRow("a plain template") << "qwen3" << all << "<think>" << true;
        QTest::newRow("one that shows thoughts") << "qwen3" << shows << "<think>" << false;
        QTest::newRow("no such token") << "qwen3" << all << "<b>" << false;
        QTest::newRow("a family that doesn't think") << "gemma3" << all << "<think>" << false;
        QTest::newRow("channels") << "gpt-oss" << all << "<|channel|>" << true;
        QTest::newRow("ChatML") << "qwen3"
                                << "chatml"
                                << "<think>" << true;
        QTest::newRow("plain turns") << "gemma4"
                                     << ""
                                     << "<|channel>" << true;
        QTest::newRow("channels without a template") << "gpt-oss"
                                                     << ""
                                                     << "<|channel|>" << true;
        QTest::newRow("without a template, no thoughts") << "gemma3"
                                                         << ""
                                                         << "<think>" << false;
    }
    void lostThoughtsAreToldForAFamilyThatThinks() {
        QFETCH(QString, architecture);
        QFETCH(QString, source);
        QFETCH(QString, marker);
        QFETCH(bool, told);
        GgufWriter w;
        w.string("general.architecture", architecture.toStdString()).string("tokenizer.ggml.model", "gpt2");
        w.string("tokenizer.ggml.pre", "default").strings("tokenizer.ggml.merges", {});
        w.strings("tokenizer.ggml.tokens", {"a", marker.toStdString(), "<|message|>"});
        w.i32s("tokenizer.ggml.token_type", {1, 3, 3}).string("tokenizer.chat_template", source.toStdString());
        const std::string file = w.bytes();
        const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
        QVERIFY(header.ok());
        const auto tokenizer = Tokenizer::create(*header);
        QVERIFY(tokenizer.ok());
        std::vector<Sentence> notes;
        PromptFormat::choose(*header, **tokenizer, notes);
        const auto tells = [](const Sentence& note) {
            return note.english().find("thought in earlier answers") != std::string::npos;
        };
        QCOMPARE(std::count_if(notes.begin(), notes.end(), tells), told ? 1 : 0);
    }

    void elseTheModelContinuesTheText() {
        const Vocabulary v(withKey("general.description", "no template", false));
        QVERIFY(v.tokenizer);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.turns() == Turns::Plain);
        QVERIFY(endsWithoutTools(notes, 2));
        const auto text = [&](const std::vector<Message>& talk) { return format.render(talk, {})->text; };
        QCOMPARE(text({Message::text(Role::User, "Once upon a time")}), std::string("Once upon a time"));
        QCOMPARE(text({Message::text(Role::User, "Once upon a time"), Message::text(Role::Assistant, ", there was."),
                       Message::text(Role::User, "Then")}),
                 std::string("Once upon a time, there was.\nThen"));
        QCOMPARE(text({Message::text(Role::User, "Once"), Message::text(Role::Assistant, ", there was."),
                       Message::text(Role::User, " Then")}),
                 std::string("Once, there was. Then"));
        QCOMPARE(text({Message::text(Role::User, ""), Message::text(Role::User, "Once\n"),
                       Message::text(Role::User, "upon")}),
                 std::string("Once\nupon"));
        QVERIFY(format.render(kTalk, {})->own.empty());
    }

    /// A continued text has no place for instructions, but they are not lost: they join the first question.
    void aContinuedTextHoldsTheSystemMessage() {
        const Vocabulary v(withKey("general.description", "no template", false));
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.turns() == Turns::Plain);
        const auto text = [&](const std::vector<Message>& talk) {
            return QString::fromStdString(format.render(talk, {})->text);
        };
        const Message system = Message::text(Role::System, "In verse."), question = Message::text(Role::User, "Once");
        QCOMPARE(text({system, question}), QStringLiteral("In verse.\n\nOnce"));
        QCOMPARE(text({system, question, Message::text(Role::Assistant, " more"), Message::text(Role::User, "Then")}),
                 QStringLiteral("In verse.\n\nOnce more\nThen"));
        QCOMPARE(text({Message::text(Role::System, " \n"), question}), QStringLiteral("Once"));
        QCOMPARE(text({system, Message::text(Role::User, "")}), QStringLiteral("In verse.\n\n"));
        QCOMPARE(text({system}), QStringLiteral("In verse."));
    }

    /// Nothing that a person wrote is left out of a prompt that no template makes.
    void everyQuestionStandsWithoutATemplate_data() {
        QTest::addColumn<bool>("markers");
        QTest::newRow("ChatML") << true;
        QTest::newRow("plain") << false;
    }
    void everyQuestionStandsWithoutATemplate() {
        QFETCH(bool, markers);
        const Vocabulary v(withKey("general.description", "no template", markers));
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QCOMPARE(format.turns(), markers ? Turns::ChatMl : Turns::Plain);
        const std::vector<Message> talk{Message::text(Role::System, "one"),
                                        Message::text(Role::User, "two"),
                                        Message::text(Role::Assistant, "three"),
                                        {Role::Assistant, {{.kind = PartKind::ToolCall, .call = {"four", "{}", ""}}}},
                                        Message::toolResult("four", "five"),
                                        Message::text(Role::System, "six"),
                                        {Role::User, {{.text = "seven"}, {.text = "<|im_end|>"}, {.text = "eight"}}}};
        const Result<PromptText> prompt = format.render(talk, {});
        QVERIFY(prompt.ok());
        size_t at = 0;
        for (const char* words : {"one", "two", "three", "four", "five", "six", "seven\n<|im_end|>\neight"}) {
            at = prompt->text.find(words, at);
            QVERIFY2(at != std::string::npos, words);
        }
    }

    void toolsReachTheTemplate() {
        const std::string tools = R"([{"type":"function","function":{"name":"get_time","b":1,"a":2}}])";
        const std::string source = "{{ tools | tojson if tools }}|{{ xml_tools[0] if xml_tools }}|{{ python_tools[0] "
                                   "if python_tools }}|{{ more }}|{{ extra }}";
        QCOMPARE(textOf(source, kTalk,
                        {.tools = tools,
                         .xmlTools = R"(["x"])",
                         .pythonTools = R"(["p"])",
                         .variables = R"({"more": "m", "extra": 3, "tools": "not these"})"}),
                 QStringLiteral(R"([{"type": "function", "function": {"name": "get_time", "b": 1, "a": 2}}]|x|p|m|3)"));
        QCOMPARE(textOf("{{ tools is defined }}{{ enable_thinking is defined }}", kTalk, {}),
                 QStringLiteral("FalseFalse"));
    }

    void wrongJsonIsNamed_data() {
        QTest::addColumn<QString>("tools");
        QTest::addColumn<QString>("variables");
        QTest::addColumn<QString>("named");
        QTest::newRow("broken") << "[{"
                                << ""
                                << "tools";
        QTest::newRow("an object") << "{}"
                                   << ""
                                   << "tools";
        QTest::newRow("a number") << "3"
                                  << ""
                                  << "tools";
        QTest::newRow("a list of variables") << ""
                                             << "[]"
                                             << "variables";
        QTest::newRow("deep") << QString(100000, u'[') << ""
                              << "tools";
    }
    void wrongJsonIsNamed() {
        QFETCH(QString, tools);
        QFETCH(QString, variables);
        QFETCH(QString, named);
        const QString error = textOf("x", kTalk, {.tools = tools.toStdString(), .variables = variables.toStdString()});
        QVERIFY2(error.startsWith("error: The option " + named), qPrintable(error));
    }

    void callsAndResultsReachTheTemplate() {
        const std::string source =
            "{% for m in messages %}[{{ m.role }}{% if m.reasoning_content %} thinks {{ m.reasoning_content }}{% endif "
            "%}"
            "{% for c in m.tool_calls %} {{ c.id }} {{ c.function.name }} {{ c.function.arguments.zone }}{% endfor %}"
            "{% if m.role == 'tool' %} {{ m.name }} {{ m.tool_call_id }}{% endif %}: {{ m.content }}]{% endfor %}";
        std::vector<Message> talk{Message::text(Role::User, "Time?")};
        talk.push_back({Role::Assistant,
                        {{.kind = PartKind::Thought, .text = "I ask"},
                         {.kind = PartKind::ToolCall, .call = {"get_time", R"({"zone":"UTC"})", ""}},
                         {.kind = PartKind::ToolCall, .call = {"get_time", R"({"zone":"CET"})", ""}}}});
        talk.push_back(Message::toolResult("get_time", "12:00"));
        QCOMPARE(textOf(source, talk, {}),
                 QStringLiteral("[user: Time?][assistant thinks I ask call00001 get_time UTC call00002 get_time CET: ]"
                                "[tool get_time call00001: 12:00]"));
    }

    /// A call may have no result, because the user went on without it: later results keep the numbers of their calls.
    void resultsHaveTheNumbersOfTheirCalls() {
        const std::string source =
            "{% for m in messages %}{% for c in m.tool_calls %}[{{ c.function.name }} {{ c.id }}]{% endfor %}"
            "{% if m.role == 'tool' %}[{{ m.name }}: {{ m.tool_call_id }}]{% endif %}{% endfor %}";
        const auto calls = [](const std::vector<const char*>& names) {
            Message message{Role::Assistant, {}};
            for (const char* name : names)
                message.parts.push_back({.kind = PartKind::ToolCall, .call = {name, "{}", ""}});
            return message;
        };
        const Message question = Message::text(Role::User, "Go on");
        const std::vector<Message> talk{question,
                                        calls({"f"}), // the user went on
                                        question,
                                        calls({"f", "g"}),
                                        Message::toolResult("g", "1"),
                                        Message::toolResult("f", "2"),
                                        {Role::Assistant, {{.kind = PartKind::ToolCall, .text = "<code>x</code>"}}},
                                        Message::toolResult("", "3"),
                                        calls({"h"}),
                                        Message::toolResult("", "4")};
        QCOMPARE(textOf(source, talk, {}),
                 QStringLiteral("[f call00001][f call00002][g call00003][g: call00003][f: call00002][: call00004]"
                                "[h call00005][: call00005]"));
    }

    /// Lists within lists that a model wrote may be deeper than any template reads. The chat goes on without them.
    void argumentsMayBeTooDeepForATemplate() {
        const std::string source = "{% for m in messages %}[{{ m.content }}{% for c in m.tool_calls %}"
                                   "{{ c.function.arguments | tojson }}{% endfor %}]{% endfor %}";
        for (const size_t depth : {size_t{1}, size_t{100}, size_t{111}, size_t{112}, size_t{120}, size_t{127}}) {
            const std::string arguments = "{\"a\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
            const ToolCall call{"f", arguments, ""};
            QVERIFY(readJson(arguments));
            const std::vector<Message> talk{Message::text(Role::User, "Go on"),
                                            {Role::Assistant, {{.kind = PartKind::ToolCall, .call = call}}},
                                            Message::text(Role::User, "Why?")};
            const std::string shown = depth < 112 ? arguments : "{}";
            QCOMPARE(textOf(source, talk, {}), QString::fromStdString("[Go on][" + shown + "][Why?]"));
        }
    }

    /// An answer with a tool result in it is three messages for a template: the call, its result, what follows.
    void resultsInAnAnswerAreMessages() {
        const std::vector<Message> talk{{Role::Assistant,
                                         {{.text = "I look."},
                                          {.kind = PartKind::ToolCall, .call = {"f", "{}", ""}},
                                          {.kind = PartKind::ToolResult, .text = "12", .call = {"f", "", ""}},
                                          {.text = "It is 12."},
                                          {.text = "Done."}}}};
        QCOMPARE(textOf("{% for m in messages %}[{{ m.role }}: {{ m.content }}{% for c in m.tool_calls %} "
                        "{{ c.function.name }}{% endfor %}]{% endfor %}",
                        talk, {}),
                 QStringLiteral("[assistant: I look. f][tool: 12][assistant: It is 12.\nDone.]"));
    }

    /// Several calls in one pair of markers come back as the model wrote them, and the markers as the template's own.
    void callsComeBackAsTheModelWroteThem() {
        const std::string words = "<code>\nf()\ng('<|im_end|>')\n</code>";
        const std::vector<Message> talk{{Role::Assistant,
                                         {{.text = "I look."},
                                          {.kind = PartKind::ToolCall, .text = words, .call = {"f", "{}", "x"}},
                                          {.kind = PartKind::ToolCall, .call = {"g", "{}", "x"}}}}};
        TinyModelOptions options;
        options.chatTemplate = "{{ messages[0].content }}";
        const Vocabulary v(options);
        std::vector<Sentence> notes;
        const Result<PromptText> prompt = PromptFormat::choose(v.header, *v.tokenizer, notes).render(talk, {});
        QVERIFY(prompt.ok());
        QCOMPARE(prompt->text, "I look.\n" + words);
        const size_t at = std::string("I look.\n").size(), end = prompt->text.size();
        QCOMPARE(prompt->own, (std::vector<ByteRange>{{at, at + 6}, {end - 7, end}}));
    }

    /// Tags that the engine gave as text, because no tools were offered, stay text.
    void tagsInTextAreText() {
        const std::string words = "<think>a</think><tool_call>{\"name\":\"f\"}</tool_call>";
        const std::vector<Message> talk{Message::text(Role::Assistant, words)};
        QCOMPARE(textOf("{{ messages[0].content }}{{ messages[0].tool_calls is defined }}", talk, {}),
                 QString::fromStdString(words + "False"));
    }

    /// Also numbers that no machine number holds: they end no chat.
    void numbersKeepTheirDigits() {
        const std::vector<Message> talk{
            {Role::Assistant,
             {{.kind = PartKind::ToolCall,
               .call = {"f", R"({"a":9223372036854775808,"b":12345678901234567890123,"c":2.50,"d":1e999,"e":-7})",
                        ""}}}}};
        const PromptOptions options{.tools = R"([{"name": "f", "maximum": 18446744073709551615, "step": 0.50,
                                                  "most": 98765432109876543210987, "huge": 1E999}])"};
        QCOMPARE(
            textOf("{% for c in messages[0].tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}", talk,
                   options),
            QStringLiteral("{\"a\": 9223372036854775808, \"b\": 12345678901234567890123, \"c\": 2.50, \"d\": 1e999, "
                           "\"e\": -7}"));
        QCOMPARE(
            textOf("{% set t = tools[0] if tools else {} %}{{ t.maximum }} {{ t.step }} {{ t.most | string }} {{ t | "
                   "tojson }}",
                   talk, options),
            QStringLiteral("18446744073709551615 0.5 98765432109876543210987 {\"name\": \"f\", \"maximum\": "
                           "18446744073709551615, \"step\": 0.5, \"most\": 98765432109876543210987, \"huge\": 1E999}"));
        QCOMPARE(textOf("{% set t = tools[0] if tools else {} %}{% if t.most %}"
                        "{{ t.most is integer }} {{ t.most is float }} {{ t.huge is float }} "
                        "{{ t.most > 5 }} {{ t.most | int }} {{ t.most | round }} {{ t.huge is number }}{% endif %}",
                        talk, options),
                 QStringLiteral("True False True True 98765432109876543210987 98765432109876543210987 True"));
        QCOMPARE(textOf("{{ messages[0].content }}", talk, {}),
                 QStringLiteral("<tool_call>\n{\"name\":\"f\",\"arguments\":{\"a\":9223372036854775808,\"b\":"
                                "12345678901234567890123,\"c\":2.50,\"d\":1e999,\"e\":-7}}\n</tool_call>"));
    }

    void callsAreSpelledWhereTheTemplateKnowsNone() {
        const std::vector<Message> talk{{Role::Assistant,
                                         {{.text = "I look."},
                                          {.kind = PartKind::ToolCall, .call = {"f", R"({"b":1,"a":2})", ""}},
                                          {.kind = PartKind::ToolCall, .call = {"", "{}", "for i in x: f(i)"}}}}};
        QCOMPARE(textOf("{{ messages[0].content }}", talk, {}),
                 QStringLiteral("I look.\n<tool_call>\n{\"name\":\"f\",\"arguments\":{\"b\":1,\"a\":2}}\n</tool_call>\n"
                                "<code>\nfor i in x: f(i)\n</code>"));
    }

    /// The switches of SmolLM3's published template, in words of our own.
    void switchesInTheSystemMessage() {
        const std::string source =
            "{% set mode = 'think' if enable_thinking is not defined or enable_thinking else 'quiet' %}"
            "{% set told = messages[0].content if messages[0].role == 'system' else '' %}"
            "{% if '/no_think' in told %}{% set mode = 'quiet' %}{% elif '/think' in told %}{% set mode = 'think' %}{% "
            "endif %}"
            "{% set told = told.replace('/no_think', '').replace('/think', '').rstrip() %}"
            "{% if '/system_override' in told %}{{ told.replace('/system_override', '').rstrip() }}"
            "{% else %}mode {{ mode }}{% if told %}, told {{ told }}{% endif %}"
            "{% if xml_tools %}, xml {{ xml_tools | length }}{% endif %}"
            "{% if python_tools %}, python {{ python_tools | length }}{% endif %}{% endif %}"
            "{% if mode == 'quiet' %}<think></think>{% endif %}"
            "{% for m in messages if m.role == 'user' %}|{{ m.content }}{% endfor %}";
        const auto told = [&](const char* system, const PromptOptions& options = {}) {
            QString text =
                textOf(source, {Message::text(Role::System, system), Message::text(Role::User, "Hi")}, options);
            return text.endsWith("|Hi") ? text.chopped(3) : text;
        };
        QCOMPARE(told("Be brief."), QStringLiteral("mode think, told Be brief."));
        QCOMPARE(told("Be brief. /no_think"), QStringLiteral("mode quiet, told Be brief.<think></think>"));
        QCOMPARE(told("", {.thinking = false}), QStringLiteral("mode quiet<think></think>"));
        QCOMPARE(told("/think", {.thinking = false}), QStringLiteral("mode think"));
        QCOMPARE(told("You are a cat. /system_override"), QStringLiteral("You are a cat."));
        QCOMPARE(told("", {.xmlTools = "[1, 2]", .pythonTools = "[1]"}), QStringLiteral("mode think, xml 2, python 1"));
    }

    void theSwitchAloneIsAddedWhereTheTemplateKnowsNoVariable() {
        const std::string source = "{% for m in messages %}[{{ m.role }} {{ m.content }}]{% endfor %}"
                                   "{% if '/no_think' in messages[0].content %}quiet{% endif %}";
        QCOMPARE(textOf(source, {Message::text(Role::User, "Hi")}, {.thinking = false}),
                 QStringLiteral("[system /no_think][user Hi]quiet"));
        QCOMPARE(
            textOf(source, {Message::text(Role::System, "Brief"), Message::text(Role::User, "Hi")}, {.thinking = true}),
            QStringLiteral("[system Brief /think][user Hi]"));
        QCOMPARE(textOf(source, {Message::text(Role::User, "Hi")}, {}), QStringLiteral("[user Hi]"));
    }

    void theTimeIsTheCallers() {
        std::tm now{};
        now.tm_year = 126;
        now.tm_mday = 15;
        QCOMPARE(textOf("{{ strftime_now('%d %b %Y') }}", kTalk, {.now = now}), QStringLiteral("15 Jan 2026"));
    }

    void formsOfAnswers() {
        const auto forms = [](const std::string& source, const PromptOptions& options, const char* prompt,
                              const std::vector<Message>& talk = kTalk) {
            TinyModelOptions model;
            model.chatTemplate = source + "{% for m in messages %}{{ m.content }}{% endfor %}";
            const Vocabulary v(model);
            std::vector<Sentence> notes;
            return PromptFormat::choose(v.header, *v.tokenizer, notes).answerForms(talk, options, prompt);
        };
        const auto tags = [](const AnswerForms& given) { return given.calls.has(CallForm::HermesJson); };
        const auto bare = [](const AnswerForms& given) { return given.calls.has(CallForm::BareJson); };
        QVERIFY(!tags(forms("x", {}, "assistant\n")));
        QVERIFY(forms("x", {}, "assistant\n<think>\n").startsInThought);
        QVERIFY(forms("x", {}, "<seed:think>\n").startsInThought);
        QVERIFY(!forms("x", {}, "<think></think>\n").startsInThought);
        QVERIFY(tags(forms("x", {.tools = "[]"}, "")));
        QVERIFY(tags(forms("x", {.xmlTools = "[]"}, "")));
        const AnswerForms python = forms("x", {.pythonTools = "[]"}, "");
        QVERIFY(tags(python) && python.calls.has(CallForm::PythonCode) && !bare(python));
        QVERIFY(bare(forms("{# ipython #}x", {.tools = "[]"}, "")));
        QVERIFY(!bare(forms("{# ipython #}x", {}, "")));
        const auto programs = [&](const char* source, const PromptOptions& options) {
            return forms(source, options, "").calls.has(CallForm::PythonTag);
        };
        const std::string interpreter = R"({"builtin_tools": ["brave_search", "code_interpreter"]})";
        QVERIFY(!programs("{# ipython #}x", {.tools = "[]"}));
        QVERIFY(programs("{# ipython #}x", {.pythonTools = "[]"}));
        QVERIFY(programs("{# ipython #}x", {.variables = interpreter}));
        QVERIFY(!programs("{# ipython #}x", {.variables = R"({"builtin_tools": ["brave_search"]})"}));
        QVERIFY(!programs("x", {.pythonTools = "[]", .variables = interpreter}));
        QVERIFY(!forms("x", {.tools = "[]"}, "").calls.has(CallForm::GptOssChannels)); // this vocabulary has none
        const std::vector<Message> called{{Role::Assistant, {{.kind = PartKind::ToolCall, .call = {"f", "{}", ""}}}}};
        const AnswerForms again = forms("x", {}, "", called);
        QVERIFY(tags(again) && again.tools->has("f") && !again.tools->has("g"));
        QVERIFY(!forms("x", {.tools = "[{\"name\": \"g\"}]"}, "", called).tools->has("f")); // it is offered no more
        QVERIFY(!tags(forms("x", {}, "", {Message::text(Role::Assistant, "<tool_call>{}</tool_call>")})));
    }

    /// A template that knows python_tools alone gets the tools under that name, and answers are read in Python's form.
    /// One that knows another form prefers that, as SmolLM3's does.
    void pythonIsTheFormOfTemplatesWithoutAnother_data() {
        QTest::addColumn<QString>("others");
        QTest::addColumn<bool>("python");
        QTest::newRow("python_tools alone") << "" << true;
        QTest::newRow("and tools") << "{% if tools %}{{ tools | tojson }}{% endif %}" << false;
        QTest::newRow("and xml_tools") << "{% if xml_tools %}{{ xml_tools | tojson }}{% endif %}" << false;
    }
    void pythonIsTheFormOfTemplatesWithoutAnother() {
        QFETCH(const QString, others);
        QFETCH(const bool, python);
        TinyModelOptions model;
        model.chatTemplate = others.toStdString() + "{% if python_tools %}code: {{ python_tools | tojson }}{% endif %}"
                                                    "{% for m in messages %}{{ m.content }}{% endfor %}";
        const Vocabulary v(model);
        std::vector<Sentence> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        const std::string tools = R"([{"type": "function", "function": {"name": "add", "parameters": {}}}])";
        const PromptOptions options{.tools = tools, .xmlTools = tools};
        QVERIFY(format.showsTools(options));
        const Result<PromptText> prompt = format.render(kTalk, options);
        QVERIFY(prompt.ok() && prompt->text.find("\"add\"") != std::string::npos);
        QCOMPARE(prompt->text.find("code: ") != std::string::npos, python);
        QCOMPARE(format.answerForms(kTalk, options, "").calls.has(CallForm::PythonCode), python);
        QVERIFY(!format.answerForms(kTalk, {}, "").calls.has(CallForm::PythonCode));
    }

    void offeredToolsAreKnownToTheParser() {
        TinyModelOptions model;
        model.chatTemplate = "x{{ messages[0].content }}";
        const Vocabulary v(model);
        std::vector<Sentence> notes;
        const PromptOptions options{
            .tools = R"([{"type": "function", "function": {"name": "post", "parameters": {"type": "object",
                          "properties": {"code": {"type": "string"}}}}}, {"name": "flat"}])",
            .xmlTools = R"([{"name": "old"}])"};
        const AnswerForms forms = PromptFormat::choose(v.header, *v.tokenizer, notes).answerForms(kTalk, options, "");
        QVERIFY(forms.tools->has("post") && forms.tools->has("flat") && forms.tools->has("old"));
        QVERIFY(!forms.tools->has("other"));
        QCOMPARE(forms.tools->typed("post", "code", "007"), JsonText::string("007"));
    }

    void markersOfThoughtsThatTheTemplateNames() {
        const auto thoughts = [](const char* source) {
            TinyModelOptions model;
            model.chatTemplate = std::string(source) + "{{ messages[0].content }}";
            const Vocabulary v(model);
            std::vector<Sentence> notes;
            return PromptFormat::choose(v.header, *v.tokenizer, notes).answerForms(kTalk, {}, "").thoughts;
        };
        QCOMPARE(thoughts("x"), FormSet<ThoughtForm>{ThoughtForm::Think});
        QVERIFY(thoughts("{# <seed:think> #}x").has(ThoughtForm::SeedThink));
        QVERIFY(thoughts("{# [THINK] #}x").has(ThoughtForm::BracketThink));
        QVERIFY(thoughts("{# <|channel>thought #}x").has(ThoughtForm::GemmaChannel));
    }

    void brokenTextIsMendedForTemplates() {
        const Vocabulary v(TinyModelOptions{});
        std::vector<Sentence> notes;
        const std::vector<Message> talk{Message::text(Role::User, "a\xFF"
                                                                  "b")};
        const Result<PromptText> prompt = PromptFormat::choose(v.header, *v.tokenizer, notes).render(talk, {});
        QVERIFY(prompt.ok());
        QVERIFY(prompt->text.find("a\xEF\xBF\xBD"
                                  "b") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPromptFormat)
#include "tst_prompt_format.moc"
