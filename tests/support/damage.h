// SPDX-License-Identifier: Apache-2.0
// Damage of a small file, for tests of readers that must refuse it.
#pragma once

#include <QByteArray>
#include <QString>

namespace coterie::test {

/// Offers a file in every damaged form to `takes`, which returns true if its reader accepts the bytes: cut at each
/// length, one byte too long, and with each bit flipped. Returns the first form that was accepted, "" if none was.
template <typename Takes>
QString damageTaken(const QByteArray& whole, const Takes& takes) {
    for (qsizetype length = 0; length < whole.size(); ++length)
        if (takes(whole.first(length))) return QString("cut to %1 bytes").arg(length);
    if (takes(whole + '\0')) return "one byte too long";
    for (qsizetype bit = 0; bit < whole.size() * 8; ++bit) {
        QByteArray flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        if (takes(flipped)) return QString("bit %1 flipped").arg(bit);
    }
    return {};
}

} // namespace coterie::test
