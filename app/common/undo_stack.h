// SPDX-License-Identifier: Apache-2.0
// The steps that can be undone and redone, latest last. A step is two functions, so that every part of the program can
// push its own. Steps are kept as long as the program runs. Lives on the GUI thread.
//
//     undo.push({.title = tr("Rename the chat"),
//                .undo = [=, this] { return store_->rename(chat, before); },
//                .redo = [=, this] { return store_->rename(chat, after); }});
//
// The objects that the functions use must outlive the stack. A step that fails because its data is gone
// (ErrorKind::NotFound) is dropped; after any other error it stays and can be tried again.
#pragma once

#include "common/error_info.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <deque>
#include <functional>
#include <optional>

namespace coterie::app {

/// A step that was done already.
struct Undoable {
    QString title; ///< names the step as a command does: "Delete the message"
    std::function<engine::Status()> undo{};
    std::function<engine::Status()> redo{};
    /// Steps with the same key that follow each other count as one, such as going through versions; empty: none do.
    /// They follow each other as long as nothing is undone or sent between them.
    QString key{};
    /// Whether the window offers to undo it as soon as it is done. Whoever pushes the step shows that, unless `notice`
    /// has words for a bar.
    bool offered = false;
    QString notice{};
    /// The chat that shows what was done; 0: a chat that does not exist yet; none: no chat alone shows it.
    std::optional<qint64> chat{};
    /// The text in that chat's composer, if the step is about files or waiting messages beside it.
    std::optional<QString> draft{};
    /// Whether nothing of it is left when that text was sent.
    bool untilSent = false;
    /// The chats that it changes: without any of them the step means nothing. Empty: `chat`, if there is one.
    QList<qint64> chats{};
    /// Whether what was done is still so. Only steps that can be taken back elsewhere have this, for example in the
    /// bin, or by setting a value to what it was.
    std::function<bool()> stands{};
};

class UndoStack : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool offered READ offered NOTIFY offeredChanged)
    Q_PROPERTY(QString notice READ notice NOTIFY offeredChanged)
    Q_PROPERTY(bool offersRedo READ offersRedo NOTIFY offeredChanged)
  public:
    using QObject::QObject;

    /// Adds a step that was just done. Steps that were undone before can't be redone any more. What is pushed while a
    /// step is being undone or repeated follows from that and is no step.
    void push(Undoable step);

    /// Title of the step that undo() undoes; empty if there is none.
    QString undoTitle() const { return done_.empty() ? QString() : done_.back().title; }
    /// Title of the step that redo() repeats; empty if there is none.
    QString redoTitle() const { return undone_.empty() ? QString() : undone_.back().title; }

    /// The steps themselves, or null; valid until the next call.
    const Undoable* toUndo() const { return done_.empty() ? nullptr : &done_.back(); }
    const Undoable* toRedo() const { return undone_.empty() ? nullptr : &undone_.back(); }
    /// A message was sent in this chat: its steps get no chat, for none was just done there, and steps that were undone
    /// before can't be redone any more.
    void settle(qint64 chat);
    /// Drops the latest steps that do not stand any more: undoing them would do nothing, or something wrong. Call it
    /// when something was taken back without this stack.
    void dropIdle();
    /// Drops all steps whose chats are all gone, also those that could be redone, and the bar about one of them.
    void dropChats(const std::function<bool(qint64)>& gone);

    /// Undoes the latest step. Returns false if there is none, or if it failed: failed() says why.
    Q_INVOKABLE bool undo();
    /// Repeats the step that was undone last, in the same way.
    Q_INVOKABLE bool redo();

    /// Has a bar offer to undo the latest step, or to repeat the one that was undone last, without doing it yet.
    void offerLatest(bool repeats);
    /// Whether a bar in view offers to undo the latest step, or to repeat the one that was undone.
    bool offered() const { return offered_; }
    /// Words of the bar that no part of the program has for itself; empty: there is none.
    QString notice() const { return notice_; }
    /// Whether that bar is about a step that was undone, so that it offers to repeat it.
    bool offersRedo() const { return offersRedo_; }
    /// The bar is gone. A step that comes now does not count as a part of the latest one: it has a bar of its own.
    Q_INVOKABLE void endOffer();

  Q_SIGNALS:
    void changed();
    void offeredChanged();
    /// A step was undone or repeated.
    void undid(const QString& title);
    void redid(const QString& title);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    using Steps = std::deque<Undoable>;

    void offer(bool offered, const QString& notice, bool offersRedo = false);
    bool join(Undoable& step);
    bool popIdle();
    bool move(Steps& from, Steps& to, std::function<engine::Status()> Undoable::*function);

    Steps done_, undone_;
    bool moving_ = false; ///< a step is being undone or repeated: nothing is pushed
    bool fresh_ = false;  ///< the latest step was just pushed, so that the next one may count as a part of it
    bool offered_ = false;
    bool offersRedo_ = false; ///< see offersRedo()
    QString notice_;
};

} // namespace coterie::app
