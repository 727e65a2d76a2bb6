// SPDX-License-Identifier: Apache-2.0
// Evaluates expressions.
#include "prompt/jinja/interpreter.h"

#include "prompt/jinja/printing.h"

namespace coterie::engine::jinja {

Value Interpreter::evaluate(const Expression& expression, const ScopePtr& scope) {
    const Deeper deeper(meter_);
    meter_.spend();
    meter_.line = expression.line;
    return std::visit([&](const auto& node) { return evaluate(node, scope); }, expression.node);
}

Value Interpreter::evaluateOr(const ExpressionPtr& expression, const ScopePtr& scope, Value fallback) {
    return expression ? evaluate(*expression, scope) : std::move(fallback);
}

Value Interpreter::evaluate(const Literal& node, const ScopePtr&) { return node.value; }

Value Interpreter::evaluate(const Name& node, const ScopePtr& scope) {
    for (const Scope* at = scope.get(); at != nullptr; at = at->parent.get()) {
        meter_.spend(at->variables.size() / 16);
        for (const auto& [name, value] : at->variables)
            if (name == node.id) return value;
    }
    const std::string& name = program_.names[node.id];
    if (const Native* global = findGlobal(name)) return {global};
    return undefinedValue("'" + shortName(name) + "' is undefined");
}

Value Interpreter::evaluate(const ListLiteral& node, const ScopePtr& scope) {
    std::vector<Value> items;
    items.reserve(node.items.size());
    for (const ExpressionPtr& item : node.items) items.push_back(evaluate(*item, scope));
    return listValue(meter_, std::move(items), node.kind);
}

Value Interpreter::evaluate(const DictLiteral& node, const ScopePtr& scope) {
    DictBuilder dict(meter_);
    for (const auto& [key, value] : node.entries) {
        Value name = evaluate(*key, scope);
        dict.set(std::move(name), evaluate(*value, scope));
    }
    return dict.take();
}

Value Interpreter::evaluate(const Attribute& node, const ScopePtr& scope) {
    return getAttribute(runtime_, evaluate(*node.object, scope), node.name);
}

Value Interpreter::evaluate(const Subscript& node, const ScopePtr& scope) {
    const Value object = evaluate(*node.object, scope);
    return getItem(runtime_, object, evaluate(*node.index, scope));
}

Value Interpreter::evaluate(const SliceOf& node, const ScopePtr& scope) {
    const Value object = evaluate(*node.object, scope);
    const Value start = evaluateOr(node.start, scope, noneValue());
    const Value stop = evaluateOr(node.stop, scope, noneValue());
    return getSlice(runtime_, object, start, stop, evaluateOr(node.step, scope, noneValue()));
}

Arguments Interpreter::argumentsOf(const CallArguments& call, const ScopePtr& scope) {
    Arguments arguments;
    for (const ExpressionPtr& value : call.positional) arguments.positional.push_back(evaluate(*value, scope));
    for (const auto& [name, value] : call.keyword) arguments.keyword.emplace_back(name, evaluate(*value, scope));
    if (call.morePositional) {
        const SequenceRef more = iterate(meter_, evaluate(*call.morePositional, scope));
        meter_.claim(more->items.size() * sizeof(Value));
        arguments.positional.insert(arguments.positional.end(), more->items.begin(), more->items.end());
    }
    if (call.moreKeyword) {
        const Value more = evaluate(*call.moreKeyword, scope);
        if (more.dict() == nullptr) meter_.fail("'**' needs a dict, not " + std::string(typeName(more)));
        // Callees search the list for a name.
        for (const auto& [name, value] : more.dict()->entries) {
            meter_.spend(8 + more.dict()->entries.size());
            arguments.keyword.emplace_back(toText(meter_, name).bytes, value);
        }
    }
    return arguments;
}

Value Interpreter::evaluate(const CallOf& node, const ScopePtr& scope) {
    const int line = meter_.line;
    const Value callee = evaluate(*node.callee, scope);
    Arguments arguments = argumentsOf(node.arguments, scope);
    meter_.line = line;
    return call(callee, std::move(arguments));
}

Value Interpreter::evaluate(const Filter& node, const ScopePtr& scope) {
    return filtered(node, scope, evaluate(*node.input, scope));
}

Value Interpreter::filtered(const Filter& node, const ScopePtr& scope, const Value& input) {
    const int line = meter_.line;
    const Arguments arguments = argumentsOf(node.arguments, scope);
    meter_.line = line;
    if (node.native == nullptr) meter_.fail("there is no filter called '" + node.name + "'");
    return invoke(runtime_, *node.native, input, arguments);
}

/// Filters over a block's text: the innermost has no input of its own.
Value Interpreter::filterChain(const Expression& expression, const ScopePtr& scope, Value text) {
    const Deeper deeper(meter_);
    const auto& filter = std::get<Filter>(expression.node);
    const Value input = filter.input ? filterChain(*filter.input, scope, std::move(text)) : std::move(text);
    meter_.line = expression.line;
    return filtered(filter, scope, input);
}

Value Interpreter::evaluate(const Test& node, const ScopePtr& scope) {
    const int line = meter_.line;
    const Value input = evaluate(*node.input, scope);
    const Arguments arguments = argumentsOf(node.arguments, scope);
    meter_.line = line;
    if (node.native == nullptr) meter_.fail("there is no test called '" + node.name + "'");
    return boolValue(truthy(invoke(runtime_, *node.native, input, arguments)) != node.negated);
}

Value Interpreter::evaluate(const Unary& node, const ScopePtr& scope) {
    const Value operand = evaluate(*node.operand, scope);
    switch (node.op) {
    case UnaryOperator::Minus:
        return negate(meter_, operand);
    case UnaryOperator::Plus:
        return makePositive(meter_, operand);
    case UnaryOperator::Not:
        break;
    }
    return boolValue(!truthy(operand));
}

Value Interpreter::evaluate(const Arithmetic& node, const ScopePtr& scope) {
    const int line = meter_.line;
    Value result = evaluate(*node.first, scope);
    for (const auto& [op, operand] : node.rest) {
        const Value right = evaluate(*operand, scope);
        meter_.line = line;
        result = applyBinary(runtime_, op, result, right);
    }
    return result;
}

Value Interpreter::evaluate(const Comparisons& node, const ScopePtr& scope) {
    const int line = meter_.line;
    Value left = evaluate(*node.first, scope);
    for (const auto& [op, operand] : node.rest) {
        Value right = evaluate(*operand, scope);
        meter_.line = line;
        if (!compare(meter_, op, left, right)) return boolValue(false);
        left = std::move(right);
    }
    return boolValue(true);
}

Value Interpreter::evaluate(const Logical& node, const ScopePtr& scope) {
    for (size_t i = 0;; ++i) {
        Value value = evaluate(*node.operands[i], scope);
        if (i + 1 == node.operands.size() || truthy(value) == node.any) return value;
    }
}

Value Interpreter::evaluate(const Conditional& node, const ScopePtr& scope) {
    if (truthy(evaluate(*node.test, scope))) return evaluate(*node.then, scope);
    return evaluateOr(node.otherwise, scope, undefinedValue("the condition is false, and there is no 'else'"));
}

} // namespace coterie::engine::jinja
