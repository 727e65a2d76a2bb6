// SPDX-License-Identifier: Apache-2.0
// The table of published_files.h. A new architecture of engine/model/architectures.cpp needs an entry here, read from
// the files that its publisher or the usual converters offer; tests/session/tst_published_files.cpp fails without it.
#include "prompt/published_files.h"

#include <algorithm>
#include <iterator>

namespace coterie::engine {

namespace {

using enum CallForm;
using Text = std::string_view;

// Llama 2 has no split rule, since it is SentencePiece. Many other models have Llama's layers: Mistral, SmolLM, Falcon
// 3, the first DeepSeek models, Seed-Coder.
constexpr Text kLlamaRules[] = {"llama-bpe",      "llama3",      "llama-v3",   "tekken",   "pixtral",
                                "smollm",         "smaug-bpe",   "falcon3",    "midm-2.0", "deepseek-llm",
                                "deepseek-coder", "deepseek-v3", "seed-coder", "megrez",   "trillion",
                                "mellum",         "kormo",       "minerva-7b", "viking",   "default"};
constexpr Text kLlamaEnds[] = {"<|eot_id|>", "<|eom_id|>",    "<|end_of_text|>", "</s>",
                               "<|im_end|>", "<|endoftext|>", kDeepSeekEnd};
constexpr FormSet<CallForm> kLlamaCalls{BareJson, HermesJson, MistralCalls, DeepSeekCalls};

constexpr Text kQwenRules[] = {"qwen2"};
constexpr Text kQwen2Rules[] = {"qwen2", "deepseek-r1-qwen", "megrez", "a.x-4.0"};
constexpr Text kChatMlEnds[] = {"<|im_end|>", "<|endoftext|>"};
constexpr FormSet<CallForm> kHermesJson{HermesJson};
constexpr FormSet<CallForm> kQwen2Calls{HermesJson, DeepSeekCalls};
constexpr FormSet<CallForm> kFunctionTags{HermesJson, FunctionTags};

// Qwen3-Next's files came before Qwen3.5's and its rule. Both write the tags of Qwen3-Coder.
constexpr Text kQwen35Rules[] = {"qwen35"};

constexpr Text kSmolLm3Rules[] = {"smaug-bpe"};
constexpr Text kSmolLm3Ends[] = {"<|im_end|>", "<|end_of_text|>"};

constexpr Text kOlmoRules[] = {"olmo"};
constexpr Text kOlmoEnds[] = {"<|endoftext|>"};

constexpr Text kGptOssRules[] = {"gpt-4o"};
constexpr Text kGptOssEnds[] = {"<|return|>", "<|call|>"};
constexpr FormSet<CallForm> kGptOssChannels{GptOssChannels};

// Solar Open has GLM's layers. The model ends its turn by opening the next one.
constexpr Text kGlmRules[] = {"glm4", "chatglm-bpe", "solar-open"};
constexpr Text kGlmEnds[] = {"<|user|>", "<|observation|>", "<|endoftext|>"};
constexpr FormSet<CallForm> kArgumentTags{ArgumentTags};

constexpr Text kLfm2Rules[] = {"lfm2"};
constexpr FormSet<CallForm> kPythonList{PythonList};

// Gemma 2's and 3's vocabularies are SentencePiece: the rule in their files means nothing. Gemma 4 ends its turn behind
// a call by opening the tool's answer.
constexpr Text kGemmaRules[] = {"default"};
constexpr Text kGemmaEnds[] = {"<end_of_turn>", "<eos>"};
constexpr Text kGemma4Rules[] = {"gemma4"};
constexpr Text kGemma4Ends[] = {"<turn|>", "<|tool_response>", "<eos>"};
constexpr FormSet<CallForm> kGemmaCalls{GemmaCalls};

constexpr FormSet<ThoughtForm> kThink{ThoughtForm::Think};
constexpr FormSet<ThoughtForm> kGemmaThoughts{ThoughtForm::GemmaChannel};
constexpr FormSet<ThoughtForm> kLlamaThoughts{ThoughtForm::Think,         // the distilled models of DeepSeek-R1
                                              ThoughtForm::BracketThink}; // Magistral

// Architecture, split rules, forms of calls and of thoughts, tokens that end an answer.
constexpr PublishedFiles kPublished[] = {
    {"llama", kLlamaRules, kLlamaCalls, kLlamaThoughts, kLlamaEnds},
    {"smallthinker", kQwenRules, kHermesJson, {}, kChatMlEnds},
    // It writes PythonCode too, but only if python_tools are offered: <code> is also HTML.
    {"smollm3", kSmolLm3Rules, kHermesJson, kThink, kSmolLm3Ends},
    {"qwen2", kQwen2Rules, kQwen2Calls, kThink, kChatMlEnds}, // QwQ thinks
    {"qwen3", kQwenRules, kHermesJson, kThink, kChatMlEnds},
    {"qwen3moe", kQwenRules, kFunctionTags, kThink, kChatMlEnds},
    {"qwen2moe", kQwenRules, {}, {}, kChatMlEnds}, // Qwen1.5-MoE was published before Qwen's templates had tools
    {"olmoe", kOlmoRules, {}, {}, kOlmoEnds},
    {"gpt-oss", kGptOssRules, kGptOssChannels, {}, kGptOssEnds},
    {"glm4moe", kGlmRules, kArgumentTags, kThink, kGlmEnds},
    {"qwen3vl", kQwenRules, kHermesJson, kThink, kChatMlEnds},
    {"qwen3vlmoe", kQwenRules, kHermesJson, kThink, kChatMlEnds},
    {"qwen3next", kQwenRules, kFunctionTags, kThink, kChatMlEnds},
    {"qwen35", kQwen35Rules, kFunctionTags, kThink, kChatMlEnds},
    {"qwen35moe", kQwen35Rules, kFunctionTags, kThink, kChatMlEnds},
    {"lfm2", kLfm2Rules, kPythonList, kThink, kChatMlEnds}, // LFM2.5 thinks
    {"lfm2moe", kLfm2Rules, kPythonList, kThink, kChatMlEnds},
    {"gemma2", kGemmaRules, {}, {}, kGemmaEnds},
    {"gemma3", kGemmaRules, {}, {}, kGemmaEnds},
    {"gemma4", kGemma4Rules, kGemmaCalls, kGemmaThoughts, kGemma4Ends},
};

} // namespace

std::span<const PublishedFiles> publishedFiles() { return kPublished; }

const PublishedFiles* findPublishedFiles(std::string_view architecture) {
    const auto found = std::find_if(std::begin(kPublished), std::end(kPublished),
                                    [&](const PublishedFiles& files) { return files.architecture == architecture; });
    return found == std::end(kPublished) ? nullptr : found;
}

} // namespace coterie::engine
