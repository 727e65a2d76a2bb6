// SPDX-License-Identifier: Apache-2.0
// See packed_bytes.h.
#include "store/packed_bytes.h"

#include <QtEndian>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qsizetype kPiece = 256 << 10;
constexpr qsizetype kHeader = sizeof(quint32);
/// A compressed piece that was not compressible: zlib's bound is 0.03 % and 13 bytes, and Qt adds 4.
constexpr qsizetype kLargestPacked = kPiece + kPiece / 1000 + 64;

} // namespace

QByteArray packed(const QByteArray& plain) {
    QByteArray bytes;
    for (qsizetype at = 0; at < plain.size(); at += kPiece) {
        const qsizetype length = std::min(kPiece, plain.size() - at);
        const QByteArray piece = qCompress(QByteArray::fromRawData(plain.constData() + at, length));
        const quint32 header = qToBigEndian(static_cast<quint32>(piece.size()));
        bytes.append(reinterpret_cast<const char*>(&header), kHeader).append(piece);
    }
    return bytes;
}

std::optional<QByteArray> unpacked(const QByteArray& bytes) {
    QByteArray plain;
    qsizetype at = 0;
    while (at < bytes.size()) {
        if (bytes.size() - at < kHeader) return std::nullopt;
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + at));
        at += kHeader;
        // Qt reserves as many bytes as the first four say.
        if (length > std::min(kLargestPacked, bytes.size() - at) || length < kHeader ||
            qFromBigEndian<quint32>(bytes.constData() + at) > static_cast<quint32>(kPiece))
            return std::nullopt;
        const QByteArray piece = qUncompress(reinterpret_cast<const uchar*>(bytes.constData()) + at, length);
        if (piece.isEmpty() || piece.size() > kPiece || plain.size() + piece.size() > kLargestRecord)
            return std::nullopt;
        plain.append(piece);
        at += length;
    }
    return plain;
}

} // namespace coterie::app
