// SPDX-License-Identifier: Apache-2.0
// Draws a colour scale of the grid from its lower end to its upper one, for the legend. Lives on the GUI thread.
#pragma once

#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class ScaleItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(ColourScale)
    /// Draws the scale of differences, from "less" to "more", in place of the scale of heat.
    Q_PROPERTY(bool difference MEMBER difference_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(bool dark MEMBER dark_ NOTIFY lookChanged FINAL)
  public:
    explicit ScaleItem(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void lookChanged();

  private:
    bool difference_ = false, dark_ = false;
};

} // namespace coterie::app
