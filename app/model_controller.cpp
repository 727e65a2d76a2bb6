// SPDX-License-Identifier: Apache-2.0
// Turns the window's calls into requests to the engine's thread, and its answers into one state.
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
    connect(this, &ModelController::stateChanged, this, &ModelController::optionsChanged);
    for (const auto changed : {&Settings::memoryBudgetChanged, &Settings::contextTokensChanged,
                               &Settings::keyValueFormatChanged, &Settings::threadsChanged})
        connect(settings_, changed, this, &ModelController::optionsChanged);
}

void ModelController::setOverrides(quint64 memory, int threads) {
    memoryOverride_ = memory;
    threadsOverride_ = threads;
}

void ModelController::setGuide(const QString& path) {
    guide_ = path;
    Q_EMIT modelChanged();
}

bool ModelController::demoOffered() const {
    const bool inUse = demo_ && (state_ == Ready || state_ == Opening);
    return !inUse && QFileInfo(guide_).isFile();
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
    for (const engine::Sentence& note : info_.notes) all.append(shownText(note));
    for (const engine::Error& problem : info_.problems) all.append(shownText(problem.sentence()));
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
    demo_ = !guide_.isEmpty() && QFileInfo(path_) == QFileInfo(guide_);
    info_ = {};
    progress_ = 0;
    Q_EMIT modelChanged();
    Q_EMIT progressChanged();
    if (!QFileInfo::exists(path_)) {
        worker_->close();
        setMissing();
        return;
    }
    set(Opening, {});
    openedWith_ = openOptions();
    opening_ = worker_->open(openedWith_);
}

engine::OpenOptions ModelController::openOptions() const {
    engine::OpenOptions options;
    options.path = path_.toStdString();
    options.memory = memoryOverride_ ? memoryOverride_ : static_cast<quint64>(settings_->memoryBudget());
    options.recordsFolder = recordsFolder_.toStdString();
    options.packedFolder = packedFolder_.toStdString();
    options.threads = threadsOverride_ ? threadsOverride_ : settings_->threads();
    if (!demo_) { // the guide is opened as it was trained: settings that suit a large model would harm it
        options.context = settings_->contextTokens();
        options.keyValueFormat = settings_->keyValueFormat().toStdString();
    }
    return options;
}

bool ModelController::outdated() const {
    if (state_ != Ready) return false;
    const engine::OpenOptions now = openOptions();
    return now.memory != openedWith_.memory || now.threads != openedWith_.threads ||
           now.context != openedWith_.context || now.keyValueFormat != openedWith_.keyValueFormat;
}

void ModelController::reopen() { open(path_); }

void ModelController::openDemo() {
    if (!demoOffered()) return;
    if (!settings_->lastModel().isEmpty()) settings_->setLastModel({});
    open(guide_);
}

void ModelController::close() {
    settings_->setLastModel({});
    if (returnToGuide()) return;
    worker_->close();
    setNone();
}

void ModelController::cancelOpening() {
    if (state_ != Opening) return;
    worker_->cancelOpening();
    if (!returnToGuide()) setNone();
}

bool ModelController::returnToGuide() {
    if (demo_ || guideFailed_ || !QFileInfo(guide_).isFile()) return false;
    open(guide_);
    return true;
}

void ModelController::forget(const QString& path) {
    QStringList paths = settings_->recentModels();
    if (paths.removeAll(path) > 0) settings_->setRecentModels(paths);
}

void ModelController::onOpened(quint64 opening, const engine::ModelInfo& info) {
    if (state_ != Opening || opening != opening_) return;
    info_ = info;
    if (demo_) {
        guideFailed_ = false;
    } else {
        remember();
    }
    set(Ready, {});
    Q_EMIT modelChanged();
}

void ModelController::remember() {
    QStringList paths = settings_->recentModels();
    paths.removeAll(path_);
    paths.prepend(path_);
    settings_->setRecentModels(paths);
    settings_->setLastModel(path_);
}

void ModelController::onOpenFailed(quint64 opening, const engine::Error& error) {
    if (state_ != Opening || opening != opening_) return;
    guideFailed_ = guideFailed_ || demo_;
    if (QFileInfo::exists(path_)) {
        set(Failed, explained(error));
    } else {
        setMissing();
    }
}

ErrorInfo ModelController::explained(const engine::Error& error) const {
    ErrorInfo info(error);
    if (!demo_) return info;
    info.what = tr("The demo model can't be opened");
    if (error.kind != engine::ErrorKind::OutOfMemory) info.action = tr("Install Coterie again, or open another model");
    return info;
}

void ModelController::checkAfterFailure(const engine::Error& error) {
    if (state_ != Ready || error.kind != engine::ErrorKind::Io || QFileInfo::exists(path_)) return;
    worker_->close();
    setMissing();
}

void ModelController::setNone() {
    path_.clear();
    demo_ = false;
    info_ = {};
    set(None, {});
    Q_EMIT modelChanged();
}

void ModelController::setMissing() {
    set(Missing, ErrorInfo(tr("The model's file isn't there"),
                           tr("%1 was moved or deleted, or its disk is not connected").arg(path_),
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
