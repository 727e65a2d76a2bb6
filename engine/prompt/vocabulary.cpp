// SPDX-License-Identifier: Apache-2.0
// Reads tokenizer.ggml.tokens, token_type and the *_token_id keys. Everything in them is checked before it is used.
#include "prompt/vocabulary.h"

#include "prompt/published_files.h"
#include "prompt/utf8.h"

#include <algorithm>
#include <string>
#include <variant>

namespace coterie::engine {

namespace {

// Far above any published vocabulary (2 MiB of texts, 512 bytes in a token), and far below what 32-bit offsets hold.
constexpr uint64_t kMaxTextBytes = 256u << 20;
constexpr size_t kMaxTokenBytes = 4096;
// Limit of tokens that are looked for in texts. Published ones have about 100 bytes at most; the time of a search grows
// with it.
constexpr size_t kMaxSpecialBytes = 256;

// Tokens that end an answer, whatever the metadata of the file say (llama.cpp, src/llama-vocab.cpp, special_eog_ids).
constexpr std::string_view kEndLikeTexts[] = {
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<end_of_turn>",
    "</s>",
    "<eos>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<end_of_utterance>",
    kDeepSeekEnd,
    // Code models write these between the files of a repository, so that another text follows.
    "<|fim_pad|>",
    "<fim_pad>",
    "<|repo_name|>",
    "<|fim_repo|>",
    "<reponame>",
    "<|file_sep|>",
};

std::string quoted(std::string_view text) {
    std::string out = "\"";
    return out.append(text).append("\"");
}

} // namespace

Error vocabularyError(Sentence why) {
    return {ErrorKind::BadInput, "The model's vocabulary can't be used", std::move(why),
            "Get the file again, or another file of this model"};
}

std::optional<uint8_t> byteTokenValue(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
    const std::optional<uint32_t> value = hexadecimalAt(text, 3, 2);
    return value ? std::optional(static_cast<uint8_t>(*value)) : std::nullopt;
}

uint64_t arrayCount(const gguf::Header& header, std::string_view key) {
    const gguf::Value* value = header.find(key);
    const auto* array = value == nullptr ? nullptr : std::get_if<gguf::ArrayValue>(value);
    return array == nullptr ? 0 : array->count;
}

Result<Vocabulary> Vocabulary::read(const gguf::Header& header) {
    Vocabulary vocabulary;
    for (const auto step :
         {&Vocabulary::readTexts, &Vocabulary::readKinds, &Vocabulary::readSpecialIds, &Vocabulary::readSuppressed})
        if (Status done = (vocabulary.*step)(header); !done) return done.error();
    return vocabulary;
}

Status Vocabulary::readTexts(const gguf::Header& header) {
    constexpr std::string_view key = "tokenizer.ggml.tokens";
    if (arrayCount(header, key) > kMaxListEntries) return vocabularyError("It has more tokens than any vocabulary");
    const auto tokens = header.strings(key);
    if (!tokens || tokens->empty()) return vocabularyError("tokenizer.ggml.tokens is missing or holds no texts");
    uint64_t bytes = 0;
    for (size_t i = 0; i < tokens->size(); ++i) {
        if ((*tokens)[i].size() > kMaxTokenBytes)
            return vocabularyError({"Token %1 is longer than any token may be", i});
        bytes += (*tokens)[i].size();
    }
    if (bytes > kMaxTextBytes) return vocabularyError("Its texts are larger than any vocabulary's");
    texts_ = TextTable(tokens->size(), bytes);
    for (const std::string_view text : *tokens) texts_.add(text);
    kinds_.assign(tokens->size(), TokenKind::Normal);
    return {};
}

/// Wrong types close no file, since they may be missing altogether: without one, a token is ordinary text.
Status Vocabulary::readKinds(const gguf::Header& header) {
    constexpr std::string_view key = "tokenizer.ggml.token_type";
    if (header.find(key) == nullptr) return {};
    const uint64_t count = arrayCount(header, key);
    const auto types = count <= kMaxListEntries ? header.integers(key) : std::nullopt;
    if (!types) {
        addNote({"%1 is not a list of numbers, so it is not used", key});
        return {};
    }
    if (count != kinds_.size())
        addNote({"%1 has %2 entries, but there are %3 tokens: those without a type are ordinary text", key, count,
                 kinds_.size()});
    bool noted = false; // the first of them is enough
    for (size_t i = 0; i < std::min(kinds_.size(), types->size()); ++i) {
        const int64_t type = (*types)[i];
        kinds_[i] = type >= 1 && type <= 6 ? static_cast<TokenKind>(type) : TokenKind::Undefined;
        std::optional<Sentence> wrong = wrongKind(i);
        if (!wrong) continue;
        kinds_[i] = TokenKind::Normal;
        if (!std::exchange(noted, true)) addNote(std::move(*wrong));
    }
    return {};
}

/// Why a token can't be of its kind, if it can't.
std::optional<Sentence> Vocabulary::wrongKind(size_t token) const {
    const std::string_view text = texts_.text(static_cast<uint32_t>(token));
    if (kinds_[token] == TokenKind::Byte && !byteTokenValue(text))
        return Sentence("The byte token %1 is not written as <0xNN>, so it is ordinary text", quoted(text));
    if (isSpecial(kinds_[token]) && text.size() > kMaxSpecialBytes)
        return Sentence("The special token %1 is longer than any may be, so it is ordinary text", token);
    return std::nullopt;
}

/// A wrong id closes no file: converters write -1 for "none", and finetunes keep the ids of a larger vocabulary.
std::optional<TokenId> Vocabulary::readId(const gguf::Header& header, std::string_view key) {
    if (header.find(key) == nullptr) return std::nullopt;
    const auto id = header.unsignedInteger(key);
    if (id && *id < kinds_.size()) return static_cast<TokenId>(*id);
    addNote({"%1 is not one of the %2 tokens, so it is not used", key, kinds_.size()});
    return std::nullopt;
}

Status Vocabulary::readSpecialIds(const gguf::Header& header) {
    beginning_ = readId(header, "tokenizer.ggml.bos_token_id");
    // Early SentencePiece files do not name it.
    if (const auto token = find("<s>"); !beginning_ && token && kind(*token) == TokenKind::Control) beginning_ = token;
    for (const std::string_view key :
         {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"})
        if (const std::optional<TokenId> id = readId(header, key)) endOfGeneration_.push_back(*id);
    findEndLikeTokens(header);
    return {};
}

/// Wrong ids close no file, like other wrong ids.
Status Vocabulary::readSuppressed(const gguf::Header& header) {
    constexpr std::string_view key = "tokenizer.ggml.suppress_tokens";
    if (header.find(key) == nullptr) return {};
    const auto ids = arrayCount(header, key) <= kMaxListEntries ? header.integers(key) : std::nullopt;
    if (!ids) {
        addNote({"%1 is not a list of numbers, so it is not used", key});
        return {};
    }
    for (const int64_t id : *ids)
        if (id >= 0 && id < size()) suppressed_.push_back(static_cast<TokenId>(id));
    if (suppressed_.size() != ids->size())
        addNote({"%1 has ids that are not among the %2 tokens and are not used", key, kinds_.size()});
    std::sort(suppressed_.begin(), suppressed_.end());
    suppressed_.erase(std::unique(suppressed_.begin(), suppressed_.end()), suppressed_.end());
    return {};
}

/// Makes the token with this text end an answer, if the vocabulary has it.
void Vocabulary::addEndLike(std::string_view text) {
    const std::optional<TokenId> token = find(text);
    if (!token) return;
    // Some converters call these tokens user-defined or even ordinary. No text spells <|this|>, <|this> or <this|> by
    // chance, but </s> of an ordinary kind is HTML.
    const bool unmistakable = text.starts_with("<|") || text.ends_with("|>") || text == kDeepSeekEnd;
    TokenKind& kind = kinds_[static_cast<size_t>(*token)];
    if (unmistakable || kind == TokenKind::UserDefined) kind = TokenKind::Control;
    if (kind == TokenKind::Control) endOfGeneration_.push_back(*token);
}

void Vocabulary::findEndLikeTokens(const gguf::Header& header) {
    // In gpt-oss's format "<|end|>" ends a message, and another message of the same answer may follow. "<|return|>" and
    // "<|call|>" end the answer.
    const bool harmony = find("<|return|>") && find("<|call|>");
    for (const std::string_view text : kEndLikeTexts)
        if (!harmony || text != "<|end|>") addEndLike(text);
    if (const PublishedFiles* files = findPublishedFiles(header.string("general.architecture").value_or("")))
        for (const std::string_view text : files->endTokens) addEndLike(text);
    std::sort(endOfGeneration_.begin(), endOfGeneration_.end());
    endOfGeneration_.erase(std::unique(endOfGeneration_.begin(), endOfGeneration_.end()), endOfGeneration_.end());
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
    const std::optional<uint32_t> number = texts_.find(text);
    if (!number || *number >= kinds_.size()) return std::nullopt;
    return static_cast<TokenId>(*number);
}

bool Vocabulary::isText(TokenId token) const {
    if (!contains(token)) return false;
    const TokenKind k = kind(token);
    return k != TokenKind::Control && k != TokenKind::Unknown && k != TokenKind::Byte;
}

SpecialTokens Vocabulary::specialTokens() const {
    std::vector<SpecialTokens::Entry> entries;
    for (TokenId token = 0; token < size(); ++token) {
        if (!isSpecial(kind(token)) || text(token).empty()) continue;
        entries.push_back({std::string(text(token)), token, kind(token) != TokenKind::UserDefined});
    }
    return SpecialTokens(std::move(entries));
}

} // namespace coterie::engine
