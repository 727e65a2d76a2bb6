// SPDX-License-Identifier: Apache-2.0
// Does what people do with a chat, by keys in the real window over the real engine with the demo model. The other tests
// of the window have a scripted engine; here the answers, alternatives, calls and traces are the model's. One test has
// a small made model, whose layers have a state.
#include "gated_session.h"
#include "inspector/inspector_texts.h"
#include "look/announcer.h"
#include "session/session.h"
#include "support/tiny_model.h"
#include "text/message_text.h"
#include "window_driver.h"

#include <QDirIterator>

#include <algorithm>

using namespace coterie;
using namespace coterie::tests;
using app::MessageModel;

namespace {

const QString kStory = QStringLiteral("Tell me a story.");
const QString kCapital = QStringLiteral("What is the capital of France?");

} // namespace

class WindowGuideTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        if (!QFile::exists(QStringLiteral(GUIDE))) QSKIP("this build has no demo model");
    }
    void theAnswerIsTheEngines();
    void aStoppedAnswerContinues();
    void anAnswerIsRegenerated();
    void aPromptIsEdited();
    void aTokenIsReplaced();
    void aMessageIsDeletedAndComesBack();
    void aForkAnswersAlike();
    void wordsAreFound();
    void twoChatsAnswerBesideEachOther();
    void chatsOfAFolderGoOn();
    void anImportedChatGoesOnAsItWould();
    void theCalculatorIsAsked();
    void expertsAreShown();
    void aNumberOfTheQuestionShowsItsRoute();
    void aMessageWaitsForItsTurn();
    void anAnswerInTheBackgroundIsMarked();
    void aPromptThatIsTooLongStays();
    void theConversationGoesOnWithoutTheOldestTurns();
    void aTemporaryChatLeavesNothing();
    void anAnswerIsThereAfterARestart();
    void statesAreThoseOfTheShownVersion();

  private:
    void makeFixture(int pieces) {
        gate_ = std::make_shared<Gate>();
        gate_->allow(pieces);
        fixture_ = std::make_unique<WindowFixture>(gatedFactory(gate_));
    }
    void startGuide(int pieces = kMany) {
        makeFixture(pieces);
        fixture_->setGuide(QStringLiteral(GUIDE));
        open();
    }
    void open(const QString& model = {}) {
        QVERIFY(fixture_->start(model));
        QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
        QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready);
        app()->settings()->temperature = 0;
    }
    void say(const QString& prompt) {
        press(Qt::Key_L, Qt::ControlModifier);
        type(prompt);
        press(Qt::Key_Return);
    }
    /// Goes from the message field to the last prompt, and to the version of it before.
    void showVersionBefore() {
        press(Qt::Key_L, Qt::ControlModifier);
        press(Qt::Key_Up, Qt::AltModifier);
        press(Qt::Key_Up, Qt::AltModifier);
        press(Qt::Key_Left, Qt::AltModifier);
    }
    /// Sends a prompt and waits for the whole answer.
    void ask(const QString& prompt) {
        const int before = messages().count();
        say(prompt);
        QTRY_COMPARE(messages().count(), before + 2);
        QVERIFY(idle());
    }
    bool idle() {
        return waitFor([this] { return !app()->conversation()->busy(); });
    }
    MessageModel& messages() const { return *app()->conversation()->messages(); }
    QString text(int row) const { return messages().index(row).data(MessageModel::TextRole).toString(); }
    int number(int row, MessageModel::Roles role) const { return messages().index(row).data(role).toInt(); }
    QString focusName() const {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    }

    static constexpr int kMany = 1'000'000; ///< pieces: more than any answer here has
    std::shared_ptr<Gate> gate_;
};

/// Returns what the engine itself answers, greedily; nothing if it failed.
static engine::Generated generated(const QString& prompt) {
    engine::OpenOptions file;
    file.path = GUIDE;
    const auto session = engine::openSession(file);
    if (!session) return {};
    engine::GenerateOptions options;
    options.sampling.temperature = 0;
    const std::vector<engine::Message> conversation{engine::Message::text(engine::Role::User, prompt.toStdString())};
    auto answer = session.value()->chat(conversation, options, [](const engine::Delta&) {});
    return answer ? std::move(answer.value()) : engine::Generated();
}
static QString answerOf(const QString& prompt) { return QString::fromStdString(generated(prompt).text()); }

void WindowGuideTest::theAnswerIsTheEngines() {
    startGuide();
    for (const QString& prompt : {kCapital, kStory}) {
        press(Qt::Key_N, Qt::ControlModifier);
        ask(prompt);
        QCOMPARE(text(0), prompt);
        QVERIFY(!text(1).isEmpty());
        QCOMPARE(text(1), answerOf(prompt));
    }
    QTRY_VERIFY(shows("tokens"));
}

void WindowGuideTest::aStoppedAnswerContinues() {
    startGuide(12);
    say(kStory);
    QTRY_VERIFY(!text(1).isEmpty());
    press(Qt::Key_Escape);
    QVERIFY(idle());
    QTRY_VERIFY(shows("Stopped"));
    const QString part = text(1);
    gate_->allow(kMany);
    press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(text(1).size() > part.size());
    QVERIFY(idle());
    QVERIFY(text(1).startsWith(part));
    QCOMPARE(text(1), answerOf(kStory));
}

void WindowGuideTest::anAnswerIsRegenerated() {
    startGuide();
    app()->settings()->temperature = 1;
    app()->settings()->setValue(QStringLiteral("seed"), 1); // two seeds of which it is known that they give two answers
    ask(kStory);
    const QString first = text(1);
    app()->settings()->setValue(QStringLiteral("seed"), 2);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(number(1, MessageModel::VersionsRole), 2);
    QVERIFY(idle());
    const QString second = text(1);
    QVERIFY(second != first);
    press(Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE(text(1), first);
    press(Qt::Key_Right, Qt::AltModifier);
    QTRY_COMPARE(text(1), second);
}

void WindowGuideTest::aPromptIsEdited() {
    startGuide();
    ask(kCapital);
    const QString france = text(1);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Edit message"));
    press(Qt::Key_A, Qt::ControlModifier);
    const QString other = QStringLiteral("What is the capital of Spain?");
    type(other);
    press(Qt::Key_Return);
    QTRY_COMPARE(text(0), other);
    QVERIFY(idle());
    QCOMPARE(text(1), answerOf(other));
    showVersionBefore();
    QTRY_COMPARE(text(0), kCapital);
    QCOMPARE(text(1), france);
}

/// The alternatives are the model's: ten or more with their probabilities, and a branch begins with the chosen one.
void WindowGuideTest::aTokenIsReplaced() {
    startGuide();
    ask(kStory);
    const QString old = text(1);
    press(Qt::Key_T, Qt::ControlModifier);
    const app::TokenAlternatives& alternatives = *app()->conversation()->alternatives();
    QTRY_COMPARE(alternatives.state(), app::TokenAlternatives::Ready);
    QVERIFY(alternatives.count() >= 10);
    double sum = 0, before = 1;
    for (int row = 0; row < alternatives.count(); ++row) {
        const double share = alternatives.index(row).data(app::TokenAlternatives::ShareRole).toDouble();
        QVERIFY(share <= before);
        sum += before = share;
    }
    QVERIFY(sum > 0.5 && sum < 1.000001);
    QCOMPARE(alternatives.chosenRow(), 0); // the answer is greedy
    press(Qt::Key_Down);
    const QString chosen = alternatives.index(1).data(app::TokenAlternatives::TextRole).toString();
    QTRY_VERIFY2(focusName().startsWith(chosen), qPrintable(focusName()));
    press(Qt::Key_Return);
    QTRY_COMPARE(number(1, MessageModel::VersionsRole), 2);
    QVERIFY(idle());
    QVERIFY2(text(1).startsWith(chosen), qPrintable(text(1)));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(text(1), old);
}

void WindowGuideTest::aMessageIsDeletedAndComesBack() {
    startGuide();
    ask(kCapital);
    ask(kStory);
    const QString story = text(3);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Up, Qt::AltModifier);
    press(Qt::Key_Delete, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(messages().count(), 3);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(messages().count(), 4);
    QCOMPARE(text(3), story);
}

/// The fork's conversation is the same, so the model answers the next question as in the first chat.
void WindowGuideTest::aForkAnswersAlike() {
    startGuide();
    ask(kCapital);
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(app()->conversation()->chatId() != chat);
    ask(kStory);
    const QString inFork = text(3);
    app()->conversation()->openChat(chat);
    QCOMPARE(messages().count(), 2);
    ask(kStory);
    QCOMPARE(text(3), inFork);
}

void WindowGuideTest::wordsAreFound() {
    startGuide();
    ask(kCapital);
    press(Qt::Key_N, Qt::ControlModifier);
    ask(kStory);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("paris"));
    QTRY_COMPARE(app()->search()->count(), 1); // the answer
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(text(0), kCapital);
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("paris"));
    QTRY_VERIFY(shows("1 of 1"));
}

/// Both are asked before one of them has answered: the second question waits for its turn.
void WindowGuideTest::twoChatsAnswerBesideEachOther() {
    startGuide(0);
    say(kCapital);
    QTRY_VERIFY(app()->conversation()->busy());
    press(Qt::Key_Backslash, Qt::ControlModifier);
    say(kStory);
    app::Panes& panes = *app()->panes();
    QTRY_COMPARE(panes.active()->messages()->count(), 2);
    QVERIFY(panes.active() != panes.left());
    gate_->allow(kMany);
    const auto answer = [](app::Conversation* chat) {
        return chat->messages()->index(1).data(MessageModel::TextRole).toString();
    };
    QVERIFY(waitFor([&] { return !panes.left()->busy() && !panes.active()->busy(); }));
    QCOMPARE(answer(panes.left()), answerOf(kCapital));
    QCOMPARE(answer(panes.active()), answerOf(kStory));
    press(Qt::Key_F6);
    QTRY_COMPARE(panes.active(), panes.left());
}

void WindowGuideTest::chatsOfAFolderGoOn() {
    startGuide();
    ask(kCapital);
    const qint64 chat = app()->conversation()->chatId();
    QVERIFY(app()->commands()->run(QStringLiteral("chat.folder")));
    type(QStringLiteral("Geography"));
    press(Qt::Key_Return);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Geography"), QAccessible::ListItem));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    click(QStringLiteral("Geography"), QAccessible::MenuItem);
    QTRY_VERIFY(namedItem(window(), kCapital, QAccessible::ListItem)->mapToScene({}).y() >
                namedItem(window(), QStringLiteral("Geography"), QAccessible::ListItem)->mapToScene({}).y());
    press(Qt::Key_L, Qt::ControlModifier);
    ask(kStory);
    QCOMPARE(app()->conversation()->chatId(), chat);
    press(Qt::Key_N, Qt::ControlModifier);
    ask(kStory);
    QCOMPARE(text(1), answerOf(kStory)); // the new chat knows nothing of the one in the folder
}

/// A program that never had the chat reads it from a file, and the model goes on with the same words.
void WindowGuideTest::anImportedChatGoesOnAsItWould() {
    const QTemporaryDir places;
    const QUrl file = QUrl::fromLocalFile(places.filePath(QStringLiteral("all.json")));
    startGuide();
    ask(kCapital);
    app()->exchange()->exportAll(file);
    QTRY_COMPARE(app()->exchange()->state(), app::ChatExchange::Done);
    ask(kStory);
    const QString story = text(3);
    fixture_.reset();
    startGuide();
    QCOMPARE(app()->chats()->count(), 0);
    app()->exchange()->importFile(file);
    QTRY_COMPARE(app()->chats()->count(), 1);
    app()->conversation()->openChat(app()->chats()->index(0).data(app::ChatListModel::ChatIdRole).toLongLong());
    QTRY_COMPARE(messages().count(), 2);
    QCOMPARE(text(1), answerOf(kCapital));
    ask(kStory);
    QCOMPARE(text(3), story);
}

void WindowGuideTest::theCalculatorIsAsked() {
    startGuide();
    app()->settings()->setValue(QStringLiteral("tools"), true);
    say(QStringLiteral("What is 345 * 12?"));
    QTRY_VERIFY(shows("The model asks to use: Calculator"));
    use("Allow once");
    QTRY_VERIFY(text(messages().count() - 1).contains(QStringLiteral("4140")));
    QVERIFY(idle());
}

/// The pane counts what the model did: two experts a layer for each token that it read or wrote.
void WindowGuideTest::expertsAreShown() {
    startGuide();
    press(Qt::Key_I, Qt::ControlModifier);
    ask(kStory);
    app::Inspector& inspector = *app()->inspector();
    QTRY_COMPARE(inspector.condition(), app::Inspector::Ready);
    const app::ExpertGrid& cells = *inspector.grid()->cells();
    QTRY_COMPARE(inspector.grid()->mode(), app::ActivityGrid::Reply);
    QTRY_COMPARE(cells.layers(), 8);
    QCOMPARE(cells.experts(), 16);
    const double tokens = static_cast<double>(generated(kStory).tokens.size());
    for (int layer = 0; layer < 8; ++layer) {
        double uses = 0;
        for (int expert = 0; expert < 16; ++expert) uses += cells.value(layer, expert);
        QCOMPARE(uses, 2 * tokens);
    }
    const QString cost = inspector.charts()->sentence();
    QVERIFY(!cost.isEmpty());
    QTRY_VERIFY2(shows(cost.toUtf8().constData()), qPrintable(cost));
}

/// A click on "17" in the person's own message shows the route of that token, whose piece the engine knows.
void WindowGuideTest::aNumberOfTheQuestionShowsItsRoute() {
    const QString sum = QStringLiteral("What is 17 + 25?");
    startGuide();
    press(Qt::Key_I, Qt::ControlModifier);
    ask(sum);
    app::Inspector& inspector = *app()->inspector();
    QTRY_COMPARE(inspector.condition(), app::Inspector::Ready);
    const qint64 message = messages().rows().front().id;
    const app::TextDocument& document = *messages().document(message);
    const int token = document.tokenAt({0, sum.indexOf(QStringLiteral("17"))});
    QVERIFY(token >= 0);
    app::MessageText* text = nullptr;
    QTRY_VERIFY((text = qobject_cast<app::MessageText*>(findItem(window()->contentItem(), [&](QQuickItem* at) {
                     const auto* shown = qobject_cast<app::MessageText*>(at);
                     return shown && at->isVisible() && shown->document() == &document;
                 }))));
    const QList<QRectF> places = text->rectanglesOf(token);
    QVERIFY(!places.isEmpty());
    QTest::mouseClick(window(), Qt::LeftButton, {}, text->mapToScene(places.last().center()).toPoint());
    const app::TracedAnswer& record = *inspector.shown().record();
    const int position = record.questionBegins() + token;
    QTRY_COMPARE(inspector.timeline()->position(), position);
    const app::PartRange& range = document.tokens()[static_cast<size_t>(token)];
    const QString piece = sum.mid(range.begin, range.end - range.begin);
    QVERIFY(QStringLiteral(" 17").contains(piece));
    const auto tokenizer = engine::openTokenizer(GUIDE);
    QVERIFY(tokenizer);
    QCOMPARE(QString::fromStdString(tokenizer.value()->decode(record.promptToken(position))), piece);
    QTRY_VERIFY2(inspector.timeline()->text().contains(app::quotedToken(piece)),
                 qPrintable(inspector.timeline()->text()));
    const auto route = record.trace()->token(position);
    QVERIFY(route);
    for (const engine::TracedLayer& layer : route->layers)
        for (const engine::ExpertUse& use : layer.uses)
            QVERIFY(inspector.grid()->cells()->value(layer.layer, use.expert) > 0);
}

/// It is sent behind the whole answer, as if the person had waited.
void WindowGuideTest::aMessageWaitsForItsTurn() {
    startGuide(3);
    say(kCapital);
    QTRY_VERIFY(!text(1).isEmpty());
    say(kStory);
    QTRY_VERIFY(item(QStringLiteral("Waiting message: ") + kStory));
    QVERIFY(shows("Will be sent after this answer"));
    QCOMPARE(messages().count(), 2);
    gate_->allow(kMany);
    QTRY_COMPARE(messages().count(), 4);
    QVERIFY(idle());
    QTRY_VERIFY(!shows("Waiting message"));
    QCOMPARE(text(1), answerOf(kCapital));
    QCOMPARE(text(2), kStory);
    const QString story = text(3);
    QVERIFY(!story.isEmpty());
    press(Qt::Key_N, Qt::ControlModifier);
    ask(kCapital);
    ask(kStory);
    QCOMPARE(text(3), story);
}

/// The answer goes on while another chat is in view. The list marks it, and its end is said aloud once.
void WindowGuideTest::anAnswerInTheBackgroundIsMarked() {
    const QString news = QStringLiteral("The answer in \"%1\" is complete").arg(kCapital);
    startGuide(3);
    auto* announcer =
        qmlEngine(window())->singletonInstance<app::Announcer*>(qmlTypeId("Coterie.App.Look", 1, 0, "Announcer"));
    QVERIFY(announcer);
    const QSignalSpy announced(announcer, &app::Announcer::announced);
    const auto times = [&]() -> qsizetype {
        return std::count_if(announced.begin(), announced.end(),
                             [&](const QVariantList& alert) { return alert.at(0) == news; });
    };
    const auto mark = [this] {
        QQuickItem* const row = namedItem(window(), kCapital, QAccessible::ListItem);
        return row ? QAccessible::queryAccessibleInterface(row)->text(QAccessible::Description) : QString();
    };
    say(kCapital);
    QTRY_VERIFY(!text(1).isEmpty());
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(mark(), QStringLiteral("An answer is being written"));
    gate_->allow(kMany);
    QTRY_COMPARE(mark(), QStringLiteral("New answer"));
    QTRY_VERIFY(namedItem(window(), news, QAccessible::AlertMessage));
    QTRY_COMPARE(times(), 1);
    use("Show");
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QTRY_COMPARE(mark(), QString());
    QTRY_COMPARE(text(1), answerOf(kCapital));
    QCOMPARE(times(), 1);
}

void WindowGuideTest::aPromptThatIsTooLongStays() {
    startGuide();
    const QString words = QString(1100, u'7'); // a token each; the context has 1,024
    press(Qt::Key_L, Qt::ControlModifier);
    type(words);
    press(Qt::Key_Return);
    QTRY_VERIFY(app()->conversation()->context()->full());
    QVERIFY(!app()->conversation()->context()->offers(app::ContextView::LargerContext)); // its size is fixed
    QCOMPARE(messages().count(), 0);
    QCOMPARE(app()->conversation()->draft(), words);
}

/// Once the person says so, the model sees only what follows: it answers as in a new chat.
void WindowGuideTest::theConversationGoesOnWithoutTheOldestTurns() {
    const char* const line = "The model sees the conversation from here";
    startGuide();
    app()->settings()->setValue(QStringLiteral("maxTokens"), 4);
    ask(QString(990, u'7')); // 1,017 tokens with the marks of the turn; the context has 1,024
    app()->settings()->setValue(QStringLiteral("maxTokens"), 0);
    QTRY_VERIFY(shows("The context is full."));
    QVERIFY(!shows(line));
    say(kStory);
    QTRY_VERIFY(shows("This message has no room in the context."));
    QCOMPARE(app()->conversation()->draft(), kStory);
    QCOMPARE(messages().count(), 2);
    click(QStringLiteral("Continue without the oldest turns")); // sends the message
    QTRY_COMPARE(messages().count(), 4);
    QVERIFY(idle());
    QCOMPARE(text(2), kStory);
    QCOMPARE(text(3), answerOf(kStory));
    QTRY_VERIFY(shows(line) && !shows("The context is full."));
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(!shows(line)); // it is this chat's alone
}

void WindowGuideTest::aTemporaryChatLeavesNothing() {
    startGuide();
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    ask(kCapital);
    QVERIFY(app()->conversation()->temporary());
    QCOMPARE(text(1), answerOf(kCapital));
    fixture_->stop();
    open();
    QCOMPARE(app()->chats()->count(), 0);
    QDirIterator files(fixture_->dataFolder(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains("capital of France"), qPrintable(file.fileName()));
    }
}

void WindowGuideTest::anAnswerIsThereAfterARestart() {
    startGuide();
    ask(kStory);
    const QString story = text(1);
    fixture_->stop();
    open();
    QTRY_COMPARE(messages().count(), 2);
    QCOMPARE(text(1), story);
    ask(kCapital); // the conversation goes on
    QVERIFY(!text(3).isEmpty());
}

/// A state can't be rewound. Whatever was edited, written again or left for another version before, an answer is that
/// of a new chat with the same messages.
void WindowGuideTest::statesAreThoseOfTheShownVersion() {
    makeFixture(kMany);
    const QString model = QDir(fixture_->dataFolder()).filePath(QStringLiteral("states.gguf"));
    const test::TinyModelOptions options{.architecture = "qwen35", .layers = 3, .context = 4096};
    QVERIFY(test::saveTinyModel(options, model.toStdString()));
    open(model);
    app()->settings()->setValue(QStringLiteral("maxTokens"), 8);
    const QString one = QStringLiteral("one"), two = QStringLiteral("two"), other = QStringLiteral("other");
    ask(one);
    ask(two);
    const QString second = text(3);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(number(3, MessageModel::VersionsRole), 2);
    QVERIFY(idle());
    QCOMPARE(text(3), second);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Edit message"));
    press(Qt::Key_A, Qt::ControlModifier);
    type(other);
    press(Qt::Key_Return);
    QTRY_COMPARE(text(2), other);
    QVERIFY(idle());
    const QString edited = text(3);
    showVersionBefore();
    QTRY_COMPARE(text(2), two);
    QCOMPARE(text(3), second);
    ask(one);
    const QString third = text(5);

    press(Qt::Key_N, Qt::ControlModifier);
    ask(one);
    ask(other);
    QCOMPARE(text(3), edited);
    press(Qt::Key_N, Qt::ControlModifier);
    for (const QString& prompt : {one, two, one}) ask(prompt);
    QCOMPARE(text(3), second);
    QCOMPARE(text(5), third);
}

int main(int argc, char** argv) { return runWindowTest<WindowGuideTest>(argc, argv); }

#include "tst_window_guide.moc"
