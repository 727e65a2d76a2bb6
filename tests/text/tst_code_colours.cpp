// SPDX-License-Identifier: Apache-2.0
// Colours of source code. Every language has a snippet in code_snippets.txt, with the colours that are expected under
// each line: K keyword, T type, F function, S string, N number, C comment, P preprocessor, V variable, + added,
// - removed, . plain. The other tests run every language over lines that grow, random text and very long lines.
#include "support/effort.h"
#include "text/code_languages.h"

#include <QFile>
#include <QtTest>

#include <random>
#include <set>

using namespace coterie::app;
using coterie::test::longTests;

namespace {

struct Snippet {
    QString language;
    QStringList lines, marks;
};

std::vector<Snippet> readSnippets() {
    QFile file(QStringLiteral(":/code/code_snippets.txt"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    std::vector<Snippet> snippets;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        if (line.startsWith(u"=== "))
            snippets.push_back({line.sliced(4), {}, {}});
        else if (line.startsWith(u"> "))
            snippets.back().lines.append(line.sliced(2));
        else if (line.startsWith(u':'))
            snippets.back().marks.append(line.sliced(std::min<qsizetype>(2, line.size())));
    }
    return snippets;
}

const std::vector<Snippet>& snippets() {
    static const std::vector<Snippet> read = readSnippets();
    return read;
}

std::vector<const CodeLanguage*> allLanguages() {
    std::vector<const CodeLanguage*> all;
    for (const auto rows : {compiledLanguages(), scriptLanguages(), dataLanguages()}) {
        for (const CodeLanguage& row : rows) all.push_back(&row);
    }
    return all;
}

QStringList namesOf(const CodeLanguage& row) { return QString::fromLatin1(row.names).split(u' '); }

/// Returns a letter for each character, without the plain ones at the end.
QString marked(QStringView line, const std::vector<CodeSpan>& spans) {
    constexpr QStringView kLetters = u".KTFSNCPV+-";
    QString marks(line.size(), u'.');
    for (const CodeSpan& span : spans) {
        for (qsizetype i = 0; i < span.length; ++i)
            marks[span.begin + i] = kLetters[static_cast<qsizetype>(span.colour)];
    }
    while (marks.endsWith(u'.')) marks.chop(1);
    return marks;
}

bool splitsCharacter(QStringView line, qsizetype cut) {
    return cut > 0 && cut < line.size() && line[cut - 1].isHighSurrogate() && line[cut].isLowSurrogate();
}

/// Returns the fault of the spans of a line, or nothing.
QString fault(QStringView line, const std::vector<CodeSpan>& spans) {
    qsizetype end = 0;
    for (const CodeSpan& span : spans) {
        if (span.begin < end) return QStringLiteral("begins before the end of the one before it");
        if (span.length <= 0) return QStringLiteral("is empty");
        if (span.colour == CodeColour::Plain) return QStringLiteral("is plain");
        end = span.begin + span.length;
        if (end > line.size()) return QStringLiteral("ends after the line");
        if (splitsCharacter(line, span.begin) || splitsCharacter(line, end))
            return QStringLiteral("splits a character");
    }
    return {};
}

/// Pieces that begin, end or nest something in some language, and characters outside the basic plane.
// clang-format off
constexpr const char* kPieces[] = {
    "\"", "'", "`", "\"\"\"", "'''", "/*", "*/", "//", "#", "--", "--[[", "--[==[", "]]", "]==]", "{-", "-}",
    "(*", "*)", "<!--", "-->", "<![CDATA[", "]]>", "<?php", "?>", "<script>", "</script>", "<style ",
    "</style>", "<a b=", "/>", "<", ">", "&amp;", "&", "${", "#{", "\\(", "$(", "{", "}", "(", ")", "[", "]",
    "\\", "\\\"", "R\"x(", ")x\"", "r#\"", "\"#", "f\"", "<<EOT", "EOT", "<<-'A B'", "<<~T", "@\"", "\"@", "q(",
    "s/", "tr/a/", "%w[", "/x/", "/", "=begin", "=end", "=cut", "---", "+++", "@@", "| ", ">-", "- ", "? ",
    ": ", ":a", "key: ", "key = ", "```", "~~~", "``", "](", "0x1.8p-3", "1'000", "1e", ".5", "..", "'a", "'a'",
    "'\\u{1F600}'", "$a", "${a", "$1", "@a", "%a", "#[a", "a!", "if", "class ", "def ", "function ",
    "\\begin{a}", "a(", "a-b", "a.b", "!", "=", "==", ";", ",", "\t", " ", "\r", "~", "^", "|",
};
// clang-format on

QStringList pieces() {
    QStringList all;
    for (const char* piece : kPieces) all.append(QString::fromLatin1(piece));
    for (const char16_t sign : {u'\0', u'\xD83D', u'\xDE00', u'\x2028', u'\xE9', u'\x4E2D'})
        all.append(QString(QChar(sign)));
    all.append(QString::fromUcs4(U"\U0001F600"));
    return all;
}

} // namespace

class TestCodeColours : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void snippetsHaveTheirColours_data();
    void snippetsHaveTheirColours();
    void everyLanguageHasASnippet();
    void namesBelongToOneLanguage();
    void namesAreFoundAsPeopleWriteThem_data();
    void namesAreFoundAsPeopleWriteThem();
    void unknownLanguagesArePlain();
    void aGrowingLineGetsTheSameColours();
    void randomTextHasValidSpans();
    void randomCharactersHaveValidSpans();
    void longLinesAreReadOnce();
    void deepNestingEnds();
};

void TestCodeColours::snippetsHaveTheirColours_data() {
    QTest::addColumn<int>("index");
    QVERIFY(!snippets().empty());
    for (size_t i = 0; i < snippets().size(); ++i)
        QTest::newRow(qPrintable(snippets()[i].language)) << static_cast<int>(i);
}

void TestCodeColours::snippetsHaveTheirColours() {
    QFETCH(const int, index);
    const Snippet& snippet = snippets()[static_cast<size_t>(index)];
    QCOMPARE(snippet.lines.size(), snippet.marks.size());
    CodeColours colours(snippet.language);
    QVERIFY(colours.known());
    for (qsizetype i = 0; i < snippet.lines.size(); ++i) {
        const QString& line = snippet.lines[i];
        const auto spans = colours.nextLine(line);
        QCOMPARE(fault(line, spans), QString());
        const QString got = marked(line, spans);
        QVERIFY2(got == snippet.marks[i],
                 qPrintable(QStringLiteral("\n%1\n%2\nexpected\n%3").arg(line, got, snippet.marks[i])));
    }
}

void TestCodeColours::everyLanguageHasASnippet() {
    std::set<const LoadedLanguage*> shown;
    for (const Snippet& snippet : snippets()) shown.insert(findLanguage(snippet.language));
    for (const CodeLanguage* row : allLanguages())
        QVERIFY2(shown.contains(findLanguage(namesOf(*row).first())), row->names);
    QVERIFY(shown.size() >= 20);
}

void TestCodeColours::namesBelongToOneLanguage() {
    for (const CodeLanguage* row : allLanguages()) {
        for (const QString& name : namesOf(*row)) {
            const LoadedLanguage* const found = findLanguage(name);
            QVERIFY2(found != nullptr && found->row == row, qPrintable(name));
        }
    }
}

void TestCodeColours::namesAreFoundAsPeopleWriteThem_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* written, const char* name) { QTest::newRow(written) << written << name; };
    row("C++", "cpp");
    row("c#", "csharp");
    row("Python title=\"x.py\"", "python");
    row("{.rust .numberLines}", "rust");
    row("language-go", "go");
    row("js{1,3}", "javascript");
    row("src/main.c", "c");
    row("Makefile", "makefile");
    row("project/Dockerfile", "dockerfile");
    row("CMakeLists.txt", "cmake");
    row(" sh ", "bash");
}

void TestCodeColours::namesAreFoundAsPeopleWriteThem() {
    QFETCH(const QString, written);
    QFETCH(const QString, name);
    CodeColours colours(written), usual(name);
    QVERIFY(colours.known() && usual.known());
    qsizetype compared = 0;
    for (const Snippet& snippet : snippets()) {
        if (snippet.language != name) continue;
        for (const QString& line : snippet.lines) {
            const auto spans = colours.nextLine(line);
            QVERIFY(spans == usual.nextLine(line));
            compared += static_cast<qsizetype>(spans.size());
        }
    }
    QVERIFY(compared > 0);
}

void TestCodeColours::unknownLanguagesArePlain() {
    for (const char* name : {"", " ", "{}", ".", "klingon", "a.b.c/"}) {
        CodeColours colours(QString::fromLatin1(name));
        QVERIFY2(!colours.known(), name);
        QVERIFY(colours.nextLine(u"if (x) return \"y\"; // z").empty());
    }
}

void TestCodeColours::aGrowingLineGetsTheSameColours() {
    for (const Snippet& snippet : snippets()) {
        CodeColours atOnce(snippet.language), growing(snippet.language);
        for (const QString& line : snippet.lines) {
            const CodeColours before = growing;
            for (qsizetype length = 0; length <= line.size(); ++length) {
                growing = before;
                const QStringView shown = QStringView(line).first(length);
                QCOMPARE(fault(shown, growing.nextLine(shown)), QString());
            }
            growing = before;
            QVERIFY2(growing.nextLine(line) == atOnce.nextLine(line),
                     qPrintable(snippet.language + QStringLiteral(": ") + line));
        }
    }
}

void TestCodeColours::randomTextHasValidSpans() {
    std::mt19937 random(17);
    const QStringList all = pieces();
    for (const CodeLanguage* row : allLanguages()) {
        for (int run = 0; run < 60; ++run) {
            CodeColours colours(namesOf(*row).first());
            for (int count = 0; count < 12; ++count) {
                QString line;
                for (size_t left = random() % 14; left > 0; --left)
                    line += all[static_cast<qsizetype>(random() % static_cast<size_t>(all.size()))];
                CodeColours copy = colours;
                const auto spans = colours.nextLine(line);
                const QString wrong = fault(line, spans);
                QVERIFY2(wrong.isEmpty(),
                         qPrintable(QStringLiteral("%1: %2: %3").arg(namesOf(*row).first(), line, wrong)));
                QVERIFY(copy.nextLine(line) == spans);
            }
        }
    }
}

void TestCodeColours::randomCharactersHaveValidSpans() {
    std::mt19937 random(18);
    for (const CodeLanguage* row : allLanguages()) {
        CodeColours colours(namesOf(*row).first());
        for (int count = 0; count < 300; ++count) {
            QString line;
            for (size_t left = random() % 40; left > 0; --left)
                line += QChar(static_cast<char16_t>(random() % 4 == 0 ? random() : 32 + random() % 95));
            const QString wrong = fault(line, colours.nextLine(line));
            QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1: %2: %3").arg(namesOf(*row).first(), line, wrong)));
        }
    }
}

/// Beginnings without an end, repeated to a very long line. If something were looked for in vain again and again, the
/// time would rise with the square of the length, and this would run for many minutes.
void TestCodeColours::longLinesAreReadOnce() {
    // The short form has a ninth of the pairs in lines of three times the length: if the time rose with the square, it
    // would take as long as the long form, which has 621 pairs.
    const qsizetype length = longTests() ? 100'000 : 300'000;
    const QStringList vain = {"(/[", "/",   "R\"x", "](a", "` ``", "``",   "$((",  "${",  "<a ",
                              "<",   "&a",  "r#",   "[=",  "[a",   "a: [", "\"\\", "'",   "'a",
                              "<<A", "<<~", "s/",   "%w",  "/*",   "a ",   "a=",   "@a.", "q("};
    qsizetype number = 0;
    for (const CodeLanguage* row : allLanguages()) {
        ++number; // so that another language has other pieces
        for (const QString& piece : vain) {
            if (!longTests() && number++ % 9 != 0) continue;
            CodeColours colours(namesOf(*row).first());
            const QString line = piece.repeated(length / piece.size());
            const QString wrong = fault(line, colours.nextLine(line));
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QStringLiteral("%1: %2: %3").arg(namesOf(*row).first(), piece, wrong)));
        }
    }
}

void TestCodeColours::deepNestingEnds() {
    CodeColours colours(QStringLiteral("javascript"));
    const QString open = QStringLiteral("`${").repeated(1000);
    QCOMPARE(fault(open, colours.nextLine(open)), QString());
    const QString close = QStringLiteral("}`").repeated(1000);
    QCOMPARE(fault(close, colours.nextLine(close)), QString());
    CodeColours comment(QStringLiteral("rust"));
    comment.nextLine(QStringLiteral("/*").repeated(100'000));
    comment.nextLine(QStringLiteral("*/").repeated(99'999));
    QCOMPARE(marked(u"x */ let", comment.nextLine(u"x */ let")), QStringLiteral("CCCC.KKK"));
}

QTEST_GUILESS_MAIN(TestCodeColours)
#include "tst_code_colours.moc"
