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

std::vector<ChatFile> filesIn(const QString& folder) {
    QStringList paths;
    QDirIterator files(folder, kEndings, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) paths.append(files.next());
    paths.sort();
    std::vector<ChatFile> found;
    for (const QString& path : paths) {
        const QDir place = QFileInfo(path).dir();
        if (path.endsWith(QStringLiteral(".jsonl")) && place.exists(kThread)) continue;
        const bool inside = place.absolutePath() != QDir(folder).absolutePath();
        found.push_back({.path = path, .folder = inside ? place.dirName() : QString()});
    }
    return found;
}

} // namespace

std::vector<ChatFile> chatFiles(const QStringList& paths) {
    std::vector<ChatFile> all;
    for (const QString& path : paths) {
        if (!QFileInfo(path).isDir()) {
            all.push_back({.path = path, .chosen = true});
            continue;
        }
        for (ChatFile& file : filesIn(path)) all.push_back(std::move(file));
    }
    return all;
}

} // namespace coterie::app
