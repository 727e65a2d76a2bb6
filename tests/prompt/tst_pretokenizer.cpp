// SPDX-License-Identifier: Apache-2.0
// Compares the splitters with the regular expressions that they replace, run by another engine (PCRE2 in Qt), and the
// table of Unicode classes with Qt's own.
#include "prompt/pretokenizer.h"
#include "prompt/unicode_table.h"
#include "support/effort.h"

#include <QChar>
#include <QHash>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

using namespace coterie::engine;

namespace {

const QString kGpt2 = QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
const QString kLlama3 = QStringLiteral(
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kQwen2 = QStringLiteral(
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kQwen35 = QStringLiteral(
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kGpt4o = QStringLiteral(
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kTekken =
    QStringLiteral(R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                   R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                   R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kSeedCoder = QStringLiteral(
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kDeepseek3 =
    QStringLiteral(R"([!\x22#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
                   R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");

struct Known {
    const char* name;
    QStringList passes;
};

const QList<Known>& knownOnes() {
    static const QStringList digits{QStringLiteral(R"(\p{N})"), kGpt2};
    static const QList<Known> all{
        {"gpt-2", {kGpt2}},
        {"olmo", {kGpt2}},
        {"smollm", digits},
        {"starcoder", digits},
        {"llama-bpe", {kLlama3}},
        {"dbrx", {kLlama3}},
        {"smaug-bpe", {kLlama3}},
        {"qwen2", {kQwen2}},
        {"qwen35", {kQwen35}},
        {"lfm2", {kLlama3}},
        {"gemma4", {QStringLiteral("[^\n]+|[\n]+")}},
        {"falcon", {QStringLiteral(R"([\p{P}\$\+<=>\^~\|`]+)"), kGpt2, QStringLiteral("[0-9][0-9][0-9]")}},
        {"seed-coder", {kSeedCoder}},
        {"gpt-4o", {kGpt4o}},
        {"tekken", {kTekken}},
        {"deepseek-v3",
         {QStringLiteral(R"(\p{N}{1,3})"), QStringLiteral(R"([\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+)"),
          kDeepseek3}},
        {"deepseek-coder",
         {QStringLiteral("[\r\n]"), QStringLiteral(R"(\s?\p{L}+)"), QStringLiteral(R"(\s?\p{P}+)"),
          QStringLiteral(R"((?:(?!\s)[\x{4e00}-\x{9fa5}\x{0800}-\x{4e00}\x{ac00}-\x{d7ff}])+)"),
          QStringLiteral(R"(\p{N})")}},
        {"glm4", {kLlama3}},
        {"chatglm-bpe", {kLlama3}},
        {"solar-open", {kQwen2}},
        {"deepseek-llm",
         {QStringLiteral("[\r\n]"),
          QStringLiteral(R"(\s?(?:(?![\x{560}-\x{588}\x{10c7}-\x{10ff}\x{1c80}-\x{1c8a}\x{2d00}-\x{2d2d})"
                         R"(\x{a790}-\x{a7fa}\x{ab30}-\x{ab68}\x{10570}-\x{105bc}\x{16e40}-\x{16e7f})"
                         R"(\x{1d400}-\x{1d7cb}\x{1df00}-\x{1df2a}])[\p{Lu}\p{Ll}\p{Lt}])+)"),
          QStringLiteral(R"(\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3001}\x{3002}]+)"),
          QStringLiteral(R"(\s+\z)"),
          QStringLiteral(R"((?:(?!\s)[\x{4e00}-\x{9fa5}\x{0800}-\x{4e00}\x{ac00}-\x{d7ff}])+)"),
          QStringLiteral(R"(\p{N}+)")}},
        {"viking",
         {QStringLiteral(R"( ?[^(\s|.,!?\x{2026}\x{3002}\x{ff0c}\x{3001}\x{0964}\x{06d4}\x{060c})]+)"),
          QStringLiteral(R"(\p{N})")}},
        {"default",
         {QStringLiteral(R"([\p{P}\$\+<=>\^~\|]+)"), kGpt2, QStringLiteral(R"(\p{N}+)"),
          QStringLiteral("[0-9][0-9][0-9]")}},
    };
    return all;
}

/// The expression of a pattern, which is compiled once: that takes longer than splitting a text.
const QRegularExpression& expressionOf(const QString& pattern) {
    static QHash<QString, QRegularExpression> known;
    const auto found = known.constFind(pattern);
    if (found != known.constEnd()) return *found;
    return *known.insert(pattern, QRegularExpression(pattern, QRegularExpression::UseUnicodePropertiesOption));
}

/// The matches and the texts between them.
QStringList isolate(const QString& pattern, const QStringList& texts) {
    QStringList out;
    for (const QString& text : texts) {
        qsizetype at = 0;
        for (auto matches = expressionOf(pattern).globalMatch(text); matches.hasNext();) {
            const QRegularExpressionMatch match = matches.next();
            if (match.capturedStart() > at) out += text.mid(at, match.capturedStart() - at);
            if (match.capturedLength() > 0) out += match.captured();
            at = match.capturedEnd();
        }
        if (at < text.size()) out += text.mid(at);
    }
    return out;
}

QStringList splitByUs(const char* name, const QByteArray& text) {
    QStringList out;
    for (const std::string_view piece :
         findPretokenizer(name)->split({text.constData(), static_cast<size_t>(text.size())}))
        out += QString::fromUtf8(piece.data(), static_cast<qsizetype>(piece.size()));
    return out;
}

void compare(const QString& text) {
    for (const Known& known : knownOnes()) {
        QStringList wanted{text};
        for (const QString& pass : known.passes) wanted = isolate(pass, wanted);
        const QStringList got = splitByUs(known.name, text.toUtf8());
        if (got != wanted) qWarning() << known.name << text;
        wanted.removeAll(QString());
        QCOMPARE(got, wanted);
    }
}

} // namespace

class TestPretokenizer : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void unicodeTableAgreesWithQt();
    void names();
    void splits_data();
    void splits();
    void randomTexts();
    void notUtf8();
    void longRunsAreLinear();
};

void TestPretokenizer::unicodeTableAgreesWithQt() {
    int compared = 0;
    for (uint32_t point = 0; point < 0x110000; ++point) {
        // Characters that the older of the two databases lacks (Qt 6.4 has Unicode 14) can't be compared.
        if (QChar::unicodeVersion(point) == QChar::Unicode_Unassigned) continue;
        const QChar::Category category = QChar::category(point);
        const uint8_t classes = characterClasses(point);
        const auto has = [classes](uint8_t bit) { return (classes & bit) != 0; };
        const bool upper = category == QChar::Letter_Uppercase || category == QChar::Letter_Titlecase;
        const bool lower = category == QChar::Letter_Lowercase;
        const bool letter = upper || lower || category == QChar::Letter_Modifier || category == QChar::Letter_Other;
        QVERIFY2(has(CharacterClass::kLetter) == letter, qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kUpper) == upper, qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kLower) == lower, qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kNumber) ==
                     (category >= QChar::Number_DecimalDigit && category <= QChar::Number_Other),
                 qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kMark) == (category <= QChar::Mark_Enclosing),
                 qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kPunctuation) == QChar::isPunct(point), qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kSymbol) == QChar::isSymbol(point), qPrintable(QString::number(point, 16)));
        QVERIFY2(has(CharacterClass::kSpace) == QChar::isSpace(point), qPrintable(QString::number(point, 16)));
        ++compared;
    }
    QVERIFY(compared > 140000);
    QCOMPARE(characterClasses(0x110000), uint8_t(0));
    QCOMPARE(characterClasses(0xffffffff), uint8_t(0));
    QVERIFY(QByteArray(kUnicodeVersion).toDouble() >= 15.0 || QByteArray(kUnicodeVersion).startsWith("15."));
}

void TestPretokenizer::names() {
    for (const Known& known : knownOnes()) QVERIFY2(findPretokenizer(known.name) != nullptr, known.name);
    QVERIFY(findPretokenizer("llama-bpe")->wholeWordsFirst);
    QVERIFY(!findPretokenizer("qwen2")->wholeWordsFirst);
    // GLM's files merge always, and a prompt begins with what the template writes.
    QVERIFY(!findPretokenizer("glm4")->wholeWordsFirst && !findPretokenizer("glm4")->addsBeginning);
    QVERIFY(findPretokenizer("lfm2")->wholeWordsFirst && findPretokenizer("lfm2")->addsBeginning);
    QVERIFY(!findPretokenizer("qwen35")->wholeWordsFirst && !findPretokenizer("qwen35")->addsBeginning);
    QVERIFY(!findPretokenizer("falcon")->wholeWordsFirst && !findPretokenizer("falcon")->addsBeginning);
    for (const Known& known : knownOnes())
        QCOMPARE(findPretokenizer(known.name)->byteAlphabet, std::string_view(known.name) != "gemma4");
    QVERIFY(findPretokenizer("") == nullptr);
    QVERIFY(findPretokenizer("no-such") == nullptr);
}

void TestPretokenizer::splits_data() {
    QTest::addColumn<QString>("text");
    const char* texts[] = {
        "",
        " ",
        "  ",
        "\t",
        "\n",
        "\n\n\n",
        "\t\n",
        " \r\n \r\n  x",
        "Hello world",
        "  Hello   world  ",
        "I've, you'RE, he'Ll we'd 'TIS it's'm 's",
        "'",
        "' ",
        "''s",
        "a'",
        "a'l",
        "don't",
        "x = 1234567; y=3.14",
        "12\xc2\xbd"
        "345 \xd9\xa1\xd9\xa2\xd9\xa3\xd9\xa4",
        "http://a.b/c?d=e&f#g//\n//",
        "!!!\r\n\r\n!!!/",
        "\xc3\x84pfel \xc3\x9c"
        "BERmut mut\xc3\x9c"
        "BER",
        "\xe6\x97\xa5\xe6\x9c\xac"
        "ABC\xe8\xaa\x9e"
        "abc",
        "\xe0\xa4\xa8\xe0\xa4\xae\xe0\xa4\xb8\xe0\xa5\x8d\xe0\xa4\xa4\xe0\xa5\x87 \xe0\xa4\xa6\xe0\xa5\x81",
        "CamelCaseHTTPServer iPhone eBay McDonald",
        "a\xcc\x81"
        "b \xcc\x81 !\xcc\x81x",
        "\xe3\x80\x80\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82\xe3\x80\x80 ",
        "\xc2\xa0x\xc2\xa0\xc2\xa0y",
        "\xf0\x9f\x9a\x80 (normal) \xf0\x9f\x98\xb6\xe2\x80\x8d\xf0\x9f\x8c\xab\xef\xb8\x8f",
        "\xc7\x85"
        "a\xca\xb0"
        "B",
        "\xef\xbc\x81\xef\xbc\xa1 \xe2\x80\x98x\xe2\x80\x99 \xe3\x80\x80 \xe3\x80\x80x   1  ",
        "(a|b) c.d\xe2\x80\xa6 e\xd8\x8c\xd9\xa1",
    };
    int i = 0;
    for (const char* text : texts) QTest::addRow("%d", i++) << QString::fromUtf8(text);
}

void TestPretokenizer::splits() {
    QFETCH(QString, text);
    compare(text);
}

void TestPretokenizer::randomTexts() {
    // Some of each class, and all that the expressions name one by one. U+017F is left out: PCRE2 ignores its case, the
    // reference engine does not.
    QStringList pool{"re", "VE", "ll", "lL"};
    const char32_t characters[] =
        U"   \n\r\t\u00a0\u3000\u2028\u0085''sStmdaZ\u00e4\u00c4\u01c5\u02b0\u4e00\u65e5\uac00"
        U"\uff01\uff21\u2018\u060c|(\u0e01\u0915\u093f\u0301019\u0663\u00bd\u2167!//"
        U".$+^`|\u20ac\u3002\u2014\u200d\u0001\u0561\u10d0\u10a0\uab30\uab70"
        U"\U0001f680\U0001d7d8\U0001d400\U00020000";
    for (const char32_t* one = characters; *one != 0; ++one) pool += QString::fromUcs4(one, 1);
    QRandomGenerator random(2);
    for (int round = 0; round < (coterie::test::longTests() ? 4000 : 1000); ++round) {
        QString text;
        for (int i = 1 + random.bounded(24); i > 0; --i) text += pool.at(random.bounded(int(pool.size())));
        compare(text);
        if (QTest::currentTestFailed()) return;
    }
}

void TestPretokenizer::notUtf8() {
    QRandomGenerator random(3);
    for (int round = 0; round < 3000; ++round) {
        QByteArray text;
        for (int i = random.bounded(20); i > 0; --i) text += static_cast<char>(random.bounded(256));
        for (const Known& known : knownOnes()) {
            std::string together;
            const std::string_view view(text.constData(), static_cast<size_t>(text.size()));
            for (const std::string_view piece : findPretokenizer(known.name)->split(view)) {
                QVERIFY(!piece.empty());
                together += piece;
            }
            QCOMPARE(together, text.toStdString());
        }
    }
    QCOMPARE(findPretokenizer("gpt-2")->split(std::string_view("a\0b", 3)).size(), size_t(3));
}

// A splitter that looks back or ahead over a whole run for each piece would take hours here; the test's time limit says
// so.
void TestPretokenizer::longRunsAreLinear() {
    const char* runs[] = {"a",
                          "A",
                          "1",
                          " ",
                          "\n",
                          "! ",
                          "'",
                          "\xe6\x97\xa5",
                          "\xcc\x81",
                          "aB",
                          "\xe6\x97\xa5"
                          "A",
                          " \n",
                          "\xff"};
    for (const char* run : runs) {
        const QByteArray text = QByteArray(run).repeated(500000);
        for (const Known& known : knownOnes()) {
            size_t bytes = 0;
            for (const std::string_view piece :
                 findPretokenizer(known.name)->split({text.constData(), static_cast<size_t>(text.size())}))
                bytes += piece.size();
            QCOMPARE(bytes, static_cast<size_t>(text.size()));
        }
    }
}

QTEST_APPLESS_MAIN(TestPretokenizer)
#include "tst_pretokenizer.moc"
