// SPDX-License-Identifier: Apache-2.0
// The files of an import: those that were chosen, and those in folders that were chosen. It opens none of them.
//
// Threads: plain functions; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace coterie::app {

struct ChatFile {
    QString path;
    QString folder{};    ///< LM Studio's folder of chats in which it is, such as "Work/Trips"; empty: in none
    bool chosen = false; ///< by itself; else it was found in a folder
};

/// Returns the files in an order that is always the same. A thread of Jan, which is two files, is returned once. Hidden
/// files and links to folders are passed over.
std::vector<ChatFile> chatFiles(const QStringList& paths);

} // namespace coterie::app
