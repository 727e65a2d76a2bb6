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
    Q_PROPERTY(bool difference MEMBER difference_ WRITE setDifference NOTIFY lookChanged FINAL)
    Q_PROPERTY(bool dark MEMBER dark_ WRITE setDark NOTIFY lookChanged FINAL)
  public:
    using QQuickPaintedItem::QQuickPaintedItem;

    void setDifference(bool difference) { setLook(difference_, difference); }
    void setDark(bool dark) { setLook(dark_, dark); }
    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void lookChanged();

  private:
    void setLook(bool& member, bool value) {
        if (member == value) return;
        member = value;
        update();
        Q_EMIT lookChanged();
    }

    bool difference_ = false, dark_ = false;
};

} // namespace coterie::app
