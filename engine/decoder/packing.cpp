// SPDX-License-Identifier: Apache-2.0
// See packing.h.
#include "decoder/packing.h"

#include "base/memory.h"
#include "kernels/regroup.h"
#include "model/model_tensors.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace coterie::engine {

void regroupAsRead(const ModelShape& shape, std::vector<ExpertLayer>& layers,
                   const std::function<std::byte*()>& scratch) {
    for (ExpertLayer& layer : layers) {
        if (!layer.canArrangeDown) continue;
        layer.arrangeDown = [rows = shape.width, columns = static_cast<int64_t>(layer.down.tensor->shape[0]),
                             type = *layer.down.tensor->type, scratch](const std::byte* read, std::byte* down) {
            regroup(type, rows, columns, read, down, scratch());
        };
    }
}

Result<std::vector<ExpertLayer>> layersForPacking(const ModelShape& shape, const gguf::Header& header) {
    const Result<ModelTensors> tensors = findTensors(shape, header);
    if (!tensors) return tensors.error();
    if (shape.isDense()) return std::vector<ExpertLayer>();
    std::vector<ExpertLayer> layers = expertLayers(shape, tensors.value());
    const uint64_t slice = static_cast<uint64_t>(kSliceRows) * longestRegroupedRow(layers);
    Result<Buffer> room = Buffer::allocate(slice, "There is no memory for regrouping weights");
    if (!room) return room.error();
    regroupAsRead(shape, layers, [held = std::make_shared<Buffer>(std::move(room).value())]() { return held->data(); });
    return layers;
}

} // namespace coterie::engine
