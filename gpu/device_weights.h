// SPDX-License-Identifier: Apache-2.0
// A model's weights in buffers of a device, as the file has them: matrices in their format, vectors as floats, all
// experts of a layer one after the other. Matrices that multiply the same vectors lie in one buffer if they have one
// format, so that a single dispatch reads them.
#pragma once

#include "device_buffer.h"

#include "gguf/model_file.h"
#include "model/weights.h"

#include <deque>
#include <functional>
#include <map>
#include <span>
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

/// A product that gives some values of an output vector. Its matrix is one of the file's, or several of them joined:
/// the rows of the second behind those of the first, for each expert.
struct DeviceProduct {
    DeviceMatrix matrix;
    const DeviceBuffer* bias = nullptr; ///< [count, rows], or null
    uint32_t outOffset = 0;             ///< values of an output vector in front of its own
};

// The names are those of ModelWeights. Matrices that stand in a list of products are not there a second time.
#define COTERIE_FIELD(member, form, ...) DeviceWeight<engine::TensorForm::form>::Type member{};
struct DeviceLayerWeights {
    COTERIE_LAYER_TENSORS(COTERIE_FIELD)
    std::vector<DeviceProduct> queryKeyValue, gateUp, sharedGateUp;
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
    /// A matrix of a product, with its bias or null.
    struct Part {
        const engine::gguf::Tensor *matrix = nullptr, *bias = nullptr;
    };
    template <engine::TensorForm form>
    engine::Status take(Reading& reading, const engine::gguf::Tensor* tensor, typename DeviceWeight<form>::Type& to);
    engine::Status takeAllProducts(Reading& reading, const engine::LayerTensors& from, DeviceLayerWeights& to);
    engine::Status takeProducts(Reading& reading, std::span<const Part> parts, engine::TensorForm form,
                                std::vector<DeviceProduct>& to);
    engine::Result<DeviceProduct> readProduct(Reading& reading, std::span<const Part> parts);
    engine::Result<const DeviceBuffer*> addBuffer(const Reading& reading, const engine::gguf::Tensor& tensor,
                                                  uint64_t bytes);
    static engine::Status readPiece(Reading& reading, const engine::gguf::Tensor& tensor, uint64_t begin,
                                    uint64_t bytes, const DeviceBuffer& to, uint64_t place);
    engine::Result<const DeviceBuffer*> readMatrix(Reading& reading, const engine::gguf::Tensor& tensor);
    engine::Result<const DeviceBuffer*> readVector(Reading& reading, const engine::gguf::Tensor& tensor);
    engine::Result<const DeviceBuffer*> readBiases(Reading& reading, std::span<const Part> parts, uint32_t count);
    engine::Result<const DeviceBuffer*> addFloats(Reading& reading, const engine::gguf::Tensor& tensor,
                                                  std::span<const float> floats);
    engine::Status addPlaces(const VulkanDevice& device, const DeviceMatrix& matrix);

    std::deque<DeviceBuffer> buffers_; // their addresses stay
    std::map<std::pair<uint32_t, uint64_t>, const DeviceBuffer*> places_;
    const DeviceBuffer* nothing_ = nullptr;
    std::vector<float> ropeFactors_;
    uint64_t residentBytes_ = 0, expertBytes_ = 0;
};

} // namespace coterie::gpu
