// SPDX-License-Identifier: Apache-2.0
// Every request has a number; results of older requests are dropped.
#include "models/packed_file_controller.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace coterie::app {

namespace {

template <typename T>
std::optional<engine::Error> errorOf(const engine::Result<T>& done) {
    return done ? std::nullopt : std::optional(done.error());
}

} // namespace

PackedFileController::PackedFileController(PackedFileCalls calls, ModelController* models, QObject* parent)
    : QObject(parent), calls_(std::move(calls)), models_(models) {
    connect(models_, &ModelController::stateChanged, this, &PackedFileController::onModelState);
}

PackedFileController::~PackedFileController() {
    ++wanted_;
    thread_.finish();
}

void PackedFileController::onModelState() {
    ++wanted_; // the running call is for the previous model
    waiting_ = false;
    file_ = {};
    error_ = {};
    listUnused();
    const bool packs = models_->state() == ModelController::Ready && models_->experts();
    if (!calls_.inspect || !packs) return set(Unavailable);
    if (!models_->readsExperts()) return set(NotUseful);
    set(Unavailable);
    look();
}

void PackedFileController::look() {
    const quint64 number = ++wanted_;
    thread_.push([this, number, options = models_->openOptions()] {
        if (number != wanted_) return;
        toGui_.push([this, number, file = calls_.inspect(options)] {
            if (number == wanted_) found(file);
        });
    });
}

void PackedFileController::found(const engine::Result<engine::PackedFileStatus>& file) {
    if (!file) {
        if (file.error().kind == engine::ErrorKind::Unsupported) return set(Unavailable); // it can't have one
        error_ = ErrorInfo(file.error());
        return set(Failed);
    }
    file_ = file.value();
    error_ = {};
    switch (file_.state) {
    case engine::PackedFileStatus::State::None:
        return set(Offered);
    case engine::PackedFileStatus::State::Current:
        return set(Present);
    case engine::PackedFileStatus::State::Stale:
        return set(Stale);
    }
}

double PackedFileController::bytes() const {
    const bool none = file_.state == engine::PackedFileStatus::State::None;
    return static_cast<double>(none ? file_.needed : file_.bytes);
}

void PackedFileController::pack() {
    if (state_ != Offered && state_ != Stale) return;
    progress_ = 0;
    Q_EMIT progressChanged();
    set(Packing);
    const quint64 number = ++wanted_;
    thread_.push([this, number, options = models_->openOptions()] {
        const auto progress = [this, number](uint64_t bytes, uint64_t all) {
            const double share = all > 0 ? static_cast<double>(bytes) / static_cast<double>(all) : 0;
            toGui_.push([this, number, share] {
                if (number != wanted_) return;
                progress_ = share;
                Q_EMIT progressChanged();
            });
            return number == wanted_;
        };
        if (number != wanted_) return;
        toGui_.push([this, number, error = errorOf(calls_.pack(options, progress))] { finished(number, error, true); });
    });
}

void PackedFileController::remove() {
    if (state_ != Present && state_ != Stale) return;
    const quint64 number = ++wanted_;
    thread_.push([this, number, options = models_->openOptions()] {
        if (number != wanted_) return;
        toGui_.push([this, number, error = errorOf(calls_.remove(options))] { finished(number, error, false); });
    });
}

void PackedFileController::finished(quint64 number, const std::optional<engine::Error>& error, bool made) {
    if (number != wanted_) return;
    if (error) {
        error_ = ErrorInfo(*error);
        return set(Failed);
    }
    waiting_ = made;
    look();
    listUnused();
}

void PackedFileController::cancel() {
    if (state_ != Packing) return;
    look(); // its number makes the packing give up; it runs after that
}

void PackedFileController::lookAgain() {
    if (state_ == Failed) look();
}

void PackedFileController::setListing(bool listing) {
    if (listing == listing_) return;
    listing_ = listing;
    unusedError_ = {};
    Q_EMIT listingChanged();
    listUnused();
}

/// Returns the options with which the model is open; the path is empty if none is open.
engine::OpenOptions PackedFileController::openModel() const {
    engine::OpenOptions options = models_->openOptions();
    if (models_->state() != ModelController::Ready) options.path.clear();
    return options;
}

void PackedFileController::listUnused() {
    if (!listing_ || !calls_.list || models_->state() == ModelController::Opening) return;
    const quint64 number = ++lastList_;
    thread_.push([this, number, options = openModel()] {
        toGui_.push([this, number, found = calls_.list(options)] {
            if (number != lastList_) return;
            unused_.clear(); // if the list can't be read, the page shows nothing about it
            if (found)
                std::copy_if(found->begin(), found->end(), std::back_inserter(unused_),
                             [](const engine::PackedFileEntry& file) { return file.unused(); });
            Q_EMIT unusedChanged();
        });
    });
}

double PackedFileController::unusedBytes() const {
    uint64_t bytes = 0;
    for (const engine::PackedFileEntry& file : unused_) bytes += file.bytes;
    return static_cast<double>(bytes);
}

QStringList PackedFileController::unusedNames() const {
    QStringList names;
    for (const engine::PackedFileEntry& file : unused_)
        names.append(QFileInfo(QString::fromStdString(file.model.empty() ? file.path : file.model)).fileName());
    return names;
}

void PackedFileController::removeUnused() {
    if (unused_.empty()) return;
    thread_.push([this, options = openModel()] {
        toGui_.push([this, error = errorOf(calls_.removeUnused(options))] {
            unusedError_ = error ? ErrorInfo(*error) : ErrorInfo();
            Q_EMIT unusedChanged();
            listUnused();
        });
    });
}

void PackedFileController::set(State state) {
    state_ = state;
    Q_EMIT changed();
}

} // namespace coterie::app
