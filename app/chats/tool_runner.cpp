// SPDX-License-Identifier: Apache-2.0
// See tool_runner.h.
#include "chats/tool_runner.h"

#include "common/isolated_name.h"
#include "prompt/json_text.h"
#include "settings/settings.h"
#include "tools/tool_box.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

/// Times that a model may call tools before it must answer the user: a model that repeats a call would not end.
constexpr int kMostRounds = 8;
constexpr qsizetype kLongestShown = 300; // characters of an argument that the question shows

const QString kAsk = QStringLiteral("ask"), kAlways = QStringLiteral("always"), kNever = QStringLiteral("never");

/// Counts the messages with results since the user's last prompt.
int roundsBefore(const std::vector<MessageRow>& path) {
    int rounds = 0;
    for (auto row = path.rbegin(); row != path.rend() && row->role != engine::Role::User; ++row)
        rounds += row->role == engine::Role::Tool ? 1 : 0;
    return rounds;
}

} // namespace

ToolRunner::ToolRunner(AnswerQueue* answers, Settings* settings, QObject* parent)
    : QObject(parent), answers_(answers), settings_(settings) {
    connect(answers_, &AnswerQueue::answered, this, &ToolRunner::take);
    connect(answers_, &AnswerQueue::progressed, this, [this](qint64 chat) {
        if (answers_->progress(chat)) drop(chat); // the user went on without the results
    });
}

ToolRunner::~ToolRunner() {
    for (ChatReader* const reader : {reader_.get(), temporaryReader_.get()})
        if (reader) reader->cancel();
    thread_.finish();
}

void ToolRunner::setStore(ChatStore* store, std::unique_ptr<ChatReader> reader) {
    store_ = store;
    reader_ = std::move(reader);
}

void ToolRunner::setTemporaryStore(ChatStore* store, std::unique_ptr<ChatReader> reader) {
    temporary_ = store;
    temporaryReader_ = std::move(reader);
}

void ToolRunner::setChats(qint64 first, qint64 second) {
    const std::array<qint64, 2> chats{first, second};
    if (chats == chats_) return;
    chats_ = chats;
    Q_EMIT changed();
}

qint64 ToolRunner::chat() const {
    for (const qint64 chat : chats_)
        if (calls_.contains(chat)) return chat;
    return 0;
}

const ToolRunner::Calls* ToolRunner::shown() const {
    const auto calls = calls_.find(chat());
    return calls == calls_.end() ? nullptr : &calls->second;
}

bool ToolRunner::asking() const { return shown() != nullptr && shown()->run == 0; }

bool ToolRunner::running() const { return shown() != nullptr && shown()->run != 0; }

QString ToolRunner::title() const { return shown() ? toolTitle(shown()->next().tool) : QString(); }

QString ToolRunner::arguments() const {
    if (!shown()) return {};
    const auto arguments = engine::readJson(shown()->next().arguments.toStdString());
    QStringList lines;
    for (size_t i = 0; arguments && i < arguments->keys.size(); ++i) {
        const engine::JsonText& item = arguments->items[i];
        const bool isText = item.is(engine::JsonText::Kind::String);
        QString value = QString::fromStdString(isText ? item.text : engine::writeJson(item)).simplified();
        if (value.size() > kLongestShown) value = value.left(kLongestShown) + QChar(0x2026);
        lines.append(QStringLiteral("%1: %2").arg(isolatedName(QString::fromStdString(arguments->keys[i])), value));
    }
    return lines.join(u'\n');
}

/// An unknown tool runs at once: its result is only a sentence that says so.
QString ToolRunner::permission(const QString& tool) const {
    const QString key = toolPermissionKey(tool);
    return key.isEmpty() ? kAlways : settings_->value(key).toString();
}

ToolRunner::Calls ToolRunner::callsOf(const Job& job) {
    Calls calls{.job = job, .calls = {}, .results = {}};
    for (const MessagePart& part : job.answer.parts)
        if (part.kind == PartKind::ToolCall) calls.calls.push_back(part);
    calls.job.options.prefix.clear(); // it belongs to this answer
    return calls;
}

void ToolRunner::take(const Job& job) {
    Calls calls = callsOf(job);
    if (calls.calls.empty() || job.options.prompt.tools.empty() || !store_) return;
    const auto path = storeOf(job.answer.id)->messagesTo(job.answer.id);
    if (!path) return Q_EMIT failed(ErrorInfo(path.error()));
    if (roundsBefore(path.value()) >= kMostRounds)
        return Q_EMIT failed(
            ErrorInfo(tr("The tools were not run"),
                      tr("The model has called tools %Ln time(s) without an answer", nullptr, kMostRounds),
                      tr("Send a message to go on")));
    const qint64 chat = job.answer.chat;
    calls_.insert_or_assign(chat, std::move(calls));
    advance(chat);
}

void ToolRunner::takeUp(const Job& job) {
    const qint64 chat = job.answer.chat;
    Calls calls = callsOf(job);
    const auto known = [](const MessagePart& call) { return !toolPermissionKey(call.tool).isEmpty(); };
    if (calls.calls.empty() || !std::all_of(calls.calls.begin(), calls.calls.end(), known)) return;
    if (job.options.prompt.tools.empty() || !store_ || has(chat) || answers_->progress(chat)) return;
    const auto path = storeOf(job.answer.id)->messagesTo(job.answer.id);
    if (!path || roundsBefore(path.value()) >= kMostRounds) return; // the chat, and the answer, have said so
    calls_.insert_or_assign(chat, std::move(calls));
    Q_EMIT askingChanged(chat, true);
    emitChanged(chat);
}

/// Goes on with the next call, which may ask, or ends.
void ToolRunner::advance(qint64 chat) {
    const Calls& calls = calls_.at(chat);
    if (calls.results.size() == calls.calls.size()) return finish(chat);
    const QString allowed = permission(calls.next().tool);
    if (allowed == kAlways) return run(chat);
    if (allowed == kNever) return addResult(chat, QStringLiteral("The user does not allow this tool."));
    Q_EMIT askingChanged(chat, true);
    emitChanged(chat);
}

void ToolRunner::run(qint64 chat) {
    Calls& calls = calls_.at(chat);
    const quint64 number = calls.run = ++lastRun_;
    thread_.push([this, chat, number, message = calls.job.answer.id, call = calls.next()] {
        ToolPlace place{.now = QDateTime::currentDateTime(), .path = {}, .chats = reader_.get()};
        ChatReader* const reader = isTemporary(message) ? temporaryReader_.get() : reader_.get();
        if (reader)
            if (auto path = reader->messagesTo(message)) place.path = std::move(path).value();
        toGui_.push([this, chat, number, text = runTool(call, place)] {
            const auto waiting = calls_.find(chat);
            if (waiting == calls_.end() || waiting->second.run != number) return; // it was stopped
            addResult(chat, text);
        });
    });
    emitChanged(chat);
}

void ToolRunner::addResult(qint64 chat, const QString& text) {
    Calls& calls = calls_.at(chat);
    calls.results.push_back(resultOf(calls.next(), text));
    calls.run = 0;
    advance(chat);
}

MessagePart ToolRunner::resultOf(const MessagePart& call, const QString& text) {
    return {.kind = PartKind::ToolResult, .text = text, .tool = call.tool};
}

std::vector<MessagePart> ToolRunner::resultsInstead(qint64 chat, qint64 answer) const {
    const auto found = calls_.find(chat);
    if (found == calls_.end() || found->second.job.answer.id != answer) return {};
    const Calls& calls = found->second;
    std::vector<MessagePart> results = calls.results;
    for (size_t i = results.size(); i < calls.calls.size(); ++i)
        results.push_back(
            resultOf(calls.calls[i], QStringLiteral("The user wrote a message instead: this call was not run.")));
    return results;
}

/// Stores the results and has the model go on. They are dropped if the chat shows another branch now.
void ToolRunner::finish(qint64 chat) {
    const Calls calls = std::move(calls_.extract(chat).mapped());
    emitChanged(chat);
    const auto state = storeOf(chat)->state(chat);
    if (!state || state->leaf != calls.job.answer.id) return;
    auto stored = storeOf(chat)->addToolResults(calls.job.answer.id, calls.results, calls.job.answer.model);
    if (!stored) return Q_EMIT failed(ErrorInfo(stored.error()));
    answers_->add({.answer = stored->answer, .systemPrompt = calls.job.systemPrompt, .options = calls.job.options});
}

void ToolRunner::emitChanged(qint64 chat) {
    if (std::find(chats_.begin(), chats_.end(), chat) != chats_.end()) Q_EMIT changed();
}

void ToolRunner::allow(bool always) {
    if (!asking()) return;
    if (always) settings_->setValue(toolPermissionKey(shown()->next().tool), kAlways);
    Q_EMIT askingChanged(chat(), false);
    run(chat());
}

void ToolRunner::refuse(bool always) {
    if (!asking()) return;
    if (always) settings_->setValue(toolPermissionKey(shown()->next().tool), kNever);
    Q_EMIT askingChanged(chat(), false);
    addResult(chat(), QStringLiteral("The user does not allow this call."));
}

void ToolRunner::stop() {
    const Calls* const calls = shown();
    if (!calls) return;
    MessageRow answer = calls->job.answer;
    drop(answer.chat);
    answers_->markStopped(std::move(answer));
}

void ToolRunner::drop(qint64 chat) {
    if (calls_.erase(chat) == 0) return;
    Q_EMIT askingChanged(chat, false);
    emitChanged(chat);
}

} // namespace coterie::app
