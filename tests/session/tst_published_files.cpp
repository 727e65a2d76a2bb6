// SPDX-License-Identifier: Apache-2.0
// Tests that a family which runs is known as its published files are: each architecture of the decoder's table has an
// entry, whose rules exist, which agrees with published templates if the reference data are there, and by which the
// answers of a file are known whose template says nothing.
#include "model/model_shape.h"
#include "prompt/calls/call_reader.h"
#include "prompt/pretokenizer.h"
#include "prompt/published_files.h"
#include "session/prompt_format.h"
#include "session/template_prompt.h"
#include "support/gguf_writer.h"
#include "support/reference.h"

#include <QFile>
#include <QtTest>

#include <set>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Words that stand in every template whose models call tools in this form.
const char* wordsOf(CallForm form) {
    switch (form) {
    case CallForm::HermesJson:
        return "<tool_call>";
    case CallForm::FunctionTags:
        return "<function=";
    case CallForm::ArgumentTags:
        return "<arg_key>";
    case CallForm::PythonCode:
        return "python_tools";
    case CallForm::BareJson:
        return "\"parameters\": ";
    case CallForm::MistralCalls:
        return "[TOOL_CALLS]";
    case CallForm::DeepSeekCalls:
        return "```json";
    case CallForm::GptOssChannels:
        return "<|channel|>commentary";
    case CallForm::PythonList:
        return "<|tool_list_start|>"; // the template leaves the calls themselves to the message
    case CallForm::GemmaCalls:
        return "<|tool_call>call:";
    case CallForm::SeedTags:
    case CallForm::InvokeTags:
    case CallForm::GraniteJson:
    case CallForm::PythonTag: // only where Python is offered
        break;                // no architecture of the table has them
    }
    return "";
}

/// "<|tool calls begin|>" as DeepSeek writes it: with U+FF5C and U+2581.
std::string deepSeek(std::string words) {
    for (size_t at = 0; (at = words.find(' ', at)) != words.npos;) words.replace(at, 1, "\xe2\x96\x81");
    return "<\xef\xbd\x9c" + words + "\xef\xbd\x9c>";
}

/// A call of get_time, in the form of a family that runs.
std::string callIn(CallForm form) {
    const std::string arguments = R"({"zone":"UTC"})", json = R"({"name":"get_time","arguments":{"zone":"UTC"}})";
    switch (form) {
    case CallForm::HermesJson:
        return "<tool_call>\n" + json + "\n</tool_call>";
    case CallForm::FunctionTags:
        return "<tool_call>\n<function=get_time>\n<parameter=zone>\nUTC\n</parameter>\n</function>\n</tool_call>";
    case CallForm::ArgumentTags:
        return "<tool_call>get_time\n<arg_key>zone</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>";
    case CallForm::MistralCalls:
        return "[TOOL_CALLS][" + json + "]";
    case CallForm::DeepSeekCalls:
        return deepSeek("tool calls begin") + deepSeek("tool call begin") + "function" + deepSeek("tool sep") +
               "get_time\n```json\n" + arguments + "\n```" + deepSeek("tool call end") + deepSeek("tool calls end");
    case CallForm::BareJson:
        return R"({"name": "get_time", "parameters": {"zone":"UTC"}})";
    case CallForm::PythonList:
        return "<|tool_call_start|>[get_time(zone=\"UTC\")]<|tool_call_end|>";
    case CallForm::GemmaCalls:
        return "<|tool_call>call:get_time{zone:<|\"|>UTC<|\"|>}<tool_call|>";
    case CallForm::GptOssChannels:
        return "<|channel|>commentary to=functions.get_time<|message|>" + arguments + "<|call|>";
    default:
        return {};
    }
}

constexpr size_t kCallForms = static_cast<size_t>(CallForm::GptOssChannels) + 1;
const char* const kChannelWords[] = {"<|channel|>", "<|message|>"};

/// A template that says nothing about calls and thoughts, or none.
struct Silent {
    const char* name;
    std::optional<std::string> source; ///< nothing: the file has no template
    Turns turns;
};
const Silent kSilent[] = {{"no template", std::nullopt, Turns::Plain},
                          {"an empty one", "", Turns::Plain},
                          {"a word", "vicuna", Turns::Plain},
                          {"ChatML's name", "chatml", Turns::ChatMl},
                          {"ChatML",
                           "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}",
                           Turns::Template}};

/// The header and the vocabulary of a file: bytes, and `words` as control tokens.
struct SilentFile {
    SilentFile(std::string_view architecture, const Silent& silent, const std::vector<std::string>& words) {
        std::vector<std::string> texts{"\xc4\x8a", "\xc4\xa0"}; // how byte-level vocabularies write "\n" and " "
        for (char c = '!'; c <= '~'; ++c) texts.emplace_back(1, c);
        std::vector<int32_t> kinds(texts.size(), 1);
        texts.insert(texts.end(), words.begin(), words.end());
        kinds.resize(texts.size(), 3);
        GgufWriter w;
        w.string("general.architecture", architecture).string("tokenizer.ggml.model", "gpt2");
        w.string("tokenizer.ggml.pre", "default").strings("tokenizer.ggml.tokens", texts);
        w.i32s("tokenizer.ggml.token_type", kinds).strings("tokenizer.ggml.merges", {});
        if (silent.source) w.string("tokenizer.chat_template", *silent.source);
        const std::string file = w.bytes();
        const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
        if (!header) qFatal("%s", header.error().line().c_str());
        const auto tokenizer = Tokenizer::create(*header);
        if (!tokenizer) qFatal("%s", tokenizer.error().line().c_str());
        format = PromptFormat::choose(*header, **tokenizer, notes);
        if (format.turns() != silent.turns) qFatal("%s: other turns", silent.name);
    }
    std::vector<Part> heard(const std::string& answer, const char* tools = R"([{"name": "get_time"}])") const {
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        AnswerParser parser(format.answerForms(talk, {.tools = tools}, format.render(talk, {})->text));
        std::vector<Part> parts;
        for (const AnswerEvent& event : parser.push(answer)) addTo(parts, event);
        for (const AnswerEvent& event : parser.finish()) addTo(parts, event);
        return parts;
    }

    std::vector<Sentence> notes;
    PromptFormat format;
};

/// The control tokens without which a call in this form can't be known.
std::vector<std::string> tokensOf(CallForm form) {
    if (form == CallForm::GptOssChannels) return {std::begin(kChannelWords), std::end(kChannelWords)};
    std::vector<std::string> words;
    for (const CallMarker& marker : callMarkers())
        if (marker.forms.has(form)) words.emplace_back(marker.open);
    return words;
}

bool isCall(const std::vector<Part>& parts) {
    return parts.size() == 1 && parts.front().kind == PartKind::ToolCall && parts.front().call.name == "get_time" &&
           parts.front().call.arguments == R"({"zone":"UTC"})";
}
bool isText(const std::vector<Part>& parts, const std::string& text) {
    return parts.size() == 1 && parts.front() == Part{.text = text};
}

} // namespace

class TestPublishedFiles : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyArchitectureHasItsHabits() {
        for (const Architecture* architecture : architectures())
            QVERIFY2(findPublishedFiles(architecture->name) != nullptr, architecture->name);
        std::set<std::string_view> names;
        for (const PublishedFiles& entry : publishedFiles()) {
            const std::string name(entry.architecture);
            QVERIFY2(names.insert(entry.architecture).second, name.c_str());
            const PublishedFiles* files = findPublishedFiles(name);
            QCOMPARE(files, &entry);
            QVERIFY2(!files->splitRules.empty() && !files->endTokens.empty(), name.c_str());
            for (const std::string_view rule : files->splitRules)
                QVERIFY2(findPretokenizer(rule) != nullptr, (name + ": " + std::string(rule)).c_str());
            for (const std::string_view token : files->endTokens) QVERIFY2(!token.empty(), name.c_str());
            // These were published without thoughts, and gpt-oss has them in channels.
            const std::set<std::string> speak{"smallthinker", "qwen2moe", "olmoe", "gpt-oss", "gemma2", "gemma3"};
            QVERIFY2((files->thoughtForms == FormSet<ThoughtForm>{}) == speak.contains(name), name.c_str());
            // The templates of these were published without a place for tools.
            const bool callsTools = name != "qwen2moe" && name != "olmoe" && name != "gemma2" && name != "gemma3";
            QCOMPARE(files->callForms != FormSet<CallForm>{}, callsTools);
        }
        QVERIFY(findPublishedFiles("unheard-of") == nullptr);
        QVERIFY(findPublishedFiles("") == nullptr);
    }

    /// Each template stands for the published files of one architecture.
    void templatesHaveTheHabits_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<int>("form"); // -1: the template says nothing about calls
        const auto row = [](const char* name, const char* architecture, std::optional<CallForm> form) {
            QTest::newRow(name) << architecture << (form ? static_cast<int>(*form) : -1);
        };
        row("GLM-4.6", "glm4moe", CallForm::ArgumentTags);
        row("Qwen-QwQ-32B", "qwen2", CallForm::HermesJson);
        row("Qwen-Qwen2.5-7B-Instruct", "qwen2", CallForm::HermesJson);
        row("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "qwen2", CallForm::DeepSeekCalls);
        row("Qwen-Qwen3-0.6B", "qwen3", CallForm::HermesJson);
        row("Qwen3-Coder", "qwen3moe", CallForm::FunctionTags);
        row("LFM2-8B-A1B", "lfm2moe", CallForm::PythonList);
        row("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "llama", CallForm::HermesJson);
        row("meta-llama-Llama-3.1-8B-Instruct", "llama", CallForm::BareJson);
        row("meta-llama-Llama-3.2-3B-Instruct", "llama", CallForm::BareJson);
        row("mistralai-Mistral-Nemo-Instruct-2407", "llama", CallForm::MistralCalls);
        row("openai-gpt-oss-120b", "gpt-oss", CallForm::GptOssChannels);
        row("HuggingFaceTB-SmolLM3-3B", "smollm3", std::nullopt); // a copy without the published one's tools
        row("google-gemma-2-2b-it", "gemma2", std::nullopt);
    }
    void templatesHaveTheHabits() {
        QFETCH(QString, architecture);
        QFETCH(int, form);
        const PublishedFiles* files = findPublishedFiles(architecture.toStdString());
        QVERIFY(files != nullptr);
        const auto wanted = static_cast<CallForm>(form);
        QVERIFY(form < 0 || files->callForms.has(wanted));
        QFile file(referenceFolder() + "/templates/" + QTest::currentDataTag() + ".jinja");
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the reference templates are not there");
        const std::string source = file.readAll().toStdString();
        const Result<TemplatePrompt> made = TemplatePrompt::probe(source, {});
        QVERIFY(made.ok());
        QVERIFY(form < 0 ? !made->abilities().tools : made->knows(wordsOf(wanted)));
        QCOMPARE(made->abilities().system, architecture != "gemma2"); // which refuses a system message
        if (made->knows("</think>")) QVERIFY(files->thoughtForms.has(ThoughtForm::Think));
    }

    /// A file whose template was lost or replaced still calls tools as its family does.
    void callsOfAFamilyAreHeardWhereNoTemplateSaysHow() {
        size_t heard = 0;
        for (const PublishedFiles& files : publishedFiles())
            for (size_t i = 0; i < kCallForms; ++i) {
                const CallForm form = static_cast<CallForm>(i);
                if (!files.callForms.has(form)) continue;
                const std::string call = callIn(form);
                for (const Silent& silent : kSilent) {
                    const std::string why = std::string(files.architecture) + ", " + silent.name + ": " + call;
                    const SilentFile file(files.architecture, silent, tokensOf(form));
                    QVERIFY2(isCall(file.heard(call)), why.c_str());
                    if (form == CallForm::GptOssChannels)
                        continue; // its words are a message to a tool, and the header is no text
                    QVERIFY2(isText(file.heard(call, ""), call), why.c_str());
                    QVERIFY2(isText(file.heard(call, R"([{"name": "other"}])"), call), why.c_str());
                    // Without the markers' tokens the text is ordinary, except behind markers that no text has.
                    const SilentFile bare(files.architecture, silent, {});
                    const bool marked = silent.turns != Turns::Plain && kMarkedCalls.has(form);
                    QVERIFY2(marked ? isCall(bare.heard(call)) : isText(bare.heard(call), call), why.c_str());
                }
                ++heard;
            }
        QVERIFY(heard >= 20);
    }

    /// A form of another family is none, even if the vocabulary has its markers.
    void formsOfOtherFamiliesAreText() {
        const std::string bare = callIn(CallForm::BareJson), hermes = callIn(CallForm::HermesJson);
        for (const Silent& silent : kSilent) {
            QVERIFY2(isText(SilentFile("qwen3", silent, tokensOf(CallForm::BareJson)).heard(bare), bare), silent.name);
            if (silent.turns != Turns::Plain) continue;
            QVERIFY2(isText(SilentFile("olmoe", silent, tokensOf(CallForm::HermesJson)).heard(hermes), hermes),
                     silent.name);
        }
    }

    void thoughtsOfAFamilyAreHeardWhereNoTemplateSaysHow() {
        for (const PublishedFiles& files : publishedFiles())
            for (const ThoughtMarkers& marker : thoughtMarkers()) {
                const bool has = files.thoughtForms.has(marker.form);
                const std::string begin(marker.begin), answer = begin + "hm" + std::string(marker.end) + "Hello";
                const std::vector<Part> parts{{.kind = PartKind::Thought, .text = "hm"}, {.text = "Hello"}};
                for (const Silent& silent : kSilent) {
                    const std::string why = std::string(files.architecture) + ", " + silent.name + ": " + answer;
                    // <think> is known in any family's turns.
                    const bool always = marker.form == ThoughtForm::Think && silent.turns != Turns::Plain;
                    const SilentFile file(files.architecture, silent, {std::string(marker.token())}),
                        bare(files.architecture, silent, {});
                    QVERIFY2(has || always ? file.heard(answer) == parts : isText(file.heard(answer), answer),
                             why.c_str());
                    QVERIFY2(always ? bare.heard(answer) == parts : isText(bare.heard(answer), answer), why.c_str());
                }
            }
    }

    /// The channels of gpt-oss hold thoughts, also where no tools are offered.
    void channelsOfAFamilyAreHeardWhereNoTemplateNamesThem() {
        const std::string answer =
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hello";
        const std::vector<Part> parts{{.kind = PartKind::Thought, .text = "hm"}, {.text = "Hello"}};
        for (const Silent& silent : kSilent) {
            const SilentFile file("gpt-oss", silent, tokensOf(CallForm::GptOssChannels));
            QVERIFY2(file.heard(answer, "") == parts, silent.name);
            QVERIFY2(isText(file.heard("Use <|channel|>final to answer.", ""), "Use <|channel|>final to answer."),
                     silent.name);
        }
    }

    /// Ordinary text stays what it is, although the vocabulary has the markers of the family's forms and a tool is
    /// offered.
    void ordinaryTextIsNoCall_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("JSON about a person") << R"({"name": "Ada", "parameters": {"born": 1815}})";
        QTest::newRow("a tool's name alone") << R"({"name": "get_time"})";
        QTest::newRow("arguments that are none") << R"({"name": "get_time", "parameters": "UTC"})";
        QTest::newRow("words before it") << R"(Write {"name": "get_time", "parameters": {"zone": "UTC"}} to ask.)";
        QTest::newRow("words behind it") << R"({"name": "get_time", "parameters": {"zone": "UTC"}} is how to ask.)";
        QTest::newRow("in a fence") << "```json\n{\"name\": \"get_time\", \"parameters\": {}}\n```";
        QTest::newRow("HTML") << "<p><code>get_time(zone='UTC')</code> returns the time.</p>";
        QTest::newRow("a marker in a sentence") << "Mistral writes [TOOL_CALLS] first, and [THINK] before a thought.";
        QTest::newRow("a list") << "[1, 2]";
        QTest::newRow("white space at its ends") << " \n so\n";
    }
    void ordinaryTextIsNoCall() {
        QFETCH(QString, text);
        std::vector<std::string> words;
        for (const CallMarker& marker : callMarkers()) words.emplace_back(marker.open);
        for (const ThoughtMarkers& marker : thoughtMarkers()) words.emplace_back(marker.token());
        words.insert(words.end(), std::begin(kChannelWords), std::end(kChannelWords));
        for (const PublishedFiles& files : publishedFiles())
            for (const Silent& silent : kSilent) {
                const std::string why = std::string(files.architecture) + ", " + silent.name;
                const SilentFile file(files.architecture, silent, words);
                QVERIFY2(isText(file.heard(text.toStdString()), text.toStdString()), why.c_str());
            }
    }
};

QTEST_APPLESS_MAIN(TestPublishedFiles)
#include "tst_published_files.moc"
