// SPDX-License-Identifier: Apache-2.0
// Finds the place of a tip: above, below, right or left of its control, wherever it covers least of what people read
// and click. Buttons in an item whose property keepsTipsAway is true count most: they are offered for a short time.
// Then comes what belongs to the control: the texts of its row, and the buttons next to it. Looks at all items in view,
// so ask it once for each tip that opens. Also tells controls that a person points at from those that came under the
// pointer while it rested, for example because a page scrolled. Lives on the GUI thread.
//
//     const place = TipPlace.beside(button, Qt.size(tip.width, tip.height), Style.tiny, Style.small);
#pragma once

#include <QObject>
#include <QPointF>
#include <QPointer>
#include <QQuickItem>
#include <QSizeF>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class TipPlace : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit TipPlace(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

    /// Returns the place for a tip of this size, in coordinates of the control. It leaves a gap to the control, and a
    /// margin to the edges of the window.
    Q_INVOKABLE QPointF beside(QQuickItem* control, QSizeF size, qreal gap, qreal margin) const;
    /// Whether a part of the control is in view: no parent hides it or cuts all of it off.
    Q_INVOKABLE bool inView(QQuickItem* control) const;
    /// Whether the control is under the pointer, which does not move now, and the focus is elsewhere.
    Q_INVOKABLE bool cameUnderPointer(QQuickItem* control) const;

  Q_SIGNALS:
    /// The pointer moves. Controls learn it after this signal.
    void pointerMoved();

  private:
    QPointer<QObject> window_; ///< the one that has the pointer
    QPointF pointer_;          ///< in its scene
    bool moving_ = false;      ///< a move of the pointer is being handled
};

} // namespace coterie::app
