// SPDX-License-Identifier: Apache-2.0
// See chat_export.h. One chat at a time is in memory.
#include "exchange/chat_export.h"

#include "exchange/chat_json.h"
#include "exchange/markdown.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSet>

#include <span>

namespace coterie::app {
namespace {

constexpr char kNotExported[] = "The chats were not exported";
constexpr QLatin1String kPreset("preset"), kId("id"), kName("name"); // in a chat's settings, and in a preset

engine::Error cancelled() {
    return {engine::ErrorKind::Cancelled, kNotExported, "The export was stopped",
            "Start it again if it is still needed"};
}

engine::Error cancelledFolder() {
    return {engine::ErrorKind::Cancelled, "Not all chats were exported", "The export was stopped",
            "The files that were written stay. Start it again if you need all of them"};
}

engine::Result<std::unique_ptr<engine::OutputFile>> create(engine::FileSystem& files, const QString& path,
                                                           bool replace) {
    if (!replace && QFileInfo::exists(path))
        return engine::Error{engine::ErrorKind::BadInput,
                             kNotExported,
                             {"There is a file %1 already", path.toStdString()},
                             "Choose another name, or agree to replace the file"};
    return files.createOutput(path.toStdString());
}

engine::Status append(engine::OutputFile& out, const QByteArray& bytes) {
    return out.append(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size()))));
}

/// The lines after the chats: the presets that they use, if there are some.
QByteArray footer(const QJsonArray& presets, const QSet<QString>& used) {
    QJsonArray written;
    for (const QJsonValue& preset : presets)
        if (used.contains(preset[kId].toString())) written.append(preset);
    if (written.isEmpty()) return "\n]}\n";
    return "\n],\n\"presets\":" + QJsonDocument(written).toJson(QJsonDocument::Compact) + "}\n";
}

/// People know a preset by its name. Those that came with the program have none of their own, but a telling id.
void namePreset(ChatTree& tree, const QJsonArray& presets) {
    const QString id = tree.settings.value(kPreset).toString();
    for (const QJsonValue& preset : presets)
        if (const QString name = preset[kName].toString(); preset[kId].toString() == id && !name.isEmpty())
            tree.settings.insert(kPreset, name);
}

/// Whether a message has two answers, or the chat two beginnings.
bool hasBranches(const ChatTree& tree) {
    QSet<qsizetype> parents;
    for (const TreeMessage& message : tree.messages) parents.insert(message.parent);
    return static_cast<size_t>(parents.size()) < tree.messages.size();
}

/// Returns the path of a file that is not there yet.
QString freePath(const QString& folder, const QString& name) {
    const QDir place(folder);
    QString path = place.filePath(name + QStringLiteral(".md"));
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = place.filePath(name + u' ' + QString::number(number) + QStringLiteral(".md"));
    return path;
}

/// The lines before the chats.
engine::Result<QByteArray> header(const ChatReads& reads, bool all) {
    QByteArray text = QByteArray("{\n\"format\":") + quotedJson(QLatin1String(kChatFormatName)) +
                      ",\n\"version\":" + QByteArray::number(kChatFormatVersion) + ",\n";
    if (all) {
        const auto folders = reads.folders().list();
        if (!folders) return folders.error();
        const auto state = reads.state(0);
        if (!state) return state.error();
        QByteArray names;
        for (const FolderRow& folder : folders.value()) names += (names.isEmpty() ? "" : ",") + quotedJson(folder.name);
        text += "\"folders\":[" + names + "],\n";
        if (!state->draft.isEmpty()) text += "\"draft\":" + quotedJson(state->draft) + ",\n";
    }
    return text + "\"chats\":[\n";
}

} // namespace

engine::Result<qint64> exportJson(const ChatReads& reads, const ExportOrder& order, const ExchangeProgress& progress) {
    const bool all = order.chats.empty();
    auto ids = all ? reads.chatIds(order.tree.bin) : engine::Result<std::vector<qint64>>(order.chats);
    if (!ids) return ids.error();
    auto first = header(reads, all);
    if (!first) return first.error();
    auto out = create(*order.files, order.path, order.replace);
    if (!out) return out.error();
    if (auto done = append(**out, first.value()); !done) return done.error();
    qint64 written = 0;
    QSet<QString> used;
    for (size_t i = 0; i < ids->size(); ++i) {
        if (!progress(static_cast<double>(i) / static_cast<double>(ids->size()))) return cancelled();
        const auto tree = reads.tree(ids.value()[i], order.tree);
        if (!tree && all && tree.error().kind == engine::ErrorKind::NotFound) continue; // it was deleted meanwhile
        if (!tree) return tree.error();
        if (auto done = append(**out, (written == 0 ? "" : ",\n") + chatJson(tree.value())); !done) return done.error();
        used.insert(tree->settings.value(kPreset).toString());
        ++written;
    }
    if (auto done = append(**out, footer(order.presets, used)); !done) return done.error();
    if (auto done = (*out)->commit(); !done) return done.error();
    return written;
}

engine::Status exportMarkdown(const ChatReads& reads, const MarkdownOrder& order) {
    auto tree = reads.tree(order.chat, {.files = false});
    if (!tree) return tree.error();
    namePreset(tree.value(), order.presets);
    auto out = create(*order.files, order.path, order.replace);
    if (!out) return out.error();
    if (auto done = append(**out, markdownOf(tree.value(), order.branches).toUtf8()); !done) return done;
    return (*out)->commit();
}

engine::Result<qint64> exportMarkdownFolder(const ChatReads& reads, const MarkdownFolderOrder& order,
                                            const ExchangeProgress& progress) {
    const auto ids = reads.chatIds(false);
    if (!ids) return ids.error();
    qint64 written = 0;
    for (size_t i = 0; i < ids->size(); ++i) {
        if (!progress(static_cast<double>(i) / static_cast<double>(ids->size()))) return cancelledFolder();
        auto tree = reads.tree(ids.value()[i], {.files = false});
        if (!tree && tree.error().kind == engine::ErrorKind::NotFound) continue; // it was deleted meanwhile
        if (!tree) return tree.error();
        namePreset(tree.value(), order.presets);
        auto out = order.files->createOutput(freePath(order.folder, order.name(tree->title)).toStdString());
        if (!out) return out.error();
        const QString text = markdownOf(tree.value(), hasBranches(tree.value()));
        if (auto done = append(**out, text.toUtf8()); !done) return done.error();
        if (auto done = (*out)->commit(); !done) return done.error();
        ++written;
    }
    return written;
}

} // namespace coterie::app
