// SPDX-License-Identifier: Apache-2.0
// How far the logits of a device may be from those of the float64 decoder, and that decoder with the device's choices.
#pragma once

#include "decoder/loaded_model.h"

#include <cmath>
#include <optional>
#include <vector>

namespace coterie::test {

// The oracle mirrors the KV cache's half precision and the 8-bit inputs of integer formats. Two things are left: floats
// against doubles, which is little (2^-24 for each operation), and values that this little takes across the edge of a
// rounding step. They then differ by a whole step, and the layers that follow round other values again: in the worst
// case the roundings of engine and oracle have nothing in common. A rounding to steps of relative size 2 s is off by at
// most s, by s / sqrt(3) on average (the root of the mean square), and two that have nothing in common by sqrt(2) times
// that. n such roundings one after the other add up to sqrt(n) times as much.
inline bool isInteger(engine::TensorType type) {
    return type != engine::TensorType::F32 && type != engine::TensorType::F16 && type != engine::TensorType::BF16;
}
/// The largest difference as a share of the logits' norm. type: the format of the matrices.
inline double tolerance(engine::TensorType type, const OracleModel& model) {
    const double apart = std::sqrt(2.0 / 3), n = static_cast<double>(model.layers.size());
    const double half = std::ldexp(1, -11);                       // a half has 11 significant bits
    if (!isInteger(type)) return apart * half * std::sqrt(2 * n); // keys and values of each layer
    const double peak = std::sqrt(2 * std::log(2.0 * 32));        // largest of 32 normal values, in deviations
    const double step = peak / 127 / 2;
    const double own = model.layerEmbedding != 0 ? 2 * n + 1 : 0; // inputs of its gate and output, and the projection's
    // Inputs of attention, its output, gate and up, down; then the head's.
    return apart * step * std::sqrt(4 * n + 1 + own);
}
/// The same as a difference of router logits, whose deviation is 2: both the last expert that the oracle chooses and
/// the one that the engine chose instead may be off.
inline double choiceTolerance(double tolerance) { return 2 * 2 * tolerance; }

struct ChoiceRecorder final : engine::TraceSink {
    OracleChoices choices;
    void layerDone(int64_t position, int layer, std::span<const engine::ExpertUse> uses, double) override {
        const auto at = static_cast<size_t>(position), l = static_cast<size_t>(layer);
        choices.resize(std::max(choices.size(), at + 1));
        choices[at].resize(std::max(choices[at].size(), l + 1));
        for (const engine::ExpertUse& use : uses) choices[at][l].push_back(use.expert);
    }
    void tokenDone(int64_t, int64_t, double) override {}
};

/// The oracle with the engine's choices of experts. It runs again only if another table has chosen other experts.
class Oracle {
  public:
    Oracle(const OracleModel& model, const std::vector<int32_t>& tokens) : model_(model), tokens_(tokens) {}
    const OracleRun& with(const OracleChoices& choices) {
        if (!run_ || choices != choices_) run_ = runOracle(model_, tokens_, choices.empty() ? nullptr : &choices);
        choices_ = choices;
        return *run_;
    }

  private:
    const OracleModel& model_;
    const std::vector<int32_t>& tokens_;
    OracleChoices choices_;
    std::optional<OracleRun> run_;
};

} // namespace coterie::test
