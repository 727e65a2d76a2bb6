// SPDX-License-Identifier: Apache-2.0
// See state_copies.h.
#include "decoder/state_copies.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

SaturatingBytes bytesOf(const LayerShape& layer) {
    const auto floats = [](int64_t n) { return SaturatingBytes(static_cast<uint64_t>(n)) * sizeof(float); };
    if (layer.mixer == Mixer::Attention) return 0;
    if (layer.mixer == Mixer::ShortConvolution) return floats(layer.shortConvolution.historyValues());
    return floats(layer.deltaRule.stateValues()) * static_cast<uint64_t>(layer.deltaRule.valueHeads) +
           floats(layer.deltaRule.historyValues());
}

} // namespace

SaturatingBytes StateCopies::bytesOfOne(const ModelShape& shape) {
    SaturatingBytes bytes = 0;
    for (const LayerShape& layer : shape.layer) bytes += alignedSize(bytesOf(layer));
    return bytes;
}

SaturatingBytes StateCopies::bytesNeeded(const ModelShape& shape, int64_t kept) {
    return bytesOfOne(shape) * static_cast<uint64_t>(kept + 2);
}

Result<StateCopies> StateCopies::create(const ModelShape& shape, int64_t kept) {
    StateCopies copies;
    copies.bytes_ = bytesOfOne(shape).value();
    uint64_t offset = 0;
    for (const LayerShape& layer : shape.layer) {
        copies.offsets_.push_back(offset / sizeof(float));
        offset += alignedSize(bytesOf(layer)).value();
    }
    if (!copies.needed()) return copies; // a convolution with one tap looks back to nothing
    Result<Buffer> buffer =
        Buffer::allocate(bytesNeeded(shape, kept).value(), "There is no memory for the conversation's state");
    if (!buffer) return buffer.error();
    copies.buffer_ = std::move(buffer).value();
    copies.most_ = static_cast<size_t>(kept);
    copies.kept_.reserve(copies.most_ + 1);
    return copies;
}

StateCopies::StateCopies(StateCopies&& other) noexcept { *this = std::move(other); }

StateCopies& StateCopies::operator=(StateCopies&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    offsets_ = std::move(other.offsets_);
    bytes_ = other.bytes_;
    most_ = other.most_;
    kept_ = std::move(other.kept_);
    committed_ = other.committed_;
    working_ = other.working_;
    usedBlocks_ = other.usedBlocks_;
    touched_.store(other.touched_.load());
    return *this;
}

void StateCopies::begin() {
    usedBlocks_ = std::max(usedBlocks_, working_ + 1);
    touched_.store(usedBlocks_ * bytes_, std::memory_order_relaxed);
}

LayerState StateCopies::layer(int64_t index) const {
    const uint64_t offset = offsets_[static_cast<size_t>(index)];
    return {.before = committed_ == kNone ? nullptr : at(committed_) + offset, .after = at(working_) + offset};
}

void StateCopies::commit() {
    committed_ = working_;
    working_ = freeBlock();
}

/// The first block that has no copy: blocks that were not touched yet come last.
size_t StateCopies::freeBlock() const {
    const auto isTaken = [this](size_t block) {
        return block == committed_ ||
               std::any_of(kept_.begin(), kept_.end(), [block](const Kept& kept) { return kept.block == block; });
    };
    size_t block = 0;
    while (isTaken(block)) ++block;
    return block;
}

void StateCopies::keep(int64_t position, bool stays) {
    if (committed_ == kNone) return;
    if (!kept_.empty() && kept_.back().position == position)
        kept_.back().stays |= stays;
    else
        kept_.push_back({position, committed_, stays});
    if (kept_.size() > most_) forgetOne();
}

void StateCopies::forgetOne() {
    const auto last = std::find_if(kept_.rbegin(), kept_.rend(), [](const Kept& kept) { return kept.stays; });
    const size_t spared = static_cast<size_t>(kept_.rend() - last) - 1; // the largest number if none stays
    kept_.erase(kept_.begin() + (spared == 0 ? 1 : 0));
}

int64_t StateCopies::restore(int64_t most, const std::function<bool(int64_t position)>& usable) {
    while (!kept_.empty() && (kept_.back().position > most || !usable(kept_.back().position))) kept_.pop_back();
    committed_ = kept_.empty() ? kNone : kept_.back().block;
    working_ = freeBlock();
    return kept_.empty() ? 0 : kept_.back().position;
}

} // namespace coterie::engine
