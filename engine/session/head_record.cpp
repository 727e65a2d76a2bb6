// SPDX-License-Identifier: Apache-2.0
// See head_record.h.
#include "session/head_record.h"

#include "session/model_identity.h"

#include <cmath>
#include <optional>

namespace coterie::engine {
namespace {

/// The content as it is stored in the file.
struct Record {
    static constexpr std::string_view kMagic = "coterhed";
    static constexpr uint32_t kVersion = 1;
    char magic[8];
    uint32_t version, calibration, validation, agreeing;
    float margin;
    uint32_t zero;
    double rowShares, worthBelow;
    uint64_t checksum;
};
static_assert(sizeof(Record) == 56);

/// Returns empty measurements if the numbers are not possible.
HeadAgreement measuredIn(const Record& record) {
    const bool sensible = record.calibration <= HeadAgreement::kCalibrationStates &&
                          record.validation <= HeadAgreement::kValidationStates &&
                          record.agreeing <= record.validation && record.margin >= 0 && record.rowShares >= 0 &&
                          record.rowShares <= record.validation && std::isfinite(record.worthBelow);
    if (!sensible) return {};
    return {.calibration = record.calibration,
            .margin = record.margin,
            .validation = record.validation,
            .agreeing = record.agreeing,
            .rowShares = record.rowShares,
            .worthBelow = record.worthBelow};
}

} // namespace

HeadRecord::HeadRecord(FileSystem& files, const std::string& folder, const ModelFile& model)
    : files_(files), place_(folder, "head", folder.empty() ? std::nullopt : modelIdentity(model)) {
    if (const std::optional<Record> record = readRecord<Record>(files, place_)) known_ = measuredIn(*record);
}

void HeadRecord::keep(const HeadAgreement& measured) {
    // A device that measures nothing, or none at all, knows less than the file.
    if (measured.calibration + measured.validation <= known_.calibration + known_.validation) return;
    const bool written = writeRecord<Record>(files_, place_,
                                             {.magic = {},
                                              .version = 0,
                                              .calibration = static_cast<uint32_t>(measured.calibration),
                                              .validation = static_cast<uint32_t>(measured.validation),
                                              .agreeing = static_cast<uint32_t>(measured.agreeing),
                                              .margin = measured.margin,
                                              .zero = 0,
                                              .rowShares = measured.rowShares,
                                              .worthBelow = measured.worthBelow,
                                              .checksum = 0});
    if (written) known_ = measured;
}

} // namespace coterie::engine
