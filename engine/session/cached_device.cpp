// SPDX-License-Identifier: Apache-2.0
// Keeping the list of cached tokens and the device's KV cache in step.
#include "session/cached_device.h"

#include <algorithm>

namespace coterie::engine {

int64_t CachedDevice::keepCommon(std::span<const TokenId> prompt) {
    const size_t most = prompt.empty() ? 0 : std::min(tokens_.size(), prompt.size() - 1);
    const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(most);
    const auto common = std::mismatch(tokens_.begin(), end, prompt.begin()).first - tokens_.begin();
    const int64_t kept = device_.rewind(common);
    tokens_.resize(static_cast<size_t>(kept));
    return kept;
}

void CachedDevice::clear() { tokens_.resize(static_cast<size_t>(device_.rewind(0))); }

Status CachedDevice::forward(const ForwardRequest& request) {
    const size_t before = tokens_.size();
    tokens_.insert(tokens_.end(), request.tokens.begin(),
                   request.tokens.end()); // first, so that it can't fail after the device's work
    Status status = device_.forward(request);
    if (status) return status;
    const ErrorKind kind = status.error().kind;
    if (kind == ErrorKind::Cancelled || kind == ErrorKind::ContextFull)
        tokens_.resize(static_cast<size_t>(device_.position()));
    else {
        tokens_.resize(before);
        clear();
    }
    return status;
}

} // namespace coterie::engine
