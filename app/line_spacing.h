// SPDX-License-Identifier: Apache-2.0
// Sets the line height of a TextEdit, which has no property for it before Qt 6.9. It also applies to text that is added
// later. Lives on the GUI thread.
//
//     TextEdit { id: edit; LineSpacing { document: edit.textDocument; factor: 1.5 } }
#pragma once

#include <QObject>
#include <QPointer>
#include <QQuickTextDocument>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class LineSpacing : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(double factor READ factor WRITE setFactor NOTIFY factorChanged)
  public:
    using QObject::QObject;

    QQuickTextDocument* document() const { return document_; }
    double factor() const { return factor_; } ///< multiple of the font's own line height
    void setDocument(QQuickTextDocument* document);
    void setFactor(double factor);

  Q_SIGNALS:
    void documentChanged();
    void factorChanged();

  private:
    void apply(int position, int length);
    void applyToAll();

    QPointer<QQuickTextDocument> document_;
    double factor_ = 1;
    bool applying_ = false;
};

} // namespace coterie::app
