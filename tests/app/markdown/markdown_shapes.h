// SPDX-License-Identifier: Apache-2.0
// Blocks written as one line of text, so that tests can compare them and people can read the difference.
//
//     "- p[one {S|bold}]|_ code(cpp)[int a;]" is a list item with a paragraph and code in it
#pragma once

#include "text/text_document.h"

namespace coterie::tests {

inline QString kindShape(const app::TextBlock& block) {
    using Kind = app::TextBlock::Kind;
    switch (block.kind) {
    case Kind::Paragraph:
        return QStringLiteral("p");
    case Kind::Heading:
        return QStringLiteral("h%1").arg(block.level);
    case Kind::Code:
        return block.label.isEmpty() ? QStringLiteral("code") : QStringLiteral("code(%1)").arg(block.label);
    case Kind::Rule:
        return QStringLiteral("rule");
    case Kind::Table: {
        QString columns;
        for (const app::TextAlign align : block.columns)
            columns += align == app::TextAlign::Left ? u'l' : align == app::TextAlign::Right ? u'r' : u'c';
        return QStringLiteral("table(%1)").arg(columns);
    }
    case Kind::Formula:
        return QStringLiteral("formula");
    case Kind::Thought:
        return QStringLiteral("thought");
    case Kind::ToolCall:
        return QStringLiteral("call(%1)").arg(block.label);
    case Kind::ToolResult:
        return QStringLiteral("result(%1)").arg(block.label);
    }
    return {};
}

inline QString nestShape(const app::TextBlock& block) {
    QString shape;
    for (const app::TextNest& nest : block.nesting) {
        using Kind = app::TextNest::Kind;
        if (nest.kind == Kind::Quote)
            shape += QStringLiteral("> ");
        else if (!nest.first)
            shape += QStringLiteral("_ ");
        else if (nest.kind == Kind::Number)
            shape += QStringLiteral("%1. ").arg(nest.number);
        else
            shape += nest.kind == Kind::Bullet ? QStringLiteral("- ")
                     : nest.kind == Kind::Open ? QStringLiteral("[ ] ")
                                               : QStringLiteral("[x] ");
    }
    return shape;
}

inline QString formatShape(const app::TextFormat& format) {
    QString shape;
    for (int i = 0; i < 7; ++i)
        if (format.style & (1 << i)) shape += QStringLiteral("SEKCLIF").at(i);
    return format.target.isEmpty() ? shape : shape + u' ' + format.target;
}

inline QString shapeOf(const app::TextBlock& block) {
    QString text;
    qsizetype at = 0;
    for (const app::TextFormat& format : block.formats) {
        text += QStringView(block.text).mid(at, format.begin - at);
        text += u'{' + formatShape(format) + u'|' + block.text.mid(format.begin, format.length) + u'}';
        at = format.end();
    }
    text += QStringView(block.text).mid(at);
    const bool empty = block.kind == app::TextBlock::Kind::Rule;
    return nestShape(block) + kindShape(block) + (empty ? QString() : u'[' + text + u']');
}

inline QString shapeOf(const std::vector<app::TextBlock>& blocks) {
    QStringList shapes;
    for (const app::TextBlock& block : blocks) shapes.append(shapeOf(block));
    return shapes.join(u'|');
}

} // namespace coterie::tests
