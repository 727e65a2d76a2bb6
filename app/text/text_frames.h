// SPDX-License-Identifier: Apache-2.0
// The blocks of a message around which the window draws something (code, calls, thoughts, wide tables), as rows for a
// Repeater: only those that are near the view, so that a long message has few items. Lives on the GUI thread.
#pragma once

#include "text/message_layout.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class TextFrames : public QAbstractListModel {
    Q_OBJECT
    QML_ANONYMOUS
  public:
    enum Roles {
        BlockRole = Qt::UserRole + 1, ///< block: index in the message
        KindRole,                     ///< kind: "code", "call", "result", "thought", "table"
        LabelRole,                    ///< label
        ClosedRole,                   ///< closed
        UnfoldedRole,                 ///< unfolded
        PlaceRole,                    ///< place: the rectangle of the whole block
        RoomRole,                     ///< room: the rectangle of its text, from the corner of the place
        ExtentRole,                   ///< extent: the width that its text would need
        ScrollRole,                   ///< scroll: how far its text is moved to the left
        SecondsRole,                  ///< seconds: how long the model wrote a thought; 0: not known
        WrappedRole,                  ///< wrapped: the lines of code are broken
    };

    /// The blocks that a model has. Code: also calls and their results. A table is wide if it can be scrolled.
    enum class Which { Code, Thoughts, WideTables };

    explicit TextFrames(Which which, QObject* parent = nullptr) : QAbstractListModel(parent), which_(which) {}

    /// Brings the rows up to date with the blocks between these heights.
    void update(const TextDocument& document, const MessageLayout& layout, qreal top, qreal bottom);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    struct Frame {
        int block = 0;
        TextBlock::Kind kind{};
        QString label{};
        bool closed = false, unfolded = false;
        QRectF place{}, room{};
        qreal extent = 0, scroll = 0;
        double seconds = 0;
        bool wrapped = false;

        bool operator==(const Frame& other) const = default;
    };

    bool has(TextBlock::Kind kind, bool scrollable) const;
    std::vector<Frame> inView(const TextDocument& document, const MessageLayout& layout, qreal top, qreal bottom) const;

    std::vector<Frame> frames_;
    Which which_;
};

} // namespace coterie::app
