// SPDX-License-Identifier: Apache-2.0
// See tree_rows.h. Ids are given in the order of the tree's messages, so that a child's id is greater than its
// parent's.
#include "store/tree_rows.h"

#include "store/chat_folders.h"
#include "store/file_rows.h"
#include "store/message_rows.h"
#include "store/part_rows.h"

#include <QSet>

#include <map>
#include <unordered_map>

namespace coterie::app {
namespace {

using SQLite::Statement;

std::optional<qint64> maybe(const SQLite::Column& column) {
    return column.isNull() ? std::nullopt : std::optional<qint64>(column.getInt64());
}

/// The text of a JSON column: nothing in it is no text.
std::string objectText(const QJsonObject& object) { return object.isEmpty() ? std::string() : jsonOf(object); }

/// Reads the rows of one chat into a tree. Ids become indexes.
class TreeReader {
  public:
    TreeReader(Connection& connection, qint64 chat, const TreeWants& wants)
        : connection_(connection), chat_(chat), wants_(wants) {}

    std::optional<ChatTree> read();

  private:
    bool readChat();
    void readWaiting();
    void readMessages();
    void readParts(qint64 id, TreeMessage& message);
    void readRecords(qint64 id, TreeMessage& message);
    void readUnsent();
    qsizetype fileOf(qint64 message, qint64 place);
    qsizetype keep(Statement& row, int column);
    qsizetype indexOf(qint64 id) const;

    Connection& connection_;
    qint64 chat_;
    TreeWants wants_;
    ChatTree tree_;
    qint64 leaf_ = 0, seen_ = 0, leftOut_ = 0;
    std::vector<qint64> waiting_; ///< ids of the prompts that wait
    std::unordered_map<qint64, qsizetype> indexes_;
    std::map<qint64, qsizetype> files_; ///< indexes in the tree, by id
};

bool TreeReader::readChat() {
    Statement row(
        connection_.db(),
        "SELECT c.uid, c.title, c.created_at, c.updated_at, c.deleted_at, c.pinned, ifnull(f.name, ''), "
        "c.settings, ifnull((SELECT text FROM drafts WHERE chat = c.id), ''), ifnull(c.leaf, 0), c.seen, "
        "c.seen_offset, c.left_out, c.unread FROM chats c LEFT JOIN folders f ON f.id = c.folder WHERE c.id = ?");
    bindAll(row, chat_);
    if (!row.executeStep()) return false;
    tree_.uid = textOf(row.getColumn(0));
    tree_.title = textOf(row.getColumn(1));
    tree_.created = row.getColumn(2).getInt64();
    tree_.updated = row.getColumn(3).getInt64();
    tree_.removed = maybe(row.getColumn(4));
    tree_.pinned = row.getColumn(5).getInt() != 0;
    tree_.folder = textOf(row.getColumn(6));
    tree_.settings = objectOf(row.getColumn(7));
    tree_.draft = textOf(row.getColumn(8));
    leaf_ = row.getColumn(9).getInt64();
    seen_ = row.getColumn(10).getInt64();
    tree_.seenOffset = row.getColumn(11).getDouble();
    leftOut_ = row.getColumn(12).getInt64();
    tree_.unread = row.getColumn(13).getInt() != 0;
    readWaiting();
    return wants_.bin || !tree_.removed;
}

void TreeReader::readWaiting() {
    Statement rows(connection_.db(), "SELECT text, id FROM waiting_prompts WHERE chat = ? ORDER BY id");
    bindAll(rows, chat_);
    while (rows.executeStep()) {
        tree_.waiting.append(textOf(rows.getColumn(0)));
        waiting_.push_back(rows.getColumn(1).getInt64());
    }
}

/// Reads the files of the draft and of the prompts that wait.
void TreeReader::readUnsent() {
    Statement rows(connection_.db(), "SELECT d.text, d.meta, d.waiting, f.id, f.data FROM draft_files d "
                                     "JOIN files f ON f.id = d.file WHERE d.chat = ? ORDER BY d.waiting, d.id");
    bindAll(rows, chat_);
    while (rows.executeStep()) {
        TreeUnsentFile& unsent = tree_.unsent.emplace_back();
        unsent.part = {.kind = PartKind::Attachment,
                       .text = textOf(rows.getColumn(0)),
                       .meta = objectOf(rows.getColumn(1)),
                       .file = keep(rows, 3)};
        const auto prompt = std::find(waiting_.begin(), waiting_.end(), rows.getColumn(2).getInt64());
        unsent.waiting = prompt == waiting_.end() ? -1 : prompt - waiting_.begin();
    }
}

void TreeReader::readMessages() {
    Statement rows(connection_.db(),
                   std::string("SELECT id, ifnull(parent, 0), role, state, created_at, model, statistics, error, "
                               "deleted_at FROM messages WHERE chat = ? ") +
                       (wants_.bin ? "" : "AND hidden = 0 ") + "ORDER BY id");
    bindAll(rows, chat_);
    while (rows.executeStep()) {
        const qint64 id = rows.getColumn(0).getInt64(), parent = rows.getColumn(1).getInt64();
        TreeMessage message{.parent = indexOf(parent)};
        if (parent != 0 && message.parent < 0) continue; // only a damaged file has a child before its parent
        message.role = roleOf(rows.getColumn(2));
        message.state = textOf(rows.getColumn(3));
        if (message.state == QLatin1String("streaming")) message.state = QStringLiteral("stopped");
        message.created = rows.getColumn(4).getInt64();
        message.model = textOf(rows.getColumn(5));
        message.statistics = objectOf(rows.getColumn(6));
        message.error = objectOf(rows.getColumn(7));
        message.removed = maybe(rows.getColumn(8));
        readParts(id, message);
        if (wants_.records) readRecords(id, message);
        indexes_.emplace(id, static_cast<qsizetype>(tree_.messages.size()));
        tree_.messages.push_back(std::move(message));
    }
}

void TreeReader::readParts(qint64 id, TreeMessage& message) {
    Statement rows(connection_.db(), "SELECT place, kind, text, meta FROM parts WHERE message = ? ORDER BY place");
    bindAll(rows, id);
    while (rows.executeStep()) {
        TreePart part;
        part.kind = partKindFrom(textOf(rows.getColumn(1))).value_or(PartKind::Text);
        part.text = textOf(rows.getColumn(2));
        part.meta = objectOf(rows.getColumn(3));
        if (part.kind == PartKind::Attachment && wants_.files) part.file = fileOf(id, rows.getColumn(0).getInt64());
        message.parts.push_back(std::move(part));
    }
}

qsizetype TreeReader::fileOf(qint64 message, qint64 place) {
    Statement row(connection_.db(), "SELECT f.id, f.data FROM attachments a JOIN files f ON f.id = a.file "
                                    "WHERE a.message = ? AND a.place = ?");
    bindAll(row, message, place);
    return row.executeStep() ? keep(row, 0) : -1;
}

/// Returns the index of the file whose id is in this column and whose bytes are in the next one.
qsizetype TreeReader::keep(Statement& row, int column) {
    const qint64 id = row.getColumn(column).getInt64();
    const auto [known, added] = files_.emplace(id, static_cast<qsizetype>(tree_.files.size()));
    if (added) tree_.files.push_back(bytesOf(row.getColumn(column + 1)));
    return known->second;
}

void TreeReader::readRecords(qint64 id, TreeMessage& message) {
    for (const RecordKind kind : {RecordKind::Tokens, RecordKind::Trace}) {
        Statement row(connection_.db(),
                      "SELECT version, created_at, data FROM " + recordTable(kind) + " WHERE message = ?");
        bindAll(row, id);
        if (row.executeStep())
            message.records.push_back({.kind = kind,
                                       .version = row.getColumn(0).getInt(),
                                       .created = row.getColumn(1).getInt64(),
                                       .bytes = bytesOf(row.getColumn(2))});
    }
}

qsizetype TreeReader::indexOf(qint64 id) const {
    const auto found = indexes_.find(id);
    return found == indexes_.end() ? -1 : found->second;
}

std::optional<ChatTree> TreeReader::read() {
    if (!readChat()) return std::nullopt;
    readMessages();
    if (wants_.files) readUnsent();
    tree_.leaf = indexOf(leaf_);
    tree_.seen = indexOf(seen_);
    tree_.leftOut = indexOf(leftOut_);
    if (tree_.seen < 0) tree_.seenOffset = 0;
    return std::move(tree_);
}

/// Writes a tree as rows.
class TreeWriter {
  public:
    TreeWriter(SQLite::Database& database, const ChatTree& tree) : db_(database), tree_(tree) {}

    qint64 write(const QString& uid);

  private:
    void writeChat(const QString& uid);
    void writeMessages();
    void writeParts(qint64 id, const TreeMessage& message);
    void writeRecords(qint64 id, const TreeMessage& message);
    qint64 folder();

    /// A message that was written.
    struct Written {
        qint64 id = 0, depth = 0;
        bool hidden = false;
    };

    SQLite::Database& db_;
    const ChatTree& tree_;
    qint64 chat_ = 0;
    std::vector<Written> written_;
    std::vector<qint64> files_;
};

qint64 TreeWriter::folder() {
    if (tree_.folder.simplified().isEmpty()) return 0;
    addFolders(db_, {tree_.folder});
    Statement row(db_, "SELECT id FROM folders WHERE key = ?");
    bindAll(row, folderKey(tree_.folder.simplified()));
    return row.executeStep() ? row.getColumn(0).getInt64() : 0;
}

void TreeWriter::writeChat(const QString& uid) {
    run(db_,
        "INSERT INTO chats(uid, title, created_at, updated_at, pinned, unread, folder, settings, seen_offset) "
        "VALUES (nullif(?, ''), ?, ?, ?, ?, ?, nullif(?, 0), ?, ?)",
        uid, tree_.title, tree_.created, tree_.updated, qint64{tree_.pinned}, qint64{tree_.unread}, folder(),
        objectText(tree_.settings), tree_.seenOffset);
    chat_ = db_.getLastInsertRowid();
    if (tree_.removed) run(db_, "UPDATE chats SET deleted_at = ? WHERE id = ?", *tree_.removed, chat_);
    std::vector<qint64> waiting;
    for (const QString& prompt : tree_.waiting) {
        run(db_, "INSERT INTO waiting_prompts(chat, text) VALUES (?, ?)", chat_, prompt);
        waiting.push_back(db_.getLastInsertRowid());
    }
    for (const auto& [part, prompt] : tree_.unsent) {
        if (part.file < 0) continue; // a file without bytes can't be sent
        run(db_, "INSERT INTO draft_files(chat, text, meta, file, waiting) VALUES (?, ?, ?, ?, ?)", chat_, part.text,
            objectText(part.meta), files_[static_cast<size_t>(part.file)],
            prompt < 0 ? qint64{0} : waiting[static_cast<size_t>(prompt)]);
    }
    if (!tree_.draft.isEmpty()) run(db_, "INSERT INTO drafts(chat, text) VALUES (?, ?)", chat_, tree_.draft);
}

void TreeWriter::writeMessages() {
    Statement insert(db_,
                     "INSERT INTO messages(chat, parent, role, state, created_at, model, statistics, error, depth, "
                     "hidden) VALUES (?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const TreeMessage& message : tree_.messages) {
        const Written parent =
            message.parent < 0 ? Written{.depth = -1} : written_[static_cast<size_t>(message.parent)];
        Written row{.depth = parent.depth + 1, .hidden = parent.hidden || message.removed.has_value()};
        bindAll(insert, chat_, parent.id, std::string(engine::roleName(message.role)), message.state, message.created,
                message.model, objectText(message.statistics), objectText(message.error), row.depth,
                qint64{row.hidden});
        insert.exec();
        insert.reset();
        row.id = db_.getLastInsertRowid();
        if (message.removed) run(db_, "UPDATE messages SET deleted_at = ? WHERE id = ?", *message.removed, row.id);
        writeParts(row.id, message);
        writeRecords(row.id, message);
        written_.push_back(row);
    }
}

void TreeWriter::writeParts(qint64 id, const TreeMessage& message) {
    Statement insert(db_, "INSERT INTO parts(message, place, kind, text, meta) VALUES (?, ?, ?, ?, ?)");
    for (size_t place = 0; place < message.parts.size(); ++place) {
        const TreePart& part = message.parts[place];
        bindAll(insert, id, static_cast<qint64>(place), partKindName(part.kind), part.text, objectText(part.meta));
        insert.exec();
        insert.reset();
        if (part.file >= 0) attach(db_, id, place, files_[static_cast<size_t>(part.file)]);
    }
}

void TreeWriter::writeRecords(qint64 id, const TreeMessage& message) {
    for (const TreeRecord& record : message.records)
        run(db_,
            "INSERT OR REPLACE INTO " + recordTable(record.kind) +
                "(message, version, created_at, size, data) VALUES (?, ?, ?, ?, ?)",
            id, qint64{record.version}, record.created, static_cast<qint64>(record.bytes.size()), record.bytes);
}

qint64 TreeWriter::write(const QString& uid) {
    for (const QByteArray& file : tree_.files) files_.push_back(keepFile(db_, file));
    writeChat(uid);
    writeMessages();
    const auto idOf = [&](qsizetype index) { return index < 0 ? 0 : written_[static_cast<size_t>(index)].id; };
    const bool leafShown = tree_.leaf >= 0 && !written_[static_cast<size_t>(tree_.leaf)].hidden;
    run(db_, "UPDATE chats SET leaf = nullif(?, 0), seen = ?, left_out = ? WHERE id = ?",
        leafShown ? idOf(tree_.leaf) : qint64{0}, idOf(tree_.seen), idOf(tree_.leftOut), chat_);
    index(db_, IndexChange::ChatsIn, "id = ?", chat_);
    index(db_, IndexChange::MessagesIn, "m.chat = ?", chat_);
    return chat_;
}

/// Whether the chat has all of these messages, deleted ones included.
bool hasAll(Connection& connection, qint64 chat, const std::vector<QByteArray>& messages) {
    const std::optional<ChatTree> tree = readTree(connection, chat, {.bin = true, .files = false});
    if (!tree) return false;
    const std::vector<QByteArray> there = messageHashes(*tree);
    const QSet<QByteArray> known(there.begin(), there.end());
    return std::all_of(messages.begin(), messages.end(), [&](const QByteArray& one) { return known.contains(one); });
}

struct Present {
    qint64 chat = 0; ///< 0: there is none
    bool removed = false;
};

Present chatWith(SQLite::Database& database, const QString& uid) {
    Statement row(database, "SELECT id, deleted_at IS NOT NULL FROM chats WHERE uid = ?");
    bindAll(row, uid);
    if (uid.isEmpty() || !row.executeStep()) return {};
    return {.chat = row.getColumn(0).getInt64(), .removed = row.getColumn(1).getInt() != 0};
}

} // namespace

std::optional<ChatTree> readTree(Connection& connection, qint64 chat, const TreeWants& wants) {
    return TreeReader(connection, chat, wants).read();
}

std::vector<qint64> allChats(SQLite::Database& database, bool bin) {
    Statement rows(database,
                   std::string("SELECT id FROM chats ") + (bin ? "" : "WHERE deleted_at IS NULL ") + "ORDER BY id");
    std::vector<qint64> ids;
    while (rows.executeStep()) ids.push_back(rows.getColumn(0).getInt64());
    return ids;
}

AddedChat addTree(Connection& connection, const ChatTree& tree, IfPresent present) {
    using enum AddedChat::Outcome;
    SQLite::Database& db = connection.db();
    const auto add = [&](const QString& uid, AddedChat::Outcome outcome) {
        return AddedChat{.chat = TreeWriter(db, tree).write(uid), .outcome = outcome};
    };
    Present same = chatWith(db, tree.uid);
    if (same.chat == 0) return add(tree.uid, Added);
    if (present == IfPresent::Copy) return add({}, Added);
    const std::vector<QByteArray> messages = messageHashes(tree);
    // A copy that an earlier import has added beside the chat may be in the bin, or lack messages, as the chat may.
    for (QString uid = tree.uid; !hasAll(connection, same.chat, messages); same = chatWith(db, uid)) {
        uid = uidBeside(uid, messages);
        if (chatWith(db, uid).chat == 0) return add(uid, Beside);
    }
    if (!same.removed || tree.removed) return {.chat = same.chat, .outcome = AlreadyThere};
    run(db, "UPDATE chats SET deleted_at = NULL WHERE id = ?", same.chat);
    return {.chat = same.chat, .outcome = Restored};
}

void addFolders(SQLite::Database& database, const QStringList& names) {
    for (const QString& name : names) {
        const QString clean = name.simplified();
        if (clean.isEmpty()) continue;
        run(database,
            "INSERT OR IGNORE INTO folders(name, key, place) SELECT ?, ?, ifnull(max(place) + 1, 0) FROM folders",
            clean, folderKey(clean));
    }
}

} // namespace coterie::app
