// SPDX-License-Identifier: Apache-2.0
// Characters that fonts such as Inter replace by another one because of what is beside them: "x" between two numbers by
// a multiplication sign, "->" by an arrow. Each of them is shaped alone, so that the window shows what was written. Qt
// 6.4 can't switch such forms off in a font. BlockLayout does this for messages, FieldLetters for fields. Lives on the
// GUI thread.
//
//     TextArea { id: field }
//     FieldLetters { document: field.textDocument }
#pragma once

#include <QObject>
#include <QPointer>
#include <QQuickTextDocument>
#include <QStringView>
#include <QtQml/qqmlregistration.h>

#include <vector>

class QSyntaxHighlighter;

namespace coterie::app {

/// Returns the characters that have to be shaped alone. Of several signs side by side, these are the second, the fourth
/// and so on.
std::vector<qsizetype> shapedAlone(QStringView text);

/// Shapes such characters alone in a field whose text people write. It changes neither the text nor what can be undone.
class FieldLetters : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
  public:
    using QObject::QObject;

    QQuickTextDocument* document() const { return document_; }
    void setDocument(QQuickTextDocument* document);

  Q_SIGNALS:
    void documentChanged();

  private:
    QPointer<QQuickTextDocument> document_;
    QPointer<QSyntaxHighlighter> apart_;
};

} // namespace coterie::app
