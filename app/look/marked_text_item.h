// SPDX-License-Identifier: Apache-2.0
// Plain text of a few lines in which some words are marked, such as the hits of a search. Qt's Text item could mark
// words in rich text only, and text of models is never rich text. What has no room is left out at the end.
// ui/Style/MarkedText.qml gives it the look.
#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QQuickPaintedItem>
#include <QTextLayout>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class MarkedTextItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY changed FINAL)
    /// Begin and end of each mark, one after the other, as positions in the text.
    Q_PROPERTY(QList<int> marks READ marks WRITE setMarks NOTIFY changed FINAL)
    Q_PROPERTY(int lines READ lines WRITE setLines NOTIFY changed FINAL)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY changed FINAL)
    Q_PROPERTY(QColor markColor READ markColor WRITE setMarkColor NOTIFY changed FINAL)
    Q_PROPERTY(QColor markGround READ markGround WRITE setMarkGround NOTIFY changed FINAL)
    Q_PROPERTY(QFont font READ font WRITE setFont NOTIFY changed FINAL)
  public:
    explicit MarkedTextItem(QQuickItem* parent = nullptr);

    QString text() const { return text_; }
    QList<int> marks() const { return marks_; }
    /// The most lines that are shown.
    int lines() const { return lines_; }
    QColor color() const { return color_; }
    QColor markColor() const { return markColor_; }
    QColor markGround() const { return markGround_; }
    QFont font() const { return font_; }

    void setText(const QString& text);
    void setMarks(const QList<int>& marks);
    void setLines(int lines);
    void setColor(const QColor& color);
    void setMarkColor(const QColor& color);
    void setMarkGround(const QColor& color);
    void setFont(const QFont& font);

    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void changed();

  protected:
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

  private:
    template <typename T>
    void set(T& value, const T& wanted);
    QList<QTextLayout::FormatRange> formats() const;
    void layOut();

    QString text_;
    QList<int> marks_;
    int lines_ = 1;
    QColor color_, markColor_, markGround_;
    QFont font_;
    QTextLayout layout_;
};

} // namespace coterie::app
