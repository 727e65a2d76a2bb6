// SPDX-License-Identifier: Apache-2.0
// Finds formulas in Markdown: $..$ and \(..\) within a line, $$..$$ and \[..\] also over several lines without an
// empty one, if the first line begins with them. It looks at the text alone: formulas in fenced code and between
// backticks are none. Pure functions of the text.
//
//     MathFinder finder(text);
//     while (finder.nextLine()) {}
//     for (const MathSpan& span : finder.spans()) use(text.mid(span.begin, span.end - span.begin));
#pragma once

#include "markdown/markdown_lines.h"

#include <QStringView>

#include <optional>
#include <vector>

namespace coterie::app {

/// A formula with its delimiters.
struct MathSpan {
    qsizetype begin = 0, end = 0;
    qsizetype delimiter = 1; ///< length of each delimiter
    bool display = false;

    bool operator==(const MathSpan& other) const = default;
};

class MathFinder {
  public:
    /// `text` begins outside of code. It must stay as it is while the finder is used.
    explicit MathFinder(QStringView text = {}) : text_(text) {}
    /// Sets the same text with more at its end.
    void setText(QStringView text) { text_ = text; }

    /// Goes over the next line, and over those that a formula beginning in it takes. Returns false at the end.
    bool nextLine();
    /// Returns the place where the next line begins.
    qsizetype place() const { return place_; }
    const std::vector<MathSpan>& spans() const { return spans_; }
    /// Whether the last line begins a formula that could still end behind the text.
    bool open() const { return open_; }

  private:
    bool takesFence(QStringView line);
    qsizetype spanAt(qsizetype at, qsizetype lineEnd);
    qsizetype inlineEnd(qsizetype at, qsizetype lineEnd) const;
    qsizetype bracketEnd(qsizetype at, QChar close, qsizetype limit) const;
    qsizetype dollarsEnd(qsizetype at, qsizetype limit) const;
    qsizetype displayLimit(qsizetype at, bool& reachesEnd) const;

    QStringView text_;
    qsizetype place_ = 0;
    std::vector<MathSpan> spans_;
    bool open_ = false;
    std::optional<MarkdownFence> fence_; ///< the fence of the code that is open
};

} // namespace coterie::app
