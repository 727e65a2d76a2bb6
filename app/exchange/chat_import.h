// SPDX-License-Identifier: Apache-2.0
// Adds the chats of a file: one of our own exports, or one of ChatGPT, LM Studio, Jan or llama.cpp's web page. Each
// chat is one transaction: it is there with all its messages or not at all. A chat that can't be read is left out and
// named in the report; a file that is damaged further down gives the chats before that place.
//
//     auto report = importChats(*importer, {.path = path}, progress);
//     if (!report) return show(report.error()); // nothing was added
//     show(report->added, report->problems, report->ended);
//
// Threads: the thread that uses the importer. Errors are values.
#pragma once

#include "exchange/chat_export.h"
#include "store/chat_importer.h"

#include <QString>

#include <optional>
#include <vector>

namespace coterie::app {

/// The program that wrote a file.
enum class ChatSource { Coterie, ChatGpt, LmStudio, Jan, LlamaWeb };

struct ImportOrder {
    QString path;
    IfPresent present = IfPresent::Skip;
};

/// A chat that was left out.
struct ImportProblem {
    QString title; ///< empty if that was not readable
    engine::Error error;
};

struct ImportReport {
    ChatSource source = ChatSource::Coterie;
    qint64 found = 0;   ///< chats that the file has, as far as it was read
    qint64 added = 0;   ///< those of `beside` and `restored` included
    qint64 present = 0; ///< were there already
    qint64 beside = 0;  ///< a chat with the same origin had other messages
    qint64 restored = 0;
    qint64 failed = 0;
    std::vector<ImportProblem> problems{}; ///< the first of those that failed
    std::optional<engine::Error> ended{};  ///< the reason why the rest of the file was not read
    qint64 last = 0;                       ///< the last chat that was added; 0: none
};

/// Returns an error if the file is refused as a whole: it is of no known program, or of a later version.
engine::Result<ImportReport> importChats(ChatImporter& importer, const ImportOrder& order,
                                         const ExchangeProgress& progress);

} // namespace coterie::app
