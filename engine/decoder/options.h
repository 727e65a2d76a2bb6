// SPDX-License-Identifier: Apache-2.0
// Options of the forward pass: which head rows are computed, how experts are chosen, which shortcuts are used, and how
// the expert store works. Plain values; device.h takes them.
#pragma once

#include "experts/eviction.h"

namespace coterie::engine {

/// The positions whose logits a request asks for.
enum class LogitsWanted { None, Last, All };

/// The rows of the head that are computed for these logits.
enum class HeadRows {
    All,
    Predicted, ///< the rows that a predictor expects to matter: the file's predictor, or the one derived from the head
               ///< once it has been measured. All rows if there is no predictor, and for several positions.
};

/// Lossy ways to read and compute fewer experts. They apply to single tokens only: prompts are always exact. 0 is
/// exact; above 0 answers differ from the model's own, and the command agreement measures by how much. The caller
/// decides when to use them (memory is short, the battery is low).
struct ApproximateRouting {
    /// 0..1: experts that are in memory, or arriving, are chosen as if their router logits were higher by this share of
    /// the token's range of logits (lowest to highest). A small share decides between near-equals; 1 prefers any cached
    /// expert. The best expert always stays, and weights come from the true logits (cache-conditional experts,
    /// arXiv:2412.00099). The answer then depends on what the store holds: on the budget, on earlier requests, on when
    /// reads finish. The same seed may give another text the next time.
    float preferCached = 0;
    /// 0..1: a layer runs only its fewest best experts whose weights hold this share of the total; at least one.
    float topWeightShare = 0;

    bool exact() const { return preferCached == 0 && topWeightShare == 0; }
};

/// Work that is left out or done together because that is cheaper. Each can be switched off, to measure what it brings;
/// no bit of a result changes.
struct Shortcuts {
    bool sparsity = true; ///< up rows and down columns of neurons that did not fire are not computed
    bool grouping = true; ///< a chunk's tokens are computed together for each expert, not token by token
};

/// How the expert store works. No bit of a result depends on it.
struct ExpertStoreChoices {
    EvictionKind eviction = EvictionKind::ExpectedUse;
    /// Experts are read while others are computed: as soon as a router names them, before attention, on guesses, and
    /// while no request runs. If false, an expert is read when its layer is computed, which waits until all are there.
    bool prefetch = true;
    bool direct = true; ///< reads bypass the system's page cache if not all experts fit
    int readDepth = 0;  ///< reads in flight if not all experts fit; 0: the measured number, or kUnmeasuredReadDepth
};

} // namespace coterie::engine
