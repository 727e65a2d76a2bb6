// SPDX-License-Identifier: Apache-2.0
// See expert_table.h. Rows are never moved: a list keeps its place while values change under it.
#include "inspector/expert_table.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {

ExpertTable::ExpertTable(QObject* parent) : RowList(parent) {
    connect(this, &ExpertTable::listingChanged, this, &ExpertTable::refresh);
}

void ExpertTable::setGrid(ExpertGrid* grid) {
    if (grid == grid_) return;
    if (grid_) disconnect(grid_, nullptr, this, nullptr);
    grid_ = grid;
    if (grid_) connect(grid_, &ExpertGrid::changed, this, &ExpertTable::refresh);
    refresh();
    Q_EMIT gridChanged();
}

std::vector<ExpertTable::Cell> ExpertTable::cells() const {
    std::vector<Cell> cells;
    if (!enabled_ || !grid_) return cells;
    for (int layer = 0; layer < grid_->layers(); ++layer)
        for (int expert = 0; grid_->has(layer, expert); ++expert)
            if (grid_->kind() == ExpertGrid::Places || grid_->value(layer, expert) != 0)
                cells.push_back({layer, expert});
    if (strongestFirst_)
        std::stable_sort(cells.begin(), cells.end(), [this](const Cell& a, const Cell& b) {
            return std::abs(grid_->value(a.layer, a.expert)) > std::abs(grid_->value(b.layer, b.expert));
        });
    return cells;
}

void ExpertTable::refresh() {
    const auto before = static_cast<int>(rows_.size());
    std::vector<Cell> now = cells();
    const auto count = static_cast<int>(now.size());
    if (count < before) {
        beginRemoveRows({}, count, before - 1);
        rows_.resize(static_cast<size_t>(count));
        endRemoveRows();
    }
    if (count > before) {
        beginInsertRows({}, before, count - 1);
        rows_ = std::move(now);
        endInsertRows();
    } else {
        rows_ = std::move(now);
    }
    if (count > 0) Q_EMIT dataChanged(index(0), index(count - 1));
    if (count != before) Q_EMIT countChanged();
}

QVariant ExpertTable::data(const QModelIndex& index, int role) const {
    if (!grid_ || !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Cell& cell = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case LayerNumberRole:
        return cell.layer;
    case ExpertNumberRole:
        return cell.expert;
    case ValueRole:
        return grid_->valueText(cell.layer, cell.expert);
    case TextRole:
        return grid_->cellText(cell.layer, cell.expert);
    }
    return {};
}

} // namespace coterie::app
