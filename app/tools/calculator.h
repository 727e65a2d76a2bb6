// SPDX-License-Identifier: Apache-2.0
// Computes arithmetic that a model asks for: numbers, + - * / % ^, brackets, functions, pi and e. It runs no code and
// knows no variables. Plain functions; any thread.
//
//     calculate(u"2 * (3 + sqrt(16))").value   // 14
#pragma once

#include <QString>
#include <QStringView>

#include <optional>

namespace coterie::app {

struct Calculated {
    std::optional<double> value{}; ///< the result, if there is one
    QString problem{};             ///< for the model: why there is none
};

/// Computes the expression in double precision. There is no result if the expression can't be read, is too long or too
/// deep, if one of its steps has no result, or if its result is not finite.
Calculated calculate(QStringView expression);

/// Writes a result with at most 15 digits, which a double holds exactly; whole numbers have no point.
QString calculatedText(double value);

} // namespace coterie::app
