// SPDX-License-Identifier: Apache-2.0
// A disk that fails as a test asks: a layer between SQLite and the system's files. In it the Nth write fails, or every
// write fails, or the power goes and takes everything that was not synced. It does not affect files that SQLite doesn't
// open.
#pragma once

#include <cstdint>

namespace coterie::test {

/// Is SQLite's default file layer while it exists; only one may exist at a time. Databases must be closed before it is
/// destroyed.
class FaultyDisk {
  public:
    FaultyDisk();
    ~FaultyDisk();
    FaultyDisk(const FaultyDisk&) = delete;
    FaultyDisk& operator=(const FaultyDisk&) = delete;

    /// The nth write, sync or truncation from now on fails with SQLite's `code`. If nth is 0, none fails.
    void failAt(int64_t nth, int code);
    /// From now on every write fails with `code`. If code is 0, none fails.
    void failAll(int code);
    /// The nth write, sync or truncation from now on does not happen: the process is killed instead.
    void killAt(int64_t nth);
    /// Number of writes, syncs and truncations since this object was made.
    int64_t writes() const;
    /// Whether the failure that failAt() asked for has happened.
    bool failed() const;
    /// Undoes in each file all writes since its last sync, and lets nothing more through until powerOn().
    void cutPower();
    void powerOn();
};

} // namespace coterie::test
