// SPDX-License-Identifier: Apache-2.0
// See token_alternatives.h.
#include "chats/token_alternatives.h"

#include "chats/chat_edits.h"
#include "chats/conversation.h"
#include "common/isolated_name.h"
#include "common/units.h"
#include "engine_link/answer_prefix.h"
#include "engine_link/token_ranges.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr size_t kFewest = 10;         // recorded alternatives that are enough
constexpr int64_t kAsked = 20;         // alternatives that the engine is asked for
constexpr qsizetype kWordsBefore = 40; // characters

/// Whether the parts begin with text that is in none of the ranges.
bool hasUnknownBeginning(const std::vector<PartRange>& ranges, const std::vector<MessagePart>& parts) {
    for (const PartRange& range : ranges) {
        if (range.begin == range.end) continue;
        if (range.begin > 0) return true;
        return std::any_of(parts.begin(), parts.begin() + range.part,
                           [](const MessagePart& part) { return !part.text.isEmpty(); });
    }
    return false;
}

} // namespace

TokenAlternatives::TokenAlternatives(Conversation* conversation, const ConversationParts* parts, QObject* parent)
    : RowList(parent), conversation_(conversation), parts_(parts) {
    // Queued: an answer that ends is followed by the next one at once.
    connect(parts_->answers, &AnswerQueue::progressed, this, &TokenAlternatives::follow, Qt::QueuedConnection);
    connect(conversation_, &Conversation::chatChanged, this, [this] {
        close();
        setMode(0);
        setTinted(0);
    });
    const MessageModel* const messages = conversation_->messages();
    connect(messages, &MessageModel::modelAboutToBeReset, this, [this] { closeFrom(0); });
    connect(messages, &MessageModel::pathChanging, this, &TokenAlternatives::closeFrom);
}

/// The messages from this row on will be others, or have other words.
void TokenAlternatives::closeFrom(int first) {
    const int now = conversation_->messages()->rowOf(message_);
    if (state_ != Closed && (now < 0 || now >= first)) close();
}

const MessageRow* TokenAlternatives::row() const { return conversation_->messages()->find(message_); }

void TokenAlternatives::setMode(qint64 message) {
    if (std::exchange(mode_, message) == message) return;
    Q_EMIT modeChanged();
}

void TokenAlternatives::setTinted(qint64 message) {
    if (std::exchange(tinted_, message) == message) return;
    Q_EMIT tintedChanged();
}

/// Finds the tokens of the message. Returns false if they can't be used: the state says why.
bool TokenAlternatives::read(qint64 message) {
    question_ = 0;
    message_ = message;
    token_ = -1;
    tokens_.clear();
    prefix_.clear();
    ranges_.clear();
    setRows({});
    const MessageRow* answer = row();
    if (!answer || !store_) return false;
    if (answer->state == MessageState::Streaming) {
        setState(Unavailable, tr("The answer is still being written."));
        return false;
    }
    if (!conversation_->model().ready) {
        setState(Unavailable,
                 tr("No model is open. Open %1 to see the alternatives.").arg(isolatedName(answer->model)));
        return false;
    }
    if (answer->model != conversation_->model().name) {
        setState(
            Unavailable,
            tr("Another model wrote this answer. Open %1 to see its alternatives.").arg(isolatedName(answer->model)));
        return false;
    }
    tokens_ = parts_->tokensOf(*store_, message);
    ranges_ = characterRanges(tokens_, answer->parts);
    const WrittenTokens* written = parts_->answers->written(message);
    if (written && written->ids.size() > tokens_.size())
        prefix_.assign(written->ids.begin(), written->ids.end() - static_cast<std::ptrdiff_t>(tokens_.size()));
    if (tokens_.empty() || (prefix_.empty() && hasUnknownBeginning(ranges_, answer->parts))) {
        setState(Unavailable, tr("The tokens of this answer were not kept, so its alternatives are not known."));
        tokens_.clear();
        return false;
    }
    return true;
}

void TokenAlternatives::show(qint64 message, int token) {
    if (read(message)) showToken(token);
}

bool TokenAlternatives::prepare(qint64 message) {
    if (!read(message)) return false;
    TextDocument* document = conversation_->messages()->document(message);
    if (document && document->tokens().empty()) document->setTokens(ranges_);
    return document != nullptr;
}

void TokenAlternatives::close() {
    question_ = 0;
    setRows({});
    message_ = 0;
    token_ = -1;
    setState(Closed, {});
}

void TokenAlternatives::step(int by) {
    if (state_ != Closed && token_ + by >= 0 && token_ + by < tokenCount()) showToken(token_ + by);
}

void TokenAlternatives::showToken(int token) {
    token_ = std::clamp(token, 0, tokenCount() - 1);
    const engine::TokenRecord& record = tokens_[static_cast<size_t>(token_)];
    if (record.alternatives.size() >= kFewest) {
        setRows(record.alternatives);
        setState(Ready, tr("Recorded when the answer was written, from the scores of all tokens that the model knows "
                           "(its whole output head)."));
    } else {
        ask();
    }
}

/// Has the engine compute them, which it does when no answer is being written.
void TokenAlternatives::ask() {
    setRows({});
    question_ = ++lastQuestion_;
    asked_ = false;
    follow();
}

/// An answer comes before the question, and takes it away if it has begun; then it is asked again.
void TokenAlternatives::follow() {
    if (question_ == 0 || !row()) return;
    if (parts_->answers->busy()) {
        asked_ = false;
        return setState(Waiting, tr("An answer is being written. The alternatives are computed after it."));
    }
    if (std::exchange(asked_, true)) return;
    setState(Computing, tr("The alternatives are being computed."));
    engine::GenerateOptions options = optionsFor(token_);
    options.maxTokens = 1;
    options.details.alternatives = kAsked;
    askedMark_ = markOf(options.prompt);
    const QPointer<TokenAlternatives> self(this); // the conversation may be gone before the engine answers
    parts_->answers->ask({.conversation = conversation_->source(row()->parent, {}),
                          .options = std::move(options),
                          .finished =
                              [self, number = question_](const GenerationOutcome& outcome) {
                                  if (self) self->onAnswered(number, outcome);
                              },
                          .wanted = [self, number = question_] { return self && number == self->question_; }});
}

void TokenAlternatives::onAnswered(quint64 question, const GenerationOutcome& outcome) {
    if (question != question_) return;
    question_ = 0;
    if (outcome.error || outcome.records.empty()) {
        setState(Unavailable, outcome.error
                                  ? tr("The alternatives can't be computed. %1.").arg(ErrorInfo(*outcome.error).why)
                                  : tr("The model writes nothing here: the context is full."));
        return;
    }
    setRows(outcome.records.front().alternatives);
    setState(Ready, computedText(outcome));
}

/// Says how exact the rows are. The engine computes the whole head whenever it is asked for alternatives, also if a
/// predictor chose the head's rows while the answer was written (engine::TokenDetails).
QString TokenAlternatives::computedText(const GenerationOutcome& outcome) const {
    const auto known = static_cast<int>(parts_->worker->vocabularySize());
    if (const QString& asked = row()->statistics.asked; !asked.isEmpty() && asked != askedMark_)
        return tr("Computed now from the scores of all %Ln token(s) that the model knows (its whole output head), with "
                  "the chat's system prompt and tools of now. They were others when the answer was written, so the "
                  "probabilities then were others too.",
                  nullptr, known);
    const double share = row()->statistics.headShare;
    const bool predicted = share > 0 && share < 1;
    if (outcome.statistics.exactness == engine::Exactness::Approximate)
        return tr("Computed now from the scores of all %Ln token(s) that the model knows (its whole output head). The "
                  "text before was read less exactly, so these probabilities are less exact too.",
                  nullptr, known);
    if (predicted)
        return tr("While the answer was written, only about %1 of the tokens that the model knows got a score (a part "
                  "of its output head). For this list all %Ln token(s) did, so the probabilities are exact.",
                  nullptr, known)
            .arg(shareText(share));
    return tr("Computed now from the scores of all %Ln token(s) that the model knows (its whole output head), so the "
              "probabilities are exact.",
              nullptr, known);
}

void TokenAlternatives::setRows(const std::vector<engine::TokenChance>& chances) {
    beginResetModel();
    rows_.clear();
    const engine::TokenId chosen = chances.empty() ? -1 : tokens_[static_cast<size_t>(token_)].id;
    for (const engine::TokenChance& chance : chances)
        rows_.push_back({.id = chance.id, .probability = chance.probability});
    const bool listed = std::any_of(rows_.begin(), rows_.end(), [=](const Row& row) { return row.id == chosen; });
    if (!chances.empty() && !listed) // the sampler drew one that is less likely than all of these
        rows_.push_back({.id = chosen, .probability = tokens_[static_cast<size_t>(token_)].probability.value_or(-1)});
    for (Row& row : rows_) {
        row.text = parts_->worker->tokenText(row.id);
        row.ends = parts_->worker->endsAnswer(row.id);
    }
    endResetModel();
}

void TokenAlternatives::setState(State state, const QString& text) {
    state_ = state;
    stateText_ = text;
    Q_EMIT changed();
}

int TokenAlternatives::chosenRow() const {
    if (token_ < 0 || token_ >= tokenCount()) return -1;
    const engine::TokenId chosen = tokens_[static_cast<size_t>(token_)].id;
    const auto found = std::find_if(rows_.begin(), rows_.end(), [=](const Row& row) { return row.id == chosen; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

QString TokenAlternatives::words() const {
    const MessageRow* answer = row();
    if (!answer || token_ < 0 || token_ >= tokenCount()) return {};
    const PartRange& range = ranges_[static_cast<size_t>(token_)];
    if (range.part >= static_cast<qsizetype>(answer->parts.size())) return {};
    const QString before = answer->parts[static_cast<size_t>(range.part)].text.left(range.begin).right(kWordsBefore);
    return before.simplified();
}

std::vector<engine::TokenId> TokenAlternatives::idsBefore(int token) const {
    std::vector<engine::TokenId> ids = prefix_;
    for (int i = 0; i < token; ++i) ids.push_back(tokens_[static_cast<size_t>(i)].id);
    return ids;
}

/// The parts of the answer up to this token, with the text of the chosen one.
std::vector<MessagePart> TokenAlternatives::partsBefore(int token, const QString& chosen) const {
    const PartRange& at = ranges_[static_cast<size_t>(token)];
    const auto last = static_cast<size_t>(at.part);
    std::vector<MessagePart> parts(row()->parts.begin(), row()->parts.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    parts.back().text = parts.back().text.left(at.begin) + chosen;
    if (parts.back().text.isEmpty()) parts.pop_back();
    return parts;
}

/// The options with which the engine reads the answer up to this token.
engine::GenerateOptions TokenAlternatives::optionsFor(int token) const {
    engine::GenerateOptions options = conversation_->options();
    options.prefix = idsBefore(token);
    const std::vector<MessagePart>& parts = row()->parts;
    const bool thought =
        std::any_of(parts.begin(), parts.end(), [](const MessagePart& part) { return part.kind == PartKind::Thought; });
    // The template must open the answer as it did before: whether it thinks depends on what it has written.
    if (!options.prompt.thinking) return options;
    options.prompt.thinking = thought;
    for (const bool thinking : {false, true}) { // if all else is as it was, the answer itself says which it was
        engine::PromptOptions prompt = options.prompt;
        prompt.thinking = thinking;
        if (markOf(prompt) == row()->statistics.asked) options.prompt = prompt;
    }
    return options;
}

QString TokenAlternatives::markOf(const engine::PromptOptions& prompt) const {
    return askedMark(conversation_->settings().systemPrompt(), prompt);
}

/// The branch's record begins with that of this answer, as far as they are the same, and the chosen token.
void TokenAlternatives::addRecord(Job& job, const Row& chosen) const {
    auto record = prefix_.empty() ? parts_->recordOf(*store_, message_) : std::nullopt;
    if (!record || record->tokens.size() != tokens_.size()) return;
    const auto token = static_cast<size_t>(token_);
    job.begun = std::move(*record);
    job.shared = token_;
    job.begun.tokens.resize(token + 1);
    engine::TokenRecord& last = job.begun.tokens.back();
    last.id = chosen.id;
    last.probability = chosen.probability < 0 ? std::nullopt : std::optional(chosen.probability);
    last.alternatives.clear();
    if (last.text.empty()) return;
    last.text.resize(1);
    last.text[0].end = last.text[0].begin + static_cast<size_t>(chosen.text.toUtf8().size());
}

void TokenAlternatives::choose(int index) {
    if (state_ != Ready || index < 0 || index >= count() || !row()) return;
    const Row chosen = rows_[static_cast<size_t>(index)];
    const MessageRow answer = *row();
    if (chosen.id == tokens_[static_cast<size_t>(token_)].id) return;
    const std::vector<MessagePart> parts = partsBefore(token_, chosen.ends ? QString() : chosen.text);
    if (chosen.ends) return endThere(answer, parts);
    Job job{.answer = answer, .systemPrompt = {}, .options = optionsFor(token_)};
    job.options.prefix.push_back(chosen.id);
    addRecord(job, chosen);
    const auto tokens = static_cast<qint64>(job.options.prefix.size());
    conversation_->actions()->beginCounted(tr("The answer was not begun"),
                                           {.from = RefusedPrompt::From::Branch,
                                            .id = answer.id,
                                            .last = answer.id,
                                            .begin = [this, parts, job] { branch(parts, job); }},
                                           conversation_->source(answer.parent, {}), tokens);
}

/// Adds a version of the answer that ends with these parts.
void TokenAlternatives::endThere(const MessageRow& answer, const std::vector<MessagePart>& parts) {
    if (conversation_->busy())
        return Q_EMIT failed(ErrorInfo(tr("The answer was not begun"),
                                       tr("Another answer of this chat is being written"),
                                       tr("Wait for it to end or stop it, then try again")));
    const qint64 before = conversation_->messages()->lastId();
    const auto added = store_->addVersion(answer.id, parts);
    if (!added) return Q_EMIT failed(ErrorInfo(added.error()));
    close();
    parts_->edits->addBranch(tr("Branch at a word"), answer.chat, before, added->id);
}

/// Adds an answer that begins with these parts, beside the one that the job has, and has it written as the job says.
void TokenAlternatives::branch(const std::vector<MessagePart>& parts, Job job) {
    const qint64 chat = job.answer.chat, before = conversation_->messages()->lastId();
    auto added = store_->addAnswer({.parent = job.answer.parent, .model = conversation_->model().name, .parts = parts});
    if (!added) return Q_EMIT failed(ErrorInfo(added.error()));
    close();
    parts_->edits->addBranch(tr("Branch at a word"), chat, before, added->id);
    job.answer = std::move(added).value();
    conversation_->begin(std::move(job));
    Q_EMIT begun();
}

QVariant TokenAlternatives::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case TextRole:
        return row.text;
    case ShareRole:
        return std::max(row.probability, 0.0);
    case ProbabilityRole:
        return row.probability < 0 ? QString() : probabilityText(row.probability);
    case ChosenRole:
        return row.id == tokens_[static_cast<size_t>(token_)].id;
    case EndsRole:
        return row.ends;
    default:
        return {};
    }
}

} // namespace coterie::app
