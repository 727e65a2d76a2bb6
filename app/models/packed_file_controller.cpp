// SPDX-License-Identifier: Apache-2.0
// Every request has a number; results of older requests are dropped.
#include "models/packed_file_controller.h"

namespace coterie::app {

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
    info_ = {};
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
        toGui_.push([this, number, info = calls_.inspect(options)] {
            if (number == wanted_) found(info);
        });
    });
}

void PackedFileController::found(const engine::Result<PackedFileInfo>& info) {
    if (!info) {
        if (info.error().kind == engine::ErrorKind::Unsupported) return set(Unavailable); // it can't have one
        error_ = ErrorInfo(info.error());
        return set(Failed);
    }
    info_ = info.value();
    error_ = {};
    switch (info_.state) {
    case PackedFileInfo::State::None:
        return set(Offered);
    case PackedFileInfo::State::Current:
        return set(Present);
    case PackedFileInfo::State::Stale:
        return set(Stale);
    }
}

void PackedFileController::pack() {
    if (state_ != Offered && state_ != Stale) return;
    progress_ = 0;
    Q_EMIT progressChanged();
    set(Packing);
    const quint64 number = ++wanted_;
    thread_.push([this, number, options = models_->openOptions()] {
        const auto progress = [this, number](double share) {
            toGui_.push([this, number, share] {
                if (number != wanted_) return;
                progress_ = share;
                Q_EMIT progressChanged();
            });
            return number == wanted_;
        };
        if (number != wanted_) return;
        toGui_.push([this, number, done = calls_.pack(options, progress)] { finished(number, done, true); });
    });
}

void PackedFileController::remove() {
    if (state_ != Present && state_ != Stale) return;
    const quint64 number = ++wanted_;
    thread_.push([this, number, options = models_->openOptions()] {
        if (number != wanted_) return;
        toGui_.push([this, number, done = calls_.remove(options)] { finished(number, done, false); });
    });
}

void PackedFileController::finished(quint64 number, const engine::Status& done, bool made) {
    if (number != wanted_) return;
    if (!done) {
        error_ = ErrorInfo(done.error());
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
    if (!listing_ || !calls_.unused || models_->state() == ModelController::Opening) return;
    const quint64 number = ++lastList_;
    thread_.push([this, number, options = openModel()] {
        toGui_.push([this, number, found = calls_.unused(options)] {
            if (number != lastList_) return;
            // If the list can't be read, the page shows nothing about it.
            unused_ = found ? found.value() : UnusedPackedFiles{};
            Q_EMIT unusedChanged();
        });
    });
}

void PackedFileController::removeUnused() {
    if (unused_.names.isEmpty()) return;
    thread_.push([this, options = openModel()] {
        toGui_.push([this, done = calls_.removeUnused(options)] {
            unusedError_ = done ? ErrorInfo() : ErrorInfo(done.error());
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
