// SPDX-License-Identifier: Apache-2.0
// See letter_forms.h.
#include "text/letter_forms.h"

#include <QSyntaxHighlighter>
#include <QTextDocument>

namespace coterie::app {
namespace {

bool isSign(QChar c) { return c > u' ' && c < QChar(0x7f) && !c.isLetterOrNumber(); }

/// Whether the "x" at this place follows a number, perhaps after a space.
bool followsDigit(QStringView text, qsizetype place) {
    while (place > 0 && text[place - 1] == u' ') --place;
    return place > 0 && text[place - 1].isDigit();
}

/// Gives the characters a format of their own that changes nothing of their look: Qt shapes runs of one format.
class Apart : public QSyntaxHighlighter {
  public:
    explicit Apart(QTextDocument* document) : QSyntaxHighlighter(document) {
        alone_.setProperty(QTextFormat::UserProperty, true); // formats without any property are left out
    }

  protected:
    void highlightBlock(const QString& text) override {
        for (const qsizetype place : shapedAlone(text)) setFormat(static_cast<int>(place), 1, alone_);
    }

  private:
    QTextCharFormat alone_;
};

} // namespace

std::vector<qsizetype> shapedAlone(QStringView text) {
    std::vector<qsizetype> places;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool afterSign = i > 0 && isSign(text[i - 1]) && (places.empty() || places.back() != i - 1);
        const bool sign = isSign(text[i]) && afterSign;
        const bool letter = (text[i] == u'x' || text[i] == u'X') && followsDigit(text, i);
        if (sign || letter) places.push_back(i);
    }
    return places;
}

void FieldLetters::setDocument(QQuickTextDocument* document) {
    if (document == document_) return;
    document_ = document;
    delete apart_;
    if (document_) apart_ = new Apart(document_->textDocument()); // it belongs to the field's document
    Q_EMIT documentChanged();
}

} // namespace coterie::app
