// SPDX-License-Identifier: Apache-2.0
// Undoing changes of a tree shows what was shown before. tst_random_trees does the same with thousands of changes, and
// tst_message_actions with the actions of the window.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "chats/bin_model.h"
#include "chats/chat_edits.h"
#include "engine_link/prompt_history.h"

#include <QtTest>

#include <memory>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestChatEdits : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { program_.reset(); }

    void anAnswerBelowTheLastMessageIsUndone();
    void undoingARestoredMessageShowsTheBranchOfBefore();

  private:
    struct Program {
        StoreOnDisk store;
        EngineWorker worker{[](const engine::OpenOptions&) -> engine::Result<std::unique_ptr<engine::Session>> {
            return engine::Error{engine::ErrorKind::Unsupported, "No model was opened", "This test has none", "-"};
        }};
        PromptHistory history;
        AnswerQueue answers{&worker, &history};
        UndoStack undo;
        ChatEdits edits{&answers, &undo};
        BinModel bin;
    };

    ChatStore& store() { return *program_->store; }
    UndoStack& undo() { return program_->undo; }
    ChatEdits& edits() { return program_->edits; }
    /// The ids of the messages that the chat shows.
    std::vector<qint64> shown(qint64 chat) {
        std::vector<qint64> ids;
        const auto rows = store().messages(chat);
        if (rows)
            for (const MessageRow& row : *rows) ids.push_back(row.id);
        return ids;
    }
    /// Adds an answer to the prompt.
    qint64 answer(qint64 prompt) {
        auto row = store().addAnswer({.parent = prompt, .model = QStringLiteral("Guide")});
        if (!row) return 0;
        row->state = MessageState::Complete;
        return store().finishAnswer(*row) ? row->id : 0;
    }

    std::unique_ptr<Program> program_;
};

void TestChatEdits::init() {
    program_ = std::make_unique<Program>();
    QVERIFY(program_->store);
    program_->answers.setStore(&store());
    edits().setStore(&store());
    program_->bin.setStore(&store());
    connect(&program_->bin, &BinModel::restored, &edits(), &ChatEdits::addRestored);
}

/// The only answer of a prompt was deleted, and the prompt is answered again: undoing takes the new answer away.
void TestChatEdits::anAnswerBelowTheLastMessageIsUndone() {
    const StoredTurn turn = program_->store.say(QStringLiteral("One"), QStringLiteral("A"));
    const std::vector<qint64> first{turn.prompt.id, turn.answer.id}, none{turn.prompt.id};
    VERIFY_OK(edits().remove(turn.chat, turn.answer.id));
    QCOMPARE(shown(turn.chat), none);
    const qint64 again = answer(turn.prompt.id);
    const std::vector<qint64> second{turn.prompt.id, again};
    edits().addBranch(QStringLiteral("Regenerate the answer"), turn.chat, turn.prompt.id, again);
    QCOMPARE(shown(turn.chat), second);
    QVERIFY(undo().undo());
    QCOMPARE(shown(turn.chat), none);
    QVERIFY(undo().redo());
    QCOMPARE(shown(turn.chat), second);
    QVERIFY(undo().undo() && undo().undo());
    QCOMPARE(shown(turn.chat), first);
}

void TestChatEdits::undoingARestoredMessageShowsTheBranchOfBefore() {
    const StoredTurn turn = program_->store.say(QStringLiteral("One"), QStringLiteral("A"));
    const qint64 prompt = turn.prompt.id, first = turn.answer.id, second = answer(prompt), third = answer(prompt);
    VERIFY_OK(edits().remove(turn.chat, third));
    QCOMPARE(shown(turn.chat), (std::vector<qint64>{prompt, second}));
    VERIFY_OK(edits().show(turn.chat, first));
    program_->bin.setListing(true);
    program_->bin.restore(0);
    QCOMPARE(shown(turn.chat), (std::vector<qint64>{prompt, third}));
    QVERIFY(undo().undo());
    QCOMPARE(shown(turn.chat), (std::vector<qint64>{prompt, first}));
    QVERIFY(undo().redo());
    QCOMPARE(shown(turn.chat), (std::vector<qint64>{prompt, third}));
}

QTEST_GUILESS_MAIN(TestChatEdits)
#include "tst_chat_edits.moc"
