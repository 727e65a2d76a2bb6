// SPDX-License-Identifier: Apache-2.0
// See isolated_name.h.
#include "isolated_name.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr QChar kFirstStrongIsolate(0x2068), kEndOfIsolate(0x2069);
constexpr char32_t kLeftToRightMark = 0x200e;

bool opensIsolate(QChar::Direction direction) {
    return direction == QChar::DirLRI || direction == QChar::DirRLI || direction == QChar::DirFSI;
}

/// Whether the character has an effect on the order of those around it that letters from left to right don't have.
bool turns(char32_t character) {
    switch (QChar::direction(character)) {
    case QChar::DirR:
    case QChar::DirAL:
    case QChar::DirLRE:
    case QChar::DirLRO:
    case QChar::DirRLE:
    case QChar::DirRLO:
    case QChar::DirPDF:
    case QChar::DirLRI:
    case QChar::DirRLI:
    case QChar::DirFSI:
    case QChar::DirPDI:
        return true;
    default:
        return character == kLeftToRightMark;
    }
}

} // namespace

QString isolatedName(const QString& name) {
    const QList<uint> characters = name.toUcs4();
    if (std::none_of(characters.begin(), characters.end(), turns)) return name;
    QString text(kFirstStrongIsolate);
    int open = 0; // isolates that the name has begun
    for (const char32_t character : characters) {
        const QChar::Direction direction = QChar::direction(character);
        if (direction == QChar::DirPDI && open == 0) continue; // it would end the isolate around the name
        if (opensIsolate(direction)) ++open;
        if (direction == QChar::DirPDI) --open;
        // A paragraph's end would end the isolate, too.
        text += direction == QChar::DirB ? QStringLiteral(" ") : QString::fromUcs4(&character, 1);
    }
    return text + QString(open + 1, kEndOfIsolate);
}

} // namespace coterie::app
