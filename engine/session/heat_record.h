// SPDX-License-Identifier: Apache-2.0
// Keeps from one run to the next how often each expert of a model was used (experts/expert_heat.h), in a small file
// (base/record_file.h) that is named after the model. If anything is wrong with the file or its folder, nothing is
// known. It has counts of experts, and nothing of any text.
//
// The file's content, little-endian: | layers u32 | experts u32 | tokens f32 [layers] | uses f32 [experts] |.
#pragma once

#include "base/record_file.h"
#include "experts/expert_heat.h"
#include "experts/expert_index.h"
#include "gguf/model_file.h"

#include <string>

namespace coterie::engine {

class HeatRecord {
  public:
    /// Without a folder nothing is kept. `files` must outlive this. experts: those of the model's layers.
    HeatRecord(FileSystem& files, const std::string& folder, const ModelFile& model, const ExpertIndex& experts);

    /// The heat of earlier runs, which weighs no more than a few thousand tokens; empty if there is none.
    const ExpertHeat& known() const { return known_; }
    /// Writes the file if experts were used since.
    void keep(const ExpertHeat& heat);

  private:
    FileSystem& files_;
    RecordPlace place_;
    const ExpertIndex experts_;
    ExpertHeat known_;
};

} // namespace coterie::engine
