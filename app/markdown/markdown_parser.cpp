// SPDX-License-Identifier: Apache-2.0
// See markdown_parser.h. md4c calls back for each block, span and text; a Builder makes our blocks from that. The
// pointers of md4c's texts lead into the source, which gives each shown character its place.
#include "markdown/markdown_parser.h"

#include "markdown/markdown_entities.h"
#include "markdown/markdown_source.h"
#include "text/math/math_formula.h"
#include "text/math_delimiters.h"

#include <algorithm>
#include <iterator>
#include <md4c.h>
#include <utility>

namespace coterie::app {
namespace {

using Kind = TextBlock::Kind;
using NestKind = TextNest::Kind;

constexpr unsigned kFlags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
                            MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_PERMISSIVEWWWAUTOLINKS;

/// Removes white space at both ends, which md4c leaves to headings if it is a tab.
void trimSpace(TextBlock& block) {
    qsizetype begin = 0, end = block.text.size();
    while (end > 0 && block.text[end - 1].isSpace()) --end;
    while (begin < end && block.text[begin].isSpace()) ++begin;
    block.truncate(end);
    if (begin == 0) return;
    const TextBlock whole = block;
    block.truncate(0);
    block.append(whole, begin);
}

class Builder {
  public:
    Builder(const MarkdownSource& source, const MarkdownContext& context) : source_(source), context_(context) {}

    int enterBlock(MD_BLOCKTYPE type, const void* detail);
    int leaveBlock(MD_BLOCKTYPE type);
    int enterSpan(MD_SPANTYPE type, const void* detail);
    int leaveSpan(MD_SPANTYPE type);
    int text(MD_TEXTTYPE type, const char* text, MD_SIZE size);

    MarkdownBlocks take() { return {std::move(blocks_), list_}; }

  private:
    struct List {
        bool ordered = false;
        int next = 1;
        bool continues = false; ///< an item or a block of it is there already
    };
    struct Span {
        uint16_t style = 0;
        QString target{};
        qsizetype address = -1; ///< place of the target in the slice, if it stands there as it is
        qsizetype begin = 0;    ///< first character of the span in its block
    };

    void enterList(bool ordered, QChar mark, int start);
    void enterItem(const MD_BLOCK_LI_DETAIL& item);
    void enterCell(bool head, MD_ALIGN align);
    TextBlock& begin(Kind kind);
    void beginCode(const MD_BLOCK_CODE_DETAIL& code);
    void passClosingFence();
    void end();
    bool followsClosely() const;
    qsizetype lineOfBlock() const;
    QStringView lineBefore(qsizetype line) const;
    void addPlain(qsizetype begin, qsizetype end);
    void addSource(qsizetype begin, qsizetype end);
    void addPiece(const QString& shown, qsizetype source, qsizetype sourceLength);
    void addFormula(const MathSpan& formula);
    void splitFormulas();
    void addLineBreak();
    void placeFirstBreaks(qsizetype text);
    void addWrittenBefore(qsizetype place);
    void addWrittenLast();
    void format(qsizetype begin);
    QString attribute(const MD_ATTRIBUTE& attribute) const;

    const MarkdownSource& source_;
    const MarkdownContext& context_;
    std::vector<TextBlock> blocks_;
    std::vector<TextNest> nesting_;
    std::vector<List> lists_;
    std::vector<Span> spans_;
    MarkdownList list_;
    bool open_ = false;                  ///< the last block gets text
    std::optional<MarkdownFence> fence_; ///< the last block is code behind this fence
    qsizetype fenceLine_ = 0;            ///< beginning of its line
    qsizetype lastEnd_ = 0;              ///< end of the source of the last text
    qsizetype skipUntil_ = 0;            ///< a formula that was added already ends there
    qsizetype skipBreaks_ = 0;           ///< line breaks in it that are still to come
    QString written_;                    ///< white space of code that md4c wrote itself and that has no place yet
    bool firstRow_ = true, firstCell_ = true;
};

int Builder::enterBlock(MD_BLOCKTYPE type, const void* detail) {
    if (type != MD_BLOCK_TR && type != MD_BLOCK_TH && type != MD_BLOCK_TD && type != MD_BLOCK_THEAD &&
        type != MD_BLOCK_TBODY)
        end();
    if (nesting_.empty() && type != MD_BLOCK_LI && type != MD_BLOCK_DOC) list_ = {};
    switch (type) {
    case MD_BLOCK_QUOTE:
        nesting_.push_back({.kind = NestKind::Quote, .first = true});
        break;
    case MD_BLOCK_UL:
        enterList(false, QChar::fromLatin1(static_cast<const MD_BLOCK_UL_DETAIL*>(detail)->mark), 1);
        break;
    case MD_BLOCK_OL: {
        const auto& list = *static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
        enterList(true, QChar::fromLatin1(list.mark_delimiter), static_cast<int>(list.start));
        break;
    }
    case MD_BLOCK_LI:
        enterItem(*static_cast<const MD_BLOCK_LI_DETAIL*>(detail));
        break;
    case MD_BLOCK_HR:
        begin(Kind::Rule);
        end();
        break;
    case MD_BLOCK_H:
        begin(Kind::Heading).level = static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
    case MD_BLOCK_CODE:
        beginCode(*static_cast<const MD_BLOCK_CODE_DETAIL*>(detail));
        break;
    case MD_BLOCK_P:
        begin(Kind::Paragraph);
        break;
    case MD_BLOCK_TABLE:
        begin(Kind::Table);
        firstRow_ = true;
        break;
    case MD_BLOCK_TR:
        if (!std::exchange(firstRow_, false)) blocks_.back().text += u'\n';
        firstCell_ = true;
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        enterCell(type == MD_BLOCK_TH, static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align);
        break;
    default:
        break;
    }
    return 0;
}

void Builder::enterList(bool ordered, QChar mark, int start) {
    List list{.ordered = ordered, .next = start};
    if (nesting_.empty()) {
        list_.mark = mark;
        if (blocks_.empty() && context_.list.mark == mark) {
            list.continues = true;
            list.next = context_.list.next;
        }
    }
    lists_.push_back(list);
}

void Builder::enterItem(const MD_BLOCK_LI_DETAIL& item) {
    List& list = lists_.back();
    TextNest nest{.kind = list.ordered ? NestKind::Number : NestKind::Bullet, .first = true};
    if (list.ordered) nest.number = list.next;
    if (item.is_task) nest.kind = item.task_mark == ' ' ? NestKind::Open : NestKind::Done;
    ++list.next;
    nesting_.push_back(nest);
}

void Builder::enterCell(bool head, MD_ALIGN align) {
    TextBlock& table = blocks_.back();
    if (!std::exchange(firstCell_, false)) table.text += u'\t';
    if (head)
        table.columns.push_back(align == MD_ALIGN_CENTER  ? TextAlign::Centre
                                : align == MD_ALIGN_RIGHT ? TextAlign::Right
                                                          : TextAlign::Left);
}

int Builder::leaveBlock(MD_BLOCKTYPE type) {
    switch (type) {
    case MD_BLOCK_LI:
        end();
        if (nesting_.back().first) { // an empty item shows its mark
            begin(Kind::Paragraph);
            end();
        }
        nesting_.pop_back();
        lists_.back().continues = true;
        break;
    case MD_BLOCK_QUOTE:
        end();
        nesting_.pop_back();
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        end();
        if (nesting_.empty()) list_.next = lists_.back().next;
        lists_.pop_back();
        break;
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_TR:
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        break;
    default:
        end();
    }
    return 0;
}

/// Adds a block that gets text from now on.
TextBlock& Builder::begin(Kind kind) {
    TextBlock block{.kind = kind, .part = context_.part, .nesting = nesting_};
    open_ = true;
    fence_.reset();
    blocks_.push_back(std::move(block));
    return blocks_.back();
}

/// Adds a block of code. md4c does not tell the place of the fence, which is the next one behind the text before.
void Builder::beginCode(const MD_BLOCK_CODE_DETAIL& code) {
    begin(Kind::Code).label = attribute(code.lang);
    if (code.fence_char == 0) return;
    const QStringView text = source_.text();
    for (qsizetype line = lastEnd_; line < text.size();) {
        const qsizetype lineBreak = text.indexOf(u'\n', line);
        const qsizetype end = lineBreak < 0 ? text.size() : lineBreak + 1;
        fence_ = fenceIn(withoutMarks(text.mid(line, end - line)));
        if (fence_ && fence_->mark == QChar::fromLatin1(code.fence_char)) {
            fenceLine_ = line > 0 ? text.lastIndexOf(u'\n', line - 1) + 1 : 0;
            lastEnd_ = end;
            return;
        }
        line = end;
    }
}

/// Leaves the fence that closes code behind, if the next line is one.
void Builder::passClosingFence() {
    const QStringView text = source_.text();
    const bool empty = blocks_.back().text.isEmpty();
    const qsizetype line = empty ? lastEnd_ : text.indexOf(u'\n', lastEnd_) + 1;
    if (line == 0 && !empty) return;
    const qsizetype lineBreak = text.indexOf(u'\n', line);
    const qsizetype end = lineBreak < 0 ? text.size() : lineBreak;
    if (closesFence(withoutMarks(text.mid(line, end - line)), *fence_)) lastEnd_ = end;
}

/// Ends the last block.
void Builder::end() {
    skipBreaks_ = 0;
    if (!std::exchange(open_, false)) return;
    addWrittenLast();
    TextBlock& block = blocks_.back();
    const bool shownBefore = block.kind == Kind::Paragraph && block.text.isEmpty() &&
                             std::none_of(nesting_.begin(), nesting_.end(), [](const TextNest& n) { return n.first; });
    if (shownBefore) { // all of it was a formula that began in the block before
        blocks_.pop_back();
        return;
    }
    if (block.kind == Kind::Code && block.text.endsWith(u'\n')) block.truncate(block.text.size() - 1);
    if (block.kind == Kind::Heading) trimSpace(block);
    block.tight = followsClosely();
    block.offset = context_.offset + (block.pieces.empty() ? lastEnd_ : block.pieces.front().source);
    for (TextPiece& piece : block.pieces) piece.source += context_.offset;
    const bool exact =
        block.pieces.size() == 1 && block.pieces[0].exact() && block.pieces[0].length == block.text.size();
    if (exact && block.kind != Kind::Table) block.pieces.clear();
    if (!block.pieces.empty() || (block.kind == Kind::Code && !block.text.isEmpty()))
        lastEnd_ = block.sourceEnd() - context_.offset;
    if (fence_) passClosingFence();
    splitFormulas();
    for (TextNest& nest : nesting_) nest.first = false;
}

/// Whether the last block is in a list that has begun already and no empty line is before it.
bool Builder::followsClosely() const {
    const bool goesOn = std::any_of(lists_.begin(), lists_.end(), [](const List& list) { return list.continues; }) ||
                        std::any_of(nesting_.begin(), nesting_.end(),
                                    [](const TextNest& n) { return n.kind != NestKind::Quote && !n.first; });
    if (!goesOn) return false;
    const qsizetype line = lineOfBlock();
    return line > 0 ? !isBlank(lineBefore(line)) : !context_.afterBlank;
}

/// Returns where the first line of the last block begins.
qsizetype Builder::lineOfBlock() const {
    if (fence_) return fenceLine_;
    const QStringView text = source_.text();
    const TextBlock& block = blocks_.back();
    if (!block.pieces.empty()) {
        qsizetype line = text.lastIndexOf(u'\n', block.pieces.front().source - 1) + 1;
        if (block.pieces.front().source == 0) line = 0;
        return line;
    }
    qsizetype line = lastEnd_ == 0 ? 0 : text.indexOf(u'\n', lastEnd_) + 1;
    for (qsizetype next; (next = text.indexOf(u'\n', line)) >= 0 && isBlank(text.mid(line, next - line));)
        line = next + 1;
    return line;
}

QStringView Builder::lineBefore(qsizetype line) const {
    const qsizetype begin = line > 1 ? source_.text().lastIndexOf(u'\n', line - 2) + 1 : 0;
    return source_.text().mid(begin, line - 1 - begin);
}

int Builder::enterSpan(MD_SPANTYPE type, const void* detail) {
    if (!open_) begin(Kind::Paragraph);
    Span span{.begin = blocks_.back().text.size()};
    const auto address = [&](const MD_ATTRIBUTE& target) {
        span.target = attribute(target);
        span.address = source_.placeOf(target.text);
        if (span.address >= 0 && source_.text().mid(span.address, span.target.size()) != span.target) span.address = -1;
    };
    switch (type) {
    case MD_SPAN_STRONG:
        span.style = TextFormat::Strong;
        break;
    case MD_SPAN_EM:
        span.style = TextFormat::Emphasis;
        break;
    case MD_SPAN_DEL:
        span.style = TextFormat::Strike;
        break;
    case MD_SPAN_CODE:
        span.style = TextFormat::Code;
        break;
    case MD_SPAN_A:
        span.style = TextFormat::Link;
        address(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
        break;
    case MD_SPAN_IMG:
        span.style = TextFormat::Image;
        address(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src);
        break;
    default:
        break;
    }
    spans_.push_back(std::move(span));
    return 0;
}

int Builder::leaveSpan(MD_SPANTYPE type) {
    if (type == MD_SPAN_IMG) { // its address is shown too, because nothing loads it
        const Span image = spans_.back();
        const bool named = blocks_.back().text.size() > image.begin;
        if (named) addPiece(QStringLiteral(" ("), lastEnd_, 0);
        if (image.address >= 0)
            addSource(image.address, image.address + image.target.size());
        else
            addPiece(image.target, lastEnd_, 0);
        if (named) addPiece(QStringLiteral(")"), lastEnd_, 0);
    }
    spans_.pop_back();
    return 0;
}

int Builder::text(MD_TEXTTYPE type, const char* text, MD_SIZE size) {
    if (!open_) begin(Kind::Paragraph);
    const qsizetype begin = source_.placeOf(text), end = source_.placeOf(text + size);
    const bool inSource = begin >= 0 && end >= begin;
    const bool code = type == MD_TEXT_CODE;
    if (inSource) placeFirstBreaks(begin);
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        addLineBreak();
    } else if (code && !inSource && blocks_.back().kind == Kind::Code) {
        written_ += QString::fromUtf8(text, static_cast<qsizetype>(size));
    } else if (code && !inSource && size == 1 && (*text == '\n' || *text == ' ')) {
        addLineBreak();
    } else if (!inSource) { // spaces of a tab that belongs to the indentation only in part
        addPiece(QString::fromUtf8(text, static_cast<qsizetype>(size)), lastEnd_, 0);
    } else if (type == MD_TEXT_ENTITY) {
        if (begin < skipUntil_) return 0;
        const QStringView name = source_.text().mid(begin, end - begin);
        if (const QString known = characterOfEntity(name); !known.isEmpty())
            addPiece(known, begin, end - begin);
        else
            addSource(begin, end);
    } else if (code) {
        addWrittenBefore(begin);
        addSource(begin, end);
    } else {
        addPlain(begin, end);
    }
    return 0;
}

/// Adds text that may have formulas.
void Builder::addPlain(qsizetype begin, qsizetype end) {
    begin = std::max(begin, skipUntil_);
    const std::vector<MathSpan>& formulas = source_.formulas();
    auto formula = std::upper_bound(formulas.begin(), formulas.end(), begin,
                                    [](qsizetype at, const MathSpan& span) { return at < span.end; });
    while (begin < end) {
        const bool found = formula != formulas.end() && formula->begin < end;
        const qsizetype plainEnd = found ? std::max(begin, formula->begin) : end;
        addSource(begin, plainEnd);
        if (!found) return;
        addFormula(*formula);
        skipBreaks_ = source_.text().mid(formula->begin, formula->end - formula->begin).count(u'\n');
        begin = skipUntil_ = formula->end;
        ++formula;
    }
}

/// Adds a formula: one character that stands for it, or its source if it can't be drawn.
void Builder::addFormula(const MathSpan& formula) {
    QString source = source_.text().mid(formula.begin, formula.end - formula.begin).toString();
    source.replace(u'\n', u' ');
    source.replace(u'\t', u' ');
    const bool drawn = MathFormula::parse(withoutDelimiters(source)).has_value();
    const uint16_t style = drawn ? TextFormat::Formula : TextFormat::Formula | TextFormat::Code;
    spans_.push_back({.style = style, .target = source});
    addPiece(drawn ? QString(TextFormat::kObject) : source, formula.begin, source.size());
    spans_.pop_back();
}

/// Gives each formula with a line of its own a block of its own, if the last block is a paragraph.
void Builder::splitFormulas() {
    const auto displayed = [](const TextFormat& format) { return format.isFormula() && isDisplayed(format.target); };
    const std::vector<TextFormat>& formats = blocks_.back().formats;
    if (blocks_.back().kind != Kind::Paragraph || std::none_of(formats.begin(), formats.end(), displayed)) return;
    const TextBlock whole = blocks_.back();
    const auto isSpace = [&](qsizetype at) { return whole.text[at].isSpace(); };
    std::vector<TextBlock> parts;
    const auto add = [&](Kind kind, qsizetype begin, qsizetype end) {
        if (begin >= end) return;
        TextBlock part{.kind = kind, .part = whole.part, .nesting = whole.nesting};
        TextBlock cut = whole;
        cut.truncate(end);
        part.append(cut, begin);
        part.offset = part.pieces.empty() ? whole.offset : part.pieces.front().source;
        part.tight = parts.empty() && whole.tight;
        if (!parts.empty())
            for (TextNest& nest : part.nesting) nest.first = false;
        parts.push_back(std::move(part));
    };
    qsizetype at = 0;
    for (const TextFormat& format : whole.formats) {
        if (!displayed(format)) continue;
        qsizetype end = format.begin;
        while (end > at && isSpace(end - 1)) --end;
        add(Kind::Paragraph, at, end);
        add(Kind::Formula, format.begin, format.end());
        at = format.end();
        while (at < whole.text.size() && isSpace(at)) ++at;
    }
    add(Kind::Paragraph, at, whole.text.size());
    blocks_.pop_back();
    std::move(parts.begin(), parts.end(), std::back_inserter(blocks_));
}

/// Adds characters as they stand in the source.
void Builder::addSource(qsizetype begin, qsizetype end) {
    if (begin >= end) return;
    QString shown = source_.text().mid(begin, end - begin).toString();
    shown.replace(QChar(0), QChar(QChar::ReplacementCharacter));
    addPiece(shown, begin, end - begin);
}

/// Adds characters that came from these of the source. In a table, tabs and line breaks separate cells and rows: those
/// in a cell, such as "&#10;", are spaces.
void Builder::addPiece(const QString& shown, qsizetype source, qsizetype sourceLength) {
    if (shown.isEmpty()) return;
    TextBlock& block = blocks_.back();
    const qsizetype begin = block.text.size();
    block.text += shown;
    if (block.kind == Kind::Table)
        std::replace_if(
            block.text.begin() + begin, block.text.end(), [](QChar c) { return c == u'\t' || c == u'\n'; },
            QChar(u' '));
    TextPiece* last = block.pieces.empty() ? nullptr : &block.pieces.back();
    const bool exact = shown.size() == sourceLength;
    if (last && exact && last->exact() && last->begin + last->length == begin &&
        last->source + last->sourceLength == source) {
        last->length += shown.size();
        last->sourceLength += sourceLength;
    } else {
        block.pieces.push_back(
            {.begin = begin, .length = shown.size(), .source = source, .sourceLength = sourceLength});
    }
    lastEnd_ = source + sourceLength;
    format(begin);
}

/// Adds the white space that md4c wrote between the last text of code and this place. Its places are found from the
/// end, because a fence may be before the first line.
void Builder::addWrittenBefore(qsizetype place) {
    const QStringView text = source_.text();
    std::vector<TextPiece> pieces(static_cast<size_t>(written_.size()));
    for (qsizetype i = written_.size(); i-- > 0;) {
        qsizetype from = place;
        if (written_[i] == u'\n')
            while (from > 0 && text[from - 1] != u'\n') --from;
        const bool found = from > 0 && (written_[i] == u'\n' || text[from - 1].isSpace());
        if (found) place = from - 1;
        pieces[static_cast<size_t>(i)] = {.source = place, .sourceLength = found ? 1 : 0};
    }
    const QString written = std::exchange(written_, {});
    for (qsizetype i = 0; i < written.size(); ++i) {
        const TextPiece& piece = pieces[static_cast<size_t>(i)];
        addPiece(written.mid(i, 1), piece.source, piece.sourceLength);
    }
}

/// Adds the white space that md4c wrote at the end of code.
void Builder::addWrittenLast() {
    if (written_.isEmpty()) return;
    const QStringView text = source_.text();
    qsizetype place = lastEnd_;
    bool broken = true; // the last line of a text may have no line break
    for (qsizetype breaks = written_.count(u'\n'); breaks > 0 && broken; --breaks) {
        const qsizetype lineEnd = text.indexOf(u'\n', place);
        broken = lineEnd >= 0;
        place = lineEnd + 1;
    }
    if (!broken) written_.chop(1);
    addWrittenBefore(broken ? place : text.size());
    if (!broken) addPiece(QStringLiteral("\n"), text.size(), 0);
}

/// Adds a line break, which came from the next one in the source. In a table and in inline code it is a space.
void Builder::addLineBreak() {
    if (skipBreaks_ > 0) {
        --skipBreaks_;
        return;
    }
    const qsizetype found = source_.text().indexOf(u'\n', lastEnd_);
    const bool inSpan =
        blocks_.back().kind == Kind::Table || (!spans_.empty() && spans_.back().style == TextFormat::Code);
    addPiece(inSpan ? QStringLiteral(" ") : QStringLiteral("\n"), found < 0 ? lastEnd_ : found, found < 0 ? 0 : 1);
}

/// Corrects the places of line breaks before the first text of a block, once the place of that text is known.
void Builder::placeFirstBreaks(qsizetype text) {
    TextBlock& block = blocks_.back();
    if (std::any_of(block.text.begin(), block.text.end(), [](QChar c) { return c != u'\n'; })) return;
    for (auto piece = block.pieces.rbegin(); piece != block.pieces.rend() && text > 0; ++piece)
        piece->source = text = source_.text().lastIndexOf(u'\n', text - 1);
}

/// Gives the characters from `begin` on the look of the open spans.
void Builder::format(qsizetype begin) {
    TextFormat format{.begin = begin, .length = blocks_.back().text.size() - begin};
    for (const Span& span : spans_) {
        format.style |= span.style;
        if (!span.target.isEmpty()) format.target = span.target;
    }
    if (format.style == 0) return;
    std::vector<TextFormat>& formats = blocks_.back().formats;
    const bool joins = !format.isFormula() && !formats.empty() && formats.back().end() == begin &&
                       formats.back().style == format.style && formats.back().target == format.target;
    if (joins)
        formats.back().length += format.length;
    else
        formats.push_back(std::move(format));
}

/// Returns the text of an address or of a language, in which entities stand for characters.
QString Builder::attribute(const MD_ATTRIBUTE& attribute) const {
    QString text;
    if (!attribute.text) return text;
    for (int i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
        const MD_OFFSET begin = attribute.substr_offsets[i], end = attribute.substr_offsets[i + 1];
        const qsizetype place = source_.placeOf(attribute.text + begin);
        const qsizetype placeEnd = source_.placeOf(attribute.text + end);
        const QString piece = place >= 0 && placeEnd >= place
                                  ? source_.text().mid(place, placeEnd - place).toString()
                                  : QString::fromUtf8(attribute.text + begin, static_cast<qsizetype>(end - begin));
        const QString known = attribute.substr_types[i] == MD_TEXT_ENTITY ? characterOfEntity(piece) : QString();
        text += known.isEmpty() ? piece : known;
    }
    return text;
}

Builder& builder(void* data) { return *static_cast<Builder*>(data); }

} // namespace

MarkdownBlocks parseMarkdown(QStringView slice, const MarkdownContext& context) {
    const MarkdownSource source(slice);
    Builder made(source, context);
    MD_PARSER parser{};
    parser.flags = kFlags;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) { return builder(to).enterBlock(type, detail); };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* to) { return builder(to).leaveBlock(type); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) { return builder(to).enterSpan(type, detail); };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* to) { return builder(to).leaveSpan(type); };
    parser.text = [](MD_TEXTTYPE type, const char* text, MD_SIZE size, void* to) {
        return builder(to).text(type, text, size);
    };
    md_parse(source.bytes().data(), static_cast<MD_SIZE>(source.bytes().size()), &parser, &made);
    return made.take();
}

} // namespace coterie::app
