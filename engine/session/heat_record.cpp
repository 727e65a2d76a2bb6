// SPDX-License-Identifier: Apache-2.0
// See heat_record.h.
#include "session/heat_record.h"

#include "session/model_identity.h"

#include <array>
#include <cstring>
#include <optional>

namespace coterie::engine {
namespace {

constexpr RecordKind kKind{.magic = "coterhot", .version = 1};
/// Earlier runs weigh as much as so many tokens, so that the heat follows what a person does now.
constexpr float kMostTokens = 4096;

uint64_t bytesOf(const ExpertIndex& experts) {
    return 2 * sizeof(uint32_t) + (experts.layers() + experts.experts()) * sizeof(float);
}

} // namespace

HeatRecord::HeatRecord(FileSystem& files, const std::string& folder, const ModelFile& model, const ExpertIndex& experts)
    : files_(files), place_(folder, "heat", folder.empty() ? std::nullopt : modelIdentity(model)), experts_(experts) {
    const std::optional<std::string> content = readRecord(files, place_, kKind, bytesOf(experts_));
    if (!content || content->size() != bytesOf(experts_)) return;
    std::array<uint32_t, 2> sizes;
    std::memcpy(sizes.data(), content->data(), sizeof sizes);
    if (sizes[0] != experts_.layers() || sizes[1] != experts_.experts()) return;
    ExpertHeat heat{.tokens = std::vector<float>(sizes[0]), .uses = std::vector<float>(sizes[1])};
    const char* at = content->data() + sizeof sizes;
    std::memcpy(heat.tokens.data(), at, heat.tokens.size() * sizeof(float));
    std::memcpy(heat.uses.data(), at + heat.tokens.size() * sizeof(float), heat.uses.size() * sizeof(float));
    if (!heat.fits(experts_)) return;
    heat.fade(kMostTokens);
    known_ = std::move(heat);
}

void HeatRecord::keep(const ExpertHeat& heat) {
    if (!heat.fits(experts_) || heat == known_) return;
    const std::array<uint32_t, 2> sizes{static_cast<uint32_t>(experts_.layers()),
                                        static_cast<uint32_t>(experts_.experts())};
    std::string content(reinterpret_cast<const char*>(sizes.data()), sizeof sizes);
    for (const std::vector<float>* counts : {&heat.tokens, &heat.uses})
        content.append(reinterpret_cast<const char*>(counts->data()), counts->size() * sizeof(float));
    if (writeRecord(files_, place_, kKind, content)) known_ = heat;
}

} // namespace coterie::engine
