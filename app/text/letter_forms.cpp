// SPDX-License-Identifier: Apache-2.0
// See letter_forms.h.
#include "text/letter_forms.h"

#include <QSyntaxHighlighter>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace coterie::app {
namespace {

bool isSign(QChar c) { return c > u' ' && c < QChar(0x7f) && !c.isLetterOrNumber(); }

/// Whether the "x" at this place follows a number, perhaps after a space.
bool followsDigit(QStringView text, qsizetype place) {
    while (place > 0 && text[place - 1] == u' ') --place;
    return place > 0 && text[place - 1].isDigit();
}

/// Whether these two signs may be a part of an arrow.
bool pointsWith(QChar first, QChar second) {
    return isSign(first) && isSign(second) && QStringView(u"<>").contains(first) != QStringView(u"<>").contains(second);
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

bool hasOtherForms(QStringView text) {
    for (qsizetype i = 1; i < text.size(); ++i)
        if (pointsWith(text[i - 1], text[i]) || (text[i] == u'x' && followsDigit(text, i))) return true;
    return false;
}

QFont asWritten(QFont font, QStringView text) {
    if (hasOtherForms(text)) font.setStyleStrategy(QFont::StyleStrategy(font.styleStrategy() | QFont::PreferNoShaping));
    return font;
}

bool turnsText(QChar c) {
    return (c >= QChar(0x202a) && c <= QChar(0x202e)) || (c >= QChar(0x2066) && c <= QChar(0x2069));
}

void FieldLetters::setDocument(QQuickTextDocument* document) {
    if (document == document_) return;
    if (document_) document_->textDocument()->disconnect(this);
    document_ = document;
    delete apart_;
    if (document_) {
        QTextDocument* const text = document_->textDocument();
        apart_ = new Apart(text); // it belongs to the field's document
        connect(text, &QTextDocument::contentsChange, this, [this](int at, int, int added) { look(at, added); });
        // A document must not be changed while it tells of a change.
        connect(text, &QTextDocument::contentsChanged, this, &FieldLetters::straighten);
    }
    Q_EMIT documentChanged();
}

void FieldLetters::look(int from, int added) {
    const QTextDocument& text = *document_->textDocument();
    const int end = std::min(from + added, text.characterCount());
    for (int at = from; at < end && !turned_; ++at) turned_ = turnsText(text.characterAt(at));
}

void FieldLetters::straighten() {
    if (!turned_) return;
    turned_ = false;
    QTextDocument* const text = document_->textDocument();
    QTextCursor cursor(text);
    cursor.joinPreviousEditBlock();
    for (int at = text->characterCount() - 1; at >= 0; --at) {
        if (!turnsText(text->characterAt(at))) continue;
        cursor.setPosition(at);
        cursor.deleteChar();
    }
    cursor.endEditBlock();
}

} // namespace coterie::app
