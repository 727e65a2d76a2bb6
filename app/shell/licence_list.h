// SPDX-License-Identifier: Apache-2.0
// Our licence and those of others whose work the program contains or loads, for the page "Licences". The texts are
// those of resources/licences, which packages have as files, too. Lives on the GUI thread.
#pragma once

#include "common/row_list.h"

#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class LicenceList : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
  public:
    enum Roles { TitleRole = Qt::UserRole, LicenceRole, TextRole };
    Q_ENUM(Roles)

    explicit LicenceList(QObject* parent = nullptr);

    int count() const override { return static_cast<int>(rows_.size()); }
    /// TextRole reads the text from the program's resources each time: it is long, and few people open one.
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    struct Row {
        QString title, licence, path;
    };
    std::vector<Row> rows_;
};

} // namespace coterie::app
