// SPDX-License-Identifier: Apache-2.0
// Statements: text, {{ ... }} and {% ... %}.
#include "prompt/jinja/parser.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace coterie::engine::jinja {
namespace {

std::string described(const Token& token) {
    // By TokenKind; a name or an operator is described by itself.
    constexpr std::string_view kWords[] = {
        "text", "'{{'", "'}}'", "'{%'", "'%}'", "", "a string", "a number", "a number", "", "the end of the template"};
    const std::string_view words = kWords[static_cast<size_t>(token.kind)];
    return words.empty() ? "'" + token.text + "'" : std::string(words);
}

using EndTags = std::initializer_list<std::string_view>;

class StatementParser {
  public:
    StatementParser(TokenReader& reader) : in_(reader), expressions_(reader) {}

    Block templateBody() {
        Block body = statements({});
        if (in_.now().kind != TokenKind::End) in_.failHere("the end of the template");
        return body;
    }

  private:
    using StatementPtr = std::unique_ptr<const Statement>;

    template <typename Node>
    StatementPtr make(int line, Node node) {
        in_.meter.spend();
        return std::make_unique<const Statement>(Statement{std::move(node), line});
    }

    /// Reads up to one of the tags `ends`: past its "{%", and not past its name.
    Block statements(EndTags ends) {
        const Deeper deeper(in_.meter);
        Block body;
        for (;;) {
            const Token& token = in_.now();
            const int line = token.line;
            if (token.kind == TokenKind::End && ends.size() == 0) return body;
            if (token.kind == TokenKind::Text) {
                body.push_back(make(line, Text{in_.next().text}));
            } else if (token.kind == TokenKind::OutputBegin) {
                in_.next();
                body.push_back(make(line, Output{expressions_.tuple()}));
                in_.expect(TokenKind::OutputEnd);
            } else if (token.kind == TokenKind::TagBegin) {
                in_.next();
                if (std::find(ends.begin(), ends.end(), in_.now().text) != ends.end() &&
                    in_.now().kind == TokenKind::Name)
                    return body;
                body.push_back(statement());
                in_.expect(TokenKind::TagEnd);
            } else {
                in_.failHere("'{% " + std::string(*(ends.end() - 1)) + " %}'");
            }
        }
    }

    /// Reads the rest of an opening tag, the block, and its closing tag except for the "%}".
    Block blockUntil(std::string_view end) {
        Block body = openBlock({end});
        in_.next();
        return body;
    }
    Block openBlock(EndTags ends) {
        in_.skipOperator(":");
        in_.expect(TokenKind::TagEnd);
        return statements(ends);
    }

    StatementPtr statement() {
        struct Tag {
            std::string_view name;
            StatementPtr (StatementParser::*parse)(int line);
        };
        constexpr std::array<Tag, 12> kTags{{{"if", &StatementParser::ifTag},
                                             {"for", &StatementParser::forTag},
                                             {"set", &StatementParser::setTag},
                                             {"macro", &StatementParser::macroTag},
                                             {"call", &StatementParser::callTag},
                                             {"filter", &StatementParser::filterTag},
                                             {"with", &StatementParser::withTag},
                                             {"generation", &StatementParser::generationTag},
                                             {"print", &StatementParser::printTag},
                                             {"break", &StatementParser::breakTag},
                                             {"continue", &StatementParser::continueTag},
                                             {"block", &StatementParser::blockTag}}};
        const int line = in_.now().line;
        const std::string name = in_.expectAnyName();
        const auto* found = std::find_if(kTags.begin(), kTags.end(), [&](const Tag& tag) { return tag.name == name; });
        if (found == kTags.end()) in_.fail("the tag '" + name + "' is not known here");
        return (this->*found->parse)(line);
    }

    StatementPtr ifTag(int line) {
        If node;
        for (bool more = true; more;) {
            ExpressionPtr condition = expressions_.tuple(false);
            node.branches.emplace_back(std::move(condition), openBlock({"elif", "else", "endif"}));
            more = in_.skipName("elif");
        }
        if (in_.skipName("else")) node.otherwise = openBlock({"endif"});
        in_.next();
        return make(line, std::move(node));
    }

    StatementPtr forTag(int line) {
        For node;
        node.target = target(false);
        in_.expectName("in");
        node.iterable = expressions_.tuple(false);
        if (in_.skipName("if")) node.filter = expressions_.expression();
        node.recursive = in_.skipName("recursive");
        ++loops_;
        node.body = openBlock({"endfor", "else"});
        --loops_;
        if (in_.skipName("else")) node.otherwise = openBlock({"endfor"});
        in_.next();
        return make(line, std::move(node));
    }

    StatementPtr setTag(int line) {
        Target where = target(true);
        if (in_.skipOperator("=")) return make(line, Set{std::move(where), expressions_.tuple()});
        ExpressionPtr filter = in_.skipOperator("|") ? expressions_.filters(nullptr) : nullptr;
        return make(line, SetBlock{std::move(where), std::move(filter), blockUntil("endset")});
    }

    StatementPtr macroTag(int line) {
        const std::string name = in_.expectAnyName();
        const NameId id = in_.idOf(name);
        std::vector<Parameter> parameters = signature();
        return make(line, DefineMacro{id, macroBody(name, std::move(parameters), "endmacro")});
    }

    StatementPtr callTag(int line) {
        std::vector<Parameter> parameters;
        if (in_.now().isOperator("(")) parameters = signature();
        ExpressionPtr call = expressions_.expression();
        if (!std::holds_alternative<CallOf>(call->node)) in_.fail("'call' needs a call behind it");
        return make(line, CallBlock{std::move(call), macroBody("caller", std::move(parameters), "endcall")});
    }

    StatementPtr filterTag(int line) {
        ExpressionPtr filter = expressions_.filters(nullptr);
        return make(line, FilterBlock{std::move(filter), blockUntil("endfilter")});
    }

    StatementPtr withTag(int line) {
        With node;
        while (in_.now().kind != TokenKind::TagEnd) {
            if (!node.bindings.empty()) in_.expectOperator(",");
            Target where = target(false);
            in_.expectOperator("=");
            node.bindings.emplace_back(std::move(where), expressions_.expression());
        }
        node.body = blockUntil("endwith");
        return make(line, std::move(node));
    }

    /// `generation` marks for training the text that the model wrote; in a prompt it is only its text.
    StatementPtr generationTag(int line) { return make(line, With{{}, blockUntil("endgeneration")}); }

    /// No template inherits from another here, so a block is its own text.
    StatementPtr blockTag(int line) {
        const std::string name = in_.expectAnyName();
        StatementPtr node = make(line, With{{}, blockUntil("endblock")});
        in_.skipName(name);
        return node;
    }

    StatementPtr printTag(int line) {
        With several; // {% print a, b %} writes one after the other
        do several.body.push_back(make(line, Output{expressions_.expression()}));
        while (in_.skipOperator(","));
        return make(line, std::move(several));
    }

    StatementPtr breakTag(int line) { return checkInLoop("break"), make(line, Break{}); }
    StatementPtr continueTag(int line) { return checkInLoop("continue"), make(line, Continue{}); }
    void checkInLoop(const std::string& tag) const {
        if (loops_ == 0) in_.fail("'" + tag + "' stands outside of a loop");
    }

    MacroBody macroBody(std::string name, std::vector<Parameter> parameters, std::string_view end) {
        const size_t caller = in_.callerUses, varargs = in_.varargsUses, kwargs = in_.kwargsUses;
        const size_t loopsAround = std::exchange(loops_, 0);
        Block body = blockUntil(end);
        loops_ = loopsAround;
        return {std::move(name),         std::move(parameters),     std::move(body),
                in_.callerUses > caller, in_.varargsUses > varargs, in_.kwargsUses > kwargs};
    }

    std::vector<Parameter> signature() {
        in_.expectOperator("(");
        std::vector<Parameter> parameters;
        while (!in_.now().isOperator(")")) {
            if (!parameters.empty()) in_.expectOperator(",");
            const NameId name = in_.idOf(in_.expectAnyName());
            ExpressionPtr fallback = in_.skipOperator("=") ? expressions_.expression() : nullptr;
            if (!fallback && !parameters.empty() && parameters.back().fallback)
                in_.fail("a parameter without a default follows one with a default");
            parameters.push_back({name, std::move(fallback)});
        }
        in_.expectOperator(")");
        return parameters;
    }

    Target target(bool withNamespaces) {
        Target first = singleTarget(withNamespaces);
        if (!in_.now().isOperator(",")) return first;
        Target all;
        all.tuple = true;
        all.parts.push_back(std::move(first));
        while (in_.skipOperator(",") && (in_.now().kind == TokenKind::Name || in_.now().isOperator("(")) &&
               !in_.now().isName("in"))
            all.parts.push_back(singleTarget(withNamespaces));
        return all;
    }

    Target singleTarget(bool withNamespaces) {
        Target made;
        if (in_.skipOperator("(")) {
            const Deeper deeper(in_.meter);
            made = target(withNamespaces);
            in_.expectOperator(")");
            return made;
        }
        const std::string name = in_.expectAnyName();
        constexpr std::string_view kConstants[] = {"true", "false", "none", "True", "False", "None"};
        if (std::find(std::begin(kConstants), std::end(kConstants), name) != std::end(kConstants))
            in_.fail("'" + name + "' cannot be set");
        made.name = in_.idOf(name);
        if (withNamespaces && in_.skipOperator(".")) made.attribute = in_.expectAnyName();
        return made;
    }

    TokenReader& in_;
    ExpressionParser expressions_;
    size_t loops_ = 0; ///< loops around the current place, within the same macro
};

} // namespace

Token TokenReader::next() {
    meter.line = now().line;
    return at_ + 1 < tokens_.size() ? std::move(tokens_[at_++]) : tokens_[at_];
}

bool TokenReader::skipOperator(std::string_view symbol) { return now().isOperator(symbol) && (next(), true); }
bool TokenReader::skipName(std::string_view name) { return now().isName(name) && (next(), true); }
void TokenReader::expectOperator(std::string_view symbol) {
    if (!skipOperator(symbol)) failHere("'" + std::string(symbol) + "'");
}
void TokenReader::expectName(std::string_view name) {
    if (!skipName(name)) failHere("'" + std::string(name) + "'");
}
std::string TokenReader::expectAnyName() {
    if (now().kind != TokenKind::Name) failHere("a name");
    return next().text;
}
void TokenReader::expect(TokenKind kind) {
    if (now().kind != kind) failHere(described(Token{kind, 0, {}}));
    next();
}

NameId TokenReader::idOf(const std::string& name) {
    const auto [place, isNew] = ids_.try_emplace(name, static_cast<NameId>(names_.size()));
    if (isNew) names_.push_back(name);
    return place->second;
}

void TokenReader::fail(const std::string& why) const { meter.fail(why, Failure::Kind::Syntax); }
void TokenReader::failHere(const std::string& wanted) const {
    meter.line = now().line;
    fail(wanted + " was expected, but here is " + described(now()));
}

Program parseTemplate(Meter& meter, std::string_view source) {
    TokenReader reader(meter, tokenize(meter, source));
    Program program;
    program.body = StatementParser(reader).templateBody();
    program.names = reader.takeNames();
    return program;
}

} // namespace coterie::engine::jinja
