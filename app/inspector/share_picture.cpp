// SPDX-License-Identifier: Apache-2.0
// See share_picture.h. Everything is laid out from the top to the bottom, then drawn.
#include "inspector/share_picture.h"

#include "experts/expert_store.h"
#include "inspector/chart_item.h"
#include "inspector/expert_map.h"
#include "inspector/token_strip_item.h"
#include "look/colour_maps.h"
#include "text/letter_forms.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

struct Inspector {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

// Sizes are those of a screen with a scale of 1.
constexpr int kScale = 2, kWidth = 800, kMargin = 32, kInside = kWidth - 2 * kMargin;
constexpr int kQuotes = 16; // room for quotation marks
constexpr int kTitleSize = 22, kTextSize = 15, kSmallSize = 12, kLabelSize = 11, kFigureSize = 11;
constexpr qreal kGap = 6, kSpace = 18;
constexpr qreal kLayerLabels = 44; // room for "layer 47" at the left of the grid
constexpr qreal kLeastCell = 4, kMostCell = 28, kMostWidth = 44, kDenseHeight = 16;
constexpr qreal kScaleWidth = 160, kScaleHeight = 10, kSwatch = 10;
constexpr qreal kChartHeight = 130;
constexpr qreal kTokenPadding = 4;
constexpr int kPromptLines = 2, kSentenceLines = 4, kChartLines = 4;
constexpr double kQuiet = 0.62, kLine = 0.2; // shares of the text's colour, over the ground

QColor ground(bool dark) { return QColor(mappedColour(ColourMap::Heat, 0, dark)); }
QColor ink(bool dark) { return dark ? QColor(Qt::white) : QColor(Qt::black); }

QColor weaker(bool dark, double share) {
    const QColor text = ink(dark), behind = ground(dark);
    const auto mixed = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return {mixed(text.red(), behind.red()), mixed(text.green(), behind.green()), mixed(text.blue(), behind.blue())};
}

/// Cuts the text so that it fits into so many lines of this width.
QString cut(const QString& text, const QFont& font, qreal width, int lines) {
    // A line is broken between words, so that it is not filled to its end.
    constexpr double filled = 0.9;
    const QFontMetricsF metrics(font);
    return metrics.elidedText(text.simplified(), Qt::ElideRight, lines == 1 ? width : lines * width * filled);
}

/// The numbers at an axis: all, or each second, fifth, tenth ... so that they have room.
int stepOf(qreal cell, qreal room) {
    for (int step = 1;; step *= 10)
        for (const int times : {1, 2, 5})
            if (step * times * cell >= room) return step * times;
}

QString number(int value) { return QLocale().toString(value); }

constexpr std::array kPlaces{engine::ExpertState::OnDisk, engine::ExpertState::Arriving, engine::ExpertState::InMemory,
                             engine::ExpertState::OnDevice};

} // namespace

SharePicture::SharePicture(SharedPage page) : page_(std::move(page)), bottom_(kMargin) {
    addText(page_.title, kTitleSize, false, 1, 0);
    if (!page_.prompt.isEmpty()) {
        const QFont font = asWritten(fontOf(kTextSize), page_.prompt);
        const QString prompt = cut(page_.prompt, font, kInside - kQuotes, kPromptLines);
        addText(Inspector::tr("\u201c%1\u201d").arg(prompt), kTextSize, false, kPromptLines, kGap);
    }
    addText(page_.source, kSmallSize, true, 1, kGap);
    addText(page_.sentence, kTextSize, false, kSentenceLines, kSpace);
    if (page_.grid && page_.grid->layers() > 0) addGrid();
    addRuns();
    addStrips();
    addFigures();
    addCharts();
    bottom_ += kSpace;
    addText(QStringLiteral("Coterie"), kSmallSize, true, 1, 0);
    texts_.back().flags = Qt::AlignRight;
    bottom_ += kMargin - kGap;
}

QFont SharePicture::fontOf(int size, bool bold) const {
    QFont font = QGuiApplication::font();
    if (!page_.family.isEmpty()) font.setFamily(page_.family);
    font.setPixelSize(size);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting); // so that text is as wide as it was when it was laid out
    return font;
}

/// Adds a text over the whole width. space: before it.
void SharePicture::addText(const QString& words, int size, bool quiet, int mostLines, qreal space) {
    if (words.isEmpty()) return;
    const QFont font = asWritten(fontOf(size, size == kTitleSize), words);
    const qreal width = kInside;
    const QString shown = cut(words, font, width, mostLines);
    const int flags = Qt::AlignLeft | Qt::TextWordWrap;
    bottom_ += space;
    const QRectF needed = QFontMetricsF(font).boundingRect(QRectF(0, 0, width, kWidth), flags, shown);
    texts_.push_back({QRectF(kMargin, bottom_, width, std::ceil(needed.height())), shown, font, quiet, flags});
    bottom_ += std::ceil(needed.height());
}

void SharePicture::addLabel(const QRectF& place, const QString& words, int flags) {
    texts_.push_back({place, words, fontOf(kLabelSize), true, flags});
}

void SharePicture::addGrid() {
    const ExpertGrid& grid = *page_.grid;
    const qreal room = kInside - kLayerLabels;
    cellWidth_ = std::min(room / grid.experts(), grid.dense() ? room / 2 : kMostWidth);
    cellHeight_ = grid.dense() ? kDenseHeight : std::clamp(cellWidth_, kLeastCell, kMostCell);
    bottom_ += kSpace;
    cells_ = {kMargin + kLayerLabels, bottom_, grid.experts() * cellWidth_, grid.layers() * cellHeight_};
    bottom_ = cells_.bottom();
    addAxes();
    addLegend();
}

void SharePicture::addAxes() {
    const ExpertGrid& grid = *page_.grid;
    const qreal line = QFontMetricsF(fontOf(kLabelSize)).height();
    const int layers = stepOf(cellHeight_, line);
    for (int layer = 0; layer < grid.layers(); layer += layers)
        addLabel(
            QRectF(kMargin, cells_.top() + layer * cellHeight_ + (cellHeight_ - line) / 2, kLayerLabels - kGap, line),
            layer == 0 ? Inspector::tr("layer %1").arg(number(0)) : number(layer), Qt::AlignRight);
    if (grid.dense()) return;
    const QFontMetricsF metrics(fontOf(kLabelSize));
    const int experts = stepOf(cellWidth_, metrics.horizontalAdvance(number(grid.experts() - 1)) + kGap);
    for (int expert = 0; expert < grid.experts(); expert += experts) {
        const qreal width = std::ceil(metrics.horizontalAdvance(number(expert)));
        const qreal middle = cells_.left() + (expert + 0.5) * cellWidth_;
        addLabel(QRectF(middle - width / 2, bottom_ + 2, width, line), number(expert), Qt::AlignHCenter);
    }
    addLabel(QRectF(kMargin, bottom_ + 2, kLayerLabels - kGap, line), Inspector::tr("expert"), Qt::AlignRight);
    bottom_ += line + 2;
}

void SharePicture::addLegend() {
    const QFontMetricsF metrics(fontOf(kLabelSize));
    bottom_ += kGap;
    qreal x = cells_.left();
    const auto add = [&](const QString& words) {
        const qreal width = metrics.horizontalAdvance(words) + 1;
        addLabel(QRectF(x, bottom_, width, metrics.height()), words, Qt::AlignLeft);
        x += width + kGap;
    };
    if (page_.grid->kind() == ExpertGrid::Places) {
        QStringList names{Inspector::tr("on disk"), Inspector::tr("arriving"), Inspector::tr("in memory")};
        if (page_.grid->onDevice()) names.append(Inspector::tr("in the GPU's memory"));
        for (const QString& name : std::as_const(names)) {
            swatches_.emplace_back(x, bottom_ + (metrics.height() - kSwatch) / 2, kSwatch, kSwatch);
            x += kSwatch + kGap;
            add(name);
            x += kGap;
        }
    } else {
        const QStringList ends = page_.grid->scaleEnds();
        add(ends.first());
        scale_ = {x, bottom_ + (metrics.height() - kScaleHeight) / 2, kScaleWidth, kScaleHeight};
        x += kScaleWidth + kGap;
        add(ends.last());
    }
    if (page_.grid->marked()) {
        x += kSpace;
        add(Inspector::tr("Corner: not read until it was needed"));
    }
    bottom_ += metrics.height();
}

void SharePicture::addRuns() {
    if (page_.runs.empty()) return;
    const qreal line = std::ceil(QFontMetricsF(fontOf(kSmallSize)).height());
    const qreal room = std::floor((kInside - kSpace) / 2);
    const qreal top = std::ceil(bottom_) + kSpace;
    for (const SharedRun& run : page_.runs) {
        const qreal left = kMargin + static_cast<qreal>(runs_.size()) * (room + kSpace);
        const QFont font = asWritten(fontOf(kSmallSize), run.name);
        texts_.push_back({QRectF(left, top, room, line), cut(run.name, font, room, 1), font, false, Qt::AlignLeft});
        const qreal width = std::min(room / run.grid->experts(), kMostWidth);
        runCell_ = {width, std::clamp(width, kLeastCell, kMostCell)};
        runs_.emplace_back(left, top + line + kGap, run.grid->experts() * runCell_.width(),
                           run.grid->layers() * runCell_.height());
    }
    bottom_ = std::ceil(runs_.front().bottom());
    addText(page_.runsSentence, kSmallSize, true, kPromptLines, kGap);
}

void SharePicture::layOut(TokenStripItem& item, const TokenStrip& strip) const {
    item.setProperty("font", fontOf(kTextSize));
    item.setProperty("padding", kTokenPadding);
    item.setProperty("dark", page_.dark);
    item.setProperty("textColor", ink(page_.dark));
    item.setProperty("quietColor", weaker(page_.dark, kQuiet));
    item.setProperty("lineColor", weaker(page_.dark, kLine));
    item.setWidth(kInside);
    item.setStrip(strip);
}

void SharePicture::addStrips() {
    for (const TokenStrip& strip : page_.strips) {
        TokenStripItem item;
        layOut(item, strip);
        addText(item.rangeText(), kSmallSize, true, 1, kSpace);
        bottom_ = std::ceil(bottom_ + kGap);
        strips_.emplace_back(kMargin, bottom_, kInside, item.implicitHeight());
        bottom_ += item.implicitHeight();
    }
}

QRectF SharePicture::tokenCell(size_t strip, int token) const {
    TokenStripItem item;
    layOut(item, page_.strips.at(strip));
    const QRectF cell = item.cell(token).translated(strips_[strip].topLeft());
    return {cell.topLeft() * kScale, cell.size() * kScale};
}

void SharePicture::drawStrips(QPainter& painter) const {
    for (size_t i = 0; i < strips_.size(); ++i) {
        TokenStripItem item;
        layOut(item, page_.strips[i]);
        item.setHeight(strips_[i].height());
        painter.save();
        painter.translate(strips_[i].topLeft());
        item.paint(&painter);
        painter.restore();
    }
}

void SharePicture::addFigures() {
    if (page_.figures.empty()) return;
    bottom_ += kSpace;
    const qreal line = QFontMetricsF(fontOf(kTextSize)).height(), half = kInside / 2.0;
    for (size_t i = 0; i < page_.figures.size(); ++i) { // two columns
        const QRectF place =
            i % 2 == 0 ? QRectF(kMargin, bottom_, half - kSpace, line) : QRectF(kMargin + half, bottom_, half, line);
        texts_.push_back({place, page_.figures[i].first, fontOf(kTextSize), true, Qt::AlignLeft});
        texts_.push_back({place, page_.figures[i].second, fontOf(kTextSize), false, Qt::AlignRight});
        if (i % 2 == 1 || i + 1 == page_.figures.size()) bottom_ += line + kGap;
    }
}

void SharePicture::addCharts() {
    for (const SharedChart& chart : page_.charts) {
        addText(chart.name, kTextSize, false, 1, kSpace);
        bottom_ += kGap;
        charts_.emplace_back(kMargin, bottom_, kInside, kChartHeight);
        bottom_ += kChartHeight;
        addText(chart.figures.summary, kSmallSize, true, kChartLines, kGap);
    }
}

QRectF SharePicture::cell(int layer, int expert) const {
    return {(cells_.left() + expert * cellWidth_) * kScale, (cells_.top() + layer * cellHeight_) * kScale,
            cellWidth_ * kScale, cellHeight_ * kScale};
}

QRectF SharePicture::runCell(size_t run, int layer, int expert) const {
    const QPointF corner(runs_[run].left() + expert * runCell_.width(), runs_[run].top() + layer * runCell_.height());
    return {corner * kScale, runCell_ * kScale};
}

QImage SharePicture::draw() const {
    QImage image(QSize(kWidth, static_cast<int>(std::ceil(bottom_))) * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    image.fill(ground(page_.dark));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    if (!cells_.isEmpty()) drawGrid(painter, *page_.grid, cells_, {cellWidth_, cellHeight_});
    for (size_t i = 0; i < runs_.size(); ++i) drawGrid(painter, *page_.runs[i].grid, runs_[i], runCell_);
    drawLegend(painter);
    drawStrips(painter);
    drawCharts(painter);
    drawMark(painter);
    for (const Text& text : texts_) {
        painter.setFont(text.font);
        painter.setPen(text.quiet ? weaker(page_.dark, kQuiet) : ink(page_.dark));
        painter.drawText(text.place, text.flags, text.words);
    }
    painter.end();
    image.setDevicePixelRatio(1); // a file does not keep it
    return image;
}

void SharePicture::drawGrid(QPainter& painter, const ExpertGrid& grid, const QRectF& place, QSizeF cell) const {
    const MapLook look{.dark = page_.dark,
                       .ground = ground(page_.dark),
                       .text = ink(page_.dark),
                       .mark = ink(page_.dark),
                       .font = fontOf(kFigureSize)};
    const MapPlaces places{.cellWidth = cell.width(),
                           .cellHeight = cell.height(),
                           .x = 0,
                           .layers = grid.layers(),
                           .experts = grid.experts()};
    painter.drawImage(place.topLeft(), drawMap(grid, places, look, place.width(), kScale));
}

void SharePicture::drawLegend(QPainter& painter) const {
    for (size_t i = 0; i < swatches_.size(); ++i) painter.fillRect(swatches_[i], placeColour(kPlaces[i], page_.dark));
    const bool difference = page_.grid && page_.grid->kind() == ExpertGrid::Difference;
    for (qreal x = 0; x < scale_.width(); x += 1.0 / kScale) {
        const double share = x / (scale_.width() - 1.0 / kScale);
        painter.fillRect(QRectF(scale_.left() + x, scale_.top(), 1.0 / kScale, scale_.height()),
                         difference ? QColor(differenceColour(2 * share - 1, page_.dark))
                                    : QColor(mappedColour(ColourMap::Heat, share, page_.dark)));
    }
}

void SharePicture::drawCharts(QPainter& painter) const {
    constexpr double strong = 0.7;
    for (size_t i = 0; i < charts_.size(); ++i) {
        ChartItem chart;
        chart.setSize(charts_[i].size());
        chart.setFont(fontOf(kSmallSize));
        chart.setMainColor(QColor(mappedColour(ColourMap::Heat, strong, page_.dark)));
        chart.setSecondColor(QColor(mappedColour(ColourMap::Presence, strong, page_.dark)));
        chart.setMedianColor(ground(page_.dark));
        chart.setBaselineColor(weaker(page_.dark, kQuiet));
        chart.setLineColor(weaker(page_.dark, kLine));
        chart.setTextColor(weaker(page_.dark, kQuiet));
        chart.setFigures(page_.charts[i].figures);
        painter.save();
        painter.translate(charts_[i].topLeft());
        chart.paint(&painter);
        painter.restore();
    }
}

/// Draws the mark beside the program's name, which is the last text: nine dots, three of them lit, as in
/// ui/Style/CoterieMark.qml.
void SharePicture::drawMark(QPainter& painter) const {
    constexpr std::array lit{1, 3, 8};
    constexpr int columns = 3;
    const Text& name = texts_.back();
    const QFontMetricsF metrics(name.font);
    const qreal size = metrics.capHeight(), dot = size / (columns + 1), step = (size - dot) / (columns - 1);
    const QPointF corner(name.place.right() - metrics.horizontalAdvance(name.words) - kGap - size,
                         name.place.top() + metrics.ascent() - size);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < columns * columns; ++i) {
        const bool shines = std::find(lit.begin(), lit.end(), i) != lit.end();
        painter.setBrush(shines ? QColor(mapAnchors(ColourMap::Heat, page_.dark).through) : weaker(page_.dark, kQuiet));
        const QRectF place(corner + QPointF(i % columns, i / columns) * step, QSizeF(dot, dot));
        painter.drawRoundedRect(place, dot / columns, dot / columns);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace coterie::app
