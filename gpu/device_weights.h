// SPDX-License-Identifier: Apache-2.0
// A model's weights in buffers of a device, each tensor in one, as the file has them: matrices in their format, vectors
// as floats, all experts of a layer one after the other.
#pragma once

#include "device_buffer.h"

#include "gguf/model_file.h"
#include "model/weights.h"

#include <deque>
#include <functional>
#include <map>
#include <vector>

namespace coterie::gpu {

/// Matrices of one shape: one, or those of all experts. The buffer is null if the model has no such tensor.
struct DeviceMatrix {
    const DeviceBuffer* buffer = nullptr;
    engine::TensorType type = engine::TensorType::F32;
    uint32_t rows = 0, columns = 0; ///< each one's
    uint32_t count = 0;             ///< experts, or 1

    /// Bytes from one expert's matrix to the next one's.
    uint64_t stride() const { return rows * engine::rowBytes(type, columns); }
    uint64_t bytes() const { return count * stride(); }
};

template <engine::TensorForm>
struct DeviceWeight {
    using Type = DeviceMatrix;
};
template <>
struct DeviceWeight<engine::TensorForm::Vector> {
    using Type = const DeviceBuffer*; ///< floats
};

// The names are those of ModelWeights.
#define COTERIE_FIELD(member, form, ...) DeviceWeight<engine::TensorForm::form>::Type member{};
struct DeviceLayerWeights {
    COTERIE_LAYER_TENSORS(COTERIE_FIELD)
};
struct DeviceModelWeights {
    COTERIE_MODEL_TENSORS(COTERIE_FIELD)
    std::vector<DeviceLayerWeights> layers;
};
#undef COTERIE_FIELD

class DeviceWeights : public DeviceModelWeights {
  public:
    using Progress = std::function<bool(uint64_t done, uint64_t total)>;

    /// Cancelled if `progress` returns false. Unsupported: a tensor is larger than a buffer of the device can be.
    static engine::Result<DeviceWeights> load(VulkanDevice& device, const engine::ModelFile& file,
                                              const engine::ModelTensors& tensors, const engine::KernelTable& kernels,
                                              const Progress& progress);
    /// Bytes of everything but the experts.
    uint64_t residentBytes() const { return residentBytes_; }
    uint64_t expertBytes() const { return expertBytes_; }
    /// The host's copy of DeviceModelWeights::ropeFactors; empty if the model has none.
    const std::vector<float>& hostRopeFactors() const { return ropeFactors_; }
    /// [experts] the offset of each expert's matrix, for the shaders.
    const DeviceBuffer& places(const DeviceMatrix& matrix) const {
        return *places_.at({matrix.count, matrix.stride()});
    }
    /// The vector, or a buffer of zeros that a shader gets where the model has none.
    const DeviceBuffer& orNothing(const DeviceBuffer* buffer) const { return buffer ? *buffer : *nothing_; }

  private:
    struct Reading;
    template <engine::TensorForm form>
    engine::Status take(Reading& reading, const engine::gguf::Tensor* tensor, typename DeviceWeight<form>::Type& to);
    engine::Result<const DeviceBuffer*> addBuffer(const Reading& reading, const engine::gguf::Tensor& tensor,
                                                  uint64_t bytes);
    engine::Result<const DeviceBuffer*> readMatrix(Reading& reading, const engine::gguf::Tensor& tensor);
    engine::Result<const DeviceBuffer*> readVector(Reading& reading, const engine::gguf::Tensor& tensor);
    engine::Status addPlaces(const VulkanDevice& device, const DeviceMatrix& matrix);

    std::deque<DeviceBuffer> buffers_; // their addresses stay
    std::map<std::pair<uint32_t, uint64_t>, const DeviceBuffer*> places_;
    const DeviceBuffer* nothing_ = nullptr;
    std::vector<float> ropeFactors_;
    uint64_t residentBytes_ = 0, expertBytes_ = 0;
};

} // namespace coterie::gpu
