// SPDX-License-Identifier: Apache-2.0
// Each splitter stands under the regular expression that it computes, with the source of the expression. All
// quantifiers are greedy and alternatives are tried in order, as in the tokenizer.json files of published models.
#include "prompt/pretokenizer.h"

#include "prompt/unicode_table.h"
#include "prompt/utf8.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace coterie::engine {

namespace {

using Text = std::span<const Character>;
using Class = CharacterClass;

constexpr uint8_t kWordClasses = Class::kSpace | Class::kLetter | Class::kNumber;

bool isAny(Text text, size_t at, size_t end, uint8_t classes) { return at < end && (text[at].classes & classes) != 0; }

/// A character of none of these classes; [^\s\p{L}\p{N}] for those of words.
bool isOther(Text text, size_t at, size_t end, uint8_t classes) {
    return at < end && (text[at].classes & classes) == 0;
}

bool isChar(Text text, size_t at, size_t end, char c) {
    return at < end && text[at].codePoint == static_cast<unsigned char>(c);
}

/// [\r\n]
bool isLineEnd(Text text, size_t at, size_t end) { return isChar(text, at, end, '\r') || isChar(text, at, end, '\n'); }

size_t runOf(Text text, size_t at, size_t end, uint8_t classes) {
    while (isAny(text, at, end, classes)) ++at;
    return at;
}

size_t runOfOther(Text text, size_t at, size_t end, uint8_t classes = kWordClasses) {
    while (isOther(text, at, end, classes)) ++at;
    return at;
}

/// Skips an optional space.
size_t afterSpace(Text text, size_t at, size_t end) { return isChar(text, at, end, ' ') && at + 1 < end ? at + 1 : at; }

/// 's|'t|'re|'ve|'m|'ll|'d, or (?i:...) of it in ASCII. Returns `at` if there is none.
size_t contractionEnd(Text text, size_t at, size_t end, bool ignoreCase) {
    if (!isChar(text, at, end, '\'') || at + 1 >= end) return at;
    const auto letter = [&](size_t i) -> uint32_t {
        if (i >= end) return 0;
        const uint32_t c = text[i].codePoint;
        return ignoreCase && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    };
    const uint32_t first = letter(at + 1), second = letter(at + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
    if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l'))
        return at + 3;
    return at;
}

/// \s+(?!\S)|\s+ : leaves the last space to the next word. Takes at least one if `at` is a space.
size_t spaceEnd(Text text, size_t at, size_t end) {
    const size_t run = runOf(text, at, end, Class::kSpace);
    return run < end && run - at > 1 ? run - 1 : run;
}

/// \s*[\r\n]+ : ends after the last line end of a run of spaces. Returns `at` if there is none.
size_t lineEndEnd(Text text, size_t at, size_t end) {
    size_t last = at;
    for (size_t i = at; isAny(text, i, end, Class::kSpace); ++i)
        if (isLineEnd(text, i, end)) last = i + 1;
    return last;
}

// GPT-2's expression (openai/gpt-2, src/encoder.py):
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t gpt2Words(Text text, size_t at, size_t end) {
    if (const size_t e = contractionEnd(text, at, end, false); e > at) return e;
    const size_t start = afterSpace(text, at, end);
    for (const uint8_t classes : {Class::kLetter, Class::kNumber})
        if (const size_t e = runOf(text, start, end, classes); e > start) return e;
    if (const size_t e = runOfOther(text, start, end); e > start) return e;
    return spaceEnd(text, at, end);
}

/// An optional space and characters of none of `classes`, " ?[^\s\p{L}\p{N}]+" for those of words, and any of `tail`
/// after them. Returns `at` if there is none.
size_t punctuationEnd(Text text, size_t at, size_t end, std::string_view tail, uint8_t classes = kWordClasses) {
    const size_t start = afterSpace(text, at, end);
    size_t e = runOfOther(text, start, end, classes);
    if (e == start) return at;
    while (std::any_of(tail.begin(), tail.end(), [&](char c) { return isChar(text, e, end, c); })) ++e;
    return e;
}

/// \p{N}{1,most}. Returns `at` if there is none.
size_t numberEnd(Text text, size_t at, size_t end, size_t most) {
    return runOf(text, at, std::min(end, at + most), Class::kNumber);
}

/// [^\r\n\p{L}\p{N}]
bool isWordPrefix(Text text, size_t at, size_t end) {
    return at < end && !isAny(text, at, end, Class::kLetter | Class::kNumber) && !isLineEnd(text, at, end);
}

/// The points in which the relatives of Llama 3's expression differ.
struct LlamaRule {
    size_t mostDigits;                      ///< one piece holds at most so many
    std::string_view tail = "\r\n";         ///< characters that a run of signs takes after itself
    uint8_t letterClasses = Class::kLetter; ///< characters of a word; they end a run of signs
};

// Llama 3's expression (meta-llama/Meta-Llama-3-8B, tokenizer.json):
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
template <const LlamaRule& rule>
size_t llamaWords(Text text, size_t at, size_t end) {
    if (const size_t e = contractionEnd(text, at, end, true); e > at) return e;
    // A combining mark can be both the prefix and a letter: it is a letter if no other one follows.
    for (const size_t start : {isWordPrefix(text, at, end) ? at + 1 : at, at})
        if (const size_t e = runOf(text, start, end, rule.letterClasses); e > start) return e;
    if (const size_t e = numberEnd(text, at, end, rule.mostDigits); e > at) return e;
    const uint8_t classes = kWordClasses | rule.letterClasses;
    if (const size_t e = punctuationEnd(text, at, end, rule.tail, classes); e > at) return e;
    if (const size_t e = lineEndEnd(text, at, end); e > at) return e;
    return spaceEnd(text, at, end);
}

constexpr LlamaRule kLlama3Rule{.mostDigits = 3};
// Qwen2's (Qwen/Qwen2-7B, tokenizer.json) has \p{N} alone.
constexpr LlamaRule kQwen2Rule{.mostDigits = 1};
// Qwen3.5's (Qwen/Qwen3.5-4B, tokenizer.json): Qwen2's with [\p{L}\p{M}]+ for words and [^\s\p{L}\p{M}\p{N}]+ for
// signs.
constexpr LlamaRule kQwen35Rule{.mostDigits = 1, .letterClasses = Class::kLetter | Class::kMark};
// Seed-Coder's (ByteDance-Seed/Seed-Coder-8B-Instruct, tokenizer.json): Qwen2's, with line ends apart from punctuation.
constexpr LlamaRule kSeedCoderRule{.mostDigits = 1, .tail = ""};

/// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
bool isUpperish(Text text, size_t at, size_t end) {
    return isAny(text, at, end, Class::kLetter | Class::kMark) && !isAny(text, at, end, Class::kLower);
}
/// [\p{Ll}\p{Lm}\p{Lo}\p{M}]
bool isLowerish(Text text, size_t at, size_t end) {
    return isAny(text, at, end, Class::kLetter | Class::kMark) && !isAny(text, at, end, Class::kUpper);
}

/// Upperish* Lowerish+ . Returns `at` if there is none. If no lowerish character follows, the run gives characters back
/// until one can be taken as lowerish. The next call starts after it and finds none, so each run is read a fixed number
/// of times.
size_t mixedWordEnd(Text text, size_t at, size_t end) {
    size_t upper = at;
    while (isUpperish(text, upper, end)) ++upper;
    size_t e = upper;
    while (isLowerish(text, e, end)) ++e;
    if (e > upper) return e;
    while (e > at && !isLowerish(text, e - 1, end)) --e;
    return e;
}

/// Upperish+ Lowerish* . Returns `at` if there is none.
size_t upperWordEnd(Text text, size_t at, size_t end) {
    size_t e = at;
    while (isUpperish(text, e, end)) ++e;
    if (e == at) return at;
    while (isLowerish(text, e, end)) ++e;
    return e;
}

/// [^\r\n\p{L}\p{N}]? and a word whose case turns from upper to lower at most once. Returns `at` if there is none.
size_t casedWordEnd(Text text, size_t at, size_t end) {
    const size_t afterPrefix = isWordPrefix(text, at, end) ? at + 1 : at;
    for (const auto wordEnd : {mixedWordEnd, upperWordEnd})
        for (const size_t start : {afterPrefix, at})
            if (const size_t e = wordEnd(text, start, end); e > start) return e;
    return at;
}

size_t casedWords(Text text, size_t at, size_t end, size_t mostDigits, bool contractions) {
    if (const size_t e = casedWordEnd(text, at, end); e > at)
        return contractions ? contractionEnd(text, e, end, true) : e;
    if (const size_t e = numberEnd(text, at, end, mostDigits); e > at) return e;
    if (const size_t e = punctuationEnd(text, at, end, "\r\n/"); e > at) return e;
    if (const size_t e = lineEndEnd(text, at, end); e > at) return e;
    return spaceEnd(text, at, end);
}

// o200k's expression (openai/gpt-oss-20b, tokenizer.json; the same in tiktoken_ext/openai_public.py). Not the reference
// engine's approximation of it, which takes every letter outside ASCII for both cases and no mark for a letter:
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t gpt4oWords(Text text, size_t at, size_t end) { return casedWords(text, at, end, 3, true); }
// Mistral's (mistralai/Mistral-Nemo-Instruct-2407, tokenizer.json): o200k's without contractions and with \p{N} alone.
size_t tekkenWords(Text text, size_t at, size_t end) { return casedWords(text, at, end, 1, false); }

/// [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]
bool isAsciiSign(Text text, size_t at, size_t end) {
    constexpr uint32_t firstPrintable = 0x21, lastPrintable = 0x7e;
    if (at >= end || text[at].codePoint < firstPrintable || text[at].codePoint > lastPrintable) return false;
    return (text[at].classes & (Class::kLetter | Class::kNumber)) == 0;
}

/// [A-Za-z]+
size_t asciiLettersEnd(Text text, size_t at, size_t end) {
    while (at < end && text[at].codePoint < 0x80 && (text[at].classes & Class::kLetter) != 0) ++at;
    return at;
}

// The last pass of DeepSeek-V3's (deepseek-ai/DeepSeek-V3, tokenizer.json):
//   [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*
//   |\s*[\r\n]+|\s+(?!\S)|\s+
// Text that none of them matches stays a piece of its own.
size_t deepseek3Words(Text text, size_t at, size_t end) {
    if (isAsciiSign(text, at, end))
        if (const size_t e = asciiLettersEnd(text, at + 1, end); e > at + 1) return e;
    const bool prefix =
        !isLineEnd(text, at, end) && !isAny(text, at, end, Class::kLetter | Class::kPunctuation | Class::kSymbol);
    for (const size_t start : {prefix ? at + 1 : at, at})
        if (const size_t e = runOf(text, start, end, Class::kLetter | Class::kMark); e > start) return e;
    const size_t sign = afterSpace(text, at, end);
    if (size_t e = runOf(text, sign, end, Class::kPunctuation | Class::kSymbol); e > sign) {
        while (isLineEnd(text, e, end)) ++e;
        return e;
    }
    if (const size_t e = lineEndEnd(text, at, end); e > at) return e;
    return isAny(text, at, end, Class::kSpace) ? spaceEnd(text, at, end) : at;
}

// [\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+
size_t hanAndKana(Text text, size_t at, size_t end) {
    const auto matches = [](uint32_t p) { return (p >= 0x4e00 && p <= 0x9fa5) || (p >= 0x3040 && p <= 0x30ff); };
    while (at < end && matches(text[at].codePoint)) ++at;
    return at;
}

/// Makes a stage of an expression that does not match everywhere: its matches are pieces, and so is the text between.
template <size_t (*matchEnd)(Text, size_t, size_t)>
size_t isolated(Text text, size_t at, size_t end) {
    if (const size_t e = matchEnd(text, at, end); e > at) return e;
    do ++at;
    while (at < end && matchEnd(text, at, end) == at);
    return at;
}

// The passes before and after the words, each as the reference engine lists it (llama.cpp, src/llama-vocab.cpp,
// llm_tokenizer_bpe).

// \p{N}
size_t oneNumber(Text text, size_t at, size_t end) { return numberEnd(text, at, end, 1); }
// \p{N}{1,3}
size_t oneToThreeNumbers(Text text, size_t at, size_t end) { return numberEnd(text, at, end, 3); }
// \p{N}+
size_t numbers(Text text, size_t at, size_t end) { return runOf(text, at, end, Class::kNumber); }
// [\r\n]
size_t oneLineEnd(Text text, size_t at, size_t end) { return isLineEnd(text, at, end) ? at + 1 : at; }

// [0-9][0-9][0-9]
size_t threeDigits(Text text, size_t at, size_t end) {
    size_t e = at;
    while (e < end && e < at + 3 && text[e].codePoint >= '0' && text[e].codePoint <= '9') ++e;
    return e == at + 3 ? e : at;
}

/// Punctuation and these signs of ASCII.
size_t punctuationOr(std::string_view signs, Text text, size_t at, size_t end) {
    const auto matches = [&](size_t i) {
        if (isAny(text, i, end, Class::kPunctuation)) return true;
        return i < end && text[i].codePoint < 0x80 && signs.find(static_cast<char>(text[i].codePoint)) != signs.npos;
    };
    while (matches(at)) ++at;
    return at;
}
// [\p{P}\$\+<=>\^~\|]+
size_t defaultPunctuation(Text text, size_t at, size_t end) { return punctuationOr("$+<=>^~|", text, at, end); }
// [\p{P}\$\+<=>\^~\|`]+
size_t falconPunctuation(Text text, size_t at, size_t end) { return punctuationOr("$+<=>^~|`", text, at, end); }

// [^\n]+|[\n]+
size_t lines(Text text, size_t at, size_t end) {
    const bool lineEnds = isChar(text, at, end, '\n');
    while (at < end && isChar(text, at, end, '\n') == lineEnds) ++at;
    return at;
}

/// \s? and one or more of `classes`. Returns `at` if there is none.
size_t afterAnySpace(Text text, size_t at, size_t end, uint8_t classes) {
    const size_t start = isAny(text, at, end, Class::kSpace) ? at + 1 : at;
    const size_t e = runOf(text, start, end, classes);
    return e > start ? e : at;
}

// \s?\p{L}+
size_t letters(Text text, size_t at, size_t end) { return afterAnySpace(text, at, end, Class::kLetter); }
// \s?\p{P}+
size_t punctuation(Text text, size_t at, size_t end) { return afterAnySpace(text, at, end, Class::kPunctuation); }

// [\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+ (spaces among them don't count)
size_t eastAsian(Text text, size_t at, size_t end) {
    const auto matches = [](const Character& c) {
        const uint32_t p = c.codePoint;
        return ((p >= 0x0800 && p <= 0x9fa5) || (p >= 0xac00 && p <= 0xd7ff)) && (c.classes & Class::kSpace) == 0;
    };
    while (at < end && matches(text[at])) ++at;
    return at;
}

/// A letter with case of the published expression, which lists them: those of \p{Lu}, \p{Ll} and \p{Lt} without these
/// ranges. The list of the reference engine is the same.
bool isListedLetter(Text text, size_t at, size_t end) {
    constexpr std::pair<uint32_t, uint32_t> missing[] = {
        {0x0560, 0x0588}, {0x10c7, 0x10ff},   {0x1c80, 0x1c8a},   {0x2d00, 0x2d2d},   {0xa790, 0xa7fa},
        {0xab30, 0xab68}, {0x10570, 0x105bc}, {0x16e40, 0x16e7f}, {0x1d400, 0x1d7cb}, {0x1df00, 0x1df2a}};
    if (!isAny(text, at, end, Class::kUpper | Class::kLower)) return false;
    const uint32_t p = text[at].codePoint;
    return std::none_of(std::begin(missing), std::end(missing),
                        [p](const auto& range) { return p >= range.first && p <= range.second; });
}

// \s? and a run of isListedLetter
size_t casedLetters(Text text, size_t at, size_t end) {
    size_t e = isAny(text, at, end, Class::kSpace) && isListedLetter(text, at + 1, end) ? at + 1 : at;
    while (isListedLetter(text, e, end)) ++e;
    return e;
}

/// [!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3001\u3002]: signs, with the letters among those of ASCII and of
/// full width. The published expression begins its last range with U+3000; the reference engine takes that one for
/// white space alone, and so do we.
bool isDeepseekSign(Text text, size_t at, size_t end) {
    if (at >= end) return false;
    const uint32_t p = text[at].codePoint;
    return (p >= 0x21 && p <= 0x2f) || (p >= 0x3a && p <= 0x7e) || (p >= 0xff01 && p <= 0xff0f) ||
           (p >= 0xff1a && p <= 0xff5e) || (p >= 0x2018 && p <= 0x201f) || (p >= 0x3001 && p <= 0x3002);
}

// \s? and a run of isDeepseekSign
size_t deepseekSigns(Text text, size_t at, size_t end) {
    size_t e = isAny(text, at, end, Class::kSpace) && isDeepseekSign(text, at + 1, end) ? at + 1 : at;
    while (isDeepseekSign(text, e, end)) ++e;
    return e;
}

/// \s+$ : white space at the end of the piece, and the text before it. Not isolated<>, which would look for the end of
/// a run at each of its characters.
size_t spaceAtEnd(Text text, size_t at, size_t end) {
    size_t tail = end;
    while (tail > at && isAny(text, tail - 1, end, Class::kSpace)) --tail;
    return tail > at ? tail : end;
}

/// [^(\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]
bool isVikingLetter(Text text, size_t at, size_t end) {
    constexpr std::string_view ends = "(|.,!?)";
    constexpr uint32_t others[] = {0x2026, 0x3002, 0xff0c, 0x3001, 0x0964, 0x06d4, 0x060c};
    if (at >= end || isAny(text, at, end, Class::kSpace)) return false;
    const uint32_t p = text[at].codePoint;
    if (p < 0x80) return ends.find(static_cast<char>(p)) == ends.npos;
    return std::find(std::begin(others), std::end(others), p) == std::end(others);
}

//  ?[^(\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+
size_t vikingWords(Text text, size_t at, size_t end) {
    size_t e = isChar(text, at, end, ' ') && isVikingLetter(text, at + 1, end) ? at + 1 : at;
    while (isVikingLetter(text, e, end)) ++e;
    return e;
}

constexpr SplitStage kGpt2Stages[] = {gpt2Words};
constexpr SplitStage kDigitStages[] = {isolated<oneNumber>, gpt2Words};
constexpr SplitStage kLlama3Stages[] = {llamaWords<kLlama3Rule>};
constexpr SplitStage kQwen2Stages[] = {llamaWords<kQwen2Rule>};
constexpr SplitStage kQwen35Stages[] = {llamaWords<kQwen35Rule>};
constexpr SplitStage kSeedCoderStages[] = {llamaWords<kSeedCoderRule>};
constexpr SplitStage kGpt4oStages[] = {gpt4oWords};
constexpr SplitStage kTekkenStages[] = {tekkenWords};
constexpr SplitStage kDeepseek3Stages[] = {isolated<oneToThreeNumbers>, isolated<hanAndKana>, isolated<deepseek3Words>};
constexpr SplitStage kDeepseekCoderStages[] = {isolated<oneLineEnd>, isolated<letters>, isolated<punctuation>,
                                               isolated<eastAsian>, isolated<oneNumber>};
constexpr SplitStage kDeepseekStages[] = {isolated<oneLineEnd>, isolated<casedLetters>, isolated<deepseekSigns>,
                                          spaceAtEnd,           isolated<eastAsian>,    isolated<numbers>};
constexpr SplitStage kVikingStages[] = {isolated<vikingWords>, isolated<oneNumber>};
constexpr SplitStage kFalconStages[] = {isolated<falconPunctuation>, gpt2Words, isolated<threeDigits>};
constexpr SplitStage kGemma4Stages[] = {lines};
constexpr SplitStage kDefaultStages[] = {isolated<defaultPunctuation>, gpt2Words, isolated<numbers>,
                                         isolated<threeDigits>};

// The names that converters write into tokenizer.ggml.pre.
constexpr Pretokenizer kKnownPretokenizers[] = {
    {"default", kDefaultStages},
    {"gpt-2", kGpt2Stages},
    {"olmo", kGpt2Stages},
    {"mpt", kGpt2Stages},
    {"phi-2", kGpt2Stages},
    {"mellum", kGpt2Stages},
    {"trillion", kGpt2Stages},
    {"granite-docling", kGpt2Stages},
    {"a.x-4.0", kGpt2Stages},
    {"smollm", kDigitStages},
    {"starcoder", kDigitStages},
    {"refact", kDigitStages},
    {"command-r", kDigitStages},
    {"codeshell", kDigitStages},
    {"minerva-7b", kDigitStages},
    {"deepseek-llm", kDeepseekStages},
    {"deepseek-coder", kDeepseekCoderStages},
    {"deepseek-v3", kDeepseek3Stages},
    {"hunyuan-dense", kDeepseek3Stages},
    {"joyai-llm", kDeepseek3Stages},
    {"llama-bpe", kLlama3Stages, true, true},
    {"llama3", kLlama3Stages, true, true},
    {"llama-v3", kLlama3Stages, true, true},
    {"falcon3", kLlama3Stages, true, true},
    {"pixtral", kLlama3Stages, true, true},
    {"midm-2.0", kLlama3Stages, true, true},
    {"lfm2", kLlama3Stages, true, true},
    {"dbrx", kLlama3Stages},
    {"smaug-bpe", kLlama3Stages},
    {"glm4", kLlama3Stages},
    {"chatglm-bpe", kLlama3Stages},
    {"qwen2", kQwen2Stages},
    {"deepseek-r1-qwen", kQwen2Stages},
    {"stablelm2", kQwen2Stages},
    {"megrez", kQwen2Stages},
    {"kormo", kQwen2Stages},
    {"hunyuan", kQwen2Stages},
    {"solar-open", kQwen2Stages},
    {"qwen35", kQwen35Stages},
    {"seed-coder", kSeedCoderStages},
    {"gpt-4o", kGpt4oStages},
    {"llama4", kGpt4oStages},
    {"minimax-m2", kGpt4oStages},
    {"tekken", kTekkenStages, true, true},
    {"viking", kVikingStages},
    {"falcon", kFalconStages},
    {.name = "gemma4", .stages = kGemma4Stages, .addsBeginning = true, .byteAlphabet = false},
};

std::vector<Character> charactersOf(std::string_view text) {
    std::array<uint8_t, 128> ascii;
    for (uint32_t c = 0; c < ascii.size(); ++c) ascii[c] = characterClasses(c);

    std::vector<Character> characters;
    characters.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const Utf8Step step = utf8Step(text, at);
        const bool whole = step.kind == Utf8Step::Character;
        const auto classes = static_cast<uint8_t>(!whole                          ? 0
                                                  : step.codePoint < ascii.size() ? ascii[step.codePoint]
                                                                                  : characterClasses(step.codePoint));
        // 0xffffff is no code point: a byte that is part of no character must not look like one.
        characters.push_back({static_cast<uint32_t>(at), whole ? step.codePoint : 0xffffffu, classes});
        at += whole ? step.length : 1;
    }
    return characters;
}

/// Hands the ends of the last stage's pieces of [begin, end) to `emit`. The recursion is as deep as there are stages.
template <typename Emit>
void runStages(std::span<const SplitStage> stages, Text text, size_t begin, size_t end, const Emit& emit) {
    while (begin < end) {
        const size_t pieceEnd = stages.front()(text, begin, end);
        if (stages.size() > 1)
            runStages(stages.subspan(1), text, begin, pieceEnd, emit);
        else
            emit(pieceEnd);
        begin = pieceEnd;
    }
}

} // namespace

std::vector<std::string_view> Pretokenizer::split(std::string_view text) const {
    const std::vector<Character> characters = charactersOf(text);
    std::vector<std::string_view> pieces;
    pieces.reserve(text.size() / 4);
    size_t begin = 0;
    runStages(stages, characters, 0, characters.size(), [&](size_t pieceEnd) {
        const size_t end = pieceEnd < characters.size() ? characters[pieceEnd].begin : text.size();
        pieces.push_back(text.substr(begin, end - begin));
        begin = end;
    });
    return pieces;
}

const Pretokenizer* findPretokenizer(std::string_view name) {
    for (const Pretokenizer& known : kKnownPretokenizers)
        if (known.name == name) return &known;
    return nullptr;
}

} // namespace coterie::engine
