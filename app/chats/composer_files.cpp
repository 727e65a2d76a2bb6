// SPDX-License-Identifier: Apache-2.0
// See composer_files.h. A file belongs to the chat that was shown when it was chosen, also if another one is shown when
// it has been read.
#include "chats/composer_files.h"

#include "chats/conversation.h"
#include "common/isolated_name.h"
#include "common/undo_stack.h"
#include "common/units.h"
#include "engine_link/attached_file.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <utility>

namespace coterie::app {

QString fileDetail(qint64 bytes, qint64 tokens) {
    QStringList facts{sizeText(static_cast<double>(bytes))};
    if (tokens > 0) facts.append(ComposerFiles::tr("%Ln token(s)", "of a file", static_cast<int>(tokens)));
    return factsText(facts);
}

std::vector<qint64> idsOf(const std::vector<DraftFile>& files) {
    std::vector<qint64> ids;
    ids.reserve(files.size());
    for (const DraftFile& file : files) ids.push_back(file.id);
    return ids;
}

std::vector<MessagePart> partsOf(const std::vector<DraftFile>& files) {
    std::vector<MessagePart> parts;
    parts.reserve(files.size());
    for (const DraftFile& file : files) parts.push_back(file.part);
    return parts;
}

namespace {

/// Whether the file is in the draft of its chat. A message may have moved to another chat with it.
bool isIn(ChatStore* store, const DraftFile& file) {
    const auto files = store->draftFiles().list(file.chat);
    return !files ||
           std::any_of(files->begin(), files->end(), [&](const DraftFile& each) { return each.id == file.id; });
}

/// Keeps a file with the draft of the chat as the program ends: an error has no place any more.
void keepAtEnd(ChatStore* store, qint64 chat, const NewFile& file) {
    const auto there = store->draftFiles().has(chat, file);
    if (there && !*there) (void)store->draftFiles().add(chat, file);
}

} // namespace

ComposerFiles::ComposerFiles(Conversation* conversation, EngineWorker* worker, QObject* parent)
    : RowList(parent), conversation_(conversation), worker_(worker) {
    connect(worker_, &EngineWorker::counted, this, &ComposerFiles::onCounted);
    connect(conversation_, &Conversation::chatChanged, this, &ComposerFiles::refresh);
}

ComposerFiles::~ComposerFiles() {
    thread_.finish();
    for (const Late& late : late_) keepAtEnd(late.store, late.chat, late.file);
    for (const Reading& reading : reading_)
        if (const auto file = readAttachedFile(reading.path)) keepAtEnd(reading.store, reading.chat, *file);
}

void ComposerFiles::refresh() {
    chat_ = conversation_->chatId();
    keepLate(chat_);
    repeated_.clear();
    auto files =
        store_ ? store_->draftFiles().list(chat_) : engine::Result<std::vector<DraftFile>>(std::vector<DraftFile>());
    if (!files) Q_EMIT failed(ErrorInfo(files.error()));
    beginResetModel();
    rows_ = files ? std::move(files).value() : std::vector<DraftFile>();
    endResetModel();
    Q_EMIT changed();
    countNext();
}

void ComposerFiles::add(const QList<QUrl>& files) {
    for (const QUrl& file : files)
        if (file.isLocalFile()) read(file.toLocalFile());
}

void ComposerFiles::read(const QString& path) {
    if (!store_) return;
    reading_.push_back({.number = ++lastRead_, .store = store_, .chat = chat_, .path = path});
    repeated_.clear();
    Q_EMIT changed();
    thread_.push([this, path, number = lastRead_] {
        toGui_.push([this, number, file = readAttachedFile(path)] { onRead(number, file); });
    });
}

void ComposerFiles::onRead(quint64 number, const engine::Result<NewFile>& file) {
    const auto found = std::find_if(reading_.begin(), reading_.end(),
                                    [number](const Reading& reading) { return reading.number == number; });
    if (found == reading_.end()) return; // its chat has ended
    const Reading reading = *found;
    reading_.erase(found);
    store(reading.store, reading.chat, file);
    Q_EMIT changed();
}

int ComposerFiles::reading() const {
    return static_cast<int>(std::count_if(reading_.begin(), reading_.end(), [this](const Reading& reading) {
        return reading.store == store_ && reading.chat == chat_;
    }));
}

void ComposerFiles::dropReading(const ChatStore* store) {
    std::erase_if(reading_, [store](const Reading& reading) { return reading.store == store; });
    std::erase_if(late_, [store](const Late& late) { return late.store == store; });
}

void ComposerFiles::keepLate(qint64 chat) {
    std::vector<Late> late = std::exchange(late_, {});
    for (Late& each : late)
        if (each.chat == chat)
            store(each.store, each.chat, std::move(each.file));
        else
            late_.push_back(std::move(each));
}

void ComposerFiles::giveTo(qint64 chat, ChatStore* store) {
    for (Reading& reading : reading_)
        if (reading.store == store && reading.chat == 0) reading.chat = chat;
    auto files = store->draftFiles().list(0);
    if (!files) return Q_EMIT failed(ErrorInfo(files.error()));
    for (DraftFile& file : *files) {
        file.chat = chat;
        if (const engine::Status given = store->draftFiles().putBack(file); !given)
            return Q_EMIT failed(ErrorInfo(given.error()));
    }
}

/// Keeps a file with the draft of the chat.
void ComposerFiles::store(ChatStore* store, qint64 chat, const engine::Result<NewFile>& file) {
    if (!file) return Q_EMIT failed(ErrorInfo(file.error()));
    const bool shown = store == store_ && chat == chat_;
    const auto there = store->draftFiles().has(chat, *file);
    if (there && *there) {
        if (shown) repeated_ = file->name;
        return Q_EMIT this->added();
    }
    const auto added = store->draftFiles().add(chat, *file);
    if (!added && added.error().kind == engine::ErrorKind::NotFound)
        return late_.push_back({.store = store, .chat = chat, .file = *file});
    if (!added) return Q_EMIT failed(ErrorInfo(added.error()));
    Q_EMIT this->added();
    if (shown) refresh();
    if (!undo_) return;
    undo_->push({.title = tr("Attach %1").arg(isolatedName(added->part.name)),
                 .undo = [this, store, file = *added] { return keep(store, file, false); },
                 .redo = [this, store, file = *added] { return keep(store, file, true); },
                 .chat = chat,
                 .draft = shown ? std::optional(conversation_->draft()) : std::nullopt,
                 .untilSent = true,
                 .chats = chatsOf(store),
                 .stands = [store, file = *added] { return isIn(store, file); }});
}

/// The chats of a step about a file in this store: a temporary chat that is new has no id yet. Others are those of the
/// file.
QList<qint64> ComposerFiles::chatsOf(const ChatStore* store) const {
    const bool temporary = store == store_ && conversation_->temporary();
    return temporary ? QList<qint64>{kFirstTemporaryId} : QList<qint64>{};
}

/// Puts a file back into its draft, or takes it out.
engine::Status ComposerFiles::keep(ChatStore* store, const DraftFile& file, bool kept) {
    const engine::Status done = kept ? store->draftFiles().putBack(file) : store->draftFiles().remove(file.id);
    if (done && store == store_ && file.chat == chat_) refresh();
    return done;
}

void ComposerFiles::take(const std::vector<DraftFile>& files) {
    if (files.empty() || !store_) return;
    const engine::Status taken = store_->draftFiles().copyTo(chat_, files);
    if (!taken) return Q_EMIT failed(ErrorInfo(taken.error()));
    Q_EMIT added();
    refresh();
}

bool ComposerFiles::paste() {
    const QMimeData* const pasted = QGuiApplication::clipboard()->mimeData();
    if (!pasted || !store_) return false;
    const QList<QUrl> urls = pasted->urls();
    if (std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); })) {
        add(urls);
        return true;
    }
    const QString text = pasted->text();
    if (text.size() <= kLongPaste) return false;
    if (text.size() > kLongestFileText) {
        Q_EMIT failed(ErrorInfo(tr("The text was not pasted"), tr("It is longer than any model can read"),
                                tr("Paste a part of it")));
        return true;
    }
    store(store_, chat_, pastedFile(text, freeName()));
    return true;
}

/// Returns a name for a pasted text that no other file here has.
QString ComposerFiles::freeName() const {
    const auto taken = [this](const QString& name) {
        return std::any_of(rows_.begin(), rows_.end(), [&](const DraftFile& row) { return row.part.name == name; });
    };
    QString name = tr("Pasted text") + QStringLiteral(".txt");
    for (int i = 2; taken(name); ++i) name = tr("Pasted text") + QStringLiteral(" %1.txt").arg(i);
    return name;
}

void ComposerFiles::remove(int row) {
    if (row < 0 || row >= count() || !store_) return;
    const DraftFile file = rows_[static_cast<size_t>(row)];
    const engine::Status removed = keep(store_, file, false);
    if (!removed) return Q_EMIT failed(ErrorInfo(removed.error()));
    if (!undo_) return;
    undo_->push({.title = tr("Take out the file %1").arg(isolatedName(file.part.name)),
                 .undo = [this, store = store_, file] { return keep(store, file, true); },
                 .redo = [this, store = store_, file] { return keep(store, file, false); },
                 .notice = tr("Took out the file %1").arg(isolatedName(file.part.name)),
                 .chat = file.chat,
                 .draft = conversation_->draft(),
                 .untilSent = file.chat == 0, // then the new chat is another one
                 .chats = chatsOf(store_)});
}

// Tokens

void ComposerFiles::countAgain() {
    tokens_.clear();
    wantedCount_ = 0;
    countNext();
}

/// Counts the next file whose tokens are not known, one at a time.
void ComposerFiles::countNext() {
    if (wantedCount_ != 0 || !conversation_->model().ready) return;
    const auto next =
        std::find_if(rows_.begin(), rows_.end(), [this](const DraftFile& row) { return !tokens_.contains(row.id); });
    if (next == rows_.end()) return;
    counted_ = next->id;
    wantedCount_ = worker_->countText(next->part.text);
}

void ComposerFiles::onCounted(quint64 count, qint64 tokens) {
    if (wantedCount_ == 0 || count != wantedCount_) return;
    wantedCount_ = 0;
    tokens_.insert(counted_, tokens);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(this->count() - 1), {DetailRole});
    countNext();
}

QVariant ComposerFiles::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const DraftFile& row = rows_[static_cast<size_t>(index.row())];
    if (role == NameRole || role == Qt::DisplayRole) return row.part.name;
    if (role == DetailRole) return fileDetail(row.part.size, tokens_.value(row.id));
    return {};
}

} // namespace coterie::app
