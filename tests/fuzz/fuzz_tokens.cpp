// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as the stored tokens of an answer. What is read holds only values that a token can have,
// and storing it again gives the same bytes.
#include "records/token_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

using namespace coterie::engine;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

bool isShare(double value) { return value >= 0 && value <= 1; }

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    const auto tokens = readTokenBytes(bytes);
    if (!tokens) {
        require(!tokens.error().what.empty() && !tokens.error().why.empty());
        return 0;
    }
    for (const TokenRecord& token : tokens.value()) {
        require(token.id >= -1 && token.seconds >= 0 && std::isfinite(token.seconds));
        require(isShare(token.probability.value_or(0)) && std::isfinite(token.entropy.value_or(0)));
        for (const TextRange& range : token.text) require(range.begin <= range.end);
        for (const TokenChance& chance : token.alternatives) require(chance.id >= -1 && isShare(chance.probability));
    }
    const std::vector<std::byte> again = tokenBytes(tokens.value());
    require(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
    return 0;
}
