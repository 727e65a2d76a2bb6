// SPDX-License-Identifier: Apache-2.0
// See chat_order.h. A changed chat is found among the sorted ones by its address, and its new place by comparing.
#include "chats/chat_order.h"

#include <QLocale>

#include <algorithm>
#include <tuple>

namespace coterie::app {

// The locale "C" compares bytes.
ChatOrder::ChatOrder() : collator_(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale()) {
    collator_.setNumericMode(true);
    collator_.setCaseSensitivity(Qt::CaseInsensitive);
}

/// Ids make the order total, so that equal times or titles never swap.
bool ChatOrder::before(const ChatRow& a, const ChatRow& b) const {
    switch (sort_) {
    case ChatSort::Title:
        if (const int order = collator_.compare(a.title, b.title); order != 0) return order < 0;
        return a.id < b.id;
    case ChatSort::Created:
        return std::tie(a.created, a.id) > std::tie(b.created, b.id);
    case ChatSort::Used:
        break;
    }
    return std::tie(a.updated, a.id) > std::tie(b.updated, b.id);
}

void ChatOrder::setSort(ChatSort sort) {
    sort_ = sort;
    std::sort(sorted_.begin(), sorted_.end(), [this](const auto* a, const auto* b) { return before(*a, *b); });
}

void ChatOrder::setChats(std::vector<ChatRow> chats) {
    sorted_.clear();
    chats_.clear();
    for (ChatRow& chat : chats) {
        const qint64 id = chat.id;
        sorted_.push_back(&chats_.insert_or_assign(id, std::move(chat)).first->second);
    }
    setSort(sort_);
}

void ChatOrder::put(const ChatRow& chat) {
    std::erase(sorted_, this->chat(chat.id));
    const ChatRow* kept = &chats_.insert_or_assign(chat.id, chat).first->second;
    const auto place = std::lower_bound(sorted_.begin(), sorted_.end(), kept,
                                        [this](const auto* a, const auto* b) { return before(*a, *b); });
    sorted_.insert(place, kept);
}

void ChatOrder::remove(qint64 chat) {
    std::erase(sorted_, this->chat(chat));
    chats_.erase(chat);
}

const ChatRow* ChatOrder::chat(qint64 chat) const {
    const auto found = chats_.find(chat);
    return found == chats_.end() ? nullptr : &found->second;
}

bool ChatOrder::hasTitle(const QString& title) const {
    return std::any_of(chats_.begin(), chats_.end(), [&](const auto& each) { return each.second.title == title; });
}

const FolderRow* ChatOrder::folder(qint64 folder) const {
    const auto found =
        std::find_if(folders_.begin(), folders_.end(), [=](const FolderRow& row) { return row.id == folder; });
    return found == folders_.end() ? nullptr : &*found;
}

ChatEntry::Place ChatOrder::placeOf(const ChatRow& chat) const {
    if (chat.pinned) return ChatEntry::Place::Pinned;
    return folder(chat.folder) ? ChatEntry::Place::InFolder : ChatEntry::Place::Loose;
}

int ChatOrder::chatsIn(qint64 folder) const {
    return static_cast<int>(std::count_if(
        sorted_.begin(), sorted_.end(), [=](const ChatRow* chat) { return chat->folder == folder && !chat->pinned; }));
}

std::vector<ChatEntry> ChatOrder::entries() const {
    std::vector<ChatEntry> pinned, loose;
    std::unordered_map<qint64, std::vector<ChatEntry>> inFolders;
    for (const ChatRow* chat : sorted_) {
        const ChatEntry entry{.place = placeOf(*chat), .id = chat->id};
        if (entry.place == ChatEntry::Place::Pinned)
            pinned.push_back(entry);
        else if (entry.place == ChatEntry::Place::InFolder)
            inFolders[chat->folder].push_back(entry);
        else
            loose.push_back(entry);
    }
    std::vector<ChatEntry> all = std::move(pinned);
    for (const FolderRow& folder : folders_) {
        all.push_back({.place = ChatEntry::Place::Folder, .id = folder.id});
        if (folder.folded) continue;
        const std::vector<ChatEntry>& chats = inFolders[folder.id];
        all.insert(all.end(), chats.begin(), chats.end());
    }
    all.insert(all.end(), loose.begin(), loose.end());
    return all;
}

} // namespace coterie::app
