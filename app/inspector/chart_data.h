// SPDX-License-Identifier: Apache-2.0
// The numbers of one chart: lines over a common horizontal axis, or boxes. Chart (chart_item.h) draws it; its summary()
// is what a screen reader gets. Plain values.
#pragma once

#include <QMetaType>
#include <QPointF>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

struct ChartLine {
    enum class Look {
        Main,     ///< the colour of heat, a full line
        Baseline, ///< quiet, dashed
        Second,   ///< the colour of presence, a full line
    };
    QString name{};  ///< with a value behind it: "Different experts used"
    QString label{}; ///< in few words, for the end of the line: "the model"
    Look look = Look::Main;
    std::vector<QPointF> points{}; ///< by rising x
    bool operator==(const ChartLine&) const = default;
};

/// One box of a box plot, or with equal quartiles a bar up to `most`.
struct ChartBox {
    double x = 0;
    double least = 0, lowerQuartile = 0, median = 0, upperQuartile = 0, most = 0;
    bool operator==(const ChartBox&) const = default;
};

struct ChartData {
    Q_GADGET
    QML_VALUE_TYPE(chartData)
    Q_PROPERTY(QString summary MEMBER summary)
    Q_PROPERTY(QString about MEMBER about)
    Q_PROPERTY(bool empty READ empty)
  public:
    std::vector<ChartLine> lines{};
    std::vector<ChartBox> boxes{};
    double mark = -1;                 ///< a vertical line at this x, such as the budget in use; -1: none
    QString markText{};               ///< its name
    double leastX = 0, mostX = 1;     ///< ends of the horizontal axis
    double leastY = 0, mostY = 1;     ///< ends of the vertical axis
    QString title{};                  ///< names the vertical axis
    QString leftText{}, rightText{};  ///< labels of the horizontal axis' ends, which name it, too
    QString lowerText{}, upperText{}; ///< labels of the vertical axis' ends
    QString summary{};                ///< one sentence that says what the chart shows
    QString about{};                  ///< answers "what is this?": how to read the chart, for a newcomer

    bool empty() const { return lines.empty() && boxes.empty(); }
    bool operator==(const ChartData&) const = default;
};

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::ChartData)
