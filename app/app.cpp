// SPDX-License-Identifier: Apache-2.0
// The order matters: the folder's lock comes before the database, the worker before the objects that use it, and the
// store after all of them.
#include "app.h"

#include "window_commands.h"

#include <QDir>

namespace coterie::app {
namespace {

/// Deleted chats stay in the bin this long.
constexpr int kBinDays = 30;

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
      conversation_(&worker_, &settings_), models_(&worker_, &settings_), memory_(&worker_), experts_(&worker_),
      forecast_(options.inspect, &worker_, &models_), packedFile_(options.packedFiles, &models_) {
    connectParts();
    addWindowCommands(commands_, conversation_, pages_);
    models_.setOverrides(options_.memory, options_.threads);
    models_.setGuide(options_.guide);
    models_.setFolders(options_.dataFolder, options_.packedFolder);
    openStore();
    if (alone_) listen();
}

App::~App() { conversation_.saveForExit(); }

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
    conversation_.setStore(store_.get(), {});
    chats_.setStore(store_.get());
}

void App::connectParts() {
    connect(&chats_, &ChatListModel::failed, this, &App::setError);
    connect(&settings_, &Settings::failed, this, &App::setError);
    connect(&chats_, &ChatListModel::renamed, &conversation_, &ChatController::applyRename);
    connect(&chats_, &ChatListModel::removed, &conversation_, &ChatController::applyRemoval);
    connect(&conversation_, &ChatController::chatStored, &chats_, &ChatListModel::refresh);
    connect(&conversation_, &ChatController::chatChanged, &chats_,
            [this] { chats_.setCurrentChatId(conversation_.chatId()); });
    connect(&conversation_, &ChatController::generationFailed, &models_, &ModelController::checkAfterFailure);
    connect(&models_, &ModelController::modelChanged, &conversation_, [this] {
        conversation_.setModel(models_.state() == ModelController::Ready, models_.name(), models_.canThink(),
                               models_.demo());
    });
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
