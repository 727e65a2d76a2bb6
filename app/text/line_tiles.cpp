// SPDX-License-Identifier: Apache-2.0
// See line_tiles.h.
#include "text/line_tiles.h"

#include <QPainter>
#include <QSGRectangleNode>

#include <cmath>
#include <iterator>

namespace coterie::app {
namespace {

constexpr qreal kOverhang = 4; // px; slanted characters and the ground of code reach over the ends of their line

/// A message's nodes: first the colours, then the lines. The groups are transform nodes because Qt's software renderer
/// takes the place of a node that is added later from its parent, and it knows no places of plain nodes.
class Root : public QSGNode {
  public:
    Root() {
        appendChildNode(&under);
        appendChildNode(&lines);
        under.setFlag(OwnedByParent, false);
        lines.setFlag(OwnedByParent, false);
    }

    QSGTransformNode under, lines;
};

QImage drawLine(const MessageLayout& layout, int block, int line, const QRectF& place, const QColor& colour,
                qreal ratio) {
    const auto pixels = [ratio](qreal length) { return static_cast<int>(std::ceil(length * ratio)); };
    QImage image(pixels(place.width()), pixels(place.height()), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setPen(colour);
    layout.draw(painter, block, line, -place.x());
    painter.end();
    image.setDevicePixelRatio(1); // the node scales it to its place
    return image;
}

} // namespace

void LineTiles::update(const MessageLayout& layout, const TextDocument& document, const TextStyle& style, qreal top,
                       qreal bottom, qreal ratio) {
    if (ratio != ratio_) forgetAll();
    ratio_ = ratio;
    const qreal margin = bottom - top; // lines that were just scrolled out of view often come back
    for (auto tile = tiles_.begin(); tile != tiles_.end();) {
        const MessageLayout::Block& block = layout.block(tile->first.first);
        QRectF& place = tile->second.place;
        place.moveTop(block.text.y() + block.lines->lines()[static_cast<size_t>(tile->first.second)].y);
        const auto next = std::next(tile);
        if (!block.shown || place.bottom() < top - margin || place.top() > bottom + margin) drop(tile, next);
        tile = next;
    }
    layout.forLines(top, bottom, [&](int block, int line) {
        if (tiles_.contains({block, line})) return;
        QRectF place = layout.placeOf(block, line);
        if (place.isEmpty()) return; // a line without characters and marks
        place.setLeft(std::floor(place.left() - kOverhang));
        place.setRight(std::ceil(place.right() + kOverhang));
        const bool thought = document.block(block).kind == TextBlock::Kind::Thought;
        const QColor& colour = thought ? style.quiet : style.text;
        tiles_[{block, line}] = {.image = drawLine(layout, block, line, place, colour, ratio), .place = place};
        ++drawn_;
    });
}

void LineTiles::forget(int block, int fromLine) {
    drop(tiles_.lower_bound({block, fromLine}), tiles_.lower_bound({block + 1, 0}));
}

void LineTiles::forgetFrom(int block) { drop(tiles_.lower_bound({block, 0}), tiles_.end()); }

void LineTiles::forgetAll() { drop(tiles_.begin(), tiles_.end()); }

void LineTiles::drop(std::map<Key, Tile>::iterator first, std::map<Key, Tile>::iterator last) {
    for (auto tile = first; tile != last; ++tile)
        if (tile->second.node) dropped_.push_back(tile->second.node);
    tiles_.erase(first, last);
}

QSGNode* LineTiles::nodes(QQuickWindow& window, QSGNode* old) {
    auto* root = static_cast<Root*>(old);
    if (!root) { // the first time, or the scene graph was lost with all nodes
        root = new Root;
        dropped_.clear();
        for (auto& [key, tile] : tiles_) tile.node = nullptr;
    }
    for (QSGNode* node : std::exchange(dropped_, {})) {
        root->lines.removeChildNode(node);
        delete node;
    }
    for (auto& [key, tile] : tiles_) {
        if (!tile.node) {
            tile.node = window.createImageNode();
            tile.node->setOwnsTexture(true);
            tile.node->setFiltering(QSGTexture::Nearest); // a pixel of the image is a pixel of the window
            tile.node->setTexture(window.createTextureFromImage(tile.image, QQuickWindow::TextureCanUseAtlas));
            tile.node->setSourceRect(QRectF(QPointF(0, 0), QSizeF(tile.image.size())));
            root->lines.appendChildNode(tile.node);
        }
        const QRectF place(tile.place.topLeft(), QSizeF(tile.image.size()) / ratio_);
        if (tile.node->rect() != place) tile.node->setRect(place);
    }
    putUnder(window, root->under);
    return root;
}

void LineTiles::putUnder(QQuickWindow& window, QSGNode& group) const {
    while (group.childCount() > static_cast<int>(under_.size())) {
        QSGNode* last = group.lastChild();
        group.removeChildNode(last);
        delete last;
    }
    auto* node = static_cast<QSGRectangleNode*>(group.firstChild());
    for (const Under& under : under_) {
        if (!node) {
            node = window.createRectangleNode();
            group.appendChildNode(node);
        }
        if (node->rect() != under.place) node->setRect(under.place);
        if (node->color() != under.colour) node->setColor(under.colour);
        node = static_cast<QSGRectangleNode*>(node->nextSibling());
    }
}

} // namespace coterie::app
