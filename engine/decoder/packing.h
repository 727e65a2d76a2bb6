// SPDX-License-Identifier: Apache-2.0
// What becomes of experts between the file and a slot: their layers with the functions that arrange them, for the
// device and for whoever packs them once and for all (experts/packed_file.h).
#pragma once

#include "decoder/model_shape.h"
#include "experts/expert_source.h"

#include <functional>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Names what `arrange` makes of the parts, for PackedFileKey: a new name with every change of kernels/regroup.h's
/// layout.
inline constexpr std::string_view kSlotLayout = "regroup-1";

/// Has the down matrices regrouped once they are read, where neurons can be left out. scratch: a slice, [sliceRows,
/// bytes of the longest row]; lives as long as the layers.
void regroupAsRead(const ModelShape& shape, std::vector<ExpertLayer>& layers,
                   const std::function<std::byte*()>& scratch);

/// The layers as the device has them with all its shortcuts, with room of their own to do it. Their tensors are the
/// header's. Empty for a dense model: its layers are large pieces in the file as it is.
Result<std::vector<ExpertLayer>> layersForPacking(const ModelShape& shape, const gguf::Header& header);

} // namespace coterie::engine
