// SPDX-License-Identifier: Apache-2.0
// See line_tiles.h.
#include "text/line_tiles.h"

#include <QPainter>
#include <QSGRectangleNode>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace coterie::app {
namespace {

constexpr qreal kTintCorner = 3; // px
constexpr qreal kTintFrame = 2;  // px; a frame is outside of the characters, at their sides
constexpr qreal kOverhang = 4;   // px; slanted characters and the ground of code reach over the ends of their line

/// A message's nodes: first the colours of words, then other colours, then the lines. The groups are transform nodes
/// because Qt's software renderer takes the place of a node that is added later from its parent, and it knows no places
/// of plain nodes.
class Root : public QSGNode {
  public:
    Root() {
        for (QSGTransformNode* group : {&tints, &under, &lines}) {
            appendChildNode(group);
            group->setFlag(OwnedByParent, false);
        }
    }

    QSGTransformNode tints, under, lines;
};

QImage emptyImage(const QRectF& place, qreal ratio) {
    const auto pixels = [ratio](qreal length) { return static_cast<int>(std::ceil(length * ratio)); };
    QImage image(pixels(place.width()), pixels(place.height()), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    return image;
}

/// Returns a node that shows the image at this place, a pixel of the image as a pixel of the window.
QSGImageNode* imageNode(QQuickWindow& window, const QImage& image) {
    QSGImageNode* node = window.createImageNode();
    node->setOwnsTexture(true);
    node->setFiltering(QSGTexture::Nearest);
    node->setTexture(window.createTextureFromImage(image, QQuickWindow::TextureCanUseAtlas));
    node->setSourceRect(QRectF(QPointF(0, 0), QSizeF(image.size())));
    return node;
}

/// alone: the line has this colour only, whatever colours its code and links have.
QImage drawLine(const MessageLayout& layout, int block, int line, const QRectF& place, const QColor& colour, bool alone,
                qreal ratio) {
    QImage image = emptyImage(place, ratio);
    QPainter painter(&image);
    painter.setPen(colour);
    layout.draw(painter, block, line, -place.x());
    if (alone) {
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(QRectF(QPointF(), place.size()), colour);
    }
    painter.end();
    image.setDevicePixelRatio(1); // the node scales it to its place
    return image;
}

/// Whether some of the block's text may have another colour than that of text.
bool hasOwnColours(const TextBlock& block) {
    if (block.kind != TextBlock::Kind::Paragraph && block.kind != TextBlock::Kind::Heading) return true;
    return std::any_of(block.formats.begin(), block.formats.end(), [](const TextFormat& format) {
        return (format.style & (TextFormat::Link | TextFormat::Image)) != 0;
    });
}

} // namespace

void LineTiles::update(const MessageLayout& layout, const TextDocument& document, const TextStyle& style, qreal top,
                       qreal bottom, qreal ratio) {
    if (ratio != ratio_) forgetAll();
    ratio_ = ratio;
    // Thoughts, links and code in their own colours can't be read on the colours of words. That of the current token,
    // which has a frame, is weak.
    const std::vector<TextTint>& tints = document.tints();
    const bool coloured = std::any_of(tints.begin(), tints.end(), [](const auto& t) { return !t.frame.isValid(); });
    if (std::exchange(coloured_, coloured) != coloured) forgetOwnColours(document);
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
        const QColor& colour = thought && !coloured ? style.quiet : style.text;
        tiles_[{block, line}] = {.image = drawLine(layout, block, line, place, colour, coloured, ratio),
                                 .place = place};
        ++drawn_;
    });
}

void LineTiles::forget(int block, int fromLine) {
    drop(tiles_.lower_bound({block, fromLine}), tiles_.lower_bound({block + 1, 0}));
}

void LineTiles::forgetFrom(int block) { drop(tiles_.lower_bound({block, 0}), tiles_.end()); }

void LineTiles::forgetOwnColours(const TextDocument& document) {
    for (auto tile = tiles_.begin(); tile != tiles_.end();) {
        const auto next = std::next(tile);
        if (hasOwnColours(document.block(tile->first.first))) drop(tile, next);
        tile = next;
    }
}

void LineTiles::forgetAll() {
    drop(tiles_.begin(), tiles_.end());
    setTints({});
}

void LineTiles::setTints(const Tints& tints) {
    for (auto line = tinted_.begin(); line != tinted_.end();) {
        const auto now = tints.find(line->first);
        const bool same = now != tints.end() && now->second == line->second.words;
        if (!same && line->second.node) dropped_.push_back(line->second.node);
        line = same ? std::next(line) : tinted_.erase(line);
    }
    for (const auto& [line, words] : tints) tinted_.try_emplace(line, TintedLine{.words = words});
}

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
        for (auto& [key, line] : tinted_) line.node = nullptr;
    }
    for (QSGNode* node : std::exchange(dropped_, {})) {
        node->parent()->removeChildNode(node);
        delete node;
    }
    for (auto& [key, tile] : tiles_) {
        if (!tile.node) {
            tile.node = imageNode(window, tile.image);
            root->lines.appendChildNode(tile.node);
        }
        const QRectF place(tile.place.topLeft(), QSizeF(tile.image.size()) / ratio_);
        if (tile.node->rect() != place) tile.node->setRect(place);
    }
    putTints(window, root->tints);
    putUnder(window, root->under);
    return root;
}

void LineTiles::putTints(QQuickWindow& window, QSGNode& group) {
    for (auto& [key, line] : tinted_) {
        if (line.node) continue;
        QRectF place;
        for (const Tinted& word : line.words) place |= word.place.adjusted(-kTintFrame, 0, kTintFrame, 0);
        place = QRectF(place.toAlignedRect());
        QImage image = emptyImage(place, ratio_);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(-place.topLeft());
        for (const Tinted& word : line.words) {
            const bool framed = word.frame.isValid();
            const qreal half = framed ? kTintFrame / 2 : 0; // a pen draws on both sides of its line
            painter.setPen(framed ? QPen(word.frame, kTintFrame) : QPen(Qt::NoPen));
            painter.setBrush(word.colour);
            painter.drawRoundedRect(word.place.adjusted(-half, half, half, -half), kTintCorner, kTintCorner);
        }
        painter.end();
        image.setDevicePixelRatio(1); // the node scales it to its place
        line.node = imageNode(window, image);
        line.node->setRect(QRectF(place.topLeft(), QSizeF(image.size()) / ratio_));
        group.appendChildNode(line.node);
    }
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
