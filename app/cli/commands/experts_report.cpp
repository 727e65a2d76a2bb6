// SPDX-License-Identifier: Apache-2.0
// See experts_report.h.
#include "cli/commands/experts_report.h"

#include "cli/format.h"
#include "export/colour_scale.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr int kShareDigits = 6;
constexpr size_t kMostDifferent = 20; // lines for each two domains: as many as people compare
constexpr bool kDark = false;         // figures are for documents

uint64_t usesIn(const ExpertUsage& usage, int layer) {
    const auto uses = usage.uses(layer);
    return std::accumulate(uses.begin(), uses.end(), uint64_t{0});
}

double shareOf(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

int layersOf(const ExpertUsage& usage) { return static_cast<int>(usage.expertsOfLayer().size()); }
int expertsIn(const ExpertUsage& usage, int layer) { return static_cast<int>(usage.uses(layer).size()); }

/// Joins fields of a CSV line.
std::string lineOf(std::initializer_list<std::string> fields) {
    std::string line;
    for (const std::string& field : fields) line += (line.empty() ? "" : ",") + field;
    return line + "\n";
}

std::string shareText(double share) { return numberText(share, kShareDigits); }

/// An expert of a layer and its place in usageDifference().
struct Place {
    int layer = 0, expert = 0;
    size_t index = 0;
};

/// Returns the places of the largest differences, except zeros, the largest first.
std::vector<Place> mostDifferent(const std::vector<double>& differences, std::span<const int64_t> expertsOfLayer) {
    std::vector<Place> places;
    size_t index = 0;
    for (size_t l = 0; l < expertsOfLayer.size(); ++l)
        for (int64_t e = 0; e < expertsOfLayer[l]; ++e, ++index)
            if (differences[index] != 0)
                places.push_back({.layer = static_cast<int>(l), .expert = static_cast<int>(e), .index = index});
    std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
        return std::abs(differences[a.index]) > std::abs(differences[b.index]);
    });
    if (places.size() > kMostDifferent) places.resize(kMostDifferent);
    return places;
}

std::string differencesOf(const Domain& first, const Domain& second) {
    const std::vector<double> differences = usageDifference(first.usage, second.usage);
    if (differences.empty()) return {};
    std::string lines;
    for (const Place& place : mostDifferent(differences, first.usage.expertsOfLayer())) {
        const auto share = [&place](const ExpertUsage& usage) {
            return shareText(shareOf(usage.usesOf(place.layer, place.expert), usesIn(usage, place.layer)));
        };
        lines += lineOf({csvText(first.name), csvText(second.name), std::to_string(place.layer),
                         std::to_string(place.expert), share(first.usage), share(second.usage),
                         shareText(differences[place.index])});
    }
    return lines;
}

/// Row of the plot for a share: 0 is the lowest one.
int plotRow(double share) {
    return kPlotBorder + static_cast<int>(std::lround((1 - std::clamp(share, 0.0, 1.0)) * kPlotHeight));
}

void drawBox(Picture& picture, int left, const Spread& spread) {
    constexpr int kBoxWidth = kPlotColumn - 4, kWhisker = 2, kMedian = 3;
    const MapAnchors colours = mapAnchors(ColourMap::Heat, kDark);
    const int top = plotRow(spread.most), bottom = plotRow(spread.least);
    const int boxTop = plotRow(spread.upperQuartile), boxBottom = plotRow(spread.lowerQuartile);
    picture.fill(left + (kPlotColumn - kWhisker) / 2, top, kWhisker, bottom - top + 1, colours.last);
    picture.fill(left + 2, boxTop, kBoxWidth, boxBottom - boxTop + 1, colours.through);
    picture.fill(left + 2, plotRow(spread.median) - kMedian / 2, kBoxWidth, kMedian, colours.last);
}

} // namespace

void ReadingCost::add(const ReadingCost& other) {
    seconds += other.seconds;
    hits += other.hits;
    misses += other.misses;
    diskBytes += other.diskBytes;
    joules = joules && other.joules ? std::optional(*joules + *other.joules) : std::nullopt;
}

bool Domain::hasNeurons() const {
    return std::any_of(neurons.begin(), neurons.end(), [](const auto& spread) { return spread.has_value(); });
}

double largestShare(std::span<const Domain> domains) {
    double largest = 0;
    for (const Domain& domain : domains) {
        for (int l = 0; l < layersOf(domain.usage); ++l) {
            const auto uses = domain.usage.uses(l);
            if (uses.size() > 1)
                largest =
                    std::max(largest, shareOf(*std::max_element(uses.begin(), uses.end()), usesIn(domain.usage, l)));
        }
    }
    return largest;
}

std::string expertsCsv(const ExpertUsage& usage) {
    std::string out = "layer,expert,uses,share,misses,weight\n";
    for (int l = 0; l < layersOf(usage); ++l) {
        const uint64_t all = usesIn(usage, l);
        for (int e = 0; e < expertsIn(usage, l); ++e)
            out += lineOf({std::to_string(l), std::to_string(e), std::to_string(usage.usesOf(l, e)),
                           shareText(shareOf(usage.usesOf(l, e), all)), std::to_string(usage.missesOf(l, e)),
                           numberText(usage.weightOf(l, e), kShareDigits)});
    }
    return out;
}

uint32_t noExpertColour() { return mapAnchors(ColourMap::Presence, kDark).first; }

Picture heatMap(const ExpertUsage& usage, double scale) {
    int most = 1;
    for (int l = 0; l < layersOf(usage); ++l) most = std::max(most, expertsIn(usage, l));
    Picture picture(most * kCellSize, layersOf(usage) * kCellSize, noExpertColour());
    for (int l = 0; l < layersOf(usage); ++l) {
        const uint64_t all = usesIn(usage, l);
        for (int e = 0; e < expertsIn(usage, l) && expertsIn(usage, l) > 1; ++e) {
            const double share = shareOf(usage.usesOf(l, e), all);
            const uint32_t colour = mappedColour(ColourMap::Heat, scale > 0 ? share / scale : 0, kDark);
            picture.fill(e * kCellSize, l * kCellSize, kCellSize, kCellSize, colour);
        }
    }
    return picture;
}

std::string neuronsCsv(std::span<const std::optional<Spread>> neurons) {
    std::string out = "layer,least,q1,median,q3,most\n";
    for (size_t l = 0; l < neurons.size(); ++l) {
        if (!neurons[l]) continue;
        const Spread& s = *neurons[l];
        out += lineOf({std::to_string(l), shareText(s.least), shareText(s.lowerQuartile), shareText(s.median),
                       shareText(s.upperQuartile), shareText(s.most)});
    }
    return out;
}

Picture boxPlot(std::span<const std::optional<Spread>> neurons) {
    constexpr int kGridLines = 4; // at 0, a quarter, a half, three quarters and 1
    const int width = static_cast<int>(neurons.size()) * kPlotColumn + 2 * kPlotBorder;
    Picture picture(width, kPlotHeight + 2 * kPlotBorder + 1, mapAnchors(ColourMap::Heat, kDark).first);
    for (int i = 0; i <= kGridLines; ++i)
        picture.fill(0, plotRow(static_cast<double>(i) / kGridLines), width, 1, noExpertColour());
    for (size_t l = 0; l < neurons.size(); ++l)
        if (neurons[l]) drawBox(picture, kPlotBorder + static_cast<int>(l) * kPlotColumn, *neurons[l]);
    return picture;
}

std::string differencesCsv(std::span<const Domain> domains) {
    std::string out = "first,second,layer,expert,first_share,second_share,difference\n";
    for (size_t i = 0; i < domains.size(); ++i)
        for (size_t j = i + 1; j < domains.size(); ++j) out += differencesOf(domains[i], domains[j]);
    return out;
}

ordered_json resourcesJson(const ExpertUsage& usage, const ReadingCost& cost) {
    uint64_t used = 0, experts = 0, layers = 0;
    double gini = 0, entropy = 0;
    for (int l = 0; l < layersOf(usage); ++l) {
        const auto uses = usage.uses(l);
        if (uses.size() < 2) continue;
        ++layers;
        experts += uses.size();
        used += uses.size() - static_cast<size_t>(std::count(uses.begin(), uses.end(), uint64_t{0}));
        gini += giniIndex(uses);
        entropy += entropyBits(uses);
    }
    const auto mean = [](double sum, uint64_t count) {
        return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
    };
    const std::optional<double> joules = cost.joules ? mean(*cost.joules, usage.tokens()) : std::nullopt;
    return {{"utilisation", rounded(mean(static_cast<double>(used), experts))},
            {"gini", rounded(mean(gini, layers))},
            {"entropy_bits", rounded(mean(entropy, layers))},
            {"seconds_per_token", rounded(mean(cost.seconds, usage.tokens()), 9)},
            {"hit_rate", rounded(mean(static_cast<double>(cost.hits), cost.hits + cost.misses))},
            {"disk_bytes", cost.diskBytes},
            {"joules_per_token", rounded(joules)}};
}

} // namespace coterie::app
