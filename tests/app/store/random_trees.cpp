// SPDX-License-Identifier: Apache-2.0
// See random_trees.h.
#include "app/store/random_trees.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace coterie::test {
namespace {

constexpr int kMostChats = 24, kMostMessages = 40, kMostFiles = 12;

template <typename List>
auto& at(List& list, int index) {
    return list[static_cast<size_t>(index)];
}

int sizeOf(const auto& list) { return static_cast<int>(list.size()); }

/// The message with all before it, as one text.
QString pathOf(const PlainChat& chat, int message) {
    QString path;
    for (int i = message; i >= 0; i = at(chat.messages, i).parent)
        path += QString::number(at(chat.messages, i).born) + at(chat.messages, i).text + at(chat.messages, i).file +
                QLatin1Char('\n');
    return path;
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

void PlainModel::send(const Operation& operation) {
    if (operation.chat < 0)
        chats.push_back({.number = operation.number, .title = operation.text + QStringLiteral(" chat")});
    PlainChat& chat = operation.chat < 0 ? chats.back() : at(chats, operation.chat);
    PlainMessage prompt{.parent = operation.chat < 0 ? -1 : operation.message,
                        .user = true,
                        .text = operation.text,
                        .born = operation.number};
    if (operation.flag) prompt.file = operation.text + QStringLiteral(" file");
    chat.messages.push_back(prompt);
    chat.messages.push_back(
        {.parent = sizeOf(chat.messages) - 1, .finished = false, .writing = true, .born = operation.number});
    chat.leaf = sizeOf(chat.messages) - 1;
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

bool PlainModel::mayImport(int number) const {
    const auto there = std::find_if(chats.begin(), chats.end(), [=](const PlainChat& c) { return c.number == number; });
    if (there == chats.end()) return true;
    QStringList paths;
    for (int i = 0; i < sizeOf(there->messages); ++i) paths.append(pathOf(*there, i));
    const PlainChat& file = exported.at(number);
    for (int i = 0; i < sizeOf(file.messages); ++i)
        if (!paths.contains(pathOf(file, i))) return false;
    return true;
}

void PlainModel::import(int number) {
    const PlainChat& file = exported.at(number);
    const auto there = std::find_if(chats.begin(), chats.end(), [=](const PlainChat& c) { return c.number == number; });
    if (there == chats.end())
        chats.push_back(file);
    else if (!file.deleted)
        there->deleted = false;
}

void PlainModel::restart() {
    for (PlainChat& chat : chats)
        for (PlainMessage& message : chat.messages) message.writing = false;
}

void PlainModel::applyToMessage(const Operation& operation, PlainChat& chat) {
    using enum Operation::Kind;
    PlainMessage& message = at(chat.messages, operation.message);
    const auto addLeaf = [&chat](PlainMessage added) {
        chat.messages.push_back(std::move(added));
        chat.leaf = sizeOf(chat.messages) - 1;
    };
    switch (operation.kind) {
    case Finish:
        message.text += operation.text;
        message.finished = true;
        message.writing = false;
        return;
    case Regenerate:
        return addLeaf({.parent = operation.message, .finished = false, .writing = true, .born = operation.number});
    case Edit:
        return addLeaf(
            {.parent = message.parent, .user = message.user, .text = operation.text, .born = operation.number});
    case Continue:
        message.finished = false;
        message.writing = true;
        return;
    case Delete:
        return remove(chat, operation.message);
    case Restore:
        return restore(chat, operation.message);
    case Erase:
        return erase(chat, operation.message);
    default:
        chat.leaf = chat.newestBelow(operation.message);
    }
}

void PlainModel::apply(const Operation& operation) {
    using enum Operation::Kind;
    if (operation.kind == Nothing) return;
    if (operation.kind == Send) return send(operation);
    if (operation.kind == Import) return import(operation.number);
    PlainChat& chat = at(chats, operation.chat);
    switch (operation.kind) {
    case Rename:
        chat.title = operation.text;
        return;
    case Pin:
        chat.pinned = operation.flag;
        return;
    case Move:
        chat.folder = operation.text;
        return;
    case DeleteChat:
    case RestoreChat:
        chat.deleted = operation.kind == DeleteChat;
        return;
    case EraseChat:
        chats.erase(chats.begin() + operation.chat);
        return;
    case Export:
        exported[chat.number] = chat;
        for (PlainMessage& message : exported[chat.number].messages) message.writing = false;
        if (sizeOf(exported) > kMostFiles) exported.erase(exported.begin());
        return;
    default:
        applyToMessage(operation, chat);
    }
}

namespace {

using Kind = Operation::Kind;

/// How often each kind is tried.
constexpr std::array<std::pair<Kind, int>, 17> kWeights{{{Kind::Send, 14},
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
                                                         {Kind::DeleteChat, 3},
                                                         {Kind::RestoreChat, 2},
                                                         {Kind::EraseChat, 2},
                                                         {Kind::Export, 5},
                                                         {Kind::Import, 5}}};

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
    case Kind::Show:
        return !chat.hidden(index) && !message.writing;
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

Operation imported(const PlainModel& model, QRandomGenerator& random) {
    if (model.exported.empty() || sizeOf(model.chats) >= kMostChats) return {};
    const int number = std::next(model.exported.begin(), random.bounded(sizeOf(model.exported)))->first;
    return model.mayImport(number) ? Operation{.kind = Kind::Import, .number = number} : Operation{};
}

} // namespace

Operation randomOperation(const PlainModel& model, quint32 seed, int number) {
    QRandomGenerator random(seed ^ (static_cast<quint32>(number) * 2654435761U)); // spreads the numbers
    Operation operation{.kind = randomKind(random), .number = number};
    if (operation.kind == Kind::Import) return imported(model, random);
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
    if (operation.kind == Kind::Move)
        operation.text = random.bounded(3) == 0 ? QString() : QStringLiteral("Folder %1").arg(random.bounded(5));
    return operation;
}

} // namespace coterie::test
