// SPDX-License-Identifier: Apache-2.0
// Makes, finds, checks and removes the packed files (experts/packed_file.h) in the folder OpenOptions::packedFolder. A
// file's name consists of the model's name and a hash of everything that the file was made from. The file also records
// the path that its model had.
//
//     auto packed = packModel({.path = "model.gguf", .packedFolder = folder}, [](uint64_t done, uint64_t total) { ...
//     });
//
// Each call opens the files that it needs and closes them. Any thread may call; two calls at once in one folder do no
// harm.
#pragma once

#include "base/result.h"
#include "experts/packed_file.h"
#include "session/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::engine {

/// Whether a model is packed, and how much room that takes.
struct PackedFileStatus {
    enum class State {
        None,
        Current, ///< the next session reads it
        Stale,   ///< the model or this program has changed since, or the file is damaged: no session reads it
    };
    State state = State::None;
    std::string path;    ///< the file, whether it exists or would be made
    uint64_t bytes = 0;  ///< size of the existing files, current and stale
    uint64_t needed = 0; ///< size of a packed file of this model
};

using PackProgress = PackedFileProgress; // gets bytes done and bytes in all; returns whether to continue

// Errors of all functions below: those of opening a model; Unsupported if it has no experts to pack; BadInput without a
// packedFolder; Io if the disk refuses or the folder can't be read.

Result<PackedFileStatus> inspectPacked(const OpenOptions& options);
/// Makes the file, unless a current one exists, and the folder if it does not exist; a stale file is removed first. Io
/// before anything is written if the disk has too little room. Cancelled if the progress returns false.
Result<PackedFileStatus> packModel(const OpenOptions& options, const PackProgress& progress);
/// Compares the whole file with the model. NotFound if there is none, BadInput if it is stale or differs.
Result<PackedFileStatus> checkPacked(const OpenOptions& options, const PackProgress& progress);
/// Removes all files of this model, current and stale, even if the model itself no longer exists. Returns the bytes
/// that were freed.
Result<uint64_t> removePacked(const OpenOptions& options);

/// A file in the folder.
struct PackedFileEntry {
    enum class State {
        Current, ///< a session that opens its model reads it
        Stale,   ///< its model was replaced by another one, or this program has changed: no session reads it
        Gone,    ///< there is no file where its model was
        Damaged, ///< it isn't whole, is from another version of this program, or was left behind half-written
        Unknown, ///< the system does not permit a look at its model
    };
    std::string path;
    std::string model;  ///< the model's path when it was packed; empty if the file is damaged
    uint64_t bytes = 0; ///< size of the file
    State state = State::Unknown;

    /// Whether no session reads it, unless its model comes back.
    bool unused() const { return state == State::Stale || state == State::Gone || state == State::Damaged; }
};

// A file knows where its model was, but not where it was moved. So both functions take a model in options.path, which
// may be empty: that model's own file is current, wherever it was made. If that model can't be opened, they return its
// error, except for a model without experts.

/// Returns all files, sorted by name. The list is empty if the folder does not exist. An error if it can't be read.
Result<std::vector<PackedFileEntry>> listPacked(const OpenOptions& options);
/// Removes the files that are unused(), or none if the folder can't be read. Returns the bytes that were freed.
Result<uint64_t> removeUnusedPacked(const OpenOptions& options);

/// Returns the path of the model's file, whether it exists or not. The path is empty without a folder, or if there is
/// nothing to pack. A session uses it when it is opened.
std::string packedPath(const std::string& folder, const ModelFile& model, const ModelShape& shape);

} // namespace coterie::engine
