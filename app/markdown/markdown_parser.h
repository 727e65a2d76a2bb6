// SPDX-License-Identifier: Apache-2.0
// From a slice of Markdown to the blocks that show it, by md4c: paragraphs, headings, lists, tasks, quotes, tables,
// rules, code, and the looks of characters. Raw HTML is text. Links and images are text with an address that nothing
// opens. Definitions of links for other places are text, because a slice can't know them. Pure functions of the text.
//
//     for (TextBlock& block : parseMarkdown(u"Hello *you*", {}).blocks) document.addBlock(std::move(block));
#pragma once

#include "text/text_block.h"

#include <QStringView>

#include <vector>

namespace coterie::app {

/// A list at the top level, which the next slice may continue.
struct MarkdownList {
    QChar mark{}; ///< null: there is none
    int next = 1; ///< number of the next item
    bool operator==(const MarkdownList& other) const = default;
};

struct MarkdownContext {
    qsizetype part = 0;
    qsizetype offset = 0;   ///< place of the slice in the part
    MarkdownList list{};    ///< the list with which the slice before ends
    bool afterBlank = true; ///< the line before the slice is empty
};

struct MarkdownBlocks {
    std::vector<TextBlock> blocks{}; ///< they are not closed
    MarkdownList list{};             ///< the list with which the slice ends
};

MarkdownBlocks parseMarkdown(QStringView slice, const MarkdownContext& context);

} // namespace coterie::app
