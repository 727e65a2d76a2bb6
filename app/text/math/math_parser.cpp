// SPDX-License-Identifier: Apache-2.0
// See math_parser.h. A parser by recursive descent; it stops at the first mistake. Each function that may recurse
// counts a level of depth.
#include "text/math/math_parser.h"

#include "text/math/math_commands.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

using Kind = MathNode::Kind;

constexpr int kScriptSpace = 6;    ///< mu, between words
constexpr int kTagSpace = 36;      ///< mu, between a formula and its number
constexpr qsizetype kMaxWord = 64; ///< characters of an operator's name or an environment's
constexpr char32_t kPrime = 0x2032;
constexpr QChar kThinSpace = u'\u2009';

/// Ends of a row of atoms.
enum class Until : uint8_t { End, Brace, Bracket, Dollar, Cell, Fence };

bool isLetter(QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z'); }

MathNode node(Kind kind, std::vector<MathNode> children = {}) {
    return {.kind = kind, .children = std::move(children)};
}

MathNode symbol(char32_t character, MathClass atom, MathAlphabet alphabet) {
    return {.kind = Kind::Symbol, .atom = atom, .alphabet = alphabet, .character = character};
}

MathNode space(int mu) { return {.kind = Kind::Space, .amount = mu}; }

MathNode words(const QString& text, MathAlphabet alphabet) {
    return {.kind = Kind::Text, .alphabet = alphabet, .text = text};
}

/// Returns the relation with a stroke that Unicode has as one character, or 0.
char32_t negation(char32_t relation) {
    constexpr std::pair<char32_t, char32_t> kNegations[] = {
        {U'=', 0x2260},   {U'<', 0x226E},   {U'>', 0x226F},   {U'|', 0x2224},   {0x2203, 0x2204}, {0x2208, 0x2209},
        {0x220B, 0x220C}, {0x2223, 0x2224}, {0x2225, 0x2226}, {0x223C, 0x2241}, {0x2243, 0x2244}, {0x2245, 0x2247},
        {0x2248, 0x2249}, {0x2261, 0x2262}, {0x2264, 0x2270}, {0x2265, 0x2271}, {0x227A, 0x2280}, {0x227B, 0x2281},
        {0x2282, 0x2284}, {0x2283, 0x2285}, {0x2286, 0x2288}, {0x2287, 0x2289}, {0x22A2, 0x22AC}, {0x22A8, 0x22AD},
        {0x2190, 0x219A}, {0x2192, 0x219B}, {0x2194, 0x21AE}, {0x21D0, 0x21CD}, {0x21D2, 0x21CF}, {0x21D4, 0x21CE}};
    const auto* found = std::find_if(std::begin(kNegations), std::end(kNegations),
                                     [relation](const auto& pair) { return pair.first == relation; });
    return found == std::end(kNegations) ? 0 : found->second;
}

/// Names are letters, except for a thin space in some.
QString nameOf(const MathCommand& what) {
    const auto name = QString::fromLatin1(what.name);
    for (const char* first : {"lim", "arg", "inj", "proj"}) {
        const auto length = static_cast<qsizetype>(qstrlen(first));
        if (name.size() > length + 2 && name.startsWith(QLatin1String(first)) &&
            what.kind == MathCommandKind::LimitName)
            return name.left(length) + kThinSpace + name.mid(length);
    }
    return name;
}

/// Letters and signs of other scripts stand upright, in whatever font has them.
bool isForeign(char32_t code) {
    return code >= 0x80 && QChar::isPrint(code) && !QChar::isSpace(code) && !mathCharacter(code);
}

class Parser {
  public:
    explicit Parser(QStringView source) : source_(source) {}

    std::optional<MathNode> formula();

  private:
    /// Counts a level of depth while it lives. The whole parse fails if there are too many.
    class Level {
      public:
        explicit Level(Parser& parser) : parser_(parser) {
            if (++parser_.depth_ > kMathMaxDepth) parser_.failed_ = true;
        }
        ~Level() { --parser_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        Parser& parser_;
    };

    MathNode fail() {
        failed_ = true;
        return {};
    }
    bool atEnd() const { return at_ >= source_.size(); }
    QChar peek() const { return atEnd() ? QChar() : source_[at_]; }
    bool take(QChar c) {
        if (atEnd() || source_[at_] != c) return false;
        ++at_;
        return true;
    }
    void skipSpaces() {
        while (!atEnd() && source_[at_].isSpace()) ++at_;
    }
    const MathCommand* peekCommand(qsizetype* length) const;
    bool peekIs(MathCommandKind kind) const;
    bool stopsAt(Until until) const;
    void add(std::vector<MathNode>& to, MathNode made);

    MathNode row(Until until);
    void restOfRow(std::vector<MathNode>& to, Until until);
    void scripts(std::vector<MathNode>& to);
    void primes(MathNode& above);
    MathNode atom();
    MathNode character();
    char32_t peekCode(qsizetype* length) const;
    MathNode command();
    MathNode structure(const MathCommand& what);
    MathNode accented(const MathCommand& what);
    MathNode struck(const MathCommand& what);
    MathNode substack();
    MathNode group();
    MathNode argument();
    std::optional<QString> plainWord();
    std::optional<QString> operatorWord();
    MathNode textArgument(MathAlphabet alphabet);
    void skipOption();
    MathNode inAlphabet(MathAlphabet alphabet);
    MathNode fraction(const MathCommand& what);
    MathNode root();
    MathNode sized(const MathCommand& what);
    MathNode fenced();
    char16_t fence();
    MathNode negated();
    MathNode stack(const MathCommand& what);
    MathNode labelledArrow(const MathCommand& what);
    MathNode modulo(const MathCommand& what);
    MathNode tag(const MathCommand& what);
    MathNode operatorName(const MathCommand& what);
    MathNode environment();
    MathNode table(TableForm form, MathStyle style, QString columns);
    QString arrayColumns();

    QStringView source_;
    qsizetype at_ = 0;
    int depth_ = 0, nodes_ = 0;
    MathAlphabet alphabet_ = MathAlphabet::Normal;
    bool failed_ = false;
};

std::optional<MathNode> Parser::formula() {
    if (source_.size() > kMathMaxLength) return std::nullopt;
    MathNode lines = table(TableForm::Aligned, MathStyle::Display, QStringLiteral("*c"));
    if (failed_ || !atEnd() || lines.children.empty()) return std::nullopt;
    // A formula of one line is no table. Columns exist only within an environment.
    if (lines.children.size() > 1) {
        for (const MathNode& line : lines.children)
            if (line.children.size() > 1) return std::nullopt;
        return lines;
    }
    std::vector<MathNode>& cells = lines.children.front().children;
    if (cells.size() != 1 || cells.front().empty() || lines.children.front().ruled) return std::nullopt;
    return std::move(cells.front());
}

/// Returns the command at this place, with the length of its name; null if there is none or it is not listed.
const MathCommand* Parser::peekCommand(qsizetype* length) const {
    if (at_ + 1 >= source_.size() || source_[at_] != u'\\') return nullptr;
    qsizetype end = at_ + 1;
    while (end < source_.size() && isLetter(source_[end])) ++end;
    if (end == at_ + 1) ++end; // a sign
    const QStringView name = source_.mid(at_ + 1, end - at_ - 1);
    if (name.size() > kMaxWord) return nullptr;
    if (end < source_.size() && source_[end] == u'*') {
        if (const MathCommand* starred = mathCommand(QString(name.toString() + u'*'))) {
            *length = name.size() + 1;
            return starred;
        }
    }
    *length = name.size();
    if (name.size() == 1 && name[0].isSpace()) return mathCommand(u" ");
    return mathCommand(name);
}

bool Parser::peekIs(MathCommandKind kind) const {
    qsizetype length = 0;
    const MathCommand* next = peekCommand(&length);
    return next && next->kind == kind;
}

bool Parser::stopsAt(Until until) const {
    if (atEnd()) return true;
    const QChar next = source_[at_];
    if (next == u'}' || next == u'&' || next == u'$') return true;
    if (next == u']' && until == Until::Bracket) return true;
    return next == u'\\' && (peekIs(MathCommandKind::Right) || peekIs(MathCommandKind::Middle) ||
                             peekIs(MathCommandKind::NewLine) || peekIs(MathCommandKind::End));
}

void Parser::add(std::vector<MathNode>& to, MathNode made) {
    if (++nodes_ > kMathMaxNodes) failed_ = true;
    to.push_back(std::move(made));
}

/// Reads atoms up to an end, which the caller takes.
MathNode Parser::row(Until until) {
    const Level level(*this);
    MathNode made = node(Kind::Row);
    restOfRow(made.children, until);
    return made;
}

void Parser::restOfRow(std::vector<MathNode>& to, Until until) {
    while (!failed_) {
        skipSpaces();
        if (stopsAt(until)) return;
        qsizetype length = 0;
        const MathCommand* next = peekCommand(&length);
        if (next && next->kind == MathCommandKind::Style) {
            at_ += length + 1;
            const Level level(*this);
            MathNode rest{.kind = Kind::Styled, .style = static_cast<MathStyle>(next->amount)};
            if (!failed_) restOfRow(rest.children, until);
            add(to, std::move(rest));
            return;
        }
        if (peek() != u'^' && peek() != u'_' && peek() != u'\'') {
            MathNode made = atom();
            if (failed_) return;
            if (next && (next->kind == MathCommandKind::Ignored || next->kind == MathCommandKind::IgnoredArgument))
                continue;
            add(to, std::move(made));
        } else {
            add(to, node(Kind::Row));
        }
        scripts(to);
    }
}

/// Reads the scripts of the last atom, and \limits after it.
void Parser::scripts(std::vector<MathNode>& to) {
    MathNode below = node(Kind::Row), above = node(Kind::Row);
    bool hasBelow = false, hasAbove = false;
    while (!failed_) {
        skipSpaces();
        qsizetype length = 0;
        const MathCommand* next = peekCommand(&length);
        if (next && next->kind == MathCommandKind::Limits) {
            if (to.back().atom != MathClass::Operator) return void(fail());
            to.back().limits = static_cast<MathLimits>(next->amount);
            at_ += length + 1;
        } else if (peek() == u'_') {
            ++at_;
            if (std::exchange(hasBelow, true)) return void(fail());
            below = argument();
        } else if (peek() == u'^') {
            ++at_;
            if (std::exchange(hasAbove, true)) return void(fail());
            MathNode raised = argument();
            if (above.empty())
                above = std::move(raised);
            else
                add(above.children, std::move(raised));
        } else if (peek() == u'\'' && !hasAbove) {
            primes(above);
        } else {
            break;
        }
    }
    if (failed_ || (below.empty() && above.empty())) return;
    MathNode made{.kind = Kind::Scripts, .atom = to.back().atom, .limits = to.back().limits};
    made.children.push_back(std::move(to.back()));
    made.children.push_back(std::move(below));
    made.children.push_back(std::move(above));
    nodes_ += 2;
    to.back() = std::move(made);
}

void Parser::primes(MathNode& above) {
    while (take(u'\'')) {
        add(above.children, symbol(kPrime, MathClass::Ordinary, MathAlphabet::Normal));
        if (failed_) return;
    }
}

MathNode Parser::atom() {
    if (peek() == u'\\') return command();
    if (peek() == u'{') return group();
    return character();
}

MathNode Parser::character() {
    if (peek() == u'~') {
        ++at_;
        return space(kScriptSpace);
    }
    qsizetype length = 0;
    const char32_t code = peekCode(&length);
    if (isForeign(code)) { // a whole word at a time
        QString word;
        for (char32_t next = code; isForeign(next); next = peekCode(&length)) {
            word += source_.mid(at_, length);
            at_ += length;
        }
        return words(word, MathAlphabet::Roman);
    }
    at_ += length;
    if (code < 0x80 && QChar(static_cast<char16_t>(code)).isLetterOrNumber())
        return symbol(code, MathClass::Ordinary, alphabet_);
    const MathCommand* known = mathCharacter(code);
    if (!known || code == U'#' || code == U'%') return fail(); // those two are TeX's own
    MathNode made = symbol(known->character, known->atom, alphabet_);
    if (known->kind == MathCommandKind::BigOperator) made.limits = MathLimits::Automatic;
    return made;
}

/// Returns the character at this place, or 0 at the end.
char32_t Parser::peekCode(qsizetype* length) const {
    *length = atEnd() ? 0 : 1;
    if (atEnd()) return 0;
    const QChar first = source_[at_];
    if (!first.isHighSurrogate() || at_ + 1 >= source_.size() || !source_[at_ + 1].isLowSurrogate())
        return first.unicode();
    *length = 2;
    return QChar::surrogateToUcs4(first, source_[at_ + 1]);
}

MathNode Parser::group() {
    if (!take(u'{')) return fail();
    const MathAlphabet outer = alphabet_;
    MathNode made = row(Until::Brace);
    alphabet_ = outer;
    if (!take(u'}')) return fail();
    return made;
}

/// Reads what follows a command or a script sign: a group, a command with its arguments, or one character.
MathNode Parser::argument() {
    const Level level(*this);
    if (failed_) return {};
    skipSpaces();
    if (stopsAt(Until::End) || peek() == u'^' || peek() == u'_' || peek() == u'\'') return fail();
    if (peek() == u'{') return group();
    MathNode made = node(Kind::Row);
    add(made.children, atom());
    return made;
}

MathNode Parser::command() {
    qsizetype length = 0;
    const MathCommand* what = peekCommand(&length);
    if (!what) return fail();
    at_ += length + 1;
    const Level level(*this);
    if (failed_) return {};
    switch (what->kind) {
    case MathCommandKind::Symbol:
        return symbol(what->character, what->atom, alphabet_);
    case MathCommandKind::BigOperator:
    case MathCommandKind::Integral: {
        MathNode made = symbol(what->character, MathClass::Operator, MathAlphabet::Normal);
        if (what->kind == MathCommandKind::BigOperator) made.limits = MathLimits::Automatic;
        return made;
    }
    case MathCommandKind::Name:
    case MathCommandKind::LimitName: {
        MathNode made{.kind = Kind::Name, .atom = MathClass::Operator, .text = nameOf(*what)};
        if (what->kind == MathCommandKind::LimitName) made.limits = MathLimits::Automatic;
        return made;
    }
    case MathCommandKind::Space:
        return space(what->amount);
    case MathCommandKind::Alphabet:
        return inAlphabet(static_cast<MathAlphabet>(what->amount));
    case MathCommandKind::TextFont:
        return textArgument(static_cast<MathAlphabet>(what->amount));
    default:
        return structure(*what);
    }
}

/// Reads the base of an accent, a line or a brace.
MathNode Parser::accented(const MathCommand& what) {
    MathNode made = node(Kind::Accent, {argument()});
    if (what.kind == MathCommandKind::Line) made.kind = Kind::Line;
    if (what.kind == MathCommandKind::Brace) {
        made.kind = Kind::Brace;
        made.limits = MathLimits::Above; // its scripts are labels
    }
    made.character = what.character;
    made.words = what.words;
    made.wide = what.kind == MathCommandKind::WideAccent;
    made.below = what.amount == 1;
    return made;
}

MathNode Parser::struck(const MathCommand& what) {
    return {.kind = Kind::Struck, .character = what.character, .children = {argument()}};
}

MathNode Parser::substack() {
    skipSpaces();
    if (!take(u'{')) return fail();
    MathNode made = table(TableForm::Stacked, MathStyle::Script, QStringLiteral("*c"));
    return take(u'}') ? made : fail();
}

MathNode Parser::structure(const MathCommand& what) {
    switch (what.kind) {
    case MathCommandKind::Accent:
    case MathCommandKind::WideAccent:
    case MathCommandKind::Line:
    case MathCommandKind::Brace:
        return accented(what);
    case MathCommandKind::Arrow:
        return labelledArrow(what);
    case MathCommandKind::Size:
        return sized(what);
    case MathCommandKind::Fraction:
    case MathCommandKind::Binomial:
        return fraction(what);
    case MathCommandKind::Root:
        return root();
    case MathCommandKind::OperatorName:
        return operatorName(what);
    case MathCommandKind::Left:
        return fenced();
    case MathCommandKind::Begin:
        return environment();
    case MathCommandKind::Not:
        return negated();
    case MathCommandKind::Boxed:
        return node(Kind::Framed, {argument()});
    case MathCommandKind::Cancel:
        return struck(what);
    case MathCommandKind::Ignored:
        return {};
    case MathCommandKind::IgnoredArgument:
    case MathCommandKind::Coloured:
        if (!plainWord()) return fail();
        return what.kind == MathCommandKind::Coloured ? argument() : MathNode{};
    case MathCommandKind::Tag:
        return tag(what);
    case MathCommandKind::Stack:
        return stack(what);
    case MathCommandKind::Substack:
        return substack();
    case MathCommandKind::Modulo:
        return modulo(what);
    default:
        return fail(); // an end without its beginning, or a line outside a table
    }
}

/// Reads the characters between braces as they are. Returns nothing if there are none, or anything but plain ones.
std::optional<QString> Parser::plainWord() {
    skipSpaces();
    if (!take(u'{')) return std::nullopt;
    const qsizetype begin = at_;
    while (!atEnd() && source_[at_] != u'}') {
        const QChar c = source_[at_++];
        if (at_ - begin > kMaxWord || c == u'{' || c == u'\\' || c == u'$' || c.unicode() < 0x20) return std::nullopt;
    }
    const QString made = source_.mid(begin, at_ - begin).toString();
    return take(u'}') && !made.isEmpty() ? std::optional(made) : std::nullopt;
}

/// Reads text for people: characters as they are, a few escaped ones, and formulas between dollar signs.
MathNode Parser::textArgument(MathAlphabet alphabet) {
    skipSpaces();
    if (!take(u'{')) return fail();
    MathNode made = node(Kind::Row);
    QString text;
    const auto endText = [&] {
        if (!text.isEmpty()) add(made.children, words(std::exchange(text, {}), alphabet));
    };
    while (!failed_ && !atEnd() && peek() != u'}') {
        const QChar c = source_[at_++];
        if (c == u'$') {
            endText();
            add(made.children, row(Until::Dollar));
            if (!take(u'$')) return fail();
        } else if (c == u'\\') {
            if (atEnd() || !QStringView(u" %#&$_{}").contains(peek())) return fail();
            text += source_[at_++];
        } else if (c == u'{' || c == u'^' || (c.unicode() < 0x20 && !c.isSpace())) {
            return fail();
        } else {
            text += c == u'~' || c.isSpace() ? QChar(u' ') : c;
        }
    }
    endText();
    if (!take(u'}')) return fail();
    if (made.children.size() == 1) return MathNode(std::move(made.children.front()));
    return made;
}

MathNode Parser::inAlphabet(MathAlphabet alphabet) {
    const MathAlphabet outer = std::exchange(alphabet_, alphabet);
    MathNode made = argument();
    alphabet_ = outer;
    // One sign keeps its class.
    if (made.kind == Kind::Row && made.children.size() == 1) return MathNode(std::move(made.children.front()));
    return made;
}

MathNode Parser::fraction(const MathCommand& what) {
    MathNode made{.kind = Kind::Fraction,
                  .atom = MathClass::Inner,
                  .ruled = what.kind == MathCommandKind::Fraction,
                  .styled = what.amount >= 0};
    if (made.styled) made.style = static_cast<MathStyle>(what.amount);
    add(made.children, argument());
    add(made.children, argument());
    return made;
}

MathNode Parser::root() {
    MathNode made = node(Kind::Root);
    MathNode index;
    skipSpaces();
    if (take(u'[')) {
        index = row(Until::Bracket);
        if (!take(u']')) return fail();
    }
    add(made.children, argument());
    if (!index.empty()) add(made.children, std::move(index));
    return made;
}

/// Reads a delimiter. Returns 0 if there is none.
char16_t Parser::fence() {
    skipSpaces();
    qsizetype length = 0;
    char32_t character = 0;
    if (const MathCommand* named = peekCommand(&length)) {
        if (named->kind != MathCommandKind::Symbol) return 0;
        character = named->character;
        at_ += length + 1;
    } else if (!atEnd() && peek() != u'\\') {
        character = source_[at_++].unicode();
        if (character == U'.') return u'.';
    }
    if (character == U'<') character = 0x27E8;
    if (character == U'>') character = 0x27E9;
    if (character == 0x2223) character = U'|';
    if (character == 0x2225) character = 0x2016;
    return isMathFence(character) ? static_cast<char16_t>(character) : u'\0';
}

MathNode Parser::sized(const MathCommand& what) {
    const char16_t character = fence();
    if (character == 0) return fail();
    return {.kind = Kind::Fence, .atom = what.atom, .character = character, .amount = what.amount};
}

MathNode Parser::fenced() {
    MathNode made{.kind = Kind::Fenced, .atom = MathClass::Inner};
    char16_t left = fence();
    while (left != 0 && !failed_) {
        made.text += QChar(left);
        add(made.children, row(Until::Fence));
        const bool middle = peekIs(MathCommandKind::Middle);
        if (!middle && !peekIs(MathCommandKind::Right)) break;
        qsizetype length = 0;
        peekCommand(&length);
        at_ += length + 1;
        left = fence();
        if (middle) continue;
        if (left == 0) break;
        made.text += QChar(left);
        return made;
    }
    return fail();
}

MathNode Parser::negated() {
    skipSpaces();
    if (stopsAt(Until::End)) return fail();
    MathNode relation = atom();
    if (relation.kind != Kind::Symbol) return fail();
    if (const char32_t whole = negation(relation.character)) {
        relation.character = whole;
        return relation;
    }
    MathNode made{.kind = Kind::Negated, .atom = relation.atom};
    add(made.children, std::move(relation));
    return made;
}

/// Reads \overset and \underset: the label comes first.
MathNode Parser::stack(const MathCommand& what) {
    MathNode made{.kind = Kind::Scripts, .limits = MathLimits::Above};
    MathNode label = argument(), base = argument();
    if (failed_) return {};
    made.atom = base.children.size() == 1 ? base.children.front().atom : MathClass::Ordinary;
    if (what.amount == 2) made.atom = MathClass::Relation;
    const bool below = what.amount == 1;
    add(made.children, std::move(base));
    add(made.children, below ? std::move(label) : node(Kind::Row));
    add(made.children, below ? node(Kind::Row) : std::move(label));
    return made;
}

MathNode Parser::labelledArrow(const MathCommand& what) {
    MathNode made{.kind = Kind::Arrow, .atom = MathClass::Relation, .character = what.character, .words = what.words};
    MathNode below = node(Kind::Row);
    skipSpaces();
    if (take(u'[')) {
        below = row(Until::Bracket);
        if (!take(u']')) return fail();
    }
    add(made.children, std::move(below));
    add(made.children, argument());
    return made;
}

/// Reads letters, digits and spaces between braces. TeX ignores plain spaces; \\, and its like become a thin one.
std::optional<QString> Parser::operatorWord() {
    skipSpaces();
    if (!take(u'{')) return std::nullopt;
    QString made;
    while (!atEnd() && peek() != u'}' && made.size() <= kMaxWord) {
        const QChar c = source_[at_++];
        if (c == u'\\' && !atEnd() && QStringView(u",:; ").contains(peek())) {
            made += kThinSpace;
            ++at_;
        } else if (c.isLetterOrNumber() || c == u'-') {
            made += c;
        } else if (!c.isSpace()) {
            return std::nullopt;
        }
    }
    return take(u'}') && !made.isEmpty() ? std::optional(made) : std::nullopt;
}

MathNode Parser::operatorName(const MathCommand& what) {
    const std::optional<QString> name = operatorWord();
    if (!name) return fail();
    MathNode made{.kind = Kind::Name, .atom = MathClass::Operator, .text = *name};
    if (what.amount == 1) made.limits = MathLimits::Automatic;
    return made;
}

MathNode Parser::modulo(const MathCommand& what) {
    MathNode name{.kind = Kind::Name, .text = QStringLiteral("mod")};
    if (what.amount == 0) {
        name.atom = MathClass::Binary;
        return name;
    }
    MathNode made = node(Kind::Row);
    add(made.children, space(what.amount == 1 ? 10 : 12));
    if (what.amount == 1) add(made.children, symbol(U'(', MathClass::Open, MathAlphabet::Normal));
    add(made.children, std::move(name));
    add(made.children, space(kScriptSpace));
    add(made.children, argument());
    if (what.amount == 1) add(made.children, symbol(U')', MathClass::Close, MathAlphabet::Normal));
    return made;
}

MathNode Parser::tag(const MathCommand& what) {
    const std::optional<QString> number = plainWord();
    if (!number) return fail();
    MathNode made = node(Kind::Row);
    add(made.children, space(kTagSpace));
    add(made.children, words(what.amount == 1 ? *number : u'(' + *number + u')', MathAlphabet::Roman));
    return made;
}

MathNode Parser::environment() {
    const std::optional<QString> name = plainWord();
    const MathEnvironment* what = name ? mathEnvironment(*name) : nullptr;
    if (!what) return fail();
    const QString columns = what->columns ? QString::fromLatin1(what->columns) : arrayColumns();
    if (failed_ || columns.isEmpty()) return fail();
    MathNode made = table(what->form, what->style, columns);
    if (failed_ || !peekIs(MathCommandKind::End)) return fail();
    at_ += 4;
    if (plainWord() != name) return fail();
    if (what->left == u'.' && what->right == u'.') return made;
    MathNode fences = node(Kind::Fenced);
    fences.atom = MathClass::Inner;
    fences.text = QString(QChar(what->left)) + QChar(what->right);
    add(fences.children, std::move(made));
    return fences;
}

QString Parser::arrayColumns() {
    const std::optional<QString> letters = plainWord();
    if (!letters) return {};
    QString columns;
    int count = 0;
    for (const QChar c : *letters) {
        if (c.isSpace()) continue;
        if (!QStringView(u"lcr|").contains(c)) return {};
        if (c != u'|') ++count;
        columns += c;
    }
    return count > 0 && count <= kMathMaxColumns ? columns : QString();
}

/// Reads rows of cells up to an end, which the caller takes.
MathNode Parser::table(TableForm form, MathStyle style, QString columns) {
    const Level level(*this);
    MathNode made = node(Kind::Table);
    made.form = static_cast<int8_t>(form);
    made.style = style;
    made.text = std::move(columns);
    made.atom = MathClass::Inner;
    const bool limited = !made.text.startsWith(u'*');
    const auto most = limited ? made.text.size() - made.text.count(u'|') : qsizetype{kMathMaxColumns};
    bool rule = false, more = true;
    while (!failed_ && more) {
        MathNode line = node(Kind::Row);
        for (skipSpaces(); peekIs(MathCommandKind::Rule); skipSpaces()) {
            at_ += 6;
            rule = true;
        }
        line.ruled = std::exchange(rule, false);
        do {
            add(line.children, row(Until::Cell));
        } while (!failed_ && take(u'&'));
        if (static_cast<qsizetype>(line.children.size()) > most) failed_ = true;
        more = !failed_ && peekIs(MathCommandKind::NewLine);
        const bool last = !more && line.children.size() == 1 && line.children.front().empty();
        if (last && !made.children.empty())
            made.ruled = line.ruled; // a line break at the end begins no row
        else
            add(made.children, std::move(line));
        if (more) {
            qsizetype length = 0;
            peekCommand(&length);
            at_ += length + 1;
            skipOption();
        }
    }
    return made;
}

/// Skips the extra room after a line break, such as [4pt].
void Parser::skipOption() {
    if (peek() != u'[') return;
    qsizetype end = at_ + 1;
    while (end < source_.size() && end - at_ < 12 && source_[end] != u']') {
        const QChar c = source_[end];
        if (!isLetter(c) && !c.isDigit() && c != u'.' && c != u'-' && c != u' ') return;
        ++end;
    }
    const QStringView amount = source_.mid(at_ + 1, end - at_ - 1);
    const bool length = amount.endsWith(u"pt") || amount.endsWith(u"em") || amount.endsWith(u"ex") ||
                        amount.endsWith(u"mm") || amount.endsWith(u"cm");
    if (length && end < source_.size() && source_[end] == u']') at_ = end + 1;
}

} // namespace

std::optional<MathNode> parseMath(QStringView source) { return Parser(source).formula(); }

} // namespace coterie::app
