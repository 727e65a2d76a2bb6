// SPDX-License-Identifier: Apache-2.0
// See answer_news.h.
#include "chats/answer_news.h"

#include "common/isolated_name.h"

namespace coterie::app {

void AnswerNews::report(qint64 chatId, const QString& title, bool failed) {
    set(chatId, (failed ? tr("The answer in \"%1\" broke off") : tr("The answer in \"%1\" is complete"))
                    .arg(isolatedName(title)));
}

void AnswerNews::reportQuestion(qint64 chatId, const QString& title) {
    set(chatId, tr("The model asks to use a tool in \"%1\"").arg(isolatedName(title)));
}

void AnswerNews::set(qint64 chatId, const QString& text) {
    chat_ = chatId;
    text_ = text;
    Q_EMIT changed();
}

void AnswerNews::forget(qint64 chatId) {
    if (chat_ != 0 && chat_ == chatId) dismiss();
}

void AnswerNews::dismiss() {
    if (chat_ == 0) return;
    chat_ = 0;
    text_.clear();
    Q_EMIT changed();
}

} // namespace coterie::app
