// SPDX-License-Identifier: Apache-2.0
// The actions of ChatListModel on chats and folders. Each action is a function ending in Now, which the action itself,
// its undoing and its repetition call: they change the store, then the rows.
#include "chats/chat_list_model.h"

#include "common/isolated_name.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace coterie::app {

/// The selected chats in the order of the list, if this one is among them; else this one.
ChatListModel::Chats ChatListModel::actedOn(qint64 chatId) const {
    if (!selected_.contains(chatId)) return {chatId};
    Chats chats;
    for (const ChatEntry& entry : rows_)
        if (!entry.isFolder() && selected_.contains(entry.id)) chats.append(entry.id);
    for (const qint64 chat : selected_) // those in folded folders
        if (!chats.contains(chat)) chats.append(chat);
    return chats;
}

/// "A walk", or "3 chats".
QString ChatListModel::nameOf(const Chats& chats) const {
    if (chats.size() != 1) return tr("%Ln chat(s)", nullptr, static_cast<int>(chats.size()));
    const ChatRow* chat = order_.chat(chats.front());
    return chat ? tr("\"%1\"", "the title of a chat").arg(isolatedName(chat->title)) : QString();
}

/// Ends an action: reports its error, or that it can be undone. offer: words of the bar that offers that.
bool ChatListModel::finish(const engine::Status& status, Undoable step, const QString& offer) {
    if (!status) {
        Q_EMIT failed(ErrorInfo(status.error()));
        return false;
    }
    step.offered = !offer.isEmpty();
    for (auto* const function : {&step.undo, &step.redo})
        *function = [this, offered = step.offered, call = std::move(*function)] {
            engine::Status taken = call();
            if (taken) Q_EMIT stepTaken(offered);
            return taken;
        };
    Q_EMIT done(step); // this ends an older offer
    if (offer != undoText_) {
        undoText_ = offer;
        Q_EMIT undoChanged();
    }
    return true;
}

void ChatListModel::forgetUndo() {
    if (undoText_.isEmpty()) return;
    undoText_.clear();
    Q_EMIT undoChanged();
}

/// Ends a change of chats: reads them again if it was made.
engine::Status ChatListModel::chatsNow(const Chats& chats, const engine::Status& status) {
    if (!status) return status;
    touched_ = {.place = ChatEntry::Place::Loose, .id = chats.front()};
    refreshMany(chats);
    return status;
}

engine::Status ChatListModel::renameNow(qint64 chatId, const QString& title) {
    engine::Status done = chatsNow({chatId}, store_->rename(chatId, title));
    if (done) Q_EMIT renamed(chatId, title);
    return done;
}

void ChatListModel::rename(qint64 chatId, const QString& title) {
    const QString clean = title.simplified();
    const ChatRow* chat = order_.chat(chatId);
    if (!store_ || clean.isEmpty() || (chat && chat->title == clean)) return;
    const QString before = chat ? chat->title : QString();
    finish(renameNow(chatId, clean), {.title = tr("Rename the chat"),
                                      .undo = [=, this] { return renameNow(chatId, before); },
                                      .redo = [=, this] { return renameNow(chatId, clean); },
                                      .chats = {chatId}});
}

/// Returns the first row below that of chatId, or else above it, that is of none of these chats.
ChatEntry ChatListModel::besideThose(const Chats& chats, qint64 chatId) const {
    const auto stays = [&](const ChatEntry& entry) { return entry.isFolder() || !chats.contains(entry.id); };
    const auto at = rows_.begin() + std::max(0, rowOf(chatId));
    if (const auto below = std::find_if(at, rows_.end(), stays); below != rows_.end()) return *below;
    const auto above = std::find_if(std::make_reverse_iterator(at), rows_.rend(), stays);
    return above == rows_.rend() ? ChatEntry{} : *above;
}

/// chatId: the one of them whose row had the focus.
engine::Status ChatListModel::removeNow(const Chats& chats, qint64 chatId) {
    const ChatEntry beside = besideThose(chats, chatId);
    engine::Status done = store_->remove(chats);
    if (!done) return done;
    touched_ = beside;
    refreshMany(chats);
    for (const qint64 chat : chats) Q_EMIT removed(chat);
    return done;
}

engine::Status ChatListModel::restoreNow(const Chats& chats) {
    engine::Status done = chatsNow(chats, store_->restore(chats));
    if (done)
        for (const qint64 chat : chats) Q_EMIT restored(chat);
    return done;
}

/// Whether any of them is in the bin, as far as the store can tell.
bool ChatListModel::inBin(const Chats& chats) const {
    const auto removed = store_->removedChats();
    return !removed ||
           std::any_of(removed->begin(), removed->end(), [&](const ChatRow& chat) { return chats.contains(chat.id); });
}

bool ChatListModel::remove(qint64 chatId) {
    if (!store_) return false;
    const Chats chats = actedOn(chatId);
    const QString name = nameOf(chats);
    return finish(removeNow(chats, chatId),
                  {.title = chats.size() == 1 ? tr("Delete the chat") : tr("Delete the chats"),
                   .undo = [=, this] { return restoreNow(chats); },
                   .redo = [=, this] { return removeNow(chats, chatId); },
                   .chats = chats,
                   .stands = [=, this] { return inBin(chats); }},
                  tr("Deleted %1", "one or more chats").arg(name));
}

void ChatListModel::addArrived(const QString& title, const QList<qint64>& chats) {
    finish(chatsNow(chats, {}), {.title = title,
                                 .undo = [=, this] { return removeNow(chats, chats.front()); },
                                 .redo = [=, this] { return restoreNow(chats); },
                                 .chats = chats});
}

/// Moves imported chats into the bin, and removes those of these folders in which nothing is left.
engine::Status ChatListModel::takeBackNow(const Chats& chats, const Chats& folders, std::vector<WholeFolder>& removed) {
    engine::Status done = removeNow(chats, chats.front());
    const ChatEntry touched = touched_;
    removed.clear();
    for (auto folder = folders.rbegin(); done && folder != folders.rend(); ++folder) {
        if (!order_.folder(*folder)) continue;
        const auto whole = wholeFolder(*folder);
        if (!whole) return whole.error();
        if (!whole->empty) continue;
        done = folderNow(*folder, store_->folders().remove(*folder));
        if (done) removed.insert(removed.begin(), whole.value());
    }
    touched_ = touched;
    return done;
}

engine::Status ChatListModel::importAgainNow(const Chats& chats, const std::vector<WholeFolder>& removed) {
    for (const WholeFolder& folder : removed)
        if (auto made = store_->folders().restore(folder.row, folder.place, folder.chats); !made) return made.error();
    if (!removed.empty()) readFolders();
    return restoreNow(chats);
}

void ChatListModel::addImported(const QString& title, Chats chats) {
    Chats folders;
    const std::vector<FolderRow> before = order_.folders();
    refreshAll();
    chats.removeIf([this](qint64 chat) { return !order_.chat(chat); }); // a file can bring chats into the bin
    if (chats.isEmpty()) return;
    for (const FolderRow& folder : order_.folders())
        if (std::none_of(before.begin(), before.end(), [&](const FolderRow& old) { return old.id == folder.id; }))
            folders.append(folder.id);
    const auto removed = std::make_shared<std::vector<WholeFolder>>();
    finish(chatsNow(chats, {}), {.title = title,
                                 .undo = [=, this] { return takeBackNow(chats, folders, *removed); },
                                 .redo = [=, this] { return importAgainNow(chats, *removed); },
                                 .chats = chats});
}

void ChatListModel::setPinned(qint64 chatId, bool pinned) {
    if (!store_) return;
    Chats chats = actedOn(chatId);
    chats.removeIf([&](qint64 chat) { return isPinned(chat) == pinned; }); // undoing leaves these as they are
    if (chats.isEmpty()) return;
    const auto call = [=, this](bool to) { return chatsNow(chats, store_->setPinned(chats, to)); };
    finish(call(pinned),
           {.title = pinned ? tr("Pin") : tr("Unpin"),
            .undo = [=] { return call(!pinned); },
            .redo = [=] { return call(pinned); },
            .chats = chats},
           pinned ? tr("Pinned %1", "chats").arg(nameOf(chats)) : tr("Unpinned %1", "chats").arg(nameOf(chats)));
}

bool ChatListModel::inFolder(qint64 chatId) const {
    const Chats chats = actedOn(chatId);
    return std::any_of(chats.begin(), chats.end(), [this](qint64 chat) {
        const ChatRow* row = order_.chat(chat);
        return row && row->folder != 0;
    });
}

void ChatListModel::moveToFolder(qint64 chatId, qint64 folder) {
    if (!store_) return;
    Chats chats;
    std::map<qint64, Chats> before; // the chats by the folder that they come from
    for (const qint64 chat : actedOn(chatId)) {
        const ChatRow* row = order_.chat(chat);
        if (!row || row->folder == folder) continue;
        chats.append(chat);
        before[row->folder].append(chat);
    }
    if (chats.isEmpty()) return;
    const FolderRow* target = order_.folder(folder);
    QString offer = target ? tr("Moved %1 to %2", "chats, a folder").arg(nameOf(chats), isolatedName(target->name))
                           : tr("Moved %1 out of the folder").arg(nameOf(chats));
    // The folder neither shows nor counts them, so that one would look for them in vain.
    if (target && std::any_of(chats.begin(), chats.end(), [this](qint64 chat) { return isPinned(chat); }))
        offer = tr("%1. Pinned chats stay under Pinned", "the sentence before").arg(offer);
    const auto call = [this](const Chats& moved, qint64 to) { return chatsNow(moved, store_->setFolder(moved, to)); };
    finish(call(chats, folder),
           {.title = tr("Move to a folder"),
            .undo =
                [=] {
                    engine::Status done;
                    for (const auto& [from, moved] : before)
                        if (done) done = call(moved, from);
                    return done;
                },
            .redo = [=] { return call(chats, folder); },
            .chats = chats},
           offer);
}

/// Returns the title of a copy: "Ships (copy)", and then "Ships (copy 2)", also if `title` is that of a copy.
QString ChatListModel::copyTitle(const QString& title) const {
    constexpr int mostLookedAt = 100; // copies that a title may be: more than people make of one chat
    const auto numbered = [](const QString& of, int number) {
        return number == 1 ? tr("%1 (copy)", "the title of a chat").arg(of)
                           : tr("%1 (copy %2)", "the title of a chat, and a number").arg(of, QString::number(number));
    };
    QString first = title;
    for (int number = 1; number <= mostLookedAt && first == title; ++number)
        if (const QString ending = numbered({}, number); title.endsWith(ending)) first.chop(ending.size());
    int number = 1;
    while (order_.hasTitle(numbered(first, number))) ++number;
    return numbered(first, number);
}

qint64 ChatListModel::duplicate(qint64 chatId) {
    if (!store_) return 0;
    auto tree = store_->tree(chatId, {.records = true});
    if (tree) {
        tree->uid.clear(); // the copy is a chat of its own
        tree->title = copyTitle(tree->title);
    }
    const auto added = tree ? store_->addChat(*tree, IfPresent::Copy) : engine::Result<AddedChat>(tree.error());
    if (!added) {
        Q_EMIT failed(ErrorInfo(added.error()));
        return 0;
    }
    const Chats copies{added->chat};
    touched_ = {.place = ChatEntry::Place::Loose, .id = added->chat};
    refresh(added->chat);
    finish({}, {.title = tr("Duplicate the chat"),
                .undo = [=, this] { return removeNow(copies, copies.front()); },
                .redo = [=, this] { return restoreNow(copies); },
                .chats = copies});
    return added->chat;
}

/// Ends a change of a folder: reads the folders again if it was made.
engine::Status ChatListModel::folderNow(qint64 folder, const engine::Status& status) {
    if (!status) return status;
    touched_ = {.place = ChatEntry::Place::Folder, .id = folder};
    readFolders();
    return status;
}

qint64 ChatListModel::createFolder() {
    if (!store_) return 0;
    QString name = tr("New folder");
    const auto taken = [&] {
        const auto& all = order_.folders();
        return std::any_of(all.begin(), all.end(), [&](const FolderRow& folder) { return folder.name == name; });
    };
    for (int number = 2; taken(); ++number) name = tr("New folder %1").arg(number);
    const auto created = store_->folders().create(name);
    if (!created) {
        Q_EMIT failed(ErrorInfo(created.error()));
        return 0;
    }
    const FolderRow folder = *created;
    const int place = folderCount();
    finish(folderNow(folder.id, {}),
           {.title = tr("Make a folder"),
            .undo = [=, this] { return folderNow(folder.id, store_->folders().remove(folder.id)); },
            .redo = [=, this] { return folderNow(folder.id, store_->folders().restore(folder, place, {})); }});
    return folder.id;
}

void ChatListModel::renameFolder(qint64 folder, const QString& name) {
    const FolderRow* row = order_.folder(folder);
    const QString clean = name.simplified();
    if (!store_ || !row || clean.isEmpty() || row->name == clean) return;
    const QString before = row->name;
    const auto call = [=, this](const QString& to) { return folderNow(folder, store_->folders().rename(folder, to)); };
    finish(
        call(clean),
        {.title = tr("Rename the folder"), .undo = [=] { return call(before); }, .redo = [=] { return call(clean); }});
}

void ChatListModel::moveFolder(qint64 folder, int by) {
    const FolderRow* row = order_.folder(folder);
    if (!store_ || !row) return;
    const int from = static_cast<int>(row - order_.folders().data());
    const int to = std::clamp(from + by, 0, folderCount() - 1);
    if (to == from) return;
    const auto call = [=, this](int place) { return folderNow(folder, store_->folders().move(folder, place)); };
    finish(call(to),
           {.title = tr("Move the folder"), .undo = [=] { return call(from); }, .redo = [=] { return call(to); }});
}

/// Reads a folder as it must be known to come back after it was removed.
engine::Result<ChatListModel::WholeFolder> ChatListModel::wholeFolder(qint64 folder) const {
    const FolderRow* row = order_.folder(folder);
    WholeFolder whole{.row = *row, .place = row - order_.folders().data()};
    const auto chats = store_->chats(), removed = store_->removedChats();
    if (!chats || !removed) return !chats ? chats.error() : removed.error();
    for (const auto* list : {&chats.value(), &removed.value()})
        for (const ChatRow& chat : *list)
            if (chat.folder == folder) whole.chats.append(chat.id);
    whole.empty = std::none_of(chats->begin(), chats->end(), [&](const ChatRow& c) { return c.folder == folder; });
    return whole;
}

void ChatListModel::removeFolder(qint64 folder) {
    if (!store_ || !order_.folder(folder)) return;
    const auto whole = wholeFolder(folder);
    if (!whole) return Q_EMIT failed(ErrorInfo(whole.error()));
    const FolderRow gone = whole->row;
    const auto removeNow = [=, this, inside = whole->chats] {
        engine::Status done = folderNow(folder, store_->folders().remove(folder));
        if (done) refreshMany(inside);
        return done;
    };
    const auto restoreNow = [=, this, place = whole->place, inside = whole->chats] {
        engine::Status done = folderNow(folder, store_->folders().restore(gone, place, inside));
        if (done) refreshMany(inside);
        return done;
    };
    const auto stands = [this, key = folderKey(gone.name)] { // two folders can't have the same name
        const auto& all = order_.folders();
        return std::none_of(all.begin(), all.end(), [&](const FolderRow& at) { return folderKey(at.name) == key; });
    };
    finish(removeNow(), {.title = tr("Delete the folder"), .undo = restoreNow, .redo = removeNow, .stands = stands},
           tr("Deleted the folder %1").arg(isolatedName(gone.name)));
}

void ChatListModel::setFolded(qint64 folder, bool folded) {
    const FolderRow* row = order_.folder(folder);
    if (!store_ || !row || row->folded == folded) return;
    const engine::Status kept = folderNow(folder, store_->folders().setFolded(folder, folded));
    if (!kept) Q_EMIT failed(ErrorInfo(kept.error()));
}

void ChatListModel::unfoldAround(qint64 chatId) {
    const ChatRow* chat = order_.chat(chatId);
    if (chat && rowOf(chatId) < 0) setFolded(chat->folder, false);
}

void ChatListModel::drop(int row, int on) {
    if (row < 0 || row >= count() || on < 0 || on >= count() || row == on) return;
    const ChatEntry what = rows_[static_cast<size_t>(row)], target = rows_[static_cast<size_t>(on)];
    const ChatRow* there = target.isFolder() ? nullptr : order_.chat(target.id);
    const bool inFolder = target.place == ChatEntry::Place::InFolder && there;
    const qint64 folder = target.isFolder() ? target.id : inFolder ? there->folder : 0;
    if (!what.isFolder()) {
        if (target.place == ChatEntry::Place::Pinned)
            setPinned(what.id, true);
        else
            moveToFolder(what.id, folder);
        return;
    }
    if (folder == 0 || folder == what.id) return;
    moveFolder(what.id, static_cast<int>(order_.folder(folder) - order_.folder(what.id)));
}

} // namespace coterie::app
