// SPDX-License-Identifier: Apache-2.0
// See full_sentence.h.
#include "full_sentence.h"

#include <QRegularExpression>

namespace coterie::app {

QString fullSentence(const QString& words) {
    static const QRegularExpression kOpen(QStringLiteral("[^.!?\u2026\u3002]$"));
    return words.contains(kOpen) ? Sentences::tr("%1.", "a sentence without its full stop").arg(words) : words;
}

} // namespace coterie::app
