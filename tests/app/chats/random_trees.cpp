// SPDX-License-Identifier: Apache-2.0
// See random_trees.h.
#include "app/chats/random_trees.h"

#include <QCryptographicHash>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace coterie::test {
namespace {

constexpr int kMostChats = 24, kMostWithImports = 32, kMostMessages = 40, kMostFiles = 12, kFolders = 6;

template <typename List>
auto& at(List& list, int index) {
    return list[static_cast<size_t>(index)];
}

int sizeOf(const auto& list) { return static_cast<int>(list.size()); }

/// The message with all before it, as one text.
QString pathOf(const PlainChat& chat, int message) {
    QString path;
    for (int i = message; i >= 0; i = at(chat.messages, i).parent)
        path += QString::number(at(chat.messages, i).id) + at(chat.messages, i).text + at(chat.messages, i).file +
                QLatin1Char('\n');
    return path;
}

QStringList pathsOf(const PlainChat& chat) {
    QStringList paths;
    for (int i = 0; i < sizeOf(chat.messages); ++i) paths.append(pathOf(chat, i));
    return paths;
}

/// The uid of a copy with these messages beside the chat with this uid.
QString uidBeside(const QString& uid, const QStringList& paths) {
    const QByteArray all = (uid + QLatin1Char('\n') + paths.join(QLatin1Char('\n'))).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(all, QCryptographicHash::Sha256).toHex());
}

/// Adds a prompt and an empty answer, which is shown.
void addTurn(PlainChat& chat, PlainMessage prompt) {
    const int id = prompt.id;
    chat.messages.push_back(std::move(prompt));
    chat.messages.push_back({.id = id + 1, .parent = sizeOf(chat.messages) - 1, .finished = false, .writing = true});
    chat.leaf = sizeOf(chat.messages) - 1;
}

/// Chooses among the indexes below `count` for which `allowed` is true; -1 if there is none.
int choose(QRandomGenerator& random, int count, const std::function<bool(int)>& allowed) {
    std::vector<int> list;
    for (int i = 0; i < count; ++i)
        if (allowed(i)) list.push_back(i);
    return list.empty() ? -1 : at(list, static_cast<int>(random.bounded(sizeOf(list))));
}

} // namespace

bool PlainChat::hidden(int message) const {
    for (int i = message; i >= 0; i = at(messages, i).parent)
        if (at(messages, i).deleted) return true;
    return false;
}

bool PlainChat::isBelow(int message, int above) const {
    for (int i = message; i >= 0; i = at(messages, i).parent)
        if (i == above) return true;
    return false;
}

int PlainChat::newestBelow(int message) const {
    for (int i = sizeOf(messages); i-- > 0;)
        if (isBelow(i, message) && !hidden(i)) return i;
    return -1;
}

int PlainChat::indexOf(int id) const {
    const auto found =
        std::find_if(messages.begin(), messages.end(), [=](const PlainMessage& message) { return message.id == id; });
    return found == messages.end() ? -1 : static_cast<int>(found - messages.begin());
}

int PlainChat::idOf(int message) const { return message < 0 ? -1 : at(messages, message).id; }

void PlainModel::send(const Operation& operation) {
    if (operation.chat < 0)
        chats.push_back({.key = operation.number,
                         .uid = QString::number(operation.number),
                         .title = operation.text + QStringLiteral(" chat")});
    PlainChat& chat = operation.chat < 0 ? chats.back() : at(chats, operation.chat);
    PlainMessage prompt{.id = 2 * operation.number,
                        .parent = operation.chat < 0 ? -1 : operation.message,
                        .user = true,
                        .text = operation.text};
    if (operation.flag) prompt.file = operation.text + QStringLiteral(" file");
    addTurn(chat, std::move(prompt));
    undone.clear();
    fresh_ = false;
}

void PlainModel::remove(PlainChat& chat, int message) {
    const int parent = at(chat.messages, message).parent;
    at(chat.messages, message).deleted = true;
    if (chat.leaf < 0 || !chat.hidden(chat.leaf)) return;
    int nearest = -1;
    for (int i = 0; i < sizeOf(chat.messages); ++i)
        if (at(chat.messages, i).parent == parent && !chat.hidden(i) && (nearest < 0 || i < message)) nearest = i;
    chat.leaf = nearest < 0 ? parent : chat.newestBelow(nearest);
}

void PlainModel::restore(PlainChat& chat, int message) {
    at(chat.messages, message).deleted = false;
    if (!chat.hidden(message)) chat.leaf = chat.newestBelow(message);
}

void PlainModel::erase(PlainChat& chat, int message) {
    std::vector<int> places;
    std::vector<PlainMessage> kept;
    for (int i = 0; i < sizeOf(chat.messages); ++i) {
        places.push_back(chat.isBelow(i, message) ? -1 : sizeOf(kept));
        if (places.back() < 0) continue;
        kept.push_back(at(chat.messages, i));
        if (kept.back().parent >= 0) kept.back().parent = at(places, kept.back().parent);
    }
    chat.messages = std::move(kept);
    if (chat.leaf >= 0) chat.leaf = at(places, chat.leaf);
}

/// Adds the chat of a file unless it is there. A chat that lacks some of its messages gets another one beside it.
std::optional<PlainStep> PlainModel::import(const Operation& operation) {
    const PlainChat& file = exported.at(operation.file);
    const QStringList paths = pathsOf(file);
    const auto with = [this](const QString& uid) {
        const auto found =
            std::find_if(chats.begin(), chats.end(), [&](const PlainChat& chat) { return chat.uid == uid; });
        return found == chats.end() ? nullptr : &*found;
    };
    const auto hasAll = [&](const PlainChat& chat) {
        const QStringList known = pathsOf(chat);
        return std::all_of(paths.begin(), paths.end(), [&](const QString& path) { return known.contains(path); });
    };
    QString uid = file.uid;
    PlainChat* there = with(uid);
    while (there && !hasAll(*there)) there = with(uid = uidBeside(uid, paths));
    PlainStep step{.chat = operation.number};
    if (!there) {
        chats.push_back(file);
        chats.back().key = operation.number;
        chats.back().uid = uid;
        if (uid != file.uid) ++beside;
    } else if (there->deleted && !file.deleted) {
        there->deleted = false;
        step.chat = there->key;
    } else {
        changed_ = false;
        return {};
    }
    if (file.deleted) return {}; // it is in the bin, where undoing would put it
    return step;
}

void PlainModel::restart() {
    for (PlainChat& chat : chats)
        for (PlainMessage& message : chat.messages) message.writing = false;
    done.clear();
    undone.clear();
    fresh_ = false;
}

std::optional<PlainStep> PlainModel::changeMessage(const Operation& operation, PlainChat& chat) {
    using enum Operation::Kind;
    PlainMessage& message = at(chat.messages, operation.message);
    PlainStep step{.message = message.id, .before = chat.idOf(chat.leaf)};
    const auto addLeaf = [&](PlainMessage added) {
        step.follows = added.parent >= 0 && added.parent == chat.leaf;
        step.message = added.id;
        chat.messages.push_back(std::move(added));
        chat.leaf = sizeOf(chat.messages) - 1;
    };
    const int id = 2 * operation.number;
    switch (operation.kind) {
    case Finish:
        message.text += operation.text;
        message.finished = true;
        message.writing = false;
        return {};
    case Regenerate:
        addLeaf({.id = id, .parent = operation.message, .finished = false, .writing = true});
        break;
    case Edit:
        if (message.user) {
            addTurn(chat,
                    {.id = id, .parent = message.parent, .user = true, .text = operation.text, .file = message.file});
            step.message = id + 1;
        } else {
            addLeaf({.id = id, .parent = message.parent, .text = operation.text});
        }
        break;
    case Continue:
        step.wasBefore = message;
        message.finished = false;
        message.writing = true;
        break;
    case Delete:
        remove(chat, operation.message);
        break;
    case Restore:
        restore(chat, operation.message);
        break;
    case Erase:
        erase(chat, operation.message);
        return {};
    default:
        chat.leaf = chat.newestBelow(operation.message);
        step.message = chat.idOf(chat.leaf);
    }
    return step;
}

std::optional<PlainStep> PlainModel::changeChat(const Operation& operation, PlainChat& chat) {
    using enum Operation::Kind;
    PlainStep step{.flag = operation.flag, .textAfter = operation.text};
    switch (operation.kind) {
    case Rename:
        step.textBefore = std::exchange(chat.title, operation.text);
        return step;
    case Pin:
        chat.pinned = operation.flag;
        return step;
    case Move:
        step.textBefore = std::exchange(chat.folder, operation.text);
        return step;
    case DeleteChat:
    case RestoreChat:
        chat.deleted = operation.kind == DeleteChat;
        return step;
    case Export:
        save(operation, chat);
        return {};
    default:
        return changeMessage(operation, chat);
    }
}

void PlainModel::save(const Operation& operation, const PlainChat& chat) {
    PlainChat& file = exported[operation.number] = chat;
    for (PlainMessage& message : file.messages) message.writing = false;
    if (sizeOf(exported) > kMostFiles) exported.erase(exported.begin());
}

/// Returns the step if the operation is one.
std::optional<PlainStep> PlainModel::change(const Operation& operation) {
    using enum Operation::Kind;
    if (operation.kind == Send) {
        send(operation);
        return {};
    }
    if (operation.kind == Import) return import(operation);
    const int key = at(chats, operation.chat).key;
    if (operation.kind == EraseChat) {
        chats.erase(chats.begin() + operation.chat);
        dropChat(key);
        return {};
    }
    std::optional<PlainStep> step = changeChat(operation, at(chats, operation.chat));
    if (step) step->chat = key;
    return step;
}

bool PlainModel::apply(const Operation& operation) {
    using enum Operation::Kind;
    changed_ = operation.kind != Nothing;
    if (operation.kind == Undo || operation.kind == Redo) {
        changed_ = move(operation.kind == Undo);
    } else if (operation.kind != Nothing) {
        const auto snapshot = [this] { return comparing ? std::optional(chats) : std::nullopt; };
        std::optional<std::vector<PlainChat>> before = snapshot();
        std::optional<PlainStep> step = change(operation);
        if (step) {
            step->kind = operation.kind;
            step->first = step->last = operation.number;
            step->chatsBefore = std::move(before);
            step->chatsAfter = snapshot();
            push(std::move(*step));
        } else if (changed_ && operation.kind != Export) {
            forgetSnapshots();
        }
        if (operation.kind == Erase || operation.kind == EraseChat || operation.kind == Import) dropIdle();
    }
    changes += changed_ ? 1 : 0;
    return changed_;
}

namespace {

using Kind = Operation::Kind;

/// How often each kind is tried.
constexpr std::array<std::pair<Kind, int>, 19> kWeights{{{Kind::Send, 14},
                                                         {Kind::Finish, 22},
                                                         {Kind::Regenerate, 9},
                                                         {Kind::Edit, 9},
                                                         {Kind::Continue, 5},
                                                         {Kind::Delete, 8},
                                                         {Kind::Restore, 6},
                                                         {Kind::Erase, 3},
                                                         {Kind::Show, 7},
                                                         {Kind::Rename, 3},
                                                         {Kind::Pin, 2},
                                                         {Kind::Move, 4},
                                                         {Kind::DeleteChat, 4},
                                                         {Kind::RestoreChat, 2},
                                                         {Kind::EraseChat, 4},
                                                         {Kind::Export, 5},
                                                         {Kind::Import, 7},
                                                         {Kind::Undo, 18},
                                                         {Kind::Redo, 9}}};

Kind randomKind(QRandomGenerator& random) {
    int all = 0;
    for (const auto& [kind, weight] : kWeights) all += weight;
    int left = random.bounded(all);
    for (const auto& [kind, weight] : kWeights)
        if ((left -= weight) < 0) return kind;
    return Kind::Nothing;
}

bool needsMessage(Kind kind) { return kind >= Kind::Finish && kind <= Kind::Show; }

bool allows(const PlainChat& chat, int index, Kind kind) {
    const PlainMessage& message = at(chat.messages, index);
    switch (kind) {
    case Kind::Finish:
        return message.writing;
    case Kind::Regenerate:
        return message.user && !chat.hidden(index);
    case Kind::Edit:
    case Kind::Delete:
        return !chat.hidden(index) && !message.writing;
    case Kind::Show:
        return !chat.hidden(index) && chat.newestBelow(index) != chat.leaf;
    case Kind::Continue:
        return !chat.hidden(index) && !message.user && message.finished;
    case Kind::Restore:
    case Kind::Erase:
        return message.deleted;
    default:
        return false;
    }
}

bool allows(const PlainChat& chat, Kind kind, int chats) {
    switch (kind) {
    case Kind::RestoreChat:
    case Kind::EraseChat:
        return chat.deleted;
    case Kind::Finish:
    case Kind::Export:
    case Kind::Erase:
        return true;
    case Kind::DeleteChat:
        return !chat.deleted && chats > 4;
    case Kind::Send:
    case Kind::Regenerate:
    case Kind::Edit:
        return !chat.deleted && sizeOf(chat.messages) < kMostMessages;
    default:
        return !chat.deleted;
    }
}

Operation imported(const PlainModel& model, QRandomGenerator& random, int number) {
    if (model.exported.empty() || sizeOf(model.chats) >= kMostWithImports) return {};
    const int file = std::next(model.exported.begin(), random.bounded(sizeOf(model.exported)))->first;
    return {.kind = Kind::Import, .number = number, .file = file};
}

} // namespace

Operation randomOperation(const PlainModel& model, quint32 seed, int number) {
    QRandomGenerator random(seed ^ (static_cast<quint32>(number) * 2654435761U)); // spreads the numbers
    Operation operation{.kind = randomKind(random), .number = number};
    if (operation.kind == Kind::Import) return imported(model, random, number);
    if (operation.kind == Kind::Undo && !model.undone.empty() && random.bounded(3) == 0) operation.kind = Kind::Redo;
    if (operation.kind == Kind::Undo) return model.done.empty() ? Operation{} : operation;
    if (operation.kind == Kind::Redo) return model.undone.empty() ? Operation{} : operation;
    operation.text = QStringLiteral("%1 w%2").arg(number).arg(random.bounded(1000));
    operation.flag = random.bounded(4) == 0;
    const bool fresh = operation.kind == Kind::Send && sizeOf(model.chats) < kMostChats &&
                       (sizeOf(model.chats) < 3 || random.bounded(8) == 0);
    if (fresh) return operation;
    operation.chat = choose(random, sizeOf(model.chats),
                            [&](int i) { return allows(at(model.chats, i), operation.kind, sizeOf(model.chats)); });
    if (operation.chat < 0) return {};
    const PlainChat& chat = at(model.chats, operation.chat);
    if (needsMessage(operation.kind)) {
        operation.message =
            choose(random, sizeOf(chat.messages), [&](int i) { return allows(chat, i, operation.kind); });
        if (operation.message < 0) return {};
    }
    if (operation.kind == Kind::Send) operation.message = chat.leaf;
    if (operation.kind == Kind::Pin) operation.flag = !chat.pinned;
    if (operation.kind == Kind::Move) {
        const auto folder = [](int index) { return index == 0 ? QString() : QStringLiteral("Folder %1").arg(index); };
        operation.text = folder(random.bounded(kFolders));
        if (operation.text == chat.folder) operation.text = folder(chat.folder.isEmpty() ? 1 : 0);
    }
    return operation;
}

} // namespace coterie::test
