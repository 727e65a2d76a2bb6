// SPDX-License-Identifier: Apache-2.0
// See old_chats.h. Version 1 kept an answer as one text with tags; they are written here by hand, not by the store.
#include "app/store/old_chats.h"

#include "store/schema.h"

#include <QRandomGenerator>

#include <array>

namespace coterie::test {
namespace {

const std::array<const char*, 3> kWords{"thought", "answer", "question"};

std::string some(QRandomGenerator& random, const char* word, int64_t id) {
    static const std::array<const char*, 6> kTails{"plain",
                                                   "two\n\nparagraphs",
                                                   "caf\xc3\xa9 e\xcc\x81",
                                                   "\xf0\x9f\x98\x80 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
                                                   "'quoted' \"twice\"; --",
                                                   "```cpp\nint x = 1 < 2;\n```"};
    std::string text = word + std::string(" ") + std::to_string(id) + " " +
                       kTails[static_cast<size_t>(random.bounded(static_cast<int>(kTails.size())))];
    return text + std::string(static_cast<size_t>(random.bounded(600)), 'x') + ".";
}

/// The parts of an answer: a thought, text, a call or code, and more text, as the number says.
std::vector<PlainPart> answerParts(QRandomGenerator& random, int64_t id) {
    std::vector<PlainPart> parts;
    if (id % 3 == 0) parts.push_back({"thought", some(random, "thought", id), ""});
    parts.push_back({"text", some(random, "answer", id), ""});
    if (id % 5 == 0) parts.push_back({"call", "", R"({"arguments":"{\"zone\":\"UTC\"}","tool":"get_time"})"});
    if (id % 7 == 0) parts.push_back({"call", "", R"json({"code":"print(1 < 2)"})json"});
    if (id % 5 == 0 || id % 7 == 0) parts.push_back({"text", some(random, "answer", id), ""});
    return parts;
}

std::string tagged(const std::vector<PlainPart>& parts) {
    std::string text;
    for (const PlainPart& part : parts) {
        if (part.kind == "thought")
            text += "<think>\n" + part.text + "\n</think>\n\n";
        else if (part.meta.find("get_time") != std::string::npos)
            text += "\n<tool_call>\n{\"name\":\"get_time\",\"arguments\":{\"zone\":\"UTC\"}}\n</tool_call>\n";
        else if (part.kind == "call")
            text += "\n<tool_call>\n{\"name\":\"python\",\"arguments\":{\"code\":\"print(1 < 2)\"}}\n</tool_call>\n";
        else
            text += part.text;
    }
    return text;
}

/// Writes one message with its parts as the version keeps them.
class Writer {
  public:
    Writer(SQLite::Database& database, int version) : database_(database), version_(version) {}

    void message(int64_t id, int64_t chat, int64_t parent, const char* role, const std::vector<PlainPart>& parts) {
        const std::string columns = version_ == 1 ? ", text" : "";
        SQLite::Statement insert(database_, "INSERT INTO messages(id, chat, parent, role, state, created_at, model, "
                                            "statistics, error" +
                                                columns + ") VALUES (?, ?, nullif(?, 0), ?, ?, ?, ?, ?, ?" +
                                                (version_ == 1 ? ", ?)" : ")"));
        insert.bind(1, id);
        insert.bind(2, chat);
        insert.bind(3, parent);
        insert.bind(4, role);
        insert.bind(5, id % 4 == 0 ? "stopped" : "complete");
        insert.bind(6, 1700000000000 + id);
        insert.bind(7, id % 2 == 0 ? "Model " + std::to_string(id % 3) : "");
        insert.bind(8, id % 2 == 0 ? R"({"tokens":3,"tokensPerSecond":1.5})" : "");
        insert.bind(9, id % 9 == 0 ? R"({"action":"c","what":"a","why":"b"})" : "");
        if (version_ == 1) insert.bind(10, tagged(parts));
        insert.exec();
        for (size_t i = 0; i < parts.size() && version_ > 1; ++i) {
            SQLite::Statement part(database_, "INSERT INTO parts VALUES (?, ?, ?, ?, ?)");
            part.bind(1, id);
            part.bind(2, static_cast<int64_t>(i));
            part.bind(3, parts[i].kind);
            part.bind(4, parts[i].text);
            part.bind(5, parts[i].meta);
            part.exec();
        }
    }

  private:
    SQLite::Database& database_;
    int version_;
};

/// Adds one chat: a few turns, some of which have a second branch. Returns the parts of each message.
std::map<int64_t, std::vector<PlainPart>> addChat(SQLite::Database& db, int version, int64_t chat, int64_t& next) {
    QRandomGenerator random(static_cast<quint32>(chat));
    std::map<int64_t, std::vector<PlainPart>> all;
    Writer writer(db, version);
    SQLite::Statement insert(db,
                             "INSERT INTO chats(id, title, created_at, updated_at, deleted_at) VALUES (?, ?, ?, ?, ?)");
    insert.bind(1, chat);
    insert.bind(2, some(random, "title", chat));
    insert.bind(3, 1600000000000 + chat);
    insert.bind(4, 1600000000000 + 2 * chat);
    if (chat % 20 == 0) insert.bind(5, 1600000000000 + 3 * chat);
    insert.exec();
    int64_t parent = 0;
    for (int turn = 1 + random.bounded(3); turn > 0; --turn) {
        const int64_t above = parent;
        for (int branch = 1 + (next % 4 == 0); branch > 0; --branch) {
            all[next] = {{"text", some(random, "question", next), ""}};
            writer.message(next, chat, above, "user", all[next]);
            all[next + 1] = answerParts(random, next + 1);
            writer.message(next + 1, chat, next, "assistant", all[next + 1]);
            parent = next + 1;
            next += 2;
        }
    }
    SQLite::Statement leaf(db, "UPDATE chats SET leaf = ? WHERE id = ?");
    leaf.bind(1, parent);
    leaf.bind(2, chat);
    leaf.exec();
    return all;
}

std::string row(SQLite::Statement& statement, int first) {
    std::string line;
    for (int i = first; i < statement.getColumnCount(); ++i) line += statement.getColumn(i).getString() + "|";
    return line;
}

} // namespace

PlainChats makeOldChats(const std::string& path, int version) {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("PRAGMA journal_mode = WAL");
    app::migrate(db, app::schemaMigrations().first(static_cast<size_t>(version)));
    SQLite::Transaction transaction(db);
    std::map<int64_t, std::vector<PlainPart>> parts;
    int64_t next = 1;
    for (int64_t chat = 1; chat <= kOldChats; ++chat) parts.merge(addChat(db, version, chat, next));
    if (version > 2)
        db.exec("WITH RECURSIVE found(id, depth) AS (SELECT id, 0 FROM messages WHERE parent IS NULL UNION ALL "
                "SELECT m.id, found.depth + 1 FROM messages m JOIN found ON m.parent = found.id) "
                "UPDATE messages SET depth = found.depth FROM found WHERE found.id = messages.id");
    db.exec("INSERT INTO chat_search(chat_search) VALUES ('rebuild')");
    db.exec("INSERT INTO message_search(message_search) VALUES ('rebuild')");
    transaction.commit();
    PlainChats made;
    SQLite::Statement chats(db, "SELECT id, title, created_at, updated_at, deleted_at, leaf FROM chats ORDER BY id");
    while (chats.executeStep()) made.chats.push_back(row(chats, 0));
    SQLite::Statement rows(db,
                           "SELECT id, chat, parent, role, state, created_at, model, statistics, error FROM messages");
    while (rows.executeStep()) made.messages[rows.getColumn(0).getInt64()] = row(rows, 1);
    for (const auto& [id, list] : parts) {
        for (const PlainPart& part : list)
            for (const char* word : kWords)
                if (part.kind == "text" && part.text.starts_with(word) &&
                    (made.search[word].empty() || made.search[word].back() != id))
                    made.search[word].push_back(id);
    }
    made.search["thought"]; // no thought is in the index
    made.parts = std::move(parts);
    return made;
}

PlainChats readPlain(SQLite::Database& db) {
    PlainChats found;
    SQLite::Statement chats(db, "SELECT id, title, created_at, updated_at, deleted_at, leaf FROM chats ORDER BY id");
    while (chats.executeStep()) found.chats.push_back(row(chats, 0));
    SQLite::Statement rows(db,
                           "SELECT id, chat, parent, role, state, created_at, model, statistics, error FROM messages");
    while (rows.executeStep()) found.messages[rows.getColumn(0).getInt64()] = row(rows, 1);
    SQLite::Statement parts(db, "SELECT message, kind, text, meta FROM parts ORDER BY message, place");
    while (parts.executeStep())
        found.parts[parts.getColumn(0).getInt64()].push_back(
            {parts.getColumn(1).getString(), parts.getColumn(2).getString(), parts.getColumn(3).getString()});
    for (const char* word : kWords) {
        SQLite::Statement hits(db, "SELECT rowid FROM message_search WHERE message_search MATCH ? ORDER BY rowid");
        hits.bind(1, word);
        std::vector<int64_t>& list = found.search[word];
        while (hits.executeStep()) list.push_back(hits.getColumn(0).getInt64());
    }
    return found;
}

QStringList readVersion1(SQLite::Database& db) {
    QStringList lines;
    SQLite::Statement rows(db, "SELECT id, chat, parent, role, state, created_at, model, statistics, error, text "
                               "FROM messages ORDER BY id");
    while (rows.executeStep()) lines.append(QString::fromStdString(row(rows, 0)));
    return lines;
}

} // namespace coterie::test
