// SPDX-License-Identifier: Apache-2.0
// A device and the tokens in its KV cache, kept in step, so that a prompt that begins as the last one did is not read
// again.
#pragma once

#include "decoder/device.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

/// One thread at a time.
class CachedDevice {
  public:
    /// `device` outlives this.
    explicit CachedDevice(Device& device) : device_(device) {}

    /// Keeps what `prompt` shares with the cache, short of its last token (whose logits are wanted), and, where
    /// `exactly`, of what approximate routing has not changed; returns how many tokens stay.
    int64_t keepCommon(std::span<const TokenId> prompt, bool exactly);
    void clear();
    /// Adds the request's tokens. After an error other than Cancelled and ContextFull the cache is empty: what it holds
    /// is not known.
    Status forward(const ForwardRequest& request);
    int64_t position() const { return static_cast<int64_t>(tokens_.size()); }
    /// Whether all of it is as exact routing leaves it.
    bool exact() const { return exact_ == tokens_.size(); }

  private:
    void rewind(int64_t position);

    Device& device_;
    std::vector<TokenId> tokens_; ///< [device_.position()]
    size_t exact_ = 0;            ///< so many of the first ones are as exact routing leaves them
};

} // namespace coterie::engine
