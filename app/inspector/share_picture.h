// SPDX-License-Identifier: Apache-2.0
// A picture that says by itself what it shows, to be shared: the chat's title, the prompt, the model and the date, one
// sentence, the grid with its axes and its legend, both runs of a comparison, tokens, figures, charts, and the
// program's mark and name. It is 1,600 pixels wide, twice the size that its text has on a usual screen. Lives on the
// GUI thread.
//
//     const SharePicture picture({.title = chat, .prompt = prompt, .source = model, .grid = &grid, ...});
//     saveImage(picture.draw(), file);
#pragma once

#include "inspector/chart_data.h"
#include "inspector/expert_grid.h"
#include "inspector/token_strip.h"

#include <QFont>
#include <QImage>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace coterie::app {

class TokenStripItem;

struct SharedChart {
    QString name;
    ChartData figures;
};

/// One of the two runs of a comparison. Both have the same shape.
struct SharedRun {
    QString name;
    const ExpertGrid* grid = nullptr;
};

/// The content of a picture. Whatever is empty is left out.
struct SharedPage {
    QString title{}, prompt{}; ///< the prompt is cut to two lines
    QString source{};          ///< the model and the date
    QString sentence{};        ///< the meaning of the grid or of the figures
    const ExpertGrid* grid = nullptr;
    std::vector<SharedRun> runs{};                      ///< two, or none; beside each other below the grid
    QString runsSentence{};                             ///< the meaning of their colours
    std::vector<TokenStrip> strips{};                   ///< tokens with their colours, below each other
    std::vector<std::pair<QString, QString>> figures{}; ///< names and values
    std::vector<SharedChart> charts{};
    bool dark = false;
    QString family{}; ///< the family of the letters; empty: the program's own
};

class SharePicture {
  public:
    /// A text of the picture and its place.
    struct Text {
        QRectF place;
        QString words;
        QFont font;
        bool quiet = false; ///< written in the weaker colour
        int flags = 0;      ///< as QPainter::drawText() has them
    };

    /// Lays everything out. The grid is read here and by draw().
    explicit SharePicture(SharedPage page);

    QImage draw() const;
    const std::vector<Text>& texts() const { return texts_; }
    /// The place of a cell of the grid in the picture, in its pixels.
    QRectF cell(int layer, int expert) const;
    QRectF runCell(size_t run, int layer, int expert) const; ///< the same of one of the runs
    QRectF tokenCell(size_t strip, int token) const;         ///< the place of a token, by its index in the strip

  private:
    QFont fontOf(int size, bool bold = false) const;
    void addText(const QString& words, int size, bool quiet, int mostLines, qreal space);
    void addLabel(const QRectF& place, const QString& words, int flags);
    void addGrid();
    void addAxes();
    void addLegend();
    void addRuns();
    void addStrips();
    void addFigures();
    void addCharts();
    void drawGrid(QPainter& painter, const ExpertGrid& grid, const QRectF& place, QSizeF cell) const;
    void drawLegend(QPainter& painter) const;
    void drawCharts(QPainter& painter) const;
    void layOut(TokenStripItem& item, const TokenStrip& strip) const;
    void drawStrips(QPainter& painter) const;
    void drawMark(QPainter& painter) const;

    const SharedPage page_;
    std::vector<Text> texts_;
    qreal bottom_;   ///< the end of what is laid out
    QRectF cells_{}; ///< the whole grid
    qreal cellWidth_ = 0, cellHeight_ = 0;
    std::vector<QRectF> runs_{};     ///< the grids of the runs
    QSizeF runCell_{0, 0};           ///< the size of their cells
    QRectF scale_{};                 ///< the colours of the legend
    std::vector<QRectF> swatches_{}; ///< the colours of the legend of places
    std::vector<QRectF> strips_{};
    std::vector<QRectF> charts_{};
};

} // namespace coterie::app
