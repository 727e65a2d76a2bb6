// SPDX-License-Identifier: Apache-2.0
// A user who does random things while answers are written: opens and closes the inspector, sends, stops, switches,
// deletes chats and messages, branches, shows other versions, scrubs. The tests check after each step that everything
// is the shown answer's (shown_check.h).
#pragma once

#include "fakes/fake_session.h"
#include "inspector/inspector.h"
#include "inspector/shown_check.h"
#include "shell/app.h"

#include <QRandomGenerator>

namespace coterie::test {

class RandomUser {
  public:
    /// Both outlive this object. folder: the data folder; its store is opened once more, for branches. script: that of
    /// the engine, a numbered one.
    RandomUser(app::App& app, FakeControl& control, const QString& folder, const FakeScript& script, quint32 seed)
        : app_(app), control_(control), store_(app::ChatStore::open(optionsFor(folder))), random_(seed) {
        if (store_) check_.emplace(app, *store_.value(), script);
    }

    /// False if the store could not be opened.
    bool ready() const { return static_cast<bool>(store_); }

    /// Does one of 18 things.
    void step() {
        const int thing = below(18);
        if (thing < 9)
            useChats(thing);
        else
            useInspector(thing - 9);
    }

    /// Returns what is wrong with what is shown; empty if nothing is.
    QString fault() const { return check_->fault(); }
    /// Whether the engine has done all that it may do.
    bool engineRests() const { return control_.waits() || !app_.answers()->busy(); }
    /// Whether an answer's record is shown.
    bool shows() const { return app_.inspector()->enabled() && app_.inspector()->shown().record(); }

  private:
    static app::StoreOptions optionsFor(const QString& folder) {
        app::StoreOptions options;
        options.folder = folder;
        return options;
    }
    app::Conversation& chat() const { return *app_.conversation(); }
    int below(int end) { return static_cast<int>(random_.bounded(static_cast<quint32>(end))); }
    qint64 anyMessage() {
        const auto& rows = chat().messages()->rows();
        return rows.empty() ? 0 : rows[static_cast<size_t>(below(static_cast<int>(rows.size())))].id;
    }

    void useChats(int thing) {
        app::ChatListModel* chats = app_.chats();
        const int count = chats->rowCount();
        switch (thing) {
        case 0:
            return chat().newChat();
        case 1:
            if (count > 0)
                chat().openChat(chats->index(below(count), 0).data(app::ChatListModel::ChatIdRole).toLongLong());
            return;
        case 2:
        case 3:
            if (!chat().busy()) chat().send(QStringLiteral("Hello"));
            return;
        case 4:
            return chat().stop();
        case 5: // chats stay short, so that their prompts fit
            if (count > 6 || chat().messages()->count() > 12 || below(6) == 0) chats->remove(chat().chatId());
            return;
        case 6:
            return useMessages();
        case 7: // another one, perhaps while its answer is written
            if (count > 4)
                chats->remove(chats->index(below(count), 0).data(app::ChatListModel::ChatIdRole).toLongLong());
            return;
        default:
            branch();
        }
    }

    void useMessages() {
        app::MessageActions& actions = *chat().actions();
        const qint64 message = anyMessage();
        if (message == 0) return;
        switch (below(3)) {
        case 0:
            return actions.remove(message);
        case 1:
            return actions.regenerate(message);
        default:
            return actions.showVersion(message, below(2) == 0 ? 1 : -1);
        }
    }

    /// Writes another version of a prompt, or goes to the branch of any message.
    void branch() {
        const qint64 id = chat().chatId(), message = anyMessage();
        if (id == 0 || message == 0 || chat().busy()) return;
        if (below(2) == 0)
            (void)store_.value()->setLeaf(id, message);
        else
            (void)store_.value()->addVersion(message, std::vector<app::MessagePart>{{.text = QStringLiteral("Else")}});
        chat().openChat(id);
    }

    void useInspector(int thing) {
        app::Inspector& inspector = *app_.inspector();
        switch (thing) {
        case 0:
            return inspector.setEnabled(below(4) != 0);
        case 1:
            return inspector.grid()->setMode(static_cast<app::ActivityGrid::Mode>(below(4)));
        case 2:
            return inspector.comparison()->setAgainst(static_cast<app::AnswerComparison::Against>(below(4)));
        case 3:
            return inspector.grid()->select(below(12), below(32));
        case 4:
            return inspector.timeline()->setPosition(below(40));
        case 5:
            return below(2) == 0 ? inspector.showMessage(anyMessage())
                                 : inspector.showCharacter(anyMessage(), 0, below(6));
        case 6:
            return inspector.tokens()->setMeasure(static_cast<app::TokenMeasure>(below(7)));
        case 7:
            check_->keep();
            return inspector.comparison()->keep();
        default:
            control_.allow(below(40)); // a few answers; without it they wait
            useLook(below(5));
        }
    }

    void useLook(int thing) {
        app::Inspector& inspector = *app_.inspector();
        switch (thing) {
        case 0:
            return inspector.tokens()->setDark(below(2) == 0);
        case 1:
            return inspector.tokens()->setStripLength(1 + below(40));
        case 2:
            return inspector.timeline()->follow();
        default:
            return inspector.timeline()->setPlaying(below(2) == 0);
        }
    }

    app::App& app_;
    FakeControl& control_;
    engine::Result<std::unique_ptr<app::ChatStore>> store_;
    std::optional<ShownCheck> check_;
    QRandomGenerator random_;
};

/// The number of sequences: COTERIE_SEQUENCES, or this one.
inline int sequences(int usual) {
    return qEnvironmentVariableIsSet("COTERIE_SEQUENCES") ? qEnvironmentVariableIntValue("COTERIE_SEQUENCES") : usual;
}

/// The random numbers of a run: COTERIE_SEED, or these. So a long run can be split into pieces.
inline quint32 sequenceSeed(quint32 usual) {
    const int given = qEnvironmentVariableIntValue("COTERIE_SEED");
    return given > 0 ? static_cast<quint32>(given) : usual;
}

} // namespace coterie::test
