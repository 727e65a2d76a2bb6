// SPDX-License-Identifier: Apache-2.0
// See field_history.h.
#include "shell/field_history.h"

#include <QTextDocument>

namespace coterie::app {

void FieldHistory::setDocument(QQuickTextDocument* document) {
    if (document == document_) return;
    document_ = document;
    Q_EMIT documentChanged();
}

void FieldHistory::setSubject(const QString& subject) {
    if (subject == subject_) return;
    subject_ = subject;
    if (document_) document_->textDocument()->clearUndoRedoStacks();
    Q_EMIT subjectChanged();
}

} // namespace coterie::app
