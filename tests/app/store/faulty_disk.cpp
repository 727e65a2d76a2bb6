// SPDX-License-Identifier: Apache-2.0
// Wraps each file of the default VFS. It keeps the bytes that a write replaces until the file is synced.
#include "app/store/faulty_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace coterie::test {
namespace {

/// Bytes before a write. An empty one past the end stands for the length of the file.
struct Undo {
    sqlite3_int64 sizeBefore = 0;
    sqlite3_int64 offset = 0;
    std::vector<char> bytes;
};

struct State {
    int64_t writes = 0;
    int64_t killAt = 0; ///< the write that kills the process; 0: none
    int64_t countdown = 0;
    int code = 0;
    int allCode = 0;
    bool failed = false;
    bool dark = false;
    std::map<std::string, std::vector<Undo>> unsynced;
};
State state;

struct WrappedFile {
    sqlite3_file base;
    const char* name; ///< belongs to SQLite and lives as long as the file
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

WrappedFile* wrapped(sqlite3_file* file) { return reinterpret_cast<WrappedFile*>(file); }
sqlite3_file* real(sqlite3_file* file) { return wrapped(file)->real(); }

/// Ends the process as if another one had killed it: nothing is tidied up.
void killProcess() {
#ifndef _WIN32
    std::raise(SIGKILL);
#endif
    std::_Exit(1);
}

/// Returns SQLITE_OK, or the code with which this write fails.
int next() {
    if (++state.writes == state.killAt) killProcess();
    if (state.dark) return SQLITE_IOERR_WRITE;
    if (state.allCode != 0) return state.allCode;
    if (state.countdown > 0 && --state.countdown == 0) {
        state.failed = true;
        return state.code;
    }
    return SQLITE_OK;
}

void remember(sqlite3_file* file, sqlite3_int64 offset, sqlite3_int64 length) {
    if (!wrapped(file)->name) return;
    Undo undo;
    undo.offset = offset;
    real(file)->pMethods->xFileSize(real(file), &undo.sizeBefore);
    const sqlite3_int64 there = std::clamp<sqlite3_int64>(undo.sizeBefore - offset, 0, length);
    undo.bytes.resize(static_cast<size_t>(there));
    if (there > 0) real(file)->pMethods->xRead(real(file), undo.bytes.data(), static_cast<int>(there), offset);
    state.unsynced[wrapped(file)->name].push_back(std::move(undo));
}

int closeFile(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }
int readFile(sqlite3_file* file, void* out, int length, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), out, length, offset);
}
int writeFile(sqlite3_file* file, const void* bytes, int length, sqlite3_int64 offset) {
    if (const int code = next(); code != SQLITE_OK) return code;
    remember(file, offset, length);
    return real(file)->pMethods->xWrite(real(file), bytes, length, offset);
}
int truncateFile(sqlite3_file* file, sqlite3_int64 size) {
    if (const int code = next(); code != SQLITE_OK) return code;
    sqlite3_int64 before = 0;
    real(file)->pMethods->xFileSize(real(file), &before);
    remember(file, size, before - size);
    return real(file)->pMethods->xTruncate(real(file), size);
}
int syncFile(sqlite3_file* file, int flags) {
    if (const int code = next(); code != SQLITE_OK) return code;
    if (wrapped(file)->name) state.unsynced.erase(wrapped(file)->name);
    return real(file)->pMethods->xSync(real(file), flags);
}
int fileSize(sqlite3_file* file, sqlite3_int64* size) { return real(file)->pMethods->xFileSize(real(file), size); }
int lockFile(sqlite3_file* file, int lock) { return real(file)->pMethods->xLock(real(file), lock); }
int unlockFile(sqlite3_file* file, int lock) { return real(file)->pMethods->xUnlock(real(file), lock); }
int checkLock(sqlite3_file* file, int* result) { return real(file)->pMethods->xCheckReservedLock(real(file), result); }
int fileControl(sqlite3_file* file, int op, void* argument) {
    return real(file)->pMethods->xFileControl(real(file), op, argument);
}
int sectorSize(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
int shmMap(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shmLock(sqlite3_file* file, int offset, int n, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
void shmBarrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shmUnmap(sqlite3_file* file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

/// Version 2 has no memory-mapped pages, which would bypass this layer.
const sqlite3_io_methods kMethods{2,        closeFile,  readFile,  writeFile,   truncateFile, syncFile,        fileSize,
                                  lockFile, unlockFile, checkLock, fileControl, sectorSize,   characteristics, shmMap,
                                  shmLock,  shmBarrier, shmUnmap,  nullptr,     nullptr};

sqlite3_vfs* systemVfs = nullptr;
sqlite3_vfs faultyVfs;

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags) {
    auto* wrapper = new (file) WrappedFile{};
    wrapper->name = name;
    const int code = systemVfs->xOpen(systemVfs, name, wrapper->real(), flags, outFlags);
    if (code == SQLITE_OK) wrapper->base.pMethods = &kMethods;
    return code;
}

int deleteFile(sqlite3_vfs*, const char* name, int sync) {
    if (state.dark) return SQLITE_IOERR_DELETE;
    state.unsynced.erase(name);
    return systemVfs->xDelete(systemVfs, name, sync);
}

void undoAll(const std::string& name, const std::vector<Undo>& undos) {
    for (auto undo = undos.rbegin(); undo != undos.rend(); ++undo) {
        FILE* file = std::fopen(name.c_str(), "r+b");
        if (!file) return;
        std::fseek(file, static_cast<long>(undo->offset), SEEK_SET);
        if (!undo->bytes.empty()) std::fwrite(undo->bytes.data(), 1, undo->bytes.size(), file);
        std::fclose(file);
        std::filesystem::resize_file(name, static_cast<uintmax_t>(undo->sizeBefore));
    }
}

} // namespace

FaultyDisk::FaultyDisk() {
    state = {};
    systemVfs = sqlite3_vfs_find(nullptr);
    faultyVfs = *systemVfs;
    faultyVfs.zName = "faulty";
    faultyVfs.szOsFile = static_cast<int>(sizeof(WrappedFile)) + systemVfs->szOsFile;
    faultyVfs.xOpen = openFile;
    faultyVfs.xDelete = deleteFile;
    sqlite3_vfs_register(&faultyVfs, 1);
}

FaultyDisk::~FaultyDisk() {
    sqlite3_vfs_unregister(&faultyVfs);
    sqlite3_vfs_register(systemVfs, 1);
}

void FaultyDisk::failAt(int64_t nth, int code) {
    state.countdown = nth;
    state.code = code;
    state.failed = false;
}

void FaultyDisk::killAt(int64_t nth) { state.killAt = nth == 0 ? 0 : state.writes + nth; }
int64_t FaultyDisk::writes() const { return state.writes; }

void FaultyDisk::failAll(int code) { state.allCode = code; }
bool FaultyDisk::failed() const { return state.failed; }

void FaultyDisk::cutPower() {
    for (const auto& [name, undos] : state.unsynced) undoAll(name, undos);
    state.unsynced.clear();
    state.dark = true;
}

void FaultyDisk::powerOn() { state.dark = false; }

} // namespace coterie::test
