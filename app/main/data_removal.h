// SPDX-License-Identifier: Apache-2.0
// Deletes what Coterie has stored on this machine, after a question in the terminal: `coterie --delete-all-data`. It
// deletes only files that have the names of Coterie's own, and the folders that are empty then. It follows no link
// within the folders: neither a link nor what it leads to is deleted.
#pragma once

#include <QString>

namespace coterie::app {

/// The folders in which the program stores files. Each may be missing, and may hold files of others.
struct DataFolders {
    QString data;   ///< chats, settings and records
    QString packed; ///< packed files
    QString caches; ///< files that Qt keeps for faster starts; empty: none
};

/// Lists the files, asks on the terminal, and deletes them if the answer is "yes". While it asks, it holds the lock of
/// the data folder, so that no window starts there. Returns main()'s exit code; an answer that is not "yes" is no
/// failure.
int deleteAllData(const DataFolders& folders);

} // namespace coterie::app
