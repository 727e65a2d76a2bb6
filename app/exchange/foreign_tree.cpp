// SPDX-License-Identifier: Apache-2.0
// See foreign_tree.h.
#include "exchange/foreign_tree.h"

#include "store/file_rows.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <queue>

namespace coterie::app {
namespace {

constexpr char kNotAdded[] = "The chat was not added";
constexpr size_t kMostMessages = 1000000;
// A hostile tree could repeat parts without end.
constexpr size_t kMostParts = 1000;  // parts of one answer
constexpr size_t kCopiesForEach = 4; // copies of a part, on average
constexpr qsizetype kLongestTitle = 200;

// Times from 1973 on in milliseconds are greater than all times before 5138 in seconds.
constexpr double kFirstMilliseconds = 1e11;
constexpr double kLastTime = 253402300799999; // the end of the year 9999

bool answers(const ForeignMessage& message) { return message.role == engine::Role::Assistant; }

/// A message, or one of several that it becomes.
struct Segment {
    engine::Role role;
    std::vector<TreePart> parts;
};

/// Results that stand in an answer become messages of their own, as our chats have them.
std::vector<Segment> segmentsOf(const ForeignMessage& message) {
    if (!answers(message)) return {{message.role, message.parts}};
    std::vector<Segment> segments;
    for (const TreePart& part : message.parts) {
        const engine::Role role = part.kind == PartKind::ToolResult ? engine::Role::Tool : message.role;
        if (segments.empty() || segments.back().role != role) segments.push_back({role, {}});
        segments.back().parts.push_back(part);
    }
    return segments;
}

/// The first words of the user, for a chat without a title.
QString titleFrom(const ChatTree& tree) {
    for (const TreeMessage& message : tree.messages)
        for (const TreePart& part : message.parts)
            if (part.kind == PartKind::Text && message.role == engine::Role::User)
                return part.text.left(10 * kLongestTitle).simplified().left(kLongestTitle);
    return QStringLiteral("...");
}

TreePart withMeta(PartKind kind, const QString& text, const MessagePart& fields) {
    TreePart part = treePart(fields);
    part.kind = kind;
    part.text = text;
    return part;
}

} // namespace

void ForeignTree::add(ForeignMessage message) {
    if (message.id.isEmpty()) message.id = QStringLiteral("#%1").arg(added_.size());
    if (indexes_.contains(message.id) || added_.size() >= kMostMessages) return;
    indexes_.insert(message.id, static_cast<qsizetype>(added_.size()));
    added_.push_back(std::move(message));
}

TreePart ForeignTree::attachment(const QString& name, const QString& mediaType, const QString& text,
                                 const QByteArray& bytes) {
    if (bytes.size() > kLargestFile) return {.text = note(NotImported::File, name)};
    TreePart part =
        withMeta(PartKind::Attachment, text, {.name = name, .mediaType = mediaType.left(100), .size = bytes.size()});
    part.file = static_cast<qsizetype>(files_.size());
    files_.push_back(bytes);
    return part;
}

/// The words are the same in each language, because a chat is known again by its words.
QString ForeignTree::note(NotImported what, const QString& name) {
    const char* thing = "file";
    if (what == NotImported::Picture) thing = "picture";
    if (what == NotImported::Recording) thing = "recording";
    if (what == NotImported::Video) thing = "video";
    ++notes_;
    const QString words = QStringLiteral("[a %1 that was not imported").arg(QLatin1String(thing));
    return (name.isEmpty() ? words : words + QStringLiteral(": ") + name) + QLatin1Char(']');
}

void ForeignTree::setTimes(qint64 created, qint64 updated) {
    created_ = created;
    updated_ = updated;
}

/// A message without a time has that of the message before it, or the chat's.
void ForeignTree::takeTime(ForeignMessage& message, qint64 before) const {
    if (message.created == 0) message.created = before == 0 ? created_ : before;
}

/// Sorts the messages by time, parents before children. A message whose parent is not there is a first one.
engine::Status ForeignTree::sort() {
    std::vector<std::vector<qsizetype>> below(added_.size());
    using Next = std::pair<qint64, qsizetype>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
    for (size_t i = 0; i < added_.size(); ++i) {
        const auto index = static_cast<qsizetype>(i);
        const qsizetype parent = indexes_.value(added_[i].parent, -1);
        if (parent >= 0) {
            below[static_cast<size_t>(parent)].push_back(index);
            continue;
        }
        takeTime(added_[i], 0);
        ready.emplace(added_[i].created, index);
    }
    sorted_.assign(added_.size(), -1);
    while (!ready.empty()) {
        const auto index = static_cast<size_t>(ready.top().second);
        ready.pop();
        sorted_[index] = static_cast<qsizetype>(nodes_.size());
        const qsizetype parent = indexes_.value(added_[index].parent, -1);
        const qint64 created = added_[index].created;
        Node node{.message = std::move(added_[index])};
        node.parent = parent < 0 ? -1 : sorted_[static_cast<size_t>(parent)];
        if (node.parent >= 0) nodes_[static_cast<size_t>(node.parent)].children.push_back(sorted_[index]);
        nodes_.push_back(std::move(node));
        for (const qsizetype child : below[index]) {
            ForeignMessage& next = added_[static_cast<size_t>(child)];
            takeTime(next, created);
            ready.emplace(next.created, child);
        }
    }
    if (nodes_.size() == added_.size()) return {};
    return engine::Error{engine::ErrorKind::BadInput, kNotAdded, "Some of its messages follow each other in a circle",
                         "Export it once more, or leave it out"};
}

/// The children of a message without words follow the message before it.
void ForeignTree::pullUpEmpty() {
    for (Node& node : nodes_) {
        if (node.parent >= 0 && nodes_[static_cast<size_t>(node.parent)].dropped)
            node.parent = nodes_[static_cast<size_t>(node.parent)].parent;
        node.dropped = node.message.parts.empty();
    }
}

/// System prompts at the beginning become the chat's setting: the first of them counts.
void ForeignTree::takeSystemPrompts() {
    for (Node& node : nodes_) {
        const bool first = node.parent < 0 || nodes_[static_cast<size_t>(node.parent)].dropped;
        if (node.dropped || node.message.role != engine::Role::System || !first) continue;
        if (systemPrompt_.isEmpty()) systemPrompt_ = node.message.parts.front().text;
        node.message.parts.clear();
        node.dropped = true;
    }
    pullUpEmpty();
}

/// Puts the parts of the answer before this one in front of it, and takes its place beside it.
void ForeignTree::joinTo(qsizetype index) {
    Node& node = nodes_[static_cast<size_t>(index)];
    Node& before = nodes_[static_cast<size_t>(node.parent)];
    if (node.message.parts.size() + before.message.parts.size() > kMostParts) return;
    const bool only = before.children.size() == 1;
    if (!only && before.message.parts.size() > mayCopy_) return;
    if (!only) mayCopy_ -= before.message.parts.size();
    std::vector<TreePart> parts = only ? std::move(before.message.parts) : before.message.parts;
    parts.insert(parts.end(), std::make_move_iterator(node.message.parts.begin()),
                 std::make_move_iterator(node.message.parts.end()));
    node.message.parts = std::move(parts);
    node.message.created = before.message.created;
    if (node.message.model.isEmpty()) node.message.model = before.message.model;
    node.parent = before.parent;
    if (before.parent >= 0) nodes_[static_cast<size_t>(before.parent)].children.push_back(index);
    const bool continuedOnly = std::all_of(before.children.begin(), before.children.end(), [&](qsizetype child) {
        return answers(nodes_[static_cast<size_t>(child)].message);
    });
    before.dropped = continuedOnly;
}

void ForeignTree::joinAnswers() {
    mayCopy_ = kCopiesForEach * nodes_.size();
    for (Node& node : nodes_) node.children.clear();
    for (size_t i = 0; i < nodes_.size(); ++i)
        if (!nodes_[i].dropped && nodes_[i].parent >= 0)
            nodes_[static_cast<size_t>(nodes_[i].parent)].children.push_back(static_cast<qsizetype>(i));
    for (size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.dropped || node.parent < 0 || !answers(node.message)) continue;
        if (answers(nodes_[static_cast<size_t>(node.parent)].message)) joinTo(static_cast<qsizetype>(i));
    }
}

/// The message that stands for this one: itself, or the nearest one below or above it if it was dropped.
qsizetype ForeignTree::shownAt(qsizetype index) const {
    while (index >= 0 && nodes_[static_cast<size_t>(index)].dropped) index = nodes_[static_cast<size_t>(index)].parent;
    return index;
}

std::vector<TreeMessage> ForeignTree::messages(std::vector<qsizetype>& places) const {
    std::vector<TreeMessage> list;
    places.assign(nodes_.size(), -1);
    for (size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.dropped) continue;
        const qsizetype parent = shownAt(node.parent);
        places[i] = parent < 0 ? -1 : places[static_cast<size_t>(parent)];
        for (Segment& segment : segmentsOf(node.message)) {
            const bool answer = segment.role == engine::Role::Assistant;
            list.push_back({.parent = places[i],
                            .role = segment.role,
                            .state = QStringLiteral("complete"),
                            .created = node.message.created,
                            .model = answer ? node.message.model : QString(),
                            .parts = std::move(segment.parts)});
            places[i] = static_cast<qsizetype>(list.size()) - 1;
        }
        list.back().state = node.message.state;
        list.back().statistics = node.message.statistics;
    }
    return list;
}

engine::Result<ForeignChat> ForeignTree::made(const char* program, const QString& id, const QString& title) {
    if (auto sorted = sort(); !sorted) return sorted.error();
    pullUpEmpty();
    takeSystemPrompts();
    joinAnswers();
    ForeignChat made{.notes = notes_};
    ChatTree& tree = made.tree;
    tree.title = title.simplified().left(kLongestTitle);
    tree.files = std::move(files_);
    if (!systemPrompt_.trimmed().isEmpty()) tree.settings.insert(QStringLiteral("systemPrompt"), systemPrompt_);
    std::vector<qsizetype> places;
    tree.messages = messages(places);
    if (tree.messages.empty())
        return engine::Error{engine::ErrorKind::BadInput, kNotAdded, "It has no messages", "Leave it out"};
    const qsizetype leaf = indexes_.value(leaf_, -1);
    const qsizetype shown = leaf < 0 ? -1 : shownAt(sorted_[static_cast<size_t>(leaf)]);
    tree.leaf = shown < 0 ? static_cast<qsizetype>(tree.messages.size()) - 1 : places[static_cast<size_t>(shown)];
    const auto older = [](const TreeMessage& a, const TreeMessage& b) { return a.created < b.created; };
    tree.created =
        created_ > 0 ? created_ : std::min_element(tree.messages.begin(), tree.messages.end(), older)->created;
    tree.updated =
        updated_ > 0 ? updated_ : std::max_element(tree.messages.begin(), tree.messages.end(), older)->created;
    if (tree.title.isEmpty()) tree.title = titleFrom(tree);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray(program) + '\n' + id.toUtf8());
    if (id.isEmpty()) {
        hash.addData(tree.title.toUtf8());
        for (const QByteArray& message : messageHashes(tree)) hash.addData(message);
    }
    tree.uid = QString::fromLatin1(hash.result().toHex().left(32));
    return made;
}

std::vector<TreePart> foreignText(const QString& text) {
    static const QString kBegin = QStringLiteral("<think>"), kEnd = QStringLiteral("</think>");
    std::vector<TreePart> parts;
    QString rest = text;
    const qsizetype end = rest.indexOf(kEnd);
    if (rest.trimmed().startsWith(kBegin) && end >= 0) {
        const qsizetype begin = rest.indexOf(kBegin) + kBegin.size();
        const QString thought = rest.mid(begin, end - begin).trimmed();
        if (!thought.isEmpty()) parts.push_back(foreignThought(thought));
        rest = rest.mid(end + kEnd.size()).trimmed();
    }
    if (!rest.trimmed().isEmpty()) parts.push_back({.kind = PartKind::Text, .text = rest});
    return parts;
}

TreePart foreignThought(const QString& text) { return {.kind = PartKind::Thought, .text = text}; }

TreePart foreignCall(const QString& tool, const QString& arguments) {
    return withMeta(PartKind::ToolCall, {}, {.tool = tool, .arguments = arguments});
}

TreePart foreignResult(const QString& tool, const QString& text) {
    return withMeta(PartKind::ToolResult, text, {.tool = tool});
}

engine::Role foreignRole(const QString& role) {
    if (role == QLatin1String("human")) return engine::Role::User;
    if (role == QLatin1String("developer")) return engine::Role::System;
    if (role == QLatin1String("function")) return engine::Role::Tool;
    return engine::roleFrom(role.toStdString()).value_or(engine::Role::Assistant);
}

QJsonObject foreignStatistics(qint64 tokens, double tokensPerSecond, double firstTokenSeconds) {
    QJsonObject object;
    if (tokens > 0) object.insert(QStringLiteral("tokens"), tokens);
    if (tokensPerSecond > 0) object.insert(QStringLiteral("tokensPerSecond"), tokensPerSecond);
    if (firstTokenSeconds > 0) object.insert(QStringLiteral("firstTokenSeconds"), firstTokenSeconds);
    return object;
}

QString textAt(const QJsonObject& object, const char* key) { return object.value(QLatin1String(key)).toString(); }

QString wordsOf(const QJsonValue& value) {
    if (value.isObject()) return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    if (value.isArray()) return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    return value.toString();
}

std::optional<DataAddress> dataAt(const QString& address) {
    const qsizetype comma = address.indexOf(QLatin1Char(','));
    if (!address.startsWith(QLatin1String("data:")) || comma < 0) return std::nullopt;
    const QString head = address.left(comma).mid(5);
    const QByteArray data = address.mid(comma + 1).toLatin1();
    const bool plain = !head.endsWith(QLatin1String(";base64"));
    return DataAddress{.mediaType = head.section(QLatin1Char(';'), 0, 0),
                       .bytes = plain ? QByteArray::fromPercentEncoding(data) : QByteArray::fromBase64(data)};
}

qint64 foreignTime(const QJsonValue& value) {
    const double time = value.toDouble();
    if (!(time > 0) || time > kLastTime) return 0;
    return static_cast<qint64>(std::round(time < kFirstMilliseconds ? time * 1000 : time));
}

} // namespace coterie::app
