// SPDX-License-Identifier: Apache-2.0
// A layer of a model, as those who show it describe it.
#pragma once

namespace coterie::engine {

/// The part of a layer in which tokens see each other.
enum class LayerMixer {
    Attention,         ///< over all past tokens
    WindowedAttention, ///< over the latest ones
    DeltaRule,         ///< over a state of fixed size
    ShortConvolution,  ///< over the last few tokens
};

struct LayerInfo {
    LayerMixer mixer = LayerMixer::Attention;
    bool sharedExpert = false; ///< or a dense part: every token uses it, besides the experts that the router chooses

    bool recurs() const { return mixer == LayerMixer::DeltaRule || mixer == LayerMixer::ShortConvolution; }
    bool operator==(const LayerInfo&) const = default;
};

} // namespace coterie::engine
