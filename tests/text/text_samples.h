// SPDX-License-Identifier: Apache-2.0
// Documents, fonts and sizes that the tests of messages share.
#pragma once

#include "text/text_document.h"
#include "text/text_style.h"

namespace coterie::tests {

using Kind = app::TextBlock::Kind;

/// Adds a closed block whose text begins at `offset` of the part.
inline void addBlock(app::TextDocument& document, Kind kind, const QString& text, qsizetype part = 0,
                     qsizetype offset = 0) {
    document.addBlock({.kind = kind,
                       .text = text,
                       .label = {},
                       .closed = true,
                       .folded = kind == Kind::Thought,
                       .part = part,
                       .offset = offset});
}

inline void setUp(app::TextStyle& style) {
    style.bodyFont.setPixelSize(15);
    style.codeFont.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
    style.codeFont.setPixelSize(13);
    style.thoughtFont.setPixelSize(13);
    style.bodyLine = 24;
    style.codeLine = 20;
    style.thoughtLine = 20;
    style.text = Qt::black;
    style.quiet = Qt::darkGray;
    style.selection = Qt::yellow;
}

} // namespace coterie::tests
