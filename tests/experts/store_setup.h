// SPDX-License-Identifier: Apache-2.0
// A small file of experts whose every byte is known, a store over it, and functions with which tests check both.
#pragma once

#include "experts/expert_store.h"
#include "support/faulty_files.h"
#include "support/gguf_writer.h"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coterie::test {

inline constexpr int kLayerCount = 3, kExpertCount = 8;
/// Gate, up and down of one expert: small, so that every byte can be compared.
inline constexpr uint64_t kPartBytes[] = {96, 96, 160};
inline constexpr const char* kPartNames[] = {"gate", "up", "down"};

inline std::string tensorName(int layer, size_t part) {
    return "blk." + std::to_string(layer) + ".ffn_" + kPartNames[part] + "_exps.weight";
}

/// The value of byte `index` of an expert's part: different for every expert and part.
inline unsigned char expected(int layer, size_t part, int expert, uint64_t index) {
    return static_cast<unsigned char>(layer * 89 + static_cast<int>(part) * 31 + expert * 7 +
                                      static_cast<int>(index % 251) * 3 + 1);
}

/// A file, a store over it, and everything that they need.
struct StoreSetup {
    QTemporaryDir folder;
    FaultyFiles files;
    std::unique_ptr<engine::ModelFile> model;
    std::unique_ptr<engine::ExpertStore> store;
    std::vector<engine::ExpertLayer> layers;
    bool direct = false;
    bool arranges = false;           ///< arranging inverts the bits of down
    std::function<void()> arranging; ///< called before arranging
    uint64_t moreDown = 0;           ///< bytes that a down matrix of layers 0 and 2 has besides, a multiple of 4

    uint64_t partBytes(int layer, size_t part) const {
        return kPartBytes[part] + (part == 2 && layer % 2 == 0 ? moreDown : 0);
    }

    bool openModel() {
        GgufWriter w;
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (size_t part = 0; part < 3; ++part) {
                std::string data;
                for (int expert = 0; expert < kExpertCount; ++expert)
                    for (uint64_t i = 0; i < partBytes(layer, part); ++i)
                        data += static_cast<char>(expected(layer, part, expert, i));
                w.tensor(tensorName(layer, part), {partBytes(layer, part) / 4, 1, kExpertCount}, 0, data);
            }
        const std::string path = folder.filePath("experts.gguf").toStdString();
        if (!engine::writeWholeFile(engine::systemFiles(), path, w.bytes())) return false;
        auto opened = engine::ModelFile::open(files, path);
        if (!opened) return false;
        model = std::move(opened).value();
        for (int layer = 0; layer < kLayerCount; ++layer) {
            const auto matrix = [&](size_t part) {
                return engine::ExpertLayer::Matrix{model->header().tensor(tensorName(layer, part)),
                                                   partBytes(layer, part)};
            };
            engine::ExpertLayer described{
                .gate = matrix(0), .up = matrix(1), .down = matrix(2), .experts = kExpertCount};
            if (arranges)
                described.arrangeDown = [this, bytes = partBytes(layer, 2)](const std::byte* read, std::byte* down) {
                    if (arranging) arranging();
                    std::transform(read, read + bytes, down, [](std::byte byte) { return ~byte; });
                };
            layers.push_back(described);
        }
        return true;
    }
    engine::Result<std::unique_ptr<engine::ExpertStore>> create(const engine::ExpertStoreOptions& options,
                                                                int depth = 4) {
        auto source = engine::createTensorSource(*model, layers, direct);
        if (!source) return source.error();
        return engine::ExpertStore::create(std::move(source).value(), files.createReads(depth), options);
    }
    bool open(const engine::ExpertStoreOptions& options, int depth = 4) {
        if (!model && !openModel()) return false;
        store.reset();
        auto made = create(options, depth);
        if (!made) return false;
        store = std::move(made).value();
        return true;
    }
    bool open(uint64_t slots, int depth = 4) { return open(engine::ExpertStoreOptions{.slots = slots}, depth); }
    /// A pass of one token over the layer that has requested the experts.
    engine::Result<engine::LayerPass> request(int layer, std::span<const int> experts, std::span<bool> hit = {}) const {
        std::vector<engine::ExpertDemand> demands;
        for (const int expert : experts)
            if (expert >= 0 && expert < kExpertCount) demands.push_back({expert, 1});
        engine::LayerPass pass = store->beginLayer(layer, demands, 1);
        if (engine::Status asked = pass.request(experts, hit); !asked) return asked.error();
        return pass;
    }
    /// "" if every byte of the expert is right, else what is wrong.
    std::string check(engine::LayerPass& pass, int expert) const {
        const auto parts = pass.wait(expert);
        return parts ? differenceIn(parts.value(), pass.layer(), expert) : parts.error().line();
    }
    std::string differenceIn(const engine::ExpertParts& parts, int layer, int expert) const {
        const std::array at{parts.gate, parts.up, parts.down};
        for (size_t part = 0; part < at.size(); ++part)
            for (uint64_t i = 0; i < partBytes(layer, part); ++i) {
                const std::byte byte = part == 2 && parts.downArranged ? ~at[part][i] : at[part][i];
                if (static_cast<unsigned char>(byte) != expected(layer, part, expert, i))
                    return std::string("a wrong byte of ") += kPartNames[part];
            }
        return {};
    }
    /// Requests, checks and releases. Returns whether the expert was arranged.
    bool useArranged(int layer, int expert, std::string* wrong) const {
        auto pass = request(layer, std::array{expert});
        const auto parts = pass ? pass->wait(expert) : pass.error();
        const std::string result = parts ? differenceIn(parts.value(), layer, expert) : parts.error().line();
        if (!result.empty()) *wrong = result;
        return parts && parts->downArranged;
    }
    std::span<std::byte> lendSlots(uint64_t slots) const { return store->lend(slots * store->slotUse().bytesEach); }
    /// Requests, checks and releases. Returns whether it was a hit.
    bool use(int layer, int expert, std::string* wrong = nullptr) const {
        bool hit = false;
        auto pass = request(layer, std::array{expert}, {&hit, 1});
        const std::string result = pass ? check(*pass, expert) : pass.error().line();
        if (wrong && !result.empty()) *wrong = result;
        return hit;
    }
};

} // namespace coterie::test
