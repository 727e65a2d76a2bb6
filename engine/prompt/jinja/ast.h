// SPDX-License-Identifier: Apache-2.0
// A parsed template: expressions and statements, immutable, shared by all threads that render. Operators of one
// precedence stand in one list and not in a tree, so that a long sum is not deep. Nesting is at most
// TemplateLimits::depth deep.
#pragma once

#include "prompt/jinja/operators.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coterie::engine::jinja {

using NameId = uint32_t; ///< index into Program::names

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

struct CallArguments {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> keyword;
    ExpressionPtr morePositional; ///< *list
    ExpressionPtr moreKeyword;    ///< **dict
};

struct Literal {
    Value value;
};
struct Name {
    NameId id;
};
struct ListLiteral {
    std::vector<ExpressionPtr> items;
    SequenceKind kind;
};
struct DictLiteral {
    std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
};
struct Attribute {
    ExpressionPtr object;
    std::string name;
};
struct Subscript {
    ExpressionPtr object, index;
};
struct SliceOf {
    ExpressionPtr object, start, stop, step; ///< bounds may be nullptr
};
struct CallOf {
    ExpressionPtr callee;
    CallArguments arguments;
};
/// Filters and tests are looked up by name when they are used: a branch that is never taken may name an unknown one.
struct Filter {
    ExpressionPtr input; ///< nullptr: the text of the block around it
    std::string name;
    const Native* native;
    CallArguments arguments;
};
struct Test {
    ExpressionPtr input;
    std::string name;
    const Native* native;
    CallArguments arguments;
    bool negated;
};
enum class UnaryOperator { Not, Minus, Plus };
struct Unary {
    UnaryOperator op;
    ExpressionPtr operand;
};
/// first op operand op operand ..., from left to right.
struct Arithmetic {
    ExpressionPtr first;
    std::vector<std::pair<BinaryOperator, ExpressionPtr>> rest;
};
/// first op operand and operand op operand ..., as Python chains them.
struct Comparisons {
    ExpressionPtr first;
    std::vector<std::pair<Comparison, ExpressionPtr>> rest;
};
struct Logical {
    bool any; ///< or, else and
    std::vector<ExpressionPtr> operands;
};
struct Conditional {
    ExpressionPtr test, then, otherwise; ///< otherwise may be nullptr
};

struct Expression {
    std::variant<Literal, Name, ListLiteral, DictLiteral, Attribute, Subscript, SliceOf, CallOf, Filter, Test, Unary,
                 Arithmetic, Comparisons, Logical, Conditional>
        node;
    int line = 0;
    uint32_t height = 1; ///< levels of nesting, counted from 1
};

struct Statement;
using Block = std::vector<std::unique_ptr<const Statement>>;

/// The target of an assignment: a name, an attribute of a namespace, or several of them.
struct Target {
    NameId name = 0;
    std::string attribute;     ///< if not empty: this attribute of the namespace `name`
    std::vector<Target> parts; ///< if not empty, or if `tuple`: the items of the value go to these
    bool tuple = false;
};

struct Parameter {
    NameId name;
    ExpressionPtr fallback; ///< may be nullptr
};

struct Text {
    std::string text;
};
struct Output {
    ExpressionPtr value;
};
struct If {
    std::vector<std::pair<ExpressionPtr, Block>> branches;
    Block otherwise;
};
struct For {
    Target target;
    ExpressionPtr iterable, filter; ///< filter may be nullptr
    bool recursive;
    Block body, otherwise;
};
struct Set {
    Target target;
    ExpressionPtr value;
};
struct SetBlock {
    Target target;
    ExpressionPtr filter; ///< a chain of Filter, or nullptr
    Block body;
};
struct MacroBody {
    std::string name;
    std::vector<Parameter> parameters;
    Block body;
    bool usesCaller, usesVarargs, usesKwargs;
};
struct DefineMacro {
    NameId id;
    MacroBody macro;
};
struct CallBlock {
    ExpressionPtr call; ///< a CallOf
    MacroBody caller;
};
struct FilterBlock {
    ExpressionPtr filter;
    Block body;
};
/// `with`, and `generation` without bindings.
struct With {
    std::vector<std::pair<Target, ExpressionPtr>> bindings;
    Block body;
};
struct Break {};
struct Continue {};

struct Statement {
    std::variant<Text, Output, If, For, Set, SetBlock, DefineMacro, CallBlock, FilterBlock, With, Break, Continue> node;
    int line = 0;
};

/// Names that mean something by themselves have fixed ids.
enum FixedName : NameId { LoopName, CallerName, VarargsName, KwargsName };

struct Program {
    std::vector<std::string> names;
    Block body;
};

} // namespace coterie::engine::jinja
