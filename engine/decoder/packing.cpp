// SPDX-License-Identifier: Apache-2.0
// See packing.h.
#include "decoder/packing.h"

#include "base/memory.h"
#include "decoder/model_tensors.h"
#include "kernels/regroup.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace coterie::engine {

void regroupAsRead(const ModelShape& shape, std::vector<ExpertLayer>& layers,
                   const std::function<std::byte*()>& scratch) {
    for (ExpertLayer& layer : layers) {
        if (!layer.canArrangeDown) continue;
        layer.arrangeDown = [rows = shape.width, columns = shape.feedForward, type = *layer.down.tensor->type,
                             scratch](const std::byte* read, std::byte* down) {
            regroup(type, rows, columns, read, down, scratch());
        };
    }
}

Result<std::vector<ExpertLayer>> layersForPacking(const ModelShape& shape, const gguf::Header& header) {
    const Result<ModelTensors> tensors = findTensors(shape, header);
    if (!tensors) return tensors.error();
    if (shape.experts == 0) return std::vector<ExpertLayer>();
    std::vector<ExpertLayer> layers = expertLayers(shape, tensors.value());
    uint64_t longestRow = 0;
    for (const ExpertLayer& layer : layers)
        if (layer.canArrangeDown)
            longestRow =
                std::max(longestRow, rowBytes(*layer.down.tensor->type, static_cast<uint64_t>(shape.feedForward)));
    Result<Buffer> room =
        Buffer::allocate(static_cast<uint64_t>(kSliceRows) * longestRow, "There is no memory for regrouping weights");
    if (!room) return room.error();
    regroupAsRead(shape, layers, [held = std::make_shared<Buffer>(std::move(room).value())]() { return held->data(); });
    return layers;
}

} // namespace coterie::engine
