// SPDX-License-Identifier: Apache-2.0
// See text_frames.h.
#include "text/text_frames.h"

#include <algorithm>

namespace coterie::app {
namespace {

using Kind = TextBlock::Kind;

QString kindName(Kind kind) {
    switch (kind) {
    case Kind::Thought:
        return QStringLiteral("thought");
    case Kind::ToolCall:
        return QStringLiteral("call");
    case Kind::ToolResult:
        return QStringLiteral("result");
    case Kind::Table:
    case Kind::Formula:
        return QStringLiteral("table");
    default:
        return QStringLiteral("code");
    }
}

} // namespace

bool TextFrames::has(Kind kind, bool scrollable) const {
    switch (which_) {
    case Which::Code:
        return kind == Kind::Code || kind == Kind::ToolCall || kind == Kind::ToolResult;
    case Which::Thoughts:
        return kind == Kind::Thought;
    case Which::WideTables:
        return (kind == Kind::Table || kind == Kind::Formula) && scrollable;
    }
    return false;
}

std::vector<TextFrames::Frame> TextFrames::inView(const TextDocument& document, const MessageLayout& layout, qreal top,
                                                  qreal bottom) const {
    std::vector<Frame> frames;
    const int count = static_cast<int>(layout.blocks().size());
    for (int i = std::max(0, layout.blockAt(top)); i < count && layout.block(i).y < bottom; ++i) {
        const TextBlock& shown = document.block(i);
        const MessageLayout::Block& at = layout.block(i);
        if (!has(shown.kind, at.scrollable)) continue;
        const qreal inset = which_ == Which::Thoughts ? 0 : at.text.left() - at.left;
        const QRectF place(at.left, at.y, at.text.right() + inset - at.left, at.height);
        frames.push_back({.block = i,
                          .kind = shown.kind,
                          .label = shown.label,
                          .closed = shown.closed,
                          .unfolded = !shown.folded,
                          .place = place,
                          .room = at.text.translated(-place.topLeft()),
                          .extent = at.lines->naturalWidth(),
                          .scroll = at.scroll,
                          .seconds = shown.seconds,
                          .wrapped = at.wrapped});
    }
    return frames;
}

void TextFrames::update(const TextDocument& document, const MessageLayout& layout, qreal top, qreal bottom) {
    const std::vector<Frame> now = inView(document, layout, top, bottom);
    const auto gone = [&](const Frame& old) {
        return std::none_of(now.begin(), now.end(), [&](const Frame& frame) { return frame.block == old.block; });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!gone(frames_[static_cast<size_t>(row)])) continue;
        beginRemoveRows({}, row, row);
        frames_.erase(frames_.begin() + row);
        endRemoveRows();
    }
    for (size_t i = 0; i < now.size(); ++i) { // frames_ now has some of these rows, in the same order
        const int row = static_cast<int>(i);
        if (i >= frames_.size() || frames_[i].block != now[i].block) {
            beginInsertRows({}, row, row);
            frames_.insert(frames_.begin() + row, now[i]);
            endInsertRows();
        } else if (!(frames_[i] == now[i])) {
            frames_[i] = now[i];
            Q_EMIT dataChanged(index(row), index(row));
        }
    }
}

void TextFrames::clear() {
    if (frames_.empty()) return;
    beginResetModel();
    frames_.clear();
    endResetModel();
}

int TextFrames::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(frames_.size());
}

QVariant TextFrames::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Frame& frame = frames_[static_cast<size_t>(index.row())];
    switch (role) {
    case BlockRole:
        return frame.block;
    case KindRole:
        return kindName(frame.kind);
    case LabelRole:
        return frame.label;
    case ClosedRole:
        return frame.closed;
    case UnfoldedRole:
        return frame.unfolded;
    case PlaceRole:
        return frame.place;
    case RoomRole:
        return frame.room;
    case ExtentRole:
        return frame.extent;
    case ScrollRole:
        return frame.scroll;
    case SecondsRole:
        return frame.seconds;
    case WrappedRole:
        return frame.wrapped;
    default:
        return {};
    }
}

QHash<int, QByteArray> TextFrames::roleNames() const {
    return {{BlockRole, "block"},       {KindRole, "kind"},       {LabelRole, "label"},    {ClosedRole, "closed"},
            {UnfoldedRole, "unfolded"}, {PlaceRole, "place"},     {RoomRole, "room"},      {ExtentRole, "extent"},
            {ScrollRole, "scroll"},     {SecondsRole, "seconds"}, {WrappedRole, "wrapped"}};
}

} // namespace coterie::app
