// SPDX-License-Identifier: Apache-2.0
// See head_record.h.
#include "session/head_record.h"

#include "base/hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace coterie::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

struct Record {
    char magic[8];
    uint32_t version, calibration, validation, agreeing;
    float margin;
    uint32_t zero;
    double rowShares, worthBelow;
    uint64_t checksum; ///< of the bytes before
};
static_assert(sizeof(Record) == 56);

constexpr std::string_view kMagic = "coterhed";
constexpr uint32_t kVersion = 1;

/// Nothing where a sample can't be read.
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

uint64_t checksumOf(const Record& record) {
    Hash hash;
    hash.add(std::as_bytes(std::span(&record, 1)).first(offsetof(Record, checksum)));
    return hash.value();
}

std::string encode(const HeadAgreement& measured) {
    Record record{.magic = {},
                  .version = kVersion,
                  .calibration = static_cast<uint32_t>(measured.calibration),
                  .validation = static_cast<uint32_t>(measured.validation),
                  .agreeing = static_cast<uint32_t>(measured.agreeing),
                  .margin = measured.margin,
                  .zero = 0,
                  .rowShares = measured.rowShares,
                  .worthBelow = measured.worthBelow,
                  .checksum = 0};
    std::copy(kMagic.begin(), kMagic.end(), record.magic);
    record.checksum = checksumOf(record);
    return std::string(reinterpret_cast<const char*>(&record), sizeof record);
}

/// Nothing measured where the bytes are not a record that encode() could have made.
HeadAgreement decode(std::string_view bytes) {
    Record record;
    if (bytes.size() != sizeof record) return {};
    std::memcpy(&record, bytes.data(), sizeof record);
    const bool whole = std::string_view(record.magic, sizeof record.magic) == kMagic && record.version == kVersion &&
                       record.checksum == checksumOf(record);
    const bool sensible = record.calibration <= HeadAgreement::kCalibrationStates &&
                          record.validation <= HeadAgreement::kValidationStates &&
                          record.agreeing <= record.validation && record.margin >= 0 && record.rowShares >= 0 &&
                          record.rowShares <= record.validation && std::isfinite(record.worthBelow);
    if (!whole || !sensible) return {};
    return {.calibration = record.calibration,
            .margin = record.margin,
            .validation = record.validation,
            .agreeing = record.agreeing,
            .rowShares = record.rowShares,
            .worthBelow = record.worthBelow};
}

} // namespace

HeadRecord::HeadRecord(FileSystem& files, const std::string& folder, const ModelFile& model) : files_(files) {
    if (folder.empty()) return;
    const std::optional<uint64_t> identity = identityOf(model);
    if (!identity) return;
    char name[32];
    std::snprintf(name, sizeof name, "head-%016llx", static_cast<unsigned long long>(*identity));
    path_ = folder + "/" + name;
    if (const Result<std::string> bytes = readWholeFile(files, path_, sizeof(Record))) known_ = decode(bytes.value());
}

void HeadRecord::keep(const HeadAgreement& measured) {
    if (path_.empty() || (measured.calibration == known_.calibration && measured.validation == known_.validation))
        return;
    if (writeWholeFile(files_, path_, encode(measured))) known_ = measured;
}

} // namespace coterie::engine
