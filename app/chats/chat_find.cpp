// SPDX-License-Identifier: Apache-2.0
// See chat_find.h. The rows in memory are newer than the store's, so they are searched as they are; only the messages
// before them are read. The answer that is being written is searched here, block by block as its document changes.
#include "chats/chat_find.h"

#include <QLocale>

#include <algorithm>
#include <tuple>
#include <utility>

namespace coterie::app {
namespace {

size_t room(size_t hits) { return ChatFind::kMostHits - std::min<size_t>(hits, ChatFind::kMostHits); }

} // namespace

bool ChatFind::Hit::operator<(const Hit& other) const {
    return std::tie(message, range.part, range.begin) < std::tie(other.message, other.range.part, other.range.begin);
}

ChatFind::ChatFind(MessageModel* messages, const PromptHistory* history, QObject* parent)
    : QObject(parent), messages_(messages), history_(history), kept_(std::make_shared<Kept>()) {
    connect(messages_, &MessageModel::modelReset, this, &ChatFind::search);
    connect(messages_, &MessageModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { onRowsInserted(first, last); });
    connect(messages_, &MessageModel::rowsRemoved, this, &ChatFind::search);
    connect(messages_, &MessageModel::dataChanged, this, &ChatFind::grow);
    connect(messages_, &MessageModel::documentMade, this, &ChatFind::mark);
}

ChatFind::~ChatFind() { ++wanted_; }

void ChatFind::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    if (active_) {
        search();
    } else {
        stop();
        if (thread_) thread_->push([kept = kept_] { *kept = {}; });
    }
    Q_EMIT activeChanged();
}

void ChatFind::setWords(const QString& words) {
    if (words == words_) return;
    words_ = words;
    if (current_ >= 0 && !fromPlace_) place_ = hits_[static_cast<size_t>(current_)];
    Q_EMIT wordsChanged();
    search();
}

void ChatFind::findFrom(qint64 message, const QString& words) {
    setPlace(message);
    fromPlace_ = true;
    setWords(words);
    setActive(true);
    if (searching_) return; // take() chooses the hit
    fromPlace_ = false;
    choose();
}

QString ChatFind::countText() const {
    if (!active_ || words_.trimmed().isEmpty()) return {};
    if (searching_ && hits_.empty()) return tr("Searching\u2026");
    if (hits_.empty()) return tr("Not found");
    const QLocale locale;
    const QString of = count() < kMostHits ? tr("%1 of %2") : tr("%1 of more than %2");
    return of.arg(locale.toString(current()), locale.toString(count()));
}

/// Ends the search that runs, and takes all marks away.
void ChatFind::stop() {
    ++wanted_;
    searching_ = fromPlace_ = false;
    growing_.reset();
    hits_.clear();
    current_ = -1;
    markAll();
    Q_EMIT changed();
}

void ChatFind::search() {
    if (!active_) return;
    if (words_.trimmed().isEmpty()) return stop();
    Search search{.number = ++wanted_, .words = FoldedText::fold(words_), .rows = messages_->rows()};
    growing_.reset();
    if (!search.rows.empty()) {
        search.beforeId = search.rows.front().parent;
        if (search.beforeId != 0) search.before = history_->rowsTo(search.beforeId);
        if (search.rows.back().state == MessageState::Streaming) {
            growing_.emplace();
            growing_->message = search.rows.back().id;
            search.rows.pop_back();
        }
    }
    searching_ = true;
    if (!thread_) thread_ = std::make_unique<CallThread>(QStringLiteral("find"));
    thread_->push([this, search = std::move(search)] { searchNow(search); });
    Q_EMIT changed();
}

/// Runs on the other thread.
void ChatFind::searchNow(const Search& search) {
    if (search.number != wanted_) return;
    if (kept_->upTo != search.beforeId) {
        *kept_ = {};
        if (search.before) {
            auto rows = search.before();
            if (!rows)
                return toGui_.push([this, error = ErrorInfo(rows.error()), number = search.number] {
                    take(number, {});
                    Q_EMIT failed(error);
                });
            *kept_ = {.upTo = search.beforeId, .rows = std::move(rows).value()};
        }
    }
    std::vector<Hit> hits;
    for (const std::vector<MessageRow>* rows : {&std::as_const(kept_->rows), &search.rows})
        for (const MessageRow& row : *rows) {
            if (search.number != wanted_) return;
            findIn(*kept_, row, search, hits);
        }
    std::erase_if(kept_->shown, [&](const auto& shown) { return shown.second.search != search.number; });
    toGui_.push([this, number = search.number, hits = std::move(hits)]() mutable { take(number, std::move(hits)); });
}

void ChatFind::findIn(Kept& kept, const MessageRow& row, const Search& search, std::vector<Hit>& hits) {
    Shown& shown = kept.shown[row.id];
    if (shown.search == 0 || shown.parts != row.parts) {
        TextDocument document;
        fillDocument(document, row);
        shown.parts = row.parts;
        shown.blocks = document.blocks();
    }
    shown.search = search.number;
    for (const TextBlock& block : shown.blocks)
        for (const PartRange& range : hitsIn(block, search.words, room(hits.size())))
            hits.push_back({.message = row.id, .range = range});
}

void ChatFind::take(quint64 number, std::vector<Hit> hits) {
    if (number != wanted_) return;
    searching_ = false;
    const bool keeps = !std::exchange(fromPlace_, false) && current_ >= 0;
    const std::optional<Hit> before = keeps ? std::optional(hits_[static_cast<size_t>(current_)]) : std::nullopt;
    hits_ = std::move(hits);
    current_ = -1;
    if (growing_) {
        growing_->before = hits_.size();
        growing_->hits.reset();
        growHits();
    }
    // The current hit stays the same if it is still one; otherwise the view goes to the next one.
    const auto same = before ? std::lower_bound(hits_.begin(), hits_.end(), *before) : hits_.end();
    if (same != hits_.end() && *same == *before) {
        current_ = static_cast<int>(same - hits_.begin());
        markAll();
        Q_EMIT changed();
    } else {
        choose();
    }
}

/// Makes the first hit at or after the place current.
void ChatFind::choose() {
    const auto from = std::lower_bound(hits_.begin(), hits_.end(), place_);
    current_ = hits_.empty() ? -1 : from == hits_.end() ? count() - 1 : static_cast<int>(from - hits_.begin());
    markAll();
    Q_EMIT changed();
    if (current_ >= 0) Q_EMIT hitWanted(hits_[static_cast<size_t>(current_)].message);
}

/// Takes in what changed in the answer that is being written.
void ChatFind::grow() {
    if (!active_ || searching_ || words_.trimmed().isEmpty()) return;
    if (!growing_) {
        const std::vector<MessageRow>& rows = messages_->rows();
        const bool continued = !rows.empty() && rows.back().state == MessageState::Streaming;
        return continued ? search() : void();
    }
    if (!growHits()) return;
    if (current_ >= count()) current_ = -1;
    if (current_ < 0) return choose();
    mark(growing_->message);
    Q_EMIT changed();
}

/// Brings the hits in the answer that is being written up to date. Returns whether its marks may differ.
bool ChatFind::growHits() {
    TextDocument* document = growing_ ? messages_->madeDocument(growing_->message) : nullptr;
    if (!document) return false;
    const bool other = !growing_->hits || growing_->hits->document() != document;
    if (other) growing_->hits = std::make_unique<GrowingHits>(document, FoldedText::fold(words_));
    const size_t kept = growing_->before + growing_->hits->update(room(growing_->before));
    const std::vector<PartRange>& added = growing_->hits->added();
    if (!other && kept == hits_.size() && added.empty()) return false;
    hits_.resize(kept);
    for (const PartRange& range : added) hits_.push_back({.message = growing_->message, .range = range});
    return true;
}

/// Rows that are added before the first one were searched already.
void ChatFind::onRowsInserted(int first, int last) {
    if (first > 0 || last + 1 == messages_->count()) search();
}

void ChatFind::step(int by) {
    if (!active_ || hits_.empty()) return;
    setCurrent((current_ + by + count()) % count());
}

void ChatFind::setCurrent(int index) {
    const qint64 before = current_ >= 0 ? hits_[static_cast<size_t>(current_)].message : 0;
    current_ = index;
    const Hit& hit = hits_[static_cast<size_t>(index)];
    if (before != hit.message) mark(before);
    mark(hit.message);
    Q_EMIT changed();
    Q_EMIT hitWanted(hit.message);
}

void ChatFind::mark(qint64 message) {
    TextDocument* document = messages_->madeDocument(message);
    if (!document) return;
    std::vector<TextMark> marks;
    const Hit begin{.message = message, .range = {}};
    for (auto hit = std::lower_bound(hits_.begin(), hits_.end(), begin); hit != hits_.end() && hit->message == message;
         ++hit)
        marks.push_back({.range = hit->range, .current = hit - hits_.begin() == current_});
    document->setMarks(std::move(marks));
}

void ChatFind::markAll() {
    for (const MessageRow& row : messages_->rows()) mark(row.id);
}

} // namespace coterie::app
