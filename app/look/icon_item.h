// SPDX-License-Identifier: Apache-2.0
// Shows one of our icons (icon_paths.h). Each icon is painted once for each colour, size and pixel ratio, and all items
// share that picture. ui/Style/Icon.qml gives it the look. Lives on the GUI thread.
#pragma once

#include <QColor>
#include <QHashFunctions>
#include <QImage>
#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Everything that an icon's picture depends on.
struct IconLook {
    QString name;
    QRgb color = 0;
    int pixels = 0;    ///< width and height
    double stroke = 0; ///< width of a line, in units of the icons' grid

    bool operator==(const IconLook&) const = default;
    friend size_t qHash(const IconLook& look, size_t seed = 0) {
        return qHashMulti(seed, look.name, look.color, look.pixels, look.stroke);
    }
};

/// Returns the picture, painted at the first call for each look. Call it on the GUI thread.
QImage iconImage(const IconLook& look);

class IconItem : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString name MEMBER name_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor color MEMBER color_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(qreal stroke MEMBER stroke_ NOTIFY lookChanged FINAL)
  public:
    explicit IconItem(QQuickItem* parent = nullptr);

  Q_SIGNALS:
    void lookChanged();

  protected:
    void updatePolish() override;
    QSGNode* updatePaintNode(QSGNode* old, UpdatePaintNodeData* data) override;
    void itemChange(ItemChange change, const ItemChangeData& value) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;

  private:
    QString name_;
    QColor color_;
    qreal stroke_ = 1;
    QImage image_;            ///< set on the GUI thread, read while it waits for the render thread
    bool imageIsNew_ = false; ///< the scene graph does not have it yet
};

} // namespace coterie::app
