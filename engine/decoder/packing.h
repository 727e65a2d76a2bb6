// SPDX-License-Identifier: Apache-2.0
// The layers of experts, with the functions that arrange an expert after it was read, for backends and for packed files
// (experts/packed_file.h).
#pragma once

#include "experts/expert_source.h"
#include "model/model_shape.h"

#include <functional>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Name of the layout that `arrangeDown` makes, for PackedFileKey. It changes with every change of the layout in
/// kernels/regroup.h.
inline constexpr std::string_view kSlotLayout = "regroup-1";

/// Sets arrangeDown on the layers that have canArrangeDown, so that their down matrices are regrouped after a read.
/// scratch: returns room for a slice, [kSliceRows, bytes of the longest row], which lives as long as the layers.
void regroupAsRead(const ModelShape& shape, std::vector<ExpertLayer>& layers,
                   const std::function<std::byte*()>& scratch);

/// Returns the layers as a device with all shortcuts has them, with scratch memory of their own. Their tensors are the
/// header's. Empty for a dense model, because its own file already has the layers in large pieces.
Result<std::vector<ExpertLayer>> layersForPacking(const ModelShape& shape, const gguf::Header& header);

} // namespace coterie::engine
