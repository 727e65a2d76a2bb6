// SPDX-License-Identifier: Apache-2.0
// A parser by recursive descent, with a function for each level of precedence:
//
//     sum     = product { ("+" | "-") product }
//     product = signed { ("*" | "/" | "%") signed }
//     signed  = [ "+" | "-" ] signed | power
//     power   = value { "!" } [ "^" signed ]              2^3^2 is 2^(3^2), and -2^2 is -(2^2)
//     value   = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
//
// A step without a result, such as a division by zero, leaves the whole without one, also if a later step would hide
// it: max(5, 0/0). "%" is the remainder. What is no remainder but means per cent is refused: 200 * 15% + 30.
//
// Steps between whole numbers are exact as long as they fit into 64 bits. All others are computed in double precision.
#include "tools/calculator.h"

#include <QLocale>
#include <QtNumeric>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace coterie::app {
namespace {

constexpr qsizetype kLongest = 1000; // characters of an expression
constexpr int kDeepest = 100;        // brackets, signs and powers inside each other
constexpr int kDigits = 15;          // decimal digits that every double keeps
constexpr double kFirstAbout = 1e15; // from here on, kDigits do not hold all digits before the point
constexpr double kLargestFactorial = 170;
constexpr qint64 kLargestWholeFactorial = 20;        // 21! does not fit into 64 bits
constexpr double kLargestExact = 9007199254740992.0; // 2^53: a double holds all whole numbers up to it

/// The value of a step.
struct Number {
    double real = 0;
    std::optional<qint64> whole{}; ///< the exact value, if it is whole, fits, and no step before it was rounded
};

Number exact(qint64 whole) { return {static_cast<double>(whole), whole}; }

Number undefined() { return {std::nan("")}; }

/// Computes exactly if both are whole and the result fits. `overflows` computes the whole result, and returns whether
/// it does not fit.
Number combined(const Number& a, const Number& b, double real, bool (*overflows)(qint64, qint64, qint64*)) {
    qint64 whole = 0;
    return a.whole && b.whole && !overflows(*a.whole, *b.whole, &whole) ? exact(whole) : Number{real};
}

Number plus(const Number& a, const Number& b) { return combined(a, b, a.real + b.real, qAddOverflow<qint64>); }

Number minus(const Number& a, const Number& b) { return combined(a, b, a.real - b.real, qSubOverflow<qint64>); }

Number times(const Number& a, const Number& b) { return combined(a, b, a.real * b.real, qMulOverflow<qint64>); }

Number negated(const Number& x) {
    const bool fits = x.whole && *x.whole != std::numeric_limits<qint64>::min();
    return fits ? exact(-*x.whole) : Number{-x.real};
}

Number quotient(const Number& a, const Number& b) {
    if (b.real == 0) return undefined();
    if (!a.whole || !b.whole) return {a.real / b.real};
    if (*b.whole == -1) return negated(a); // the least number has no opposite that fits
    return *a.whole % *b.whole == 0 ? exact(*a.whole / *b.whole) : Number{a.real / b.real};
}

Number remainder(const Number& a, const Number& b) {
    if (b.real == 0) return undefined();
    if (!a.whole || !b.whole) return {std::fmod(a.real, b.real)};
    return exact(*b.whole == -1 ? 0 : *a.whole % *b.whole);
}

/// Returns the power if it is whole and fits.
std::optional<qint64> wholePower(qint64 base, qint64 exponent) {
    if (exponent < 0) return std::nullopt;
    if (base >= -1 && base <= 1) exponent = std::min(exponent, 2 + exponent % 2); // the same power in a few steps
    qint64 power = 1;
    for (; exponent > 0; --exponent)
        if (qMulOverflow(power, base, &power)) return std::nullopt;
    return power;
}

Number raised(const Number& base, const Number& exponent) {
    if (base.real == 0 && exponent.real < 0) return undefined();
    const auto whole = base.whole && exponent.whole ? wholePower(*base.whole, *exponent.whole) : std::nullopt;
    return whole ? exact(*whole) : Number{std::pow(base.real, exponent.real)};
}

Number factorial(const Number& x) {
    if (x.real < 0 || x.real > kLargestFactorial || x.real != std::floor(x.real)) return undefined();
    if (x.real > static_cast<double>(kLargestWholeFactorial)) return {std::round(std::tgamma(x.real + 1))};
    Number product = exact(1);
    for (qint64 factor = 2; factor <= static_cast<qint64>(x.real); ++factor) product = times(product, exact(factor));
    return product;
}

bool less(const Number& a, const Number& b) { return a.whole && b.whole ? *a.whole < *b.whole : a.real < b.real; }

/// Returns the exact value of a number as it is written, such as 12 or 12e3. One with a point, or too large, has none.
std::optional<qint64> wholeValue(QStringView written) {
    const qsizetype mark = written.indexOf(u'e', 0, Qt::CaseInsensitive);
    bool read = false, exponentRead = true;
    const qint64 digits = written.left(mark < 0 ? written.size() : mark).toLongLong(&read);
    const qint64 exponent = mark < 0 ? 0 : written.mid(mark + 1).toLongLong(&exponentRead);
    const std::optional<qint64> power = exponentRead ? wholePower(10, exponent) : std::nullopt;
    qint64 whole = 0;
    if (!read || !power || qMulOverflow(digits, *power, &whole)) return std::nullopt;
    return whole;
}

struct Function {
    QLatin1String name;
    double (*compute)(double x);
    bool rounds = false; ///< its results are whole
};

constexpr std::array kFunctions = {
    Function{QLatin1String("sqrt"), [](double x) { return std::sqrt(x); }},
    Function{QLatin1String("cbrt"), [](double x) { return std::cbrt(x); }},
    Function{QLatin1String("exp"), [](double x) { return std::exp(x); }},
    Function{QLatin1String("ln"), [](double x) { return x == 0 ? std::nan("") : std::log(x); }},
    Function{QLatin1String("log"), [](double x) { return x == 0 ? std::nan("") : std::log10(x); }},
    Function{QLatin1String("log10"), [](double x) { return x == 0 ? std::nan("") : std::log10(x); }},
    Function{QLatin1String("log2"), [](double x) { return x == 0 ? std::nan("") : std::log2(x); }},
    Function{QLatin1String("sin"), [](double x) { return std::sin(x); }},
    Function{QLatin1String("cos"), [](double x) { return std::cos(x); }},
    Function{QLatin1String("tan"), [](double x) { return std::tan(x); }},
    Function{QLatin1String("asin"), [](double x) { return std::asin(x); }},
    Function{QLatin1String("acos"), [](double x) { return std::acos(x); }},
    Function{QLatin1String("atan"), [](double x) { return std::atan(x); }},
    Function{QLatin1String("floor"), [](double x) { return std::floor(x); }, true},
    Function{QLatin1String("ceil"), [](double x) { return std::ceil(x); }, true},
    Function{QLatin1String("round"), [](double x) { return std::round(x); }, true},
};

Number applied(const Function& function, const Number& x) {
    if (function.rounds && x.whole) return x;
    const double result = function.compute(x.real);
    const bool whole = function.rounds && std::abs(result) <= kLargestExact;
    return whole ? exact(static_cast<qint64>(result)) : Number{result};
}

class Parser {
  public:
    explicit Parser(QStringView text) : text_(text) {}

    /// Returns nothing if the text is no expression, and no number (NaN) if a step of it has no result.
    std::optional<Number> parse() {
        const Number result = sum();
        skipSpace();
        if (failed_ || at_ < text_.size()) return std::nullopt;
        return undefined_ ? undefined() : result;
    }
    /// Whether it failed at a "%" that is no remainder.
    bool metPercent() const { return percent_; }

  private:
    /// Counts how deep the parser is, and fails where that is too deep for the stack.
    class Level {
      public:
        explicit Level(Parser& parser) : parser_(parser) { parser_.failed_ |= ++parser_.depth_ > kDeepest; }
        ~Level() { --parser_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        Parser& parser_;
    };

    Number sum() {
        const Level level(*this);
        if (failed_) return {};
        Number total = product();
        for (;;) {
            if (take(u'+'))
                total = plus(total, product());
            else if (take(u'-'))
                total = minus(total, product());
            else
                return defined(total);
        }
    }

    Number product() {
        Number total = signedValue();
        for (;;) {
            if (take(u'*'))
                total = times(total, signedValue());
            else if (take(u'/'))
                total = quotient(total, signedValue());
            else if (take(u'%'))
                total = remainder(total, divisor());
            else
                return total;
            defined(total);
        }
    }

    /// Reads what follows "%". A sign behind it, or nothing, means that it stands for per cent.
    Number divisor() {
        skipSpace();
        const QChar next = at_ < text_.size() ? text_[at_] : QChar();
        percent_ = next.isNull() || QStringView(u"+-*/%^!),").contains(next);
        failed_ |= percent_;
        return failed_ ? Number() : signedValue();
    }

    Number signedValue() {
        const Level level(*this);
        if (failed_) return {};
        if (take(u'-')) return negated(signedValue());
        if (take(u'+')) return signedValue();
        return power();
    }

    Number power() {
        Number base = value();
        while (take(u'!')) base = defined(factorial(base));
        return take(u'^') ? defined(raised(base, signedValue())) : base;
    }

    Number value() {
        skipSpace();
        if (take(u'(')) return closed(sum());
        const QChar next = at_ < text_.size() ? text_[at_] : QChar();
        if (next.isLetter()) return named();
        return number();
    }

    Number closed(const Number& inside) {
        failed_ |= !take(u')');
        return inside;
    }

    Number number() {
        const qsizetype begin = at_;
        const auto digits = [this] {
            while (at_ < text_.size() && text_[at_] >= u'0' && text_[at_] <= u'9') ++at_;
        };
        digits();
        if (at_ < text_.size() && text_[at_] == u'.') {
            ++at_;
            digits();
        }
        if (at_ > begin && at_ < text_.size() && (text_[at_] == u'e' || text_[at_] == u'E')) {
            const qsizetype mark = at_++;
            if (at_ < text_.size() && (text_[at_] == u'-' || text_[at_] == u'+')) ++at_;
            const qsizetype exponent = at_;
            digits();
            if (at_ == exponent) at_ = mark; // "2e" is 2 and a name, which is an error
        }
        bool read = false;
        const QStringView written = text_.mid(begin, at_ - begin);
        const double real = QLocale::c().toDouble(written, &read);
        failed_ |= !read;
        const std::optional<qint64> whole = wholeValue(written);
        return whole ? exact(*whole) : Number{real};
    }

    Number named() {
        const qsizetype begin = at_;
        while (at_ < text_.size() && text_[at_].isLetterOrNumber()) ++at_;
        const QStringView name = text_.mid(begin, at_ - begin);
        if (!take(u'(')) {
            if (name == QLatin1String("pi") || name == QStringView(u"\u03c0")) return {std::numbers::pi};
            failed_ |= name != QLatin1String("e");
            return {std::numbers::e};
        }
        std::vector<Number> arguments{sum()};
        while (take(u',')) arguments.push_back(sum());
        const Number result = defined(resultOf(name, arguments));
        return closed(result);
    }

    Number resultOf(QStringView name, const std::vector<Number>& arguments) {
        const Number& x = arguments.front();
        if (name == QLatin1String("min")) return *std::min_element(arguments.begin(), arguments.end(), less);
        if (name == QLatin1String("max")) return *std::max_element(arguments.begin(), arguments.end(), less);
        if (name == QLatin1String("pow") && arguments.size() == 2) return raised(x, arguments[1]);
        if (name == QLatin1String("abs") && arguments.size() == 1) return x.real < 0 ? negated(x) : x;
        if (name == QLatin1String("factorial") && arguments.size() == 1) return factorial(x);
        const auto* function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                            [name](const Function& known) { return known.name == name; });
        failed_ |= function == kFunctions.end() || arguments.size() != 1;
        return failed_ ? Number() : applied(*function, x);
    }

    /// Notes that a step has no result.
    Number defined(const Number& result) {
        undefined_ |= std::isnan(result.real);
        return result;
    }

    void skipSpace() {
        while (at_ < text_.size() && text_[at_].isSpace()) ++at_;
    }

    bool take(QChar wanted) {
        skipSpace();
        if (failed_ || at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    QStringView text_;
    qsizetype at_ = 0;
    int depth_ = 0;
    bool failed_ = false, undefined_ = false, percent_ = false;
};

} // namespace

Calculated calculate(QStringView expression) {
    if (expression.size() > kLongest) return {.problem = QStringLiteral("The expression is too long")};
    QString plain = expression.toString();
    plain.replace(QStringLiteral("**"), QStringLiteral("^"));
    plain.replace(QChar(0x00d7), u'*').replace(QChar(0x00f7), u'/').replace(QChar(0x2212), u'-');
    Parser parser(plain);
    const std::optional<Number> result = parser.parse();
    if (parser.metPercent())
        return {.problem = QStringLiteral("The sign % is the remainder of a division. Write 15 per cent as 15/100, and "
                                          "a negative divisor in brackets")};
    if (!result)
        return {.problem = QStringLiteral("This is not arithmetic. Use numbers, + - * / % ^, brackets, and functions "
                                          "such as sqrt(2)")};
    if (!std::isfinite(result->real)) return {.problem = QStringLiteral("The expression has no finite result")};
    return {.value = result->real, .whole = result->whole};
}

QString calculatedText(const Calculated& result) {
    if (result.whole) return QString::number(*result.whole);
    const double value = result.value.value_or(0) + 0.0; // no negative zero
    const QString digits = QLocale::c().toString(value, 'g', kDigits).remove(u',');
    return std::abs(value) < kFirstAbout ? digits : QStringLiteral("about ") + digits;
}

} // namespace coterie::app
