// SPDX-License-Identifier: Apache-2.0
// How a model's expert store is opened: from the model's file or from its packed file, through the page cache or past
// it, with how many reads in flight. Inside decoder/ only.
#pragma once

#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "experts/expert_store.h"
#include "gguf/model_file.h"

#include <memory>
#include <vector>

namespace coterie::engine {

/// layers: with what is to be made of the parts as they are read. packedPath: of a packed file whose layout they have;
/// "": none.
Result<std::unique_ptr<ExpertStore>> openExpertStore(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                     const std::string& packedPath, const MemoryPlan& plan,
                                                     const ExpertStoreChoices& choices);

} // namespace coterie::engine
