// SPDX-License-Identifier: Apache-2.0
// A source knows where experts are on disk and how their bytes come into a slot: as ranges of tensors, read past the
// page cache or through it. It reads nothing itself. It says which reads fill a slot, what has to be done after them,
// and where the expert's matrices are then.
//
//   a slot:  | gate's region | up's region | down's region |
//   A region begins at a multiple of the file's alignment and has room for a read that begins and ends at such
//   multiples. The matrix lies in its region at the offset that it has between those multiples in the file, or at the
//   region's beginning once it has been arranged.
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

/// Most reads that fill one slot: an expert's gate, up and down matrices are in three tensors.
inline constexpr size_t kMostReadsPerExpert = 3;

/// The places of the matrices of one layer's experts.
struct ExpertLayer {
    /// One matrix of every expert, in a tensor that may hold two for each.
    struct Matrix {
        const gguf::Tensor* tensor = nullptr;
        uint64_t bytes = 0;  ///< bytes of one expert's matrix
        uint64_t first = 0;  ///< offset of the first expert's in the tensor
        uint64_t stride = 0; ///< distance from expert to expert; 0: they have nothing between them

        uint64_t pace() const { return stride == 0 ? bytes : stride; }
        uint64_t offsetOf(uint64_t expert) const { return first + expert * pace(); }
    };
    Matrix gate, up, down;
    int experts = 0; ///< 0: the layer has none, and no matrices
    int chosen = 0;  ///< experts that a token uses; 0: unknown
    /// True if the decoder has a faster layout for this layer's down matrices. The code that builds the layers decides
    /// this once, and sets `arrangeDown` if that layout shall be used.
    bool canArrangeDown = false;
    /// Makes that layout after a read, in place: from `read` to `down`, which begins there or before it. One call at a
    /// time; must not throw.
    std::function<void(const std::byte* read, std::byte* down)> arrangeDown{};

    std::array<const Matrix*, 3> matrices() const { return {&gate, &up, &down}; }
    /// Room that one expert needs in a slot, however it is read.
    uint64_t slotBytes() const;

    /// Offsets of the matrices in a packed file, where they lie side by side, each on a cache line of its own.
    struct PackedOffsets {
        uint64_t gate = 0, up = 0, down = 0;
        uint64_t end = 0; ///< offset at which the last one ends
    };
    PackedOffsets packedOffsets() const;
};

/// [layers] number of experts
std::vector<int> expertsOf(std::span<const ExpertLayer> layers);

/// An expert in memory.
struct ExpertParts {
    const std::byte* gate = nullptr;
    const std::byte* up = nullptr;
    const std::byte* down = nullptr;
    bool downArranged = false; ///< down is as `arrangeDown` makes it; else as the model's file has it
};

/// One of the reads that fill a slot.
struct ReadExtent {
    RandomAccessFile* file = nullptr;
    uint64_t offset = 0;
    std::span<std::byte> to;
};

/// Any thread may call it, except that arrange() is called by one at a time.
class ExpertSource {
  public:
    virtual ~ExpertSource() = default;
    /// [layers] number of experts
    virtual const std::vector<int>& experts() const = 0;
    /// Room for one of the layer's experts: a multiple of the alignment that the slot itself needs; 0 if it has none.
    virtual uint64_t slotBytes(int layer) const = 0;
    /// Writes the reads that fill `slot` to out, in the order of their place in the slot; returns how many there are.
    virtual size_t extents(int layer, int expert, std::byte* slot,
                           std::span<ReadExtent, kMostReadsPerExpert> out) const = 0;
    /// Whether arrange() does anything. If not, an expert is arranged as soon as it is read.
    virtual bool arranges(int layer) const = 0;
    /// Call it at most once after the reads.
    virtual void arrange(int layer, int expert, std::byte* slot) const = 0;
    /// Returns where the matrices are. arranged: arrange() has been called, or does nothing.
    virtual ExpertParts parts(int layer, int expert, const std::byte* slot, bool arranged) const = 0;
};

/// A source that reads the tensors of the model's file. direct: past the page cache, so that nothing is copied into it
/// or pushed out of it. Internal if a layer is described wrongly; Io if the model on disk is not the one that was
/// opened.
Result<std::unique_ptr<ExpertSource>> createTensorSource(const ModelFile& model, std::vector<ExpertLayer> layers,
                                                         bool direct);

} // namespace coterie::engine
