// SPDX-License-Identifier: Apache-2.0
// One running program for each data folder: a second start hands its model over to the first one, which comes to the
// front, and ends. They talk through a local channel with a name (a Unix socket or a Windows pipe) that only this user
// may open; nothing of it reaches a network. Lives on the GUI thread.
//
//     if (!app.alone() && InstanceChannel::handOver(folder, model)) return 0;
//     InstanceChannel channel(folder); // of the first program
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace coterie::app {

class InstanceChannel : public QObject {
    Q_OBJECT
  public:
    /// Milliseconds. A program that is loading its window does not answer, and that takes seconds on a busy machine.
    static constexpr int kAnswerMs = 10000;

    /// Listens for later starts with the same folder. Call it only while the folder is locked by this program: a
    /// channel that a killed program left behind is replaced.
    explicit InstanceChannel(const QString& folder, QObject* parent = nullptr);

    bool listening() const { return server_.isListening(); }
    QString fullName() const { return server_.fullServerName(); }

    /// Tells the program that uses the folder to open the model (empty: none) and to come to the front. Returns whether
    /// it has answered. Waits up to `startMs` until it listens, because it may be about to start too, and then up to
    /// `answerMs` for its answer.
    static bool handOver(const QString& folder, const QString& model, int startMs, int answerMs = kAnswerMs);

  Q_SIGNALS:
    /// Another start took place; `model` is an absolute path, or empty.
    void started(const QString& model);

  private:
    void receive();

    QLocalServer server_;
};

} // namespace coterie::app
