// SPDX-License-Identifier: Apache-2.0
// The packed files (experts/packed_file.h) of the folder OpenOptions::packedFolder, made, found, checked and
// removed. A file's name tells the model's and a hash of all that it was made of; inside it stands where its model was.
//
//     auto packed = packModel({.path = "model.gguf", .packedFolder = folder}, [](uint64_t done, uint64_t total) { ...
//     });
//
// Each call opens what it needs and lets go of it. From any thread; two at once in one folder do no harm.
#pragma once

#include "base/result.h"
#include "experts/packed_file.h"
#include "session/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::engine {

/// Whether a model is packed, and at what price.
struct PackedFileStatus {
    enum class State {
        None,
        Current, ///< the next session reads it
        Stale,   ///< the model or this program has changed since, or the file is damaged: nobody reads it
    };
    State state = State::None;
    std::string path;    ///< of the file that is there, or would be
    uint64_t bytes = 0;  ///< what is there takes, whether current or stale
    uint64_t needed = 0; ///< what the packed file takes
};

using PackProgress = PackedFileProgress; // bytes done, bytes in all -> whether to go on

// Errors of all that follow: those of opening a model; Unsupported where it has no experts to pack; BadInput without a
// packedFolder; Io where the disk refuses.

Result<PackedFileStatus> inspectPacked(const OpenOptions& options);
/// Makes the file, and the folder where it isn't there, unless what is there is current; a stale one goes first. Io
/// where the disk has too little room, before anything is written. Cancelled where the progress says so.
Result<PackedFileStatus> packModel(const OpenOptions& options, const PackProgress& progress);
/// Compares all of it with the model. NotFound where there is none, BadInput where it is stale or differs.
Result<PackedFileStatus> checkPacked(const OpenOptions& options, const PackProgress& progress);
/// Removes what is there of this model, current and stale, even where the model itself has gone. The bytes freed: 0
/// where there was nothing.
Result<uint64_t> removePacked(const OpenOptions& options);

/// A file in the folder.
struct PackedFileEntry {
    enum class State {
        Current, ///< a session that opens its model reads it
        Stale,   ///< what lies where its model was is another model now, or this program is another: nobody reads it
        Gone,    ///< there is no file where its model was
        Damaged, ///< it isn't whole, or of another version of this program, or was left behind half-written
        Unknown, ///< the system doesn't let its model be looked at
    };
    std::string path;
    std::string model;  ///< where its model was when it was packed; "" where the file is damaged
    uint64_t bytes = 0; ///< that it takes
    State state = State::Unknown;

    /// Nobody reads it, unless its model comes back.
    bool unused() const { return state == State::Stale || state == State::Gone || state == State::Damaged; }
};

// A file knows where its model was, not where it went. So both take a model in options.path, whose own file is current
// wherever it was made; "": none. Where that can't be opened, they do nothing, but for one without experts.

/// All of them, by name. None where there is no such folder.
Result<std::vector<PackedFileEntry>> listPacked(const OpenOptions& options);
/// Removes those that are unused(). The bytes freed.
Result<uint64_t> removeUnusedPacked(const OpenOptions& options);

/// For who opens a session: where the model's file lies or would lie. "" where there is no folder, or nothing to pack.
std::string packedPath(const std::string& folder, const ModelFile& model, const ModelShape& shape);

} // namespace coterie::engine
