// SPDX-License-Identifier: Apache-2.0
// Keeping the list of cached tokens and the decoder's KV cache in step.
#include "session/prompt_cache.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

/// Returns the request so that it may be run twice, but reports each logit and each progress only once.
ForwardRequest reportedOnce(const ForwardRequest& request, int64_t& nextLogits, int64_t& progress) {
    ForwardRequest once = request;
    if (request.onLogits)
        once.onLogits = [&](int64_t index, std::span<const float> logits) {
            if (index < nextLogits) return;
            nextLogits = index + 1;
            request.onLogits(index, logits);
        };
    if (request.onProgress)
        once.onProgress = [&](int64_t done) {
            if (done > std::exchange(progress, std::max(progress, done))) request.onProgress(done);
        };
    return once;
}

/// Returns the rest of the request after its first `done` tokens.
ForwardRequest restOf(const ForwardRequest& request, int64_t done) {
    ForwardRequest rest = request;
    rest.tokens = request.tokens.subspan(static_cast<size_t>(done));
    if (request.tokens.size() > 1) rest.routing = {}; // it applies only to requests of one token
    if (request.onLogits)
        rest.onLogits = [&request, done](int64_t index, std::span<const float> logits) {
            request.onLogits(done + index, logits);
        };
    if (request.onProgress) rest.onProgress = [&request, done](int64_t more) { request.onProgress(done + more); };
    return rest;
}

} // namespace

PromptCache::Common PromptCache::keepCommon(std::span<const TokenId> prompt, bool exactly) {
    size_t most = prompt.empty() ? 0 : std::min(tokens_.size(), prompt.size() - 1);
    if (exactly) most = std::min(most, exact_);
    const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(most);
    const int64_t common = std::mismatch(tokens_.begin(), end, prompt.begin()).first - tokens_.begin();
    rewind(common);
    return {.kept = position(), .reread = common - position()};
}

void PromptCache::keepState(bool stays) {
    if (device_.decoder() != nullptr) device_.decoder()->keepState(stays);
}

void PromptCache::rewind(int64_t position) {
    Decoder* decoder = device_.decoder();
    tokens_.resize(decoder == nullptr ? 0 : static_cast<size_t>(decoder->rewind(position)));
    exact_ = std::min(exact_, tokens_.size());
}

void PromptCache::clear() { rewind(0); }

Status PromptCache::forward(const ForwardRequest& request) {
    const size_t before = tokens_.size();
    tokens_.insert(tokens_.end(), request.tokens.begin(),
                   request.tokens.end()); // first, so that it can't fail after the decoder's work
    const Result<ForwardResult> result = run(request);
    if (!result) {
        const ErrorKind kind = result.error().kind;
        if (kind == ErrorKind::Cancelled || kind == ErrorKind::ContextFull) {
            tokens_.resize(device_.decoder() == nullptr ? 0 : static_cast<size_t>(device_.decoder()->position()));
            exact_ = std::min(exact_, tokens_.size());
        } else {
            tokens_.resize(before);
            clear();
        }
    }
    // Approximate routing may have found nothing to change: then the cache is as with exact routing.
    const bool changed = result ? result->choicesChanged != 0 : !request.routing.exact() && request.tokens.size() == 1;
    if (exact_ >= before && !changed) exact_ = tokens_.size();
    return result ? Status() : Status(result.error());
}

Exactness PromptCache::exactness() const {
    if (exact_ != tokens_.size()) return Exactness::Approximate;
    const Decoder* decoder = device_.decoder();
    return decoder == nullptr || decoder->abilities().sameBits ? Exactness::SameBits : Exactness::SamePlacement;
}

/// The request's tokens are the last ones of tokens_.
Result<ForwardResult> PromptCache::run(const ForwardRequest& request) {
    const size_t first = tokens_.size() - request.tokens.size();
    if (device_.decoder() == nullptr)
        if (Status status = device_.replace(); !status) return status.error();
    int64_t nextLogits = 0, progress = 0;
    const ForwardRequest once = reportedOnce(request, nextLogits, progress);
    Result<ForwardResult> result = device_.decoder()->forward(once);
    if (result || result.error().kind != ErrorKind::DeviceLost) return result;
    return continueElsewhere(once, first);
}

/// first: the index in tokens_ at which the request's tokens begin. Chunks that the lost device has finished are read
/// again without a report.
Result<ForwardResult> PromptCache::continueElsewhere(const ForwardRequest& request, size_t first) {
    const size_t finished = static_cast<size_t>(device_.decoder()->position());
    if (Status status = device_.replace(); !status) return status.error();
    const Result<ForwardResult> again = device_.decoder()->forward({.tokens = std::span(tokens_).first(finished),
                                                                    .wanted = LogitsWanted::None,
                                                                    .cancel = request.cancel,
                                                                    .keepAt = request.keepAt});
    if (!again) return again;
    exact_ = std::max(exact_, finished); // prompts are read exactly
    return device_.decoder()->forward(restOf(request, static_cast<int64_t>(finished - first)));
}

} // namespace coterie::engine
