// SPDX-License-Identifier: Apache-2.0
// Words of the question in the pane of the model's activity, by clicks and keys: a word shows its route, the timeline
// names it, an expert marks the words that it worked on, and words that were not read again say so. The scripted engine
// puts the words of a message into the tokens from the second one on.
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "text/message_text.h"
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;
using app::Inspector;

class WindowWordsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void aWordOfTheQuestionShowsItsRoute();
    void theTimelineNamesThePrompt();
    void anExpertMarksTheWordsOfTheQuestion();
    void aWordThatWasNotReadAgainSaysSo();
    void aWordOfAnEarlierQuestionShowsItsAnswer();
    void aWordIsKnownAfterAStart();
    void aWordOfAnUnansweredQuestionShowsNothing();

  private:
    Inspector& inspector() const { return *app()->inspector(); }
    const app::MessageModel& messages() const { return *app()->conversation()->messages(); }
    app::TextDocument* document(int row) const {
        return messages().document(messages().rows()[static_cast<size_t>(row)].id);
    }
    /// Starts with the pane open, and asks.
    void ask(const test::FakeScript& script, const QString& question) {
        startWith(script);
        app()->settings()->activityShown = true;
        talk(question);
        QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    }
    app::MessageText* textOf(int row) const {
        return qobject_cast<app::MessageText*>(findItem(window()->contentItem(), [&](QQuickItem* at) {
            const auto* shown = qobject_cast<app::MessageText*>(at);
            return shown && at->isVisible() && shown->document() == document(row);
        }));
    }
    /// Clicks on this character of a message once it keeps its place.
    void clickCharacter(int row, int offset) {
        QPoint place, before;
        const auto find = [&] {
            const app::MessageText* text = textOf(row);
            if (!text || text->layout().empty()) return false;
            const auto places = text->layout().rectangles({{0, offset}, {0, offset + 1}});
            if (places.empty()) return false;
            place = text->mapToScene(places.front().center()).toPoint();
            return std::exchange(before, place) == place;
        };
        QTRY_VERIFY(drawn() && find());
        QTest::mouseClick(window(), Qt::LeftButton, {}, place);
    }
    /// The experts that the grid shows for a position, layer by layer, are those of the script.
    bool showsRoute(const test::FakeScript& script, int position) const {
        const app::ExpertGrid& cells = *inspector().grid()->cells();
        for (int layer = 0; layer < cells.layers(); ++layer) {
            const engine::TracedLayer route = test::fakeRoute(script, position, layer);
            for (int expert = 0; expert < cells.experts(); ++expert) {
                const bool used = std::any_of(route.uses.begin(), route.uses.end(),
                                              [=](const engine::ExpertUse& use) { return use.expert == expert; });
                if ((cells.value(layer, expert) > 0) != used) return false;
            }
        }
        return cells.layers() > 0;
    }
    QString sliderDescription() const {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(item(QStringLiteral("Token")));
        return node ? node->text(QAccessible::Description) : QString();
    }
};

static const QString kQuestion = QStringLiteral("Why is it so");

void WindowWordsTest::aWordOfTheQuestionShowsItsRoute() {
    const test::FakeScript script = *test::fakeScript("story");
    ask(script, kQuestion);
    QTRY_COMPARE(document(0)->tokens().size(), size_t{4});
    clickCharacter(0, 8); // "it"
    QTRY_COMPARE(inspector().timeline()->position(), 3);
    QCOMPARE(inspector().grid()->mode(), app::ActivityGrid::Now);
    QVERIFY(showsRoute(script, 3));
    QTRY_VERIFY(shows("Token 4 of the prompt's 8: \u201cit\u201d, read after"));
    QTRY_VERIFY(shows("The route of \u201cit\u201d in the prompt"));
    QVERIFY2(sliderDescription().startsWith(QStringLiteral("Token 4 of the prompt's 8: \u201cit\u201d")),
             qPrintable(sliderDescription()));
    QCOMPARE(document(0)->tints().size(), size_t{1}); // the frame around the word
    QCOMPARE(document(0)->tints().front().range, document(0)->tokens()[2]);
    QVERIFY(document(1)->tints().empty());
    clickCharacter(0, 0);
    QTRY_COMPARE(inspector().timeline()->position(), 1);
    QVERIFY(showsRoute(script, 1));
    press(Qt::Key_I, Qt::ControlModifier); // closed: the text is plain again
    QTRY_VERIFY(document(0)->tints().empty() && document(0)->tokens().empty());
    clickCharacter(0, 8);
    QVERIFY(document(0)->tints().empty());
}

void WindowWordsTest::theTimelineNamesThePrompt() {
    ask(*test::fakeScript("from-disk"), kQuestion);
    focusOn(QStringLiteral("Token"));
    press(Qt::Key_Home);
    QTRY_COMPARE(inspector().timeline()->position(), 0);
    for (const char* word : {"Why", "is", "it", "so"}) {
        const int before = inspector().timeline()->position();
        press(Qt::Key_Right);
        QTRY_COMPARE(inspector().timeline()->position(), before + 1);
        const QString named = QStringLiteral("Token %1 of the prompt's 8: \u201c%2\u201d, read after")
                                  .arg(before + 2)
                                  .arg(QLatin1String(word));
        QTRY_VERIFY2(sliderDescription().startsWith(named), qPrintable(sliderDescription()));
        QTRY_VERIFY(shows("The tokens of its chunk share the waiting."));
        QCOMPARE(document(0)->tints().size(), size_t{1});
    }
}

void WindowWordsTest::anExpertMarksTheWordsOfTheQuestion() {
    const test::FakeScript script = *test::fakeScript("story");
    ask(script, kQuestion);
    const int expert = test::fakeRoute(script, 3, 0).uses.front().expert;
    inspector().grid()->select(0, expert);
    std::vector<app::PartRange> wanted, marked;
    for (int position = 1; position <= 4; ++position) {
        const engine::TracedLayer route = test::fakeRoute(script, position, 0);
        if (std::any_of(route.uses.begin(), route.uses.end(),
                        [=](const engine::ExpertUse& use) { return use.expert == expert; }))
            wanted.push_back(document(0)->tokens()[static_cast<size_t>(position - 1)]);
    }
    for (const app::TextTint& tint : document(0)->tints()) marked.push_back(tint.range);
    QVERIFY(!wanted.empty());
    QVERIFY(marked == wanted);
    const QByteArray counted = "In the question: " + QByteArray::number(wanted.size()) + " of 4.";
    QTRY_VERIFY(shows(counted.constData()));
    use("Select no expert");
    QTRY_VERIFY(document(0)->tints().empty());
}

void WindowWordsTest::aWordThatWasNotReadAgainSaysSo() {
    test::FakeScript script = *test::fakeScript("story");
    script.promptReused = 3;
    ask(script, kQuestion);
    QCOMPARE(inspector().timeline()->first(), 3);
    clickCharacter(0, 4); // "is"
    QTRY_COMPARE(inspector().timeline()->position(), 2);
    QTRY_VERIFY(shows("Token 3 of the prompt's 8: \u201cis\u201d, not read again"));
    QTRY_VERIFY(shows("This token of the prompt was not read again: the model still had it in memory."));
    QCOMPARE(document(0)->tints().size(), size_t{1});
    QCOMPARE(inspector().grid()->cells()->value(0, test::fakeRoute(script, 2, 0).uses.front().expert), 0.0);
    clickCharacter(0, 8); // "it" was read
    QTRY_COMPARE(inspector().timeline()->position(), 3);
    QVERIFY(showsRoute(script, 3));
    focusOn(QStringLiteral("Token"));
    press(Qt::Key_Right); // keys go on from there
    QTRY_COMPARE(inspector().timeline()->position(), 4);
}

void WindowWordsTest::aWordOfAnEarlierQuestionShowsItsAnswer() {
    const test::FakeScript script = *test::fakeScript("words");
    ask(script, kQuestion);
    const qint64 first = inspector().messageId();
    talk(QStringLiteral("And now"));
    QTRY_VERIFY(inspector().messageId() != first && inspector().condition() == Inspector::Ready);
    QVERIFY(document(0)->tokens().empty());
    clickCharacter(2, 5); // "now"
    QTRY_COMPARE(inspector().timeline()->position(), 2);
    QVERIFY(inspector().messageId() != first);
    clickCharacter(0, 8); // its tokens are not known yet
    QTRY_COMPARE(inspector().messageId(), first);
    QTRY_COMPARE(inspector().timeline()->position(), 3);
    QTRY_VERIFY(shows("Token 4 of the prompt's 8: \u201cit\u201d"));
    QVERIFY(document(2)->tints().empty() && document(2)->tokens().empty());
}

void WindowWordsTest::aWordIsKnownAfterAStart() {
    ask(*test::fakeScript("words"), kQuestion);
    const qint64 chat = app()->conversation()->chatId();
    fixture_->stop();
    QVERIFY(fixture_->start());
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    app()->settings()->activityShown = true;
    app()->conversation()->openChat(chat);
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    clickCharacter(0, 8);
    QTRY_COMPARE(inspector().timeline()->position(), 3);
    QTRY_VERIFY(shows("Token 4 of the prompt's 8: \u201cit\u201d"));
    focusOn(QStringLiteral("Token"));
    press(Qt::Key_Home); // the template's
    QTRY_VERIFY(shows("Token 1 of the prompt's 8"));
}

/// The model has not begun to read it.
void WindowWordsTest::aWordOfAnUnansweredQuestionShowsNothing() {
    ask(*test::fakeScript("words"), kQuestion);
    control_->hold();
    QVERIFY(app()->conversation()->send(QStringLiteral("And now")));
    QTRY_COMPARE(messages().count(), 4);
    clickCharacter(2, 5);
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy() && inspector().condition() == Inspector::Ready);
    QTRY_COMPARE(document(2)->tokens().size(), size_t{2});
    clickCharacter(2, 5);
    QTRY_COMPARE(inspector().timeline()->position(), 2);
}

int main(int argc, char** argv) { return runWindowTest<WindowWordsTest>(argc, argv); }
#include "tst_window_words.moc"
