// SPDX-License-Identifier: Apache-2.0
// The tokens around the current one, as rows of a list. A row that stays is kept, so that an answer that grows costs
// one row a token. Lives on the GUI thread.
#pragma once

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class StripModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
  public:
    enum Roles {
        PositionRole = Qt::UserRole, ///< a position of the trace
        WordsRole,                   ///< the text that the token wrote
        ShareRole,                   ///< 0..1: the strength of its colour
        ValueRole,                   ///< its measure as text; empty if it has none
    };
    Q_ENUM(Roles)

    struct Row {
        int position = 0;
        QString words{};
        double share = 0;
        QString value{};
        bool operator==(const Row&) const = default;
    };

    explicit StripModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    /// Shows these rows, whose positions follow each other.
    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    std::vector<Row> rows_;
};

} // namespace coterie::app
