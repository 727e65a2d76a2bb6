// SPDX-License-Identifier: Apache-2.0
// Encodes a text in this order: special tokens first, then the text between them.
#include "prompt/vocabulary_tokenizer.h"

#include <algorithm>

namespace coterie::engine {

namespace {
// Positions are kept in 32 bits, and a text grows threefold where SentencePiece writes its spaces. No context holds
// this much.
constexpr size_t kBlockBytes = 256u << 20;
} // namespace

VocabularyTokenizer::VocabularyTokenizer(Vocabulary vocabulary, bool addsBeginning)
    : vocabulary_(std::move(vocabulary)), addsBeginning_(addsBeginning), special_(vocabulary_.specialTokens()) {}

std::vector<TokenId> VocabularyTokenizer::encode(std::string_view text, bool special) const {
    const ByteRange whole{0, text.size()};
    return encodeWithin(text, special ? std::span(&whole, 1) : std::span<const ByteRange>());
}

std::vector<TokenId> VocabularyTokenizer::encodeWithin(std::string_view text, std::span<const ByteRange> own) const {
    std::vector<TokenId> out;
    size_t begin = 0;
    for (;;) {
        const SpecialTokens::Match match = special_.next(text, begin, own);
        const size_t end = match.length > 0 ? match.position : text.size();
        encodeBlocks(text.substr(begin, end - begin), out);
        if (match.length == 0) return out;
        out.push_back(match.token);
        begin = match.position + match.length;
    }
}

void VocabularyTokenizer::encodeBlocks(std::string_view text, std::vector<TokenId>& out) const {
    for (size_t at = 0; at < text.size(); at += kBlockBytes) encodePlain(text.substr(at, kBlockBytes), at == 0, out);
}

std::string VocabularyTokenizer::decode(TokenId token, bool special) const {
    if (!vocabulary_.contains(token)) return {};
    const std::string_view text = vocabulary_.text(token);
    switch (vocabulary_.kind(token)) {
    case TokenKind::Normal:
        return decodeText(text);
    case TokenKind::UserDefined:
        return std::string(text);
    case TokenKind::Byte:
        return std::string(1, static_cast<char>(byteTokenValue(text).value_or(0)));
    case TokenKind::Control:
    case TokenKind::Unknown:
        return special ? std::string(text) : std::string();
    case TokenKind::Unused:
    case TokenKind::Undefined:
        break;
    }
    return {};
}

bool VocabularyTokenizer::isEndOfGeneration(TokenId token) const {
    const std::vector<TokenId>& ends = vocabulary_.endOfGeneration();
    return std::binary_search(ends.begin(), ends.end(), token);
}

bool VocabularyTokenizer::isControl(TokenId token) const {
    return vocabulary_.contains(token) && vocabulary_.kind(token) == TokenKind::Control;
}

std::string VocabularyTokenizer::tokenText(TokenId token) const {
    return vocabulary_.contains(token) ? std::string(vocabulary_.text(token)) : std::string();
}

bool readAddsBeginning(const gguf::Header& header, Vocabulary& vocabulary, bool otherwise) {
    const std::optional<bool> asked = header.boolean("tokenizer.ggml.add_bos_token");
    if (asked.value_or(false) && !vocabulary.beginning())
        vocabulary.addNote("The file wants a prompt to start with a token that tokenizer.ggml.bos_token_id doesn't "
                           "name, so a prompt starts without it");
    return asked.value_or(otherwise) && vocabulary.beginning().has_value();
}

} // namespace coterie::engine
