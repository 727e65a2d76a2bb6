// SPDX-License-Identifier: Apache-2.0
// A conversation with a tool in the forms of families, over tokenizers as their files have them: thinking switched on
// and off, an answer with a thought and a call, token by token, and the next prompt, which begins with the tokens of
// the first one and of the answer. The templates are the test's own, in the form of each family's.
#include "prompt/answer_parser.h"
#include "session/prompt_format.h"
#include "support/gguf_writer.h"

#include <QtTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

struct Family {
    std::string name, architecture, rule;
    std::vector<std::string> markers; ///< control tokens; the first one ends an answer
    std::string source;               ///< the chat template
    /// An answer's thought and call, as the model writes them. No thought: the template leaves it out of the next
    /// prompt, or the model has none.
    std::string thought, call;
    std::string onEnd, offEnd; ///< the ends of prompts with thinking on and off
    std::string result;        ///< the tool's result, as the next prompt has it
    bool python = false;       ///< the tools are offered as python_tools
};

const char* const kQwen35 =
    "{% if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<function=...>"
    "<|im_end|>\n{% endif %}"
    "{% for m in messages %}"
    "{% if m.role == 'assistant' %}<|im_start|>assistant\n"
    "<think>\n{{ m.reasoning_content | default('') | trim }}\n</think>\n\n{{ m.content }}"
    "{% for c in m.tool_calls %}{{ '\n\n' if m.content }}<tool_call>\n<function={{ c.function.name }}>\n"
    "{% for key, value in c.function.arguments | items %}<parameter={{ key }}>\n"
    "{{ value if value is string else value | tojson }}\n</parameter>\n{% endfor %}</function>\n</tool_call>"
    "{% endfor %}<|im_end|>\n"
    "{% elif m.role == 'tool' %}<|im_start|>user\n<tool_response>\n{{ m.content }}\n</tool_response><|im_end|>\n"
    "{% else %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n"
    "{% else %}<think>\n{% endif %}{% endif %}";

const char* const kGemma4 =
    "{% macro written(value) %}{% if value is string %}<|\"|>{{ value }}<|\"|>{% elif value is boolean %}"
    "{{ 'true' if value else 'false' }}{% else %}{{ value }}{% endif %}{% endmacro %}{{ bos_token }}"
    "{% if enable_thinking or tools %}<|turn>system\n{{ '<|think|>' if enable_thinking }}"
    "{% for tool in tools %}<|tool>declaration:{{ (tool.function | default(tool)).name }}<tool|>{% endfor "
    "%}<turn|>\n{% endif %}"
    "{% set ns = namespace(answered=false) %}"
    "{% for m in messages %}{% set ns.answered = false %}<|turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
    "{% if m.tool_calls and m.reasoning_content %}<|channel>thought\n{{ m.reasoning_content }}<channel|>{% endif %}"
    "{{ m.content }}"
    "{% for c in m.tool_calls %}<|tool_call>call:{{ c.function.name }}{{ '{' }}"
    "{% for key, value in c.function.arguments | dictsort %}{{ key }}:{{ written(value) }}"
    "{{ ',' if not loop.last }}{% endfor %}}<tool_call|>{% endfor %}"
    "{% for r in m.tool_responses %}{% set ns.answered = true %}<|tool_response>response:{{ r.name }}"
    "{value:{{ written(r.response) }}}<tool_response|>{% endfor %}"
    "{% if not ns.answered %}<turn|>\n{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{% if not ns.answered %}<|turn>model\n{% endif %}"
    "{% if not enable_thinking %}<|channel>thought\n<channel|>{% endif %}{% endif %}";

const char* const kLfm2 =
    "{{ bos_token }}{% if tools %}<|im_start|>system\nList of tools: <|tool_list_start|>{{ tools | tojson }}"
    "<|tool_list_end|><|im_end|>\n{% endif %}"
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.thinking %}<think>{{ m.thinking }}</think>{% endif %}"
    "{% if m.role == 'tool' %}<|tool_response_start|>{{ m.content }}<|tool_response_end|>{% else %}"
    "{{ m.content }}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

const char* const kGlm =
    "[gMASK]<sop>{% if tools %}<|system|>\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<arg_key>"
    "{% endif %}"
    "{% for m in messages %}"
    "{% if m.role == 'user' %}<|user|>\n{{ m.content }}"
    "{{ '/nothink' if enable_thinking is defined and not enable_thinking }}"
    "{% elif m.role == 'assistant' %}<|assistant|>\n<think>{{ m.reasoning_content | default('') }}</think>"
    "{{ '\n' + m.content if m.content }}{% for c in m.tool_calls %}{{ '\n' }}<tool_call>{{ c.function.name }}\n"
    "{% for key, value in c.function.arguments | items %}<arg_key>{{ key }}</arg_key>\n<arg_value>"
    "{{ value if value is string else value | tojson }}</arg_value>\n{% endfor %}</tool_call>{% endfor %}"
    "{% elif m.role == 'tool' %}<|observation|>\n<tool_response>\n{{ m.content }}\n</tool_response>{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>"
    "{{ '\n<think></think>' if enable_thinking is defined and not enable_thinking }}{% endif %}";

const char* const kQwen3 =
    "{% if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<tool_call>"
    "<|im_end|>\n{% endif %}"
    "{% for m in messages %}"
    "{% if m.role == 'assistant' %}<|im_start|>assistant\n"
    "{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}"
    "{% for c in m.tool_calls %}{{ '\n' if m.content or not loop.first }}<tool_call>\n"
    "{{ '{' }}\"name\": \"{{ c.function.name }}\", \"arguments\": {{ c.function.arguments | tojson }}{{ '}' }}\n"
    "</tool_call>{% endfor %}<|im_end|>\n"
    "{% elif m.role == 'tool' %}<|im_start|>user\n<tool_response>\n{{ m.content }}\n</tool_response><|im_end|>\n"
    "{% else %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{{ '<think>\n\n</think>\n\n' if enable_thinking is defined and not enable_thinking }}{% endif %}";

/// It reads no calls and no thoughts: an answer is its content, with the words of its calls.
const char* const kSmolLm3 =
    "{% set mode = '/think' if enable_thinking is not defined or enable_thinking else '/no_think' %}"
    "{% set quiet = '<think>\n\n</think>\n' if mode == '/no_think' else '' %}"
    "<|im_start|>system\nReasoning Mode: {{ mode }}\n"
    "{% if messages[0].role == 'system' %}{{ messages[0].content }}\n{% endif %}"
    "{% if xml_tools %}Write <tool_call>:\n{{ xml_tools | tojson }}\n{% endif %}"
    "{% if python_tools %}Write <code>:\n{{ python_tools | tojson }}\n{% endif %}<|im_end|>\n"
    "{% for m in messages %}"
    "{% if m.role == 'assistant' %}<|im_start|>assistant\n{{ quiet }}{{ m.content }}<|im_end|>\n"
    "{% elif m.role != 'system' %}<|im_start|>user\n{{ m.content }}<|im_end|>\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{{ quiet }}{% endif %}";

const char* const kLlama3 =
    "{{ bos_token }}"
    "{% for m in messages %}"
    "{% if m.tool_calls %}<|start_header_id|>assistant<|end_header_id|>\n\n{% for c in m.tool_calls %}"
    "{{ '{' }}\"name\": \"{{ c.function.name }}\", \"parameters\": {{ c.function.arguments | tojson }}{{ '}' }}"
    "{% endfor %}<|eot_id|>"
    "{% elif m.role == 'tool' %}<|start_header_id|>ipython<|end_header_id|>\n\n{{ m.content | tojson }}<|eot_id|>"
    "{% else %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{% if tools and loop.first %}{% for tool in tools %}{{ tool | tojson }}\n\n{% endfor %}{% endif %}"
    "{{ m.content | trim }}<|eot_id|>{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}";

const char* const kGptOss =
    "<|start|>system<|message|>Valid channels: analysis, commentary, final.<|end|>"
    "{% if tools %}<|start|>developer<|message|># Tools\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}"
    "<|end|>{% endif %}"
    "{% for m in messages %}"
    "{% if m.role == 'assistant' %}"
    "{% if m.thinking %}<|start|>assistant<|channel|>analysis<|message|>{{ m.thinking }}<|end|>{% endif %}"
    "{% if m.content %}<|start|>assistant<|channel|>{{ 'commentary' if m.tool_calls else 'final' }}<|message|>"
    "{{ m.content }}<|end|>{% endif %}"
    "{% for c in m.tool_calls %}<|start|>assistant to=functions.{{ c.function.name }}<|channel|>commentary json"
    "<|message|>{{ c.function.arguments | tojson }}<|call|>{% endfor %}"
    "{% elif m.role == 'tool' %}<|start|>functions.{{ m.name }} to=assistant<|channel|>commentary<|message|>"
    "{{ m.content | tojson }}<|end|>"
    "{% else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant{% endif %}";

const std::string kQuote = "<|\"|>";
/// Arguments of the call as JSON, and a call in the tags that Hermes, Qwen and SmolLM3 write.
const std::string kJson = "{\"word\": \"12\", \"count\": 3}",
                  kTaggedJson = "<tool_call>\n{\"name\": \"find\", \"arguments\": " + kJson + "}\n</tool_call>";
const std::vector<std::string> kTagMarkers{"<|im_end|>", "<|im_start|>", "<think>",
                                           "</think>",   "<tool_call>",  "</tool_call>"};

const Family kFamilies[] = {
    {.name = "Qwen 3.5",
     .architecture = "qwen35",
     .rule = "qwen35",
     .markers = {"<|im_end|>", "<|im_start|>"},
     .source = kQwen35,
     .thought = "I look.\n</think>\n\n",
     .call = "<tool_call>\n<function=find>\n<parameter=word>\n12\n</parameter>\n<parameter=count>\n3\n</parameter>\n"
             "</function>\n</tool_call>",
     .onEnd = "<|im_start|>assistant\n<think>\n",
     .offEnd = "<|im_start|>assistant\n<think>\n\n</think>\n\n",
     .result = "<|im_start|>user\n<tool_response>\na \"beech\"\n</tool_response><|im_end|>\n"},
    {.name = "Gemma 4",
     .architecture = "gemma4",
     .rule = "gemma4",
     .markers = {"<turn|>", "<|turn>", "<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<|tool_response>",
                 "<tool_response|>", "<|tool>", "<tool|>", "<|think|>", kQuote},
     .source = kGemma4,
     .thought = "<|channel>thought\nI look.<channel|>",
     .call = "<|tool_call>call:find{count:3,word:" + kQuote + "12" + kQuote + "}<tool_call|>",
     .onEnd = "<|turn>model\n",
     .offEnd = "<|turn>model\n<|channel>thought\n<channel|>",
     .result = "<|tool_response>response:find{value:" + kQuote + "a \"beech\"" + kQuote + "}<tool_response|>"},
    {.name = "LFM2",
     .architecture = "lfm2moe",
     .rule = "lfm2",
     .markers = {"<|im_end|>", "<|im_start|>", "<|tool_call_start|>", "<|tool_call_end|>", "<|tool_response_start|>",
                 "<|tool_response_end|>", "<|tool_list_start|>", "<|tool_list_end|>"},
     .source = kLfm2,
     .thought = "<think>I look.</think>",
     .call = "<|tool_call_start|>[find(word=\"12\", count=3)]<|tool_call_end|>",
     .onEnd = "<|im_start|>assistant\n",
     .offEnd = "<|im_start|>assistant\n",
     .result = "<|im_start|>tool\n<|tool_response_start|>a \"beech\"<|tool_response_end|><|im_end|>\n"},
    {.name = "GLM",
     .architecture = "glm4moe",
     .rule = "glm4",
     .markers = {"<|observation|>", "<|user|>", "<|assistant|>", "<|system|>", "[gMASK]", "<sop>", "<think>",
                 "</think>", "<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"},
     .source = kGlm,
     .thought = "\n<think>I look.</think>",
     .call = "\n<tool_call>find\n<arg_key>word</arg_key>\n<arg_value>12</arg_value>\n<arg_key>count</arg_key>\n"
             "<arg_value>3</arg_value>\n</tool_call>",
     .onEnd = "<|assistant|>",
     .offEnd = "<|assistant|>\n<think></think>",
     .result = "<|observation|>\n<tool_response>\na \"beech\"\n</tool_response>"},
    {.name = "Qwen 3",
     .architecture = "qwen3",
     .rule = "qwen2",
     .markers = kTagMarkers,
     .source = kQwen3,
     .thought = "<think>\nI look.\n</think>\n\n",
     .call = kTaggedJson,
     .onEnd = "<|im_start|>assistant\n",
     .offEnd = "<|im_start|>assistant\n<think>\n\n</think>\n\n",
     .result = "<|im_start|>user\n<tool_response>\na \"beech\"\n</tool_response><|im_end|>\n"},
    {.name = "SmolLM3",
     .architecture = "smollm3",
     .rule = "smaug-bpe",
     .markers = kTagMarkers,
     .source = kSmolLm3,
     .thought = "",
     .call = kTaggedJson,
     .onEnd = "<|im_start|>assistant\n",
     .offEnd = "<|im_start|>assistant\n<think>\n\n</think>\n",
     .result = "<|im_start|>user\na \"beech\"<|im_end|>\n"},
    {.name = "SmolLM3, Python",
     .architecture = "smollm3",
     .rule = "smaug-bpe",
     .markers = kTagMarkers,
     .source = kSmolLm3,
     .thought = "",
     .call = "<code>\nfind(word=\"12\", count=3)\n</code>",
     .onEnd = "<|im_start|>assistant\n",
     .offEnd = "<|im_start|>assistant\n<think>\n\n</think>\n",
     .result = "<|im_start|>user\na \"beech\"<|im_end|>\n",
     .python = true},
    {.name = "Llama 3",
     .architecture = "llama",
     .rule = "llama-bpe",
     .markers = {"<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|python_tag|>"},
     .source = kLlama3,
     .thought = "",
     .call = "{\"name\": \"find\", \"parameters\": " + kJson + "}",
     .onEnd = "<|start_header_id|>assistant<|end_header_id|>\n\n",
     .offEnd = "<|start_header_id|>assistant<|end_header_id|>\n\n",
     .result = "<|start_header_id|>ipython<|end_header_id|>\n\n\"a \\\"beech\\\"\"<|eot_id|>"},
    {.name = "gpt-oss",
     .architecture = "gpt-oss",
     .rule = "gpt-4o",
     .markers = {"<|return|>", "<|call|>", "<|start|>", "<|end|>", "<|channel|>", "<|message|>", "<|constrain|>"},
     .source = kGptOss,
     .thought = "<|channel|>analysis<|message|>I look.<|end|>",
     .call = "<|start|>assistant to=functions.find<|channel|>commentary json<|message|>" + kJson,
     .onEnd = "<|start|>assistant",
     .offEnd = "<|start|>assistant",
     .result = "<|start|>functions.find to=assistant<|channel|>commentary<|message|>\"a \\\"beech\\\"\"<|end|>"}};

const char* const kTools =
    R"([{"name": "find", "parameters": {"type": "object", "properties": {"word": {"type": "string"},)"
    R"( "count": {"type": "integer"}}}}])";

std::vector<std::string> byteTexts() {
    std::vector<std::string> texts;
    for (int byte = 0, hidden = 256; byte < 256; ++byte) {
        const bool shown = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
        texts.push_back(QString(QChar(shown ? byte : hidden++)).toStdString());
    }
    return texts;
}

std::string fileOf(const Family& family) {
    const bool characters = family.rule == "gemma4";
    std::vector<std::string> texts;
    std::vector<int32_t> kinds;
    if (characters) {
        for (int byte = 0; byte < 256; ++byte) texts.push_back(QString::asprintf("<0x%02X>", byte).toStdString());
        kinds.assign(texts.size(), 6);
        for (char c = '!'; c <= '~'; ++c) texts.emplace_back(1, c);
        texts.insert(texts.end(), {"\xe2\x96\x81", "\n", "th", "ou", "thou"});
    } else {
        texts = byteTexts();
    }
    kinds.resize(texts.size(), 1);
    const auto first = static_cast<uint32_t>(texts.size());
    texts.insert(texts.end(), family.markers.begin(), family.markers.end());
    texts.emplace_back("<bos>");
    kinds.resize(texts.size(), 3);
    GgufWriter w;
    w.string("general.architecture", family.architecture)
        .string("tokenizer.ggml.model", characters ? "gemma4" : "gpt2");
    if (!characters) w.string("tokenizer.ggml.pre", family.rule);
    w.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", kinds);
    w.strings("tokenizer.ggml.merges",
              characters ? std::vector<std::string>{"t h", "o u", "th ou"} : std::vector<std::string>{});
    w.u32("tokenizer.ggml.bos_token_id", static_cast<uint32_t>(texts.size() - 1));
    w.u32("tokenizer.ggml.eos_token_id", first).string("tokenizer.chat_template", family.source);
    return w.bytes();
}

/// A file's words and forms, and a conversation with its model.
class Chat {
  public:
    explicit Chat(const Family& family) : bytes_(fileOf(family)), python_(family.python) {
        const auto header = gguf::parse(std::as_bytes(std::span(bytes_)), bytes_.size());
        if (!header) qFatal("%s", header.error().line().c_str());
        auto made = Tokenizer::create(*header);
        if (!made) qFatal("%s", made.error().line().c_str());
        tokenizer = std::move(made).value();
        std::vector<Sentence> notes;
        format = PromptFormat::choose(*header, *tokenizer, notes);
        if (format.turns() != Turns::Template) qFatal("the template is not used");
    }

    PromptText prompt(const std::vector<Message>& talk, std::optional<bool> thinking = {}) const {
        const Result<PromptText> made = format.render(talk, options(thinking));
        if (!made) qFatal("%s", made.error().line().c_str());
        return *made;
    }
    /// The parts of an answer, which the parser gets token by token, as it does while a model writes.
    std::vector<Part> heard(const std::vector<TokenId>& answer, const std::vector<Message>& talk,
                            std::optional<bool> thinking) const {
        AnswerParser parser(format.answerForms(talk, options(thinking), prompt(talk, thinking).text));
        std::vector<Part> parts;
        for (const TokenId token : answer) {
            const std::string text = tokenizer->tokenText(token);
            const bool marker = tokenizer->isControl(token) && parser.wantsMarker(text);
            for (const AnswerEvent& event : parser.push(marker ? text : tokenizer->decode(token))) addTo(parts, event);
        }
        for (const AnswerEvent& event : parser.finish()) addTo(parts, event);
        return parts;
    }

    std::unique_ptr<Tokenizer> tokenizer;
    PromptFormat format;

  private:
    PromptOptions options(std::optional<bool> thinking) const {
        PromptOptions made{.thinking = thinking};
        (python_ ? made.pythonTools : made.tools) = kTools;
        return made;
    }

    std::string bytes_;
    bool python_;
};

const std::vector<Message> kTalk{Message::text(Role::User, "What is it?")};

std::string shown(const std::vector<Part>& parts) {
    std::string out;
    for (const Part& part : parts)
        out += std::to_string(static_cast<int>(part.kind)) + "[" + part.text + "|" + part.call.name +
               part.call.arguments + "]";
    return out;
}

} // namespace

class TestFamilyForms : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void thinkingAsTheTemplateKnowsIt_data() { families(); }
    void thinkingAsTheTemplateKnowsIt() {
        QFETCH(int, family);
        const Family& f = kFamilies[family];
        const Chat chat(f);
        QCOMPARE(chat.format.canThink(), f.onEnd != f.offEnd);
        const std::string on = chat.prompt(kTalk, true).text, off = chat.prompt(kTalk, false).text;
        QVERIFY2(on.ends_with(f.onEnd) && off.ends_with(f.offEnd), (on + "\n" + off).c_str());
        const std::string unset = chat.prompt(kTalk).text;
        QVERIFY(unset.ends_with(f.onEnd) || unset.ends_with(f.offEnd));
        // An answer without a thought is one, and so is one with an empty thought.
        const auto encoded = [&](const std::string& text) { return chat.tokenizer->encode(text, true); };
        const std::vector<Part> plain{{.text = "Four."}};
        QCOMPARE(chat.heard(encoded("Four."), kTalk, false), plain);
    }

    /// The model is given back the tokens that it wrote.
    void aThoughtAndACallGoBackToTheirTokens_data() { families(); }
    void aThoughtAndACallGoBackToTheirTokens() {
        QFETCH(int, family);
        const Family& f = kFamilies[family];
        const Chat chat(f);
        const bool thinks = !f.thought.empty();
        const std::vector<TokenId> before = chat.tokenizer->encode(chat.prompt(kTalk, thinks));
        const std::vector<TokenId> answer = chat.tokenizer->encode(f.thought + f.call, true);
        std::vector<Part> parts = chat.heard(answer, kTalk, thinks);
        const std::string why = shown(parts);
        QVERIFY2(parts.size() == (thinks ? 2U : 1U), why.c_str());
        QVERIFY2(!thinks || parts[0] == (Part{PartKind::Thought, "I look.", {}}), why.c_str());
        const Part& call = parts.back();
        const std::string wanted = f.name == "Gemma 4" ? R"({"count":3,"word":"12"})" : R"({"word":"12","count":3})";
        QVERIFY2(call.kind == PartKind::ToolCall && call.call.name == "find" && call.call.arguments == wanted,
                 why.c_str());

        std::vector<Message> talk = kTalk;
        talk.push_back({Role::Assistant, parts});
        talk.push_back(Message::toolResult("find", "a \"beech\""));
        const PromptText next = chat.prompt(talk, thinks);
        const std::vector<TokenId> after = chat.tokenizer->encode(next);
        std::vector<TokenId> given = before;
        given.insert(given.end(), answer.begin(), answer.end());
        QVERIFY2(after.size() > given.size() && std::equal(given.begin(), given.end(), after.begin()),
                 next.text.c_str());
        QVERIFY2(next.text.find(f.result) != std::string::npos, next.text.c_str());
    }

    /// The same words of a person are words: no token of them is a marker.
    void wordsOfAPersonAreNoMarkers_data() { families(); }
    void wordsOfAPersonAreNoMarkers() {
        QFETCH(int, family);
        const Family& f = kFamilies[family];
        const Chat chat(f);
        std::string said = "So: " + f.thought + f.call;
        for (const std::string& marker : f.markers) said += marker;
        const auto markers = [&](const std::string& words) {
            std::vector<TokenId> found;
            for (const TokenId token : chat.tokenizer->encode(chat.prompt({Message::text(Role::User, words)}, true)))
                if (chat.tokenizer->isControl(token)) found.push_back(token);
            return found;
        };
        QCOMPARE(markers(said), markers("So"));
    }

  private:
    static void families() {
        QTest::addColumn<int>("family");
        for (size_t i = 0; i < std::size(kFamilies); ++i)
            QTest::newRow(kFamilies[i].name.c_str()) << static_cast<int>(i);
    }
};

QTEST_APPLESS_MAIN(TestFamilyForms)
#include "tst_family_forms.moc"
