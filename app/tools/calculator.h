// SPDX-License-Identifier: Apache-2.0
// Computes arithmetic that a model asks for: numbers, + - * / % ^, brackets, functions, pi and e. It runs no code and
// knows no variables. Plain functions; any thread.
//
//     calculatedText(calculate(u"2 * (3 + sqrt(16))"))   // "14"
#pragma once

#include <QString>
#include <QStringView>

#include <optional>

namespace coterie::app {

struct Calculated {
    std::optional<double> value{}; ///< the result, if there is one
    std::optional<qint64> whole{}; ///< the exact result, if it is whole and only exact steps led to it
    QString problem{};             ///< for the model: why there is none
};

/// Computes the expression: exactly while all numbers are whole and fit into 64 bits, else in double precision. There
/// is no result if the expression can't be read, is too long or too deep, if one of its steps has no result, or if its
/// result is not finite.
Calculated calculate(QStringView expression);

/// Writes a result: one that is exact and whole with all its digits, any other with at most 15, which a double holds
/// exactly. If these do not reach the point, it says "about". Whole numbers have no point. The result must have a
/// value.
QString calculatedText(const Calculated& result);

} // namespace coterie::app
