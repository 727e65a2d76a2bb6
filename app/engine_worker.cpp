// SPDX-License-Identifier: Apache-2.0
// The session is called on the worker's thread alone; the mutex guards the pointer to it against cancel() and
// telemetry().
#include "engine_worker.h"

#include <QMetaObject>

namespace coterie::app {
namespace {

std::string continuedText(const std::vector<engine::Message>& conversation) {
    std::string text;
    for (const engine::Message& message : conversation) {
        // An answer goes on where its prompt ends; what the user adds later begins a line.
        if (!text.empty() && message.role == engine::Role::User) text += '\n';
        text += message.content;
    }
    return text;
}

} // namespace

EngineWorker::EngineWorker(engine::SessionFactory factory, QObject* parent)
    : QObject(parent), factory_(std::move(factory)), inside_(new QObject) {
    qRegisterMetaType<GenerationOutcome>();
    qRegisterMetaType<engine::ModelInfo>();
    qRegisterMetaType<engine::Error>();
    inside_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, inside_, &QObject::deleteLater);
    thread_.setObjectName(QStringLiteral("engine"));
    thread_.start();
}

EngineWorker::~EngineWorker() {
    cancelOpening();
    cancel(~quint64{0});
    thread_.quit();
    thread_.wait();
}

quint64 EngineWorker::open(const engine::OpenOptions& options) {
    const quint64 opening = ++wantedOpening_;
    cancel(lastRequest_);
    QMetaObject::invokeMethod(
        inside_, [this, options, opening] { openNow(options, opening); }, Qt::QueuedConnection);
    return opening;
}

void EngineWorker::close() {
    ++wantedOpening_;
    cancel(lastRequest_);
    QMetaObject::invokeMethod(
        inside_, [this] { setSession(nullptr); }, Qt::QueuedConnection);
}

void EngineWorker::cancelOpening() { ++wantedOpening_; }

void EngineWorker::generate(const GenerateRequest& request) {
    lastRequest_ = request.id;
    QMetaObject::invokeMethod(
        inside_, [this, request] { generateNow(request); }, Qt::QueuedConnection);
}

void EngineWorker::count(const GenerateRequest& request) {
    QMetaObject::invokeMethod(
        inside_, [this, request] { countNow(request); }, Qt::QueuedConnection);
}

void EngineWorker::cancel(quint64 id) {
    cancelledRequest_ = id;
    const std::lock_guard lock(mutex_);
    if (session_) session_->cancel();
}

std::optional<engine::Telemetry> EngineWorker::telemetry() const {
    const std::lock_guard lock(mutex_);
    return session_ ? std::optional(session_->telemetry()) : std::nullopt;
}

void EngineWorker::setSession(std::unique_ptr<engine::Session> session) {
    {
        const std::lock_guard lock(mutex_);
        session_.swap(session);
    }
    // The old one goes here, outside the lock: giving memory back may take a while.
}

void EngineWorker::openNow(engine::OpenOptions options, quint64 opening) {
    if (opening != wantedOpening_) return;
    setSession(nullptr);
    options.onProgress = [this, opening](double share) {
        Q_EMIT openProgress(opening, share);
        return opening == wantedOpening_;
    };
    auto session = factory_(options);
    if (opening != wantedOpening_) return;
    if (!session) {
        Q_EMIT openFailed(opening, session.error());
        return;
    }
    const engine::ModelInfo info = session.value()->info();
    setSession(std::move(session).value());
    Q_EMIT opened(opening, info);
}

void EngineWorker::generateNow(const GenerateRequest& request) {
    GenerationOutcome outcome{
        .id = request.id, .reason = engine::FinishReason::Cancelled, .statistics = {}, .error = {}};
    if (request.id <= cancelledRequest_) {
        Q_EMIT finished(outcome);
        return;
    }
    if (!session_) {
        outcome.error = engine::Error{engine::ErrorKind::NotFound, "No model is open",
                                      "It was closed before the answer began", "Open a model and send again"};
        Q_EMIT finished(outcome);
        return;
    }
    const engine::DeltaCallback onDelta = [this, &request](const engine::Delta& d) {
        // A cancel() that came before the session began its call was lost on it; it is repeated here.
        if (request.id <= cancelledRequest_) session_->cancel();
        if (d.token < 0) Q_EMIT promptProgress(request.id, d.promptDone, d.promptTotal);
        if (!d.text.empty())
            Q_EMIT delta(request.id, QString::fromUtf8(d.text.data(), static_cast<qsizetype>(d.text.size())));
    };
    auto answer = request.continuesText
                      ? session_->complete(continuedText(request.conversation), request.options, onDelta)
                      : session_->chat(request.conversation, request.options, onDelta);
    if (answer) {
        outcome.reason = answer.value().reason;
        outcome.statistics = answer.value().statistics;
    } else if (answer.error().kind != engine::ErrorKind::Cancelled) {
        outcome.error = answer.error();
    }
    Q_EMIT finished(outcome);
}

void EngineWorker::countNow(const GenerateRequest& request) {
    if (!session_) return;
    if (request.continuesText) {
        const std::string text = continuedText(request.conversation);
        Q_EMIT counted(request.id, static_cast<qint64>(session_->tokenizer().encode(text, false).size()));
        return;
    }
    const auto tokens = session_->promptTokens(request.conversation, request.options);
    if (tokens) Q_EMIT counted(request.id, static_cast<qint64>(tokens.value().size()));
}

} // namespace coterie::app
