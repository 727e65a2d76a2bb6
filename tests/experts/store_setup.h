// SPDX-License-Identifier: Apache-2.0
// A small file of experts whose every byte is known, a store over it, and what tests ask of both.
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

inline constexpr int layerCount = 3, expertCount = 8;
inline constexpr uint64_t partBytes[] = {96, 96,
                                         160}; // gate, up, down of one expert: small, so that every byte is looked at
inline constexpr const char* partNames[] = {"gate", "up", "down"};

inline std::string tensorName(int layer, size_t part) {
    return "blk." + std::to_string(layer) + ".ffn_" + partNames[part] + "_exps.weight";
}

/// What byte `index` of an expert's part must be: different for every expert and part.
inline unsigned char expected(int layer, size_t part, int expert, uint64_t index) {
    return static_cast<unsigned char>(layer * 89 + static_cast<int>(part) * 31 + expert * 7 +
                                      static_cast<int>(index % 251) * 3 + 1);
}

/// Holds a file, a store over it, and everything they need.
struct StoreSetup {
    QTemporaryDir folder;
    FaultyFiles files;
    std::unique_ptr<engine::ModelFile> model;
    std::unique_ptr<engine::ExpertStore> store;
    std::vector<engine::ExpertLayer> layers;
    bool direct = false;
    bool arranges = false;           ///< down's bytes are turned over
    std::function<void()> arranging; ///< called before they are

    bool openModel() {
        GgufWriter w;
        for (int layer = 0; layer < layerCount; ++layer)
            for (size_t part = 0; part < 3; ++part) {
                std::string data;
                for (int expert = 0; expert < expertCount; ++expert)
                    for (uint64_t i = 0; i < partBytes[part]; ++i)
                        data += static_cast<char>(expected(layer, part, expert, i));
                w.tensor(tensorName(layer, part), {partBytes[part] / 4, 1, expertCount}, 0, data);
            }
        const std::string path = folder.filePath("experts.gguf").toStdString();
        if (!engine::writeWholeFile(engine::systemFiles(), path, w.bytes())) return false;
        auto opened = engine::ModelFile::open(files, path);
        if (!opened) return false;
        model = std::move(opened).value();
        for (int layer = 0; layer < layerCount; ++layer) {
            engine::ExpertLayer described;
            described.experts = expertCount;
            for (size_t part = 0; part < 3; ++part)
                described.parts.push_back({model->header().tensor(tensorName(layer, part)), partBytes[part]});
            if (arranges)
                described.parts.back().arrange = [this](const std::byte* read, std::byte* part) {
                    if (arranging) arranging();
                    std::transform(read, read + partBytes[2], part, [](std::byte byte) { return ~byte; });
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
    engine::Status request(int layer, std::span<const int> experts, std::span<bool> hit = {}) const {
        std::vector<engine::ExpertDemand> demands;
        for (const int expert : experts)
            if (expert >= 0 && expert < expertCount) demands.push_back({expert, 1});
        if (layer < layerCount) store->reach(layer, demands, 1);
        return store->request(layer, experts, hit);
    }
    /// "" where every byte of the expert is right, else what is wrong.
    std::string check(int layer, int expert) const {
        const auto parts = store->wait(layer, expert);
        if (!parts) return parts.error().line();
        for (size_t part = 0; part < 3; ++part)
            for (uint64_t i = 0; i < partBytes[part]; ++i)
                if (byteOf(parts.value(), part, i) != expected(layer, part, expert, i))
                    return std::string("a wrong byte of ") += partNames[part];
        return {};
    }
    unsigned char byteOf(const engine::ExpertParts& parts, size_t part, uint64_t index) const {
        const std::byte byte = parts[part][index];
        return static_cast<unsigned char>(arranges && part == 2 && parts.arranged ? ~byte : byte);
    }
    /// Requests, checks and releases. Whether it was arranged.
    bool useArranged(int layer, int expert, std::string* wrong) const {
        const std::array wanted{expert};
        if (engine::Status asked = request(layer, wanted); !asked) return false;
        const auto parts = store->wait(layer, expert);
        if (const std::string result = check(layer, expert); !result.empty()) *wrong = result;
        store->release(layer, wanted);
        return parts.ok() && parts->arranged;
    }
    /// Requests, checks and releases. True where it was a hit.
    bool use(int layer, int expert, std::string* wrong = nullptr) const {
        bool hit = false;
        const std::array wanted{expert};
        engine::Status asked = request(layer, wanted, {&hit, 1});
        const std::string result = asked ? check(layer, expert) : asked.error().line();
        if (asked) store->release(layer, wanted);
        if (wrong && !result.empty()) *wrong = result;
        return hit;
    }
};

} // namespace coterie::test
