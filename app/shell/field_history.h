// SPDX-License-Identifier: Apache-2.0
// Makes a text field forget what it could undo when it shows the text of something else, such as another chat's: Ctrl+Z
// would write the words of one chat into another. Lives on the GUI thread.
//
//     TextArea { FieldHistory { document: textDocument; subject: "chat " + conversation.chatId } }
#pragma once

#include <QObject>
#include <QPointer>
#include <QQuickTextDocument>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class FieldHistory : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged REQUIRED)
    Q_PROPERTY(QString subject READ subject WRITE setSubject NOTIFY subjectChanged REQUIRED)
  public:
    using QObject::QObject;

    QQuickTextDocument* document() const { return document_; }
    void setDocument(QQuickTextDocument* document);
    /// A key of what the text is about.
    QString subject() const { return subject_; }
    void setSubject(const QString& subject);

  Q_SIGNALS:
    void documentChanged();
    void subjectChanged();

  private:
    QPointer<QQuickTextDocument> document_;
    QString subject_;
};

} // namespace coterie::app
