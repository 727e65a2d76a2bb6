// SPDX-License-Identifier: Apache-2.0
// Every paragraph that is added or changed gets the block format with our line height.
#include "line_spacing.h"

#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace coterie::app {

void LineSpacing::setDocument(QQuickTextDocument* document) {
    if (document == document_) return;
    if (document_) disconnect(document_->textDocument(), nullptr, this, nullptr);
    document_ = document;
    if (document_) {
        connect(document_->textDocument(), &QTextDocument::contentsChange, this,
                [this](int position, int, int added) { apply(position, added); });
        applyToAll();
    }
    Q_EMIT documentChanged();
}

void LineSpacing::setFactor(double factor) {
    if (factor == factor_) return;
    factor_ = factor;
    applyToAll();
    Q_EMIT factorChanged();
}

void LineSpacing::applyToAll() {
    if (document_) apply(0, document_->textDocument()->characterCount());
}

void LineSpacing::apply(int position, int length) {
    if (applying_ || !document_) return;
    applying_ = true; // a new format is a change too
    QTextDocument* text = document_->textDocument();
    const int last = text->characterCount() - 1;
    QTextCursor cursor(text);
    cursor.setPosition(std::clamp(position, 0, last));
    cursor.setPosition(std::clamp(position + length, 0, last), QTextCursor::KeepAnchor);
    QTextBlockFormat format;
    format.setLineHeight(factor_ * 100, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(format);
    applying_ = false;
}

} // namespace coterie::app
