// SPDX-License-Identifier: Apache-2.0
// See icon_item.h.
#include "look/icon_item.h"

#include "look/icon_paths.h"

#include <QHash>
#include <QPainter>
#include <QQuickWindow>
#include <QSGImageNode>

#include <algorithm>

namespace coterie::app {
namespace {

/// Pictures kept: more than the window shows at once in both themes. They take some 2 KiB each.
constexpr qsizetype kMostPictures = 256;

QImage painted(const IconLook& look) {
    QImage image(look.pixels, look.pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = static_cast<double>(look.pixels) / kIconGrid;
    painter.scale(scale, scale);
    const QColor color = QColor::fromRgba(look.color);
    painter.setPen(QPen(color, look.stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (look.name == QStringLiteral("stop")) painter.setBrush(color);
    painter.drawPath(iconPath(look.name));
    return image;
}

} // namespace

QImage iconImage(const IconLook& look) {
    static QHash<IconLook, QImage> pictures;
    if (const auto found = pictures.constFind(look); found != pictures.constEnd()) return *found;
    if (pictures.size() >= kMostPictures) pictures.clear();
    return *pictures.insert(look, painted(look));
}

IconItem::IconItem(QQuickItem* parent) : QQuickItem(parent) {
    setFlag(ItemHasContents);
    connect(this, &IconItem::lookChanged, this, &IconItem::polish);
}

void IconItem::updatePolish() {
    const double ratio = window() ? window()->effectiveDevicePixelRatio() : 1;
    const int pixels = qRound(std::min(width(), height()) * ratio);
    const QImage image =
        pixels > 0
            ? iconImage(
                  {.name = name_, .color = color_.rgba(), .pixels = pixels, .stroke = static_cast<double>(stroke_)})
            : QImage();
    if (image.cacheKey() == image_.cacheKey()) return;
    image_ = image;
    imageIsNew_ = true;
    update();
}

QSGNode* IconItem::updatePaintNode(QSGNode* old, UpdatePaintNodeData*) {
    auto* node = static_cast<QSGImageNode*>(old);
    if (image_.isNull()) {
        delete node;
        return nullptr;
    }
    if (!node) {
        node = window()->createImageNode();
        node->setOwnsTexture(true);
        node->setFiltering(QSGTexture::Linear);
    }
    if (imageIsNew_ || !node->texture()) {
        node->setTexture(window()->createTextureFromImage(
            image_, QQuickWindow::CreateTextureOptions(QQuickWindow::TextureHasAlphaChannel) |
                        QQuickWindow::TextureCanUseAtlas));
        imageIsNew_ = false;
    }
    const qreal size = std::min(width(), height());
    node->setRect(QRectF((width() - size) / 2, (height() - size) / 2, size, size));
    return node;
}

void IconItem::itemChange(ItemChange change, const ItemChangeData& value) {
    if (change == ItemSceneChange || change == ItemDevicePixelRatioHasChanged) polish();
    QQuickItem::itemChange(change, value);
}

void IconItem::geometryChange(const QRectF& now, const QRectF& before) {
    if (now.size() != before.size()) {
        polish();
        update();
    }
    QQuickItem::geometryChange(now, before);
}

} // namespace coterie::app
