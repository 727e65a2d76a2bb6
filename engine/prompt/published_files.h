// SPDX-License-Identifier: Apache-2.0
// The habits of the published files of each architecture: how they cut words, call tools, think
// and end an answer. Not the layers, which engine/model/architectures.cpp has, and not the rules themselves, which
// pretokenizer.cpp and answer_parser.cpp have. A file's own template says how its model calls tools and thinks; the
// forms of this table count where it says nothing, or where there is no template.
#pragma once

#include "prompt/answer_forms.h"

#include <span>
#include <string_view>

namespace coterie::engine {

/// "<|end_of_sentence|>" with U+FF5C and U+2581, as DeepSeek writes it.
constexpr std::string_view kDeepSeekEnd = "<\xef\xbd\x9c"
                                          "end\xe2\x96\x81of\xe2\x96\x81sentence\xef\xbd\x9c>";

struct PublishedFiles {
    std::string_view architecture{};
    /// The values of tokenizer.ggml.pre. The usual one comes first.
    std::span<const std::string_view> splitRules{};
    FormSet<CallForm> callForms{};                 ///< empty: the templates have no place for tools
    FormSet<ThoughtForm> thoughtForms{};           ///< empty: the models don't think, or in GptOssChannels
    std::span<const std::string_view> endTokens{}; ///< any of these tokens ends an answer
};

std::span<const PublishedFiles> publishedFiles();
/// Returns nullptr for an architecture that is not in the table.
const PublishedFiles* findPublishedFiles(std::string_view architecture);

} // namespace coterie::engine
