// SPDX-License-Identifier: Apache-2.0
// Pictures of the lines that are in view, as nodes of the scene graph: one for each line, so that a word more costs the
// drawing of one line. Rectangles of colour lie under them, and below those the colours of words. This uses Qt's public
// classes alone; those that draw text straight into the scene graph are private before Qt 6.7.
//
// Images are made on the GUI thread. nodes() runs while the GUI thread waits for the render thread.
#pragma once

#include "text/message_layout.h"

#include <QColor>
#include <QImage>
#include <QQuickWindow>
#include <QSGImageNode>

#include <map>
#include <utility>
#include <vector>

namespace coterie::app {

class LineTiles {
  public:
    struct Under {
        QRectF place;
        QColor colour;

        bool operator==(const Under& other) const = default;
    };

    /// A word on a colour, perhaps in a frame: its place is that of its characters, and the frame is around it.
    struct Tinted {
        QRectF place;
        QColor colour, frame;

        bool operator==(const Tinted& other) const = default;
    };

    /// The colours of words by block and line.
    using Tints = std::map<std::pair<int, int>, std::vector<Tinted>>;

    /// Makes what is missing between these heights, and drops what is far away from there. ratio: device pixels for
    /// each pixel.
    void update(const MessageLayout& layout, const TextDocument& document, const TextStyle& style, qreal top,
                qreal bottom, qreal ratio);
    void setUnder(std::vector<Under> under) { under_ = std::move(under); }
    /// Sets the colours of all words in view. They have round corners, so those of a line are a picture.
    void setTints(const Tints& tints);
    /// The lines of this block from this one on have to be drawn again.
    void forget(int block, int fromLine = 0);
    /// The blocks from this one on went away, or look different.
    void forgetFrom(int block);
    void forgetAll();

    /// Returns the node of the message: `old`, brought up to date, or a new one if that is null.
    QSGNode* nodes(QQuickWindow& window, QSGNode* old);

    /// Number of images that were made since the start, for tests: nothing is drawn twice.
    int drawn() const { return drawn_; }
    int count() const { return static_cast<int>(tiles_.size()); }

  private:
    struct Tile {
        QImage image;
        QRectF place;                 ///< in the message
        QSGImageNode* node = nullptr; ///< null: not made yet
    };
    using Key = std::pair<int, int>; ///< block, line
    struct TintedLine {
        std::vector<Tinted> words;
        QSGImageNode* node = nullptr; ///< null: not made yet
    };

    void drop(std::map<Key, Tile>::iterator first, std::map<Key, Tile>::iterator last);
    void putUnder(QQuickWindow& window, QSGNode& group) const;
    void forgetOwnColours(const TextDocument& document);
    void putTints(QQuickWindow& window, QSGNode& group);

    std::map<Key, Tile> tiles_;
    std::vector<Under> under_;
    std::map<Key, TintedLine> tinted_;
    std::vector<QSGNode*> dropped_; ///< nodes that the next nodes() deletes
    bool coloured_ = false;         ///< words have colours, on which all text has the colour of text
    qreal ratio_ = 1;
    int drawn_ = 0;
};

} // namespace coterie::app
