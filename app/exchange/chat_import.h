// SPDX-License-Identifier: Apache-2.0
// Adds the chats of files: our own exports, or those of ChatGPT, LM Studio, Jan or llama.cpp's web page. LM Studio and
// Jan keep a file for each chat, so that whole folders can be read. Each chat is one transaction: it is there with all
// its messages or not at all. A chat that can't be read is left out and named in the report; a file that is damaged
// further down gives the chats before that place.
//
//     auto report = importChats(*importer, {.paths = {path}}, progress);
//     if (!report) return show(report.error()); // nothing was added
//     show(report->added(), report->problems, report->ended);
//
// Threads: the thread that uses the importer. Errors are values.
#pragma once

#include "exchange/chat_export.h"
#include "store/chat_importer.h"

#include <QJsonArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace coterie::app {

/// The program that wrote a file.
enum class ChatSource { Coterie, ChatGpt, LmStudio, Jan, LlamaWeb };

struct ImportOrder {
    /// Files, and folders whose files are looked through, with the folders inside. Files of other kinds are passed over
    /// in a folder.
    QStringList paths;
    IfPresent present = IfPresent::Skip;
};

/// A chat, or a file of several, that was left out.
struct ImportProblem {
    QString title; ///< empty if that was not readable; the name of a file
    engine::Error error;
};

struct ImportReport {
    ChatSource source = ChatSource::Coterie;
    qint64 found = 0;   ///< chats that the files have, as far as they were read
    qint64 present = 0; ///< were there already
    qint64 beside = 0;  ///< a chat with the same origin had other messages
    qint64 restored = 0;
    qint64 failed = 0;
    qint64 notes = 0;    ///< pictures and other files of the added chats that were not imported; notes stand for them
    bool others = false; ///< folders, presets or a draft were found
    std::vector<ImportProblem> problems{}; ///< the first of those that failed
    std::optional<engine::Error> ended{};  ///< the reason why the rest was not read
    QList<qint64> chats{};                 ///< those that were added, with those of `beside` and `restored`
    QJsonArray presets{};                  ///< presets that the chats use, as the files have them: not checked

    qint64 added() const { return chats.size(); }
};

/// Returns an error if a single file is refused as a whole, because it is of no known program or of a later version, or
/// has nothing to import, or if a folder has no chats.
engine::Result<ImportReport> importChats(ChatImporter& importer, const ImportOrder& order,
                                         const ExchangeProgress& progress);

} // namespace coterie::app
