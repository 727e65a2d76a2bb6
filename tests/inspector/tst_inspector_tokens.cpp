// SPDX-License-Identifier: Apache-2.0
// The tokens of an answer alone: colours under a document, the strip, and the tokens of an expert.
#include "inspector/answer_tokens.h"
#include "support/english.h"
#include "text/text_document.h"
#include "traced_record.h"

#include <QSignalSpy>
#include <QtTest>

#include <set>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// The tokens of an answer with the current one at a position that the test sets.
struct Bench {
    explicit Bench(AnswerTokens::Sources sources = {}, AnswerRecord record = makeRecord())
        : shown(std::move(record)), tokens(shown.shown, with(std::move(sources))) {
        tokens.setEnabled(true);
        tokens.attach(&document, &question);
        tokens.grow(0);
        tokens.drawText();
        tokens.drawStrip();
    }
    AnswerTokens::Sources with(AnswerTokens::Sources sources) {
        sources.position = [this] { return position; };
        sources.following = [this] { return following; };
        return sources;
    }
    std::set<qsizetype> tinted() const {
        std::set<qsizetype> begins;
        for (const TextTint& tint : document.tints()) begins.insert(tint.range.begin);
        return begins;
    }

    ShownRecord shown;
    int position = kPrompt;
    bool following = true;
    TextDocument document, question;
    AnswerTokens tokens;
};

} // namespace

class TestInspectorTokens : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void aMeasureColoursTheText();
    void theTokensOfAnExpertAreNamed();
    void wordsOfTheQuestionAreMarked();
    void f9ASelectedExpertHasTheColours();
    void theStripStaysAroundThePosition();
    void theStripShowsThePromptWhereItsWordsAreKnown();
    void aTokenWithoutTextHasItsName();
    void aDenseModelHasNoMeasuresOfExperts();
    void nothingIsDrawnWhileItIsOff();
    void itGrowsWithTheAnswer();
};

void TestInspectorTokens::aMeasureColoursTheText() {
    Bench bench;
    QVERIFY(bench.document.tints().empty());
    const QSignalSpy measures(&bench.tokens, &AnswerTokens::measureChanged);
    bench.tokens.setMeasure(TokenMeasure::Time);
    QCOMPARE(measures.count(), 1);
    QCOMPARE(bench.document.tints().size(), size_t{kTokens - 1}); // the last one has no pass of its own
    QVERIFY(bench.tokens.measureText().contains("20.0 ms"));
    bench.tokens.setMeasure(TokenMeasure::None);
    QVERIFY(bench.document.tints().empty());
    bench.following = false;
    bench.tokens.drawText();
    QCOMPARE(bench.tinted(), std::set<qsizetype>{0}); // the current token
    const QColor light = bench.document.tints().front().colour;
    bench.tokens.setDark(true);
    QVERIFY(bench.document.tints().front().colour != light);
}

void TestInspectorTokens::theTokensOfAnExpertAreNamed() {
    Bench bench;
    QVERIFY(bench.tokens.selectionText().isEmpty() && bench.tokens.topTokens().isEmpty());
    bench.tokens.setSelected(1, 3);
    std::set<qsizetype> served;
    for (int i = 0; i < kTokens - 1; ++i)
        for (int rank = 0; rank < 2; ++rank)
            if (expertOf(kPrompt + i, 1, rank) == 3) served.insert(3 * i);
    QVERIFY(!served.empty());
    QCOMPARE(bench.tinted(), served);
    QCOMPARE(bench.tokens.selectionText(),
             QStringLiteral("Expert 3 of layer 1 worked on %1 of this answer's 9 token(s).").arg(served.size()));
    QCOMPARE(bench.tokens.topTokens().size(), static_cast<qsizetype>(served.size()));
    QCOMPARE(bench.tokens.topTokens().front().toMap()[QStringLiteral("text")].toString(),
             QStringLiteral("\u201ca%1\u201d").arg(*served.begin() / 3));
    for (int expert = 0; expert < kExperts; ++expert) {
        bench.tokens.setSelected(1, expert);
        if (bench.tinted().empty())
            QCOMPARE(bench.tokens.selectionText(),
                     QStringLiteral("Expert %1 of layer 1 worked on none of this answer's 9 token(s).").arg(expert));
    }
    bench.tokens.setSelected(-1, -1);
    QVERIFY(bench.document.tints().empty());
}

/// The question was read from its second word on.
void TestInspectorTokens::wordsOfTheQuestionAreMarked() {
    Bench bench({}, makeAskedRecord());
    const std::vector<qsizetype> begins{0, 4, 7, 10};
    QCOMPARE(bench.question.tokens().size(), begins.size());
    const auto marked = [&] {
        std::set<qsizetype> words;
        for (const TextTint& tint : bench.question.tints()) words.insert(tint.range.begin);
        return words;
    };
    int found = 0;
    for (int expert = 0; expert < kExperts; ++expert) {
        bench.tokens.setSelected(1, expert);
        std::set<qsizetype> served;
        for (int p = kReused; p < 5; ++p)
            if (expertOf(p, 1, 0) == expert || expertOf(p, 1, 1) == expert)
                served.insert(begins[static_cast<size_t>(p - 1)]);
        QCOMPARE(marked(), served);
        found += static_cast<int>(served.size());
        const QString counted = QStringLiteral(" In the question: %1 of 3.").arg(served.size());
        QVERIFY2(bench.tokens.selectionText().endsWith(counted), qPrintable(bench.tokens.selectionText()));
        // The words are listed with those of the answer.
        QStringList listed;
        for (const QVariant& top : bench.tokens.topTokens()) listed.append(top.toMap()["text"].toString());
        QCOMPARE(listed.contains(QStringLiteral("\u201cit\u201d")), served.contains(7));
        QCOMPARE(listed.size(), static_cast<qsizetype>(bench.tinted().size() + served.size()));
    }
    QCOMPARE(found, 6); // two experts for each of three words
    bench.tokens.setSelected(-1, -1);
    QVERIFY(marked().empty());
    bench.following = false;
    for (const int position : {1, 3}) { // the current word, read or not
        bench.position = position;
        bench.tokens.drawText();
        QCOMPARE(marked(), std::set<qsizetype>{begins[static_cast<size_t>(position - 1)]});
        QVERIFY(bench.tinted().empty());
    }
    bench.position = kPrompt;
    bench.tokens.drawText();
    QVERIFY(marked().empty() && !bench.tinted().empty());
    bench.tokens.setEnabled(false);
    QVERIFY(bench.question.tokens().empty() && bench.question.tints().empty());
}

/// The text and the strip have the colours of one thing, which the sentence names.
void TestInspectorTokens::f9ASelectedExpertHasTheColours() {
    Bench bench;
    const QSignalSpy chosen(&bench.tokens, &AnswerTokens::measureChosen);
    bench.tokens.setMeasure(TokenMeasure::Time);
    bench.tokens.setMeasure(TokenMeasure::Time);
    QCOMPARE(chosen.count(), 2);
    QVERIFY(bench.tokens.measureText().contains("20.0 ms"));
    bench.tokens.setSelected(1, 3);
    QVERIFY(bench.tokens.measureText().startsWith("The colours show the tokens of the selected expert now."));
    const std::set<qsizetype> served = bench.tinted();
    QVERIFY(!served.empty());
    for (int i = 0; i < kTokens; ++i)
        QCOMPARE(bench.tokens.strip().tokens[static_cast<size_t>(i)].share, served.contains(3 * i) ? 1.0 : 0.0);
    bench.tokens.setSelected(-1, -1);
    QVERIFY(bench.tokens.measureText().contains("20.0 ms"));
    QCOMPARE(bench.tokens.strip().tokens.front().share, 1.0);
}

void TestInspectorTokens::theStripStaysAroundThePosition() {
    Bench bench;
    QCOMPARE(bench.tokens.strip().tokens.size(), size_t{kTokens});
    bench.tokens.setStripLength(4);
    QCOMPARE(bench.tokens.strip().tokens.size(), size_t{4});
    QCOMPARE(bench.tokens.strip().from, 0);
    QCOMPARE(bench.tokens.strip().all, kTokens);
    QCOMPARE(bench.tokens.strip().tokens.front().words, QStringLiteral("a0 "));
    const QSignalSpy strips(&bench.tokens, &AnswerTokens::stripChanged);
    bench.position = kPrompt + 1;
    bench.tokens.drawStrip();
    QCOMPARE(strips.count(), 0); // the position is not near an end
    bench.position = kPrompt + 7;
    bench.tokens.drawStrip();
    QCOMPARE(strips.count(), 1);
    QCOMPARE(bench.tokens.strip().from, 5);
    QCOMPARE(bench.tokens.strip().tokens.front().position, kPrompt + 5);
}

/// Whoever goes to a word of the question sees what is around it: the template's tokens have names, not words.
void TestInspectorTokens::theStripShowsThePromptWhereItsWordsAreKnown() {
    Bench bench({}, makeAskedRecord());
    bench.position = 3;
    bench.tokens.drawStrip();
    QVERIFY(!bench.tokens.strip().prompt); // the newest token is followed
    bench.following = false;
    bench.tokens.drawStrip();
    const TokenStrip& strip = bench.tokens.strip();
    QVERIFY(strip.prompt);
    QCOMPARE(strip.from, 0);
    QCOMPARE(strip.all, kPrompt);
    QCOMPARE(strip.tokens.size(), size_t{kPrompt});
    const QStringList words{"<50>", "\u00bfWhy", " is", " it", " so?", "<55>"};
    for (int i = 0; i < kPrompt; ++i) {
        const StripToken& token = strip.tokens[static_cast<size_t>(i)];
        QCOMPARE(token.position, i);
        QCOMPARE(token.words.trimmed(), words[i].trimmed());
        QCOMPARE(token.marker, i == 0 || i == kPrompt - 1);
        QVERIFY(!token.thought && token.share == 0);
    }
    // The selected expert marks what it worked on; the first two were not read again.
    for (int expert = 0; expert < kExperts; ++expert) {
        bench.tokens.setSelected(1, expert);
        for (int i = 0; i < kPrompt; ++i) {
            const bool served = i >= kReused && (expertOf(i, 1, 0) == expert || expertOf(i, 1, 1) == expert);
            QCOMPARE(bench.tokens.strip().tokens[static_cast<size_t>(i)].share, served ? 1.0 : 0.0);
        }
        QCOMPARE(bench.tokens.questionStrip(99).tokens.size(), size_t{4});
        for (const StripToken& token : bench.tokens.questionStrip(99).tokens)
            QCOMPARE(token, bench.tokens.strip().tokens[static_cast<size_t>(token.position)]);
    }
    QCOMPARE(bench.tokens.answerStrip(99).tokens.size(), size_t{kTokens});
    bench.tokens.setStripLength(2);
    QCOMPARE(bench.tokens.strip().tokens.front().position, 2);
    bench.position = kPrompt;
    bench.tokens.drawStrip();
    QVERIFY(!bench.tokens.strip().prompt);
    QCOMPARE(bench.tokens.strip().tokens.front().words, QStringLiteral("a0 "));

    Bench old; // its record has no tokens of the prompt
    old.following = false;
    old.position = 3;
    old.tokens.drawStrip();
    QVERIFY(!old.tokens.strip().prompt);
    QCOMPARE(old.tokens.strip().tokens.size(), size_t{kTokens});
}

void TestInspectorTokens::aTokenWithoutTextHasItsName() {
    AnswerRecord record = makeRecord();
    record.tokens.back().text.clear();
    ShownRecord shown(record);
    AnswerTokens tokens(shown.shown, {.nameOf = [](engine::TokenId id) { return QStringLiteral("<%1>").arg(id); }});
    tokens.setEnabled(true);
    tokens.drawStrip();
    QVERIFY(tokens.strip().tokens.back().marker);
    QCOMPARE(tokens.strip().tokens.back().words, QStringLiteral("<8>"));
    QVERIFY(!tokens.strip().tokens.front().marker);
    QCOMPARE(tokens.strip().tokens.front().words, QStringLiteral("a0 "));
}

void TestInspectorTokens::aDenseModelHasNoMeasuresOfExperts() {
    bool dense = false;
    Bench bench({.dense = [&] { return dense; }});
    QCOMPARE(bench.tokens.measures().size(), 7);
    bench.tokens.setMeasure(TokenMeasure::Misses);
    dense = true;
    QCOMPARE(bench.tokens.measures().size(), 5);
    bench.tokens.dropExpertMeasure();
    QCOMPARE(bench.tokens.measure(), TokenMeasure::None);
    bench.tokens.setMeasure(TokenMeasure::Time);
    bench.tokens.dropExpertMeasure();
    QCOMPARE(bench.tokens.measure(), TokenMeasure::Time);
}

void TestInspectorTokens::nothingIsDrawnWhileItIsOff() {
    Bench bench;
    bench.tokens.setMeasure(TokenMeasure::Time);
    bench.tokens.setEnabled(false);
    QVERIFY(bench.document.tints().empty() && bench.document.tokens().empty());
    bench.tokens.setMeasure(TokenMeasure::Waiting);
    QVERIFY(bench.document.tints().empty());
    QVERIFY(bench.tokens.strip().tokens.empty());
}

void TestInspectorTokens::itGrowsWithTheAnswer() {
    Bench bench;
    AnswerRecord record = makeRecord(2);
    const auto log = std::const_pointer_cast<engine::TraceLog>(record.trace);
    record.tokens.resize(3);
    const auto growing = std::make_shared<TracedAnswer>(record, std::vector<int64_t>{});
    bench.shown.shown.setRecord(growing, true);
    bench.tokens.restart();
    bench.tokens.grow(0);
    bench.tokens.setMeasure(TokenMeasure::Time);
    QCOMPARE(bench.document.tints().size(), size_t{2});
    const engine::ExpertUse use[] = {{.expert = 1, .weight = 1}};
    log->layerDone(kPrompt + 2, 0, use, 0);
    log->tokenDone(kPrompt + 2, 50, 0.08);
    record.tokens.push_back(makeRecord().tokens[3]);
    growing->update(record);
    const size_t kept = bench.shown.shown.ranges().settled();
    bench.shown.shown.growRanges();
    bench.tokens.grow(kept);
    bench.tokens.drawText();
    bench.tokens.drawStrip();
    QCOMPARE(bench.document.tints().size(), size_t{3});
    QCOMPARE(bench.tokens.strip().tokens.size(), size_t{4});
    QVERIFY(bench.tokens.measureText().contains("80.0 ms"));
}

QTEST_MAIN(TestInspectorTokens)
#include "tst_inspector_tokens.moc"
