// SPDX-License-Identifier: Apache-2.0
// Compressed bytes as the store keeps them: pieces of at most 256 KiB, each with its length (big-endian uint32) before
// it and compressed by zlib. Bytes from a foreign file can't take much memory: a piece that holds more is refused
// before the next one is read.
#pragma once

#include <QByteArray>

#include <optional>

namespace coterie::app {

/// The largest plain size in bytes; longer data is not kept.
inline constexpr qsizetype kLargestRecord = qsizetype{256} << 20;

QByteArray packed(const QByteArray& plain);
/// Returns nothing if the bytes are damaged.
std::optional<QByteArray> unpacked(const QByteArray& bytes);

} // namespace coterie::app
