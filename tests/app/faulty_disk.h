// SPDX-License-Identifier: Apache-2.0
// A disk that fails as a test asks: a layer between SQLite and the system's files, in which the Nth write fails, every
// write fails, or the power goes and takes all that was not synced. Not for files that SQLite doesn't open.
#pragma once

#include <cstdint>

namespace coterie::test {

/// SQLite's default file layer while it lives; one at a time. Databases must be closed before it goes.
class FaultyDisk {
  public:
    FaultyDisk();
    ~FaultyDisk();
    FaultyDisk(const FaultyDisk&) = delete;
    FaultyDisk& operator=(const FaultyDisk&) = delete;

    /// The nth write, sync or truncation from now on fails with SQLite's `code`; 0: none does.
    void failAt(int64_t nth, int code);
    /// From now on every write fails with `code`; 0: none does.
    void failAll(int code);
    /// Whether failAt()'s moment came.
    bool failed() const;
    /// What was written since a file's last sync is undone in it, and nothing more gets through until powerOn().
    void cutPower();
    void powerOn();
};

} // namespace coterie::test
