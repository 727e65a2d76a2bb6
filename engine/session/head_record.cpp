// SPDX-License-Identifier: Apache-2.0
// See head_record.h.
#include "session/head_record.h"

#include "base/hash.h"

#include <array>
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

/// Returns a key that recognises the model, or nothing if a sample can't be read.
std::optional<uint64_t> identityOf(const ModelFile& model) {
    constexpr uint64_t kSamples = 32, kSampleBytes = 256;
    const gguf::Header& header = model.header();
    const gguf::Tensor* head = header.tensor("output.weight");
    if (head == nullptr) head = header.tensor("token_embd.weight");
    if (head == nullptr || head->bytes < kSampleBytes) return std::nullopt;
    Hash hash;
    const std::array<uint64_t, 4> shape{model.size(), head->typeId, head->shape[0], head->shape[1]};
    hash.add(std::as_bytes(std::span(shape)));
    std::array<std::byte, kSampleBytes> sample;
    for (uint64_t i = 0; i < kSamples; ++i) {
        if (!model.read(*head, (head->bytes - kSampleBytes) / kSamples * i, sample)) return std::nullopt;
        hash.add(sample);
    }
    return hash.value();
}

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
    : files_(files), place_(folder, "head", folder.empty() ? std::nullopt : identityOf(model)) {
    if (const std::optional<Record> record = readRecord<Record>(files, place_)) known_ = measuredIn(*record);
}

void HeadRecord::keep(const HeadAgreement& measured) {
    if (measured.calibration == known_.calibration && measured.validation == known_.validation) return;
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
