// SPDX-License-Identifier: Apache-2.0
// Writes chats to a file: as JSON (the whole tree, README.md draws the format) or as Markdown for people. The file is
// written beside its place, synced and renamed: after a failure or a stop nothing is left of it, and an older file with
// the name is as it was.
//
//     auto written = exportJson(*reader, {.path = path, .tree = {.bin = true}}, progress);
//     if (!written) return show(written.error());
//
// Threads: the thread that uses the reader. Errors are values.
#pragma once

#include "base/files.h"
#include "store/chat_reads.h"

#include <QJsonArray>
#include <QString>

#include <functional>
#include <vector>

namespace coterie::app {

/// Receives how much is done, 0..1; returns false to stop the work.
using ExchangeProgress = std::function<bool(double share)>;

struct ExportOrder {
    QString path;
    std::vector<qint64> chats{}; ///< empty: all of them, with the folders
    TreeWants tree{};
    QJsonArray presets{}; ///< all that there are (Presets::list()); those that the chats use are written
    bool replace = false; ///< an older file with this name may be replaced
    engine::FileSystem* files = &engine::systemFiles();
};

/// Returns the number of chats that were written.
engine::Result<qint64> exportJson(const ChatReads& reads, const ExportOrder& order, const ExchangeProgress& progress);

struct MarkdownOrder {
    QString path;
    qint64 chat = 0;
    bool branches = false; ///< all branches; otherwise the path that is shown
    QJsonArray presets{};  ///< all that there are: the chat's is named
    bool replace = false;
    engine::FileSystem* files = &engine::systemFiles();
};

engine::Status exportMarkdown(const ChatReads& reads, const MarkdownOrder& order);

struct MarkdownFolderOrder {
    QString folder;
    std::function<QString(const QString& title)> name; ///< makes a file's name, without its ending
    QJsonArray presets{};                              ///< as above
    engine::FileSystem* files = &engine::systemFiles();
};

/// Writes each chat, without those in the bin, into a file of its own, with all branches if it has several. No file is
/// replaced: if a name is taken, the new file's gets a number. After a failure or a stop, the files that are whole
/// stay. Returns their number.
engine::Result<qint64> exportMarkdownFolder(const ChatReads& reads, const MarkdownFolderOrder& order,
                                            const ExchangeProgress& progress);

} // namespace coterie::app
