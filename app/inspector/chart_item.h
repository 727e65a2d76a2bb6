// SPDX-License-Identifier: Apache-2.0
// Draws a ChartData: lines with their names at their ends, boxes, a mark, and the axes' names, painted into one
// picture. The value under the pointer, or under a cursor that the left and right keys move, is given as text. Lives on
// the GUI thread.
#pragma once

#include "inspector/chart_data.h"

#include <QColor>
#include <QFont>
#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class ChartItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(Chart)
    Q_PROPERTY(coterie::app::ChartData figures READ figures WRITE setFigures NOTIFY figuresChanged FINAL)
    Q_PROPERTY(QColor mainColor MEMBER main_ WRITE setMainColor NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor secondColor MEMBER second_ WRITE setSecondColor NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor baselineColor MEMBER baseline_ WRITE setBaselineColor NOTIFY lookChanged FINAL)
    /// The colour of the median in a box that is filled with the main colour.
    Q_PROPERTY(QColor medianColor MEMBER median_ WRITE setMedianColor NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor lineColor MEMBER line_ WRITE setLineColor NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor textColor MEMBER text_ WRITE setTextColor NOTIFY lookChanged FINAL)
    Q_PROPERTY(QFont font READ font WRITE setFont NOTIFY lookChanged FINAL)
    /// The values at the pointer, or at the cursor while the item has the focus; else empty.
    Q_PROPERTY(QString valueText READ valueText NOTIFY valueTextChanged FINAL)
  public:
    explicit ChartItem(QQuickItem* parent = nullptr);

    ChartData figures() const { return data_; }
    void setFigures(const ChartData& figures);
    void setMainColor(const QColor& colour) { setLook(main_, colour); }
    void setSecondColor(const QColor& colour) { setLook(second_, colour); }
    void setBaselineColor(const QColor& colour) { setLook(baseline_, colour); }
    void setMedianColor(const QColor& colour) { setLook(median_, colour); }
    void setLineColor(const QColor& colour) { setLook(line_, colour); }
    void setTextColor(const QColor& colour) { setLook(text_, colour); }
    QFont font() const { return font_; }
    void setFont(const QFont& font) { setLook(font_, font); }
    QString valueText() const;

    /// The place of the figures inside the item.
    QRectF plot() const;
    QPointF placeOf(QPointF figure) const;
    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void figuresChanged();
    void lookChanged();
    void valueTextChanged();

  protected:
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    /// The part of a picture's height that a line takes.
    struct PixelSpan {
        qreal top, bottom;
    };

    template <class Value>
    void setLook(Value& member, const Value& value) {
        if (member == value) return;
        member = value;
        update();
        Q_EMIT lookChanged();
    }
    void paintBoxes(QPainter* painter) const;
    void paintLines(QPainter* painter) const;
    void paintLabels(QPainter* painter) const;
    void paintNames(QPainter* painter) const;
    QRectF nameRoom(const ChartLine& line, QSizeF size, const std::vector<QRectF>& taken) const;
    PixelSpan span(const ChartLine& line, qreal from, qreal to) const;
    void paintReading(QPainter* painter) const;
    double readAt() const;
    QString textAt(double x) const;
    void changeReading();

    ChartData data_;
    QColor main_, second_, baseline_, median_, line_, text_;
    QFont font_;
    double pointed_ = -1; ///< x of the pointer on the axis, as a share of it; -1: it is elsewhere
    double cursor_ = 0;   ///< the same for the keys
};

} // namespace coterie::app
