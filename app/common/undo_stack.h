// SPDX-License-Identifier: Apache-2.0
// The steps that can be undone and redone, latest last. A step is two functions, so that every part of the program can
// push its own. Steps are kept as long as the program runs. Lives on the GUI thread.
//
//     undo.push({.title = tr("Rename the chat"),
//                .undo = [=, this] { return store_->rename(chat, before); },
//                .redo = [=, this] { return store_->rename(chat, after); }});
//
// The objects that the functions use must outlive the stack, or its owner must call clear(). A step that fails because
// its data is gone (ErrorKind::NotFound) is dropped; after any other error it stays and can be tried again.
#pragma once

#include "common/error_info.h"

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <deque>
#include <functional>

namespace coterie::app {

/// A step that was done already.
struct Undoable {
    QString title; ///< names the step as a command does: "Delete the message"
    std::function<engine::Status()> undo;
    std::function<engine::Status()> redo;
    /// Steps with the same key that follow each other count as one, such as going through versions; empty: none do.
    QString key{};
};

class UndoStack : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
  public:
    using QObject::QObject;

    /// Adds a step that was just done. Steps that were undone before can't be redone any more.
    void push(Undoable step);
    void clear();

    /// Title of the step that undo() undoes; empty if there is none.
    QString undoTitle() const { return done_.empty() ? QString() : done_.back().title; }
    /// Title of the step that redo() repeats; empty if there is none.
    QString redoTitle() const { return undone_.empty() ? QString() : undone_.back().title; }

    /// Undoes the latest step. Returns false if there is none, or if it failed: failed() says why.
    Q_INVOKABLE bool undo();
    /// Repeats the step that was undone last, in the same way.
    Q_INVOKABLE bool redo();

  Q_SIGNALS:
    void changed();
    /// A step was undone or repeated.
    void undid(const QString& title);
    void redid(const QString& title);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    using Steps = std::deque<Undoable>;

    bool move(Steps& from, Steps& to, std::function<engine::Status()> Undoable::*function);

    Steps done_, undone_;
    bool moving_ = false; ///< a step is being undone or repeated: nothing is pushed
};

} // namespace coterie::app
