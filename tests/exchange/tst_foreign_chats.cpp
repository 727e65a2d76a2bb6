// SPDX-License-Identifier: Apache-2.0
// Imports of other programs' chats, from files as those programs write them and from hostile ones: branches, odd roles,
// empty messages, circles, missing ids, wrong types. Errors are in words, and nothing crashes.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "exchange/chat_import.h"
#include "exchange/foreign_chats.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QtEndian>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

engine::Result<ImportReport> import(StoreOnDisk& store, const QStringList& paths) {
    const auto importer = store->openImporter();
    if (!importer) return importer.error();
    return importChats(*importer.value(), {.paths = paths}, [](double) { return true; });
}

engine::Result<ImportReport> import(StoreOnDisk& store, const QString& path) {
    return import(store, QStringList{path});
}

QString sample(const char* name) { return QStringLiteral(SAMPLES "/") + QLatin1String(name); }

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The tree, one line for each message: "number < parent, role, model: kind text | kind text".
QStringList described(const ChatTree& tree) {
    QStringList lines;
    for (size_t i = 0; i < tree.messages.size(); ++i) {
        const TreeMessage& message = tree.messages[i];
        QStringList parts;
        for (const TreePart& part : message.parts) {
            const MessagePart fields = messagePart(part);
            const QString more = fields.tool + fields.arguments + fields.name;
            parts.append(partKindName(part.kind) + QLatin1Char(' ') + more + part.text);
        }
        QString line =
            QStringLiteral("%1 < %2, %3, %4: %5")
                .arg(i + 1)
                .arg(message.parent + 1)
                .arg(QLatin1String(engine::roleName(message.role)), message.model, parts.join(QStringLiteral(" | ")));
        if (message.state != QLatin1String("complete")) line += QStringLiteral(" (%1)").arg(message.state);
        if (static_cast<qsizetype>(i) == tree.leaf) line += QStringLiteral(" *");
        lines.append(line);
    }
    return lines;
}

QStringList firstChat(StoreOnDisk& store) {
    const auto ids = store->chatIds(false);
    return ids && !ids->empty() ? described(store->tree(ids->front(), {}).value()) : QStringList();
}

QJsonObject json(const char* text) { return QJsonDocument::fromJson(text).object(); }

struct ArchivedFile {
    QByteArray name, data;
};

/// A zip archive with files that are stored as they are.
QByteArray zipped(const std::vector<ArchivedFile>& files) {
    const auto number = [](qsizetype value, int bytes) {
        const quint32 little = qToLittleEndian(static_cast<quint32>(value));
        return QByteArray(reinterpret_cast<const char*>(&little), bytes);
    };
    const auto count = static_cast<qsizetype>(files.size());
    QByteArray local, directory;
    for (const auto& [name, data] : files) {
        const QByteArray facts = number(0, 4) + number(0, 4) + number(data.size(), 4) + number(data.size(), 4) +
                                 number(name.size(), 2) + number(0, 2);
        directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 4) + facts + number(0, 2) + number(0, 2) +
                     number(0, 2) + number(0, 4) + number(local.size(), 4) + name;
        local += "PK\x03\x04" + number(20, 2) + number(0, 4) + facts + name + data;
    }
    return local + directory + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) +
           number(directory.size(), 4) + number(local.size(), 4) + number(0, 2);
}

QByteArray zipped(const QByteArray& name, const QByteArray& data) { return zipped({{name, data}}); }

} // namespace

class TestForeignChats : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void chatGpt();
    void chatGptInsideItsZip();
    void chatGptWithoutItsFiles();
    void chatGptWithItsSources();
    void lmStudio();
    void lmStudioWithMore();
    void lmStudioInFolders();
    void jan();
    void janWithBranches();
    void janKeepsVersions();
    void janExport();
    void janWithFilesAndCalls();
    void linesOfAnotherName();
    void llamaWeb();
    void llamaLines();
    void llamaSessionsInOneFile();
    void damagedLinesCostOneSession();
    void archivesOfLines();
    void llamaWithTools();
    void missingTimes();
    void wholeFolders();
    void zipsInAFolder();
    void severalFiles();
    void againAddsNothing();
    void damagedFilesHarmNothing();
    void largeAndDeepOnesEnd();

  private:
    /// Writes a file, and the folders in which it is.
    QString write(const QString& name, const QByteArray& bytes) const {
        const QString path = folder_.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
    }

    QTemporaryDir folder_;
};

void TestForeignChats::chatGpt() {
    StoreOnDisk store;
    const auto report = import(store, sample("chatgpt.json"));
    VERIFY_OK(report);
    QCOMPARE(report->source, ChatSource::ChatGpt);
    QCOMPARE(report->found, 4);
    QCOMPARE(report->added(), 2);
    QCOMPARE(report->failed, 2);
    QCOMPARE(report->notes, 1);
    QCOMPARE(report->problems[0].title, QStringLiteral("Only a system message"));
    QVERIFY(report->problems[1].error.line().find("circle") != std::string::npos);
    const ChatRow chat = store->chats()->front();
    QCOMPARE(chat.title, QStringLiteral("Sorting"));
    QCOMPARE(chat.updated.toMSecsSinceEpoch(), 1700000900500);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text [a picture that was not imported: list.png]\n\nSort these"),
        QStringLiteral("2 < 1, assistant, gpt-4o: text An older answer"),
        QStringLiteral("3 < 1, assistant, o3: thought Plan\nUse a tool.\n\nThen answer. | "
                       "call pythonsorted([3, 1])"),
        QStringLiteral("4 < 3, tool, : result python[1, 3]"),
        QStringLiteral("5 < 4, assistant, o3: text 1, 3 (stopped) *")};
    QCOMPARE(firstChat(store), expected);
    const QStringList odd{QStringLiteral("1 < 0, user, : text Lost parent\n\nmore"),
                          QStringLiteral("2 < 1, assistant, : text Still an answer *")};
    QCOMPARE(described(store->tree(store->chatIds(false)->back(), {}).value()), odd);
}

void TestForeignChats::chatGptInsideItsZip() {
    StoreOnDisk store;
    const QString path = folder_.filePath(QStringLiteral("export.zip"));
    const QByteArray whole = zipped("export/conversations.json", contents(sample("chatgpt.json")));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(whole);
    file.close();
    const auto report = import(store, path);
    VERIFY_OK(report);
    QCOMPARE(report->added(), 2);
    for (const qsizetype cut : {qsizetype{4}, qsizetype{22}, whole.size() / 2, whole.size() - 1}) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(whole.left(cut));
        file.close();
        const auto refused = import(store, path);
        QVERIFY(!refused);
        VERIFY_THREE_PARTS(refused.error());
    }
}

void TestForeignChats::chatGptWithoutItsFiles() {
    const auto chat = chatFromChatGpt(json(R"({"title": "Voice", "is_starred": true, "current_node": "g", "mapping": {
        "a": {"message": {"author": {"role": "user"}, "create_time": 1, "content": {"parts": [
            {"content_type": "audio_transcription", "text": "Hello"},
            {"content_type": "real_time_user_audio_video_asset_pointer", "video_container_asset_pointer": null,
             "frames_asset_pointers": [], "audio_asset_pointer": {"asset_pointer": "sediment://file_1"}}]}}},
        "b": {"parent": "a", "message": {"author": {"role": "assistant"}, "create_time": 2, "content": {"parts": [
            {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_2"}]}}},
        "c": {"parent": "b", "message": {"author": {"role": "user"}, "create_time": 3,
            "metadata": {"attachments": [{"id": "file_3", "name": "clip.mp4"}, {"id": "file_4", "name": "notes.pdf"}]},
            "content": {"parts": [
            {"content_type": "real_time_user_audio_video_asset_pointer", "frames_asset_pointers": [{}]},
            {"content_type": "video_container_asset_pointer", "asset_pointer": "sediment://file_3"},
            {"content_type": "some_asset_pointer", "asset_pointer": "sediment://file_5"}]}}},
        "d": {"parent": "c", "message": {"author": {"role": "tool", "name": "dalle.text2im"}, "create_time": 4,
            "content": {"parts": [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_6"}]}}},
        "e": {"parent": "d", "message": {"author": {"role": "tool", "name": "computer"}, "create_time": 5,
            "content": {"content_type": "computer_output", "screenshot": {"asset_pointer": "sediment://file_7"}}}},
        "f": {"parent": "e", "message": {"author": {"role": "user"}, "create_time": 6,
            "content": {"content_type": "user_editable_context", "user_profile": "me"}}},
        "g": {"parent": "f", "message": {"author": {"role": "assistant"}, "create_time": 7,
            "content": {"content_type": "code", "language": "python", "text": "1"}}}}})"));
    VERIFY_OK(chat);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Hello"),
        QStringLiteral("2 < 1, assistant, : text [a recording that was not imported]"),
        QStringLiteral("3 < 2, user, : text [a video that was not imported]\n\n"
                       "[a video that was not imported: clip.mp4]\n\n[a file that was not imported] | "
                       "text [a file that was not imported: notes.pdf]"),
        QStringLiteral("4 < 3, tool, : result dalle.text2im[a picture that was not imported]"),
        QStringLiteral("5 < 4, tool, : result computer[a picture that was not imported]"),
        QStringLiteral("6 < 5, assistant, : text ```python\n1\n``` *")};
    QCOMPARE(described(chat->tree), expected);
    QCOMPARE(chat->notes, 7);
    QVERIFY(chat->tree.pinned);
}

/// Marks between private characters stand for links and names.
void TestForeignChats::chatGptWithItsSources() {
    const auto chat = chatFromChatGpt(json(R"json({"mapping": {
        "a": {"message": {"author": {"role": "tool", "name": "web"}, "create_time": 1,
            "content": {"content_type": "tether_quote", "title": "Rivers", "url": "https://example.org/r",
                        "text": "The Nile is long."}}},
        "b": {"parent": "a", "message": {"author": {"role": "assistant"}, "create_time": 2,
            "metadata": {"content_references": [
                {"matched_text": "\ue200cite\ue202turn0search1\ue201", "alt": "([Rivers](https://example.org/r))"},
                {"matched_text": " ", "alt": ""}]},
            "content": {"parts": ["The \ue200entity\ue202[\"river\",\"Nile\",\"in Africa\"]\ue201. \ue200cite\ue202turn0search1\ue201 Long \ue200filecite\ue202turn0file0\ue201. \ue200 open"]}}}}})json"));
    VERIFY_OK(chat);
    const QStringList expected{
        QStringLiteral("1 < 0, tool, : result webRivers\nhttps://example.org/r\nThe Nile is long."),
        QStringLiteral("2 < 1, assistant, : text The Nile. ([Rivers](https://example.org/r)) Long. ") + QChar(0xe200) +
            QStringLiteral(" open *")};
    QCOMPARE(described(chat->tree), expected);
}

void TestForeignChats::lmStudio() {
    StoreOnDisk store;
    const auto report = import(store, sample("lm_studio.conversation.json"));
    VERIFY_OK(report);
    QCOMPARE(report->source, ChatSource::LmStudio);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Longest river? | text [a file that was not imported: map.pdf]"),
        QStringLiteral("2 < 1, assistant, qwen-1: text The Amazon"),
        QStringLiteral("3 < 1, assistant, qwen-2b: thought Compare them. | call lookup{\"river\":\"Nile\"}"),
        QStringLiteral("4 < 3, tool, : result lookup6650 km"),
        QStringLiteral("5 < 4, assistant, qwen-2b: text The Nile (stopped)"),
        QStringLiteral("6 < 5, user, : text And in Asia?"),
        QStringLiteral("7 < 6, assistant, : thought Easy. | text The Yangtze *")};
    QCOMPARE(firstChat(store), expected);
    const ChatRow chat = store->chats()->front();
    QCOMPARE(chat.title, QStringLiteral("Rivers"));
    QCOMPARE(store->state(chat.id)->settings.value(QLatin1String("systemPrompt")).toString(),
             QStringLiteral("Be brief."));
    const AnswerStatistics figures = store->messages(chat.id).value()[3].statistics;
    QCOMPARE(figures.tokens, 40);
    QCOMPARE(figures.tokensPerSecond, 12.5);
    QCOMPARE(figures.firstTokenSeconds, 0.25);
}

void TestForeignChats::lmStudioWithMore() {
    const auto chat = chatFromLmStudio(json(R"({"name": null, "createdAt": 1715000000000, "clientInput": "not sent",
        "userLastMessagedAt": 1715000005000, "assistantLastMessagedAt": 1715000009000, "messages": [
        {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user", "content": [
            {"type": "text", "text": "Look"},
            {"type": "file", "fileIdentifier": "1715000000001 - 7.png", "fileType": "image", "sizeBytes": 3}],
            "preprocessed": {"role": "user", "content": [{"type": "text", "text": "Look"}]}}]},
        {"currentlySelected": 0, "versions": [{"type": "multiStep", "role": "assistant", "steps": [
            {"type": "contentBlock", "content": [{"type": "toolCallRequest", "callId": 7, "name": "see", "parameters": {}}]},
            {"type": "contentBlock", "content": [{"type": "toolCallResult", "callId": 7,
                "content": "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"cat\"}]"}]}]}]}]})"));
    VERIFY_OK(chat);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Look | text [a picture that was not imported: 7.png]"),
        QStringLiteral("2 < 1, assistant, : call see{}"), QStringLiteral("3 < 2, tool, : result seea\ncat *")};
    QCOMPARE(described(chat->tree), expected);
    QCOMPARE(chat->notes, 1);
    QCOMPARE(chat->tree.title, QStringLiteral("Look"));
    QCOMPARE(chat->tree.draft, QStringLiteral("not sent"));
    QCOMPARE(chat->tree.updated, 1715000009000); // and not the time when it was made
}

/// A folder in a folder has the names of both, and somebody may choose only one of the folders, or a file in it.
void TestForeignChats::lmStudioInFolders() {
    const QByteArray rivers = contents(sample("lm_studio.conversation.json"));
    QByteArray lakes = rivers;
    lakes.replace("1715000000000", "1716000000000");
    const QString work = QFileInfo(write("home/conversations/Work/rivers.conversation.json", rivers)).path();
    const QString trip = write("home/conversations/Work/Trips/lakes.conversation.json", lakes);
    for (const QStringList& paths :
         {QStringList{folder_.filePath("home")}, QStringList{folder_.filePath("home/conversations")}, QStringList{work},
          QStringList{work + QStringLiteral("/rivers.conversation.json"), trip}}) {
        StoreOnDisk store;
        const auto report = import(store, paths);
        VERIFY_OK(report);
        QCOMPARE(report->added(), 2);
        QStringList names;
        const auto folders = store->folders().list();
        VERIFY_OK(folders);
        for (const FolderRow& folder : *folders) names.append(folder.name);
        names.sort();
        QCOMPARE(names, QStringList({QStringLiteral("Work"), QStringLiteral("Work/Trips")}));
        const auto chats = store->chats();
        VERIFY_OK(chats);
        for (const ChatRow& chat : *chats) QVERIFY(chat.folder != 0);
    }
}

void TestForeignChats::jan() {
    const QStringList expected{QStringLiteral("1 < 0, user, : text Green or black?"),
                               QStringLiteral("2 < 1, assistant, llama3-8b: thought Both. | call taste{\"cup\":1}"),
                               QStringLiteral("3 < 2, tool, : result tastegood"),
                               QStringLiteral("4 < 3, assistant, llama3-8b: text Green."),
                               QStringLiteral("5 < 4, user, : attachment picture.png"),
                               QStringLiteral("6 < 5, assistant, llama3-8b: text A cup (stopped)"),
                               QStringLiteral("7 < 6, user, : text plain *")};
    for (const char* file : {"jan/thread.json", "jan/messages.jsonl"}) {
        StoreOnDisk store;
        const auto report = import(store, sample(file));
        VERIFY_OK(report);
        QCOMPARE(report->source, ChatSource::Jan);
        QCOMPARE(firstChat(store), expected);
        QCOMPARE(store->chats()->front().title, QStringLiteral("Tea"));
    }
}

/// Jan's newer versions keep the versions of messages as a tree, and have lost the places of some answers in it.
void TestForeignChats::janWithBranches() {
    const auto line = [](const char* id, const char* role, qint64 time, const QJsonObject& metadata) {
        return QJsonObject{{QStringLiteral("id"), QLatin1String(id)},
                           {QStringLiteral("role"), QLatin1String(role)},
                           {QStringLiteral("created_at"), time},
                           {QStringLiteral("metadata"), metadata},
                           {QStringLiteral("content"), QLatin1String(id)}};
    };
    const QString parent = QStringLiteral("parentId");
    const auto below = [&](const char* id) { return QJsonObject{{parent, QLatin1String(id)}}; };
    QJsonObject first{{parent, QJsonValue()}};
    const auto shown = [&] {
        const std::vector<QJsonObject> lines{
            line("u1", "user", 1720000001000, first),       line("a1", "assistant", 1720000002000, below("u1")),
            line("u2", "user", 1720000003000, below("a1")), line("a2", "assistant", 1720000004000, below("u1")),
            line("u3", "user", 1720000005000, below("a2")), line("lost", "assistant", 1720000006000, {}),
            line("u4", "user", 1720000007000, below("u3"))};
        const auto chat = chatFromJan(json(R"({"id": "t", "created": 1720000999, "metadata": {"is_favorite": true,
                                 "project": {"name": "Tea"}}, "assistants": [{"model": {"id": "*"}}]})"),
                                      lines);
        return chat && chat->tree.pinned && chat->tree.folder == QLatin1String("Tea") &&
                       chat->tree.created == 1720000001000
                   ? described(chat->tree)
                   : QStringList();
    };
    QStringList expected{QStringLiteral("1 < 0, user, : text u1"),
                         QStringLiteral("2 < 1, assistant, : text a1"),
                         QStringLiteral("3 < 2, user, : text u2"),
                         QStringLiteral("4 < 1, assistant, : text a2"),
                         QStringLiteral("5 < 4, user, : text u3"),
                         QStringLiteral("6 < 5, assistant, : text lost"),
                         QStringLiteral("7 < 6, user, : text u4") + QStringLiteral(" *")};
    QCOMPARE(shown(), expected);
    first.insert(QStringLiteral("activeChildId"), QStringLiteral("a1"));
    expected[2] += QStringLiteral(" *");
    expected[6].chop(2);
    QCOMPARE(shown(), expected);
}

void TestForeignChats::janWithFilesAndCalls() {
    const auto chat = chatFromJan(
        {}, {json(R"({"role": "user", "created_at": 1, "content": [{"type": "text", "text": {"value": "Read"}},
                     {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}],
                     "metadata": {"inline_file_contents": [{"name": "a.txt", "content": "words"}]}})"),
             json(R"({"role": "assistant", "created_at": 2, "content": [{"type": "text", "text": {"value": "Done"}}],
                     "metadata": {"stopped": true, "tokenSpeed": {"tokenSpeed": 9.5, "tokenCount": 30},
                     "tool_calls": [{"tool": {"function": {"name": "look", "arguments": "{\"a\":1}"}},
                                     "response": {"content": [{"type": "text", "text": "found"}]}},
                                    {"tool": {"function": {"name": "look", "arguments": "{}"}},
                                     "response": {"error": "gone"}}]}})"),
             json(R"({"role": "assistant", "created_at": 3, "content": [
                     {"type": "tool_call", "tool_call_id": "c", "tool_name": "taste", "input": {}}]})"),
             json(R"({"role": "tool", "created_at": 4, "tool_call_id": "c",
                     "content": [{"type": "text", "text": {"value": "sweet"}}]})")});
    VERIFY_OK(chat);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Read | text [a picture that was not imported] | attachment a.txtwords"),
        QStringLiteral("2 < 1, assistant, : text Done | call look{\"a\":1}"),
        QStringLiteral("3 < 2, tool, : result lookfound"),
        QStringLiteral("4 < 3, assistant, : call look{}"),
        QStringLiteral("5 < 4, tool, : result lookgone"),
        QStringLiteral("6 < 5, assistant, : call taste{}"),
        QStringLiteral("7 < 6, tool, : result tastesweet *")};
    QCOMPARE(described(chat->tree), expected);
    QCOMPARE(chat->notes, 1);
}

/// Two first prompts, three answers, and an answer that has lost its prompt.
void TestForeignChats::janKeepsVersions() {
    StoreOnDisk store;
    VERIFY_OK(import(store, sample("jan_versions/thread.json")));
    const QStringList expected{QStringLiteral("1 < 0, user, : text A cake?"),
                               QStringLiteral("2 < 1, assistant, qwen3-4b: text Which one?"),
                               QStringLiteral("3 < 0, user, : text A cake with apples?"),
                               QStringLiteral("4 < 3, assistant, qwen3-4b: text Take six apples."),
                               QStringLiteral("5 < 3, assistant, qwen3-4b: thought Or five. | text Take five apples."),
                               QStringLiteral("6 < 3, assistant, qwen3-4b: text Take seven apples."),
                               QStringLiteral("7 < 5, user, : text And flour?"),
                               QStringLiteral("8 < 7, assistant, qwen3-4b: text 200 g."),
                               QStringLiteral("9 < 8, user, : text Is that all? *")};
    QCOMPARE(firstChat(store), expected);
}

/// Jan writes one thread as JSON: with all versions, but without its id and its model.
void TestForeignChats::janExport() {
    StoreOnDisk store;
    const auto report = import(store, sample("jan_export.json"));
    VERIFY_OK(report);
    QCOMPARE(report->source, ChatSource::Jan);
    QCOMPARE(store->chats()->front().title, QStringLiteral("Bread"));
    const QStringList expected{QStringLiteral("1 < 0, user, : text How long does bread bake?"),
                               QStringLiteral("2 < 1, assistant, : text An hour."),
                               QStringLiteral("3 < 1, assistant, : thought It depends. | text Forty minutes. *")};
    QCOMPARE(firstChat(store), expected);
}

/// The file that was chosen is read, and not the one that Jan would have beside it.
void TestForeignChats::linesOfAnotherName() {
    const QDir folder(folder_.path());
    for (const char* name : {"thread.json", "messages.jsonl"})
        QVERIFY(QFile::copy(sample("jan/") + QLatin1String(name), folder.filePath(QLatin1String(name))));
    QFile file(folder.filePath(QStringLiteral("mine.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"role": "user", "content": "Mine"})");
    file.close();
    StoreOnDisk store;
    VERIFY_OK(import(store, file.fileName()));
    QCOMPARE(firstChat(store), QStringList{QStringLiteral("1 < 0, user, : text Mine *")});
    QCOMPARE(store->chats()->front().title, QStringLiteral("Mine"));
}

void TestForeignChats::llamaWeb() {
    StoreOnDisk store;
    const auto report = import(store, sample("llama_web.json"));
    VERIFY_OK(report);
    QCOMPARE(report->source, ChatSource::LlamaWeb);
    QCOMPARE(report->added(), 1);
    QCOMPARE(report->failed, 2);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Brightest star? | attachment notes.txtSirius | attachment sky.png"),
        QStringLiteral("2 < 1, assistant, : thought Maybe the sun. | text The Sun | call sky{\"a\":1}"),
        QStringLiteral("3 < 1, assistant, gpt-oss-20b: thought Magnitude. | text Sirius *")};
    QCOMPARE(firstChat(store), expected);
    const qint64 chat = store->chats()->front().id;
    const qint64 first = store->messages(chat)->front().id;
    QCOMPARE(store->records().attachment({.message = first, .part = 1}).value(), QByteArray("Sirius"));
    QCOMPARE(store->records().attachment({.message = first, .part = 2}).value(), QByteArray("hello"));
    QCOMPARE(store->messages(chat)->back().statistics.tokensPerSecond, 15.0);
    QCOMPARE(store->state(chat)->settings.value(QLatin1String("systemPrompt")).toString(),
             QStringLiteral("Answer in one line."));
}

/// Newer versions of llama.cpp's page write lines, and an archive of such files for several conversations.
void TestForeignChats::llamaLines() {
    const QByteArray lines =
        R"({"harness": "llama.cpp", "type": "session", "id": "s-1", "name": "Moons", "currNode": "3", "lastModified": 1750000009000, "pinned": true}
{"type": "message", "message": {"id": "1", "type": "root", "role": "system", "timestamp": 1750000000000, "content": "", "parent": null, "children": ["2"]}}

{"type": "later", "value": 1}
{"type": "message", "message": {"id": "2", "type": "text", "role": "user", "timestamp": 1750000001000, "content": "Largest moon?", "parent": "1", "children": ["3", "4"]}}
{"type": "message", "message": {"id": "4", "type": "text", "role": "assistant", "timestamp": 1750000003000, "content": "Titan", "parent": "2", "children": []}}
{"type": "message", "message": {"id": "3", "type": "text", "role": "assistant", "timestamp": 1750000002000, "content": "Ganymede", "reasoningContent": "Compare.", "parent": "2", "children": [], "toolCalls": [{"id": "c", "function": {"name": "sky", "arguments": "{}"}}]}}
)";
    const QStringList expected{QStringLiteral("1 < 0, user, : text Largest moon?"),
                               QStringLiteral("2 < 1, assistant, : thought Compare. | text Ganymede | call sky{} *"),
                               QStringLiteral("3 < 1, assistant, : text Titan")};
    for (const QString& path : {write("moons.jsonl", lines), write("moons.zip", zipped("moons.jsonl", lines))}) {
        StoreOnDisk store;
        const auto report = import(store, path);
        VERIFY_OK(report);
        QCOMPARE(report->source, ChatSource::LlamaWeb);
        QCOMPARE(report->added(), 1);
        QCOMPARE(firstChat(store), expected);
        const ChatRow chat = store->chats()->front();
        QCOMPARE(chat.title, QStringLiteral("Moons"));
        QVERIFY(chat.pinned);
        QCOMPARE(import(store, sample("llama_web.json"))->added(), 1);
    }
    StoreOnDisk store;
    QByteArray second = lines;
    second.replace("s-1", "s-2").replace("Moons", "More");
    QCOMPARE(import(store, write("two.jsonl", lines + second))->added(), 2);
    const auto damaged = import(store, write("cut.zip", zipped("cut.jsonl", lines.left(lines.size() - 20))));
    QVERIFY(!damaged);
    VERIFY_THREE_PARTS(damaged.error());
}

void TestForeignChats::llamaSessionsInOneFile() {
    StoreOnDisk store;
    const auto report = import(store, sample("llama_web.jsonl"));
    VERIFY_OK(report);
    QCOMPARE(report->source, ChatSource::LlamaWeb);
    QCOMPARE(report->added(), 2);
    QCOMPARE(report->failed, 0);
    const QStringList weather{
        QStringLiteral("1 < 0, user, : text Is it warm in Oslo? | attachment notes.txtPack a coat."),
        QStringLiteral("2 < 1, assistant, gpt-oss-20b: thought I must look. | call forecast{\"place\":\"Oslo\"}"),
        QStringLiteral("3 < 2, tool, : result forecast8 degrees"),
        QStringLiteral("4 < 3, assistant, gpt-oss-20b: text It is 8 degrees warm. *")};
    const QStringList moons{QStringLiteral("1 < 0, user, : text How many moons has Mars?"),
                            QStringLiteral("2 < 1, assistant, : text Two *"),
                            QStringLiteral("3 < 1, assistant, : text Three")};
    QCOMPARE(firstChat(store), weather);
    QCOMPARE(described(store->tree(store->chatIds(false)->back(), {}).value()), moons);
    QCOMPARE(store->tree(report->chats.front(), {}).value().title, QStringLiteral("Weather"));
}

/// The lines between the damaged one and the next session belong to the session before.
void TestForeignChats::damagedLinesCostOneSession() {
    const QByteArray whole = contents(sample("llama_web.jsonl"));
    const struct {
        QByteArray from, to, lost, line;
    } rows[]{{"Is it warm", "Is it \"warm", "Weather", "line 3"},
             {"\"Two\"", "Two", "Moons", "line 12"},
             {"\"id\":\"n4\"", "\"id\":\"n4", "Moons", "line 13"}};
    for (const auto& row : rows) {
        QByteArray damaged = "\xef\xbb\xbf" + whole;
        damaged.replace(row.from, row.to);
        StoreOnDisk store;
        const auto report = import(store, write("damaged.jsonl", damaged.replace("\n", "\r\n")));
        VERIFY_OK(report);
        QCOMPARE(report->added(), 1);
        QCOMPARE(report->found, 2);
        QCOMPARE(report->problems.front().title, QString::fromLatin1(row.lost));
        VERIFY_THREE_PARTS(report->problems.front().error);
        QVERIFY(report->problems.front().error.line().find(row.line.toStdString()) != std::string::npos);
    }
    StoreOnDisk store;
    const auto refused = import(store, write("damaged.jsonl", whole.left(whole.indexOf("Oslo"))));
    QVERIFY(!refused);
    VERIFY_THREE_PARTS(refused.error());
    for (const char* other : {R"({"type": "session", "version": 3, "cwd": "/"})", R"({"type": "message"})"}) {
        const auto unknown = import(store, write("other.jsonl", other));
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().kind, engine::ErrorKind::Unsupported);
    }
}

/// llama.cpp's web page writes a file for each chat. Files of other programs are passed over.
void TestForeignChats::archivesOfLines() {
    const QByteArray whole = contents(sample("llama_web.jsonl"));
    const qsizetype second = whole.lastIndexOf("{\"harness\"");
    const QByteArray weather = whole.left(second), moons = whole.mid(second);
    StoreOnDisk store;
    const auto both = import(store, write("both.zip", zipped({{"a.jsonl", weather}, {"b.jsonl", moons}})));
    VERIFY_OK(both);
    QCOMPARE(both->added(), 2);
    const auto again = import(store, write("both.zip", zipped({{"__MACOSX/a.jsonl", "x"},
                                                               {"a.jsonl", "{\"role\": \"user\"}"},
                                                               {"b.jsonl", weather.left(weather.size() / 2)},
                                                               {"c.jsonl", ""},
                                                               {"d.jsonl", moons},
                                                               {"e.txt", "text"}})));
    VERIFY_OK(again);
    QCOMPARE(again->found, 2);
    QCOMPARE(again->present, 1);
    QCOMPARE(again->problems.front().title, QStringLiteral("Weather"));
    const auto none = import(store, write("none.zip", zipped({{"a.jsonl", "{\"role\": \"user\"}"}})));
    QVERIFY(!none);
    QCOMPARE(none.error().kind, engine::ErrorKind::Unsupported);
}

void TestForeignChats::llamaWithTools() {
    const auto chat = chatFromLlamaWeb(json(R"({"conv": {"id": "c", "lastModified": 1750000009000}, "messages": [
        {"id": "1", "role": "user", "timestamp": 1, "content": "Look", "parent": null,
         "extra": [{"type": "customInstruction", "instructionId": "i", "title": "Be brief"}]},
        {"id": "2", "role": "assistant", "timestamp": 2, "content": "", "parent": "1",
         "toolCalls": "[{\"id\":\"a\",\"function\":{\"name\":\"see\",\"arguments\":\"{}\"}}]"},
        {"id": "3", "role": "tool", "timestamp": 3, "content": "a cat", "parent": "2", "toolCallId": "a",
         "extra": [{"type": "imageFile", "name": "cat.png", "base64Url": "data:image/png;base64,aGVsbG8="}]},
        {"id": "4", "role": "assistant", "timestamp": 4, "content": "A cat", "parent": "3"}]})"));
    VERIFY_OK(chat);
    const QStringList expected{
        QStringLiteral("1 < 0, user, : text Look"), QStringLiteral("2 < 1, assistant, : call see{}"),
        QStringLiteral("3 < 2, tool, : result seea cat\n[a picture that was not imported: cat.png]"),
        QStringLiteral("4 < 3, assistant, : text A cat *")};
    QCOMPARE(described(chat->tree), expected);
    QCOMPARE(chat->notes, 1);
}

/// A message without a time has that of the message before it, or the chat's, and not the year 1970.
void TestForeignChats::missingTimes() {
    const auto chat = chatFromChatGpt(json(R"({"create_time": 1700000000, "mapping": {
        "c": {"parent": "b", "message": {"author": {"role": "user"}, "content": {"parts": ["third"]}}},
        "b": {"parent": "a", "message": {"author": {"role": "assistant"}, "create_time": 1700000005,
              "content": {"parts": ["second"]}}},
        "a": {"message": {"author": {"role": "user"}, "create_time": null, "content": {"parts": ["first"]}}}}})"));
    VERIFY_OK(chat);
    QList<qint64> times;
    for (const TreeMessage& message : chat->tree.messages) times.append(message.created);
    QCOMPARE(times, QList<qint64>({1700000000000, 1700000005000, 1700000005000}));
    QCOMPARE(chat->tree.updated, 1700000005000);
}

/// As LM Studio and Jan keep their chats: a file or a folder for each.
void TestForeignChats::wholeFolders() {
    const QDir home(folder_.path());
    const QByteArray rivers = contents(sample("lm_studio.conversation.json"));
    QByteArray lakes = rivers;
    lakes.replace("\"Rivers\"", "\"Lakes\"").replace("1715000000000", "1716000000000");
    lakes.replace("\"pinned\": false", "\"pinned\": true");
    write(QStringLiteral("all/rivers.conversation.json"), rivers);
    write(QStringLiteral("all/Work/lakes.conversation.json"), lakes);
    write(QStringLiteral("all/broken.conversation.json"), rivers.left(100));
    write(QStringLiteral("all/settings.json"), "{\"theme\": 1}");
    write(QStringLiteral("all/list.json"), "[]");
    write(QStringLiteral("all/numbers.jsonl"), "{\"number\": 1}\n{\"number\": 2}\n");
    write(QStringLiteral("all/notes.txt"), "not a chat");
    write(QStringLiteral("all/later.json"), R"({"format": "coterie-chats", "version": 1000, "chats": []})");
    for (const char* name : {"thread.json", "messages.jsonl"})
        write(QStringLiteral("all/jan_1/") + QLatin1String(name), contents(sample("jan/") + QLatin1String(name)));
    StoreOnDisk store;
    const auto report = import(store, home.filePath(QStringLiteral("all")));
    VERIFY_OK(report);
    QCOMPARE(report->added(), 3);
    QCOMPARE(report->failed, 2);
    QCOMPARE(report->found, 5);
    QCOMPARE(report->problems.front().title, QStringLiteral("broken.conversation.json"));
    QCOMPARE(report->problems.back().title, QStringLiteral("later.json"));
    QStringList titles;
    const auto chats = store->chats();
    VERIFY_OK(chats);
    const auto folders = store->folders().list();
    VERIFY_OK(folders);
    for (const ChatRow& chat : *chats) {
        titles.append(chat.title);
        QCOMPARE(chat.folder != 0, chat.title == QStringLiteral("Lakes"));
        QCOMPARE(chat.pinned, chat.title == QStringLiteral("Lakes"));
        if (chat.folder != 0) QCOMPARE(folders->front().name, QStringLiteral("Work"));
    }
    titles.sort();
    QCOMPARE(titles, QStringList({QStringLiteral("Lakes"), QStringLiteral("Rivers"), QStringLiteral("Tea")}));
    const auto again = import(store, home.filePath(QStringLiteral("all")));
    VERIFY_OK(again);
    QCOMPARE(again->present, 3);
    QCOMPARE(again->added(), 0);
    const auto none = import(store, home.filePath(QStringLiteral("all/Work/..")) + QStringLiteral("/no such folder"));
    QVERIFY(!none);
    QVERIFY(home.mkpath(QStringLiteral("empty")));
    const auto empty = import(store, home.filePath(QStringLiteral("empty")));
    QVERIFY(!empty);
    QCOMPARE(empty.error().kind, engine::ErrorKind::Unsupported);
}

/// The archive that ChatGPT sends, where it was saved: beside other archives, and beside what was unpacked of it.
void TestForeignChats::zipsInAFolder() {
    const QByteArray chats = contents(sample("chatgpt.json"));
    const QString zip = write("downloads/export/chatgpt.zip", zipped("conversations-000.json", chats));
    write("downloads/export/unpacked/conversations-000.json", chats);
    write("downloads/export/unpacked/user.json", R"({"id": "user-1", "email": "a@example.org"})");
    write("downloads/export/unpacked/message_feedback.json", R"([{"id": "m", "rating": "thumbs_up"}])");
    write("downloads/photos.zip", zipped("photo.png", "not a chat"));
    QVERIFY(!zip.isEmpty());
    StoreOnDisk store;
    const auto report = import(store, folder_.filePath(QStringLiteral("downloads")));
    VERIFY_OK(report);
    QCOMPARE(report->added(), 2);
    QCOMPARE(report->present, 2);
    for (const ImportProblem& problem : report->problems) QVERIFY(!problem.title.contains(QLatin1String("json")));
    QCOMPARE(store->folders().list()->size(), size_t{0});
}

void TestForeignChats::severalFiles() {
    StoreOnDisk store;
    QFile other(folder_.filePath(QStringLiteral("other.json")));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("{}");
    other.close();
    const auto report =
        import(store, QStringList{sample("llama_web.json"), other.fileName(), sample("jan/thread.json")});
    VERIFY_OK(report);
    QCOMPARE(report->added(), 2);
    QCOMPARE(report->failed, 3); // two of llama.cpp's, and the file that was chosen and has none
    QCOMPARE(report->problems.back().title, QStringLiteral("other.json"));
    QCOMPARE(store->chats()->size(), size_t{2});
}

void TestForeignChats::againAddsNothing() {
    StoreOnDisk store;
    for (const char* file : {"chatgpt.json", "lm_studio.conversation.json", "jan/thread.json",
                             "jan_versions/thread.json", "jan_export.json", "llama_web.json", "llama_web.jsonl"}) {
        const auto first = import(store, sample(file));
        VERIFY_OK(first);
        const auto second = import(store, sample(file));
        VERIFY_OK(second);
        QCOMPARE(second->added(), 0);
        QCOMPARE(second->present, first->added());
    }
}

/// Values are exchanged for others of any type, and bytes for any byte.
void TestForeignChats::damagedFilesHarmNothing() {
    StoreOnDisk store;
    QRandomGenerator random(20261125);
    const QString path = folder_.filePath(QStringLiteral("damaged.json"));
    for (const char* name : {"chatgpt.json", "lm_studio.conversation.json", "llama_web.json", "jan_export.json"}) {
        const QByteArray whole = contents(sample(name));
        for (int round = 0; round < 150; ++round) {
            QByteArray bytes = whole;
            for (int i = 0; i < 3; ++i) {
                const qsizetype at = random.bounded(static_cast<int>(bytes.size()));
                static const std::array<QByteArray, 6> kOthers{"7", "null", "{}", "[]", "\"x\"", "-1e99"};
                if (bytes.at(at) == ':') bytes.insert(at + 1, kOthers[random.bounded(6U)] + ", \"k\":");
                bytes[random.bounded(static_cast<int>(bytes.size()))] = static_cast<char>(random.bounded(256));
            }
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.close();
            const auto report = import(store, path);
            if (!report) VERIFY_THREE_PARTS(report.error());
        }
    }
    QCOMPARE(store.look().execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
}

void TestForeignChats::largeAndDeepOnesEnd() {
    constexpr int kMany = 20000;
    QJsonArray messages;
    for (int i = 0; i < kMany; ++i) // each answers the one before: one answer in very many pieces, and branches
        messages.append(QJsonObject{{QStringLiteral("id"), QString::number(i)},
                                    {QStringLiteral("parent"), QString::number(i - 1 - (i % 3 == 0))},
                                    {QStringLiteral("role"), QStringLiteral("assistant")},
                                    {QStringLiteral("content"), QStringLiteral("word")}});
    const auto tree =
        chatFromLlamaWeb({{QStringLiteral("conv"), QJsonObject()}, {QStringLiteral("messages"), messages}});
    VERIFY_OK(tree);
    VERIFY_OK(checkTree(tree->tree));
    StoreOnDisk store;
    VERIFY_OK(store->addChat(tree->tree, IfPresent::Skip));
    QJsonObject mapping;
    for (int i = 0; i < kMany; ++i)
        mapping.insert(
            QString::number(i),
            QJsonObject{
                {QStringLiteral("parent"), QString::number(i - 1)},
                {QStringLiteral("message"),
                 QJsonObject{{QStringLiteral("author"), QJsonObject{{QStringLiteral("role"), QStringLiteral("user")}}},
                             {QStringLiteral("content"),
                              QJsonObject{{QStringLiteral("parts"), QJsonArray{QString::number(i)}}}}}}});
    const auto chain = chatFromChatGpt({{QStringLiteral("mapping"), mapping}});
    VERIFY_OK(chain);
    QCOMPARE(chain->tree.messages.size(), size_t{kMany});
    QCOMPARE(chain->tree.messages.back().parts.front().text, QString::number(kMany - 1));
}

QTEST_GUILESS_MAIN(TestForeignChats)
#include "tst_foreign_chats.moc"
