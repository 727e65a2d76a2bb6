// SPDX-License-Identifier: Apache-2.0
// The grid of experts as a list of its cells, for screen readers and for reading exact values: every expert that has a
// value, and in the grid of places every one. It reads the same ExpertGrid as the picture. Lives on the GUI thread.
#pragma once

#include "inspector/expert_grid.h"

#include <QAbstractListModel>
#include <QPointer>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class ExpertTable : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::ExpertGrid* grid READ grid WRITE setGrid NOTIFY gridChanged FINAL)
    /// The strongest values first, in place of the order of the layers.
    Q_PROPERTY(bool strongestFirst READ strongestFirst WRITE setStrongestFirst NOTIFY orderChanged FINAL)
    /// While it is false, the list is empty and the grid is not read.
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged FINAL)
    Q_PROPERTY(int count READ count NOTIFY countChanged FINAL)
  public:
    enum Roles {
        LayerRole = Qt::UserRole,
        ExpertRole,
        ValueRole, ///< ExpertGrid::valueText()
        TextRole,  ///< ExpertGrid::cellText()
    };
    Q_ENUM(Roles)

    explicit ExpertTable(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    ExpertGrid* grid() const { return grid_; }
    void setGrid(ExpertGrid* grid);
    bool strongestFirst() const { return strongestFirst_; }
    void setStrongestFirst(bool strongestFirst);
    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);
    int count() const { return static_cast<int>(rows_.size()); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  Q_SIGNALS:
    void gridChanged();
    void orderChanged();
    void enabledChanged();
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
