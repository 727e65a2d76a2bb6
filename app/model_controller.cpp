// SPDX-License-Identifier: Apache-2.0
// Turns what the window asks for into requests to the engine's thread, and what that says into one state.
#include "model_controller.h"

#include "settings.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QUrl>

namespace coterie::app {
namespace {

QString localPath(const QString& urlOrPath) {
    const QUrl url(urlOrPath);
    return url.isLocalFile() ? url.toLocalFile() : urlOrPath;
}

} // namespace

ModelController::ModelController(EngineWorker* worker, Settings* settings, QObject* parent)
    : QObject(parent), worker_(worker), settings_(settings) {
    connect(worker_, &EngineWorker::opened, this, &ModelController::onOpened);
    connect(worker_, &EngineWorker::openFailed, this, &ModelController::onOpenFailed);
    connect(worker_, &EngineWorker::openProgress, this, [this](quint64 opening, double share) {
        if (state_ != Opening || opening != opening_) return;
        progress_ = share;
        Q_EMIT progressChanged();
    });
    connect(settings_, &Settings::recentModelsChanged, this, &ModelController::recentChanged);
}

void ModelController::setOverrides(quint64 memory, int threads) {
    memoryOverride_ = memory;
    threadsOverride_ = threads;
}

QString ModelController::name() const {
    const QString own = QString::fromStdString(info_.name);
    return own.isEmpty() ? QFileInfo(path_).completeBaseName() : own;
}

QString ModelController::details() const {
    if (state_ != Ready) return {};
    return QStringList{QString::fromStdString(info_.architecture), QString::fromStdString(info_.quantisation),
                       QLocale().formattedDataSize(static_cast<qint64>(info_.fileBytes))}
        .join(QStringLiteral(" - "));
}

QStringList ModelController::notes() const {
    QStringList all;
    for (const std::string& note : info_.notes) all.append(QString::fromStdString(note));
    for (const std::string& problem : info_.problems) all.append(QString::fromStdString(problem));
    return all;
}

QVariantList ModelController::recent() const {
    QVariantList list;
    for (const QString& path : settings_->recentModels()) {
        const QFileInfo file(path);
        list.append(QVariantMap{{QStringLiteral("name"), file.completeBaseName()},
                                {QStringLiteral("path"), path},
                                {QStringLiteral("exists"), file.isFile()}});
    }
    return list;
}

void ModelController::open(const QString& urlOrPath) {
    const QString path = localPath(urlOrPath);
    if (path.isEmpty()) return;
    path_ = QDir::toNativeSeparators(QFileInfo(path).absoluteFilePath());
    info_ = {};
    progress_ = 0;
    Q_EMIT modelChanged();
    Q_EMIT progressChanged();
    if (!QFileInfo::exists(path_)) {
        worker_->close();
        setMissing();
        return;
    }
    engine::OpenOptions options;
    options.path = path_.toStdString();
    options.memory = memoryOverride_ ? memoryOverride_ : static_cast<quint64>(settings_->memoryBudget());
    options.threads = threadsOverride_ ? threadsOverride_ : settings_->threads();
    options.context = settings_->contextTokens();
    options.keyValueFormat = settings_->keyValueFormat().toStdString();
    set(Opening, {});
    opening_ = worker_->open(options);
}

void ModelController::close() {
    worker_->close();
    path_.clear();
    info_ = {};
    settings_->setLastModel({});
    set(None, {});
    Q_EMIT modelChanged();
}

void ModelController::cancelOpening() {
    if (state_ != Opening) return;
    worker_->cancelOpening();
    path_.clear();
    set(None, {});
    Q_EMIT modelChanged();
}

void ModelController::forget(const QString& path) {
    QStringList paths = settings_->recentModels();
    if (paths.removeAll(path) > 0) settings_->setRecentModels(paths);
}

void ModelController::onOpened(quint64 opening, const engine::ModelInfo& info) {
    if (state_ != Opening || opening != opening_) return;
    info_ = info;
    QStringList paths = settings_->recentModels();
    paths.removeAll(path_);
    paths.prepend(path_);
    settings_->setRecentModels(paths);
    settings_->setLastModel(path_);
    set(Ready, {});
    Q_EMIT modelChanged();
}

void ModelController::onOpenFailed(quint64 opening, const engine::Error& error) {
    if (state_ != Opening || opening != opening_) return;
    if (QFileInfo::exists(path_)) {
        set(Failed, ErrorInfo(error));
    } else {
        setMissing();
    }
}

void ModelController::checkAfterFailure(const engine::Error& error) {
    if (state_ != Ready || error.kind != engine::ErrorKind::Io || QFileInfo::exists(path_)) return;
    worker_->close();
    setMissing();
}

void ModelController::setMissing() {
    set(Missing, ErrorInfo(tr("The model's file isn't there"),
                           tr("%1 was moved, deleted, or its disk is not connected").arg(path_),
                           tr("Bring it back and open it again, or choose another model")));
}

void ModelController::set(State state, const ErrorInfo& error) {
    error_ = error;
    Q_EMIT errorChanged();
    if (state == state_) return;
    state_ = state;
    Q_EMIT stateChanged();
    Q_EMIT modelChanged();
}

} // namespace coterie::app
