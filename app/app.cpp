// SPDX-License-Identifier: Apache-2.0
// The order matters: the folder's lock comes before the database, the worker before the objects that use it, and the
// store after all of them.
#include "app.h"

#include "window_commands.h"

#include <QDir>

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
      settings_(alone_ ? settingsPath(options) : QString()), worker_(options.factory, options.inspect),
      generation_(&worker_, &history_),
      conversation_({.worker = &worker_, .generation = &generation_, .history = &history_, .settings = &settings_}),
      models_(&worker_, &settings_), memory_(&worker_), experts_(&worker_),
      forecast_(options.inspect, &worker_, &models_), packedFile_(options.packedFiles, &models_),
      inspector_({.worker = &worker_,
                  .generation = &generation_,
                  .conversation = &conversation_,
                  .keeper = &records_,
                  .models = &models_,
                  .settings = &settings_}) {
    connectParts();
    connectBin();
    connectRecords();
    addWindowCommands(commands_, conversation_, pages_);
    models_.setOverrides(options_.memory, options_.threads);
    models_.setGuide(options_.guide);
    models_.setFolders(options_.dataFolder, options_.packedFolder);
    openStore();
    if (alone_) listen();
}

App::~App() {
    settings_.lastChat = static_cast<double>(conversation_.chatId());
    generation_.saveForExit();
}

QString App::version() const { return QStringLiteral(COTERIE_VERSION); }

void App::openStore() {
    if (!alone_) {
        setError(ErrorInfo(tr("Coterie is already running"),
                           tr("Another window of Coterie is using this folder of chats"),
                           tr("Use that window, or close it and start again")));
        conversation_.setStore(nullptr, error_);
        return;
    }
    auto opened = ChatStore::open({.folder = options_.dataFolder, .migrations = {}});
    if (!opened) {
        setError(ErrorInfo(opened.error()));
        conversation_.setStore(nullptr, error_);
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
    generation_.setStore(store_.get());
    auto recordReader = store_->openReader();
    records_.setStore(store_.get(), recordReader ? std::move(recordReader).value() : nullptr);
    conversation_.setStore(store_.get(), {});
    const auto lastChat = static_cast<qint64>(settings_.lastChat());
    if (store_->chat(lastChat)) conversation_.openChat(lastChat);
    chats_.setStore(store_.get());
    bin_.setStore(store_.get());
}

void App::connectParts() {
    connect(&chats_, &ChatListModel::failed, this, &App::setError);
    connect(&settings_, &Settings::failed, this, &App::setError);
    connect(&chats_, &ChatListModel::renamed, &conversation_, &Conversation::applyRename);
    connect(&chats_, &ChatListModel::removed, &generation_, &Generation::stopChat);
    connect(&chats_, &ChatListModel::removed, &conversation_, &Conversation::applyRemoval);
    connect(&conversation_, &Conversation::chatStored, &chats_, &ChatListModel::refresh);
    connect(&conversation_, &Conversation::chatChanged, &chats_,
            [this] { chats_.setCurrentChatId(conversation_.chatId()); });
    connect(&generation_, &Generation::progressed, &chats_,
            [this](qint64 chat) { chats_.setAnswering(chat, generation_.progress(chat).has_value()); });
    connect(&generation_, &Generation::failed, &models_, &ModelController::checkAfterFailure);
    connect(&models_, &ModelController::modelChanged, this, &App::tellModel);
    connect(&settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("demoThinking")) tellModel();
    });
}

/// The list of chats and the bin show the two halves of the same chats.
void App::connectBin() {
    connect(&bin_, &BinModel::failed, this, &App::setError);
    connect(&chats_, &ChatListModel::removed, &bin_, &BinModel::refresh);
    connect(&chats_, &ChatListModel::undoChanged, &bin_, &BinModel::refresh);
    connect(&bin_, &BinModel::erased, &chats_, &ChatListModel::forgetUndo);
    connect(&bin_, &BinModel::restored, this, [this](qint64 chat) {
        chats_.refresh(chat);
        if (chat == conversation_.chatId()) conversation_.openChat(chat); // one of its messages is there again
    });
}

/// The records of traced answers are kept. A failure to keep one hides no other error: the answer itself is stored.
void App::connectRecords() {
    connect(&generation_, &Generation::recorded, &records_, [this](const AnswerRecord& record) {
        if (settings_.tracesKept()) records_.keep(record);
    });
    connect(&records_, &RecordKeeper::failed, this, [this](const ErrorInfo& error) {
        if (!error_.valid()) setError(error);
    });
    connect(&bin_, &BinModel::erased, &records_, &RecordKeeper::recount);
    connect(&settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("tracesKept") || key == QStringLiteral("tracesLimit")) applyTraceSettings();
    });
    applyTraceSettings();
}

void App::applyTraceSettings() {
    generation_.setTraced(settings_.tracesKept());
    records_.setLimit(static_cast<qint64>(settings_.tracesLimit()));
}

/// Tells the conversation and the queue of answers which model answers.
void App::tellModel() {
    AnsweringModel model{
        .ready = models_.state() == ModelController::Ready, .name = models_.name(), .canThink = models_.canThink()};
    // Unlike other models, the demo model answers no better if it thinks.
    if (models_.demo()) model.settings.insert(QStringLiteral("thinking"), settings_.demoThinking());
    generation_.setModel(model.name);
    conversation_.setModel(model);
}

void App::listen() {
    channel_ = std::make_unique<InstanceChannel>(options_.dataFolder);
    connect(channel_.get(), &InstanceChannel::started, this, [this](const QString& model) {
        if (!model.isEmpty()) models_.open(model);
        Q_EMIT raiseWanted();
    });
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

} // namespace coterie::app
