// SPDX-License-Identifier: Apache-2.0
// The order matters: the folder's lock comes before the database, the worker before the objects that use it, and the
// store after all of them.
#include "shell/app.h"

#include "shell/exchange_commands.h"
#include "shell/message_commands.h"
#include "shell/window_commands.h"

#include <QDir>
#include <QFileOpenEvent>
#include <QSet>

namespace coterie::app {
namespace {

QString settingsPath(const AppOptions& options) {
    return QDir(options.dataFolder).filePath(QStringLiteral("settings.json"));
}

/// Locks the folder if possible. Returns false if another program has locked it.
bool lockFolder(const QString& folder, std::unique_ptr<QLockFile>& lock) {
    QDir().mkpath(folder);
    lock = std::make_unique<QLockFile>(QDir(folder).filePath(QStringLiteral("lock")));
    lock->setStaleLockTime(0);
    // A folder that can't be written gives another error, which the store reports itself.
    return lock->tryLock() || lock->error() != QLockFile::LockFailedError;
}

} // namespace

App::App(const AppOptions& options, QObject* parent)
    : QObject(parent), options_(options), alone_(lockFolder(options.dataFolder, lock_)),
      settings_(alone_ ? settingsPath(options) : QString()), presets_(&settings_),
      worker_(options.factory, options.inspect), answers_(&worker_, &history_), edits_(&answers_, &undo_),
      titles_(&answers_, &history_, &settings_), tools_(&answers_, &settings_),
      queue_(
          &answers_, [this](const WaitingPrompt& prompt) { return sendWaiting(prompt); },
          [this](qint64 chat, const PromptQueue::TextChange& change) { return panes_.changeDraft(chat, change); }),
      panes_({.worker = &worker_,
              .answers = &answers_,
              .history = &history_,
              .settings = &settings_,
              .presets = &presets_,
              .queue = &queue_,
              .undo = &undo_,
              .edits = &edits_,
              .records = &records_,
              .tools = &tools_}),
      models_(&worker_, &settings_), memory_(&worker_), experts_(&worker_),
      forecast_(options.inspect, &worker_, &models_), packedFile_(options.packedFiles, &models_),
      devices_(options.devices), inspector_({.worker = &worker_,
                                             .answers = &answers_,
                                             .panes = &panes_,
                                             .keeper = &records_,
                                             .models = &models_,
                                             .settings = &settings_}) {
    connectParts();
    connectChats();
    connectPanes();
    connectBin();
    connectExchange();
    connectEdits();
    connectRecords();
    connectTools();
    addWindowCommands(commands_, *this);
    addUndoCommands(commands_, undo_);
    addExchangeCommands(commands_, panes_, exchange_);
    addMessageCommands(commands_, panes_, pages_);
    models_.setOverrides(options_.memory, options_.threads);
    models_.setGuide(options_.guide);
    models_.setDevices(devices_.factory());
    models_.setFolders(options_.dataFolder, options_.packedFolder);
    openStore();
    // The process may be killed, so they are kept at once and not only at the end.
    connect(&panes_, &Panes::chatsChanged, this, &App::keepChats);
    if (alone_) listen();
}

App::~App() {
    keepChats();
    answers_.saveForExit();
}

QString App::origin() const {
    const QString package = options_.package == u"deb"      ? tr("Debian package")
                            : options_.package == u"source" ? tr("Built from source")
                                                            : tr("Package: %1").arg(options_.package);
    return options_.commit.isEmpty() ? package : tr("%1, commit %2").arg(package, options_.commit);
}

void App::openStore() {
    if (!alone_) {
        setError(ErrorInfo(tr("Coterie is already running"),
                           tr("Another window of Coterie is using this folder of chats"),
                           tr("Use that window, or close it and start again")));
        panes_.setStore(nullptr, error_);
        return;
    }
    auto opened = ChatStore::open({.folder = options_.dataFolder, .migrations = {}});
    if (!opened) {
        setError(ErrorInfo(opened.error()));
        panes_.setStore(nullptr, error_);
        return;
    }
    store_ = std::move(opened).value();
    if (store_->notice()) setError(ErrorInfo(*store_->notice()));
    if (!store_->readOnly()) {
        const auto purged = store_->purge(QDateTime::currentDateTime().addDays(-kBinDays));
        if (!purged) setError(ErrorInfo(purged.error()));
    }
    auto reader = store_->openReader();
    if (reader) {
        history_.setReader(std::move(reader).value());
    } else {
        setError(ErrorInfo(reader.error()));
    }
    answers_.setStore(store_.get());
    titles_.setStore(store_.get());
    queue_.setUndo(&undo_);
    queue_.setStore(store_.get());
    edits_.setStore(store_.get());
    auto recordReader = store_->openReader();
    records_.setStore(store_.get(), recordReader ? std::move(recordReader).value() : nullptr);
    auto toolReader = store_->openReader();
    if (!toolReader) setError(ErrorInfo(toolReader.error()));
    tools_.setStore(store_.get(), toolReader ? std::move(toolReader).value() : nullptr);
    openTemporaryStore();
    panes_.setStore(store_.get(), {});
    openLastChats();
    chats_.setStore(store_.get());
    search_.setStore(store_.get());
    bin_.setStore(store_.get());
    exchange_.setStore(store_.get());
}

/// Shows the chats that were in view at the end of the last run.
void App::openLastChats() {
    const auto known = [this](double chat) { // 0: it is gone, so that a new chat stands in its place
        const auto id = static_cast<qint64>(chat);
        return store_->chat(id) ? id : 0;
    };
    const qint64 last = known(settings_.lastChat()), beside = known(settings_.besideChat());
    const bool both = beside != 0 && beside != last;
    const auto open = [this](qint64 chat) {
        if (chat != 0) panes_.open(chat);
    };
    if (!both) return open(last);
    open(settings_.besideLeft() ? beside : last);
    panes_.openBeside(settings_.besideLeft() ? last : beside);
    panes_.activate(panes_.showing(last));
}

/// Keeps which chats are in view, for openLastChats(). A temporary chat is gone then.
void App::keepChats() {
    const Conversation *const active = panes_.active(), *const other = panes_.other();
    const auto chatOf = [](const Conversation* conversation) { return static_cast<double>(conversation->chatId()); };
    const bool both = other && !active->temporary() && !other->temporary();
    if (!active->temporary())
        settings_.lastChat = chatOf(active);
    else if (other)
        settings_.lastChat = chatOf(other);
    settings_.besideChat = both ? chatOf(other) : 0;
    settings_.besideLeft = both && panes_.left() == other;
}

void App::openTemporaryStore() {
    auto opened = ChatStore::openTemporary();
    if (!opened) return setError(ErrorInfo(opened.error()));
    auto reader = (*opened)->openReader();
    if (!reader) return setError(ErrorInfo(reader.error()));
    temporary_ = std::move(opened).value();
    history_.setTemporaryReader(std::move(reader).value());
    answers_.setTemporaryStore(temporary_.get());
    queue_.setTemporaryStore(temporary_.get());
    panes_.setTemporaryStore(temporary_.get());
    edits_.setTemporaryStore(temporary_.get());
    auto recordReader = temporary_->openReader();
    records_.setTemporaryStore(temporary_.get(), recordReader ? std::move(recordReader).value() : nullptr);
    auto toolReader = temporary_->openReader();
    if (!toolReader) setError(ErrorInfo(toolReader.error()));
    tools_.setTemporaryStore(temporary_.get(), toolReader ? std::move(toolReader).value() : nullptr);
}

void App::connectParts() {
    connect(&settings_, &Settings::failed, this, &App::setError);
    connect(&undo_, &UndoStack::failed, this, &App::setError);
    connect(&queue_, &PromptQueue::failed, this, &App::setError);
    connect(&answers_, &AnswerQueue::failed, &models_, &ModelController::checkAfterFailure);
    connect(&models_, &ModelController::modelChanged, this, &App::reportModel);
    connect(&models_, &ModelController::done, &undo_, &UndoStack::push);
    connect(this, &App::errorChanged, this, &App::cardsChanged);
    connect(&models_, &ModelController::errorChanged, this, &App::cardsChanged);
    connect(&exchange_, &ChatExchange::changed, this, &App::cardsChanged);
    connect(&settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("modelSettings")) reportModel();
    });
}

/// The list of chats follows the queue of answers.
void App::connectChats() {
    connect(&chats_, &ChatListModel::failed, this, &App::setError);
    connect(&search_, &ChatSearchModel::failed, this, &App::setError);
    connect(&chats_, &ChatListModel::removed, &answers_, &AnswerQueue::stopChat);
    connect(&chats_, &ChatListModel::removed, &search_, &ChatSearchModel::forget);
    connect(&chats_, &ChatListModel::restored, &search_, &ChatSearchModel::refresh);
    connect(&chats_, &ChatListModel::renamed, &search_, &ChatSearchModel::refresh);
    connect(&chats_, &ChatListModel::done, &undo_, &UndoStack::push);
    connect(&undo_, &UndoStack::changed, &chats_, &ChatListModel::forgetUndo);
    connect(&chats_, &ChatListModel::removed, &news_, &AnswerNews::forget);
    connect(&answers_, &AnswerQueue::progressed, &chats_,
            [this](qint64 chat) { chats_.setAnswering(chat, answers_.progress(chat).has_value()); });
    connect(&answers_, &AnswerQueue::ended, &chats_, [this](const MessageRow& answer) {
        if (panes_.showing(answer.chat)) return;
        chats_.setUnread(answer.chat, true);
        if (answer.stoppedByUser()) return;
        // Later: the tools that it calls are not known yet.
        const auto report = [this, chat = answer.chat, whole = answer.state == MessageState::Complete] {
            reportEnd(chat, !whole);
        };
        QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
    });
    connect(&settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("chatOrder")) chats_.setSort(settings_.chatOrder());
        if (key == QStringLiteral("autoTitles")) reportModel();
    });
    chats_.setSort(settings_.chatOrder());
    connect(&titles_, &AutoTitles::titled, this, &App::onTitled);
}

/// Tells the end of an answer that nobody looks at, unless the model goes on.
void App::reportEnd(qint64 chat, bool failed) {
    if (panes_.showing(chat) || tools_.has(chat) || answers_.progress(chat)) return;
    if (const auto row = store_->chat(chat)) news_.report(chat, row->title, failed); // else it was deleted
}

/// Whoever shows a chat learns its new title.
void App::onTitled(qint64 chat, const QString& title) {
    chats_.refresh(chat);
    panes_.applyRename(chat, title);
}

void App::connectPanes() {
    connect(&chats_, &ChatListModel::renamed, &panes_, &Panes::applyRename);
    connect(&chats_, &ChatListModel::removed, &panes_, &Panes::applyRemoval);
    connect(&chats_, &ChatListModel::restored, &panes_, &Panes::applyReturn);
    connect(&panes_, &Panes::chatStored, &chats_, &ChatListModel::refresh);
    connect(&panes_, &Panes::chatsChanged, this, &App::followPanes);
    connect(&panes_, &Panes::messagesChanged, this, &App::followMessages);
    connect(&panes_, &Panes::activeChanged, this, &App::conversationChanged);
    connect(&panes_, &Panes::failed, this, &App::setError);
    connect(&panes_, &Panes::chatWanted, this, &App::showStep);
    followPanes();
}

/// Shows the chat in which a step was undone or repeated; 0: a new one. A page stays, and its bar says what was done.
void App::showStep(qint64 chat) {
    if (pages_.current() != Pages::Chat) return;
    if (chat == 0)
        panes_.newChat();
    else if (Conversation* const shows = panes_.showing(chat))
        panes_.activate(shows);
    else
        panes_.open(chat);
}

/// The list marks the active chat, and what is in view is no news.
void App::followPanes() {
    const qint64 chat = panes_.active()->chatId();
    const Conversation* const other = panes_.other();
    chats_.setCurrentChatId(chat);
    for (const qint64 shown : {chat, other ? other->chatId() : 0}) {
        chats_.setUnread(shown, false);
        news_.forget(shown);
    }
    followMessages();
}

/// A tool asks below the answer that called it.
void App::followMessages() {
    const Conversation* const other = panes_.other();
    tools_.setShown(panes_.active()->leaf(), other ? other->leaf() : 0);
}

/// The list of chats and the bin show the two halves of the same chats.
void App::connectBin() {
    connect(&bin_, &BinModel::failed, this, &App::setError);
    connect(&chats_, &ChatListModel::removed, &bin_, &BinModel::refresh);
    connect(&chats_, &ChatListModel::restored, &bin_, &BinModel::refresh);
    connect(&bin_, &BinModel::erased, &chats_, &ChatListModel::forgetUndo);
    connect(&bin_, &BinModel::erased, this, &App::forgetErased);
    connect(&bin_, &BinModel::restored, this, [this](qint64 chat, qint64 message, qint64 before) {
        search_.refresh();
        if (message == 0) return chats_.addArrived(tr("Restore the chat"), {chat});
        chats_.refresh(chat);
        edits_.addRestored(chat, message, before);
    });
}

/// Steps of chats that exist no more, neither in the list nor in the bin, are no steps.
void App::forgetErased() {
    QSet<qint64> left;
    for (const auto& read : {store_->chats(), store_->removedChats()}) {
        if (!read) return setError(ErrorInfo(read.error()));
        for (const ChatRow& chat : *read) left.insert(chat.id);
    }
    undo_.dropChats([&left](qint64 chat) { return !isTemporary(chat) && !left.contains(chat); });
    undo_.dropIdle(); // or a message was erased
}

/// An import adds chats to both lists, and traces to the records.
void App::connectExchange() {
    exchange_.setPresets(&presets_);
    connect(&exchange_, &ChatExchange::imported, &bin_, &BinModel::refresh);
    connect(&exchange_, &ChatExchange::imported, &records_, &RecordKeeper::recount);
    connect(&exchange_, &ChatExchange::imported, this, [this](const QList<qint64>& chats) {
        chats_.addImported(tr("Import %Ln chat(s)", nullptr, static_cast<int>(chats.size())), chats);
        undo_.dropIdle(); // folders and presets that were deleted may be here again
    });
}

/// Changes of messages reach the chats in view, and an answer may wait for another model.
void App::connectEdits() {
    connect(&edits_, &ChatEdits::chatStored, &chats_, &ChatListModel::refresh);
    connect(&edits_, &ChatEdits::chatRemoved, &chats_, &ChatListModel::refresh);
    connect(&edits_, &ChatEdits::chatRemoved, &chats_, &ChatListModel::removed);
    connect(&edits_, &ChatEdits::pathChanged, &bin_, &BinModel::refresh);
    connect(&edits_, &ChatEdits::chatWanted, this, &App::showStep);
    connect(&edits_, &ChatEdits::modelWanted, this, [this](const QString& instead, const QString& path) {
        if (models_.path() == instead) models_.open(path); // else a person has chosen another one since
    });
    for (MessageActions* actions : {panes_.first()->actions(), panes_.second()->actions()})
        connect(actions, &MessageActions::modelWanted, &models_, &ModelController::open);
    connect(&models_, &ModelController::stateChanged, this, [this] {
        if (models_.state() == ModelController::Opening) return;
        reportModel(); // the answer that waits is begun by the new model
        for (MessageActions* actions : {panes_.first()->actions(), panes_.second()->actions()})
            actions->modelOpened(models_.state() == ModelController::Ready, models_.path(), models_.error());
    });
}

/// The records of traced answers are kept. A failure to keep one hides no other error: the answer itself is stored.
void App::connectRecords() {
    connect(&answers_, &AnswerQueue::recorded, &records_, [this](const AnswerRecord& record) {
        if (settings_.tracesKept()) records_.keep(record);
    });
    connect(&records_, &RecordKeeper::failed, this, [this](const ErrorInfo& error) {
        if (!error_.valid()) setError(error);
    });
    connect(&bin_, &BinModel::erased, &records_, &RecordKeeper::recount);
    for (Conversation* conversation : {panes_.first(), panes_.second()}) // a temporary chat is kept with its records
        connect(conversation, &Conversation::temporaryChanged, &records_, &RecordKeeper::recount);
    connect(&settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("tracesKept") || key == QStringLiteral("tracesLimit")) applyTraceSettings();
    });
    applyTraceSettings();
}

/// Tools ask while the answer that calls them is shown: see followMessages().
void App::connectTools() {
    connect(&tools_, &ToolRunner::failed, this, &App::setError);
    connect(&tools_, &ToolRunner::done, &undo_, &UndoStack::push);
    connect(&chats_, &ChatListModel::removed, &tools_, &ToolRunner::drop);
    connect(&panes_, &Panes::callsFound, &tools_, &ToolRunner::takeUp);
    connect(&tools_, &ToolRunner::askingChanged, &chats_, &ChatListModel::setAsking);
    connect(&tools_, &ToolRunner::askingChanged, this, [this](qint64 chat, bool asking) {
        if (!asking) return news_.forget(chat);
        if (panes_.showing(chat)) return;
        if (const auto row = store_->chat(chat)) news_.reportQuestion(chat, row->title);
    });
}

void App::applyTraceSettings() {
    answers_.setTraced(settings_.tracesKept());
    records_.setLimit(static_cast<qint64>(settings_.tracesLimit()));
}

/// Reports to the conversations and the queue of answers which model answers.
void App::reportModel() {
    const engine::ModelInfo* const info = models_.demo() ? nullptr : models_.openInfo(); // the guide's context is fixed
    const AnsweringModel model{.ready = models_.state() == ModelController::Ready,
                               .opening = models_.state() == ModelController::Opening,
                               .name = models_.name(),
                               .path = models_.path(),
                               .longestContext = info ? info->trainedContext : 0,
                               .canThink = models_.canThink(),
                               .continuesText = models_.continuesText(),
                               .settingsKey = models_.settingsKey(),
                               .settings = models_.answerSettings()};
    answers_.setModel(model.name);
    // A title is an instruction, which a model that continues texts can't follow, and the demo model not well.
    titles_.setEnabled(model.ready && !models_.continuesText() && !models_.demo() && settings_.autoTitles());
    panes_.setModel(model);
    if (background_) background_->setModel(model);
    queue_.setModel(model.ready, model.opening);
    model_ = model;
}

/// Sends a waiting prompt, also if its chat is not in view.
bool App::sendWaiting(const WaitingPrompt& prompt) {
    if (Conversation* const shows = panes_.showing(prompt.chat)) return shows->sendWaiting(prompt);
    if (!background_) {
        background_ = std::make_unique<Conversation>(ConversationParts{.worker = &worker_,
                                                                       .answers = &answers_,
                                                                       .history = &history_,
                                                                       .settings = &settings_,
                                                                       .presets = &presets_,
                                                                       .queue = &queue_});
        background_->setStore(store_.get(), {});
        background_->setModel(model_);
        connect(background_.get(), &Conversation::chatStored, &chats_, &ChatListModel::refresh);
    }
    background_->openChat(prompt.chat);
    return background_->sendWaiting(prompt);
}

void App::listen() {
    channel_ = std::make_unique<InstanceChannel>(options_.dataFolder);
    connect(channel_.get(), &InstanceChannel::started, this, &App::openFromOutside);
}

/// Another start took place, or the system sent a file; without a model the window only comes to the front.
void App::openFromOutside(const QString& model) {
    if (!model.isEmpty()) models_.open(model);
    Q_EMIT raiseWanted();
}

bool App::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::FileOpen) return QObject::eventFilter(object, event);
    openFromOutside(static_cast<QFileOpenEvent*>(event)->file());
    return true;
}

void App::start() {
    const QString model = options_.model.isEmpty() ? settings_.lastModel() : options_.model;
    if (model.isEmpty()) {
        models_.openDemo();
    } else {
        models_.open(model);
    }
}

void App::setError(const ErrorInfo& error) {
    if (error == error_) return;
    error_ = error;
    Q_EMIT errorChanged();
}

void App::dismissError() { setError({}); }

bool App::hasCard() const { return error_.valid() || models_.errorShown() || exchange_.failedAlone(); }

void App::closeCard() {
    if (error_.valid())
        dismissError();
    else if (models_.errorShown())
        models_.dismissError();
    else if (exchange_.failedAlone())
        exchange_.dismiss();
}

} // namespace coterie::app
