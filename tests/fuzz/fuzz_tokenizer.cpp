// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: a vocabulary and a text from the same bytes, through the GGUF reader, the tokenizer and back.
//
//   u8 switches | u8 n | n x (u8 kind and length | bytes)  -> tokens | u8 m | m x (u8 left, u8 right) -> merges | text
//
// The rules that it holds the tokenizer to: ids are tokens, plain text gives no control token, and nothing crashes.
#include "prompt/tokenizer.h"
#include "support/gguf_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <vector>

using namespace coterie::engine;

namespace {

/// Takes bytes from the front; zeros once there are none.
struct Input {
    std::string_view rest;

    uint8_t byte() {
        const std::string_view one = bytes(1);
        return one.empty() ? uint8_t(0) : static_cast<uint8_t>(one[0]);
    }
    std::string_view bytes(size_t count) {
        const std::string_view taken = rest.substr(0, count);
        rest.remove_prefix(taken.size());
        return taken;
    }
};

std::string makeFile(Input& input, uint8_t switches) {
    constexpr const char* pres[] = {"default",        "gpt-2",   "smollm",    "llama-bpe", "qwen2",      "gpt-4o",
                                    "deepseek-coder", "no-such", "tekken",    "dbrx",      "seed-coder", "deepseek-v3",
                                    "falcon3",        "olmo",    "starcoder", "smaug-bpe", "qwen35",     "lfm2",
                                    "deepseek-llm",   "falcon",  "viking",    "glm4",      "gemma4",     "solar-open"};
    const size_t pre = (switches >> 1 & 7) + (switches >> 5 & 1) * 8 + (switches >> 6 & 1) * 16;
    const bool gemma = (switches & 128) != 0; // its files name no rule
    std::vector<std::string> texts;
    std::vector<int32_t> kinds;
    std::vector<float> scores;
    for (int i = input.byte(); i > 0; --i) {
        const uint8_t head = input.byte();
        kinds.push_back(head & 7);
        texts.emplace_back(input.bytes(head >> 3));
        scores.push_back(static_cast<float>(head) - static_cast<float>(i));
    }
    std::vector<std::string> merges;
    for (int i = input.byte(); i > 0; --i) {
        const size_t left = input.byte(), right = input.byte();
        if (left < texts.size() && right < texts.size()) merges.push_back(texts[left] + " " + texts[right]);
    }
    coterie::test::GgufWriter w;
    w.string("tokenizer.ggml.model", (switches & 1) != 0 ? "llama" : gemma ? "gemma4" : "gpt2");
    if (!gemma) w.string("tokenizer.ggml.pre", pres[pre % std::size(pres)]);
    w.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", kinds);
    w.f32s("tokenizer.ggml.scores", scores).strings("tokenizer.ggml.merges", merges);
    w.u32("tokenizer.ggml.eos_token_id", switches >> 5);
    w.boolean("tokenizer.ggml.add_space_prefix", (switches & 16) != 0);
    return w.bytes();
}

void require(bool holds) {
    if (!holds) std::abort();
}

void use(const Tokenizer& tokenizer, std::string_view text) {
    for (const bool special : {false, true}) {
        const std::vector<TokenId> tokens = tokenizer.encode(text, special);
        for (const TokenId token : tokens) {
            require(token >= 0 && token < tokenizer.vocabularySize());
            require(special || !tokenizer.isControl(token));
        }
        // A space is three bytes on the way, each of which may become an unknown token of 31 bytes.
        size_t decoded = 0;
        for (const TokenId token : tokens) decoded += tokenizer.decode(token, special).size();
        require(decoded <= 93 * (text.size() + 1));
    }
    for (const TokenId token : tokenizer.endOfGeneration()) require(tokenizer.isEndOfGeneration(token));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input{{reinterpret_cast<const char*>(data), size}};
    const uint8_t switches = input.byte();
    const std::string file = makeFile(input, switches);
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return 0;
    const auto tokenizer = Tokenizer::create(*header);
    if (tokenizer) use(**tokenizer, input.rest);
    return 0;
}
