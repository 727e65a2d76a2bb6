// SPDX-License-Identifier: Apache-2.0
// Rows are kept as the store has them. A row's document is filled when a view asks for it, and for the streaming row
// as text arrives.
#include "chats/message_model.h"

#include "chats/composer_files.h"
#include "common/units.h"

#include <QQmlEngine>

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kMostShown = 20000; // characters of a file that the window shows: some ten pages

std::unique_ptr<TextDocument> newDocument() {
    auto document = std::make_unique<TextDocument>();
    QQmlEngine::setObjectOwnership(document.get(), QQmlEngine::CppOwnership); // QML must not delete it
    return document;
}

/// Takes the siblings, and none for rows that came without.
void addSiblings(std::vector<Siblings>& all, std::vector<Siblings>::iterator at, std::vector<Siblings> siblings,
                 size_t rows) {
    siblings.resize(rows);
    all.insert(at, std::make_move_iterator(siblings.begin()), std::make_move_iterator(siblings.end()));
}

/// Whether the parts are the same for the eye.
bool sameWords(std::span<const MessagePart> a, std::span<const MessagePart> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const MessagePart& x, const MessagePart& y) { return x.kind == y.kind && x.text == y.text; });
}

QVariantList filesOf(const MessageRow& row) {
    QVariantList files;
    for (const MessagePart& part : row.parts) {
        if (part.kind != PartKind::Attachment) continue;
        const bool whole = part.text.size() <= kMostShown;
        files.append(QVariantMap{{QStringLiteral("name"), part.name},
                                 {QStringLiteral("detail"), fileDetail(part.size, 0)},
                                 {QStringLiteral("whole"), whole},
                                 {QStringLiteral("text"), whole ? part.text : part.text.left(kMostShown)}});
    }
    return files;
}

/// Items may still show a document whose row is gone.
void dispose(std::unique_ptr<TextDocument>& document) {
    if (TextDocument* gone = document.release()) gone->deleteLater();
}

} // namespace

QString statisticsText(const AnswerStatistics& statistics) {
    if (statistics.tokens <= 0) return {};
    QStringList parts{MessageModel::tr("%Ln token(s)", "of an answer", statistics.tokens)};
    if (statistics.tokensPerSecond > 0) parts.append(speedText(statistics.tokensPerSecond));
    return factsText(parts);
}

QString resourcesText(const AnswerStatistics& statistics) {
    QStringList facts;
    if (statistics.firstTokenSeconds > 0)
        facts.append(MessageModel::tr("%1 to first token").arg(secondsText(statistics.firstTokenSeconds, 2)));
    if (statistics.memoryBytes > 0)
        facts.append(MessageModel::tr("%1 of memory").arg(sizeText(statistics.memoryBytes)));
    if (statistics.hitRate > 0) facts.append(MessageModel::tr("hit rate %1").arg(shareText(statistics.hitRate)));
    return factsText(facts);
}

QString diskText(const AnswerStatistics& statistics) {
    if (statistics.expertsFromDisk <= 0) return {};
    const QString share =
        statistics.dense ? MessageModel::tr("%1 of layers from disk") : MessageModel::tr("%1 of experts from disk");
    return factsText({share.arg(shareText(statistics.expertsFromDisk)), sizeText(statistics.diskBytes),
                      MessageModel::tr("%1 waiting for the disk").arg(secondsText(statistics.waitSeconds))});
}

QString exactnessText(const AnswerStatistics& statistics) {
    if (!statistics.lessExact) return {};
    if (statistics.choicesChanged <= 0) return MessageModel::tr("Less exact: it continues a less exact answer");
    return MessageModel::tr("Less exact: %1 of router choices used other or fewer experts")
        .arg(shareText(statistics.choicesChanged));
}

void fillDocument(TextDocument& document, const MessageRow& message) {
    if (message.role == engine::Role::User)
        MessageBlocks::fillVerbatim(document, message.parts);
    else
        MessageBlocks::fill(document, message.parts);
}

MessageModel::MessageModel(QObject* parent) : RowList(parent) {}

/// A view makes items from the first row on until it is full, and goes to the end of a chat only then. So the last rows
/// come alone, and the others are put before them, where no view needs them yet. They are two, because a view that
/// keeps its place has a row in it.
void MessageModel::reset(std::vector<MessageRow> rows, std::vector<Siblings> siblings) {
    constexpr size_t kFirst = 2;
    siblings.resize(rows.size());
    const auto last = static_cast<std::ptrdiff_t>(rows.size() - std::min(rows.size(), kFirst));
    std::vector<MessageRow> ending(std::make_move_iterator(rows.begin() + last), std::make_move_iterator(rows.end()));
    std::vector<Siblings> endingSiblings(siblings.begin() + last, siblings.end());
    rows.resize(static_cast<size_t>(last));
    siblings.resize(static_cast<size_t>(last));
    replaceAll(std::move(ending), std::move(endingSiblings));
    prepend(std::move(rows), std::move(siblings));
}

void MessageModel::replaceAll(std::vector<MessageRow> rows, std::vector<Siblings> siblings) {
    const bool countsDiffer = rows.size() != rows_.size();
    beginResetModel();
    const auto before = std::exchange(shown_, {}); // items show them until the reset has ended
    rows_ = std::move(rows);
    siblings_.clear();
    addSiblings(siblings_, siblings_.end(), std::move(siblings), rows_.size());
    shown_.resize(rows_.size());
    streaming_.reset();
    followLast();
    endResetModel();
    if (countsDiffer) Q_EMIT countChanged();
}

void MessageModel::append(std::vector<MessageRow> rows, std::vector<Siblings> siblings) {
    if (rows.empty()) return;
    const size_t added = rows.size();
    beginInsertRows({}, count(), count() + static_cast<int>(added) - 1);
    addSiblings(siblings_, siblings_.end(), std::move(siblings), added);
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    shown_.resize(rows_.size());
    followLast();
    endInsertRows();
    refreshAnswered(count() - static_cast<int>(added) - 1);
    Q_EMIT countChanged();
}

/// Rows below this one, if there is such a row, came or went: views read anew whether it is answered.
void MessageModel::refreshAnswered(int row) {
    if (row >= 0) Q_EMIT dataChanged(index(row), index(row), {UnansweredRole});
}

void MessageModel::followLast() {
    streaming_.reset();
    if (rows_.empty() || rows_.back().state != MessageState::Streaming) return;
    shown_.back() = {.document = newDocument()};
    streaming_.emplace(*shown_.back().document);
    for (size_t i = 0; i < rows_.back().parts.size(); ++i)
        streaming_->add({static_cast<qsizetype>(i), rows_.back().parts[i]});
}

void MessageModel::prepend(std::vector<MessageRow> rows, std::vector<Siblings> siblings) {
    if (rows.empty()) return;
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    addSiblings(siblings_, siblings_.begin(), std::move(siblings), rows.size());
    std::vector<Shown> shown(rows.size());
    std::move(shown_.begin(), shown_.end(), std::back_inserter(shown));
    shown_ = std::move(shown);
    rows_.insert(rows_.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    endInsertRows();
    Q_EMIT countChanged();
}

/// Returns how many rows at the beginning are the same.
int MessageModel::commonRows(const std::vector<MessageRow>& rows) const {
    const auto same = [](const MessageRow& a, const MessageRow& b) {
        return a.id == b.id && a.state == b.state && sameWords(a.parts, b.parts);
    };
    const auto differs = std::mismatch(rows_.begin(), rows_.end(), rows.begin(), rows.end(), same);
    return static_cast<int>(differs.first - rows_.begin());
}

void MessageModel::showPath(std::vector<MessageRow> rows, std::vector<Siblings> siblings) {
    const int first = commonRows(rows);
    const auto begin = static_cast<size_t>(first);
    const bool countsDiffer = rows.size() != rows_.size();
    siblings.resize(rows.size());
    Q_EMIT pathChanging(first);
    if (begin < rows_.size()) {
        beginRemoveRows({}, first, count() - 1);
        rows_.resize(begin);
        for (size_t i = begin; i < shown_.size(); ++i) dispose(shown_[i].document);
        shown_.resize(begin);
        streaming_.reset();
        endRemoveRows();
    }
    siblings_.assign(siblings.begin(), siblings.begin() + first);
    if (first > 0) Q_EMIT dataChanged(index(0), index(first - 1), {VersionRole, VersionsRole});
    if (begin < rows.size()) {
        beginInsertRows({}, first, static_cast<int>(rows.size()) - 1);
        siblings_ = std::move(siblings);
        std::move(rows.begin() + first, rows.end(), std::back_inserter(rows_));
        shown_.resize(rows_.size());
        followLast();
        endInsertRows();
    }
    refreshAnswered(first - 1);
    if (countsDiffer) Q_EMIT countChanged();
    Q_EMIT pathChanged(first);
}

void MessageModel::resume() {
    if (rows_.empty()) return;
    rows_.back().state = MessageState::Streaming;
    rows_.back().error = {};
    replaceLastDocument();
}

void MessageModel::rewrite(const std::vector<MessagePart>& parts) {
    if (rows_.empty() || !streaming_) return;
    std::vector<MessagePart>& old = rows_.back().parts;
    const size_t last = old.empty() ? 0 : old.size() - 1;
    const bool grows = !old.empty() && parts.size() == old.size() && parts[last].kind == old[last].kind &&
                       parts[last].text.startsWith(old[last].text) &&
                       sameWords(std::span(parts).first(last), std::span(old).first(last));
    if (grows) { // the usual case: the view keeps its document
        PartPiece rest{.index = static_cast<qsizetype>(last), .part = parts[last]};
        rest.part.text.remove(0, old[last].text.size());
        return appendPieces({&rest, 1});
    }
    old = parts;
    shown_.back().promptBytes.reset();
    replaceLastDocument();
}

/// Lets a new document follow the last row, which streams.
void MessageModel::replaceLastDocument() {
    dispose(shown_.back().document);
    followLast();
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last);
}

void MessageModel::appendPieces(std::span<const PartPiece> pieces) {
    if (rows_.empty() || !streaming_ || pieces.empty()) return;
    for (size_t i = 0; i < pieces.size();) {
        PartPiece piece = pieces[i]; // the words of one part together: the view then lays them out once
        while (++i < pieces.size() && pieces[i].index == piece.index) {
            piece.part.text += pieces[i].part.text;
            piece.part.seconds = std::max(piece.part.seconds, pieces[i].part.seconds);
        }
        addPiece(rows_.back().parts, piece);
        streaming_->add(piece);
    }
    shown_.back().promptBytes.reset();
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last, {TextRole, ThinkingRole});
}

void MessageModel::finish(const MessageRow& ended) {
    if (rows_.empty()) return;
    MessageRow& row = rows_.back();
    row.state = ended.state;
    row.statistics = ended.statistics;
    row.error = ended.error;
    row.notes = ended.notes;
    for (size_t i = 0; i < std::min(row.parts.size(), ended.parts.size()); ++i)
        row.parts[i].seconds = ended.parts[i].seconds; // known only now
    if (streaming_) streaming_->finish();
    streaming_.reset();
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last);
}

qsizetype MessageModel::promptBytes() const {
    qsizetype bytes = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
        std::optional<qsizetype>& known = shown_[i].promptBytes;
        if (!known) known = app::promptBytes(rows_[i].parts);
        bytes += *known;
    }
    return bytes;
}

const MessageRow* MessageModel::find(qint64 messageId) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [=](const MessageRow& r) { return r.id == messageId; });
    return row == rows_.end() ? nullptr : &*row;
}

Siblings MessageModel::siblings(qint64 messageId) const {
    const MessageRow* row = find(messageId);
    return row ? siblings_[static_cast<size_t>(row - rows_.data())] : Siblings{};
}

TextDocument* MessageModel::document(qint64 messageId) const {
    const MessageRow* row = find(messageId);
    return row ? documentOf(static_cast<size_t>(row - rows_.data())) : nullptr;
}

TextDocument* MessageModel::madeDocument(qint64 messageId) const {
    const int row = rowOf(messageId);
    return row < 0 ? nullptr : shown_[static_cast<size_t>(row)].document.get();
}

int MessageModel::rowOf(qint64 messageId) const {
    const MessageRow* row = find(messageId);
    return row ? static_cast<int>(row - rows_.data()) : -1;
}

int MessageModel::indexOf(const TextDocument* text) const {
    const auto found = std::find_if(shown_.begin(), shown_.end(),
                                    [=](const Shown& shown) { return text && shown.document.get() == text; });
    return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

TextDocument* MessageModel::textAt(int index) const {
    return index >= 0 && index < count() ? documentOf(static_cast<size_t>(index)) : nullptr;
}

TextDocument* MessageModel::documentOf(size_t row) const {
    std::unique_ptr<TextDocument>& document = shown_[row].document;
    if (document) return document.get();
    document = newDocument();
    const MessageRow& message = rows_[row];
    fillDocument(*document, message);
    Q_EMIT documentMade(message.id);
    return document.get();
}

QVariant MessageModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto at = static_cast<size_t>(index.row());
    const MessageRow& row = rows_[at];
    switch (role) {
    case MessageIdRole:
        return row.id;
    case RoleRole:
        return QLatin1String(engine::roleName(row.role));
    case Qt::DisplayRole:
    case TextRole:
        return row.text();
    case DocumentRole:
        return QVariant::fromValue<QObject*>(documentOf(at));
    case StateRole:
        return QLatin1String(kMessageStateNames[static_cast<size_t>(row.state)]);
    case CreatedRole:
        return row.created;
    case StatisticsRole:
        return row.state == MessageState::Streaming ? QString() : statisticsText(row.statistics);
    case DiskRole:
        return row.state == MessageState::Streaming ? QString() : diskText(row.statistics);
    case ExactnessRole:
        return row.state == MessageState::Streaming ? QString() : exactnessText(row.statistics);
    case NotesRole:
        return row.notes.join(u'\n');
    case ErrorWhatRole:
        return row.error.what;
    case ErrorWhyRole:
        return row.error.why;
    case ErrorActionRole:
        return row.error.action;
    case ResourcesRole:
        return row.state == MessageState::Streaming ? QString() : resourcesText(row.statistics);
    case ModelNameRole:
        if (row.role != engine::Role::Assistant) return QString();
        return row.statistics.edited && !row.model.isEmpty() ? tr("%1, edited", "a model").arg(row.model) : row.model;
    case FilesRole:
        return filesOf(row);
    case VersionRole:
        return static_cast<int>(std::max<qsizetype>(siblings_[at].index, 0)) + 1;
    case VersionsRole:
        return static_cast<int>(std::max<size_t>(siblings_[at].ids.size(), 1));
    case ThinkingRole:
        return row.state == MessageState::Streaming && !row.parts.empty() && row.parts.back().kind == PartKind::Thought;
    case UnansweredRole:
        if (row.role == engine::Role::User) return at + 1 == rows_.size();
        return row.state == MessageState::Stopped && row.parts.empty() && row.statistics.tokens <= 0;
    default:
        return {};
    }
}

} // namespace coterie::app
