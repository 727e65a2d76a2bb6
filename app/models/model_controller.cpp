// SPDX-License-Identifier: Apache-2.0
// Turns the window's calls into requests to the engine's thread, and its answers into one state.
#include "models/model_controller.h"

#include "common/full_sentence.h"
#include "common/isolated_name.h"
#include "common/units.h"
#include "settings/setting_step.h"
#include "settings/setting_table.h"
#include "settings/setting_texts.h"
#include "settings/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace coterie::app {
namespace {

const QString kBudget = QStringLiteral("memoryBudget"), kContext = QStringLiteral("contextTokens"),
              kFormat = QStringLiteral("keyValueFormat"), kThreads = QStringLiteral("threads"),
              kDevice = QStringLiteral("device"), kModels = QStringLiteral("modelSettings");

/// The settings that hold from the next opening on.
const QStringList kOpeningKeys{kBudget, kContext, kFormat, kThreads, kDevice, kModels};

/// The absolute path, with the system's separators.
QString nativePath(const QString& path) { return QDir::toNativeSeparators(QFileInfo(path).absoluteFilePath()); }

QString localPath(const QString& urlOrPath) {
    const QUrl url(urlOrPath);
    return url.isLocalFile() ? url.toLocalFile() : urlOrPath;
}

QString numberText(qint64 number) { return QLocale().toString(number); }

/// "3.9 billion", as models are named after it.
QString parametersText(quint64 parameters) {
    constexpr double million = 1e6, billion = 1e9;
    const auto count = static_cast<double>(parameters);
    if (count >= billion) return ModelController::tr("%1 billion").arg(QLocale().toString(count / billion, 'f', 1));
    return ModelController::tr("%1 million").arg(QLocale().toString(count / million, 'f', 1));
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
    connect(settings_, &Settings::valueChanged, this, [this](const QString& key) {
        if (key == QStringLiteral("recentModels") || key == QStringLiteral("lastModel")) Q_EMIT recentChanged();
        if (kOpeningKeys.contains(key)) Q_EMIT optionsChanged();
    });
    connect(this, &ModelController::stateChanged, this, &ModelController::optionsChanged);
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
    const bool inUse = model_.demo && (state_ == Ready || state_ == Opening);
    return !inUse && QFileInfo(guide_).isFile();
}

QString ModelController::demoPath() const { return guide_.isEmpty() ? QString() : nativePath(guide_); }

QString ModelController::name() const {
    if (model_.demo) return tr("Demo model");
    return ownName().isEmpty() ? QFileInfo(model_.path).completeBaseName() : ownName();
}

QString ModelController::details() const {
    if (state_ != Ready) return {};
    return factsText({QString::fromStdString(model_.info.architecture),
                      QString::fromStdString(model_.info.quantisation),
                      sizeText(static_cast<double>(model_.info.fileBytes))});
}

QVariantList ModelController::facts() const {
    QVariantList list;
    const auto add = [&list](const QString& name, const QString& value) {
        if (!value.isEmpty())
            list.append(QVariantMap{{QStringLiteral("name"), name}, {QStringLiteral("value"), value}});
    };
    if (state_ != Ready) return list;
    const engine::ModelInfo& info = model_.info;
    const QString size = sizeText(static_cast<double>(info.fileBytes));
    add(tr("Size on disk"), info.shards > 1 ? tr("%1 in %2 files").arg(size, numberText(qint64(info.shards))) : size);
    if (info.parameters > 0) add(tr("Parameters"), parametersText(info.parameters));
    add(tr("Architecture"), QString::fromStdString(info.architecture));
    add(tr("Quantisation"), QString::fromStdString(info.quantisation));
    if (info.layers > 0) add(tr("Layers"), numberText(info.layers));
    if (experts())
        add(tr("Experts in a layer"),
            tr("%1, of which each token uses %2").arg(numberText(info.experts), numberText(info.expertsPerToken)));
    if (info.trainedContext > 0)
        add(tr("Longest context"), tr("%Ln token(s)", "of a context", static_cast<int>(info.trainedContext)));
    add(tr("Licence"), QString::fromStdString(info.licence));
    return list;
}

QStringList ModelController::notes() const {
    QStringList all;
    for (const engine::Sentence& note : model_.info.notes) all.append(fullSentence(shownText(note)));
    for (const engine::Error& problem : model_.info.problems) all.append(fullSentence(shownText(problem.sentence())));
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

QUrl ModelController::folder() const {
    QStringList places;
    for (const QString& path : settings_->recentModels()) places.append(QFileInfo(path).absolutePath());
    for (const auto place : {QStandardPaths::DownloadLocation, QStandardPaths::DocumentsLocation})
        places += QStandardPaths::standardLocations(place);
    const auto there = std::find_if(places.begin(), places.end(), [](const QString& p) { return QDir(p).exists(); });
    return QUrl::fromLocalFile(there == places.end() ? QDir::homePath() : *there);
}

void ModelController::open(const QString& urlOrPath) {
    const QString path = localPath(urlOrPath);
    if (path.isEmpty()) return;
    if (isGuide(path) && !settings_->lastModel().isEmpty()) settings_->lastModel = QString(); // the user chose it
    openFile(path);
}

bool ModelController::isGuide(const QString& path) const {
    return !guide_.isEmpty() && QFileInfo(path) == QFileInfo(guide_);
}

void ModelController::openFile(const QString& path) {
    const QString native = nativePath(path);
    if (state_ == Ready && !QFileInfo::exists(native)) return set(Ready, missing(native)); // the open model stays
    if (state_ == Ready) former_ = model_;
    model_ = {.path = native, .demo = isGuide(native)};
    progress_ = 0;
    Q_EMIT modelChanged();
    Q_EMIT progressChanged();
    if (!QFileInfo::exists(native)) {
        worker_->close();
        setMissing();
        return;
    }
    set(Opening, {});
    model_.openedWith = openOptions();
    opening_ = worker_->open(model_.openedWith);
}

engine::OpenOptions ModelController::openOptions() const {
    engine::OpenOptions options;
    options.path = model_.path.toStdString();
    options.memory = memoryOverride_ ? memoryOverride_ : static_cast<quint64>(opening(kBudget).toDouble());
    options.recordsFolder = recordsFolder_.toStdString();
    options.packedFolder = packedFolder_.toStdString();
    options.threads = threadsOverride_ ? threadsOverride_ : opening(kThreads).toInt();
    options.traced = true;
    options.devices = devices_;
    options.deviceOptional = true;
    const std::string device = opening(kDevice).toString().toStdString();
    options.device = device.empty() ? "cpu" : device;
    if (!model_.demo) { // the guide is opened as it was trained: settings that suit a large model would harm it
        options.context = opening(kContext).toInt();
        const auto format = engine::parseKeyValueFormat(opening(kFormat).toString().toStdString());
        if (format) options.keyValueFormat = format.value(); // the table of settings has no other names
    }
    return options;
}

QStringList ModelController::ownKeys() const {
    const QJsonObject own = model_.demo ? QJsonObject() : settings_->modelSettings(settingsKey());
    QStringList keys;
    for (const QString& key : {kBudget, kContext, kFormat, kThreads, kDevice})
        if (own.contains(key)) keys.append(key);
    return keys;
}

/// The model's own value, or that of all models.
QJsonValue ModelController::opening(const QString& key) const {
    return ownKeys().contains(key) ? settingRow(key).accepted(settings_->modelSettings(settingsKey()).value(key))
                                   : settings_->value(key);
}

QString ModelController::settingsKey() const { return model_.demo ? QStringLiteral("demo") : model_.path; }

QJsonObject ModelController::answerSettings() const {
    QJsonObject values = settings_->modelSettings(settingsKey());
    // Unlike other models, the demo model answers no better if it thinks.
    const QString thinking = QStringLiteral("thinking");
    if (model_.demo && !values.contains(thinking)) values.insert(thinking, false);
    return values;
}

bool ModelController::outdated() const {
    if (state_ != Ready) return false;
    const engine::OpenOptions now = openOptions();
    return now.memory != model_.openedWith.memory || now.device != model_.openedWith.device ||
           now.threads != model_.openedWith.threads || now.context != model_.openedWith.context ||
           now.keyValueFormat != model_.openedWith.keyValueFormat;
}

void ModelController::setBudget(double bytes) {
    const bool own = ownKeys().contains(kBudget);
    const QString title = settingText(kBudget).title;
    const auto step =
        changeSettings(own ? modelPlace(settings_, settingsKey()) : programPlace(settings_), {{kBudget, bytes}},
                       {.title = tr("Change %1").arg(title), .notice = tr("%1 changed", "a setting").arg(title)});
    if (step && *step) Q_EMIT done(**step);
}

void ModelController::reopen() { open(model_.path); }

void ModelController::openDemo() {
    if (demoOffered()) open(guide_);
}

void ModelController::close() {
    settings_->lastModel = QString();
    if (returnToGuide()) return;
    worker_->close();
    setNone();
}

void ModelController::cancelOpening() {
    if (state_ != Opening) return;
    worker_->cancelOpening();
    if (returnToGuide()) return;
    worker_->close(); // the model before may still be open
    setNone();
}

bool ModelController::returnToGuide() {
    if (model_.demo || guideFailed_ || !QFileInfo(guide_).isFile()) return false;
    openFile(guide_);
    return true;
}

void ModelController::forget(const QString& path) {
    QStringList paths = settings_->recentModels();
    if (paths.removeAll(path) > 0) settings_->recentModels = paths;
}

void ModelController::onOpened(quint64 opening, const engine::ModelInfo& info) {
    if (state_ != Opening) return;
    former_.reset(); // it was closed, also for a model in whose place another one was chosen a moment later
    if (opening != opening_) return;
    model_.info = info;
    if (model_.demo) {
        guideFailed_ = false;
    } else {
        remember();
    }
    set(Ready, {});
    Q_EMIT modelChanged();
}

void ModelController::remember() {
    QStringList paths = settings_->recentModels();
    paths.removeAll(model_.path);
    paths.prepend(model_.path);
    settings_->recentModels = paths;
    settings_->lastModel = model_.path;
}

void ModelController::onOpenFailed(quint64 opening, const engine::Error& error, bool kept) {
    if (state_ != Opening || opening != opening_) return;
    guideFailed_ = guideFailed_ || model_.demo;
    const std::optional<Model> former = std::exchange(former_, std::nullopt);
    if (kept && former) {
        const ErrorInfo why = explained(error);
        model_ = *former;
        set(Ready, why);
        Q_EMIT modelChanged();
        return;
    }
    if (kept) worker_->close(); // it is none that the user sees: see onOpened()
    if (QFileInfo::exists(model_.path)) {
        set(Failed, explained(error));
    } else {
        setMissing();
    }
}

ErrorInfo ModelController::explained(const engine::Error& error) const {
    ErrorInfo info(error);
    if (!model_.demo) return info;
    info.what = tr("The demo model can't be opened");
    if (error.kind != engine::ErrorKind::OutOfMemory) info.action = tr("Install Coterie again, or open another model");
    return info;
}

void ModelController::checkAfterFailure(const engine::Error& error) {
    if (state_ != Ready || error.kind != engine::ErrorKind::Io || QFileInfo::exists(model_.path)) return;
    worker_->close();
    setMissing();
}

void ModelController::setNone() {
    model_ = {};
    former_.reset();
    set(None, {});
    Q_EMIT modelChanged();
}

void ModelController::setMissing() { set(Missing, missing(model_.path)); }

ErrorInfo ModelController::missing(const QString& path) const {
    return ErrorInfo(tr("The model's file isn't there"),
                     tr("%1 was moved or deleted, or its disk is not connected").arg(isolatedName(path)),
                     tr("Bring it back and open it again, or choose another model"));
}

void ModelController::dismissError() {
    if (state_ != Failed && state_ != Missing) return set(state_, {});
    errorRead_ = true;
    Q_EMIT errorChanged();
}

void ModelController::set(State state, const ErrorInfo& error) {
    error_ = error;
    errorRead_ = false;
    Q_EMIT errorChanged();
    if (state == state_) return;
    state_ = state;
    Q_EMIT stateChanged();
    Q_EMIT modelChanged();
}

} // namespace coterie::app
