// SPDX-License-Identifier: Apache-2.0
// Version 1: chats, messages as a tree, and two full-text indexes. The store keeps the indexes itself: before 3.41,
// SQLite lets no trigger change a virtual table if the schema isn't trusted.
// Version 2: a message is a list of parts. Only text parts are searched, through a view that the index reads.
// Version 3: messages can be deleted and restored, chats have folders, settings and drafts, and files, token records
// and traces are kept.
// Version 4: each chat has a uid, which stays the same in an export and wherever that is imported.
// Version 5: a chat can leave its oldest messages out of what the model sees, and prompts can wait.
// Version 6: chats can be unread, and folders folded.
// Version 7: files are attached to drafts.
// Version 8: prompts wait with their files.
// Version 9: texts of messages that are being edited are kept.
#include "store/schema.h"

#include "store/part_rows.h"
#include "store/tagged_answer.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <array>
#include <string>

namespace coterie::app {
namespace {

// Times are milliseconds since 1970, UTC. messages.parent has no cascade of its own, because a long chat would nest too
// deep. All messages of a chat are deleted with it, and deferred constraints are checked at the end of the transaction.
constexpr const char* kVersion1 = R"sql(
PRAGMA application_id = 1131377765;
CREATE TABLE chats (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    leaf INTEGER REFERENCES messages(id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX chats_by_time ON chats(updated_at);
CREATE INDEX chats_by_leaf ON chats(leaf);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat INTEGER NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    parent INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,
    role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    state TEXT NOT NULL CHECK (state IN ('complete', 'streaming', 'stopped', 'failed')),
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    statistics TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX messages_by_chat ON messages(chat);
CREATE INDEX messages_by_parent ON messages(parent);
CREATE INDEX messages_streaming ON messages(state) WHERE state = 'streaming';

CREATE VIRTUAL TABLE chat_search USING fts5(title, content='chats', content_rowid='id',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3');
CREATE VIRTUAL TABLE message_search USING fts5(text, content='messages', content_rowid='id',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3');
)sql";
static_assert(kApplicationId == 1131377765, "the number above");

// The index of version 1 is dropped before its table loses the column that it reads.
constexpr const char* kVersion2 = R"sql(
CREATE TABLE parts (
    message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('text', 'thought', 'call', 'result')),
    text TEXT NOT NULL,
    meta TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;
CREATE VIEW message_texts(id, text) AS SELECT id, ifnull((SELECT group_concat(text, char(10, 10)) FROM
    (SELECT text FROM parts WHERE message = messages.id AND kind = 'text' ORDER BY place)), '') FROM messages;
DROP TABLE message_search;
)sql";

constexpr const char* kVersion2Search = R"sql(
ALTER TABLE messages DROP COLUMN text;
CREATE VIRTUAL TABLE message_search USING fts5(text, content='message_texts', content_rowid='id',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3');
INSERT INTO message_search(rowid, text)
    SELECT t.id, t.text FROM message_texts t JOIN messages m ON m.id = t.id WHERE m.state <> 'streaming';
)sql";

// A deleted message hides its subtree: deleted_at is set in the message alone, `hidden` in it and in everything below
// it, so that no query has to look at ancestors. A hidden message is in no full-text index. depth counts the ancestors.
// chats.seen is a message id without a reference, because a lost place in the text is no damage. folders.key is the
// name as names are compared: SQLite knows the cases of ASCII letters only. Chat 0 has the draft of a chat that does
// not exist yet. A file's bytes are stored once (`hash` is their SHA-256), also if several messages have the file. The
// indexes by age hold all that is needed to sum up sizes, so that no page with data is read for it.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE folders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    place INTEGER NOT NULL
) STRICT;
ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN folder INTEGER REFERENCES folders(id) ON DELETE SET NULL;
ALTER TABLE chats ADD COLUMN settings TEXT NOT NULL DEFAULT '';
ALTER TABLE chats ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN seen_offset REAL NOT NULL DEFAULT 0;
CREATE INDEX chats_by_folder ON chats(folder) WHERE folder IS NOT NULL;
CREATE TABLE drafts (chat INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;

ALTER TABLE messages ADD COLUMN deleted_at INTEGER;
ALTER TABLE messages ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_first ON messages(chat) WHERE parent IS NULL;
CREATE INDEX messages_deleted ON messages(deleted_at) WHERE deleted_at IS NOT NULL;
WITH RECURSIVE found(id, depth) AS (SELECT id, 0 FROM messages WHERE parent IS NULL
    UNION ALL SELECT m.id, found.depth + 1 FROM messages m JOIN found ON m.parent = found.id AND m.id > found.id)
UPDATE messages SET depth = found.depth FROM found WHERE found.id = messages.id;

DROP VIEW message_texts;
ALTER TABLE parts RENAME TO parts_of_version_2;
CREATE TABLE parts (
    message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('text', 'thought', 'call', 'result', 'attachment')),
    text TEXT NOT NULL,
    meta TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;
INSERT INTO parts SELECT message, place, kind, text, meta FROM parts_of_version_2;
DROP TABLE parts_of_version_2;
CREATE VIEW message_texts(id, text) AS SELECT id, ifnull((SELECT group_concat(text, char(10, 10)) FROM
    (SELECT text FROM parts WHERE message = messages.id AND kind = 'text' ORDER BY place)), '') FROM messages;

CREATE TABLE files (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, data BLOB NOT NULL) STRICT;
CREATE TABLE attachments (
    message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    file INTEGER NOT NULL REFERENCES files(id),
    PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_by_file ON attachments(file);
CREATE TABLE token_records (
    message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX token_records_by_age ON token_records(created_at, message, size);
CREATE TABLE traces (
    message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX traces_by_age ON traces(created_at, message, size);
)sql";

// The trigger gives every new chat a uid, whoever adds it.
constexpr const char* kVersion4 = R"sql(
ALTER TABLE chats ADD COLUMN uid TEXT;
UPDATE chats SET uid = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX chats_by_uid ON chats(uid);
CREATE TRIGGER chats_get_uid AFTER INSERT ON chats WHEN new.uid IS NULL BEGIN
    UPDATE chats SET uid = lower(hex(randomblob(16))) WHERE id = new.id;
END;
)sql";

// chats.left_out is a message id without a reference: if that message is gone, nothing is left out. AUTOINCREMENT
// keeps the order of prompts when one that was removed is put back.
constexpr const char* kVersion5 = R"sql(
ALTER TABLE chats ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
CREATE TABLE waiting_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat INTEGER NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX waiting_prompts_by_chat ON waiting_prompts(chat);
)sql";

constexpr const char* kVersion6 = R"sql(
ALTER TABLE chats ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
ALTER TABLE folders ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
)sql";

// Chat 0 has the files of a chat that does not exist yet. AUTOINCREMENT keeps the order of files when one that was
// removed is put back.
constexpr const char* kVersion7 = R"sql(
CREATE TABLE draft_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat INTEGER NOT NULL,
    text TEXT NOT NULL,
    meta TEXT NOT NULL,
    file INTEGER NOT NULL REFERENCES files(id)
) STRICT;
CREATE INDEX draft_files_by_chat ON draft_files(chat);
CREATE INDEX draft_files_by_file ON draft_files(file);
)sql";

// The waiting prompt that has the file; 0: the draft of its chat has it.
constexpr const char* kVersion8 = R"sql(
ALTER TABLE draft_files ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
)sql";

// A text that is being edited goes with its message.
constexpr const char* kVersion9 = R"sql(
CREATE TABLE edits (
    message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;
)sql";

void splitIntoParts(SQLite::Database& database) {
    SQLite::Statement messages(database, "SELECT id, role, text FROM messages WHERE text <> ''");
    while (messages.executeStep()) {
        const QString text = QString::fromStdString(messages.getColumn(2).getString());
        const bool answer = messages.getColumn(1).getString() == "assistant";
        insertParts(database, messages.getColumn(0).getInt64(), answer ? partsOfTaggedAnswer(text) : textParts(text));
    }
    messages.reset();
    database.exec(kVersion2Search);
}

constexpr std::array<Migration, 9> kMigrations{{{1, kVersion1},
                                                {2, kVersion2, splitIntoParts},
                                                {3, kVersion3},
                                                {4, kVersion4},
                                                {5, kVersion5},
                                                {6, kVersion6},
                                                {7, kVersion7},
                                                {8, kVersion8},
                                                {9, kVersion9}}};

} // namespace

std::span<const Migration> schemaMigrations() { return kMigrations; }

int schemaVersion(SQLite::Database& database) { return database.execAndGet("PRAGMA user_version").getInt(); }

void migrate(SQLite::Database& database, std::span<const Migration> migrations) {
    const int version = schemaVersion(database);
    for (const Migration& step : migrations) {
        if (step.to <= version) continue;
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        database.exec(step.sql);
        if (step.convert) step.convert(database);
        database.exec("PRAGMA user_version = " + std::to_string(step.to));
        transaction.commit();
    }
}

} // namespace coterie::app
