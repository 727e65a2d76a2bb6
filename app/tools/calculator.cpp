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
#include "tools/calculator.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace coterie::app {
namespace {

constexpr qsizetype kLongest = 1000; // characters of an expression
constexpr int kDeepest = 100;        // brackets, signs and powers inside each other
constexpr int kDigits = 15;          // decimal digits that every double keeps
constexpr double kLargestFactorial = 170;

struct Function {
    QLatin1String name;
    double (*compute)(double x);
};

double factorial(double x) {
    if (x < 0 || x > kLargestFactorial || x != std::floor(x)) return std::nan("");
    return std::round(std::tgamma(x + 1));
}

double quotient(double a, double b) { return b == 0 ? std::nan("") : a / b; }

double raised(double base, double exponent) {
    return base == 0 && exponent < 0 ? std::nan("") : std::pow(base, exponent);
}

constexpr std::array kFunctions = {
    Function{QLatin1String("sqrt"), [](double x) { return std::sqrt(x); }},
    Function{QLatin1String("cbrt"), [](double x) { return std::cbrt(x); }},
    Function{QLatin1String("abs"), [](double x) { return std::abs(x); }},
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
    Function{QLatin1String("floor"), [](double x) { return std::floor(x); }},
    Function{QLatin1String("ceil"), [](double x) { return std::ceil(x); }},
    Function{QLatin1String("round"), [](double x) { return std::round(x); }},
    Function{QLatin1String("factorial"), factorial},
};

class Parser {
  public:
    explicit Parser(QStringView text) : text_(text) {}

    /// Returns nothing if the text is no expression, and no number (NaN) if a step of it has no result.
    std::optional<double> parse() {
        const double result = sum();
        skipSpace();
        if (failed_ || at_ < text_.size()) return std::nullopt;
        return undefined_ ? std::nan("") : result;
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

    double sum() {
        const Level level(*this);
        if (failed_) return 0;
        double total = product();
        for (;;) {
            if (take(u'+'))
                total += product();
            else if (take(u'-'))
                total -= product();
            else
                return defined(total);
        }
    }

    double product() {
        double total = signedValue();
        for (;;) {
            if (take(u'*'))
                total *= signedValue();
            else if (take(u'/'))
                total = quotient(total, signedValue());
            else if (take(u'%'))
                total = std::fmod(total, divisor());
            else
                return total;
            defined(total);
        }
    }

    /// Reads what follows "%". A sign behind it, or nothing, means that it stands for per cent.
    double divisor() {
        skipSpace();
        const QChar next = at_ < text_.size() ? text_[at_] : QChar();
        percent_ = next.isNull() || QStringView(u"+-*/%^!),").contains(next);
        failed_ |= percent_;
        return failed_ ? 0 : signedValue();
    }

    double signedValue() {
        const Level level(*this);
        if (failed_) return 0;
        if (take(u'-')) return -signedValue();
        if (take(u'+')) return signedValue();
        return power();
    }

    double power() {
        double base = value();
        while (take(u'!')) base = defined(factorial(base));
        return take(u'^') ? defined(raised(base, signedValue())) : base;
    }

    double value() {
        skipSpace();
        if (take(u'(')) return closed(sum());
        const QChar next = at_ < text_.size() ? text_[at_] : QChar();
        if (next.isLetter()) return named();
        return number();
    }

    double closed(double inside) {
        failed_ |= !take(u')');
        return inside;
    }

    double number() {
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
        const double is = QLocale::c().toDouble(text_.mid(begin, at_ - begin), &read);
        failed_ |= !read;
        return is;
    }

    double named() {
        const qsizetype begin = at_;
        while (at_ < text_.size() && text_[at_].isLetterOrNumber()) ++at_;
        const QStringView name = text_.mid(begin, at_ - begin);
        if (!take(u'(')) {
            if (name == QLatin1String("pi") || name == QStringView(u"\u03c0")) return std::numbers::pi;
            failed_ |= name != QLatin1String("e");
            return std::numbers::e;
        }
        std::vector<double> arguments{sum()};
        while (take(u',')) arguments.push_back(sum());
        const double result = defined(applied(name, arguments));
        return closed(result);
    }

    double applied(QStringView name, const std::vector<double>& arguments) {
        if (name == QLatin1String("min")) return *std::min_element(arguments.begin(), arguments.end());
        if (name == QLatin1String("max")) return *std::max_element(arguments.begin(), arguments.end());
        if (name == QLatin1String("pow") && arguments.size() == 2) return raised(arguments[0], arguments[1]);
        const auto* function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                            [name](const Function& known) { return known.name == name; });
        failed_ |= function == kFunctions.end() || arguments.size() != 1;
        return failed_ ? 0 : function->compute(arguments.front());
    }

    /// Notes that a step has no result.
    double defined(double result) {
        undefined_ |= std::isnan(result);
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
    const std::optional<double> result = parser.parse();
    if (parser.metPercent())
        return {.problem = QStringLiteral("The sign % is the remainder of a division. Write 15 per cent as 15/100, and "
                                          "a negative divisor in brackets")};
    if (!result)
        return {.problem = QStringLiteral("This is not arithmetic. Use numbers, + - * / % ^, brackets, and functions "
                                          "such as sqrt(2)")};
    if (!std::isfinite(*result)) return {.problem = QStringLiteral("The expression has no finite result")};
    return {.value = result};
}

QString calculatedText(double value) {
    return QLocale::c().toString(value + 0.0, 'g', kDigits).remove(u','); // no negative zero
}

} // namespace coterie::app
