// SPDX-License-Identifier: Apache-2.0
// Where experts lie on disk and how their bytes come into a slot: parts of a model's tensors, read past the page cache
// or through it. It reads nothing itself: it says which reads fill a slot, what is to be done after them, and where the
// parts then are.
//
//   a slot:  | gate's region | up's region | down's region |
//   a region begins at a multiple of the file's alignment and has room for a read that begins and ends at such
//   multiples; the part lies in it where it lies between them in the file, or at its beginning once it was arranged.
#pragma once

#include "base/files.h"
#include "gguf/model_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

/// Of an expert: gate, up, down.
inline constexpr size_t kMostParts = 3;

/// Where the parts of one layer's experts lie: expert e's part p is at tensor offset e * bytes[p].
struct ExpertLayer {
    struct Part {
        const gguf::Tensor* tensor = nullptr;
        uint64_t bytes = 0; ///< of one expert
        /// What is made of it once it is read: from `read` to `part`, which begins there or before it, in place. One
        /// call at a time; must not throw.
        std::function<void(const std::byte* read, std::byte* part)> arrange{};
    };
    std::vector<Part> parts; ///< gate, up, down
    int experts = 0;
    /// Room for one expert in a slot, however it is read.
    uint64_t slotBytes() const;
    /// Where a part begins and all of them end, where they lie side by side, each on a cache line of its own.
    uint64_t packedOffset(size_t part) const;
    uint64_t packedBytes() const { return packedOffset(parts.size()); }
};

/// An expert in memory.
struct ExpertParts {
    std::array<const std::byte*, kMostParts> at{};
    bool arranged = true; ///< each part as its `arrange` leaves it; else as the model's file has it

    const std::byte* operator[](size_t part) const { return at[part]; }
};

/// One read of several that fill a slot.
struct ReadExtent {
    RandomAccessFile* file = nullptr;
    uint64_t offset = 0;
    std::span<std::byte> to;
};

/// Any thread, but arrange(): one at a time.
class ExpertSource {
  public:
    virtual ~ExpertSource() = default;
    /// Of each layer.
    virtual const std::vector<int>& experts() const = 0;
    /// Room for any layer's expert: a multiple of what the slot itself must begin at.
    virtual uint64_t slotBytes() const = 0;
    /// The reads that fill `slot`, in out; how many.
    virtual size_t extents(int layer, int expert, std::byte* slot, std::span<ReadExtent, kMostParts> out) const = 0;
    /// Whether arrange() would do anything: else what is read is arranged.
    virtual bool arranges(int layer) const = 0;
    /// Once after the reads.
    virtual void arrange(int layer, int expert, std::byte* slot) const = 0;
    /// arranged: arrange() has been called, or has nothing to do.
    virtual ExpertParts parts(int layer, int expert, const std::byte* slot, bool arranged) const = 0;
};

/// The parts where the model's file has them. direct: past the page cache, so that nothing is copied or pushed out of
/// it. Internal where a layer is described wrongly; Io where the model on disk is not the one that was opened.
Result<std::unique_ptr<ExpertSource>> createTensorSource(const ModelFile& model, std::vector<ExpertLayer> layers,
                                                         bool direct);

} // namespace coterie::engine
