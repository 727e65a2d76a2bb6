// SPDX-License-Identifier: Apache-2.0
// See chat_tree.h.
#include "store/chat_tree.h"

#include "store/file_rows.h"
#include "store/packed_bytes.h"

#include <QCryptographicHash>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace coterie::app {
namespace {

constexpr char kNotAdded[] = "The chat was not added";
constexpr qsizetype kUidLength = 32;  // uids that are made here
constexpr qsizetype kLongestUid = 64; // uids that a file names

engine::Error badTree(const engine::Sentence& why) {
    return {engine::ErrorKind::BadInput, kNotAdded, why, "Export it once more, or leave it out"};
}

template <size_t N>
bool isOneOf(const QString& text, const std::array<const char*, N>& names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return text == QLatin1String(name); });
}

bool isIndex(qsizetype index, qsizetype count) { return index >= -1 && index < count; }

engine::Status checkMessage(const TreeMessage& message, qsizetype number, qsizetype files) {
    static constexpr std::array<const char*, 3> kStates{"complete", "stopped", "failed"};
    const auto place = static_cast<int64_t>(number) + 1;
    if (!isIndex(message.parent, number)) return badTree({"Its message %1 does not follow an earlier one", place});
    if (!isOneOf(message.state, kStates))
        return badTree(
            {"Its message %1 has the unknown state \"%2\"", place, message.state.left(kUidLength).toStdString()});
    for (const TreePart& part : message.parts)
        if (!isIndex(part.file, files) || (part.file >= 0 && part.kind != PartKind::Attachment))
            return badTree({"Its message %1 names a file that is not there", place});
    for (const TreeRecord& record : message.records)
        if (!unpacked(record.bytes)) return badTree({"A record of its message %1 is damaged", place});
    return {};
}

} // namespace

TreePart treePart(const MessagePart& part) {
    return {.kind = part.kind, .text = part.text, .meta = QJsonDocument::fromJson(partMeta(part).toUtf8()).object()};
}

MessagePart messagePart(const TreePart& part) {
    MessagePart made{.kind = part.kind, .text = part.text};
    readPartMeta(QString::fromUtf8(QJsonDocument(part.meta).toJson(QJsonDocument::Compact)), made);
    return made;
}

engine::Status checkTree(const ChatTree& tree) {
    const auto count = static_cast<qsizetype>(tree.messages.size());
    const auto files = static_cast<qsizetype>(tree.files.size());
    if (tree.uid.size() > kLongestUid) return badTree("Its name for programs is too long");
    for (qsizetype i = 0; i < count; ++i)
        if (auto checked = checkMessage(tree.messages[static_cast<size_t>(i)], i, files); !checked) return checked;
    if (!isIndex(tree.leaf, count) || !isIndex(tree.seen, count) || !isIndex(tree.leftOut, count))
        return badTree("It shows a message that it does not have");
    for (const TreeUnsentFile& file : tree.unsent)
        if (!isIndex(file.part.file, files) || file.part.kind != PartKind::Attachment ||
            !isIndex(file.waiting, tree.waiting.size()))
            return badTree("A file that was not sent yet is not there");
    for (const QByteArray& file : tree.files)
        if (file.size() > kLargestFile)
            return badTree({"A file of it has %1, and at most %2 can be kept",
                            engine::ByteCount{static_cast<uint64_t>(file.size())},
                            engine::ByteCount{static_cast<uint64_t>(kLargestFile)}});
    return {};
}

std::vector<QByteArray> messageHashes(const ChatTree& tree) {
    std::vector<QByteArray> hashes;
    hashes.reserve(tree.messages.size());
    for (const TreeMessage& message : tree.messages) {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        const auto add = [&hash](const QByteArray& bytes) { // with its length, so that no two lists give the same bytes
            hash.addData(QByteArray::number(bytes.size()) + ' ' + bytes);
        };
        add(message.parent < 0 ? QByteArray() : hashes[static_cast<size_t>(message.parent)]);
        add(engine::roleName(message.role));
        add(QByteArray::number(message.created));
        for (const TreePart& part : message.parts) {
            add(partKindName(part.kind).toUtf8());
            add(part.text.toUtf8());
            add(QJsonDocument(part.meta).toJson(QJsonDocument::Compact));
        }
        hashes.push_back(hash.result());
    }
    return hashes;
}

QString uidBeside(const QString& uid, const std::vector<QByteArray>& messages) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(uid.toUtf8());
    for (const QByteArray& message : messages) hash.addData(message);
    return QString::fromLatin1(hash.result().toHex().left(kUidLength));
}

} // namespace coterie::app
