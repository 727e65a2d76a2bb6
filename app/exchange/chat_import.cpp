// SPDX-License-Identifier: Apache-2.0
// See chat_import.h. A file is looked at once to see which program wrote it, and read a second time. chat_files.h finds
// the files.
#include "exchange/chat_import.h"

#include "exchange/chat_files.h"
#include "exchange/chat_json.h"
#include "exchange/foreign_chats.h"
#include "exchange/json_fields.h"
#include "exchange/json_pieces.h"
#include "exchange/zip_archive.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace coterie::app {
namespace {

constexpr char kNotImported[] = "The chats were not imported";
constexpr size_t kMostProblems = 100; // the first ones are named, the others counted
constexpr char kChats[] = "chats";
constexpr uint64_t kLargestThread = 1 << 20;                // Jan's thread.json
constexpr qsizetype kLargestChat = qsizetype{1} << 30;      // bytes of its lines
const QString kMessages = QStringLiteral("messages.jsonl"); // beside it

engine::Error unknownFile() {
    return {engine::ErrorKind::Unsupported, kNotImported, "The file is of no chat program that is known here",
            "Choose an export of Coterie, ChatGPT, LM Studio, Jan or llama.cpp"};
}

engine::Error noChatsInFile() {
    return {engine::ErrorKind::Unsupported, kNotImported, "There are no chats in the file",
            "Choose another file, or export your chats once more"};
}

engine::Error noChatsInFolder() {
    return {engine::ErrorKind::Unsupported, kNotImported, "The folder has no file of a chat program that is known here",
            "Choose the folder in which LM Studio or Jan keeps its chats"};
}

engine::Error laterVersion(qint64 version) {
    return {engine::ErrorKind::Unsupported,
            kNotImported,
            {"The file was written by a newer version of Coterie (format %1)", version},
            "Install the newer version. Nothing was changed"};
}

engine::Error tooLarge() {
    return {engine::ErrorKind::BadInput,
            kNotImported,
            {"A chat has more than %1", engine::ByteCount{static_cast<uint64_t>(kLargestChat)}},
            "Leave it out"};
}

engine::Error stopped() {
    return {engine::ErrorKind::Cancelled, "The import was stopped", "You stopped it",
            "Import the file again: chats that are there already are not doubled"};
}

bool isText(const QJsonObject& object, const char* key, const char* text) {
    return object.value(QLatin1String(key)).toString() == QLatin1String(text);
}

bool isJanExport(const QJsonObject& object) {
    const QJsonArray messages = object.value(QLatin1String("messages")).toArray();
    return object.contains(QLatin1String("exported_at")) && messages.at(0).toObject().contains(QLatin1String("role"));
}

/// The program that wrote this conversation; nothing if it is not known.
std::optional<ChatSource> sourceOfChat(const QJsonObject& object) {
    const auto has = [&](const char* key) { return object.contains(QLatin1String(key)); };
    if (object.value(QLatin1String("mapping")).isObject()) return ChatSource::ChatGpt;
    if (has("conv") && has("messages")) return ChatSource::LlamaWeb;
    if (isText(object, "object", "thread") || isText(object, "object", "thread.message") || has("assistants") ||
        isJanExport(object))
        return ChatSource::Jan;
    if (has("messages") && (has("name") || has("createdAt"))) return ChatSource::LmStudio;
    return std::nullopt;
}

engine::Result<ForeignChat> foreignChat(ChatSource source, const QJsonObject& object) {
    switch (source) {
    case ChatSource::ChatGpt:
        return chatFromChatGpt(object);
    case ChatSource::LlamaWeb:
        return chatFromLlamaWeb(object);
    case ChatSource::LmStudio:
        return chatFromLmStudio(object);
    case ChatSource::Jan:
        return chatFromJanExport(object);
    case ChatSource::Coterie:
        break;
    }
    return unknownFile();
}

/// The beginning of a file, as far as it was read to know the program.
struct Outline {
    bool array = false;
    QJsonObject members{}; ///< members of the outer object, without the chats
};

bool isOurs(const QJsonObject& members) { return isText(members, "format", kChatFormatName); }

engine::Result<Outline> outlineOf(ByteSource& source) {
    Outline outline;
    JsonPieces pieces(source, kChats);
    for (auto next = pieces.next();; next = pieces.next()) {
        if (!next) return next.error();
        if (!next.value()) return outline;
        const JsonPiece& piece = *next.value();
        if (piece.element) continue;
        if (piece.key.isEmpty()) return Outline{.array = true};
        const auto value = parsePiece(piece);
        if (!value) return value.error();
        outline.members.insert(QString::fromUtf8(piece.key), value.value());
        if (isOurs(outline.members) && outline.members.contains(QLatin1String("version"))) return outline;
    }
}

/// Whether a store that gives this error can't take the rest either.
bool endsAll(const engine::Error& error) {
    using enum engine::ErrorKind;
    return error.kind == Io || error.kind == OutOfMemory || error.kind == Damaged || error.kind == Cancelled;
}

/// The import of one file.
class Import {
  public:
    Import(ChatImporter& importer, const ChatFile& file, IfPresent present, const ExchangeProgress& progress)
        : importer_(importer), file_(file), present_(present), progress_(progress) {}

    engine::Result<ImportReport> run();
    /// False if run() found that the file is of no chat program, or has no chats.
    bool hasChats() const { return hasChats_; }
    /// Whether the file is the reason why its rest was not read, and not the store or the user.
    bool endedByFile() const { return endedByFile_; }

  private:
    using Opener = std::function<engine::Result<std::unique_ptr<ByteSource>>()>;

    engine::Status readZip();
    engine::Status readLines(const QString& path);
    engine::Status readThread(JsonLines& lines, std::optional<JsonPiece> line, const QString& path);
    engine::Status readSessions(ByteSource& source, JsonLines& lines, std::optional<JsonPiece> line);
    engine::Status readArchivedLines(const ZipArchive& archive, const QString& name);
    bool goesOn(const ByteSource& source);
    engine::Status readJson(const Opener& open);
    engine::Status readPieces(ByteSource& source, const QByteArray& elementsOf);
    engine::Status addPiece(const JsonPiece& piece, bool ours);
    void readMember(const JsonPiece& piece);
    void addFolders();
    void add(const QString& title, const engine::Result<ChatTree>& tree, qint64 line);
    void add(const QString& title, engine::Result<ForeignChat> chat, qint64 line);
    void fail(const QString& title, engine::Error error, qint64 line);
    engine::Error withoutChats(engine::Error error);
    void endWithFile(const engine::Error& error);

    ChatImporter& importer_;
    const ChatFile& file_;
    const IfPresent present_;
    const ExchangeProgress& progress_;
    ImportReport report_;
    QStringList folders_;
    bool hasChats_ = true, endedByFile_ = false;
    double shareBefore_ = 0, shareOfFile_ = 1; ///< for the files of an archive
};

engine::Error Import::withoutChats(engine::Error error) {
    hasChats_ = false;
    return error;
}

void Import::endWithFile(const engine::Error& error) {
    report_.ended = error;
    endedByFile_ = true;
}

void Import::fail(const QString& title, engine::Error error, qint64 line) {
    ++report_.failed;
    if (report_.problems.size() >= kMostProblems) return;
    if (line > 0) error.why = {"%1 (line %2 of the file)", error.why, line};
    report_.problems.push_back({.title = title, .error = std::move(error)});
}

void Import::add(const QString& title, const engine::Result<ChatTree>& tree, qint64 line) {
    ++report_.found;
    if (!tree) return fail(title, tree.error(), line);
    addFolders();
    const auto added = importer_.addChat(tree.value(), present_);
    if (!added && endsAll(added.error())) {
        report_.ended = added.error();
        return fail(title, added.error(), line);
    }
    if (!added) return fail(title, added.error(), line);
    switch (added->outcome) {
    case AddedChat::Outcome::AlreadyThere:
        ++report_.present;
        return;
    case AddedChat::Outcome::Beside:
        ++report_.beside;
        break;
    case AddedChat::Outcome::Restored:
        ++report_.restored;
        break;
    case AddedChat::Outcome::Added:
        break;
    }
    report_.chats.append(added->chat);
}

void Import::add(const QString& title, engine::Result<ForeignChat> chat, qint64 line) {
    if (!chat) return add(title, engine::Result<ChatTree>(chat.error()), line);
    chat->tree.folder = chat->tree.folder.left(kLongestName);
    const qint64 before = report_.added();
    add(title, engine::Result<ChatTree>(std::move(chat->tree)), line);
    if (report_.added() > before) report_.notes += chat->notes;
}

/// Folders come before the first chat, so that they have the order of the file.
void Import::addFolders() {
    if (folders_.isEmpty()) return;
    if (auto added = importer_.addFolders(std::exchange(folders_, {})); !added) report_.ended = added.error();
}

void Import::readMember(const JsonPiece& piece) {
    const auto value = parsePiece(piece);
    if (!value) return;
    const QJsonArray list = value->toArray();
    const QString draft = piece.key == "draft" ? value->toString() : QString();
    if (piece.key == "folders")
        for (const QJsonValue& name : list) folders_.append(name.toString().left(kLongestName));
    if (piece.key == "presets")
        for (const QJsonValue& preset : list) report_.presets.append(preset);
    report_.others = report_.others || !draft.isEmpty() || !folders_.isEmpty() || !report_.presets.isEmpty();
    if (!draft.isEmpty())
        if (auto kept = importer_.keepDraft(draft); !kept) report_.ended = kept.error();
}

engine::Status Import::addPiece(const JsonPiece& piece, bool ours) {
    const auto value = parsePiece(piece);
    const QJsonObject object = value ? value->toObject() : QJsonObject();
    QString title = object.value(QLatin1String("title")).toString();
    if (title.isEmpty()) title = object.value(QLatin1String("conv")).toObject().value(QLatin1String("name")).toString();
    if (!value) {
        ++report_.found;
        fail(title, value.error(), 0); // it names the line itself
        return {};
    }
    if (ours) {
        add(title, chatFromJson(object), piece.line);
        return {};
    }
    const std::optional<ChatSource> source = sourceOfChat(object);
    if (!source && report_.found == 0) return withoutChats(unknownFile());
    if (source) report_.source = *source;
    add(title, source ? foreignChat(*source, object) : engine::Result<ForeignChat>(unknownFile()), piece.line);
    return {};
}

/// Reports the progress. Returns false if the user has stopped the import.
bool Import::goesOn(const ByteSource& source) {
    const bool goes = progress_(shareBefore_ + shareOfFile_ * source.share());
    if (!goes) report_.ended = stopped();
    return goes;
}

/// Reads the chats of a file. Damage in the middle ends it; if nothing was found before, the file is refused.
engine::Status Import::readPieces(ByteSource& source, const QByteArray& elementsOf) {
    const bool ours = !elementsOf.isEmpty();
    JsonPieces pieces(source, elementsOf);
    while (!report_.ended) {
        if (!goesOn(source)) break;
        const auto next = pieces.next();
        if (!next && report_.found == 0) return next.error();
        if (!next) endWithFile(next.error());
        if (!next || !next.value()) break;
        const JsonPiece& piece = *next.value();
        if (ours && !piece.element) {
            readMember(piece);
        } else if (auto added = addPiece(piece, ours); !added) {
            return added;
        }
    }
    if (!report_.ended) addFolders();
    return {};
}

engine::Status Import::readJson(const Opener& open) {
    auto first = open();
    if (!first) return first.error();
    const auto outline = outlineOf(**first);
    if (!outline) return outline.error();
    const QJsonObject& members = outline->members;
    // "[]" has no element to be known by.
    if (!outline->array && members.isEmpty()) return withoutChats(noChatsInFile());
    if (!outline->array && !isOurs(members)) {
        const std::optional<ChatSource> source = sourceOfChat(members);
        if (!source) return withoutChats(unknownFile());
        if (*source == ChatSource::Jan && !isJanExport(members))
            return readLines(QFileInfo(file_.path).dir().filePath(kMessages));
        auto chat = foreignChat(*source, members);
        if (!chat) return chat.error();
        if (*source == ChatSource::LmStudio) chat->tree.folder = file_.folder; // it shows these folders too
        report_.source = *source;
        const QString title = chat->tree.title;
        add(title, std::move(chat), 0);
        return {};
    }
    if (!outline->array) {
        const qint64 version = members.value(QLatin1String("version")).toInteger();
        if (version > kChatFormatVersion) return laterVersion(version);
        if (version < 1) return wrongField(QStringLiteral("version"));
    }
    auto second = open();
    if (!second) return second.error();
    return readPieces(**second, outline->array ? QByteArray() : QByteArray(kChats));
}

/// Large exports of ChatGPT have several files: conversations-000.json and so on. llama.cpp's have one for each chat.
/// If one of those can't be read, the others may be whole.
engine::Status Import::readZip() {
    static const QRegularExpression kWanted(QStringLiteral("(^|/)conversations(-\\d+)?\\.json$"));
    static const QRegularExpression kLines(QStringLiteral("^(?!__MACOSX/).*\\.jsonl$"));
    const auto archive = ZipArchive::open(file_.path);
    if (!archive) return archive.error();
    QStringList names = archive->names().filter(kWanted);
    const bool lines = names.isEmpty();
    if (lines) names = archive->names().filter(kLines);
    if (names.isEmpty()) return withoutChats(unknownFile());
    shareOfFile_ = 1.0 / static_cast<double>(names.size());
    for (const QString& name : names) {
        const auto read =
            lines ? readArchivedLines(archive.value(), name) : readJson([&] { return archive->source(name); });
        if (!read && lines) {
            ++report_.found;
            fail(name, read.error(), 0);
        } else if (!read) {
            if (report_.found == 0) return read;
            endWithFile(read.error());
        }
        if (report_.ended) break;
        shareBefore_ += shareOfFile_;
    }
    if (lines && report_.found == 0 && !report_.ended) return withoutChats(unknownFile());
    return {};
}

/// A file of another program is passed over.
engine::Status Import::readArchivedLines(const ZipArchive& archive, const QString& name) {
    auto source = archive.source(name);
    if (!source) return source.error();
    JsonLines lines(**source);
    auto first = lines.next();
    if (!first) return first.error();
    const auto value = first.value() ? parsePiece(**first) : engine::Result<QJsonValue>(QJsonValue());
    if (!value || !LlamaSession::beginsWith(value->toObject())) return {};
    return readSessions(**source, lines, std::move(first.value()));
}

/// Returns what Jan keeps about the thread besides its messages; nothing if there is no such file.
QJsonObject threadOf(const QString& messages) {
    const QFileInfo file(messages);
    if (file.fileName() != kMessages) return {}; // a thread beside it would be another one
    const auto thread = engine::readWholeFile(
        engine::systemFiles(), file.dir().filePath(QStringLiteral("thread.json")).toStdString(), kLargestThread);
    return thread ? QJsonDocument::fromJson(QByteArray::fromStdString(thread.value())).object() : QJsonObject();
}

/// path: a file with llama.cpp's conversations, or with Jan's messages.
engine::Status Import::readLines(const QString& path) {
    auto source = openSource(path);
    if (!source) return source.error();
    JsonLines lines(**source);
    auto first = lines.next();
    if (!first) return first.error();
    if (first.value()) {
        const auto value = parsePiece(**first);
        if (!value) return value.error();
        if (LlamaSession::beginsWith(value->toObject())) {
            auto read = readSessions(**source, lines, std::move(first.value()));
            if (read || report_.found == 0) return read;
            endWithFile(read.error());
            return {};
        }
    }
    return readThread(lines, std::move(first.value()), path);
}

/// line: the first of them.
engine::Status Import::readThread(JsonLines& lines, std::optional<JsonPiece> line, const QString& path) {
    std::vector<QJsonObject> messages;
    qsizetype bytes = 0;
    while (line) {
        const auto value = parsePiece(*line);
        if (!value) return value.error();
        messages.push_back(value->toObject());
        bytes += line->json.size();
        if (bytes > kLargestChat) return tooLarge();
        auto next = lines.next();
        if (!next) return next.error();
        line = std::move(next.value());
    }
    const auto written = [](const QJsonObject& message) { return message.contains(QLatin1String("role")); };
    if (!messages.empty() && std::none_of(messages.begin(), messages.end(), written))
        return withoutChats(unknownFile());
    auto chat = chatFromJan(threadOf(path), messages);
    if (!chat) return chat.error();
    report_.source = ChatSource::Jan;
    const QString title = chat->tree.title;
    add(title, std::move(chat), 0);
    return {};
}

/// A damaged line costs the conversation before it. line: the first of the first one. An error means that the rest
/// can't be read.
engine::Status Import::readSessions(ByteSource& source, JsonLines& lines, std::optional<JsonPiece> line) {
    report_.source = ChatSource::LlamaWeb;
    while (line) {
        LlamaSession session(parsePiece(*line).value().toObject());
        const qint64 number = line->line;
        qsizetype bytes = line->json.size();
        std::optional<engine::Error> damage;
        for (;;) {
            auto next = lines.next();
            if (!next) return next.error();
            line = std::move(next.value());
            if (!line) break;
            const auto value = parsePiece(*line);
            const QJsonObject object = value ? value->toObject() : QJsonObject();
            if (LlamaSession::beginsWith(object)) break;
            bytes += line->json.size();
            if (!damage && !value) damage = value.error();
            if (!damage && bytes > kLargestChat) damage = tooLarge();
            if (!damage) session.add(object);
        }
        if (!goesOn(source)) break;
        add(session.title(), damage ? engine::Result<ForeignChat>(*damage) : session.chat(), damage ? 0 : number);
        if (report_.ended) break;
    }
    return {};
}

engine::Result<ImportReport> Import::run() {
    auto source = openSource(file_.path);
    if (!source) return source.error();
    std::array<char, 4> begin{};
    const auto count = (*source)->read(begin);
    if (!count) return count.error();
    if (count.value() == 0) return emptyFile();
    engine::Status read;
    if (QByteArray(begin.data(), 4) == QByteArray("PK\x03\x04", 4))
        read = readZip();
    else if (file_.path.endsWith(QLatin1String(".jsonl")))
        read = readLines(file_.path);
    else
        read = readJson([this] { return openSource(file_.path); });
    if (!read) return read.error();
    if (report_.found == 0 && !report_.ended && !report_.others) return withoutChats(noChatsInFile());
    // An error that the file as a whole has, and nothing else.
    if (report_.found == 1 && report_.failed == 1 && report_.source != ChatSource::Coterie)
        return report_.problems.front().error;
    return std::move(report_);
}

/// Adds what a file gave to the report of all.
void join(ImportReport& all, const ChatFile& file, const engine::Result<ImportReport>& one, const Import& made) {
    const auto leftOut = [&](const engine::Error& error) {
        ++all.found;
        ++all.failed;
        if (all.problems.size() < kMostProblems)
            all.problems.push_back({.title = QFileInfo(file.path).fileName(), .error = error});
    };
    if (!one) {
        if (!file.chosen && !made.hasChats()) return; // a folder has files of other kinds, too
        return leftOut(one.error());
    }
    all.source = one->source;
    all.found += one->found;
    all.present += one->present;
    all.beside += one->beside;
    all.restored += one->restored;
    all.failed += one->failed;
    all.notes += one->notes;
    all.others = all.others || one->others;
    all.chats += one->chats;
    for (const QJsonValue& preset : one->presets) all.presets.append(preset);
    for (const ImportProblem& problem : one->problems)
        if (all.problems.size() < kMostProblems) all.problems.push_back(problem);
    if (one->ended && made.endedByFile())
        leftOut(*one->ended); // the others may be whole
    else if (one->ended)
        all.ended = one->ended;
}

} // namespace

engine::Result<ImportReport> importChats(ChatImporter& importer, const ImportOrder& order,
                                         const ExchangeProgress& progress) {
    const std::vector<ChatFile> files = chatFiles(order.paths);
    if (files.size() == 1 && files.front().chosen)
        return Import(importer, files.front(), order.present, progress).run();
    ImportReport all;
    const auto count = static_cast<double>(files.size());
    for (size_t i = 0; i < files.size() && !all.ended; ++i) {
        const ExchangeProgress part = [&](double share) { return progress((static_cast<double>(i) + share) / count); };
        Import one(importer, files[i], order.present, part);
        const engine::Result<ImportReport> report = one.run();
        join(all, files[i], report, one);
    }
    if (all.found == 0 && !all.ended && !all.others) return noChatsInFolder();
    return all;
}

} // namespace coterie::app
