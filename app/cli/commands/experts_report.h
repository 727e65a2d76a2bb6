// SPDX-License-Identifier: Apache-2.0
// The files and figures of the command experts: how often texts of several domains use each expert, after figures 4 to
// 6 of the SmallThinker paper (arXiv 2507.20984).
//
//   DOMAIN.experts.csv   layer,expert,uses,share,misses,weight       share: of the layer's uses; weight: the sum
//   DOMAIN.experts.png   a heat map of the shares: rows are layers, columns are experts
//   DOMAIN.neurons.csv   layer,least,q1,median,q3,most               shares of active neurons, over the tokens
//   DOMAIN.neurons.png   a box plot of them, a column for each layer
//   differences.csv      first,second,layer,expert,first_share,second_share,difference
#pragma once

#include "cli/png_file.h"
#include "records/expert_statistics.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coterie::app {

/// Measurements of reading a text.
struct ReadingCost {
    double seconds = 0;
    uint64_t hits = 0, misses = 0; ///< as the expert store counts them: once for a chunk of tokens
    uint64_t diskBytes = 0;
    std::optional<double> joules{}; ///< nothing if the machine does not tell

    void add(const ReadingCost& other);
};

struct Domain {
    std::string name;
    engine::ExpertUsage usage;
    std::vector<std::optional<engine::Spread>> neurons; ///< [layers]; nothing for a layer without ReLU
    ReadingCost cost{};

    bool hasNeurons() const;
};

/// Pixels of a cell of the heat map, which has no lines between cells.
inline constexpr int kCellSize = 8;
/// The box plot: height of the scale from 0 to 1, the border around it, and the width of a layer's column.
inline constexpr int kPlotHeight = 240, kPlotBorder = 10, kPlotColumn = 16;

/// The largest share of its layer's uses that any expert has in any domain, among layers that choose: the end of the
/// heat maps' common scale. 0 if nothing was used.
double largestShare(std::span<const Domain> domains);

std::string expertsCsv(const engine::ExpertUsage& usage);
/// A layer with fewer experts than others ends in cells of `noExpertColour`; one with a single expert is all of it.
Picture heatMap(const engine::ExpertUsage& usage, double scale);
uint32_t noExpertColour();

std::string neuronsCsv(std::span<const std::optional<engine::Spread>> neurons);
Picture boxPlot(std::span<const std::optional<engine::Spread>> neurons);

/// Lines of the most different experts between each two domains, the largest difference first.
std::string differencesCsv(std::span<const Domain> domains);

/// The figures of --resources for these counts: utilisation, gini, entropy_bits, seconds_per_token, hit_rate,
/// disk_bytes, joules_per_token. A figure without a measurement is null.
nlohmann::ordered_json resourcesJson(const engine::ExpertUsage& usage, const ReadingCost& cost);

} // namespace coterie::app
