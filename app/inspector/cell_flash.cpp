// SPDX-License-Identifier: Apache-2.0
// See cell_flash.h.
#include "inspector/cell_flash.h"

#include "inspector/expert_grid.h"
#include "inspector/expert_map.h"
#include "look/colour_maps.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kStepMs = 66; // 15 steps a second, as often as a live answer brings tokens to the map
// A token that is this late is waited for no longer. Until then two pictures would be due: one of each.
constexpr int kLateMs = 2 * kStepMs;
constexpr double kDark = 1e-6; // below this level a light is out

} // namespace

CellFlash::CellFlash(QObject* parent) : QObject(parent) { connect(&timer_, &QTimer::timeout, this, &CellFlash::step); }

void CellFlash::setDuration(int ms) {
    duration_ = ms;
    if (duration_ <= 0) clear();
}

void CellFlash::light(const ExpertGrid& grid) {
    const int token = grid.content().token;
    if (token == token_) return;
    token_ = token;
    if (duration_ <= 0 || token < 0) return;
    const GridContent& content = grid.content();
    engine::ExpertIndex index(content.expertsOfLayer);
    if (index != index_) {
        index_ = std::move(index);
        lights_.assign(index_.experts(), {});
    }
    fade(kStepMs);
    for (const bool waited : {false, true}) {
        const std::vector<uint8_t>& marks = waited ? content.waited : content.hits;
        for (size_t i = 0; i < marks.size(); ++i)
            if (marks[i] != 0) lights_[i] = {.waited = waited, .level = 1};
    }
    countLit();
    if (rests()) return timer_.stop();
    timer_.start(kLateMs);
    Q_EMIT changed();
}

void CellFlash::clear() {
    token_ = -1;
    timer_.stop();
    if (rests()) return;
    lights_.assign(lights_.size(), {});
    countLit();
    Q_EMIT changed();
}

double CellFlash::level(int layer, int expert) const {
    return index_.has(layer, expert) ? lights_[index_.number(layer, expert)].level : 0;
}

void CellFlash::step() {
    fade(timer_.interval());
    countLit();
    if (rests())
        timer_.stop();
    else
        timer_.start(kStepMs);
    Q_EMIT changed();
}

void CellFlash::fade(int ms) {
    const double less = static_cast<double>(ms) / std::max(duration_, ms);
    for (Light& light : lights_) {
        light.level -= less;
        if (light.level < kDark) light.level = 0;
    }
}

void CellFlash::countLit() {
    lit_ = std::count_if(lights_.begin(), lights_.end(), [](const Light& light) { return light.level > 0; });
}

QRgb CellFlash::over(QRgb cell, int layer, int expert, const MapLook& look) const {
    const double share = level(layer, expert);
    if (share <= 0) return cell;
    const bool waited = lights_[index_.number(layer, expert)].waited;
    const QRgb light = waited ? look.mark.rgb() : mappedColour(ColourMap::Presence, 1, look.dark);
    const auto mixed = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return qRgb(mixed(qRed(light), qRed(cell)), mixed(qGreen(light), qGreen(cell)), mixed(qBlue(light), qBlue(cell)));
}

} // namespace coterie::app
