// SPDX-License-Identifier: Apache-2.0
// See auto_titles.h. The request is the conversation with one more prompt, so that the model reads only that prompt:
// the rest is in its prompt cache.
#include "chats/auto_titles.h"

namespace coterie::app {
namespace {

constexpr int kTitleLength = 48; // about as many characters as the list shows
constexpr int kTitleTokens = 12;
/// It is sent to the model and never shown. Small models follow English best.
constexpr char kRequest[] = "Give this conversation a title of at most five words. Answer with the title only.";

} // namespace

QString titleFor(const QString& prompt) {
    const QString line = prompt.simplified();
    if (line.size() <= kTitleLength) return line;
    const qsizetype space = line.lastIndexOf(u' ', kTitleLength);
    qsizetype end = space > kTitleLength / 2 ? space : kTitleLength;
    if (line[end - 1].isHighSurrogate()) --end;
    return line.left(end) + QChar(0x2026);
}

/// Models put quotes, asterisks or "Title:" around it, and some go on talking in the next line.
QString titleIn(const QString& answer) {
    static const QString kAround = QStringLiteral(" \t\"'*_#`.:\u201c\u201d\u201e\u00ab\u00bb");
    const auto bare = [](QStringView text) {
        while (!text.isEmpty() && kAround.contains(text.front())) text = text.sliced(1);
        while (!text.isEmpty() && kAround.contains(text.back())) text.chop(1);
        return text;
    };
    const QString first = answer.trimmed().section(u'\n', 0, 0);
    QStringView line = bare(first);
    if (line.startsWith(QStringLiteral("title"), Qt::CaseInsensitive)) {
        const qsizetype colon = line.indexOf(u':');
        if (colon >= 0) line = bare(line.sliced(colon + 1));
    }
    return titleFor(line.toString());
}

AutoTitles::AutoTitles(AnswerQueue* answers, const PromptHistory* history, const Settings* settings, QObject* parent)
    : QObject(parent), answers_(answers), history_(history), settings_(settings) {
    connect(answers_, &AnswerQueue::ended, this, &AutoTitles::onEnded);
}

/// A first answer is the only one to a first prompt, and complete.
void AutoTitles::onEnded(const MessageRow& answer) {
    if (!enabled_ || !store_ || answer.state != MessageState::Complete || isTemporary(answer.chat)) return;
    const auto path = store_->path(answer.id);
    const auto chat = store_->chat(answer.chat);
    if (!path || !chat || path->size() != 2) return;
    const auto prompt = store_->message(answer.parent);
    if (!prompt || chat->title != titleFor(prompt->text())) return;
    engine::GenerateOptions options;
    options.sampling.temperature = 0;
    options.maxTokens = kTitleTokens;
    options.prompt.thinking = false;
    const auto given = [this, id = answer.chat, before = chat->title](const QString& text) { give(id, before, text); };
    answers_->ask({.conversation = history_->upTo(answer.id, {.systemPrompt = settings_->systemPrompt(),
                                                              .newer = {},
                                                              .prompt = QString::fromLatin1(kRequest)}),
                   .options = std::move(options),
                   .answered = given});
}

void AutoTitles::give(qint64 chat, const QString& before, const QString& text) {
    const QString title = titleIn(text);
    const auto row = store_->chat(chat);
    if (title.isEmpty() || !row || row->title != before) return; // the user gave it a title meanwhile
    if (store_->rename(chat, title)) Q_EMIT titled(chat, title);
}

} // namespace coterie::app
