// SPDX-License-Identifier: Apache-2.0
// Keeping the list of cached tokens and the device's KV cache in step.
#include "session/cached_device.h"

#include <algorithm>

namespace coterie::engine {

int64_t CachedDevice::keepCommon(std::span<const TokenId> prompt, bool exactly) {
    size_t most = prompt.empty() ? 0 : std::min(tokens_.size(), prompt.size() - 1);
    if (exactly) most = std::min(most, exact_);
    const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(most);
    rewind(std::mismatch(tokens_.begin(), end, prompt.begin()).first - tokens_.begin());
    return position();
}

void CachedDevice::rewind(int64_t position) {
    tokens_.resize(static_cast<size_t>(device_.rewind(position)));
    exact_ = std::min(exact_, tokens_.size());
}

void CachedDevice::clear() { rewind(0); }

Status CachedDevice::forward(const ForwardRequest& request) {
    const size_t before = tokens_.size();
    const bool bends = !request.routing.exact() && request.tokens.size() == 1, wasExact = exact();
    const uint64_t changed = bends ? device_.telemetry().choicesChanged : 0;
    tokens_.insert(tokens_.end(), request.tokens.begin(),
                   request.tokens.end()); // first, so that it can't fail after the device's work
    Status status = device_.forward(request);
    if (!status) {
        const ErrorKind kind = status.error().kind;
        if (kind == ErrorKind::Cancelled || kind == ErrorKind::ContextFull)
            tokens_.resize(static_cast<size_t>(device_.position()));
        else {
            tokens_.resize(before);
            clear();
        }
    }
    // Asked to bend, it may have found nothing to change: then all is as it would have been.
    if (wasExact && (!bends || device_.telemetry().choicesChanged == changed)) exact_ = tokens_.size();
    return status;
}

} // namespace coterie::engine
