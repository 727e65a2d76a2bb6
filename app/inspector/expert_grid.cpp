// SPDX-License-Identifier: Apache-2.0
// See expert_grid.h.
#include "inspector/expert_grid.h"

#include "experts/expert_store.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr double kThousand = 1000;
constexpr double kMilliseconds = 1000;                     // in a second
constexpr double kLeastPoints = 0.05, kWholePoints = 9.95; // between them one decimal is shown

QString mixerText(engine::LayerMixer mixer) {
    switch (mixer) {
    case engine::LayerMixer::Attention:
        break;
    case engine::LayerMixer::WindowedAttention:
        return ExpertGrid::tr("attention to the latest tokens");
    case engine::LayerMixer::DeltaRule:
        return ExpertGrid::tr("delta rule");
    case engine::LayerMixer::ShortConvolution:
        return ExpertGrid::tr("short convolution");
    }
    return ExpertGrid::tr("attention");
}

QString placeText(uint8_t state) {
    switch (static_cast<engine::ExpertState>(state)) {
    case engine::ExpertState::Arriving:
        return ExpertGrid::tr("being read");
    case engine::ExpertState::InMemory:
        return ExpertGrid::tr("in memory");
    case engine::ExpertState::OnDevice:
        return ExpertGrid::tr("in the GPU's memory");
    case engine::ExpertState::OnDisk:
        break;
    }
    return ExpertGrid::tr("on disk");
}

/// ".42": weights are below 1, so that the digit before the point says nothing.
QString shortWeight(double weight) {
    const QLocale locale;
    const double rounded = std::round(weight * 100) / 100;
    if (rounded >= 1) return locale.toString(rounded, 'f', 0);
    return weight > 0 ? locale.toString(rounded, 'f', 2).mid(1) : QString(); // ".00": used, with hardly any weight
}

/// "87", or "1.2k" from a thousand on, so that it fits into a cell.
QString shortCount(double count) {
    const QLocale locale;
    if (count < kThousand) return count > 0 ? locale.toString(count, 'f', 0) : QString();
    return ExpertGrid::tr("%1k").arg(locale.toString(count / kThousand, 'f', count < 10 * kThousand ? 1 : 0));
}

/// A dense layer among others with experts has no choice to show: its value would be the strongest of all.
void clearSingles(GridContent& content, const engine::ExpertIndex& index) {
    const auto& counts = content.expertsOfLayer;
    if (content.values.empty() || std::all_of(counts.begin(), counts.end(), [](int64_t count) { return count <= 1; }))
        return;
    for (size_t layer = 0; layer < counts.size(); ++layer)
        if (counts[layer] == 1) content.values[index.first(layer)] = 0;
}

} // namespace

QString ExpertGrid::pointsText(double difference) {
    const double size = std::abs(difference) * 100;
    if (size < kLeastPoints) return tr("no difference");
    const QString number = QLocale().toString(size, 'f', size < kWholePoints ? 1 : 0);
    return difference < 0 ? tr("%1 points less").arg(number) : tr("%1 points more").arg(number);
}

QStringList ExpertGrid::scaleEnds() const {
    switch (content_.kind) {
    case Weights:
        return {tr("not used"), tr("weight %1").arg(QLocale().toString(content_.most, 'f', 2))};
    case Counts:
        return {tr("not used"), tr("%Ln token(s)", nullptr, static_cast<int>(content_.most))};
    case Waits:
        return {tr("did not wait"), content_.most > 0 ? tr("waited %1").arg(waitText(content_.most)) : tr("waited")};
    case Difference:
        return {pointsText(-content_.most), pointsText(content_.most)};
    case Places:
        break;
    }
    return {QString(), QString()};
}

QString ExpertGrid::waitText(double seconds) {
    return tr("%1 ms").arg(QLocale().toString(seconds * kMilliseconds, 'f', 1));
}

void ExpertGrid::setContent(Content content) {
    for (int64_t& count : content.expertsOfLayer) count = std::max<int64_t>(count, 0);
    engine::ExpertIndex index(content.expertsOfLayer);
    const bool ofPlaces = content.kind == Places;
    content.values.resize(ofPlaces ? 0 : index.experts());
    content.places.resize(ofPlaces ? index.experts() : 0);
    for (std::vector<uint8_t>* const marks : {&content.waited, &content.hits})
        if (!marks->empty()) marks->resize(index.experts());
    clearSingles(content, index);
    if (content == content_) return;
    const bool reshaped = content.expertsOfLayer != content_.expertsOfLayer;
    const bool another = reshaped || content.kind != content_.kind;
    content_ = std::move(content);
    index_ = std::move(index);
    const auto& counts = content_.expertsOfLayer;
    experts_ = counts.empty() ? 0 : static_cast<int>(*std::max_element(counts.begin(), counts.end()));
    if (reshaped) Q_EMIT shapeChanged();
    Q_EMIT changed();
    if (another) refreshLegend();
}

void ExpertGrid::setLayers(std::vector<engine::LayerInfo> layers) {
    if (layers == layers_) return;
    layers_ = std::move(layers);
    Q_EMIT layersChanged();
}

bool ExpertGrid::recurs(int layer) const {
    return layer >= 0 && static_cast<size_t>(layer) < layers_.size() && layers_[static_cast<size_t>(layer)].recurs();
}

bool ExpertGrid::recurrent() const {
    return std::any_of(layers_.begin(), layers_.end(), [](const engine::LayerInfo& layer) { return layer.recurs(); });
}

bool ExpertGrid::sharedExperts() const {
    return std::any_of(layers_.begin(), layers_.end(),
                       [](const engine::LayerInfo& layer) { return layer.sharedExpert; });
}

bool ExpertGrid::single(int layer) const { return experts_ > 1 && has(layer, 0) && !has(layer, 1); }

QString ExpertGrid::layerText(int layer) const {
    const QString number = QLocale().toString(layer);
    const bool differ = std::any_of(layers_.begin(), layers_.end(), [this](const engine::LayerInfo& other) {
        return other.mixer != layers_.front().mixer;
    });
    if (!differ || layer < 0 || static_cast<size_t>(layer) >= layers_.size()) return tr("Layer %1").arg(number);
    return tr("Layer %1 (%2)").arg(number, mixerText(layers_[static_cast<size_t>(layer)].mixer));
}

void ExpertGrid::refreshLegend() {
    const Legend now{.kind = kind(), .most = most(), .marked = marked(), .onDevice = onDevice()};
    if (now == legend_) return;
    legend_ = now;
    Q_EMIT legendChanged();
}

void ExpertGrid::setTokens(qint64 tokens) {
    if (tokens == tokens_) return;
    tokens_ = tokens;
    Q_EMIT changed();
}

bool ExpertGrid::has(int layer, int expert) const { return index_.has(layer, expert); }

double ExpertGrid::value(int layer, int expert) const {
    if (!has(layer, expert)) return 0;
    const size_t at = index_.number(layer, expert);
    return kind() == Places ? content_.places[at] : content_.values[at];
}

bool ExpertGrid::isMarked(const std::vector<uint8_t>& marks, int layer, int expert) const {
    return has(layer, expert) && !marks.empty() && marks[index_.number(layer, expert)] != 0;
}

bool ExpertGrid::marked() const {
    return std::find(content_.waited.begin(), content_.waited.end(), 1) != content_.waited.end();
}

bool ExpertGrid::onDevice() const {
    const auto state = static_cast<uint8_t>(engine::ExpertState::OnDevice);
    return std::find(content_.places.begin(), content_.places.end(), state) != content_.places.end();
}

bool ExpertGrid::waited(int layer, int expert) const { return isMarked(content_.waited, layer, expert); }

bool ExpertGrid::hit(int layer, int expert) const { return isMarked(content_.hits, layer, expert); }

template <class Value>
std::span<const Value> ExpertGrid::ofLayer(const std::vector<Value>& all, int layer) const {
    if (!has(layer, 0) || all.empty()) return {};
    const auto at = static_cast<size_t>(layer);
    return std::span(all).subspan(index_.first(at), index_.expertsOf(at));
}

std::span<const double> ExpertGrid::values(int layer) const { return ofLayer(content_.values, layer); }

std::span<const uint8_t> ExpertGrid::places(int layer) const { return ofLayer(content_.places, layer); }

std::span<const uint8_t> ExpertGrid::waited(int layer) const { return ofLayer(content_.waited, layer); }

QString ExpertGrid::valueText(int layer, int expert) const {
    if (!has(layer, expert)) return {};
    const double is = value(layer, expert);
    switch (kind()) {
    case Weights:
        return QLocale().toString(is, 'f', 2);
    case Counts:
        return QLocale().toString(is, 'f', 0);
    case Places:
        return placeText(content_.places[index_.number(layer, expert)]);
    case Difference:
        return pointsText(is);
    case Waits:
        return waitText(is);
    }
    return {};
}

QString ExpertGrid::cellText(int layer, int expert) const { return cellText(layerText(layer), layer, expert); }

QString ExpertGrid::briefCellText(int layer, int expert) const {
    return cellText(tr("Layer %1").arg(QLocale().toString(layer)), layer, expert);
}

QString ExpertGrid::cellText(const QString& named, int layer, int expert) const {
    if (!has(layer, expert)) return {};
    QString said = valueText(layer, expert);
    if (kind() == Weights) said = value(layer, expert) > 0 ? tr("weight %1").arg(said) : tr("not used");
    if (kind() == Counts) said = tr("%1 of %Ln token(s)", nullptr, static_cast<int>(tokens_)).arg(said);
    if (kind() == Waits) said = value(layer, expert) > 0 ? tr("waited %1 for the disk").arg(said) : tr("did not wait");
    if (kind() == Difference) said = tr("%1 of its layer's uses").arg(said);
    if (single(layer) && kind() != Places) said = tr("dense, every token uses all of it");
    if (waited(layer, expert)) said = tr("%1, not read until it was needed").arg(said);
    if (!has(layer, 1)) return tr("%1: %2").arg(named, said);
    return tr("%1, expert %2: %3").arg(named, QLocale().toString(expert), said);
}

QString ExpertGrid::cellFigure(int layer, int expert) const { return figureOf(kind(), value(layer, expert)); }

QString ExpertGrid::figureOf(Kind kind, double is) {
    const QLocale locale;
    switch (kind) {
    case Weights:
        return shortWeight(is);
    case Counts:
        return shortCount(is);
    case Places:
    case Waits:
        return {};
    case Difference: {
        const double percent = std::round(is * 100);
        if (percent == 0) return {};
        return (percent > 0 ? QStringLiteral("+") : QString()) + locale.toString(percent, 'f', 0);
    }
    }
    return {};
}

} // namespace coterie::app
