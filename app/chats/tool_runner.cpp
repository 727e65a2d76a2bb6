// SPDX-License-Identifier: Apache-2.0
// See tool_runner.h.
#include "chats/tool_runner.h"

#include "common/isolated_name.h"
#include "prompt/json_text.h"
#include "settings/setting_step.h"
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
    connect(answers_, &AnswerQueue::progressed, this, &ToolRunner::follow);
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

void ToolRunner::setShown(qint64 first, qint64 second) {
    const std::array<qint64, 2> shown{first, second};
    if (shown == shown_) return;
    shown_ = shown;
    for (const qint64 answer : shown_)
        if (const auto calls = calls_.find(answer); calls != calls_.end()) follow(calls->second.chat());
    Q_EMIT changed();
}

bool ToolRunner::isShown(qint64 answer) const {
    return std::find(shown_.begin(), shown_.end(), answer) != shown_.end();
}

const ToolRunner::Calls* ToolRunner::shown() const {
    for (const qint64 answer : shown_) {
        const auto calls = calls_.find(answer);
        if (calls != calls_.end() && !calls->second.aside) return &calls->second;
    }
    return nullptr;
}

qint64 ToolRunner::chat() const { return shown() ? shown()->chat() : 0; }

bool ToolRunner::has(qint64 chat) const {
    return std::any_of(calls_.begin(), calls_.end(),
                       [chat](const auto& each) { return each.second.chat() == chat && !each.second.aside; });
}

/// A chat asks nothing while an answer of it is written: the user went on, or wants another version. Its questions are
/// put aside until their answers are shown again.
void ToolRunner::follow(qint64 chat) {
    const bool busy = answers_->progress(chat).has_value();
    bool changes = false;
    for (auto& [answer, calls] : calls_) {
        if (calls.chat() != chat) continue;
        const bool aside = busy || (calls.aside && !isShown(answer));
        changes = changes || aside != calls.aside;
        calls.aside = aside;
        if (busy) calls.run = 0;
    }
    if (changes) announce(chat);
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

/// Keeps the user's answer. That is a step: a person may want to take a permission back.
void ToolRunner::setPermission(const QString& tool, const QString& answer) {
    const QString key = toolPermissionKey(tool), name = toolTitle(tool);
    if (key.isEmpty()) return;
    const bool allowed = answer == kAlways;
    const auto step = changeSettings(
        programPlace(settings_), {{key, answer}},
        {.title = allowed ? tr("Always allow %1", "a tool").arg(name) : tr("Never allow %1", "a tool").arg(name),
         .notice = allowed ? tr("%1 is always allowed from now on", "a tool").arg(name)
                           : tr("%1 is never allowed from now on", "a tool").arg(name)});
    if (step && *step) Q_EMIT done(**step);
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
    calls_.insert_or_assign(job.answer.id, std::move(calls));
    advance(job.answer.id);
}

void ToolRunner::takeUp(const Job& job) {
    Calls calls = callsOf(job);
    const auto known = [](const MessagePart& call) { return !toolPermissionKey(call.tool).isEmpty(); };
    if (calls.calls.empty() || !std::all_of(calls.calls.begin(), calls.calls.end(), known)) return;
    if (job.options.prompt.tools.empty() || !store_ || calls_.contains(job.answer.id)) return;
    if (answers_->progress(job.answer.chat)) return;
    const auto path = storeOf(job.answer.id)->messagesTo(job.answer.id);
    if (!path || roundsBefore(path.value()) >= kMostRounds) return; // the chat, and the answer, have said so
    calls_.insert_or_assign(job.answer.id, std::move(calls));
    announce(job.answer.chat);
}

/// Goes on with the next call, which may ask, or ends.
void ToolRunner::advance(qint64 answer) {
    const Calls& calls = calls_.at(answer);
    if (calls.results.size() == calls.calls.size()) return finish(answer);
    const QString allowed = permission(calls.next().tool);
    if (allowed == kAlways) return run(answer);
    if (allowed == kNever) return addResult(answer, QStringLiteral("The user does not allow this tool."));
    announce(calls.chat());
}

void ToolRunner::run(qint64 answer) {
    Calls& calls = calls_.at(answer);
    const quint64 number = calls.run = ++lastRun_;
    thread_.push([this, answer, number, call = calls.next()] {
        ToolPlace place{.now = QDateTime::currentDateTime(), .path = {}, .chats = reader_.get()};
        ChatReader* const reader = isTemporary(answer) ? temporaryReader_.get() : reader_.get();
        if (reader)
            if (auto path = reader->messagesTo(answer)) place.path = std::move(path).value();
        toGui_.push([this, answer, number, text = runTool(call, place)] {
            const auto waiting = calls_.find(answer);
            if (waiting == calls_.end() || waiting->second.run != number) return; // it was stopped, or put aside
            addResult(answer, text);
        });
    });
    announce(calls.chat());
}

void ToolRunner::addResult(qint64 answer, const QString& text) {
    Calls& calls = calls_.at(answer);
    calls.results.push_back(resultOf(calls.next(), text));
    calls.run = 0;
    advance(answer);
}

MessagePart ToolRunner::resultOf(const MessagePart& call, const QString& text) {
    return {.kind = PartKind::ToolResult, .text = text, .tool = call.tool};
}

std::vector<MessagePart> ToolRunner::resultsInstead(qint64 answer) const {
    const auto found = calls_.find(answer);
    if (found == calls_.end()) return {};
    const Calls& calls = found->second;
    std::vector<MessagePart> results = calls.results;
    for (size_t i = results.size(); i < calls.calls.size(); ++i)
        results.push_back(
            resultOf(calls.calls[i], QStringLiteral("The user wrote a message instead: this call was not run.")));
    return results;
}

/// Stores the results and has the model go on. If the chat shows another branch now, or the store refuses them, the
/// user is asked once more: a model that went on would go on out of view.
void ToolRunner::finish(qint64 answer) {
    const qint64 chat = calls_.at(answer).chat();
    const auto askAgain = [&] {
        calls_.at(answer).results.clear();
        announce(chat);
    };
    const auto refused = [&](const engine::Error& error) {
        askAgain();
        Q_EMIT failed(ErrorInfo(error));
    };
    const auto state = storeOf(chat)->state(chat);
    if (!state) return refused(state.error());
    if (state->leaf != answer) return askAgain();
    const Calls& done = calls_.at(answer);
    auto stored = storeOf(chat)->addToolResults(answer, done.results, done.job.answer.model);
    if (!stored) return refused(stored.error());
    const Calls calls = std::move(calls_.extract(answer).mapped());
    announce(chat);
    answers_->add({.answer = stored->answer, .systemPrompt = calls.job.systemPrompt, .options = calls.job.options});
}

/// Emits askingChanged() if that has changed for the chat, and changed(), since what is shown may have.
void ToolRunner::announce(qint64 chat) {
    const bool asks = std::any_of(calls_.begin(), calls_.end(), [chat](const auto& each) {
        return each.second.chat() == chat && !each.second.aside && each.second.run == 0;
    });
    const bool asked = asking_.contains(chat);
    if (asks)
        asking_.insert(chat);
    else
        asking_.remove(chat);
    if (asks != asked) Q_EMIT askingChanged(chat, asks);
    Q_EMIT changed();
}

void ToolRunner::allow(bool always) {
    if (!asking()) return;
    const qint64 answer = shown()->job.answer.id;
    if (always) setPermission(shown()->next().tool, kAlways);
    run(answer);
}

void ToolRunner::refuse(bool always) {
    if (!asking()) return;
    const qint64 answer = shown()->job.answer.id;
    if (always) setPermission(shown()->next().tool, kNever);
    addResult(answer, QStringLiteral("The user does not allow this call."));
}

void ToolRunner::stop() {
    if (!shown()) return;
    MessageRow answer = shown()->job.answer;
    calls_.erase(answer.id);
    announce(answer.chat);
    answers_->markStopped(std::move(answer));
}

void ToolRunner::drop(qint64 chat) {
    if (std::erase_if(calls_, [chat](const auto& each) { return each.second.chat() == chat; }) > 0) announce(chat);
}

} // namespace coterie::app
