// SPDX-License-Identifier: Apache-2.0
// Expressions, from the loosest binding to the tightest: if-else, or, and, not, comparisons, + -, ~, * / // %, **,
// signs, then dots, brackets, calls, filters and tests.
#include "prompt/jinja/parser.h"

#include <algorithm>
#include <array>

namespace coterie::engine::jinja {
namespace {

uint32_t heightOf(const ExpressionPtr& e) { return e ? e->height : 0; }
template <typename Items>
uint32_t highest(const Items& items) {
    uint32_t height = 0;
    for (const auto& item : items) height = std::max(height, heightOf(item));
    return height;
}
template <typename Pairs>
uint32_t highestSecond(const Pairs& pairs) {
    uint32_t height = 0;
    for (const auto& pair : pairs) height = std::max(height, heightOf(pair.second));
    return height;
}
uint32_t heightOf(const CallArguments& a) {
    return std::max(
        {highest(a.positional), highestSecond(a.keyword), heightOf(a.morePositional), heightOf(a.moreKeyword)});
}

uint32_t childHeight(const Literal&) { return 0; }
uint32_t childHeight(const Name&) { return 0; }
uint32_t childHeight(const ListLiteral& e) { return highest(e.items); }
uint32_t childHeight(const DictLiteral& e) {
    uint32_t height = highestSecond(e.entries);
    for (const auto& entry : e.entries) height = std::max(height, heightOf(entry.first));
    return height;
}
uint32_t childHeight(const Attribute& e) { return heightOf(e.object); }
uint32_t childHeight(const Subscript& e) { return std::max(heightOf(e.object), heightOf(e.index)); }
uint32_t childHeight(const SliceOf& e) {
    return std::max({heightOf(e.object), heightOf(e.start), heightOf(e.stop), heightOf(e.step)});
}
uint32_t childHeight(const CallOf& e) { return std::max(heightOf(e.callee), heightOf(e.arguments)); }
uint32_t childHeight(const Filter& e) { return std::max(heightOf(e.input), heightOf(e.arguments)); }
uint32_t childHeight(const Test& e) { return std::max(heightOf(e.input), heightOf(e.arguments)); }
uint32_t childHeight(const Unary& e) { return heightOf(e.operand); }
uint32_t childHeight(const Arithmetic& e) { return std::max(heightOf(e.first), highestSecond(e.rest)); }
uint32_t childHeight(const Comparisons& e) { return std::max(heightOf(e.first), highestSecond(e.rest)); }
uint32_t childHeight(const Logical& e) { return highest(e.operands); }
uint32_t childHeight(const Conditional& e) {
    return std::max({heightOf(e.test), heightOf(e.then), heightOf(e.otherwise)});
}

using Symbols = std::vector<std::pair<std::string_view, BinaryOperator>>;
using enum BinaryOperator;
/// Loosest first.
const std::array<Symbols, 4> kLevels{
    Symbols{{"+", Add}, {"-", Subtract}},
    Symbols{{"~", Concatenate}},
    Symbols{{"*", Multiply}, {"/", Divide}, {"//", FloorDivide}, {"%", Modulo}},
    Symbols{{"**", Power}},
};

constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons{{{"==", Comparison::Equal},
                                                                               {"!=", Comparison::NotEqual},
                                                                               {"<", Comparison::Less},
                                                                               {"<=", Comparison::LessOrEqual},
                                                                               {">", Comparison::Greater},
                                                                               {">=", Comparison::GreaterOrEqual}}};

std::optional<Comparison> takeComparison(TokenReader& in) {
    for (const auto& [symbol, op] : kComparisons)
        if (in.skipOperator(symbol)) return op;
    if (in.skipName("in")) return Comparison::In;
    if (!in.now().isName("not") || !in.ahead().isName("in")) return std::nullopt;
    in.next();
    in.next();
    return Comparison::NotIn;
}

} // namespace

template <typename Node>
ExpressionPtr ExpressionParser::make(int line, Node node) {
    in_.meter.spend();
    const uint32_t height = childHeight(node) + 1;
    in_.meter.checkDepth(height);
    auto made = std::make_unique<Expression>(Expression{std::move(node), line, height});
    return made;
}

bool ExpressionParser::atTupleEnd() const {
    const Token& token = in_.now();
    return token.kind == TokenKind::OutputEnd || token.kind == TokenKind::TagEnd || token.isOperator(")");
}

ExpressionPtr ExpressionParser::tuple(bool conditional) {
    const int line = in_.now().line;
    ExpressionPtr first = expression(conditional);
    if (!in_.now().isOperator(",")) return first;
    ListLiteral items{{}, SequenceKind::Tuple};
    items.items.push_back(std::move(first));
    while (in_.skipOperator(",") && !atTupleEnd()) items.items.push_back(expression(conditional));
    return make(line, std::move(items));
}

ExpressionPtr ExpressionParser::expression(bool conditional) {
    ExpressionPtr value = logical(true);
    while (conditional && in_.now().isName("if")) {
        const Deeper deeper(in_.meter); // a if b else c if d else ...
        const int line = in_.next().line;
        ExpressionPtr condition = logical(true);
        ExpressionPtr otherwise = in_.skipName("else") ? expression() : nullptr;
        value = make(line, Conditional{std::move(condition), std::move(value), std::move(otherwise)});
    }
    return value;
}

ExpressionPtr ExpressionParser::logical(bool any) {
    const int line = in_.now().line;
    const auto operand = [&] { return any ? logical(false) : negation(); };
    ExpressionPtr first = operand();
    const std::string_view word = any ? "or" : "and";
    if (!in_.now().isName(word)) return first;
    Logical chain{any, {}};
    chain.operands.push_back(std::move(first));
    while (in_.skipName(word)) chain.operands.push_back(operand());
    return make(line, std::move(chain));
}

ExpressionPtr ExpressionParser::negation() {
    if (!in_.now().isName("not")) return comparison();
    const Deeper deeper(in_.meter);
    const int line = in_.next().line;
    return make(line, Unary{UnaryOperator::Not, negation()});
}

ExpressionPtr ExpressionParser::comparison() {
    const int line = in_.now().line;
    ExpressionPtr first = arithmetic(0);
    Comparisons chain;
    while (const std::optional<Comparison> op = takeComparison(in_)) chain.rest.emplace_back(*op, arithmetic(0));
    if (chain.rest.empty()) return first;
    chain.first = std::move(first);
    return make(line, std::move(chain));
}

ExpressionPtr ExpressionParser::arithmetic(size_t level) {
    if (level == kLevels.size()) return unary(true);
    const int line = in_.now().line;
    ExpressionPtr first = arithmetic(level + 1);
    Arithmetic chain;
    const auto isHere = [&](const auto& symbol) { return in_.now().isOperator(symbol.first); };
    const Symbols& symbols = kLevels[level];
    for (auto found = std::find_if(symbols.begin(), symbols.end(), isHere); found != symbols.end();
         found = std::find_if(symbols.begin(), symbols.end(), isHere)) {
        in_.next();
        chain.rest.emplace_back(found->second, arithmetic(level + 1));
    }
    if (chain.rest.empty()) return first;
    chain.first = std::move(first);
    return make(line, std::move(chain));
}

ExpressionPtr ExpressionParser::unary(bool withFilters) {
    const Deeper deeper(in_.meter);
    const int line = in_.now().line;
    ExpressionPtr value;
    if (in_.skipOperator("-"))
        value = make(line, Unary{UnaryOperator::Minus, unary(false)});
    else if (in_.skipOperator("+"))
        value = make(line, Unary{UnaryOperator::Plus, unary(false)});
    else
        value = primary();
    value = postfix(std::move(value));
    return withFilters ? postfixAndFilters(std::move(value)) : std::move(value);
}

ExpressionPtr ExpressionParser::primary() {
    const Token& token = in_.now();
    const int line = token.line;
    switch (token.kind) {
    case TokenKind::Name:
        return named();
    case TokenKind::Integer:
        return make(line, Literal{intValue(in_.next().integer)});
    case TokenKind::Float:
        return make(line, Literal{floatValue(in_.next().number)});
    case TokenKind::String: {
        std::string text;
        while (in_.now().kind == TokenKind::String) text += in_.next().text;
        return make(line, Literal{textValue(in_.meter, ownText(std::move(text)))});
    }
    default:
        break;
    }
    if (token.isOperator("(")) return parenthesized();
    if (token.isOperator("[")) return listLiteral();
    if (token.isOperator("{")) return dictLiteral();
    in_.failHere("an expression");
}

ExpressionPtr ExpressionParser::named() {
    const Token token = in_.next();
    const std::string& name = token.text;
    if (name == "true" || name == "True") return make(token.line, Literal{boolValue(true)});
    if (name == "false" || name == "False") return make(token.line, Literal{boolValue(false)});
    if (name == "none" || name == "None") return make(token.line, Literal{noneValue()});
    const NameId id = in_.idOf(name);
    in_.callerUses += id == CallerName ? 1 : 0;
    in_.varargsUses += id == VarargsName ? 1 : 0;
    in_.kwargsUses += id == KwargsName ? 1 : 0;
    return make(token.line, Name{id});
}

ExpressionPtr ExpressionParser::parenthesized() {
    const int line = in_.next().line;
    ExpressionPtr inside = in_.now().isOperator(")") ? make(line, ListLiteral{{}, SequenceKind::Tuple}) : tuple();
    in_.expectOperator(")");
    return inside;
}

ExpressionPtr ExpressionParser::listLiteral() {
    const int line = in_.next().line;
    ListLiteral list{{}, SequenceKind::List};
    while (!in_.now().isOperator("]")) {
        list.items.push_back(expression());
        if (!in_.skipOperator(",")) break;
    }
    in_.expectOperator("]");
    return make(line, std::move(list));
}

ExpressionPtr ExpressionParser::dictLiteral() {
    const int line = in_.next().line;
    DictLiteral dict;
    while (!in_.now().isOperator("}")) {
        ExpressionPtr key = expression();
        in_.expectOperator(":");
        dict.entries.emplace_back(std::move(key), expression());
        if (!in_.skipOperator(",")) break;
    }
    in_.expectOperator("}");
    return make(line, std::move(dict));
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr object) {
    for (;;) {
        const Token& token = in_.now();
        if (token.isOperator(".") || token.isOperator("["))
            object = subscript(std::move(object));
        else if (token.isOperator("("))
            object = call(std::move(object));
        else
            return object;
    }
}

ExpressionPtr ExpressionParser::postfixAndFilters(ExpressionPtr object) {
    for (;;) {
        const Token& token = in_.now();
        if (token.isOperator("|"))
            object = (in_.next(), filter(std::move(object)));
        else if (token.isName("is"))
            object = test(std::move(object));
        else if (token.isOperator("("))
            object = call(std::move(object));
        else
            return object;
    }
}

ExpressionPtr ExpressionParser::subscript(ExpressionPtr object) {
    const Token mark = in_.next();
    if (mark.text == "[") return bracketed(std::move(object), mark.line);
    const Token token = in_.next();
    if (token.kind == TokenKind::Name) return make(mark.line, Attribute{std::move(object), token.text});
    if (token.kind != TokenKind::Integer) in_.fail("a name or a number must follow a dot");
    return make(mark.line, Subscript{std::move(object), make(mark.line, Literal{intValue(token.integer)})});
}

ExpressionPtr ExpressionParser::bracketed(ExpressionPtr object, int line) {
    const auto bound = [&]() -> ExpressionPtr {
        const Token& token = in_.now();
        return token.isOperator(":") || token.isOperator("]") ? nullptr : expression();
    };
    ExpressionPtr start = bound();
    if (!in_.skipOperator(":")) {
        if (!start) in_.failHere("an index");
        in_.expectOperator("]");
        return make(line, Subscript{std::move(object), std::move(start)});
    }
    ExpressionPtr stop = bound();
    ExpressionPtr step = in_.skipOperator(":") ? bound() : nullptr;
    in_.expectOperator("]");
    return make(line, SliceOf{std::move(object), std::move(start), std::move(stop), std::move(step)});
}

ExpressionPtr ExpressionParser::call(ExpressionPtr callee) {
    const int line = in_.now().line;
    CallArguments arguments = callArguments();
    return make(line, CallOf{std::move(callee), std::move(arguments)});
}

CallArguments ExpressionParser::callArguments() {
    in_.expectOperator("(");
    CallArguments arguments;
    while (!in_.now().isOperator(")")) {
        callArgument(arguments);
        if (!in_.skipOperator(",")) break;
    }
    in_.expectOperator(")");
    return arguments;
}

void ExpressionParser::callArgument(CallArguments& arguments) {
    if (in_.now().isOperator("*") && !arguments.morePositional) {
        in_.next();
        arguments.morePositional = expression();
    } else if (in_.now().isOperator("**") && !arguments.moreKeyword) {
        in_.next();
        arguments.moreKeyword = expression();
    } else if (in_.now().kind == TokenKind::Name && in_.ahead().isOperator("=")) {
        std::string name = in_.next().text;
        in_.next();
        arguments.keyword.emplace_back(std::move(name), expression());
    } else {
        if (!arguments.keyword.empty() || arguments.morePositional || arguments.moreKeyword)
            in_.fail("an argument without a name stands behind one with a name");
        arguments.positional.push_back(expression());
    }
}

ExpressionPtr ExpressionParser::filters(ExpressionPtr input) {
    ExpressionPtr chain = filter(std::move(input));
    while (in_.skipOperator("|")) chain = filter(std::move(chain));
    return chain;
}

ExpressionPtr ExpressionParser::filter(ExpressionPtr input) {
    const int line = in_.now().line;
    std::string name = in_.expectAnyName();
    const Native* native = findFilter(name);
    CallArguments arguments = in_.now().isOperator("(") ? callArguments() : CallArguments{};
    return make(line, Filter{std::move(input), std::move(name), native, std::move(arguments)});
}

ExpressionPtr ExpressionParser::test(ExpressionPtr input) {
    const int line = in_.next().line;
    const bool negated = in_.skipName("not");
    std::string name = in_.expectAnyName();
    CallArguments arguments;
    const Token& token = in_.now();
    const bool literal = token.kind == TokenKind::String || token.kind == TokenKind::Integer ||
                         token.kind == TokenKind::Float || token.isOperator("[") || token.isOperator("{");
    const bool word =
        token.kind == TokenKind::Name && !token.isName("else") && !token.isName("or") && !token.isName("and");
    if (token.isOperator("(")) {
        arguments = callArguments();
    } else if (literal || word) {
        if (token.isName("is")) in_.fail("tests cannot be chained with 'is'");
        const Deeper deeper(in_.meter);
        arguments.positional.push_back(postfix(primary()));
    }
    const Native* native = findTest(name);
    return make(line, Test{std::move(input), std::move(name), native, std::move(arguments), negated});
}

} // namespace coterie::engine::jinja
