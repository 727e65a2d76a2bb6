// SPDX-License-Identifier: Apache-2.0
// The delimiters of a formula in an answer: $..$, $$..$$, \(..\), \[..\].
//
//     withoutDelimiters(QStringLiteral("$x$")); // "x"
#pragma once

#include <QString>

namespace coterie::app {

inline qsizetype delimiterLength(QStringView formula) {
    return formula.startsWith(u"$$") || formula.startsWith(u'\\') ? 2 : 1;
}

/// Whether the formula has a line of its own.
inline bool isDisplayed(QStringView formula) { return formula.startsWith(u"$$") || formula.startsWith(u"\\["); }

inline QString withoutDelimiters(QStringView formula) {
    const qsizetype length = delimiterLength(formula);
    return formula.mid(length, formula.size() - 2 * length).toString();
}

} // namespace coterie::app
