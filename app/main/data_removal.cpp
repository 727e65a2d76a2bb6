// SPDX-License-Identifier: Apache-2.0
// See data_removal.h. The names of the files stand where they are written: app/store/database.cpp, app/settings,
// engine/base/record_file.cpp, engine/session/packed_files.cpp. tst_delete_all_data fails if one is missing here.
#include "main/data_removal.h"

#include "base/result.h"
#include "cli/console.h"
#include "cli/format.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QRegularExpression>

#include <optional>
#include <vector>

namespace coterie::app {
namespace {

using engine::Error;
using engine::ErrorKind;

constexpr int kDone = 0, kFailed = 1;

const QString kLock = QStringLiteral("lock");
const QString kHalfWritten = QStringLiteral("\\.coterie-\\d+-\\d+\\.part"); // base/files
const QString kDataNames =
    QStringLiteral(
        "chats\\.db(-wal|-shm|-journal)?|chats\\.reserve|chats-before-v\\d+-\\d{8}-\\d{6}(-\\d+)?\\.db(\\.part(-"
        "journal)?)?"
        "|chats-damaged-\\d{8}-\\d{6}(-\\d+)?\\.db(-wal|-shm)?|settings\\.json(\\.bad)?|(disk|head|heat)-[0-9a-f]+|") +
    kHalfWritten;
const QString kPackedNames = QStringLiteral(".+-[0-9a-f]+\\.experts|") + kHalfWritten;
const QString kCacheFolders = QStringLiteral("qmlcache|qtpipelinecache-.+|qtshadercache-.+"); // made by Qt

/// The files to delete, a folder of Qt's caches as one.
struct Item {
    QString path;
    std::vector<QString> files;   ///< itself, or all files below it
    std::vector<QString> folders; ///< itself and those below it, the deepest first; empty: it is a file
    uint64_t bytes = 0;
};

struct Findings {
    std::vector<Item> items;
    QStringList links; ///< links with a name of ours, which stay
};

bool isLink(const QFileInfo& file) { return file.isSymLink() || file.isJunction(); }

QFileInfoList entriesOf(const QString& folder) {
    return QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                                      QDir::Name);
}

bool matches(const QString& names, const QString& name) {
    return QRegularExpression(QRegularExpression::anchoredPattern(names)).match(name).hasMatch();
}

void addFiles(const QString& folder, const QString& names, Findings& found) {
    for (const QFileInfo& file : entriesOf(folder)) {
        if (!matches(names, file.fileName())) continue;
        const QString path = file.filePath();
        if (isLink(file))
            found.links.append(path);
        else if (file.isFile())
            found.items.push_back({path, {path}, {}, static_cast<uint64_t>(file.size())});
    }
}

/// Adds everything below the folder to the item.
void addTree(const QString& folder, Item& item, QStringList& links) {
    for (const QFileInfo& entry : entriesOf(folder)) {
        if (isLink(entry)) {
            links.append(entry.filePath());
        } else if (entry.isDir()) {
            addTree(entry.filePath(), item, links);
        } else {
            item.files.push_back(entry.filePath());
            item.bytes += static_cast<uint64_t>(entry.size());
        }
    }
    item.folders.push_back(folder);
}

void addCaches(const QString& folder, Findings& found) {
    for (const QFileInfo& entry : entriesOf(folder)) {
        if (!matches(kCacheFolders, entry.fileName())) continue;
        if (isLink(entry)) {
            found.links.append(entry.filePath());
        } else if (entry.isDir()) {
            Item item{.path = entry.filePath(), .files = {}, .folders = {}, .bytes = 0};
            addTree(entry.filePath(), item, found.links);
            found.items.push_back(std::move(item));
        }
    }
}

/// A folder of packed files that is a link belongs to whoever made the link. The other two are where a person put them.
Findings find(const DataFolders& folders) {
    Findings found;
    addFiles(folders.data, kDataNames, found);
    if (isLink(QFileInfo(folders.packed)))
        found.links.append(folders.packed);
    else
        addFiles(folders.packed, kPackedNames, found);
    if (!folders.caches.isEmpty()) addCaches(folders.caches, found);
    return found;
}

std::string linksText(const Findings& found) {
    std::string text;
    for (const QString& link : found.links) text += "This is a link, and stays: " + link.toStdString() + "\n";
    return text;
}

std::string listText(const Findings& found) {
    std::string text = "Coterie would delete:\n";
    size_t files = 0;
    uint64_t bytes = 0;
    for (const Item& item : found.items) {
        const std::string count = item.folders.empty() ? "" : std::to_string(item.files.size()) + " files, ";
        text += "  " + item.path.toStdString() + "  (" + count + bytesText(item.bytes) + ")\n";
        files += item.files.size();
        bytes += item.bytes;
    }
    return text + "Together " + std::to_string(files) + " files, " + bytesText(bytes) +
           ": all chats, settings and records. This can't be undone.\nModels and all other files stay.\n" +
           linksText(found) + "Type yes to delete them: ";
}

/// Returns the files and folders that could not be deleted.
QStringList remove(const Findings& found) {
    QStringList left;
    for (const Item& item : found.items) {
        for (const QString& file : item.files)
            if (!QFile::remove(file)) left.append(file);
        for (const QString& folder : item.folders)
            if (!QDir().rmdir(folder) && entriesOf(folder).isEmpty()) left.append(folder);
    }
    return left;
}

/// Removes a folder if it is empty. A folder with files of others stays, and so does a link to one.
void removeEmpty(const QString& folder) {
    if (!folder.isEmpty() && !isLink(QFileInfo(folder))) QDir().rmdir(folder);
}

int fail(const Error& error) {
    writeError("error: " + error.line() + "\n");
    return kFailed;
}

int print(const std::string& text) {
    const engine::Status written = writeOut(text);
    return written ? kDone : fail(written.error());
}

/// Deletes what was found, and the folders that are empty then.
int removeAll(const Findings& found, const DataFolders& folders, QLockFile& lock) {
    const QStringList left = remove(found);
    lock.unlock(); // this deletes the lock's file
    for (const QString& folder : {folders.packed, folders.caches, folders.data}) removeEmpty(folder);
    if (left.isEmpty()) return print("Everything in the list was deleted.\n");
    return fail({ErrorKind::Io,
                 "Not everything was deleted",
                 {"These stay: %1", left.join(QStringLiteral(", ")).toStdString()},
                 "Check who may write there, and try again"});
}

} // namespace

int deleteAllData(const DataFolders& folders) {
    QLockFile lock(QDir(folders.data).filePath(kLock));
    lock.setStaleLockTime(0);
    // A folder that is not there or can't be written to has no lock; deleting there says itself what is wrong.
    if (!lock.tryLock() && lock.error() == QLockFile::LockFailedError)
        return fail({ErrorKind::Io, "Nothing was deleted", "A window of Coterie is open and uses these files",
                     "Close it and try again"});
    const Findings found = find(folders);
    if (found.items.empty()) return print(linksText(found) + "There is nothing to delete.\n");
    if (const int code = print(listText(found)); code != kDone) return code;
    const std::optional<std::string> answer = readLine();
    if (!answer || QString::fromStdString(*answer).trimmed().toLower() != u"yes")
        return print("Nothing was deleted.\n");
    return removeAll(found, folders, lock);
}

} // namespace coterie::app
