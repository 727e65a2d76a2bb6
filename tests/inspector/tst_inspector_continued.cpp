// SPDX-License-Identifier: Apache-2.0
// An answer that is continued, over the whole program with a scripted engine: what the inspector says of it, what its
// figures are, and what is left of both parts when the program ends meanwhile and starts again.
#include "app/app_bench.h"
#include "inspector/inspector.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kPrompt = 8; // the prompts of these tests have other lengths, as a real template makes them
constexpr int kThought = 3, kTokens = 9;
const QString kText = QStringLiteral(
    "Once upon a time a fox that wrote a long letter to everybody whom it had met on its way through the forest.");

FakeScript story(bool rereads) {
    FakeScript script;
    script.rereads = rereads;
    script.pieces = {{"A ", engine::PartKind::Thought},
                     {"fox ", engine::PartKind::Thought},
                     {"story.", engine::PartKind::Thought},
                     "Once ",
                     "upon ",
                     "a ",
                     "time ",
                     "a ",
                     "fox that wrote a long letter to everybody whom it had met on its way through the forest."};
    script.promptTokens = kPrompt;
    script.layers = 4;
    return script;
}

} // namespace

class TestInspectorContinued : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cleanup() { bench_.reset(); }
    void itsRecordHasBothParts_data() { stops(); }
    void itsRecordHasBothParts();
    void theEndKeepsBothParts_data() { stops(); }
    void theEndKeepsBothParts();
    void theEndWhileThePromptIsReadKeepsTheFirstPart_data() { stops(); }
    void theEndWhileThePromptIsReadKeepsTheFirstPart();
    void theEndAtOnceKeepsTheFirstPart_data() { stops(); }
    void theEndAtOnceKeepsTheFirstPart();
    void theEndWhileItWaitsKeepsTheFirstPart();
    void stoppingItWhileThePromptIsReadKeepsTheFirstPart_data() { stops(); }
    void stoppingItWhileThePromptIsReadKeepsTheFirstPart();
    void stoppingItAtOnceKeepsItsTokens();
    void undoneItContinuesWithTheTokensOfItsText();
    void undoneItIsShownAsFarAsItsText();
    void undoneInMidAnswerItIsShownAsItWas();
    void aTextLongerThanItsRecordContinuesWhole();
    void withTheTokensOfItsTextItIsShown();
    void theRefusalNamesTheCause();
    void stoppedBeforeItsFirstTokenAnAnswerSaysSo();

  private:
    static void stops();
    bool stopAfter(int tokens, bool rereads = false);
    bool restart();
    bool restartKeeps(int tokens, const QString& before);
    bool hasTokens(int tokens);
    Inspector& inspector() { return *bench_->app().inspector(); }
    qint64 answer() { return bench_->chat().messages()->lastId(); }
    size_t written() {
        const AnswerRecord* record = bench_->app().answers()->record(answer());
        return record ? record->tokens.size() : 0;
    }
    bool idle() {
        return QTest::qWaitFor([this] { return !bench_->chat().busy(); }, kPatienceMs);
    }
    void resume() { bench_->chat().actions()->continueAnswer(answer()); }
    /// Lets the engine write on until it ends.
    bool resumeAll() {
        bench_->control().allowAll();
        resume();
        return idle();
    }
    QString refusal() {
        ErrorInfo error;
        const auto noted = connect(bench_->chat().actions(), &MessageActions::failed, this,
                                   [&error](const ErrorInfo& failed) { error = failed; });
        resume();
        disconnect(noted);
        return error.why;
    }
    QString figures() { return bench_->last(MessageModel::StatisticsRole); }

    std::unique_ptr<AppBench> bench_;
};

void TestInspectorContinued::stops() {
    QTest::addColumn<int>("tokens");
    QTest::addColumn<bool>("rereads");
    for (const bool rereads : {false, true}) {
        const char* how = rereads ? "read again" : "reused";
        QTest::addRow("in the thought, %s", how) << kThought - 1 << rereads;
        QTest::addRow("in the text, %s", how) << kThought + 2 << rereads;
    }
}

/// The engine writes this many tokens of an answer, which is stopped then.
bool TestInspectorContinued::stopAfter(int tokens, bool rereads) {
    bench_ = std::make_unique<AppBench>(story(rereads));
    bench_->openModel();
    if (!QTest::qWaitFor([&] { return bench_->models().state() == ModelController::Ready; }, kPatienceMs)) return false;
    inspector().setEnabled(true);
    if (!bench_->chat().send(QStringLiteral("Tell me of a fox"))) return false;
    bench_->control().allow(kPrompt + tokens);
    if (!QTest::qWaitFor([&] { return written() == static_cast<size_t>(tokens); }, kPatienceMs)) return false;
    bench_->chat().stop();
    return idle() && hasTokens(tokens);
}

/// Ends the program and opens the chat again.
bool TestInspectorContinued::restart() {
    const qint64 chat = bench_->chat().chatId();
    bench_->app().answers()->saveForExit(); // the bench allows all steps before it destroys the program
    bench_->restart();
    bench_->openModel();
    if (!QTest::qWaitFor([&] { return bench_->models().state() == ModelController::Ready; }, kPatienceMs)) return false;
    inspector().setEnabled(true);
    bench_->chat().openChat(chat);
    return QTest::qWaitFor(
        [&] { return inspector().condition() != Inspector::Finding && inspector().messageId() != 0; }, kPatienceMs);
}

/// Ends the program and opens the chat again: whether the answer has this number of tokens and the figures of before.
bool TestInspectorContinued::restartKeeps(int tokens, const QString& before) {
    if (!restart() || !hasTokens(tokens)) return false;
    if (figures() == before) return true;
    qWarning() << figures() << "instead of" << before;
    return false;
}

/// Whether the figures and the inspector name this number of tokens.
bool TestInspectorContinued::hasTokens(int tokens) {
    const TracedAnswer* shown = inspector().shown().record().get();
    const int recorded = shown ? static_cast<int>(shown->tokens().size()) : 0;
    const int said = shown ? tokensOf(*shown, false) : 0;
    const bool named = figures().startsWith(QStringLiteral("%1 token").arg(tokens));
    if (recorded == tokens && said == tokens && named && inspector().condition() == Inspector::Ready) return true;
    qWarning() << recorded << "recorded," << said << "said;" << figures() << inspector().conditionText();
    return false;
}

void TestInspectorContinued::itsRecordHasBothParts() {
    QFETCH(int, tokens);
    QFETCH(bool, rereads);
    QVERIFY(stopAfter(tokens, rereads));
    resume();
    bench_->control().allow(kPrompt + 1);
    QTRY_COMPARE(written(), static_cast<size_t>(tokens + 1)); // it is shown while it grows
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QVERIFY(inspector().live());
    bench_->control().allowAll();
    QVERIFY(idle());
    QVERIFY(hasTokens(kTokens));
    QCOMPARE(inspector().timeline()->answerBegins(), kPrompt);
}

void TestInspectorContinued::theEndKeepsBothParts() {
    QFETCH(int, tokens);
    QFETCH(bool, rereads);
    QVERIFY(stopAfter(tokens, rereads));
    resume();
    bench_->control().allow(kPrompt + 2);
    QTRY_COMPARE(written(), static_cast<size_t>(tokens + 2));
    QVERIFY(restart());
    QCOMPARE(bench_->lastState(), QStringLiteral("stopped"));
    QVERIFY(hasTokens(tokens + 2));
    bench_->control().allowAll();
    resume();
    QVERIFY(idle());
    QCOMPARE(bench_->control().options().back().prefix.size(), static_cast<size_t>(tokens + 2));
    QCOMPARE(bench_->lastText(), kText);
    QVERIFY(hasTokens(kTokens));
}

void TestInspectorContinued::theEndWhileThePromptIsReadKeepsTheFirstPart() {
    QFETCH(int, tokens);
    QFETCH(bool, rereads);
    QVERIFY(stopAfter(tokens, rereads));
    const QString before = figures();
    resume();
    bench_->control().allow(2);
    QTRY_VERIFY(bench_->app().answers()->record(answer()) && bench_->control().waits());
    QVERIFY(restartKeeps(tokens, before));
    bench_->control().allowAll();
    resume();
    QVERIFY(idle());
    QCOMPARE(bench_->control().options().back().prefix.size(), static_cast<size_t>(tokens));
    QVERIFY(hasTokens(kTokens));
}

/// The engine's thread has reported nothing of the answer yet.
void TestInspectorContinued::theEndAtOnceKeepsTheFirstPart() {
    QFETCH(int, tokens);
    QFETCH(bool, rereads);
    QVERIFY(stopAfter(tokens, rereads));
    const QString before = figures();
    resume();
    QVERIFY(restartKeeps(tokens, before));
}

void TestInspectorContinued::theEndWhileItWaitsKeepsTheFirstPart() {
    QVERIFY(stopAfter(kThought + 2));
    const qint64 chat = bench_->chat().chatId();
    const QString before = figures();
    bench_->chat().newChat();
    QVERIFY(bench_->chat().send(QStringLiteral("Another")));
    bench_->chat().openChat(chat);
    resume();
    QCOMPARE(bench_->chat().state(), Conversation::Waiting);
    QVERIFY(restart());
    QTRY_VERIFY(inspector().condition() == Inspector::Ready);
    QVERIFY(hasTokens(kThought + 2));
    QCOMPARE(figures(), before);
}

/// Another system prompt makes another prompt, so the new trace does not begin with the first part's.
void TestInspectorContinued::stoppingItWhileThePromptIsReadKeepsTheFirstPart() {
    QFETCH(int, tokens);
    QFETCH(bool, rereads);
    QVERIFY(stopAfter(tokens, rereads));
    const QString before = figures();
    bench_->app().settings()->systemPrompt = QStringLiteral("Be brief.");
    resume();
    bench_->control().allow(2);
    QTRY_VERIFY(bench_->app().answers()->record(answer()) && bench_->control().waits());
    bench_->chat().stop();
    QVERIFY(idle());
    QVERIFY(hasTokens(tokens));
    QCOMPARE(figures(), before);
    QVERIFY(restartKeeps(tokens, before));
}

void TestInspectorContinued::stoppingItAtOnceKeepsItsTokens() {
    constexpr int kTimes = 20; // the engine has begun or not
    QVERIFY(stopAfter(kThought + 2));
    for (int i = 0; i < kTimes; ++i) {
        resume();
        bench_->chat().stop();
        QVERIFY(idle());
        QVERIFY(hasTokens(kThought + 2));
    }
    bench_->control().allowAll();
    resume();
    QVERIFY(idle());
    QCOMPARE(bench_->control().options().back().prefix.size(), static_cast<size_t>(kThought + 2));
    QCOMPARE(bench_->lastText(), kText);
}

/// The record has more tokens then than the text.
void TestInspectorContinued::undoneItContinuesWithTheTokensOfItsText() {
    QVERIFY(stopAfter(kThought + 2));
    QVERIFY(resumeAll());
    QCOMPARE(bench_->lastText(), kText);
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(bench_->lastText(), QStringLiteral("Once upon "));
    QVERIFY(resumeAll());
    QCOMPARE(bench_->control().options().back().prefix.size(), static_cast<size_t>(kThought + 2));
    QCOMPARE(bench_->lastText(), kText);
    QVERIFY(hasTokens(kTokens));
}

/// The tokens that the step wrote come back with their text.
void TestInspectorContinued::undoneItIsShownAsFarAsItsText() {
    QVERIFY(stopAfter(kThought + 2));
    QVERIFY(resumeAll());
    QVERIFY(hasTokens(kTokens));
    QVERIFY(bench_->app().undo()->undo());
    QVERIFY(hasTokens(kThought + 2));
    const TracedAnswer& shown = *inspector().shown().record();
    QVERIFY(shown.last() < kPrompt + kThought + 2);
    QCOMPARE(shown.answer().tokens(), static_cast<uint64_t>(shown.last() + 1 - kPrompt));
    inspector().grid()->setMode(ActivityGrid::Chat);
    QVERIFY2(inspector().grid()->text().startsWith(QStringLiteral("How many of %1 token").arg(kThought + 2)),
             qPrintable(inspector().grid()->text()));
    QVERIFY(bench_->app().undo()->redo());
    QVERIFY(hasTokens(kTokens));
    QVERIFY(bench_->app().undo()->undo());
    QVERIFY(restart()); // the record in the store is still the longer one
    QVERIFY(hasTokens(kThought + 2));
}

void TestInspectorContinued::undoneInMidAnswerItIsShownAsItWas() {
    QVERIFY(stopAfter(kThought + 2));
    resume();
    bench_->control().allow(kPrompt + 2);
    QTRY_COMPARE(written(), static_cast<size_t>(kThought + 4));
    QVERIFY(bench_->app().undo()->undo());
    QTRY_VERIFY(!inspector().live());
    QCOMPARE(bench_->lastText(), QStringLiteral("Once upon "));
    QVERIFY(hasTokens(kThought + 2));
}

/// The record is still that of the first part, because the second one was not recorded.
void TestInspectorContinued::aTextLongerThanItsRecordContinuesWhole() {
    QVERIFY(stopAfter(kThought + 2));
    inspector().setEnabled(false);
    bench_->app().settings()->tracesKept = false;
    QVERIFY(resumeAll());
    QCOMPARE(bench_->lastText(), kText);
    QVERIFY(restart());
    QVERIFY(resumeAll());
    QVERIFY(bench_->lastText().startsWith(kText));
    QVERIFY(bench_->last(MessageModel::NotesRole).contains("made into tokens again"));
}

/// Its own tokens are lost, so the engine reads those of its text. The inspector shows what it writes then.
void TestInspectorContinued::withTheTokensOfItsTextItIsShown() {
    QVERIFY(stopAfter(kThought + 2));
    bench_->app().records()->removeAll();
    QVERIFY(restart());
    QCOMPARE(inspector().condition(), Inspector::NotTraced);
    resume();
    bench_->control().allow(kPrompt + 2);
    QTRY_COMPARE(written(), size_t{2});
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QVERIFY(inspector().live());
    bench_->control().allowAll();
    QVERIFY(idle());
    QCOMPARE(inspector().condition(), Inspector::Ready);
    QCOMPARE(inspector().shown().record()->tokens().size(), static_cast<size_t>(kTokens));
    QVERIFY(figures().startsWith("14 token"));
    const QString remarks = inspector().charts()->remarks().join(u' ');
    QVERIFY2(remarks.contains("The record has 9 of this answer's 14 token(s)"), qPrintable(remarks));
}

void TestInspectorContinued::theRefusalNamesTheCause() {
    QVERIFY(stopAfter(kThought - 1));
    bench_->app().records()->removeAll();
    QVERIFY(restart());
    QCOMPARE(refusal(),
             QStringLiteral("It ends in a thought, so its tokens are needed, and not all of them were kept"));
    QVERIFY(stopAfter(kThought + 2));
    bench_->app().records()->removeAll();
    QVERIFY(restart());
    QVERIFY(resumeAll()); // the engine does not know the tokens of the text, so it begins its script again
    QVERIFY(restart());   // now only the record of this part knows tokens
    QCOMPARE(refusal(),
             QStringLiteral("It has a thought after a text, so its tokens are needed, and not all of them were kept"));
}

void TestInspectorContinued::stoppedBeforeItsFirstTokenAnAnswerSaysSo() {
    QVERIFY(stopAfter(kThought + 2));
    QVERIFY(bench_->chat().send(QStringLiteral("And then?")));
    bench_->chat().stop();
    QVERIFY(idle());
    QTRY_COMPARE(inspector().condition(), Inspector::NotTraced);
    QCOMPARE(inspector().conditionText(),
             QStringLiteral("This answer has no record, because it ended before the model wrote anything."));
}

QTEST_MAIN(TestInspectorContinued)
#include "tst_inspector_continued.moc"
