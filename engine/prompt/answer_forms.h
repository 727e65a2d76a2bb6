// SPDX-License-Identifier: Apache-2.0
// The forms that an answer may use: how thoughts are marked, how calls are written, and which tools may be called.
// Plain values, which the caller of AnswerParser fills in from the model's family or template.
#pragma once

#include "prompt/offered_tools.h"

#include <cstdint>
#include <initializer_list>
#include <memory>

namespace coterie::engine {

/// A set of values of a small enum, in its order.
template <typename Enum>
class FormSet {
  public:
    constexpr FormSet() = default;
    constexpr FormSet(std::initializer_list<Enum> forms) {
        for (const Enum form : forms) add(form);
    }
    constexpr void add(Enum form) { bits_ |= uint32_t{1} << static_cast<uint32_t>(form); }
    constexpr void add(FormSet forms) { bits_ |= forms.bits_; }
    constexpr bool has(Enum form) const { return (bits_ >> static_cast<uint32_t>(form) & 1) != 0; }
    constexpr bool hasAnyOf(FormSet forms) const { return (bits_ & forms.bits_) != 0; }
    /// The forms that are in both sets.
    constexpr FormSet common(FormSet forms) const {
        forms.bits_ &= bits_;
        return forms;
    }

    bool operator==(const FormSet&) const = default;

  private:
    uint32_t bits_ = 0;
};

/// How a model marks its thoughts.
enum class ThoughtForm : uint8_t {
    Think,        ///< <think> ... </think>: most families
    SeedThink,    ///< <seed:think> ... </seed:think>: Seed-OSS
    BracketThink, ///< [THINK] ... [/THINK]: Magistral, Ministral 3
    GemmaChannel, ///< <|channel>thought ... <channel|>: Gemma 4
};

/// How a model writes calls.
enum class CallForm : uint8_t {
    HermesJson,     ///< <tool_call>{"name": ..., "arguments": {...}}</tool_call>: Hermes, Qwen, SmolLM3's xml_tools
    FunctionTags,   ///< <tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>: Qwen3-Coder
    SeedTags,       ///< the same in <seed:tool_call>: Seed-OSS
    InvokeTags,     ///< <minimax:tool_call><invoke name="NAME"><parameter name="KEY">VALUE</parameter>: MiniMax-M2
    ArgumentTags,   ///< <tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>: GLM-4.5 to 4.7
    GraniteJson,    ///< <|tool_call|>[{"name": ..., "arguments": {...}}]: Granite 3
    MistralCalls,   ///< [TOOL_CALLS][{"name": ..., "arguments": {...}}] and [TOOL_CALLS]NAME[ARGS]{...}
    DeepSeekCalls,  ///< DeepSeek's control tokens, as V3 and R1 write them (JSON in a fence) and as V3.1 does
    PythonList,     ///< <|tool_call_start|>[NAME(KEY=VALUE)]<|tool_call_end|>: LFM2
    GemmaCalls,     ///< <|tool_call>call:NAME{KEY:VALUE}<tool_call|>: Gemma 4
    PythonCode,     ///< <code>NAME(KEY=VALUE)</code>: SmolLM3's python_tools
    BareJson,       ///< the whole answer is {"name": ..., "parameters": {...}}: Llama 3, also after <|python_tag|>
    PythonTag,      ///< <|python_tag|>PROGRAM: Llama 3, if it was offered Python
    GptOssChannels, ///< <|channel|>commentary to=functions.NAME<|message|>{...}: gpt-oss. Thoughts are channels too
};

/// The forms between markers that no other text begins with: they may be looked for in any family's answers.
constexpr FormSet<CallForm> kMarkedCalls{CallForm::HermesJson,   CallForm::FunctionTags,  CallForm::SeedTags,
                                         CallForm::InvokeTags,   CallForm::ArgumentTags,  CallForm::GraniteJson,
                                         CallForm::MistralCalls, CallForm::DeepSeekCalls, CallForm::PythonList,
                                         CallForm::GemmaCalls};

struct AnswerForms {
    bool startsInThought = false; ///< the prompt has opened a thought already, in one of `thoughts`
    FormSet<ThoughtForm> thoughts{ThoughtForm::Think};
    FormSet<CallForm> calls{};
    bool fencesQuote = true;                     ///< markers within a fenced block of Markdown are text
    std::shared_ptr<const OfferedTools> tools{}; ///< null: OfferedTools::any()
};

} // namespace coterie::engine
