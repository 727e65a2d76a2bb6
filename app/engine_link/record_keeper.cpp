// SPDX-License-Identifier: Apache-2.0
// See record_keeper.h. A record that is being packed is in a list, so that find() knows it and nothing is lost when the
// program ends.
#include "engine_link/record_keeper.h"

#include "engine_link/answer_prefix.h"
#include "records/token_bytes.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

namespace coterie::app {
namespace {

/// Version of both kinds of records in the store. Their bytes have versions of their own besides.
constexpr int kRecordVersion = 1;

/// Room for the records of temporary chats, in memory: those of some ten thousand tokens.
constexpr qint64 kTemporaryLimit = qint64{32} << 20;

using Found = engine::Result<std::optional<AnswerRecord>>;

QByteArray viewOf(const std::vector<std::byte>& bytes) {
    return QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
}

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return {reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<size_t>(bytes.size())};
}

engine::Result<PackedRecords> packRecords(const AnswerRecord& record) {
    PackedRecords packed;
    const auto pack = [](const std::vector<std::byte>& bytes) {
        return packedRecord({.version = kRecordVersion, .bytes = viewOf(bytes)});
    };
    const auto trace = record.trace->bytes();
    if (!trace) return trace.error();
    auto packedTrace = pack(*trace);
    if (!packedTrace) return packedTrace.error();
    auto packedTokens = pack(engine::tokenBytes(record.tokens));
    if (!packedTokens) return packedTokens.error();
    packed.trace = std::move(packedTrace).value();
    packed.tokens = std::move(packedTokens).value();
    return packed;
}

/// Reads the plain bytes of one kind; nothing if there is no such record.
engine::Result<std::optional<QByteArray>> readBytes(const MessageRecords& records, RecordKind kind, qint64 message) {
    using Bytes = engine::Result<std::optional<QByteArray>>;
    auto record = records.get(kind, message);
    if (!record) return record.error();
    if (!record->has_value()) return Bytes(std::nullopt);
    if ((*record)->version != kRecordVersion)
        return engine::Error{engine::ErrorKind::Unsupported, "The record of an answer can't be read",
                             "A later version of the program wrote it", "Update the program to see it"};
    return Bytes(std::move((*record)->bytes));
}

Found readRecord(const MessageRecords& records, qint64 message) {
    const auto traceBytes = readBytes(records, RecordKind::Trace, message);
    if (!traceBytes) return traceBytes.error();
    if (!traceBytes->has_value()) return Found(std::nullopt);
    const auto tokenBytes = readBytes(records, RecordKind::Tokens, message);
    if (!tokenBytes) return tokenBytes.error();
    AnswerRecord record{.message = message};
    auto trace = engine::TraceLog::read(bytesOf(**traceBytes));
    if (!trace) return trace.error();
    record.trace = std::move(trace).value();
    if (tokenBytes->has_value()) {
        auto tokens = engine::readTokenBytes(bytesOf(**tokenBytes));
        if (!tokens) return tokens.error();
        record.tokens = std::move(tokens).value();
    }
    return Found(std::move(record));
}

} // namespace

RecordKeeper::RecordKeeper(QObject* parent) : QObject(parent) {}

RecordKeeper::~RecordKeeper() {
    blockSignals(true); // whoever listens may be half destroyed
    finishWaiting();
}

void RecordKeeper::setPlace(Place& place, ChatStore* store, std::unique_ptr<ChatReader> reader) {
    finishWaiting();
    ++lastFind_;
    place = {.store = store, .reader = std::move(reader)};
}

void RecordKeeper::setStore(ChatStore* store, std::unique_ptr<ChatReader> reader) {
    setPlace(kept_, store, std::move(reader));
    recount();
    setLimit(limit_);
}

void RecordKeeper::setTemporaryStore(ChatStore* store, std::unique_ptr<ChatReader> reader) {
    setPlace(temporary_, store, std::move(reader));
}

void RecordKeeper::setLimit(qint64 bytes) {
    limit_ = bytes;
    ChatStore* const store = kept_.store;
    if (store && !store->readOnly() && bytes_ > limit_) setBytes(store->records().trim(limit_));
}

void RecordKeeper::keep(const AnswerRecord& record) {
    if (!placeOf(record.message).store || record.empty()) return;
    const auto waiting = std::make_shared<Waiting>(Waiting{.record = record});
    waiting_.push_back(waiting);
    packing_.push([this, waiting] {
        waiting->packed = packRecords(waiting->record);
        toGui_.push([this, waiting] { this->store(waiting); });
    });
}

/// Writes a packed record, unless that was done already or removeAll() came before.
void RecordKeeper::store(const std::shared_ptr<Waiting>& waiting) {
    if (std::erase(waiting_, waiting) == 0) return;
    if (!waiting->packed) return Q_EMIT failed(ErrorInfo(waiting->packed.error()));
    const qint64 message = waiting->record.message;
    const bool temporary = isTemporary(message);
    const auto bytes =
        placeOf(message).store->records().put(message, *waiting->packed, temporary ? kTemporaryLimit : limit_);
    if (!bytes && bytes.error().kind == engine::ErrorKind::NotFound) return; // the message was erased meanwhile
    if (!bytes || !temporary) setBytes(bytes);
}

/// Ends reads that are under way. Returns the number of the next job of this reader; it may be null.
quint64 RecordKeeper::cancelReads(const ChatReader* of) {
    quint64 job = 0;
    for (const Place& place : {kept_, temporary_}) {
        if (!place.reader) continue;
        const quint64 next = place.reader->cancel();
        if (place.reader.get() == of) job = next;
    }
    return job;
}

/// Waits until everything is packed, and writes it. After that nothing uses the readers.
void RecordKeeper::finishWaiting() {
    cancelReads(nullptr);
    storeAll();
}

void RecordKeeper::storeAll() {
    const auto packed = std::make_shared<std::promise<void>>();
    packing_.push([packed] { packed->set_value(); });
    packed->get_future().wait();
    const std::vector<std::shared_ptr<Waiting>> rest = waiting_;
    for (const std::shared_ptr<Waiting>& waiting : rest) store(waiting);
}

std::shared_ptr<const RecordKeeper::Waiting> RecordKeeper::waiting(qint64 message) const {
    const auto kept = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](const auto& waiting) { return waiting->record.message == message; });
    return kept == waiting_.rend() ? nullptr : *kept;
}

std::vector<engine::TokenRecord> RecordKeeper::tokens(const ChatStore& store, qint64 message) const {
    const auto kept = waiting(message);
    return kept ? kept->record.tokens : storedTokens(store, message);
}

std::optional<AnswerRecord> RecordKeeper::record(const ChatStore& store, qint64 message) const {
    if (const auto kept = waiting(message)) return kept->record;
    Found read = readRecord(store.records(), message);
    return read ? std::move(read).value() : std::nullopt;
}

void RecordKeeper::find(qint64 message) {
    const quint64 find = ++lastFind_;
    const std::shared_ptr<ChatReader>& reader = placeOf(message).reader;
    const quint64 job = cancelReads(reader.get());
    if (const auto kept = waiting(message)) {
        toGui_.push([this, find, message, kept] { answer(find, message, Found(kept->record)); });
    } else if (!reader) {
        toGui_.push([this, find, message] { answer(find, message, Found(std::nullopt)); });
    } else {
        packing_.push([this, find, job, message, reader] {
            reader->begin(job);
            toGui_.push(
                [this, find, message, read = readRecord(reader->records(), message)] { answer(find, message, read); });
        });
    }
}

void RecordKeeper::answer(quint64 find, qint64 message, const Found& read) {
    if (find != lastFind_) return; // another message is wanted by now
    if (!read) return Q_EMIT unreadable(message, ErrorInfo(read.error()));
    if (!read->has_value()) return Q_EMIT missing(message);
    Q_EMIT found(message, **read);
}

void RecordKeeper::removeAll() {
    waiting_.clear();
    for (const Place& place : {kept_, temporary_}) {
        if (!place.store) continue;
        const engine::Status removed = place.store->records().removeAll();
        if (!removed) Q_EMIT failed(ErrorInfo(removed.error()));
    }
    recount();
    Q_EMIT allRemoved();
}

void RecordKeeper::recount() {
    setBytes(kept_.store ? kept_.store->records().totalBytes() : engine::Result<qint64>(0));
}

void RecordKeeper::setBytes(const engine::Result<qint64>& bytes) {
    if (!bytes) return Q_EMIT failed(ErrorInfo(bytes.error()));
    if (bytes.value() == bytes_) return;
    bytes_ = bytes.value();
    Q_EMIT bytesChanged();
}

} // namespace coterie::app
