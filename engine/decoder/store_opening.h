// SPDX-License-Identifier: Apache-2.0
// Opens a model's expert store: it reads the model's file or its packed file, through the page cache or past it, with
// the right number of reads in flight. Inside decoder/ only.
#pragma once

#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "experts/expert_store.h"
#include "gguf/model_file.h"

#include <memory>
#include <vector>

namespace coterie::engine {

/// layers: they have arrangeDown if their down matrices shall be regrouped. packedPath: path of a packed file that has
/// the same layout; "": none. heat: see ExpertStoreOptions.
Result<std::unique_ptr<ExpertStore>> openExpertStore(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                     const std::string& packedPath, const MemoryPlan& plan,
                                                     const ExpertStoreChoices& choices, const ExpertHeat& heat);

} // namespace coterie::engine
