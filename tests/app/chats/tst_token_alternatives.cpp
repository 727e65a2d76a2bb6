// SPDX-License-Identifier: Apache-2.0
// Alternatives of an answer's tokens: where they come from, that they wait while an answer is being written, and the
// branch that one of them begins. The last test asks the bundled demo model.
#include "app/app_bench.h"
#include "common/language.h"
#include "fakes/noting_session.h"
#include "support/tiny_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <functional>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// Twelve words, so that there are twelve tokens to choose from.
FakeScript twelve() {
    FakeScript script = AppBench::words();
    script.pieces = {"One ",   "two ",   "three ", "four ", "five ",   "six ",
                     "seven ", "eight ", "nine ",  "ten ",  "eleven ", "twelve"};
    script.wordTokens = true;
    return script;
}

QStringList texts(const TokenAlternatives& alternatives) {
    QStringList texts;
    for (int i = 0; i < alternatives.rowCount(); ++i)
        texts.append(alternatives.index(i).data(TokenAlternatives::TextRole).toString());
    return texts;
}

/// The row of the likeliest alternative, below the first one, that is a word and not the end of the answer; 0 if there
/// is none.
int nextWord(const TokenAlternatives& alternatives) {
    for (int row = 1; row < alternatives.count(); ++row) {
        const QString text = alternatives.index(row).data(TokenAlternatives::TextRole).toString().trimmed();
        if (!text.isEmpty() && text.front().isLetter()) return row;
    }
    return 0;
}

int chosenRow(const TokenAlternatives& alternatives) {
    for (int i = 0; i < alternatives.rowCount(); ++i)
        if (alternatives.index(i).data(TokenAlternatives::ChosenRole).toBool()) return i;
    return -1;
}

/// Returns the probability of each token, by the plain formula.
std::vector<double> softmax(const std::vector<float>& logits) {
    const auto most = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    std::vector<double> shares;
    double sum = 0;
    for (const float logit : logits) sum += shares.emplace_back(std::exp(static_cast<double>(logit) - most));
    for (double& share : shares) share /= sum;
    return shares;
}

/// Whether a record has the prompt and the first tokens of another answer, and everything behind them.
bool beginsLike(const AnswerRecord& record, const AnswerRecord& other, int64_t tokens) {
    const engine::TraceLog &trace = *record.trace, &before = *other.trace;
    const int64_t prompt = before.promptTokens();
    if (trace.promptTokens() != prompt || trace.reused() != before.reused()) return false;
    for (int64_t position = trace.reused(); position < prompt + tokens && position <= before.newest(); ++position)
        if (trace.token(position) != before.token(position)) return false;
    const auto same = [](const engine::TokenRecord& a, const engine::TokenRecord& b) { // the store has times as floats
        return a.id == b.id && a.text == b.text && std::abs(a.seconds - b.seconds) < 1e-4;
    };
    if (!std::equal(other.tokens.begin(), other.tokens.begin() + tokens, record.tokens.begin(), same)) return false;
    return static_cast<int64_t>(trace.last(10000).size()) == trace.newest() + 1 - trace.reused() &&
           trace.newest() + 1 - prompt >= static_cast<int64_t>(record.tokens.size()) - 1;
}

constexpr int64_t kRows = 700; ///< rows of the head of the model with a predictor

/// A model whose file has a predictor, which leaves out about half of the rows.
QString modelWithAPredictor(const QTemporaryDir& folder) {
    TinyModelOptions options{.architecture = "smallthinker", .context = 2048};
    options.vocabulary = kRows;
    options.headPredictorRank = options.width;
    options.predictorIsHead = true;
    const QString path = folder.filePath(QStringLiteral("predictor.gguf"));
    return saveTinyModel(options, path.toStdString()) ? path : QString();
}

} // namespace

Q_DECLARE_METATYPE(std::function<void(AppBench&)>)

class TestTokenAlternatives : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        QVERIFY(useLanguage());
    }
    void theEngineComputesThem();
    void aChosenOneBeginsABranch();
    void aBranchWithoutRoomIsNotStored();
    void theyWaitWhileAnAnswerIsWritten();
    void anAnswerInterruptsThem();
    void theyCloseWithTheirVersion_data();
    void theyCloseWithTheirVersion();
    void theyCloseIfTheirAnswerGetsShorter();
    void answersWithoutTokensSayThat();
    void anAnswerOfAnotherModelHasNone();
    void aPredictedHeadHidesNone();
    void lessExactTextMakesThemLessExact();
    void anotherSystemPromptIsSaid();
    void theGuideHasAlternatives();

  private:
    /// Has the first message answered, and opens the alternatives of the answer's third token.
    static void openAlternatives(AppBench& bench) {
        bench.control().allowAll();
        QVERIFY(bench.chat().send(QStringLiteral("Hello")));
        QTRY_COMPARE(bench.chat().messages()->count(), 2); // a prompt may be counted first
        QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
        TokenAlternatives& alternatives = *bench.chat().alternatives();
        QTRY_VERIFY(alternatives.prepare(answer(bench)));
        alternatives.show(answer(bench), 2);
        QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    }
    static qint64 answer(AppBench& bench) { return bench.chat().messages()->rows().back().id; }
};

void TestTokenAlternatives::theEngineComputesThem() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    const QAbstractItemModelTester tester(&alternatives, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(alternatives.state(), TokenAlternatives::Closed);
    QTRY_VERIFY(alternatives.prepare(answer(bench)));
    const TextDocument& document = *bench.chat().messages()->document(answer(bench));
    alternatives.show(answer(bench), document.tokenAt({0, 9})); // within "three"
    QCOMPARE(alternatives.state(), TokenAlternatives::Computing);
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QCOMPARE(alternatives.token(), 2);
    QCOMPARE(alternatives.words(), QStringLiteral("One two"));
    QVERIFY(alternatives.count() >= 10);
    QCOMPARE(texts(alternatives).first(3),
             QStringList({QStringLiteral("three "), QStringLiteral("four "), QStringLiteral("five ")}));
    QCOMPARE(chosenRow(alternatives), 0);
    QVERIFY(alternatives.stateText().contains(QStringLiteral("exact")));
    const engine::GenerateOptions asked = bench.control().options().back();
    QCOMPARE(asked.prefix, (std::vector<engine::TokenId>{0, 1}));
    QCOMPARE(asked.maxTokens, int64_t{1});
    QVERIFY(asked.details.alternatives >= 10);
    alternatives.step(1);
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QCOMPARE(alternatives.token(), 3);
    alternatives.close();
    QCOMPARE(alternatives.count(), 0);
    QCOMPARE(bench.chat().messages()->count(), 2); // nothing was changed
}

void TestTokenAlternatives::aChosenOneBeginsABranch() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    openAlternatives(bench);
    const qint64 old = answer(bench);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QCOMPARE(alternatives.state(), TokenAlternatives::Ready);
    alternatives.choose(0); // the one that is there
    QCOMPARE(answer(bench), old);
    alternatives.choose(5); // "eight"
    QCOMPARE(alternatives.state(), TokenAlternatives::Closed);
    QTRY_VERIFY(answer(bench) != old && bench.chat().state() == Conversation::Idle);
    QCOMPARE(bench.control().options().back().prefix, (std::vector<engine::TokenId>{0, 1, 7}));
    QCOMPARE(bench.lastText(), QStringLiteral("One two eight nine ten eleven twelve"));
    QVERIFY(bench.last(MessageModel::StatisticsRole).startsWith("7 token")); // with those of its beginning
    QCOMPARE(bench.chat().messages()->count(), 2);                           // beside the old answer
    QCOMPARE(bench.chat().messages()->rows().back().parent, bench.chat().messages()->rows().front().id);
    QTRY_VERIFY(alternatives.prepare(answer(bench)));
    alternatives.show(answer(bench), 4); // the tokens of the branch's beginning are known too
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QCOMPARE(bench.control().options().back().prefix, (std::vector<engine::TokenId>{0, 1, 7, 8}));
    QVERIFY(bench.app().undo()->undo());
    QTRY_COMPARE(answer(bench), old);
}

/// The system prompt has become longer since the answer. Two tokens before the chosen one are read again.
void TestTokenAlternatives::aBranchWithoutRoomIsNotStored() {
    FakeScript script = twelve();
    script.contextSize = 400;
    AppBench bench(script);
    OPEN_MODEL(bench);
    openAlternatives(bench);
    const qint64 old = answer(bench);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QCOMPARE(alternatives.state(), TokenAlternatives::Ready);
    bench.app().settings()->setValue(QStringLiteral("systemPrompt"), QString(400, u's'));
    alternatives.choose(5);
    const ContextView& view = *bench.chat().context();
    QTRY_COMPARE(view.words(), QStringLiteral("A branch at this word has no room in the context. "
                                              "The conversation is 9 tokens too long."));
    QVERIFY(view.dismissable() && !view.offers(ContextView::ShortenMessage));
    QCOMPARE(answer(bench), old);
    QVERIFY(bench.app().undo()->undoTitle().isEmpty());
    QVERIFY(!bench.chat().busy() && alternatives.state() == TokenAlternatives::Ready);
    bench.app().settings()->setValue(QStringLiteral("systemPrompt"), QString());
    alternatives.choose(5);
    QTRY_VERIFY(answer(bench) != old && bench.chat().state() == Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("One two eight nine ten eleven twelve"));
    QTRY_VERIFY(!view.full());
}

void TestTokenAlternatives::theyWaitWhileAnAnswerIsWritten() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.control().allow(1 + 12);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 first = answer(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    alternatives.show(answer(bench), 0);
    QCOMPARE(alternatives.state(), TokenAlternatives::Unavailable); // it is still being written
    // The record of an answer is packed on another thread when the answer has ended.
    QTRY_COMPARE((alternatives.show(first, 4), alternatives.state()), TokenAlternatives::Waiting);
    QVERIFY(alternatives.stateText().startsWith(QStringLiteral("An answer is being written.")));
    bench.control().allow(1 + 12);
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Computing);
    bench.control().allowAll();
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
}

void TestTokenAlternatives::anAnswerInterruptsThem() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.control().allow(1 + 12);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_COMPARE((alternatives.show(answer(bench), 4), alternatives.state()),
                 TokenAlternatives::Computing); // it gets no step
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Waiting);
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("One two "));
    bench.control().allowAll();
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QCOMPARE(bench.lastText(), QStringLiteral("One two three four five six seven eight nine ten eleven twelve"));
}

void TestTokenAlternatives::theyCloseWithTheirVersion_data() {
    QTest::addColumn<std::function<void(AppBench&)>>("leave");
    const auto actions = [](AppBench& bench) { return bench.chat().actions(); };
    const auto add = [](const char* name, const std::function<void(AppBench&)>& leave) {
        QTest::newRow(name) << leave;
    };
    add("another version is shown", [=](AppBench& bench) { actions(bench)->showVersion(answer(bench), -1); });
    add("it is deleted", [=](AppBench& bench) { actions(bench)->remove(answer(bench)); });
    add("it is undone", [](AppBench& bench) { bench.app().undo()->undo(); });
    add("a search opens the chat at another version", [](AppBench& bench) {
        const Siblings versions = bench.chat().messages()->siblings(answer(bench));
        bench.chat().openMessage(bench.chat().chatId(), versions.ids.front());
    });
}

/// The engine answers a question about a message that is no longer in view.
void TestTokenAlternatives::theyCloseWithTheirVersion() {
    QFETCH(std::function<void(AppBench&)>, leave);
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.control().allow(2 * (1 + 12));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    bench.chat().actions()->regenerate(answer(bench));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 second = answer(bench);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_COMPARE((alternatives.show(second, 2), alternatives.state()), TokenAlternatives::Computing); // it gets no step
    leave(bench);
    QVERIFY(!bench.chat().messages()->find(second));
    bench.control().allowAll();
    QCOMPARE(alternatives.state(), TokenAlternatives::Closed);
    QVERIFY(bench.chat().send(QStringLiteral("Again"))); // it is answered after the question
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(alternatives.state(), TokenAlternatives::Closed);
    QCOMPARE(alternatives.count(), 0);
}

/// Some of their tokens are in no part of the answer any more.
void TestTokenAlternatives::theyCloseIfTheirAnswerGetsShorter() {
    FakeScript script = twelve();
    script.pieces[0] = FakePiece("One ", engine::PartKind::Thought);
    AppBench bench(script);
    OPEN_MODEL(bench);
    bench.control().allow(1 + 1);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().messages()->rows().back().parts.size(), size_t{1});
    bench.chat().stop();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    bench.control().allowAll();
    bench.chat().actions()->continueAnswer(answer(bench));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.chat().messages()->rows().back().parts.size(), size_t{2});
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_COMPARE((alternatives.show(answer(bench), 4), alternatives.token()), 4);
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(bench.chat().messages()->rows().back().parts.size(), size_t{1});
    QCOMPARE(alternatives.state(), TokenAlternatives::Closed);
    alternatives.choose(5); // there is nothing to choose
    QCOMPARE(bench.chat().messages()->count(), 2);
}

void TestTokenAlternatives::answersWithoutTokensSayThat() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.app().settings()->tracesKept = false;
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    alternatives.show(answer(bench), 0);
    QCOMPARE(alternatives.state(), TokenAlternatives::Unavailable);
    QVERIFY(alternatives.stateText().contains(QStringLiteral("were not kept")));
    QCOMPARE(alternatives.count(), 0);
    bench.models().close();
    QTRY_VERIFY(!bench.chat().canSend());
    alternatives.show(answer(bench), 0);
    QCOMPARE(alternatives.stateText(), QStringLiteral("No model is open. Open Scripted to see the alternatives."));
}

void TestTokenAlternatives::anAnswerOfAnotherModelHasNone() {
    AppBench bench(twelve());
    bench.stop();
    {
        auto store = ChatStore::open({.folder = bench.folder(), .migrations = {}});
        const auto turn = store.value()->addTurn(
            {.chat = 0, .title = QStringLiteral("Old"), .prompt = QStringLiteral("Hello"), .model = {}});
        MessageRow old = turn->answer;
        old.model = QStringLiteral("Elsewhere 7B");
        old.state = MessageState::Complete;
        old.parts = textParts(QStringLiteral("One two"));
        QVERIFY(store.value()->finishAnswer(old));
    }
    bench.start();
    OPEN_MODEL(bench);
    bench.chat().openChat(1);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    alternatives.show(answer(bench), 1);
    QCOMPARE(alternatives.state(), TokenAlternatives::Unavailable);
    QCOMPARE(alternatives.stateText(),
             QStringLiteral("Another model wrote this answer. Open Elsewhere 7B to see its alternatives."));
    QCOMPARE(alternatives.count(), 0);
    QCOMPARE(alternatives.chosenRow(), -1);
}

/// A file's predictor leaves rows of the head out while an answer is written. All rows are computed for alternatives:
/// the engine's count says so, each logit is there, and the list has the shares of a softmax over all of them.
void TestTokenAlternatives::aPredictedHeadHidesNone() {
    const QTemporaryDir folder;
    Notes notes;
    App app({.dataFolder = folder.filePath(QStringLiteral("data")),
             .factory = notingFactory(notes),
             .model = modelWithAPredictor(folder)});
    app.settings()->autoTitles = false;
    app.start();
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    app.settings()->temperature = 0;
    app.settings()->maxTokens = 6;
    Conversation& chat = *app.conversation();
    TokenAlternatives& alternatives = *chat.alternatives();
    const auto ask = [&](const QString& prompt) {
        const int before = chat.messages()->count();
        QVERIFY(chat.send(prompt));
        QTRY_COMPARE(chat.messages()->count(), before + 2);
        QTRY_COMPARE(chat.state(), Conversation::Idle);
    };
    const auto showThird = [&] {
        const qint64 message = chat.messages()->rows().back().id;
        QTRY_VERIFY((alternatives.show(message, 3), alternatives.state() != TokenAlternatives::Unavailable));
        QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    };
    ask(QStringLiteral("Hello"));
    const Note written = notes.last();
    QVERIFY2(written.rowsComputed() > 0 && written.rowsComputed() < kRows,
             qPrintable(QString::number(written.rowsComputed())));
    QVERIFY(written.statistics.counts.headRows < written.statistics.counts.headRowsPossible);
    const double share = chat.messages()->rows().back().statistics.headShare;
    QCOMPARE(share, static_cast<double>(written.statistics.counts.headRows) /
                        static_cast<double>(written.statistics.counts.headRowsPossible));
    showThird();
    const Note shown = notes.last();
    QCOMPARE(shown.rowsComputed(), kRows);
    QCOMPARE(shown.statistics.counts.headRows, shown.statistics.counts.headRowsPossible);
    std::vector<double> shares = softmax(shown.logits);
    std::sort(shares.begin(), shares.end(), std::greater<>());
    QVERIFY(alternatives.count() >= 10);
    for (int i = 0; i < alternatives.count(); ++i)
        QVERIFY(std::abs(alternatives.index(i).data(TokenAlternatives::ShareRole).toDouble() -
                         shares[static_cast<size_t>(i)]) < 1e-5);
    QVERIFY2(alternatives.stateText().contains(QStringLiteral("For this list all 700 tokens did")),
             qPrintable(alternatives.stateText()));
    app.settings()->setValue(QStringLiteral("headRows"), QStringLiteral("all"));
    ask(QStringLiteral("Again")); // nothing is said about a predictor that was not used
    QCOMPARE(chat.messages()->rows().back().statistics.headShare, 1.0);
    showThird();
    QCOMPARE(alternatives.stateText(),
             QStringLiteral("Computed now from the scores of all 700 tokens that the model knows (its whole output "
                            "head), so the probabilities are exact."));
}

void TestTokenAlternatives::lessExactTextMakesThemLessExact() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.app().settings()->setValue(QStringLiteral("preferCachedWhen"), QStringLiteral("always"));
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_VERIFY((alternatives.show(answer(bench), 3), alternatives.state() != TokenAlternatives::Unavailable));
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QVERIFY2(alternatives.stateText().contains(QStringLiteral("less exact too")), qPrintable(alternatives.stateText()));
}

/// The chat's system prompt and its tools are those of now, and not always those of the answer. Whether the model
/// thinks is that of the answer.
void TestTokenAlternatives::anotherSystemPromptIsSaid() {
    AppBench bench(twelve());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    Settings& settings = *bench.app().settings();
    settings.setValue(QStringLiteral("systemPrompt"), QStringLiteral("Count"));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QString said;
    const auto says = [&](const char* words) {
        TokenAlternatives& alternatives = *bench.chat().alternatives();
        const auto isReady = [&] { return alternatives.state() == TokenAlternatives::Ready; };
        const auto isKnown = [&] {
            alternatives.show(answer(bench), 3);
            return alternatives.state() != TokenAlternatives::Unavailable;
        };
        const bool shown = QTest::qWaitFor(isKnown, kPatienceMs) && QTest::qWaitFor(isReady, kPatienceMs);
        said = alternatives.stateText();
        return shown && said.contains(QLatin1String(words));
    };
    QVERIFY2(says("the probabilities are exact"), qPrintable(said));
    settings.setValue(QStringLiteral("systemPrompt"), QStringLiteral("Sing"));
    QVERIFY2(says("They were others when the answer was written"), qPrintable(said));
    settings.setValue(QStringLiteral("systemPrompt"), QStringLiteral("Count"));
    QVERIFY2(says("the probabilities are exact"), qPrintable(said));
    settings.setValue(QStringLiteral("thinking"), !settings.value(QStringLiteral("thinking")).toBool());
    QVERIFY2(says("the probabilities are exact"), qPrintable(said));
    settings.setValue(QStringLiteral("tools"), true);
    QVERIFY2(says("They were others"), qPrintable(said));

    bench.chat().actions()->regenerate(answer(bench));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY2(says("the probabilities are exact"), qPrintable(said));
    bench.restart(); // it is kept with the answer
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY2(says("the probabilities are exact"), qPrintable(said));
    bench.app().settings()->setValue(QStringLiteral("tools"), false);
    QVERIFY2(says("They were others"), qPrintable(said));
}

void TestTokenAlternatives::theGuideHasAlternatives() {
    const QTemporaryDir folder;
    App app({.dataFolder = folder.filePath(QStringLiteral("data")),
             .factory = engine::openSession,
             .model = QStringLiteral(GUIDE)});
    app.start();
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    app.settings()->temperature = 0;
    app.settings()->maxTokens = 12;
    const QSignalSpy recorded(app.answers(), &AnswerQueue::recorded);
    Conversation& chat = *app.conversation();
    QVERIFY(chat.send(QStringLiteral("What is an expert?")));
    QTRY_COMPARE(chat.messages()->count(), 2);
    QTRY_COMPARE(chat.state(), Conversation::Idle);
    const MessageRow first = chat.messages()->rows().back();
    TokenAlternatives& alternatives = *chat.alternatives();
    QTRY_VERIFY((alternatives.show(first.id, 3), alternatives.state() != TokenAlternatives::Unavailable));
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QVERIFY(alternatives.count() >= 10);
    double sum = 0, before = 1;
    for (int i = 0; i < alternatives.count(); ++i) {
        const double share = alternatives.index(i).data(TokenAlternatives::ShareRole).toDouble();
        QVERIFY(share >= 0 && share <= before);
        before = share;
        sum += share;
    }
    QVERIFY(sum > 0.5 && sum <= 1.0001);
    QCOMPARE(chosenRow(alternatives), 0); // a greedy answer has the likeliest token everywhere
    const int row = nextWord(alternatives);
    QVERIFY(row > 0);
    const QString other = alternatives.index(row).data(TokenAlternatives::TextRole).toString();
    const QString start = alternatives.words();
    alternatives.choose(row);
    QTRY_VERIFY(chat.messages()->rows().back().id != first.id && chat.state() == Conversation::Idle);
    QVERIFY(chat.messages()->rows().back().text() != first.text());
    QVERIFY2(chat.messages()->rows().back().text().simplified().startsWith((start + other).simplified()) ||
                 chat.messages()->rows().back().text().contains(other.trimmed()),
             qPrintable(chat.messages()->rows().back().text()));

    // The branch's record begins with that of the answer that it leaves, and that of a continued answer with its own.
    QTRY_COMPARE(recorded.count(), 2);
    const auto record = [&](int index) { return recorded.at(index).at(0).value<AnswerRecord>(); };
    QVERIFY(beginsLike(record(1), record(0), 3));
    QVERIFY(record(1).tokens[3].id != record(0).tokens[3].id);
    const engine::TextRange range = record(1).tokens[3].text.front();
    QVERIFY(range.part < chat.messages()->rows().back().parts.size());
    const QByteArray part = chat.messages()->rows().back().parts[range.part].text.toUtf8();
    QCOMPARE(part.mid(static_cast<qsizetype>(range.begin), static_cast<qsizetype>(range.end - range.begin)),
             other.toUtf8());
    chat.actions()->continueAnswer(chat.messages()->lastId());
    QTRY_COMPARE(recorded.count(), 3);
    const auto written = static_cast<int64_t>(record(1).tokens.size());
    QVERIFY(record(2).tokens.size() > record(1).tokens.size());
    QVERIFY(beginsLike(record(2), record(1), written));
}

QTEST_MAIN(TestTokenAlternatives)
#include "tst_token_alternatives.moc"
