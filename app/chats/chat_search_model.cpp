// SPDX-License-Identifier: Apache-2.0
// See chat_search_model.h.
#include "chats/chat_search_model.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

QVariant marksOf(const std::vector<TextRange>& ranges) {
    QList<int> marks;
    for (const TextRange& range : ranges) marks += {static_cast<int>(range.begin), static_cast<int>(range.end)};
    return QVariant::fromValue(marks);
}

} // namespace

ChatSearchModel::ChatSearchModel(QObject* parent) : RowList(parent) {}

ChatSearchModel::~ChatSearchModel() {
    if (reader_) reader_->cancel();
    thread_.finish();
}

void ChatSearchModel::setStore(ChatStore* store) {
    if (!store) return;
    auto reader = store->openReader();
    if (!reader) return Q_EMIT failed(ErrorInfo(reader.error()));
    reader_ = std::move(reader).value();
}

/// Reads a page of hits with all that their rows show. Runs on the search's own thread.
engine::Result<ChatSearchModel::Page> ChatSearchModel::read(const ChatReader& reader, const SearchRequest& request) {
    auto found = reader.search(request);
    if (!found) return found.error();
    Page page{.hits = {}, .next = found->next, .scattered = found->scattered};
    QHash<qint64, ChatRow> chats;
    for (SearchHit& hit : found->hits) {
        if (!chats.contains(hit.chat)) {
            auto chat = reader.chat(hit.chat);
            if (!chat && chat.error().kind == engine::ErrorKind::Cancelled) return chat.error();
            if (!chat) continue; // it was deleted meanwhile
            chats.insert(hit.chat, *chat);
        }
        const ChatRow& chat = chats[hit.chat];
        Hit row{.found = std::move(hit), .title = chat.title, .fromUser = false, .time = chat.updated};
        if (row.found.message != 0) {
            const auto message = reader.message(row.found.message);
            if (!message && message.error().kind == engine::ErrorKind::Cancelled) return message.error();
            if (!message) continue;
            row.fromUser = message->role == engine::Role::User;
            row.time = message->created;
        }
        page.hits.push_back(std::move(row));
    }
    return page;
}

int ChatSearchModel::rowOf(qint64 chat, qint64 message) const {
    int first = -1;
    for (int row = count() - 1; row >= 0; --row) {
        const SearchHit& hit = hits_[static_cast<size_t>(row)].found;
        if (hit.chat != chat) continue;
        if (hit.message == message) return row;
        first = row;
    }
    return first;
}

QString ChatSearchModel::wordsIn(qint64 chat, qint64 message) const {
    const int row = rowOf(chat, message);
    if (row < 0) return words_;
    const SearchHit& hit = hits_[static_cast<size_t>(row)].found;
    const bool together = hit.snippet.contains(words_.simplified(), Qt::CaseInsensitive);
    if (together || hit.message != message || hit.snippetRanges.empty()) return words_;
    const TextRange& first = hit.snippetRanges.front();
    return hit.snippet.mid(first.begin, first.end - first.begin);
}

QVariantList ChatSearchModel::chatsBetween(int one, int other) const {
    const int last = std::min(std::max(one, other), count() - 1);
    QVariantList chats;
    for (int row = std::max(0, std::min(one, other)); row <= last; ++row)
        chats.append(hits_[static_cast<size_t>(row)].found.chat);
    return chats;
}

void ChatSearchModel::setHeld(bool held) {
    held_ = held;
    if (const auto late = held ? std::function<void()>() : std::exchange(late_, {})) late();
}

void ChatSearchModel::setWords(const QString& words) {
    if (words == words_) return;
    words_ = words;
    Q_EMIT wordsChanged();
    refresh();
}

void ChatSearchModel::refresh() {
    if (!reader_) return;
    if (words_.trimmed().isEmpty() && hits_.empty() && !searching()) return;
    ask({}, Shows::Instead);
}

void ChatSearchModel::forget(qint64 chat) {
    const auto isGone = [chat](const Hit& hit) { return hit.found.chat == chat; };
    const int before = count();
    for (auto last = std::find_if(hits_.rbegin(), hits_.rend(), isGone); last != hits_.rend();
         last = std::find_if(hits_.rbegin(), hits_.rend(), isGone)) {
        const auto first = std::find_if_not(last, hits_.rend(), isGone);
        const auto row = [this](auto at) { return static_cast<int>(hits_.rend() - at); }; // the one after it
        beginRemoveRows({}, row(first), row(last) - 1);
        hits_.erase(first.base(), last.base());
        endRemoveRows();
    }
    // A page that is being read may have more of them, and the view has come nearer to the end. If no hit is left, the
    // search begins again: other chats may have the words in different places.
    if (searching())
        ask({}, Shows::Instead);
    else if (hits_.empty() && (before > 0 || reading_))
        ask({}, Shows::Below);
    else if (next_)
        ask(*next_, Shows::Below);
    if (count() != before) Q_EMIT countChanged();
}

/// Has the thread read the page after this point. A query that still runs is ended.
void ChatSearchModel::ask(const SearchCursor& after, Shows shows) {
    const bool before = searching();
    const quint64 query = wanted_ = reader_->cancel();
    reading_ = true;
    if (shows == Shows::Below) shown_ = query; // the hits that are shown stay right
    thread_.push([this, query, shows, request = SearchRequest{.words = words_, .after = after}] {
        reader_->begin(query);
        toGui_.push([this, query, shows, page = read(*reader_, request)] { show(query, shows, page); });
    });
    if (before != searching()) Q_EMIT searchingChanged();
}

void ChatSearchModel::show(quint64 query, Shows shows, const engine::Result<Page>& page) {
    if (query != wanted_) return;
    if (shows == Shows::Instead && held_) {
        late_ = [=, this] { show(query, shows, page); };
        return;
    }
    reading_ = false;
    if (!page) next_.reset();
    if (page || shows == Shows::Instead) scattered_ = page && page->scattered;
    if (shows == Shows::Instead) {
        shown_ = query; // before the views hear of the hits: they may ask for the next page at once
        beginResetModel();
        hits_ = page ? page->hits : std::vector<Hit>();
        if (page) next_ = page->next;
        endResetModel();
        Q_EMIT searchingChanged();
    } else if (page) {
        next_ = page->next;
        if (!page->hits.empty()) {
            beginInsertRows({}, count(), count() + static_cast<int>(page->hits.size()) - 1);
            hits_.insert(hits_.end(), page->hits.begin(), page->hits.end());
            endInsertRows();
        }
    }
    Q_EMIT countChanged();
    if (!page) Q_EMIT failed(ErrorInfo(page.error()));
}

bool ChatSearchModel::canFetchMore(const QModelIndex& parent) const { return !parent.isValid() && next_ && !reading_; }

void ChatSearchModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(*next_, Shows::Below);
}

QVariant ChatSearchModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Hit& hit = hits_[static_cast<size_t>(index.row())];
    const bool inTitle = hit.found.message == 0;
    switch (role) {
    case ChatIdRole:
        return hit.found.chat;
    case MessageIdRole:
        return hit.found.message;
    case Qt::DisplayRole:
    case TitleRole:
        return hit.title;
    case TitleMarksRole:
        return inTitle ? marksOf(hit.found.ranges) : marksOf({});
    case ExcerptRole:
        return inTitle ? QString() : hit.found.snippet;
    case ExcerptMarksRole:
        return inTitle ? marksOf({}) : marksOf(hit.found.snippetRanges);
    case FromUserRole:
        return hit.fromUser;
    case TimeRole:
        return hit.time;
    default:
        return {};
    }
}

} // namespace coterie::app
