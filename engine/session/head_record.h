// SPDX-License-Identifier: Apache-2.0
// Keeps what was measured about a model's derived head predictor from one run to the next, in a small file
// (base/record_file.h) that is named after the model. If anything is wrong with the file or its folder, nothing is
// known and the predictor is measured again.
//
// The file, little-endian: | "coterhed" | version u32 | calibration u32 | validation u32 | agreeing u32 | margin f32 |
// zero u32 | shares of rows f64 | worth below f64 | checksum u64 of all before |.
#pragma once

#include "base/record_file.h"
#include "decoder/head_agreement.h"
#include "gguf/model_file.h"

#include <string>

namespace coterie::engine {

class HeadRecord {
  public:
    /// Without a folder nothing is kept. `files` must outlive this.
    HeadRecord(FileSystem& files, const std::string& folder, const ModelFile& model);

    /// The measurements from the file, or none if this model was never measured.
    const HeadAgreement& known() const { return known_; }
    /// Writes the file if more states were measured than before.
    void keep(const HeadAgreement& measured);

  private:
    FileSystem& files_;
    RecordPlace place_;
    HeadAgreement known_;
};

} // namespace coterie::engine
