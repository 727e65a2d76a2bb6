// SPDX-License-Identifier: Apache-2.0
// See chat_files.h.
#include "exchange/chat_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace coterie::app {
namespace {

const QString kThread = QStringLiteral("thread.json"); // Jan's, beside messages.jsonl
const QStringList kEndings{QStringLiteral("*.json"), QStringLiteral("*.jsonl"), QStringLiteral("*.zip")};

const QString kConversations = QStringLiteral("conversations"); // LM Studio keeps its chats in a folder of this name

/// Returns the name of this folder and of those around it, up to the folder of LM Studio's chats, or else to the one
/// that was chosen: "Work/Trips". Somebody may choose a single folder of chats.
QString nameOf(const QDir& folder, const QDir& chosen) {
    const QStringList names = folder.absolutePath().split(QLatin1Char('/'));
    qsizetype begin = names.lastIndexOf(kConversations) + 1;
    if (begin == 0) begin = chosen.absolutePath().split(QLatin1Char('/')).size();
    return names.mid(begin).join(QLatin1Char('/'));
}

std::vector<ChatFile> filesIn(const QString& folder) {
    QStringList paths;
    QDirIterator files(folder, kEndings, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) paths.append(files.next());
    paths.sort();
    std::vector<ChatFile> found;
    for (const QString& path : paths) {
        const QDir place = QFileInfo(path).dir();
        if (path.endsWith(QStringLiteral(".jsonl")) && place.exists(kThread)) continue;
        found.push_back({.path = path, .folder = nameOf(place, QDir(folder))});
    }
    return found;
}

} // namespace

std::vector<ChatFile> chatFiles(const QStringList& paths) {
    std::vector<ChatFile> all;
    for (const QString& path : paths) {
        if (!QFileInfo(path).isDir()) {
            const QDir place = QFileInfo(path).dir();
            all.push_back({.path = path, .folder = nameOf(place, place), .chosen = true});
            continue;
        }
        for (ChatFile& file : filesIn(path)) all.push_back(std::move(file));
    }
    return all;
}

} // namespace coterie::app
