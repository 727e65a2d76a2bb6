// SPDX-License-Identifier: Apache-2.0
// The merging that all tokenizers share. Of all neighbours that can merge, the two of the best rank
// merge first, and the leftmost two of equal rank; then the next. Takes n log n steps for n symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace coterie::engine {

constexpr uint32_t kNoSymbol = 0xffffffff;
constexpr uint32_t kNoRank = 0xffffffff;

/// The result of merging two neighbours. Lower ranks merge first; kNoRank: the two do not merge.
struct Merge {
    uint32_t rank = kNoRank;
    uint32_t symbol = kNoSymbol;
};

/// A stretch of the text. The symbols form a chain.
struct Symbol {
    uint32_t begin, end; ///< bytes of the text
    uint32_t id;         ///< the caller's number for the symbol
    uint32_t previous = kNoSymbol, next = kNoSymbol;
    Merge merge; ///< with the next one
};

/// Memory that is used again for each stretch of text.
struct MergeScratch {
    std::vector<Symbol> symbols;
    std::vector<uint64_t> queue; ///< rank << 32 | index of the left symbol; a heap, the smallest first

    void append(uint32_t begin, uint32_t end, uint32_t id) {
        const auto index = static_cast<uint32_t>(symbols.size());
        if (index > 0) symbols.back().next = index;
        symbols.push_back({begin, end, id, index > 0 ? index - 1 : kNoSymbol, kNoSymbol, {}});
    }
};

/// Merges scratch.symbols until no two neighbours can merge. The result is the chain that begins with the first symbol.
/// `lookup(left, right)` returns a Merge.
template <typename Lookup>
void mergeSymbols(MergeScratch& scratch, const Lookup& lookup) {
    std::vector<Symbol>& symbols = scratch.symbols;
    std::vector<uint64_t>& queue = scratch.queue;
    queue.clear();
    const auto offer = [&](uint32_t left) {
        Symbol& symbol = symbols[left];
        symbol.merge = symbol.next == kNoSymbol ? Merge() : lookup(symbol, symbols[symbol.next]);
        if (symbol.merge.rank == kNoRank) return false;
        queue.push_back(static_cast<uint64_t>(symbol.merge.rank) << 32 | left);
        return true;
    };
    for (uint32_t i = 0; i < symbols.size(); ++i) offer(i);
    std::make_heap(queue.begin(), queue.end(), std::greater<>());

    while (!queue.empty()) {
        std::pop_heap(queue.begin(), queue.end(), std::greater<>());
        const auto left = static_cast<uint32_t>(queue.back());
        const auto rank = static_cast<uint32_t>(queue.back() >> 32);
        queue.pop_back();
        Symbol& symbol = symbols[left];
        if (symbol.merge.rank != rank) continue; // one of the two has merged with another symbol since

        Symbol& right = symbols[symbol.next];
        symbol.id = symbol.merge.symbol;
        symbol.end = right.end;
        symbol.next = right.next;
        if (right.next != kNoSymbol) symbols[right.next].previous = left;
        right.merge = Merge(); // out of the chain
        for (const uint32_t changed : {symbol.previous, left})
            if (changed != kNoSymbol && offer(changed)) std::push_heap(queue.begin(), queue.end(), std::greater<>());
    }
}

} // namespace coterie::engine
