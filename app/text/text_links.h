// SPDX-License-Identifier: Apache-2.0
// The links and images of a message whose lines are near the view, as rows for a Repeater: people reach them by key,
// and screen readers find them. Nothing opens or loads an address. Lives on the GUI thread.
#pragma once

#include "text/message_layout.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class TextLinks : public QAbstractListModel {
    Q_OBJECT
    QML_ANONYMOUS
  public:
    enum Roles {
        AddressRole = Qt::UserRole + 1, ///< address
        WordsRole,                      ///< words: the text of the link
        PlaceRole,                      ///< place: the rectangle of its first line
    };

    using QAbstractListModel::QAbstractListModel;

    /// Brings the rows up to date with the blocks between these heights.
    void update(const TextDocument& document, const MessageLayout& layout, qreal top, qreal bottom);
    void clear() { set({}); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    struct Link {
        TextPosition begin{};
        QString address{}, words{};
        QRectF place{};

        bool operator==(const Link& other) const = default;
    };

    void set(std::vector<Link> now);

    std::vector<Link> links_;
};

} // namespace coterie::app
