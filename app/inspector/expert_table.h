// SPDX-License-Identifier: Apache-2.0
// The grid of experts as a list of its cells, for screen readers and for reading exact values: every expert that has a
// value, and in the grid of places every one. It reads the same ExpertGrid as the picture. Lives on the GUI thread.
#pragma once

#include "common/row_list.h"
#include "inspector/expert_grid.h"

#include <QPointer>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class ExpertTable : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::ExpertGrid* grid READ grid WRITE setGrid NOTIFY gridChanged FINAL)
    /// The strongest values first, in place of the order of the layers.
    Q_PROPERTY(bool strongestFirst MEMBER strongestFirst_ NOTIFY listingChanged FINAL)
    /// While it is false, the list is empty and the grid is not read.
    Q_PROPERTY(bool enabled MEMBER enabled_ NOTIFY listingChanged FINAL)
    Q_PROPERTY(int count READ count NOTIFY countChanged FINAL)
  public:
    enum Roles {
        LayerNumberRole = Qt::UserRole,
        ExpertNumberRole,
        ValueRole, ///< ExpertGrid::valueText()
        TextRole,  ///< ExpertGrid::cellText()
    };
    Q_ENUM(Roles)

    explicit ExpertTable(QObject* parent = nullptr);

    ExpertGrid* grid() const { return grid_; }
    void setGrid(ExpertGrid* grid);
    int count() const override { return static_cast<int>(rows_.size()); }

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    void gridChanged();
    void listingChanged();
    void countChanged();

  private:
    struct Cell {
        int layer = 0, expert = 0;
    };

    void refresh();
    std::vector<Cell> cells() const;

    QPointer<ExpertGrid> grid_;
    bool strongestFirst_ = false, enabled_ = false;
    std::vector<Cell> rows_;
};

} // namespace coterie::app
