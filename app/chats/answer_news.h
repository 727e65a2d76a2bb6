// SPDX-License-Identifier: Apache-2.0
// The latest answer that ended, or called a tool, while its chat was not shown: the window shows it once, and leads to
// the chat. Lives on the GUI thread.
//
//     news.report(answer.chat, title, answer.state == MessageState::Failed);
#pragma once

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class AnswerNews : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(qint64 chatId READ chatId NOTIFY changed)
    Q_PROPERTY(QString text READ text NOTIFY changed)
  public:
    using QObject::QObject;

    /// The chat with the answer; 0 if there is no news.
    qint64 chatId() const { return chat_; }
    /// "The answer in "A walk" is complete"; empty if there is no news.
    QString text() const { return text_; }

    void report(qint64 chatId, const QString& title, bool failed);
    /// The answer goes on as soon as the user allows a tool, or does not.
    void reportQuestion(qint64 chatId, const QString& title);
    /// Ends the notice if it is about this chat: it was opened or deleted.
    void forget(qint64 chatId);
    Q_INVOKABLE void dismiss();

  Q_SIGNALS:
    void changed();

  private:
    void set(qint64 chatId, const QString& text);

    qint64 chat_ = 0;
    QString text_;
};

} // namespace coterie::app
