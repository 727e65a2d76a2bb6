// SPDX-License-Identifier: Apache-2.0
// The base of lists for QML: each says how many rows it has, and which value each of its roles has. The names of the
// roles are those of the enumeration Roles, which needs Q_ENUM. Lists name this class with its namespaces: qmllint
// finds it only so. Lives on the GUI thread.
//
//     enum Roles { TitleRole = Qt::UserRole + 1, ChatTitleRole }; // "title" and "chatTitle" in QML
#pragma once

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class RowList : public QAbstractListModel {
    Q_OBJECT
    QML_ANONYMOUS
  public:
    using QAbstractListModel::QAbstractListModel;

    virtual int count() const = 0;
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QHash<int, QByteArray> roleNames() const override;
};

} // namespace coterie::app
