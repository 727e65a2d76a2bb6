// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: metadata and a chat template from the same bytes, through the vocabulary, the probe of the template
// and the choice of the prompt's form, up to the tokens of the first prompts.
//
//   u8 switches | 4 x (u8 type, u32 value) -> ids of bos, eos, eot, eom | u8 n, n bytes -> the question | u8 m -> the
//   template for tools has m parts of 256 of the rest | the templates
//
// The rules that it holds the session to: optional metadata close no file, a prompt that is made holds the question,
// and the same bytes give the same prompt.
#include "session/prompt_format.h"
#include "support/gguf_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <span>
#include <string>
#include <vector>

using namespace coterie::engine;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

/// Takes bytes from the front; zeros once there are none.
struct Input {
    std::string_view rest;

    std::string_view bytes(size_t count) {
        const std::string_view taken = rest.substr(0, count);
        rest.remove_prefix(taken.size());
        return taken;
    }
    uint8_t byte() {
        const std::string_view one = bytes(1);
        return one.empty() ? uint8_t(0) : static_cast<uint8_t>(one[0]);
    }
    uint32_t number() {
        uint32_t value = 0;
        for (int i = 0; i < 4; ++i) value = value << 8 | byte();
        return value;
    }
};

void writeId(Input& input, const char* key, coterie::test::GgufWriter& writer) {
    const uint8_t type = input.byte();
    const uint32_t value = input.number();
    switch (type % 6) {
    case 0:
        return;
    case 1:
        writer.u32(key, value);
        return;
    case 2:
        writer.i32(key, static_cast<int32_t>(value));
        return;
    case 3:
        writer.string(key, std::to_string(value));
        return;
    case 4:
        writer.f32(key, static_cast<float>(value));
        return;
    default:
        writer.u64(key, uint64_t{value} << 16 | value);
    }
}

/// Vocabularies of printable ASCII, spaces and line ends, with the control tokens of some families.
std::string makeFile(Input& input, uint8_t switches, std::string& question) {
    std::vector<std::string> tokens, merges;
    std::vector<int32_t> kinds;
    for (char c = '!'; c <= '~'; ++c) tokens.emplace_back(1, c);
    tokens.insert(tokens.end(), {"\xc4\xa0", "\xc4\x8a"});
    kinds.assign(tokens.size(), 1);
    for (const char* text : {"<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|user|>", "<|channel|>", "<|message|>",
                             "<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool_call>"}) {
        if ((switches & 1) != 0 && text[2] == 'i') continue;
        tokens.emplace_back(text);
        kinds.push_back((switches & 2) != 0 ? 1 : 3);
    }
    constexpr const char* architectures[] = {"llama",  "glm4moe", "gpt-oss", "none",
                                             "gemma4", "qwen35",  "lfm2moe", "qwen3vl"};
    coterie::test::GgufWriter w;
    w.string("general.architecture", architectures[(switches >> 2 & 3) + (switches >> 7) * 4]);
    w.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", "glm4");
    w.strings("tokenizer.ggml.tokens", tokens).strings("tokenizer.ggml.merges", merges);
    if ((switches & 16) == 0) w.i32s("tokenizer.ggml.token_type", kinds);
    if ((switches & 32) != 0) w.boolean("tokenizer.ggml.add_bos_token", true);
    for (const char* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                            "tokenizer.ggml.eom_token_id"})
        writeId(input, key, w);
    question = std::string(input.bytes(input.byte()));
    const size_t forTools = input.byte() * input.rest.size() / 256;
    if (forTools > 0) w.string("tokenizer.chat_template.tool_use", input.bytes(forTools));
    if ((switches & 64) == 0) w.string("tokenizer.chat_template", input.rest);
    return w.bytes();
}

void use(const PromptFormat& format, const Tokenizer& tokenizer, const std::vector<Message>& talk,
         const PromptOptions& options) {
    const Result<PromptText> prompt = format.render(talk, options), again = format.render(talk, options);
    require(prompt.ok() == again.ok());
    if (!prompt) return require(!prompt.error().what.empty() && !prompt.error().why.empty());
    require(prompt->text == again->text && prompt->own == again->own);
    for (const TokenId token : tokenizer.encode(*prompt)) require(token >= 0 && token < tokenizer.vocabularySize());
    (void)format.answerForms(talk, options, prompt->text);
    const std::string question = joinedText(talk.back().parts);
    const bool word = !question.empty() && question.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == question.npos;
    require(!word || prompt->text.find(question) != std::string::npos);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr TemplateLimits kLimits{.steps = 20'000, .outputBytes = 1 << 18};
    Input input{{reinterpret_cast<const char*>(data), size}};
    std::string question;
    const std::string file = makeFile(input, input.byte(), question);
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return 0;
    const auto tokenizer = Tokenizer::create(*header);
    require(tokenizer.ok());
    std::vector<Sentence> notes;
    const PromptFormat format = PromptFormat::choose(*header, **tokenizer, notes, kLimits);
    for (const Sentence& note : notes) require(!note.english().empty());

    std::vector<Message> talk{Message::text(Role::User, question)};
    const PromptOptions plain{.now = std::tm{}};
    const PromptOptions tools{.tools = R"([{"type": "function", "function": {"name": "f"}}])", .now = std::tm{}};
    use(format, **tokenizer, talk, plain);
    use(format, **tokenizer, talk, tools);
    talk.insert(talk.begin(), {Message::text(Role::System, "Be brief."), Message::text(Role::User, "Hi"),
                               Message::text(Role::Assistant, "Hello")});
    use(format, **tokenizer, talk, plain);
    use(format, **tokenizer, talk, tools);
    return 0;
}
