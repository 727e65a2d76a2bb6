// SPDX-License-Identifier: Apache-2.0
// See strip_model.h.
#include "inspector/strip_model.h"

#include <algorithm>

namespace coterie::app {

void StripModel::setRows(std::vector<Row> rows) {
    const int before = rows_.empty() ? 0 : rows_.front().position, now = rows.empty() ? 0 : rows.front().position;
    const auto old = static_cast<int>(rows_.size()), count = static_cast<int>(rows.size());
    // A few rows leave at the front: they move to the end, if there are new ones, and the others keep their places.
    // Else all are written over. Making a row anew would cost a view far more than another text.
    if (const int gone = now - before; gone > 0 && gone < old / 2) {
        const int reused = std::clamp(count - (old - gone), 0, gone);
        if (reused > 0) {
            beginMoveRows({}, 0, reused - 1, {}, old);
            std::rotate(rows_.begin(), rows_.begin() + reused, rows_.end());
            endMoveRows();
        }
        if (reused < gone) {
            beginRemoveRows({}, 0, gone - reused - 1);
            rows_.erase(rows_.begin(), rows_.begin() + (gone - reused));
            endRemoveRows();
        }
    }
    if (const auto kept = static_cast<int>(rows_.size()); kept > count) {
        beginRemoveRows({}, count, kept - 1);
        rows_.resize(static_cast<size_t>(count));
        endRemoveRows();
    }
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i] == rows[i]) continue;
        rows_[i] = rows[i];
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
    }
    if (const auto kept = static_cast<int>(rows_.size()); kept < count) {
        beginInsertRows({}, kept, count - 1);
        rows_.insert(rows_.end(), rows.begin() + kept, rows.end());
        endInsertRows();
    }
}

int StripModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant StripModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case PositionRole:
        return row.position;
    case WordsRole:
        return row.words;
    case ShareRole:
        return row.share;
    case ValueRole:
        return row.value;
    }
    return {};
}

QHash<int, QByteArray> StripModel::roleNames() const {
    return {{PositionRole, "position"}, {WordsRole, "words"}, {ShareRole, "share"}, {ValueRole, "value"}};
}

} // namespace coterie::app
