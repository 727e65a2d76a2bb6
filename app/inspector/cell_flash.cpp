// SPDX-License-Identifier: Apache-2.0
// See cell_flash.h.
#include "inspector/cell_flash.h"

#include "inspector/expert_grid.h"
#include "inspector/expert_map_item.h"
#include "look/colour_maps.h"

#include <QPainter>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kStepMs = 66; // 15 steps a second, as often as a live answer brings tokens to the map
// A token that is this late is waited for no longer. Until then two pictures would be due: one of each.
constexpr int kLateMs = 2 * kStepMs;
constexpr double kBrightest = 0.5; // opacity of a light: the colour of the cell stays to be seen
constexpr double kDark = 1e-6;     // below this level a light is out
constexpr qreal kGapFrom = 6;      // as in the map: cells that are this large have a gap of one pixel between them

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
    fade(kStepMs);
    for (int layer = 0; layer < grid.layers(); ++layer) {
        for (int expert = 0; grid.has(layer, expert); ++expert) {
            const bool waited = grid.waited(layer, expert);
            if (waited || grid.hit(layer, expert)) lights_[{layer, expert}] = {.waited = waited, .level = 1};
        }
    }
    if (lights_.empty()) return timer_.stop();
    timer_.start(kLateMs);
    Q_EMIT changed();
}

void CellFlash::clear() {
    token_ = -1;
    timer_.stop();
    if (lights_.empty()) return;
    lights_.clear();
    Q_EMIT changed();
}

double CellFlash::level(int layer, int expert) const {
    const auto light = lights_.find({layer, expert});
    return light == lights_.end() ? 0 : light->second.level;
}

void CellFlash::step() {
    fade(timer_.interval());
    if (lights_.empty())
        timer_.stop();
    else
        timer_.start(kStepMs);
    Q_EMIT changed();
}

void CellFlash::fade(int ms) {
    const double less = static_cast<double>(ms) / std::max(duration_, ms);
    for (auto& [cell, light] : lights_) light.level -= less;
    std::erase_if(lights_, [](const auto& light) { return light.second.level < kDark; });
}

QColor CellFlash::colourOf(const Light& light, const MapLook& look) {
    QColor colour = light.waited ? look.mark : QColor(mappedColour(ColourMap::Presence, 1, look.dark));
    colour.setAlphaF(static_cast<float>(kBrightest * light.level));
    return colour;
}

QColor CellFlash::over(const QColor& cell, int layer, int expert, const MapLook& look) const {
    const auto light = lights_.find({layer, expert});
    if (light == lights_.end()) return cell;
    const QColor above = colourOf(light->second, look);
    const auto mixed = [share = above.alphaF()](float a, float b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(mixed(above.redF(), cell.redF()), mixed(above.greenF(), cell.greenF()),
                            mixed(above.blueF(), cell.blueF()));
}

void CellFlash::draw(QPainter& painter, const MapPlaces& places, const MapLook& look) const {
    const qreal gap = std::min(places.cellWidth, places.cellHeight) >= kGapFrom ? 1 : 0;
    for (const auto& [cell, light] : lights_)
        painter.fillRect(places.cell(cell.first, cell.second).adjusted(0, 0, -gap, -gap), colourOf(light, look));
}

} // namespace coterie::app
