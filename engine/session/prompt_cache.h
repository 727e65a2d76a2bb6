// SPDX-License-Identifier: Apache-2.0
// Lists the tokens in a decoder's KV cache and keeps the list in step with it. So a prompt's beginning that equals the
// last one's is not read again, and another device can read the same tokens if this one is lost.
#pragma once

#include "session/device_switch.h"
#include "session/exactness.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

/// One thread at a time.
class PromptCache {
  public:
    /// `device` outlives this.
    explicit PromptCache(DeviceSwitch& device) : device_(device) {}

    /// The first tokens of a prompt that the cache held.
    struct Common {
        int64_t kept = 0;   ///< those that stay in the cache
        int64_t reread = 0; ///< those after them, which have to be read again: a layer can't go back to any point
    };
    /// Keeps what `prompt` shares with the cache, except its last token (whose logits are needed), and, if `exactly`,
    /// only as far as approximate routing has not changed it.
    Common keepCommon(std::span<const TokenId> prompt, bool exactly);
    /// Keeps a copy of the states of recurrent layers as they are now, like Backend::keepState().
    void keepState(bool stays);
    void clear();
    /// Adds the request's tokens. If the device is lost on the way, the next one reads all tokens up to the unfinished
    /// chunk and continues from there; logits and progress that were reported are not reported again. After an error
    /// other than Cancelled and ContextFull the cache is empty, because its content is not known.
    Status forward(const ForwardRequest& request);
    int64_t position() const { return static_cast<int64_t>(tokens_.size()); }
    /// The exactness of logits computed from the whole cache.
    Exactness exactness() const;

  private:
    Result<ForwardResult> run(const ForwardRequest& request);
    Result<ForwardResult> continueElsewhere(const ForwardRequest& request, size_t first);
    void rewind(int64_t position);

    DeviceSwitch& device_;
    std::vector<TokenId> tokens_; ///< tokens in the KV cache; during forward() the request's tokens too
    size_t exact_ = 0;            ///< number of first tokens whose content is as with exact routing
};

} // namespace coterie::engine
