// SPDX-License-Identifier: Apache-2.0
// See text_links.h.
#include "text/text_links.h"

#include <algorithm>

namespace coterie::app {

void TextLinks::update(const TextDocument& document, const MessageLayout& layout, qreal top, qreal bottom) {
    std::vector<Link> links;
    const int count = static_cast<int>(layout.blocks().size());
    for (int i = std::max(0, layout.blockAt(top)); i < count && layout.block(i).y < bottom; ++i) {
        if (!layout.block(i).shown) continue;
        const TextBlock& block = document.block(i);
        const std::vector<TextFormat>& formats = block.formats;
        for (size_t first = 0; first < formats.size(); ++first) {
            if (!formats[first].isLink()) continue;
            size_t last = first; // parts of a link may look different
            while (last + 1 < formats.size() && formats[last + 1].isLink() &&
                   formats[last + 1].begin == formats[last].end() && formats[last + 1].target == formats[first].target)
                ++last;
            const TextPosition begin{i, formats[first].begin}, end{i, formats[last].end()};
            const std::vector<QRectF> places = layout.rectangles({begin, end}, top, bottom);
            if (!places.empty())
                links.push_back({.begin = begin,
                                 .address = formats[first].target,
                                 .words = block.text.mid(begin.offset, end.offset - begin.offset),
                                 .place = places.front()});
            first = last;
        }
    }
    set(std::move(links));
}

/// Keeps the rows whose links are still there, so that one keeps the focus.
void TextLinks::set(std::vector<Link> now) {
    const auto gone = [&](const Link& old) {
        return std::none_of(now.begin(), now.end(), [&](const Link& link) { return link.begin == old.begin; });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!gone(links_[static_cast<size_t>(row)])) continue;
        beginRemoveRows({}, row, row);
        links_.erase(links_.begin() + row);
        endRemoveRows();
    }
    for (size_t i = 0; i < now.size(); ++i) { // links_ now has some of these rows, in the same order
        const int row = static_cast<int>(i);
        if (i >= links_.size() || !(links_[i].begin == now[i].begin)) {
            beginInsertRows({}, row, row);
            links_.insert(links_.begin() + row, now[i]);
            endInsertRows();
        } else if (!(links_[i] == now[i])) {
            links_[i] = now[i];
            Q_EMIT dataChanged(index(row), index(row));
        }
    }
}

int TextLinks::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(links_.size());
}

QVariant TextLinks::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Link& link = links_[static_cast<size_t>(index.row())];
    switch (role) {
    case AddressRole:
        return link.address;
    case WordsRole:
        return link.words;
    case PlaceRole:
        return link.place;
    default:
        return {};
    }
}

QHash<int, QByteArray> TextLinks::roleNames() const {
    return {{AddressRole, "address"}, {WordsRole, "words"}, {PlaceRole, "place"}};
}

} // namespace coterie::app
