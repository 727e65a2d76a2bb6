// SPDX-License-Identifier: Apache-2.0
// Gives a new chat a short title after its first answer: the model is asked for one when it has nothing else to do.
// Until then, or if it can't, the title is the beginning of the prompt. A title that the user gave is never replaced.
// Lives on the GUI thread.
//
//     titles.setStore(store);
//     connect(&titles, &AutoTitles::titled, &chats, &ChatListModel::refresh);
#pragma once

#include "engine_link/answer_queue.h"
#include "engine_link/prompt_history.h"
#include "settings/settings.h"
#include "store/chat_store.h"

#include <QObject>
#include <QString>

namespace coterie::app {

/// The title of a chat that begins with this prompt: its first words.
QString titleFor(const QString& prompt);
/// The title in what a model answered when it was asked for one; empty if there is none.
QString titleIn(const QString& answer);

class AutoTitles : public QObject {
    Q_OBJECT
  public:
    /// All outlive this object.
    AutoTitles(AnswerQueue* answers, const PromptHistory* history, const Settings* settings, QObject* parent = nullptr);

    /// It outlives this object. Without a store no chat gets a title.
    void setStore(ChatStore* store) { store_ = store; }
    /// Whether the open model is asked. Off at first.
    void setEnabled(bool enabled) { enabled_ = enabled; }

  Q_SIGNALS:
    void titled(qint64 chat, const QString& title);

  private:
    void onEnded(const MessageRow& answer);
    void give(qint64 chat, const QString& before, const QString& title);

    AnswerQueue* answers_;
    const PromptHistory* history_;
    const Settings* settings_;
    ChatStore* store_ = nullptr;
    bool enabled_ = false;
};

} // namespace coterie::app
