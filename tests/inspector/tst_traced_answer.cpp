// SPDX-License-Identifier: Apache-2.0
// A record read position by position, and its link with the text.
#include "inspector/inspector_figures.h"
#include "inspector/inspector_texts.h"
#include "inspector/measured_tokens.h"
#include "inspector/text_link.h"
#include "look/colour_maps.h"
#include "support/contrast.h"
#include "support/english.h"
#include "traced_record.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

#include <array>
#include <cmath>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// A long answer in two parts, with characters of one to four bytes and with tokens that wrote nothing.
struct LongAnswer {
    LongAnswer() : parts(2) {
        static const QString words[] = {QStringLiteral("a "), QStringLiteral("\u00e9 "), QStringLiteral("\u4f60"),
                                        QStringLiteral("\U0001F600"), QString()};
        size_t bytes[2] = {0, 0};
        for (int i = 0; i < 300; ++i) {
            const QString& word = words[i * 7 % 5];
            const size_t part = i < 200 ? 0 : 1, end = bytes[part] + static_cast<size_t>(word.toUtf8().size());
            tokens.push_back({.id = i, .seconds = 0.1 * i, .text = {}});
            if (!word.isEmpty()) tokens.back().text.push_back({.part = part, .begin = bytes[part], .end = end});
            bytes[part] = end;
            parts[part].text += word;
            ends.push_back({parts[0].text.size(), parts[1].text.size()});
        }
    }
    /// The text when so many tokens have written theirs.
    std::vector<MessagePart> partsAfter(int count) const {
        std::vector<MessagePart> cut = parts;
        for (size_t part = 0; part < 2; ++part)
            cut[part].text.truncate(count > 0 ? ends[static_cast<size_t>(count - 1)][part] : 0);
        return cut;
    }
    std::vector<engine::TokenRecord> first(int count) const { return {tokens.begin(), tokens.begin() + count}; }

    std::vector<MessagePart> parts;
    std::vector<engine::TokenRecord> tokens;
    std::vector<std::array<qsizetype, 2>> ends; ///< [tokens] lengths of both parts after it
};

} // namespace

class TestTracedAnswer : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void positionsAreThoseOfTheTrace();
    void itGrowsWithItsAnswer();
    void itEndsWithItsTrace();
    void timesAreThoseOfTheTokens();
    void n19TheRouteSaysLeastAndMost();
    void textIsFoundByBytes();
    void theQuestionIsInItsMessage();
    void tokensOfThePromptAreNamed();
    void theSentenceOfTheChatCountsItsAnswers();
    void colouredTextCanBeRead();
    void growingIsTheSameAsAllAtOnce();
    void measuresAreThoseOfTheTokens();
    void measuresGrowAsTheAnswerDoes();
    void aRecordThatWasNotReadInTimeBeginsLater();
    void measuresAreThoseComputedByHand();
    void remarksSayWhatIsMissing();
    void chartsSayWhatTheTraceSays();
    void anEmptyRecordHasNothing();
};

void TestTracedAnswer::positionsAreThoseOfTheTrace() {
    const AnswerRecord record = makeRecord();
    const TracedAnswer answer(record, {});
    QCOMPARE(answer.first(), kReused);
    QCOMPARE(answer.answerBegins(), kPrompt);
    QCOMPARE(answer.last(), kPrompt + kTokens - 2);
    QCOMPARE(answer.reused(), kReused);
    QCOMPARE(answer.expertsOfLayer(), std::vector<int64_t>(kLayers, kExperts));
    QVERIFY(!answer.dense());
    QCOMPARE(answer.tokenAt(kPrompt - 1), -1);
    QCOMPARE(answer.tokenAt(kPrompt + 3), 3);
    QCOMPARE(answer.prompt().tokens(), uint64_t{kPrompt - kReused});
    QCOMPARE(answer.answer().tokens(), uint64_t{kTokens - 1});
    std::vector<uint64_t> counts(kExperts);
    for (int p = kPrompt; p <= answer.last(); ++p)
        for (int rank = 0; rank < 2; ++rank) ++counts[static_cast<size_t>(expertOf(p, 1, rank))];
    for (int e = 0; e < kExperts; ++e) {
        QCOMPARE(answer.answer().usesOf(1, e), counts[static_cast<size_t>(e)]);
        std::vector<int> served;
        for (int p = kPrompt; p <= answer.last(); ++p)
            if (expertOf(p, 1, 0) == e || expertOf(p, 1, 1) == e) served.push_back(p);
        QCOMPARE(answer.servedBy(1, e, kPrompt), served);
    }
    QCOMPARE(answer.figures(kPrompt + 1).misses, double{kLayers}); // an odd position
    QCOMPARE(answer.figures(kPrompt).misses, 0.0);
    QVERIFY(!answer.token(answer.last() + 1));
}

void TestTracedAnswer::itGrowsWithItsAnswer() {
    auto log = makeLog(2);
    AnswerRecord record{.message = 7, .trace = log};
    TracedAnswer answer(record, std::vector<int64_t>(kLayers, kExperts));
    QCOMPARE(answer.last(), kPrompt + 1);
    const engine::ExpertUse use{.expert = 3, .weight = 1, .hit = false, .activeNeurons = 5};
    log->layerDone(kPrompt + 2, 0, std::span(&use, 1), 0);
    log->tokenDone(kPrompt + 2, 0, 0.1);
    record.tokens = makeRecord().tokens;
    answer.update(record);
    QCOMPARE(answer.last(), kPrompt + 2);
    QCOMPARE(answer.tokens().size(), size_t{kTokens});
    QCOMPARE(answer.answer().missesOf(0, 3) > 0, true);
    answer.update({.message = 8, .trace = log, .tokens = {}}); // this is another message
    QCOMPARE(answer.message(), qint64{7});
    QCOMPARE(answer.tokens().size(), size_t{kTokens});
}

/// It may have taken in what the trace loses when its answer is ended.
void TestTracedAnswer::itEndsWithItsTrace() {
    auto log = makeLog(5);
    const AnswerRecord record{.message = 7, .trace = log};
    TracedAnswer answer(record, {});
    QCOMPARE(answer.answer().tokens(), uint64_t{5});
    log->endAt(kPrompt + 3);
    answer.update(record);
    QCOMPARE(answer.last(), kPrompt + 2);
    QCOMPARE(answer.answer().tokens(), uint64_t{3});
    QCOMPARE(answer.prompt().tokens(), uint64_t{kPrompt - kReused});
}

void TestTracedAnswer::timesAreThoseOfTheTokens() {
    const AnswerRecord record = makeRecord();
    const TracedAnswer answer(record, {});
    for (int j = 0; j < kTokens; ++j)
        QCOMPARE(answer.timeOf(kPrompt - 1 + j), record.tokens[static_cast<size_t>(j)].seconds);
    // The prompt's tokens took the same time each.
    QVERIFY(qAbs(answer.timeOf(kReused) - record.tokens[0].seconds / (kPrompt - kReused)) < 1e-6);
    for (int p = answer.first(); p <= answer.last(); ++p) {
        QCOMPARE(answer.positionAt(answer.timeOf(p)), p);
        QCOMPARE(answer.positionAt(answer.timeOf(p) + 0.001), p);
    }
    QCOMPARE(answer.positionAt(0), answer.first());
    QCOMPARE(answer.positionAt(1000), answer.last());
}

void TestTracedAnswer::n19TheRouteSaysLeastAndMost() {
    const TracedAnswer even(makeRecord(), {});
    QVERIFY(routeSentence(even, kPrompt, QStringLiteral("a0 ")).contains("2 expert(s) in each layer"));
    auto log = engine::TraceLog::create({.layers = 3, .experts = kExperts, .expertsPerToken = 2, .neurons = 100}, 4);
    QVERIFY(log);
    const engine::ExpertUse uses[] = {{.expert = 1, .weight = 0.6F}, {.expert = 2, .weight = 0.4F}};
    log.value()->answerBegins(0, 0);
    for (int l = 0; l < 3; ++l) log.value()->layerDone(0, l, std::span(uses).first(l == 1 ? 1 : 2), 0);
    log.value()->tokenDone(0, 50, 0.02);
    AnswerRecord record{.message = 7, .trace = std::move(log).value()};
    record.tokens.push_back({.id = 0, .seconds = 0.2, .text = {}});
    const QString said = routeSentence(TracedAnswer(record, {kExperts, kExperts, kExperts}), 0, QStringLiteral("a"));
    QVERIFY2(said.contains("1 to 2 expert(s) in each layer"), qPrintable(said));
}

void TestTracedAnswer::textIsFoundByBytes() {
    std::vector<MessagePart> parts = textParts(QStringLiteral("\u00e9t\u00e9 \u4f60\U0001F600!"));
    parts.push_back({.kind = PartKind::Text, .text = QStringLiteral("x")});
    // Bytes: e-acute 2, t 1, e-acute 2, space 1, one Chinese character 3, one emoji 4, one mark 1.
    const std::vector<engine::TokenRecord> tokens{{.id = 1, .text = {{.part = 0, .begin = 0, .end = 5}}},
                                                  {.id = 2, .text = {}},
                                                  {.id = 3, .text = {{.part = 0, .begin = 5, .end = 9}}},
                                                  {.id = 4, .text = {{.part = 0, .begin = 9, .end = 13}}},
                                                  {.id = 5, .text = {{.part = 0, .begin = 13, .end = 14}}},
                                                  {.id = 6, .text = {{.part = 1, .begin = 0, .end = 1}}},
                                                  {.id = 7, .text = {{.part = 9, .begin = 0, .end = 1}}}};
    const std::vector<PartRange> ranges = characterRanges(tokens, parts);
    QCOMPARE(ranges.size(), tokens.size());
    QCOMPARE(ranges[0], (PartRange{0, 0, 3}));
    QCOMPARE(ranges[1], (PartRange{0, 3, 3}));
    QCOMPARE(ranges[2], (PartRange{0, 3, 5}));
    QCOMPARE(ranges[3], (PartRange{0, 5, 7}));
    QCOMPARE(ranges[4], (PartRange{0, 7, 8}));
    QCOMPARE(ranges[5], (PartRange{1, 0, 1}));
    QCOMPARE(ranges[6], (PartRange{1, 1, 1})); // there is no such part
    const TracedAnswer answer(makeRecord(), {});
    QCOMPARE(answer.text(4, makeParts()), QStringLiteral("a4 "));
    QCOMPARE(answer.text(-1, makeParts()), QString());
    QCOMPARE(answer.text(4, {}), QString());
}

/// The engine got the words behind a file, and a token may hold the end of one part and the beginning of another.
void TestTracedAnswer::theQuestionIsInItsMessage() {
    const TracedAnswer answer(makeAskedRecord(), {});
    QCOMPARE(answer.questionBegins(), 1);
    QCOMPARE(answer.promptToken(3), 53);
    QCOMPARE(answer.promptToken(0), 50);
    QCOMPARE(answer.promptToken(kPrompt), -1);
    QVERIFY(answer.wasReused(1) && !answer.wasReused(kReused) && !answer.wasReused(-1));
    const auto wordsOf = [&](const std::vector<MessagePart>& parts) {
        QStringList words;
        for (const engine::TokenRecord& token : answer.question(parts)) words.append(textOf(token, parts));
        return words;
    };
    QCOMPARE(wordsOf(makeQuestion()), (QStringList{"\u00bfWhy", " is", " it", " so?"}));
    QCOMPARE(answer.question(makeQuestion()).front().id, 51);
    const std::vector<PartRange> ranges = characterRanges(answer.question(makeQuestion()), makeQuestion());
    QCOMPARE(ranges[0], (PartRange{0, 0, 4}));
    QCOMPARE(ranges[3], (PartRange{0, 10, 14}));
    // plainText() puts two characters between two parts: the end of " it" and the beginning of " so?".
    std::vector<MessagePart> two = textParts(QStringLiteral("\u00bfWhy is i"));
    two.push_back({.kind = PartKind::Text, .text = QStringLiteral("so?")});
    QCOMPARE(wordsOf(two), (QStringList{"\u00bfWhy", " is", " i", "so?"}));
    QVERIFY(answer.question({}).empty());
    QVERIFY(answer.question(textParts(QString(40, u'x'))).empty()); // more than the engine got
    QVERIFY(TracedAnswer(makeRecord(), {}).question(makeQuestion()).empty());
    QCOMPARE(TracedAnswer(makeRecord(), {}).questionBegins(), int{kPrompt});
}

void TestTracedAnswer::tokensOfThePromptAreNamed() {
    const ShownRecord shown(makeAskedRecord());
    const auto said = [&](int position) {
        return positionSentence(shown.record(), position, shown.shown.nameAt(position));
    };
    QCOMPARE(said(1), QStringLiteral("Token 2 of the prompt's 6: \u201c\u00bfWhy\u201d, not read again"));
    QVERIFY2(said(3).startsWith(QStringLiteral("Token 4 of the prompt's 6: \u201cit\u201d, read after ")),
             qPrintable(said(3)));
    QVERIFY2(said(5).startsWith(QStringLiteral("Token 6 of the prompt's 6: \u201c<55>\u201d, read after ")),
             qPrintable(said(5)));
    QVERIFY2(said(kPrompt).startsWith("Token 1 of 9: \u201ca0\u201d"), qPrintable(said(kPrompt)));
    const auto route = [&](int position) {
        return routeSentence(shown.record(), position, shown.shown.nameAt(position));
    };
    QVERIFY2(route(3).startsWith(QStringLiteral("The route of \u201cit\u201d in the prompt: ")), qPrintable(route(3)));
    QVERIFY2(route(3).endsWith("The tokens of its chunk share the waiting."), qPrintable(route(3)));
    QVERIFY2(route(kPrompt).endsWith("Stronger colour means more weight."), qPrintable(route(kPrompt)));
    QVERIFY2(route(1).contains("was not read again"), qPrintable(route(1)));
    // A record of an earlier version, or one that another model wrote, has no names.
    const ShownRecord old;
    QCOMPARE(old.shown.nameAt(3), QString());
    QVERIFY(positionSentence(old.record(), 3, {}).startsWith("Token 4 of the prompt's 6, read after "));
    QVERIFY(routeSentence(old.record(), 3, {}).startsWith("The route of token 4 of the prompt: "));
}

/// No "1 of this chat's 1 answers".
void TestTracedAnswer::theSentenceOfTheChatCountsItsAnswers() {
    const auto answers = [](const CountedAnswers& counted) {
        return chatSentence(56, counted, false).section(", ", 1);
    };
    QCOMPARE(answers({.read = 1, .all = 1}), QStringLiteral("in this chat's 1 answer(s)."));
    QCOMPARE(answers({.read = 3, .all = 3}), QStringLiteral("in this chat's 3 answer(s)."));
    QCOMPARE(answers({.read = 1, .all = 3}), QStringLiteral("in 1 of this chat's 3 answer(s)."));
    QCOMPARE(answers({.read = 3, .all = 3, .moreBefore = true}),
             QStringLiteral("in 3 of the latest 3 answer(s) of this chat."));
}

void TestTracedAnswer::colouredTextCanBeRead() {
    const QRgb lightText = 0xff1f1e1c, darkText = 0xffece9e4; // the themes' colours, see ui/Style/Style.qml
    for (int i = 0; i <= 10; ++i) {
        QVERIFY(test::contrast(tintColour(i / 10.0, false).rgb(), lightText) >= 4.5);
        QVERIFY(test::contrast(tintColour(i / 10.0, true).rgb(), darkText) >= 4.5);
    }
    const QRgb lightQuiet = 0xff66625b, darkQuiet = 0xffa8a39a; // thoughts
    for (const QRgb text : {lightText, lightQuiet}) QVERIFY(test::contrast(currentColour(false).rgb(), text) >= 4.5);
    for (const QRgb text : {darkText, darkQuiet}) QVERIFY(test::contrast(currentColour(true).rgb(), text) >= 4.5);
    // The current token is amber, as what is used much everywhere, and its frame is a mark that can be seen.
    for (const bool dark : {false, true}) {
        const QRgb ground = dark ? 0xff1b1a18 : 0xfffaf9f7;
        QVERIFY(test::contrast(currentFrame(dark).rgb(), ground) >= 3);
        for (const QColor& colour : {currentColour(dark), currentFrame(dark)})
            QVERIFY2(colour.hsvHue() >= 10 && colour.hsvHue() <= 40, qPrintable(colour.name()));
    }
    TextDocument document;
    document.addBlock({.kind = TextBlock::Kind::Paragraph, .text = makeParts().front().text});
    {
        TextLink link;
        link.attach(&document);
        link.setTokens(characterRanges(makeRecord().tokens, makeParts()));
        QCOMPARE(document.tokenAt({.block = 0, .offset = 4}), 1);
        TokenTints tints;
        tints.shares.assign(kTokens, std::nan(""));
        tints.shares[2] = 1;
        tints.current = 5;
        link.setTints(tints);
        QCOMPARE(document.tints().size(), size_t{2});
        QCOMPARE(document.tints()[0].range, (PartRange{0, 6, 9}));
        QCOMPARE(document.tints()[1].colour, currentColour(false));
        QCOMPARE(document.tints()[1].frame, currentFrame(false));
        QVERIFY(!document.tints()[0].frame.isValid());
    }
    QVERIFY(document.tints().empty()); // the link has ended
    QVERIFY(document.tokens().empty());
}

/// An answer is linked with its text piece by piece; the tokens may be ahead of the text. Every step must give what one
/// step over everything gives.
void TestTracedAnswer::growingIsTheSameAsAllAtOnce() {
    const LongAnswer answer;
    QRandomGenerator random(5);
    TokenRanges ranges;
    TextDocument grown, made;
    grown.addBlock({});
    made.addBlock({});
    TextLink growing;
    growing.attach(&grown);
    TokenTints tints;
    int tokens = 0, written = 0;
    while (tokens < 300 || written < 300) {
        tokens = std::min(300, tokens + static_cast<int>(random.bounded(9)));
        written = std::clamp(written + static_cast<int>(random.bounded(9)), tokens - 20, tokens);
        const std::vector<MessagePart> parts = answer.partsAfter(written);
        const size_t kept = ranges.settled();
        ranges.grow(answer.first(tokens), parts);
        QCOMPARE(ranges.all(), characterRanges(answer.first(tokens), parts));
        QVERIFY(static_cast<int>(ranges.settled()) >= written);
        growing.setTokens(ranges.all(), kept);
        tints.shares.resize(static_cast<size_t>(tokens), 0.5);
        if (tokens > 0 && random.bounded(4) == 0) tints.shares[random.bounded(tokens)] = std::nan("");
        if (random.bounded(4) == 0) tints.current = static_cast<int>(random.bounded(tokens + 1)) - 1;
        if (random.bounded(20) == 0) tints.shares.clear();
        if (random.bounded(20) == 0) tints.dark = !tints.dark;
        growing.setTints(tints);
        TextLink anew;
        anew.attach(&made);
        anew.setTokens(ranges.all());
        anew.setTints(tints);
        QCOMPARE(grown.tokens(), made.tokens());
        QCOMPARE(grown.tints().size(), made.tints().size());
        for (size_t i = 0; i < grown.tints().size(); ++i) {
            QCOMPARE(grown.tints()[i].range, made.tints()[i].range);
            QCOMPARE(grown.tints()[i].colour, made.tints()[i].colour);
        }
    }
}

void TestTracedAnswer::measuresGrowAsTheAnswerDoes() {
    for (const auto measure :
         {TokenMeasure::Time, TokenMeasure::Misses, TokenMeasure::Neurons, TokenMeasure::Entropy}) {
        MeasuredTokens grown;
        for (int answered = 0; answered < kTokens; ++answered) {
            AnswerRecord record = makeRecord(answered);
            record.tokens.resize(static_cast<size_t>(answered + 1)); // the last one has no pass yet
            for (int i = 0; i <= answered; ++i) record.tokens[static_cast<size_t>(i)].entropy = 1 + i / 3 - i % 3 * 0.1;
            const TracedAnswer answer(record, {});
            growMeasures(grown, answer, measure);
            const MeasuredTokens anew = measureTokens(answer, measure);
            QCOMPARE(grown.values.size(), anew.values.size());
            QCOMPARE(grown.most, anew.most);
            for (size_t i = 0; i < anew.values.size(); ++i) {
                QVERIFY(grown.values[i] == anew.values[i] || std::isnan(anew.values[i]));
                QVERIFY(grown.shares[i] == anew.shares[i] || std::isnan(anew.shares[i]));
                QCOMPARE(std::isnan(grown.shares[i]), std::isnan(anew.shares[i]));
            }
        }
    }
}

/// The log keeps 64 tokens: whoever looks again after more of them begins with the oldest that is left.
void TestTracedAnswer::aRecordThatWasNotReadInTimeBeginsLater() {
    AnswerRecord record = makeRecord(2);
    TracedAnswer answer(record, {});
    QCOMPARE(answer.last(), kPrompt + 1);
    const auto trace = std::const_pointer_cast<engine::TraceLog>(record.trace);
    for (int64_t p = kPrompt + 2; p < kPrompt + 200; ++p) {
        for (int l = 0; l < kLayers; ++l) trace->layerDone(p, l, std::vector<engine::ExpertUse>{{.expert = 1}}, 0);
        trace->tokenDone(p, 50, 0.02);
    }
    answer.update(record);
    QCOMPARE(answer.last(), kPrompt + 199);
    QCOMPARE(answer.first(), kPrompt + 200 - 64);
    QCOMPARE(answer.answer().tokens(), uint64_t{64});
    QCOMPARE(answer.meanHeadRows(), 50.0);
    QVERIFY(answer.token(answer.first()));
}

void TestTracedAnswer::measuresAreThoseOfTheTokens() {
    AnswerRecord record = makeRecord();
    QVERIFY(!hasMeasure(TracedAnswer(record, {}), TokenMeasure::Probability));
    for (size_t i = 0; i < record.tokens.size(); ++i) record.tokens[i].probability = 1.0 / static_cast<double>(i + 1);
    const TracedAnswer answer(record, {});
    QVERIFY(hasMeasure(answer, TokenMeasure::Probability));
    const MeasuredTokens sure = measureTokens(answer, TokenMeasure::Probability);
    for (size_t i = 0; i < record.tokens.size(); ++i) {
        QCOMPARE(sure.values[i], *record.tokens[i].probability);
        QCOMPARE(sure.shares[i], 1 - *record.tokens[i].probability);
    }
    const MeasuredTokens misses = measureTokens(answer, TokenMeasure::Misses);
    QCOMPARE(misses.most, double{kLayers});
    QCOMPARE(misses.values[0], 0.0);
    QCOMPARE(misses.values[1], double{kLayers});
    QVERIFY(std::isnan(misses.values[kTokens - 1])); // it has no pass of its own
    for (const auto measure : {TokenMeasure::Probability, TokenMeasure::Entropy, TokenMeasure::Time,
                               TokenMeasure::Waiting, TokenMeasure::Misses, TokenMeasure::Neurons}) {
        QVERIFY(!measureName(measure).isEmpty());
        QVERIFY(!measureSentence(answer, measure, 1).isEmpty());
    }
}

/// A prompt of one token and an answer of four, of which the last has no pass.
void TestTracedAnswer::measuresAreThoseComputedByHand() {
    auto log = engine::TraceLog::create({.layers = 2, .experts = 4, .expertsPerToken = 2, .neurons = 100}, 8);
    QVERIFY(log);
    engine::TraceLog& trace = *log.value();
    trace.answerBegins(0, 1);
    const auto pass = [&trace](int64_t position, double wait0, double wait1, int active, int misses, double seconds) {
        const engine::ExpertUse first[] = {{.expert = 0, .weight = 0.6F, .hit = misses < 1, .activeNeurons = active},
                                           {.expert = 3, .weight = 0.4F, .hit = misses < 2, .activeNeurons = 1}};
        const engine::ExpertUse second[] = {{.expert = 1, .weight = 1.0F, .hit = misses < 3, .activeNeurons = 10}};
        trace.layerDone(position, 0, first, wait0);
        trace.layerDone(position, 1, second, wait1);
        trace.tokenDone(position, 50, seconds);
    };
    pass(0, 0.5, 0.5, 90, 3, 2); // the prompt's: no measure of an answer's token
    pass(1, 0.001, 0.002, 20, 1, 0.03);
    pass(2, 0, 0.0005, 40, 0, 0.015);
    pass(3, 0.004, 0.002, 0, 3, 0.06);
    AnswerRecord record{.message = 7, .trace = std::move(log).value()};
    for (const double entropy : {0.0, 1.5, 0.75, 3.0})
        record.tokens.push_back({.id = 0, .seconds = 1, .text = {}, .probability = 0.5, .entropy = entropy});
    const TracedAnswer answer(record, {});
    const double none = std::nan("");
    const std::vector<std::pair<TokenMeasure, std::array<double, 4>>> byHand{
        {TokenMeasure::Time, {0.03, 0.015, 0.06, none}},
        {TokenMeasure::Waiting, {0.003, 0.0005, 0.006, none}},
        {TokenMeasure::Misses, {1, 0, 3, none}},
        {TokenMeasure::Neurons, {31, 51, 11, none}},
        {TokenMeasure::Entropy, {0, 1.5, 0.75, 3}}}; // known for a token without a pass too
    for (const auto& [measure, values] : byHand) {
        const MeasuredTokens measured = measureTokens(answer, measure);
        QCOMPARE(measured.values.size(), values.size());
        double most = 0;
        for (const double value : values) most = value > most ? value : most;
        QVERIFY(qAbs(measured.most - most) < 1e-6);
        for (size_t i = 0; i < values.size(); ++i) {
            QCOMPARE(std::isnan(measured.values[i]), std::isnan(values[i]));
            QCOMPARE(std::isnan(measured.shares[i]), std::isnan(values[i]));
            if (std::isnan(values[i])) continue;
            QVERIFY2(qAbs(measured.values[i] - values[i]) < 1e-6, qPrintable(QString::number(measured.values[i])));
            QVERIFY2(qAbs(measured.shares[i] - values[i] / most) < 1e-6, qPrintable(measureName(measure)));
        }
    }
    QCOMPARE(measureValue(TokenMeasure::Time, 0.03), QStringLiteral("30.0 ms"));
    QCOMPARE(measureValue(TokenMeasure::Waiting, 0.0005), QStringLiteral("0.5 ms"));
    QCOMPARE(measureValue(TokenMeasure::Entropy, std::log(4.0)), QStringLiteral("a choice of 4.0"));
    QCOMPARE(measureValue(TokenMeasure::Neurons, 31), QStringLiteral("31 neuron(s)"));
}

void TestTracedAnswer::remarksSayWhatIsMissing() {
    const auto said = [](const TracedAnswer& answer) { return answerRemarks(answer, false).join(u'\n'); };
    QCOMPARE(said(TracedAnswer()), QString());
    const QString whole = said(TracedAnswer(makeRecord(), {}));
    QVERIFY2(whole.contains("2 token(s) of the prompt were not read again"), qPrintable(whole));
    QVERIFY2(whole.contains("The tokens of a chunk share its time and its waiting evenly"), qPrintable(whole));
    QVERIFY2(!whole.contains("record begins"), qPrintable(whole));
    // Nothing was reused, nothing waited, and the log has room for the last four of six tokens.
    auto log = engine::TraceLog::create({.layers = 1, .experts = 4, .expertsPerToken = 1, .neurons = 9}, 4);
    QVERIFY(log);
    log.value()->answerBegins(0, 1);
    for (int64_t p = 0; p < 6; ++p) {
        log.value()->layerDone(p, 0, std::vector<engine::ExpertUse>{{.expert = 1, .weight = 1}}, 0);
        log.value()->tokenDone(p, 9, 0.01);
    }
    const QString cut = said(TracedAnswer({.message = 7, .trace = std::move(log).value()}, {}));
    QCOMPARE(cut, QStringLiteral("The record begins at token 3: the ones before it were too many to keep."));
}

/// The tokens of the answer.
std::vector<engine::TracedToken> withoutPrompt(std::vector<engine::TracedToken> read) {
    const auto first =
        std::find_if(read.begin(), read.end(), [](const auto& token) { return token.position >= kPrompt; });
    read.erase(read.begin(), first);
    return read;
}

void TestTracedAnswer::chartsSayWhatTheTraceSays() {
    FigureRequest request{.traces = {makeLog(kTokens)}, .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts)};
    const auto never = [] { return false; };
    const InspectorFigures unknown = computeFigures(request, never);
    const std::vector<engine::TracedToken> read = request.traces.front()->last(1000), tokens = withoutPrompt(read);
    const std::vector<double> seen = engine::coverage(tokens, request.expertsOfLayer);
    QCOMPARE(unknown.coverage.lines.back().points.back().y(), seen.back());
    QCOMPARE(unknown.coverage.lines.front().points.back().y(),
             engine::uniformCoverage(tokens, request.expertsOfLayer).back());
    QCOMPARE(unknown.balance.boxes.size(), size_t{kLayers});
    engine::ExpertUsage usage(request.expertsOfLayer);
    for (const engine::TracedToken& token : tokens) usage.add(token);
    QCOMPARE(unknown.balance.boxes[1].most, engine::giniIndex(usage.uses(1)));
    QCOMPARE(unknown.evenness.boxes.size(), size_t{kLayers});
    QCOMPARE(unknown.evenness.mostY, double{kExperts});
    for (int l = 0; l < kLayers; ++l) {
        double uses = 0, entropy = 0;
        for (const uint64_t count : usage.uses(l)) uses += static_cast<double>(count);
        for (const uint64_t count : usage.uses(l))
            if (count > 0) entropy -= static_cast<double>(count) / uses * std::log2(static_cast<double>(count) / uses);
        QVERIFY(qAbs(unknown.evenness.boxes[static_cast<size_t>(l)].most - std::pow(2, entropy)) < 1e-9);
    }
    // A layer that uses two of its four experts alike chooses as if it had two.
    auto even = engine::TraceLog::create({.layers = 1, .experts = 4, .expertsPerToken = 1, .neurons = 9}, 8);
    QVERIFY(even);
    even.value()->answerBegins(0, 0);
    for (int64_t p = 0; p < 8; ++p) {
        even.value()->layerDone(p, 0, std::vector<engine::ExpertUse>{{.expert = static_cast<int32_t>(p % 2)}}, 0);
        even.value()->tokenDone(p, 0, 0.01);
    }
    const InspectorFigures two = computeFigures({.traces = {std::move(even).value()}, .expertsOfLayer = {4}}, never);
    QCOMPARE(two.evenness.boxes.front().most, 2.0);
    QVERIFY2(two.evenness.summary.contains("as if it had 2.0 experts"), qPrintable(two.evenness.summary));
    QCOMPARE(unknown.neurons.boxes.size(), size_t{kLayers});
    QCOMPARE(unknown.neurons.boxes[0].median, 0.3);             // (40 + 20) / 2 of 100
    QVERIFY(unknown.neurons.summary.contains("at least 30 %")); // in each layer alike
    QCOMPARE(unknown.betterBudget, 0.0);                        // the model is not open
    QVERIFY(!unknown.budgets.empty());
    FigureRequest twice = request; // a chat of two answers
    twice.traces.push_back(request.traces.front());
    QCOMPARE(computeFigures(twice, never).coverage.rightText, QStringLiteral("token %1").arg(2 * tokens.size()));
    auto other = engine::TraceLog::create({.layers = 1, .experts = 1, .expertsPerToken = 1, .neurons = 0}, 4);
    QVERIFY(other);
    twice.traces.back() = std::move(other).value(); // another model's trace is left out
    QCOMPARE(computeFigures(twice, never).coverage.rightText, unknown.coverage.rightText);
    request.slots = 6; // one token cycle
    request.slotBytes = 1 << 20;
    request.budget = 100 << 20;
    const InspectorFigures open = computeFigures(request, never);
    QCOMPARE(open.budgets.mark, 6.0);
    for (const QPointF& point : open.budgets.lines.back().points) {
        const uint64_t room[] = {static_cast<uint64_t>(point.x())};
        const auto replayed = engine::replayBudgets(read, room); // the prompt needs experts, too
        QVERIFY(replayed);
        QCOMPARE(point.y(), replayed->front().hitRate);
    }
    QVERIFY(open.betterBudget > static_cast<double>(request.budget));
    request.machine = 100 << 20; // there is no more than that
    QCOMPARE(computeFigures(request, never).betterBudget, 0.0);
}

void TestTracedAnswer::anEmptyRecordHasNothing() {
    const TracedAnswer none;
    QVERIFY(none.empty());
    QCOMPARE(none.last(), none.first() - 1);
    QVERIFY(!none.token(0));
    QCOMPARE(none.timeOf(0), 0.0);
    auto log = engine::TraceLog::create({.layers = 1, .experts = 1, .expertsPerToken = 1, .neurons = 0}, 4);
    QVERIFY(log);
    const TracedAnswer begun({.message = 1, .trace = std::move(log).value()}, {});
    QVERIFY(begun.empty());
    QVERIFY(computeFigures({}, [] { return false; }).coverage.empty());
}

QTEST_MAIN(TestTracedAnswer)
#include "tst_traced_answer.moc"
