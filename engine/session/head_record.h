// SPDX-License-Identifier: Apache-2.0
// What was measured of a model's derived head predictor, kept in a small file of its own from one run to the next.
// Whatever is wrong with the file or its folder, the answer is that nothing is known yet: it costs measuring anew.
//
// The file, little-endian: | "coterhed" | version u32 | calibration u32 | validation u32 | agreeing u32 | margin f32 |
// zero u32 | shares of rows f64 | worth below f64 | checksum u64 of all before |. Its name tells the model.
#pragma once

#include "decoder/head_agreement.h"
#include "gguf/model_file.h"

#include <string>

namespace coterie::engine {

class HeadRecord {
  public:
    /// `folder` is there, or nothing will be kept; `files` outlives this. The model is told by its size and by samples
    /// of its head, which are read from it.
    HeadRecord(FileSystem& files, const std::string& folder, const ModelFile& model);

    /// What the file says; of a model never met, nothing was measured.
    const HeadAgreement& known() const { return known_; }
    /// Writes where more is known than before.
    void keep(const HeadAgreement& measured);

  private:
    FileSystem& files_;
    std::string path_; ///< empty: the model could not be told, or there is no folder
    HeadAgreement known_;
};

} // namespace coterie::engine
