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
    Q_PROPERTY(QString text MEMBER text_ NOTIFY changed FINAL)
    /// Begin and end of each mark, one after the other, as positions in the text.
    Q_PROPERTY(QList<int> marks MEMBER marks_ NOTIFY changed FINAL)
    /// The most lines that are shown; at least one is.
    Q_PROPERTY(int lines MEMBER lines_ NOTIFY changed FINAL)
    Q_PROPERTY(QColor color MEMBER color_ NOTIFY changed FINAL)
    Q_PROPERTY(QColor markColor MEMBER markColor_ NOTIFY changed FINAL)
    Q_PROPERTY(QColor markGround MEMBER markGround_ NOTIFY changed FINAL)
    Q_PROPERTY(QFont font MEMBER font_ NOTIFY changed FINAL)
  public:
    explicit MarkedTextItem(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void changed();

  protected:
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

  private:
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
