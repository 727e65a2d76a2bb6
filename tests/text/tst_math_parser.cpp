// SPDX-License-Identifier: Apache-2.0
// Reading of formulas: trees, the whole listed set, what is refused, limits, random input, and what is said aloud.
#include "math_samples.h"
#include "text/math/math_commands.h"
#include "text/math/math_formula.h"
#include "text/math/math_parser.h"

#include <QtGui>
#include <QtTest>

#include <algorithm>
#include <random>

using namespace coterie;
using namespace coterie::app;

namespace {

using Kind = MathNode::Kind;

/// Writes a tree in short: a symbol as itself, the rest as kind(children).
QString shortTree(const MathNode& node) {
    const auto children = [&] {
        QStringList parts;
        for (const MathNode& child : node.children) parts << shortTree(child);
        return parts.join(u',');
    };
    switch (node.kind) {
    case Kind::Row:
        return u'{' + children() + u'}';
    case Kind::Symbol:
        return QString::fromUcs4(&node.character, 1);
    case Kind::Name:
        return u'<' + node.text + u'>';
    case Kind::Text:
        return u'"' + node.text + u'"';
    case Kind::Space:
        return QStringLiteral("space");
    case Kind::Fraction:
        return (node.ruled ? QStringLiteral("frac(") : QStringLiteral("binom(")) + children() + u')';
    case Kind::Root:
        return QStringLiteral("root(") + children() + u')';
    case Kind::Scripts:
        return QStringLiteral("scripts(") + children() + u')';
    case Kind::Fenced:
        return QStringLiteral("fenced") + node.text + u'(' + children() + u')';
    case Kind::Table:
        return QStringLiteral("table(") + children() + u')';
    case Kind::Styled:
        return QStringLiteral("style%1(").arg(static_cast<int>(node.style)) + children() + u')';
    default:
        return QStringLiteral("kind%1(").arg(static_cast<int>(node.kind)) + children() + u')';
    }
}

QString treeOf(const QString& source) {
    const std::optional<MathNode> root = parseMath(source);
    return root ? shortTree(*root) : QStringLiteral("refused");
}

/// A formula in which the command is used as it is meant.
QString useOf(const MathCommand& command) {
    using enum MathCommandKind;
    const QString name = u'\\' + QString::fromLatin1(command.name);
    switch (command.kind) {
    case Size:
        return name + u'(';
    case Fraction:
    case Binomial:
    case Coloured:
    case Stack:
        return name + QStringLiteral("{a}{b}");
    case Limits:
        return QStringLiteral("\\sum") + name + QStringLiteral("_a");
    case Left:
        return QStringLiteral("\\left( x \\right)");
    case Middle:
    case Right:
        return QStringLiteral("\\left( x \\middle| y \\right]");
    case Begin:
    case End:
        return QStringLiteral("\\begin{matrix} a & b \\end{matrix}");
    case Rule:
        return QStringLiteral("\\begin{array}{c} \\hline a \\\\ b \\\\ \\hline \\end{array}");
    case NewLine:
        return QStringLiteral("a ") + name + QStringLiteral(" b");
    case Not:
        return name + u'=';
    case Symbol:
    case BigOperator:
    case Integral:
    case Name:
    case LimitName:
    case Space:
    case Style:
    case Ignored:
        return QStringLiteral("a ") + name + QStringLiteral(" b");
    default:
        return name + QStringLiteral("{abc} x");
    }
}

} // namespace

class TestMathParser : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void trees_data();
    void trees();
    void everyListedCommandIsRead_data();
    void everyListedCommandIsRead();
    void everyEnvironmentIsRead();
    void samplesAreRead();
    void refused_data();
    void refused();
    void limits();
    void namesAreUnique();
    void randomInput();
    void spoken_data();
    void spoken();
};

void TestMathParser::trees_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("tree");
    const auto row = [](const char* source, const char* tree) {
        QTest::newRow(source) << QString::fromUtf8(source) << QString::fromUtf8(tree);
    };
    row("x", "{x}");
    row("a b", "{a,b}");
    row("\\frac{a}{b}", "{frac({a},{b})}");
    row("\\frac ab", "{frac({a},{b})}");
    row("\\frac12", "{frac({1},{2})}");
    row("\\binom n k", "{binom({n},{k})}");
    row("x^2", "{scripts(x,{},{2})}");
    row("x_i^2", "{scripts(x,{i},{2})}");
    row("x^2_i", "{scripts(x,{i},{2})}");
    row("x^{2y}", "{scripts(x,{},{2,y})}");
    row("{}^2", "{scripts({},{},{2})}");
    row("^2", "{scripts({},{},{2})}");
    row("f'", "{scripts(f,{},{\xE2\x80\xB2})}");
    row("f''^2", "{scripts(f,{},{\xE2\x80\xB2,\xE2\x80\xB2,{2}})}");
    row("\\sqrt x", "{root({x})}");
    row("\\sqrt[3]{x}", "{root({x},{3})}");
    row("\\sqrt{[a]}", "{root({[,a,]})}");
    row("\\alpha\\beta", "{\xCE\xB1,\xCE\xB2}");
    row("\\sin x", "{<sin>,x}");
    row("\\operatorname{arg\\,max}", "{<arg\xE2\x80\x89max>}");
    row("\\limsup", "{<lim\xE2\x80\x89sup>}");
    row("\\text{if } x", "{\"if \",x}");
    row("\\text{for $x$ in}", "{{\"for \",{x},\" in\"}}");
    row("\\left( a \\middle| b \\right]", "{fenced(|]({a},{b})}");
    row("\\left. a \\right\\}", "{fenced.}({a})}");
    row("\\begin{matrix} a & b \\\\ c & d \\end{matrix}", "{table({{a},{b}},{{c},{d}})}");
    row("\\begin{pmatrix} a \\\\ \\end{pmatrix}", "{fenced()(table({{a}}))}");
    row("a \\\\ b", "table({{a}},{{b}})");
    row("{\\scriptstyle x y} z", "{{style2(x,y)},z}");
    row("\\color{red} x", "{x}");
    row("\\textcolor{red}{x}", "{{x}}");
    row("x \\label{eq:1} y \\nonumber", "{x,y}");
    row("a~b", "{a,space,b}");
    row("\\mathbf{x}", "{x}");
    row("\\not=", "{\xE2\x89\xA0}");
    row("\\not\\in", "{\xE2\x88\x89}");
    row("\xCE\xB1 \xE2\x89\xA4 \xE2\x88\x9E", "{\xCE\xB1,\xE2\x89\xA4,\xE2\x88\x9E}"); // characters, not commands
    row("\xE4\xBD\xA0\xE5\xA5\xBD x", "{\"\xE4\xBD\xA0\xE5\xA5\xBD\",x}");             // a word in one piece
    row("x\\tag{1}", "{x,{space,\"(1)\"}}");
}

void TestMathParser::trees() {
    QFETCH(QString, source);
    QFETCH(QString, tree);
    QCOMPARE(treeOf(source), tree);
}

void TestMathParser::everyListedCommandIsRead_data() {
    QTest::addColumn<QString>("source");
    for (const MathCommand& command : mathCommands()) QTest::newRow(command.name) << useOf(command);
}

void TestMathParser::everyListedCommandIsRead() {
    QFETCH(QString, source);
    const std::optional<MathFormula> formula = MathFormula::parse(source);
    QVERIFY2(formula, qPrintable(source));
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(15);
    for (const bool display : {true, false}) QVERIFY2(formula->size(font, display).width > 0, qPrintable(source));
    QVERIFY2(!formula->spoken().isEmpty(), qPrintable(source));
}

void TestMathParser::everyEnvironmentIsRead() {
    for (const MathEnvironment& environment : mathEnvironments()) {
        const QString name = QString::fromLatin1(environment.name);
        const QString columns = environment.columns ? QString() : QStringLiteral("{cc}");
        const QString source = QStringLiteral("\\begin{%1}%2 a & b \\\\ c & d \\end{%1}").arg(name, columns);
        QVERIFY2(parseMath(source), qPrintable(source));
    }
}

void TestMathParser::samplesAreRead() {
    for (const char* source : tests::kFormulas) QVERIFY2(parseMath(QString::fromLatin1(source)), source);
}

void TestMathParser::refused_data() {
    QTest::addColumn<QString>("source");
    for (const char* source : {"",
                               " ",
                               "{",
                               "}",
                               "{a",
                               "a}",
                               "^",
                               "x^",
                               "x_",
                               "x^2^3",
                               "x_1_2",
                               "\\",
                               "\\frac",
                               "\\frac{a}",
                               "\\sqrt[3",
                               "\\unknown",
                               "\\input{file}",
                               "\\def\\a{b}",
                               "\\newcommand{\\a}{b}",
                               "\\href{a}{b}",
                               "\\includegraphics{a}",
                               "\\left( a",
                               "a \\right)",
                               "\\left a \\right)",
                               "\\left( a \\middle \\right)",
                               "\\middle|",
                               "a & b",
                               "\\begin{matrix} a",
                               "\\begin{matrix} a \\end{pmatrix}",
                               "\\begin{unknown} a \\end{unknown}",
                               "\\end{matrix}",
                               "\\begin{array} a \\end{array}",
                               "\\begin{array}{xyz} a \\end{array}",
                               "\\begin{array}{c} a & b \\end{array}",
                               "\\hline",
                               "\\limits",
                               "x\\limits_a",
                               "$x$",
                               "a # b",
                               "100%",
                               "\\text{a",
                               "\\text{\\unknown}",
                               "\\big",
                               "\\bigx",
                               "\\not",
                               "\\not{a}",
                               "\\operatorname{}",
                               "\\operatorname{\\frac}",
                               "\\begin{}\\end{}",
                               "\\\\",
                               "\\color",
                               "\\verb|x|",
                               "\\ce{H2O}",
                               "\\hspace{1em}",
                               "a ` b",
                               "\x01",
                               "\\alpha2\\beta\\gama"})
        QTest::newRow(source) << QString::fromLatin1(source);
}

void TestMathParser::refused() {
    QFETCH(QString, source);
    QVERIFY2(!MathFormula::parse(source), qPrintable(source));
}

void TestMathParser::limits() {
    const auto nested = [](const char* open, const char* close, int depth) {
        return QString::fromLatin1(open).repeated(depth) + u'x' + QString::fromLatin1(close).repeated(depth);
    };
    for (const auto& [open, close] : {std::pair{"{", "}"},
                                      {"\\frac{", "}{b}"},
                                      {"x^{", "}"},
                                      {"\\sqrt{", "}"},
                                      {"\\left(", "\\right)"},
                                      {"\\begin{matrix}", "\\end{matrix}"},
                                      {"\\hat{", "}"},
                                      {"\\text{$", "$}"},
                                      {"\\displaystyle ", ""},
                                      {"\\mathbf ", ""},
                                      {"\\overset{a}{", "}"}}) {
        QVERIFY2(parseMath(nested(open, close, 8)), open);
        QVERIFY2(!parseMath(nested(open, close, kMathMaxDepth + 1)), open);
        QVERIFY2(!parseMath(nested(open, close, 500)), open);
    }
    QVERIFY(parseMath(QString(kMathMaxNodes - 10, u'x')));
    QVERIFY(!parseMath(QString(kMathMaxNodes + 10, u'x')));
    QVERIFY(!parseMath(QString(kMathMaxLength + 1, u' ') + u'x'));
    QVERIFY(parseMath(QStringLiteral("\\begin{matrix}") + QString(kMathMaxColumns - 1, u'&') +
                      QStringLiteral("\\end{matrix}")));
    QVERIFY(!parseMath(QStringLiteral("\\begin{matrix}") + QString(kMathMaxColumns, u'&') +
                       QStringLiteral("\\end{matrix}")));
}

/// A second entry of a name would never be found.
void TestMathParser::namesAreUnique() {
    QSet<QString> names;
    for (const MathCommand& command : mathCommands()) {
        const QString name = QString::fromLatin1(command.name);
        QVERIFY2(!names.contains(name), command.name);
        names.insert(name);
        QCOMPARE(mathCommand(name), &command);
    }
    QVERIFY(!mathCommand(u"noSuchCommand"));
}

/// Pieces of formulas in any order, cut anywhere: they are refused or laid out, said and drawn.
void TestMathParser::randomInput() {
    std::mt19937 random(17);
    QStringList pieces{QStringLiteral("{"),
                       QStringLiteral("}"),
                       QStringLiteral("^"),
                       QStringLiteral("_"),
                       QStringLiteral("&"),
                       QStringLiteral("\\\\"),
                       QStringLiteral("x"),
                       QStringLiteral("1"),
                       QStringLiteral("+"),
                       QStringLiteral("'"),
                       QStringLiteral("["),
                       QStringLiteral("]"),
                       QStringLiteral("$"),
                       QStringLiteral(" "),
                       QStringLiteral("{a}"),
                       QStringLiteral("\\begin{matrix}"),
                       QStringLiteral("\\end{matrix}"),
                       QStringLiteral("\\begin{cases}"),
                       QStringLiteral("\\end{cases}"),
                       QStringLiteral("\\left("),
                       QStringLiteral("\\right)")};
    for (const MathCommand& command : mathCommands())
        pieces << u'\\' + QString::fromLatin1(command.name) << useOf(command);
    QFont font;
    font.setPixelSize(15);
    QImage image(64, 64, QImage::Format_ARGB32_Premultiplied);
    int read = 0;
    for (int round = 0; round < 4000; ++round) {
        QString source;
        for (size_t i = 0, count = 1 + random() % 12; i < count; ++i)
            source += pieces[static_cast<qsizetype>(random() % static_cast<size_t>(pieces.size()))];
        if (random() % 4 == 0)
            source.truncate(static_cast<qsizetype>(random() % static_cast<size_t>(source.size() + 1)));
        const std::optional<MathFormula> formula = MathFormula::parse(source);
        if (!formula) continue;
        ++read;
        QPainter painter(&image);
        formula->draw(painter, {0, 32}, font, round % 2 == 0);
        const MathSize size = formula->size(font, round % 2 == 0);
        QVERIFY2(size.width >= 0 && size.width < 1e6 && size.ascent + size.descent < 1e6, qPrintable(source));
        formula->spoken();
    }
    QVERIFY(read > 200);
}

void TestMathParser::spoken_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* source, const char* words) {
        QTest::newRow(source) << QString::fromLatin1(source) << QString::fromLatin1(words);
    };
    row("x^2 + \\sqrt{y}", "x squared plus the square root of y");
    row("\\frac{a}{b}", "a over b");
    row("\\frac{a+1}{b}", "the fraction a plus 1 over b end fraction");
    row("\\sqrt{x+1}", "the square root of x plus 1 end root");
    row("\\sqrt[3]{x}", "the root of order 3 of x");
    row("x_i", "x sub i");
    row("x^{n+1}", "x to the power of n plus 1 end power");
    row("\\sum_{i=1}^n i", "the sum from i equals 1 to n of i");
    row("\\lim_{x \\to 0} f(x)", "the limit as x to 0 f open bracket x close bracket");
    row("\\int_0^1 x", "the integral from 0 to 1 of x");
    row("\\alpha \\leq 120", "alpha is at most 120");
    row("\\binom{n}{k}", "n choose k");
    row("f'", "f prime");
    row("90^\\circ", "90 degrees");
    row("\\vec{v}", "v vector");
    row("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
        "open bracket matrix row 1 a, b, row 2 c, d, end matrix close bracket");
    row("\\sin x", "sine x");
    row("\\Gamma", "capital gamma");
    row("\\text{if } x", "if x");
}

void TestMathParser::spoken() {
    QFETCH(QString, source);
    QFETCH(QString, words);
    const std::optional<MathFormula> formula = MathFormula::parse(source);
    QVERIFY(formula);
    QCOMPARE(formula->spoken(), words);
}

QTEST_MAIN(TestMathParser)
#include "tst_math_parser.moc"
