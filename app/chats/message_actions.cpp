// SPDX-License-Identifier: Apache-2.0
// See message_actions.h. The store is changed first, then the step is pushed and the path shown, then the answer
// begins.
#include "chats/message_actions.h"

#include "chats/chat_edits.h"
#include "chats/conversation.h"
#include "engine_link/answer_prefix.h"
#include "records/token_bytes.h"
#include "settings/presets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPointer>

#include <algorithm>
#include <iterator>
#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kTitleLength = 40; // characters of a message that name it
constexpr double kWarmest = 2;         // temperature; more gives no sense

bool isAnswer(const MessageRow& row) { return row.role == engine::Role::Assistant; }

std::vector<MessagePart> attachmentsOf(const MessageRow& row) {
    std::vector<MessagePart> files;
    std::copy_if(row.parts.begin(), row.parts.end(), std::back_inserter(files),
                 [](const MessagePart& part) { return part.kind == PartKind::Attachment; });
    return files;
}

/// Says why an answer that has no prefix can't be continued: see prefixOf().
QString whyNoPrefix(const MessageRow& answer, const QString& model) {
    const auto isTool = [](const MessagePart& part) {
        return part.kind == PartKind::ToolCall || part.kind == PartKind::ToolResult;
    };
    QString why = MessageActions::tr("It has a thought after a text, so its tokens are needed");
    if (std::any_of(answer.parts.begin(), answer.parts.end(), isTool))
        why = MessageActions::tr("It uses tools, so its tokens are needed");
    else if (answer.parts.back().kind == PartKind::Thought)
        why = MessageActions::tr("It ends in a thought, so its tokens are needed");
    const bool another = !answer.model.isEmpty() && answer.model != model;
    const QString words = another ? MessageActions::tr("%1, and another model wrote them")
                                  : MessageActions::tr("%1, and not all of them were kept");
    return words.arg(why);
}

} // namespace

MessageActions::MessageActions(Conversation* conversation, const ConversationParts* parts, QObject* parent)
    : QObject(parent), conversation_(conversation), parts_(parts) {
    connect(parts_->worker, &EngineWorker::counted, this, &MessageActions::onCounted);
    if (parts_->undo) connect(parts_->undo, &UndoStack::changed, this, &MessageActions::forgetRemoved);
    connect(conversation_, &Conversation::stateChanged, this, &MessageActions::changed);
    connect(conversation_->messages(), &MessageModel::pathChanging, this, &MessageActions::dropFrom);
    connect(conversation_->messages(), &MessageModel::pathChanged, this, &MessageActions::changed);
    connect(conversation_->messages(), &MessageModel::countChanged, this, &MessageActions::changed);
    connect(conversation_, &Conversation::chatChanged, this, [this] {
        setFocused(0);
        forgetRemoved();
        readEdits();
    });
}

void MessageActions::setFocused(qint64 message) {
    if (message == focused_) return;
    focused_ = message;
    Q_EMIT focusedChanged();
    Q_EMIT changed();
}

QVariantList MessageActions::edited() const {
    QVariantList ids;
    for (auto edit = edits_.keyBegin(); edit != edits_.keyEnd(); ++edit) ids.append(*edit);
    return ids;
}

const MessageRow* MessageActions::find(qint64 message) const { return conversation_->messages()->find(message); }

qint64 MessageActions::target() const { return find(focused_) ? focused_ : conversation_->messages()->lastId(); }

qint64 MessageActions::editTarget() const {
    if (find(focused_)) return focused_;
    // People correct their question and ask again; an answer is rarely rewritten.
    const std::vector<MessageRow>& rows = conversation_->messages()->rows();
    const auto prompt =
        std::find_if(rows.rbegin(), rows.rend(), [](const MessageRow& row) { return row.role == engine::Role::User; });
    return prompt == rows.rend() ? target() : prompt->id;
}

bool MessageActions::canContinue(qint64 message) const {
    const MessageRow* row = find(message);
    return row && isAnswer(*row) && row->state != MessageState::Streaming &&
           message == conversation_->messages()->lastId();
}

bool MessageActions::canShow(qint64 message, int step) const {
    const Siblings siblings = conversation_->messages()->siblings(message);
    const qsizetype wanted = siblings.index + step;
    return siblings.index >= 0 && wanted >= 0 && wanted < static_cast<qsizetype>(siblings.ids.size());
}

bool MessageActions::hasTokens(qint64 message) const {
    const MessageRow* row = find(message);
    return row && isAnswer(*row);
}

void MessageActions::toggleTint(qint64 message) {
    TokenAlternatives& tokens = *conversation_->alternatives();
    tokens.setTinted(tokens.tinted() == message ? 0 : message);
}

/// Says why no answer can be begun now. `what` is the first sentence. Returns false if one can.
bool MessageActions::refuses(const QString& what) {
    ErrorInfo refusal;
    if (!store_)
        refusal = ErrorInfo(what, tr("The file of chats is not open"), tr("Start Coterie again"));
    else if (conversation_->busy())
        refusal = ErrorInfo(what, tr("Another answer of this chat is still being written"),
                            tr("Wait for it to end or stop it, then try again"));
    else if (conversation_->model().opening)
        refusal = ErrorInfo(what, tr("The model is still being opened"), tr("Wait a moment and try again"));
    else if (!conversation_->model().ready)
        refusal = ErrorInfo(what, tr("No model is open"), tr("Open a model and try again"));
    if (refusal.valid()) Q_EMIT failed(refusal);
    return refusal.valid();
}

void MessageActions::copy(const QString& text) {
    if (qobject_cast<QGuiApplication*>(QCoreApplication::instance())) QGuiApplication::clipboard()->setText(text);
}

void MessageActions::copyMarkdown(qint64 message) {
    if (const MessageRow* row = find(message)) copy(row->text());
}

void MessageActions::copyPlain(qint64 message) {
    if (const TextDocument* document = conversation_->messages()->document(message)) copy(document->text());
}

// Editing

void MessageActions::beginEdit(qint64 message) {
    const MessageRow* row = find(message);
    if (!row || row->role == engine::Role::Tool) return; // the model reads what the tool has found
    if (row->state == MessageState::Streaming) return;
    if (edits_.contains(message)) return Q_EMIT placeWanted(message);
    putEdit(message, row->text());
}

/// Has the message edited from now on, with this text in its field.
void MessageActions::putEdit(qint64 message, const QString& text) {
    edits_.insert(message, {});
    setEditText(message, text);
    Q_EMIT editedChanged();
    Q_EMIT placeWanted(message);
}

void MessageActions::setEditText(qint64 message, const QString& text) {
    if (!edits_.contains(message)) return;
    if (edits_.value(message) != text) takeBack(message);
    edits_.insert(message, text);
    if (isTemporary(message)) return; // nothing of it is written to the disk
    unstored_.insert(message);
    Q_EMIT typed();
}

void MessageActions::endEdit(qint64 message) {
    if (!edits_.remove(message)) return;
    takeBack(message);
    if (!isTemporary(message)) storeEdit(message, std::nullopt);
    Q_EMIT editedChanged();
}

/// A text that can't be stored stays in memory, and is tried again with the next one. The store of temporary chats
/// knows none of these messages.
void MessageActions::storeEdit(qint64 message, const std::optional<QString>& text) {
    if (!store_ || conversation_->temporary() || store_->readOnly()) return;
    const engine::Status kept = store_->setEdit(message, text);
    const bool gone = !kept && kept.error().kind == engine::ErrorKind::NotFound; // its message was erased
    if (kept || gone || !text) unstored_.remove(message);
    if (!kept && !gone) Q_EMIT failed(ErrorInfo(kept.error()));
}

void MessageActions::storeEdits() {
    for (const qint64 message : QSet<qint64>(unstored_)) storeEdit(message, edits_.value(message));
}

/// Takes up the edits of the chat that is shown now, and lets go those of other chats that the store has: another
/// conversation may show such a chat next.
void MessageActions::readEdits() {
    edits_.removeIf([this](QHash<qint64, QString>::iterator edit) {
        return !isTemporary(edit.key()) && !unstored_.contains(edit.key());
    });
    const qint64 chat = conversation_->chatId();
    if (store_ && chat != 0 && !isTemporary(chat)) {
        const auto stored = store_->edits(chat);
        if (!stored) return Q_EMIT failed(ErrorInfo(stored.error()));
        for (auto edit = stored->begin(); edit != stored->end(); ++edit)
            if (!edits_.contains(edit.key())) edits_.insert(edit.key(), edit.value());
    }
    Q_EMIT editedChanged();
}

void MessageActions::leaveEdit(qint64 message) {
    if (!edits_.contains(message)) return;
    const QString text = edits_.value(message);
    const MessageRow* row = find(message);
    endEdit(message);
    if (row && row->text() == text) return;    // nothing was typed
    const QPointer<MessageActions> self(this); // the stack may outlive this conversation
    const auto begin = [self, message, text]() -> engine::Status {
        if (!self)
            return engine::Error{engine::ErrorKind::NotFound, "The edit was not taken up again",
                                 "Its conversation was closed", "Edit the message again"};
        self->putEdit(message, text);
        return {};
    };
    const auto end = [self, message]() -> engine::Status {
        if (self) self->endEdit(message);
        return {};
    };
    parts_->undo->push({.title = tr("Leave the edit"), .undo = begin, .redo = end, .chat = conversation_->chatId()});
}

void MessageActions::keepEdit(qint64 message) {
    const MessageRow* row = find(message);
    if (!row || !edits_.contains(message)) return;
    const QString text = edits_.value(message);
    if (text.trimmed().isEmpty()) return;
    if (!isAnswer(*row))
        sendEdit(*row, text);
    else if (text == row->text())
        endEdit(message);
    else
        keepVersion(*row, text);
}

/// Does the step once its conversation is known to have room: what has none must not be stored.
void MessageActions::countFirst(Counted step, ConversationSource conversation) {
    const std::optional<AskedOnce>& once = step.prompt.once;
    step.count = parts_->worker->count(std::move(conversation), once ? once->options : conversation_->options());
    counted_ = std::move(step);
}

void MessageActions::beginCounted(const QString& refused, RefusedPrompt prompt, ConversationSource conversation,
                                  qint64 more) {
    if (counted_ || refuses(refused)) return;
    if (conversation_->surelyFits({}, {})) return prompt.begin();
    countFirst({.refused = refused, .prompt = std::move(prompt), .more = more}, std::move(conversation));
}

void MessageActions::onCounted(quint64 count, qint64 tokens) {
    if (!counted_ || counted_->count != count) return;
    Counted step = *std::exchange(counted_, std::nullopt);
    if (!find(step.prompt.id) || refuses(step.refused)) return step.drop(); // an edited text stays
    ContextView& context = *conversation_->context();
    step.prompt.tokens = tokens + step.more;
    if (conversation_->contextSize() > 0 && tokens >= 0 && context.tooMany(step.prompt.tokens) > 0)
        context.refuse(std::move(step.prompt));
    else
        step.prompt.begin();
}

/// The messages from this row on will be others, or have other words: a step that was meant for the old ones is not
/// done.
void MessageActions::dropFrom(int first) {
    if (!counted_ || conversation_->messages()->rowOf(counted_->prompt.id) < first) return;
    std::exchange(counted_, std::nullopt)->drop();
}

/// An edited prompt that is being counted is not sent: what was counted is not in its field any more.
void MessageActions::takeBack(qint64 message) {
    const bool edited = counted_ && counted_->prompt.from == RefusedPrompt::From::Edit;
    if (edited && counted_->prompt.id == message) counted_.reset();
}

void MessageActions::sendEdit(const MessageRow& prompt, const QString& text) {
    const QString refused = tr("The message was not sent");
    if (counted_ || refuses(refused)) return;
    const auto begin = [this, id = prompt.id, text] {
        if (const MessageRow* row = find(id)) addTurn(MessageRow(*row), text);
    };
    const std::vector<MessagePart> files = attachmentsOf(prompt);
    countFirst({.refused = refused,
                .prompt = {.from = RefusedPrompt::From::Edit,
                           .id = prompt.id,
                           .last = prompt.parent,
                           .text = text,
                           .files = files,
                           .begin = begin}},
               conversation_->source(prompt.parent, text, files));
}

void MessageActions::addTurn(const MessageRow& prompt, const QString& text) {
    NewTurn turn{.chat = prompt.chat,
                 .title = {},
                 .prompt = conversation_->sentText(text),
                 .model = conversation_->model().name,
                 .parent = prompt.parent};
    for (size_t i = 0; i < prompt.parts.size(); ++i)
        if (prompt.parts[i].kind == PartKind::Attachment)
            turn.sameFiles.push_back({.message = prompt.id, .part = static_cast<qsizetype>(i)});
    const qint64 before = conversation_->messages()->lastId();
    const auto stored = store_->addTurn(turn);
    if (!stored) return Q_EMIT failed(ErrorInfo(stored.error()));
    // The field has the focus until the new message has its place, and then gives it to that one.
    parts_->edits->addBranch(tr("Edit the message"), prompt.chat, before, stored->answer.id);
    endEdit(prompt.id);
    conversation_->begin(beginJob(stored->answer));
    Q_EMIT begun();
}

void MessageActions::keepVersion(const MessageRow& answer, const QString& text) {
    if (conversation_->busy()) {
        Q_EMIT failed(ErrorInfo(tr("The answer was not changed"), tr("Another answer of this chat is being written"),
                                tr("Wait for it to end or stop it, then try again")));
        return;
    }
    const qint64 chat = answer.chat, message = answer.id, before = conversation_->messages()->lastId();
    const auto version = store_->addVersion(message, withText(answer.parts, text));
    if (!version) return Q_EMIT failed(ErrorInfo(version.error()));
    parts_->edits->addBranch(tr("Edit the answer"), chat, before, version->id);
    endEdit(message); // as in addTurn()
}

// Answers

Job MessageActions::beginJob(const MessageRow& answer) const {
    return {.answer = answer, .systemPrompt = {}, .options = conversation_->options()};
}

void MessageActions::regenerate(qint64 message) { answerAgain(message, conversation_->settings(), 0, {}); }

void MessageActions::regenerateWarmer(qint64 message, double degrees) {
    answerAgain(message, conversation_->settings(), degrees, {});
}

void MessageActions::regenerateAs(qint64 message, const QString& preset) {
    const ChatSettings& own = conversation_->settings();
    QJsonObject values = own.layer(ChatSettings::Chat);
    const QJsonObject wanted = parts_->presets->values(preset);
    for (auto value = wanted.begin(); value != wanted.end(); ++value) values.insert(value.key(), value.value());
    ChatSettings once(parts_->settings, parts_->presets);
    once.setLayer(ChatSettings::Model, own.layer(ChatSettings::Model));
    once.setLayer(ChatSettings::Chat, values);
    answerAgain(message, once, 0, {});
}

/// warmer: the temperature is higher by this. models: the one that was opened for it, if any. Returns false if there
/// will be no answer.
bool MessageActions::answerAgain(qint64 message, const ChatSettings& settings, double warmer,
                                 const ModelChange& models) {
    const QString refused = tr("The answer was not begun");
    const MessageRow* row = find(message);
    if (!row || counted_ || refuses(refused)) return false;
    const qint64 prompt = isAnswer(*row) ? row->parent : row->id;
    Job job{.answer = {},
            .systemPrompt = settings.systemPrompt(),
            .options = settings.options(conversation_->model().canThink)};
    float& temperature = job.options.sampling.temperature;
    temperature = static_cast<float>(std::clamp(temperature + warmer, 0.0, kWarmest));
    job.answer.chat = row->chat;
    // A system prompt of a preset may come in place of the chat's.
    if (conversation_->surelyFits(job.systemPrompt, {})) return writeAgain(prompt, std::move(job), models);
    const MessageRow* asked = find(prompt);
    RefusedPrompt again{.from = RefusedPrompt::From::Again,
                        .id = message,
                        .last = prompt,
                        .text = asked ? asked->text() : QString(),
                        .files = asked ? attachmentsOf(*asked) : std::vector<MessagePart>(),
                        .once = AskedOnce{.systemPrompt = job.systemPrompt, .options = job.options},
                        .begin = [this, prompt, job, models] {
                            if (!writeAgain(prompt, job, models)) dropChange(models);
                        }};
    if (!models.before.isEmpty()) again.dropped = [this, models] { dropChange(models); };
    countFirst({.refused = refused, .prompt = std::move(again)},
               conversation_->sourceWith(job.systemPrompt, prompt, {}));
    return true;
}

/// Adds an answer to the prompt and has it written as the job says. Returns false if the store refused it.
bool MessageActions::writeAgain(qint64 prompt, Job job, const ModelChange& models) {
    const qint64 chat = job.answer.chat, before = conversation_->messages()->lastId();
    auto answer = store_->addAnswer({.parent = prompt, .model = conversation_->model().name});
    if (!answer) {
        Q_EMIT failed(ErrorInfo(answer.error()));
        return false;
    }
    parts_->edits->addBranch(tr("Regenerate the answer"), chat, before, answer->id, models);
    const QString systemPrompt = job.systemPrompt;
    job.answer = std::move(answer).value();
    conversation_->begin(std::move(job), systemPrompt);
    Q_EMIT begun();
    return true;
}

/// Opens the model again that was open before, because no answer was begun. That is done later: the other one may only
/// just be announced.
void MessageActions::dropChange(const ModelChange& models) {
    QMetaObject::invokeMethod(
        this, [this, models] { parts_->edits->dropChange(models); }, Qt::QueuedConnection);
}

void MessageActions::regenerateWith(qint64 message, const QString& modelPath) {
    if (!find(message)) return;
    if (parts_->answers->busy()) { // opening a model would end it
        Q_EMIT failed(ErrorInfo(tr("The other model was not opened"), tr("An answer is still being written"),
                                tr("Wait for it to end or stop it, then try again")));
        return;
    }
    waiting_ = message;
    wantedModel_ = modelPath;
    modelBefore_ = conversation_->model().ready ? conversation_->model().path : QString();
    Q_EMIT modelWanted(modelPath);
    if (!conversation_->model().opening) waiting_ = 0; // its file is not there
}

void MessageActions::modelOpened(bool ready, const QString& path, const ErrorInfo& why) {
    const qint64 message = std::exchange(waiting_, 0);
    if (message == 0) return;
    const bool wanted = path == wantedModel_, cancelled = path.isEmpty();
    if (!wanted && !cancelled) return; // the model before has stayed, or a person has opened another one
    const ModelChange models{.before = modelBefore_, .after = path};
    if (ready && answerAgain(message, conversation_->settings(), 0, models)) return;
    if (!ready && why.valid()) Q_EMIT failed(why); // the model that is opened again hides it
    dropChange(models);
}

/// Adds the tokens, or the text, with which the job's answer continues. Returns false if that is not possible.
bool MessageActions::addPrefix(Job& job) {
    const MessageRow& answer = job.answer;
    const std::vector<engine::TokenRecord> tokens = parts_->tokensOf(*store_, answer.id);
    const auto prefix = prefixOf(answer, parts_->answers->written(answer.id), tokens, conversation_->model().name);
    if (!prefix) {
        Q_EMIT failed(ErrorInfo(tr("The answer can't be continued"), whyNoPrefix(answer, conversation_->model().name),
                                tr("Regenerate it instead")));
        return false;
    }
    job.options.prefix = prefix->tokens;
    const size_t known = prefix->tokens.size();
    const bool recorded =
        known > 0 && known <= tokens.size() &&
        std::equal(prefix->tokens.begin(), prefix->tokens.end(), tokens.begin(),
                   [](engine::TokenId id, const engine::TokenRecord& token) { return id == token.id; });
    if (recorded) {
        job.begun = parts_->recordOf(*store_, answer.id).value_or(AnswerRecord{});
        job.begun.tokens.resize(std::min(known, job.begun.tokens.size()));
        job.shared = static_cast<qsizetype>(known);
    }
    job.prefixText = prefix->text;
    job.kept = prefix->kept;
    if (!prefix->text.isEmpty())
        job.notes.append(tr("Its text so far was made into tokens again, because the original ones are not known."));
    const bool thought = std::any_of(answer.parts.begin() + prefix->kept, answer.parts.end(),
                                     [](const MessagePart& part) { return part.kind == PartKind::Thought; });
    // The template must open the answer as it did before: whether it thinks depends on what it has written.
    if (job.options.prompt.thinking && !answer.parts.empty()) job.options.prompt.thinking = thought;
    return true;
}

void MessageActions::continueAnswer(qint64 message) {
    const QString refused = tr("The answer was not continued");
    if (!canContinue(message) || counted_ || refuses(refused)) return;
    const MessageRow* unsaved = parts_->answers->newest(message);
    auto stored = unsaved ? engine::Result<MessageRow>(*unsaved) : store_->message(message);
    if (!stored) return Q_EMIT failed(ErrorInfo(stored.error()));
    const MessageRow before = std::move(stored).value();
    Job job = beginJob(before);
    if (!addPrefix(job)) return;
    if (conversation_->surelyFits({}, {})) return resume(before, std::move(job));
    // The tokens of a prefix are added to those of the prompt. If they are not known, the answer is counted as a
    // message.
    const bool known = job.prefixText.isEmpty() && job.kept == 0;
    countFirst({.refused = refused,
                .prompt = {.from = RefusedPrompt::From::Continue,
                           .id = message,
                           .last = message,
                           .begin = [this, before, job] { resume(before, job); }},
                .more = known ? static_cast<qint64>(job.options.prefix.size()) : 0},
               conversation_->source(known ? before.parent : before.id, {}));
}

/// Has the answer, which is the last message, continued as the job says.
void MessageActions::resume(const MessageRow& before, Job job) {
    if (!canContinue(before.id)) return;
    const engine::Status resumed = parts_->edits->resume(before);
    if (!resumed) return Q_EMIT failed(ErrorInfo(resumed.error()));
    job.answer.state = MessageState::Streaming;
    job.answer.error = {};
    conversation_->messages()->resume();
    conversation_->begin(std::move(job));
    Q_EMIT begun();
}

// The tree

void MessageActions::showVersion(qint64 message, int step) {
    if (!canShow(message, step)) return;
    const Siblings siblings = conversation_->messages()->siblings(message);
    const qint64 wanted = siblings.ids[static_cast<size_t>(siblings.index + step)];
    const engine::Status shown = parts_->edits->show(conversation_->chatId(), wanted);
    if (!shown) return Q_EMIT failed(ErrorInfo(shown.error()));
    if (focused_ == message) setFocused(wanted);
}

void MessageActions::remove(qint64 message) {
    const MessageRow* row = find(message);
    if (!row) return;
    const QString words = row->text().simplified();
    const engine::Status removed = parts_->edits->remove(row->chat, message);
    if (!removed) return Q_EMIT failed(ErrorInfo(removed.error()));
    removedTitle_ = words.size() <= kTitleLength ? words : words.left(kTitleLength).trimmed() + QChar(0x2026);
    if (removedTitle_.isEmpty()) removedTitle_ = tr("an empty message");
    Q_EMIT removedChanged();
}

void MessageActions::forgetRemoved() {
    if (removedTitle_.isEmpty()) return;
    removedTitle_.clear();
    Q_EMIT removedChanged();
}

void MessageActions::fork(qint64 message) {
    const MessageRow* row = find(message);
    if (!row) return;
    const auto made = parts_->edits->fork(row->chat, message, tr("Fork of %1").arg(conversation_->title()));
    if (!made) return Q_EMIT failed(ErrorInfo(made.error()));
    conversation_->openChat(*made);
}

} // namespace coterie::app
