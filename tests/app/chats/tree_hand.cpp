// SPDX-License-Identifier: Apache-2.0
// See tree_hand.h. Ids are looked up by plain SQL: chats, and the messages of a chat, are in the model's order. The
// parts are connected as in app/shell/app.cpp.
#include "app/chats/tree_hand.h"

#include "exchange/chat_export.h"
#include "exchange/chat_import.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace coterie::test {

using namespace coterie::app;

namespace {

const QString kModel = QStringLiteral("Guide");

QString failed(const engine::Error& error) { return QString::fromStdString(error.line()); }

template <typename T>
QString failureText(const engine::Result<T>& result) {
    return result ? QString() : failed(result.error());
}

bool goOn(double) { return true; }

engine::Result<std::unique_ptr<engine::Session>> noModel(const engine::OpenOptions&) {
    return engine::Error{engine::ErrorKind::Unsupported, "The model was not opened", "This test has none", "Use none"};
}

} // namespace

TreeHand::TreeHand(const QString& folder) : folder_(folder), worker_(noModel) {
    auto opened = ChatStore::open({.folder = folder, .migrations = {}});
    if (opened && !(*opened)->notice()) store_ = std::move(opened).value();
    if (!store_) return;
    look_ =
        std::make_unique<SQLite::Database>((folder + QStringLiteral("/chats.db")).toStdString(), SQLite::OPEN_READONLY);
    answers_.setStore(store_.get());
    edits_.setStore(store_.get());
    chats_.setStore(store_.get());
    connect(&chats_, &ChatListModel::done, &undo_, &UndoStack::push);
    connect(&chats_, &ChatListModel::removed, &answers_, &AnswerQueue::stopChat);
    connect(&chats_, &ChatListModel::failed, this, [this](const ErrorInfo& error) { failure_ = error.why; });
    connect(&edits_, &ChatEdits::pathChanged, &chats_, &ChatListModel::refresh);
}

qint64 TreeHand::chatId(int chat) {
    SQLite::Statement row(*look_, "SELECT id FROM chats ORDER BY id LIMIT 1 OFFSET ?");
    row.bind(1, chat);
    return chat >= 0 && row.executeStep() ? row.getColumn(0).getInt64() : 0;
}

qint64 TreeHand::messageId(qint64 chat, int message) {
    SQLite::Statement row(*look_, "SELECT id FROM messages WHERE chat = ? ORDER BY id LIMIT 1 OFFSET ?");
    row.bind(1, static_cast<int64_t>(chat));
    row.bind(2, message);
    return message >= 0 && row.executeStep() ? row.getColumn(0).getInt64() : 0;
}

qint64 TreeHand::leafOf(qint64 chat) const {
    const auto state = store_->state(chat);
    return state ? state->leaf : 0;
}

QString TreeHand::send(const Operation& operation) {
    NewTurn turn{.title = operation.text + QStringLiteral(" chat"), .prompt = operation.text, .model = kModel};
    if (operation.chat >= 0) {
        turn.chat = chatId(operation.chat);
        turn.parent = messageId(turn.chat, operation.message);
    }
    const QString file = operation.text + QStringLiteral(" file");
    if (operation.flag)
        turn.files.push_back({.name = QStringLiteral("a.txt"),
                              .mediaType = QStringLiteral("text/plain"),
                              .text = file,
                              .bytes = file.toUtf8()});
    const auto stored = store_->addTurn(turn);
    if (!stored) return failed(stored.error());
    undo_.settle(turn.chat);
    chats_.refresh(stored->chat);
    return {};
}

QString TreeHand::finish(const Operation& operation, qint64 message) {
    auto row = store_->message(message);
    if (!row) return failed(row.error());
    row->parts = textParts(row->text() + operation.text);
    row->state = MessageState::Complete;
    return failureText(store_->finishAnswer(row.value()));
}

QString TreeHand::regenerate(qint64 chat, qint64 prompt) {
    const qint64 before = leafOf(chat);
    const auto answer = store_->addAnswer({.parent = prompt, .model = kModel});
    if (!answer) return failed(answer.error());
    edits_.addBranch(QStringLiteral("Regenerate the answer"), chat, before, answer->id);
    return {};
}

/// Another version of an answer, or of a prompt with its files.
QString TreeHand::edit(const Operation& operation, qint64 chat, qint64 message) {
    const qint64 before = leafOf(chat);
    const auto row = store_->message(message);
    if (!row) return failed(row.error());
    const QString title = QStringLiteral("Edit the message");
    if (row->role != engine::Role::User) {
        const auto version = store_->addVersion(message, textParts(operation.text));
        if (!version) return failed(version.error());
        edits_.addBranch(title, chat, before, version->id);
        return {};
    }
    NewTurn turn{.chat = chat, .title = {}, .prompt = operation.text, .model = kModel, .parent = row->parent};
    for (size_t i = 0; i < row->parts.size(); ++i)
        if (row->parts[i].kind == PartKind::Attachment)
            turn.sameFiles.push_back({.message = message, .part = static_cast<qsizetype>(i)});
    const auto stored = store_->addTurn(turn);
    if (!stored) return failed(stored.error());
    edits_.addBranch(title, chat, before, stored->answer.id);
    return {};
}

QString TreeHand::continueAnswer(qint64 message) {
    const auto row = store_->message(message);
    return row ? failureText(edits_.resume(row.value())) : failed(row.error());
}

/// As the bin does it.
QString TreeHand::restore(qint64 chat, qint64 message) {
    const qint64 before = leafOf(chat);
    const auto restored = store_->restoreMessage(message);
    if (!restored) return failed(restored.error());
    edits_.addRestored(chat, message, before);
    return {};
}

QString TreeHand::restoreChat(qint64 chat) {
    const engine::Status restored = store_->restore(chat);
    if (!restored) return failed(restored.error());
    chats_.addArrived(QStringLiteral("Restore the chat"), {chat});
    return {};
}

QString TreeHand::forgetErased(const engine::Status& erased) {
    if (!erased) return failed(erased.error());
    const auto ids = store_->chatIds(true);
    if (!ids) return failed(ids.error());
    const QSet<qint64> left(ids->begin(), ids->end());
    undo_.dropChats([&left](qint64 chat) { return !left.contains(chat); });
    undo_.dropIdle();
    return {};
}

QString TreeHand::move(qint64 chat, const QString& folder) {
    auto all = store_->folders().list();
    if (!all) return failed(all.error());
    auto found = std::find_if(all->begin(), all->end(), [&](const FolderRow& row) { return row.name == folder; });
    if (!folder.isEmpty() && found == all->end()) {
        const auto made = store_->folders().create(folder);
        if (!made) return failed(made.error());
        chats_.refreshAll();
        chats_.moveToFolder(chat, made->id);
    } else {
        chats_.moveToFolder(chat, folder.isEmpty() ? 0 : found->id);
    }
    return {};
}

QString TreeHand::import(int file) {
    const auto importer = store_->openImporter();
    if (!importer) return failed(importer.error());
    const auto report = importChats(*importer.value(), {.paths = {fileOf(file)}}, goOn);
    if (!report) return failed(report.error());
    if (!report->problems.empty()) return failed(report->problems.front().error);
    chats_.refreshAll();
    if (!report->chats.isEmpty()) chats_.addImported(QStringLiteral("Import 1 chat"), report->chats);
    undo_.dropIdle();
    return {};
}

QString TreeHand::applyToMessage(const Operation& operation, qint64 id) {
    using enum Operation::Kind;
    const qint64 message = messageId(id, operation.message);
    switch (operation.kind) {
    case Finish:
        return finish(operation, message);
    case Regenerate:
        return regenerate(id, message);
    case Edit:
        return edit(operation, id, message);
    case Continue:
        return continueAnswer(message);
    case Delete:
        return failureText(edits_.remove(id, message));
    case Restore:
        return restore(id, message);
    case Erase:
        return forgetErased(store_->eraseMessage(message));
    default:
        return failureText(edits_.show(id, message));
    }
}

QString TreeHand::applyToChat(const Operation& operation, qint64 id) {
    using enum Operation::Kind;
    switch (operation.kind) {
    case Rename:
        chats_.rename(id, operation.text);
        return {};
    case Pin:
        chats_.setPinned(id, operation.flag);
        return {};
    case Move:
        return move(id, operation.text);
    case DeleteChat:
        chats_.remove(id);
        return {};
    case RestoreChat:
        return restoreChat(id);
    case EraseChat:
        return forgetErased(store_->erase(id));
    case Export:
        return failureText(exportJson(
            *store_, {.path = fileOf(operation.number), .chats = {id}, .tree = {.bin = true}, .replace = true}, goOn));
    default:
        return applyToMessage(operation, id);
    }
}

QString TreeHand::apply(const Operation& operation) {
    using enum Operation::Kind;
    failure_.clear();
    switch (operation.kind) {
    case Nothing:
        return {};
    case Undo:
    case Redo:
        moved_ = operation.kind == Undo ? undo_.undo() : undo_.redo();
        return {}; // a failure is one of data that is gone, or the test sees it
    case Send:
        return send(operation);
    case Import:
        return import(operation.file);
    default:
        break;
    }
    const QString failure = applyToChat(operation, chatId(operation.chat));
    return failure.isEmpty() ? failure_ : failure;
}

QString TreeHand::stepDiffers(const Undoable* step, const std::deque<PlainStep>& expected, const PlainModel& model) {
    if (!step || expected.empty())
        return step || !expected.empty()
                   ? QStringLiteral("there is %1 step, not %2").arg(step ? 1 : 0).arg(expected.size())
                   : QString();
    const auto chat = std::find_if(model.chats.begin(), model.chats.end(),
                                   [&](const PlainChat& one) { return one.key == expected.back().chat; });
    const qint64 id = chat == model.chats.end() ? 0 : chatId(static_cast<int>(chat - model.chats.begin()));
    return step->chats == QList<qint64>{id}
               ? QString()
               : QStringLiteral("the step \"%1\" is not of chat %2").arg(step->title).arg(id);
}

QString TreeHand::stepsDiffer(const PlainModel& model) {
    const QString undo = stepDiffers(undo_.toUndo(), model.done, model);
    return undo.isEmpty() ? stepDiffers(undo_.toRedo(), model.undone, model) : undo;
}

} // namespace coterie::test
