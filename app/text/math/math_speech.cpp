// SPDX-License-Identifier: Apache-2.0
// See math_speech.h.
#include "text/math/math_speech.h"

#include "text/math/math_commands.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace coterie::app {
namespace {

using Kind = MathNode::Kind;

constexpr char32_t kPrime = 0x2032;
constexpr QChar kThinSpace = u'\u2009';

class Speaker {
    Q_DECLARE_TR_FUNCTIONS(MathSpeech)

  public:
    QString said() const { return words_.join(u' '); }
    void say(const MathNode& node);

  private:
    void word(const QString& text) {
        if (!text.isEmpty()) words_ << text;
    }
    void all(const std::vector<MathNode>& nodes) {
        for (const MathNode& node : nodes) say(node);
    }
    /// Translates words of the table of commands; null gives nothing.
    static QString inLanguage(const char* words) {
        return words ? QCoreApplication::translate("MathSpeech", words) : QString();
    }
    static QString characterWord(char32_t character);
    void sayKind(const MathNode& node);
    void symbol(const MathNode& node);
    void fraction(const MathNode& node);
    void root(const MathNode& node);
    void scripts(const MathNode& node);
    void superscript(const MathNode& above);
    void table(const MathNode& node);
    void fenced(const MathNode& node);

    QStringList words_;
    bool afterDigit_ = false;
};

/// Goes through groups of one to what they hold.
const MathNode& core(const MathNode& node) {
    const MathNode* inner = &node;
    while (inner->kind == Kind::Row && inner->children.size() == 1) inner = &inner->children.front();
    return *inner;
}

/// One character or name needs no words around it.
bool isShort(const MathNode& node) {
    const Kind kind = core(node).kind;
    return kind == Kind::Symbol || kind == Kind::Name || kind == Kind::Text;
}

QString Speaker::characterWord(char32_t character) {
    const MathCommand* known = mathCharacter(character);
    if (!known) return QString::fromUcs4(&character, 1);
    return known->words ? inLanguage(known->words) : QString::fromLatin1(known->name);
}

void Speaker::say(const MathNode& node) {
    // Digits beside each other are one number; a script belongs to the last of them.
    if (node.kind != Kind::Symbol && node.kind != Kind::Scripts && node.kind != Kind::Row) afterDigit_ = false;
    sayKind(node);
    if (node.kind != Kind::Symbol) afterDigit_ = false;
}

void Speaker::sayKind(const MathNode& node) {
    switch (node.kind) {
    case Kind::Row:
    case Kind::Styled:
    case Kind::Framed:
        return all(node.children);
    case Kind::Symbol:
        return symbol(node);
    case Kind::Name: {
        const MathCommand* known = mathCommand(QString(node.text).remove(kThinSpace));
        return word(known && known->words ? inLanguage(known->words) : node.text);
    }
    case Kind::Text:
        return word(node.text.simplified());
    case Kind::Fraction:
        return fraction(node);
    case Kind::Root:
        return root(node);
    case Kind::Scripts:
        return scripts(node);
    case Kind::Accent:
    case Kind::Brace:
    case Kind::Line:
        all(node.children);
        return word(inLanguage(node.words));
    case Kind::Arrow:
        word(inLanguage(node.words));
        return all(node.children);
    case Kind::Fence:
        return word(characterWord(node.character));
    case Kind::Fenced:
        return fenced(node);
    case Kind::Table:
        return table(node);
    case Kind::Space:
        return;
    case Kind::Struck:
        word(tr("crossed out"));
        return all(node.children);
    case Kind::Negated:
        word(tr("not"));
        return all(node.children);
    }
}

void Speaker::symbol(const MathNode& node) {
    const char32_t c = node.character;
    const bool digit = c >= U'0' && c <= U'9';
    const bool letter = (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    const QString own = digit || letter ? QString::fromUcs4(&c, 1) : characterWord(c);
    if (digit && afterDigit_)
        words_.back() += own;
    else
        word(own);
    afterDigit_ = digit;
}

void Speaker::fraction(const MathNode& node) {
    if (!node.ruled) {
        say(node.children[0]);
        word(tr("choose"));
        return say(node.children[1]);
    }
    if (isShort(node.children[0]) && isShort(node.children[1])) {
        say(node.children[0]);
        word(tr("over"));
        return say(node.children[1]);
    }
    word(tr("the fraction"));
    say(node.children[0]);
    word(tr("over"));
    say(node.children[1]);
    word(tr("end fraction"));
}

void Speaker::root(const MathNode& node) {
    if (node.children.size() > 1) {
        word(tr("the root of order"));
        say(node.children[1]);
        word(tr("of"));
    } else {
        word(tr("the square root of"));
    }
    say(node.children[0]);
    if (!isShort(node.children[0])) word(tr("end root"));
}

void Speaker::scripts(const MathNode& node) {
    const MathNode &base = core(node.children[0]), &below = node.children[1], &above = node.children[2];
    say(base);
    const bool large = base.atom == MathClass::Operator || base.kind == Kind::Brace;
    if (!below.empty()) {
        word(large && base.kind == Kind::Name ? tr("as") : large ? tr("from") : tr("sub"));
        if (base.kind == Kind::Brace) words_.back() = tr("labelled");
        say(below);
    }
    if (above.empty()) return;
    if (large && base.kind == Kind::Brace) {
        word(tr("labelled"));
        say(above);
    } else if (large && base.kind == Kind::Symbol) {
        word(tr("to"));
        say(above);
        word(tr("of"));
    } else {
        superscript(above);
    }
}

void Speaker::superscript(const MathNode& above) {
    const MathNode& inner = core(above);
    if (inner.kind == Kind::Symbol && inner.character == U'2') return word(tr("squared"));
    if (inner.kind == Kind::Symbol && inner.character == U'3') return word(tr("cubed"));
    const auto isPrime = [](const MathNode& one) { return one.kind == Kind::Symbol && one.character == kPrime; };
    if (isPrime(inner)) return word(tr("prime"));
    const bool primes = inner.kind == Kind::Row && std::all_of(inner.children.begin(), inner.children.end(), isPrime);
    if (primes) return all(inner.children);
    if (inner.kind == Kind::Symbol && inner.character == 0x2218) return word(tr("degrees"));
    word(tr("to the power of"));
    say(above);
    if (!isShort(above)) word(tr("end power"));
}

void Speaker::table(const MathNode& node) {
    const auto form = static_cast<TableForm>(node.form);
    const bool matrix = form == TableForm::Matrix || form == TableForm::Small || form == TableForm::Array;
    if (matrix) word(tr("matrix"));
    for (size_t i = 0; i < node.children.size(); ++i) {
        if (matrix) word(tr("row %1").arg(i + 1));
        if (!matrix && i > 0 && !words_.isEmpty()) words_.back() += u';';
        for (const MathNode& cell : node.children[i].children) {
            say(cell);
            if (matrix && !words_.isEmpty()) words_.back() += u',';
        }
    }
    if (matrix) word(tr("end matrix"));
}

void Speaker::fenced(const MathNode& node) {
    for (size_t i = 0; i < node.children.size(); ++i) {
        if (node.text[static_cast<qsizetype>(i)] != kNoFence)
            word(characterWord(node.text[static_cast<qsizetype>(i)].unicode()));
        say(node.children[i]);
    }
    if (node.text.back() != kNoFence) word(characterWord(node.text.back().unicode()));
}

} // namespace

QString spokenMath(const MathNode& root) {
    Speaker speaker;
    speaker.say(root);
    return speaker.said();
}

} // namespace coterie::app
