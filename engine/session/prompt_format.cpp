// SPDX-License-Identifier: Apache-2.0
// The three ways from messages to a prompt.
#include "session/prompt_format.h"

#include "prompt/utf8_stream.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::engine {

namespace {

const char* roleName(Role role) {
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "user";
    case Role::Assistant:
        return "assistant";
    case Role::Tool:
        return "tool";
    }
    return "user";
}

/// Templates and JSON want UTF-8; what is not becomes U+FFFD.
std::string validUtf8(std::string_view text) {
    Utf8Stream stream;
    std::string out = stream.push(text);
    return out += stream.finish();
}

std::string chatMl(std::span<const Message> conversation) {
    std::string out;
    for (const Message& m : conversation)
        out += std::string("<|im_start|>") + roleName(m.role) + "\n" + validUtf8(m.content) + "<|im_end|>\n";
    return out += "<|im_start|>assistant\n";
}

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// One text: an answer follows its question directly, as it was generated; anything else starts a new line.
std::string plainText(std::span<const Message> conversation) {
    std::string out;
    for (const Message& m : conversation) {
        const bool apart = m.role != Role::Assistant && !out.empty() && !m.content.empty();
        if (apart && !isSpace(out.back()) && !isSpace(m.content.front())) out += '\n';
        out += m.content;
    }
    return out;
}

std::string tokenTextAt(const gguf::Header& header, const char* key, const Tokenizer& tokenizer) {
    const std::optional<uint64_t> id = header.unsignedInteger(key);
    if (!id || *id >= static_cast<uint64_t>(tokenizer.vocabularySize())) return {};
    return tokenizer.tokenText(static_cast<TokenId>(*id));
}

} // namespace

PromptFormat PromptFormat::choose(const gguf::Header& header, const Tokenizer& tokenizer,
                                  std::vector<std::string>& notes) {
    PromptFormat format;
    if (const std::optional<TokenId> bos = tokenizer.beginning()) format.beginning_ = tokenizer.tokenText(*bos);
    format.end_ = tokenTextAt(header, "tokenizer.ggml.eos_token_id", tokenizer);

    std::string reason = "The file has no chat template";
    if (const auto source = header.string("tokenizer.chat_template")) {
        Result<ChatTemplate> parsed = ChatTemplate::parse(*source);
        if (parsed) {
            format.kind_ = Kind::Template;
            format.template_ = std::move(parsed).value();
            return format;
        }
        reason = "The file's chat template can't be used (" + parsed.error().line() + ")";
    }
    if (tokenizer.find("<|im_start|>") && tokenizer.find("<|im_end|>")) {
        format.kind_ = Kind::ChatMl;
        notes.push_back(reason + ": turns are marked the ChatML way, which its vocabulary knows");
    } else {
        notes.push_back(reason + ": the model continues the text of the conversation");
    }
    return format;
}

Result<std::string> PromptFormat::render(std::span<const Message> conversation, std::optional<bool> thinking) const {
    switch (kind_) {
    case Kind::Template:
        return renderTemplate(conversation, thinking);
    case Kind::ChatMl:
        return chatMl(conversation);
    case Kind::Plain:
        break;
    }
    return plainText(conversation);
}

Result<std::string> PromptFormat::renderTemplate(std::span<const Message> conversation,
                                                 std::optional<bool> thinking) const {
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    for (const Message& m : conversation) {
        nlohmann::ordered_json message;
        message["role"] = roleName(m.role);
        message["content"] = validUtf8(m.content);
        messages.push_back(std::move(message));
    }
    nlohmann::ordered_json context;
    context["messages"] = std::move(messages);
    context["add_generation_prompt"] = true;
    context["bos_token"] = validUtf8(beginning_);
    context["eos_token"] = validUtf8(end_);
    if (thinking) context["enable_thinking"] = *thinking;
    return template_->render(context, {});
}

} // namespace coterie::engine
