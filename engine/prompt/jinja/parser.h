// SPDX-License-Identifier: Apache-2.0
// Parses tokens into a Program. It knows only the grammar: unknown names and unfit types fail when the template runs.
#pragma once

#include "prompt/jinja/ast.h"
#include "prompt/jinja/lexer.h"

#include <string_view>
#include <unordered_map>

namespace coterie::engine::jinja {

/// The tokens, and the names as numbers; both halves of the grammar use them.
class TokenReader {
  public:
    TokenReader(Meter& m, std::vector<Token> tokens) : meter(m), tokens_(std::move(tokens)) {
        for (const char* fixed : {"loop", "caller", "varargs", "kwargs"}) idOf(fixed);
    }

    const Token& now() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    Token next();
    bool skipOperator(std::string_view symbol);
    bool skipName(std::string_view name);
    void expectOperator(std::string_view symbol);
    void expectName(std::string_view name);
    std::string expectAnyName();
    void expect(TokenKind kind);
    NameId idOf(const std::string& name);
    std::vector<std::string> takeNames() { return std::move(names_); }
    [[noreturn]] void fail(const std::string& why) const;
    [[noreturn]] void failHere(const std::string& wanted) const;

    Meter& meter;
    /// How often the parser has read each of the names that let a macro take more arguments than it has parameters.
    size_t callerUses = 0, varargsUses = 0, kwargsUses = 0;

  private:
    std::vector<Token> tokens_;
    size_t at_ = 0;
    std::vector<std::string> names_;
    std::unordered_map<std::string, NameId> ids_;
};

class ExpressionParser {
  public:
    explicit ExpressionParser(TokenReader& reader) : in_(reader) {}

    /// With `conditional` off, an `if` after it is not read.
    ExpressionPtr expression(bool conditional = true);
    /// Reads an expression, or a tuple: several with commas between them.
    ExpressionPtr tuple(bool conditional = true);
    /// Reads name(...) after a bar, and further filters after more bars; `input` may be nullptr.
    ExpressionPtr filters(ExpressionPtr input);

  private:
    ExpressionPtr logical(bool any);
    ExpressionPtr negation();
    ExpressionPtr comparison();
    ExpressionPtr arithmetic(size_t level);
    ExpressionPtr unary(bool withFilters);
    ExpressionPtr primary();
    ExpressionPtr named();
    ExpressionPtr parenthesized();
    ExpressionPtr listLiteral();
    ExpressionPtr dictLiteral();
    ExpressionPtr postfix(ExpressionPtr object);
    ExpressionPtr postfixAndFilters(ExpressionPtr object);
    ExpressionPtr subscript(ExpressionPtr object);
    ExpressionPtr bracketed(ExpressionPtr object, int line);
    ExpressionPtr call(ExpressionPtr callee);
    ExpressionPtr filter(ExpressionPtr input);
    ExpressionPtr test(ExpressionPtr input);
    CallArguments callArguments();
    void callArgument(CallArguments& arguments);
    bool atTupleEnd() const;

    template <typename Node>
    ExpressionPtr make(int line, Node node);

    TokenReader& in_;
};

Program parseTemplate(Meter& meter, std::string_view source);

} // namespace coterie::engine::jinja
