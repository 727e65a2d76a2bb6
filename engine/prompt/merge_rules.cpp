// SPDX-License-Identifier: Apache-2.0
// See merge_rules.h.
#include "prompt/merge_rules.h"

#include <string>

namespace coterie::engine {

Result<MergeTable> readMerges(const gguf::Header& header, Vocabulary& vocabulary) {
    constexpr std::string_view key = "tokenizer.ggml.merges";
    if (arrayCount(header, key) > kMaxListEntries) return vocabularyError("It has more merges than any vocabulary");
    const auto lines = header.strings(key);
    if (!lines) return vocabularyError("tokenizer.ggml.merges is missing or holds no texts");
    MergeTable merges(lines->size());
    TextTable& texts = vocabulary.texts();

    constexpr uint64_t maxAddedBytes = 256u << 20; // with the tokens' own this stays far below 4 GiB
    uint64_t bytes = 0;
    std::string merged;
    uint32_t last = 0;
    for (size_t i = 0; i < lines->size(); ++i) {
        const std::string_view line = (*lines)[i];
        const size_t space = line.find(' ');
        const bool isPair =
            space != line.npos && space > 0 && space + 1 < line.size() && line.find(' ', space + 1) == line.npos;
        if (!isPair) return vocabularyError({"Merge %1 is not two texts with a space between them", i});
        if (bytes += 2 * line.size(); bytes > maxAddedBytes)
            return vocabularyError("Its merges are larger than any vocabulary's");
        const std::string_view left = line.substr(0, space), right = line.substr(space + 1);
        merged.assign(left).append(right);
        // Most vocabularies number tokens in the order of their merges, so the next token is probably the right one.
        last = last + 1 < texts.size() && texts.text(last + 1) == merged ? last + 1 : texts.intern(merged);
        merges.add(texts.intern(left), texts.intern(right), {static_cast<uint32_t>(i), last});
    }
    return merges;
}

} // namespace coterie::engine
