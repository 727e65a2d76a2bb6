// SPDX-License-Identifier: Apache-2.0
// Statements, names and calls. evaluate.cpp evaluates expressions.
#include "prompt/jinja/interpreter.h"

#include "prompt/jinja/printing.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace coterie::engine::jinja {
namespace {

constexpr uint64_t kScopeSteps = 8; // a scope takes about 128 bytes

SourcedText contentText(const std::string& text, const std::vector<ByteRange>& own) {
    SourcedText content = foreignText(text);
    for (const ByteRange& range : own)
        std::fill(content.sources.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  content.sources.begin() + static_cast<std::ptrdiff_t>(range.end), kOwn);
    return content;
}

/// A content that is a list of one part: its text has the own ranges.
Value partsValue(Meter& meter, const nlohmann::ordered_json& parts, const std::vector<ByteRange>& own) {
    const Deeper outer(meter), inner(meter);
    DictBuilder part(meter);
    for (const auto& [key, value] : parts.front().items()) {
        const bool text = key == "text" && value.is_string();
        Value held = text ? textValue(meter, contentText(value.get<std::string>(), own)) : fromJson(meter, value);
        part.set(textValue(meter, foreignText(key)), std::move(held));
    }
    std::vector<Value> list;
    list.push_back(part.take());
    return listValue(meter, std::move(list));
}

/// Roles are own text: templates build the markers of turns from them ("<|" + message.role + "|>"), and the program
/// chooses them.
Value messageValue(Meter& meter, const nlohmann::ordered_json& message, const std::vector<ByteRange>& own) {
    if (!message.is_object()) return fromJson(meter, message);
    const Deeper deeper(meter);
    DictBuilder dict(meter);
    for (const auto& [key, value] : message.items()) {
        Value held;
        if (key == "role" && value.is_string())
            held = textValue(meter, ownText(value.get<std::string>()));
        else if (key == "content" && value.is_string())
            held = textValue(meter, contentText(value.get<std::string>(), own));
        else if (key == "content" && !own.empty() && value.is_array() && value.size() == 1 && value[0].is_object())
            held = partsValue(meter, value, own);
        else
            held = fromJson(meter, value);
        dict.set(textValue(meter, foreignText(key)), std::move(held));
    }
    return dict.take();
}

Value messagesValue(Meter& meter, const nlohmann::ordered_json& messages, const Interpreter::OwnRanges& ownContent) {
    const Deeper deeper(meter);
    std::vector<Value> values;
    for (const auto& message : messages)
        values.push_back(messageValue(
            meter, message, values.size() < ownContent.size() ? ownContent[values.size()] : std::vector<ByteRange>()));
    return listValue(meter, std::move(values));
}

} // namespace

SourcedText Interpreter::render(const nlohmann::ordered_json& context, const OwnRanges& ownContent) {
    const ScopePtr root = std::make_shared<Scope>();
    bindContext(context, ownContent, *root);
    TextBuilder out(meter_);
    Frame frame{root, out};
    run(program_.body, frame);
    return out.take();
}

/// Converts only the variables that the template names.
void Interpreter::bindContext(const nlohmann::ordered_json& context, const OwnRanges& ownContent, Scope& scope) {
    if (!context.is_object()) meter_.fail("the context is not a JSON object");
    for (NameId id = 0; id < program_.names.size(); ++id) {
        const std::string& name = program_.names[id];
        const auto found = context.find(name);
        if (found == context.end()) continue;
        const bool marker = (name == "bos_token" || name == "eos_token") && found->is_string();
        const bool messages = name == "messages" && found->is_array();
        scope.variables.emplace_back(id, marker     ? textValue(meter_, ownText(found->get<std::string>()))
                                         : messages ? messagesValue(meter_, *found, ownContent)
                                                    : fromJson(meter_, *found));
    }
}

ScopePtr Interpreter::inner(const ScopePtr& parent) {
    meter_.spend(kScopeSteps);
    return std::make_shared<Scope>(Scope{parent, {}});
}

void Interpreter::set(Scope& scope, NameId name, Value value) {
    meter_.spend(1 + scope.variables.size() / 16);
    const auto place = std::find_if(scope.variables.begin(), scope.variables.end(),
                                    [&](const auto& held) { return held.first == name; });
    if (place == scope.variables.end())
        scope.variables.emplace_back(name, std::move(value));
    else
        place->second = std::move(value);
}

void Interpreter::assign(const Target& target, const Value& value, const ScopePtr& scope) {
    if (target.tuple) {
        const SequenceRef items = iterate(meter_, value);
        if (items->items.size() != target.parts.size())
            meter_.fail(std::to_string(target.parts.size()) + " names cannot take " +
                        std::to_string(items->items.size()) + " values");
        for (size_t i = 0; i < target.parts.size(); ++i) assign(target.parts[i], items->items[i], scope);
    } else if (target.attribute.empty()) {
        set(*scope, target.name, value);
    } else {
        const Value space = evaluate(Name{target.name}, scope);
        if (!space.is<Namespace*>()) meter_.fail("only a namespace has attributes that can be set");
        setAttribute(meter_, **space.as<Namespace*>(), target.attribute, value);
    }
}

Interpreter::Flow Interpreter::run(const Block& block, Frame& frame) {
    const Deeper deeper(meter_);
    for (const auto& statement : block) {
        const Flow flow = execute(*statement, frame);
        if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
}

Interpreter::Flow Interpreter::runIn(ScopePtr scope, const Block& block, TextBuilder& out) {
    Frame frame{std::move(scope), out};
    return run(block, frame);
}

SourcedText Interpreter::captured(const ScopePtr& scope, const Block& body) {
    TextBuilder out(meter_);
    runIn(inner(scope), body, out);
    return out.take();
}

Interpreter::Flow Interpreter::execute(const Statement& statement, Frame& frame) {
    meter_.spend();
    meter_.line = statement.line;
    return std::visit([&](const auto& node) { return execute(node, frame); }, statement.node);
}

Interpreter::Flow Interpreter::execute(const Text& node, Frame& frame) {
    frame.out.addOwn(node.text);
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const Output& node, Frame& frame) {
    printText(frame.out, evaluate(*node.value, frame.scope));
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const If& node, Frame& frame) {
    for (const auto& [condition, body] : node.branches) {
        meter_.spend();
        if (truthy(evaluate(*condition, frame.scope))) return run(body, frame);
    }
    return run(node.otherwise, frame);
}

Interpreter::Flow Interpreter::execute(const For& node, Frame& frame) {
    runLoop(node, evaluate(*node.iterable, frame.scope), 0, frame.scope, frame.out);
    return Flow::Next;
}

SequenceRef Interpreter::loopItems(const For& node, const Value& iterable, const ScopePtr& scope) {
    SequenceRef items = iterate(meter_, iterable);
    if (!node.filter) return items;
    std::vector<Value> chosen;
    for (const Value& item : items->items) {
        const ScopePtr trial = inner(scope);
        assign(node.target, item, trial);
        if (truthy(evaluate(*node.filter, trial))) chosen.push_back(item);
    }
    return *listValue(meter_, std::move(chosen)).as<SequenceRef>();
}

void Interpreter::runLoop(const For& node, const Value& iterable, uint32_t depth, const ScopePtr& scope,
                          TextBuilder& out) {
    const SequenceRef items = loopItems(node, iterable, scope);
    if (items->items.empty()) {
        runIn(inner(scope), node.otherwise, out);
        return;
    }
    meter_.spend(kScopeSteps);
    loops_.push_back(std::make_unique<Loop>(Loop{items, 0, depth, &node, scope, std::nullopt}));
    Loop* const loop = loops_.back().get();
    for (; loop->index < items->items.size(); ++loop->index) {
        meter_.spend();
        const ScopePtr iteration = inner(scope);
        set(*iteration, LoopName, Value{loop});
        assign(node.target, items->items[loop->index], iteration);
        if (runIn(iteration, node.body, out) == Flow::Break) break;
    }
    // The template may have kept `loop`: then it keeps its last values, without the items.
    loop->items.reset();
    loop->scope.reset();
    loop->changedLast.reset();
}

Interpreter::Flow Interpreter::execute(const Set& node, Frame& frame) {
    assign(node.target, evaluate(*node.value, frame.scope), frame.scope);
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const SetBlock& node, Frame& frame) {
    Value text = textValue(meter_, captured(frame.scope, node.body));
    if (node.filter) text = filterChain(*node.filter, frame.scope, std::move(text));
    assign(node.target, text, frame.scope);
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const FilterBlock& node, Frame& frame) {
    printText(frame.out, filterChain(*node.filter, frame.scope, textValue(meter_, captured(frame.scope, node.body))));
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const With& node, Frame& frame) {
    const ScopePtr scope = inner(frame.scope);
    for (const auto& [target, value] : node.bindings) assign(target, evaluate(*value, frame.scope), scope);
    return runIn(scope, node.body, frame.out);
}

Interpreter::Flow Interpreter::execute(const Break&, Frame&) { return Flow::Break; }
Interpreter::Flow Interpreter::execute(const Continue&, Frame&) { return Flow::Continue; }

Value Interpreter::makeMacro(const MacroBody& body, const ScopePtr& scope) {
    meter_.spend(kScopeSteps);
    macros_.push_back(std::make_unique<Macro>(Macro{&body, scope}));
    return {static_cast<const Macro*>(macros_.back().get())};
}

Interpreter::Flow Interpreter::execute(const DefineMacro& node, Frame& frame) {
    set(*frame.scope, node.id, makeMacro(node.macro, frame.scope));
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const CallBlock& node, Frame& frame) {
    const auto& callNode = std::get<CallOf>(node.call->node);
    const Value callee = evaluate(*callNode.callee, frame.scope);
    Arguments arguments = argumentsOf(callNode.arguments, frame.scope);
    arguments.keyword.emplace_back("caller", makeMacro(node.caller, frame.scope));
    printText(frame.out, call(callee, std::move(arguments)));
    return Flow::Next;
}

Value Interpreter::call(const Value& callee, Arguments arguments) {
    const Deeper deeper(meter_);
    if (const auto* macro = callee.as<const Macro*>()) return callMacro(**macro, std::move(arguments));
    if (const auto* native = callee.as<const Native*>()) return invoke(runtime_, **native, noneValue(), arguments);
    if (const auto* method = callee.as<MethodRef>())
        return invoke(runtime_, *(*method)->method, (*method)->self, arguments);
    if (const auto* loop = callee.as<Loop*>()) return callLoop(**loop, arguments);
    requireDefined(meter_, callee);
    meter_.fail("a value of the type " + std::string(typeName(callee)) + " cannot be called");
}

Value Interpreter::callMacro(const Macro& macro, Arguments arguments) {
    const ScopePtr scope = inner(macro.scope);
    bindParameters(macro, arguments, scope);
    TextBuilder out(meter_);
    runIn(scope, macro.body->body, out);
    return textValue(meter_, out.take());
}

void Interpreter::bindParameters(const Macro& macro, Arguments& arguments, const ScopePtr& scope) {
    const std::vector<Parameter>& parameters = macro.body->parameters;
    bindRest(macro, arguments, std::min(arguments.positional.size(), parameters.size()), scope);
    for (size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = program_.names[parameters[i].name];
        meter_.spend(arguments.keyword.size() / 8);
        const auto given = std::find_if(arguments.keyword.begin(), arguments.keyword.end(),
                                        [&](const auto& pair) { return pair.first == name; });
        const bool byPlace = i < arguments.positional.size();
        if (byPlace && given != arguments.keyword.end())
            meter_.fail(macro.body->name + "(): '" + name + "' is given twice");
        Value value = byPlace                            ? arguments.positional[i]
                      : given != arguments.keyword.end() ? given->second
                      : parameters[i].fallback
                          ? evaluate(*parameters[i].fallback, scope)
                          : undefinedValue("the parameter '" + shortName(name) + "' was not given");
        set(*scope, parameters[i].name, std::move(value));
    }
}

/// Binds caller, varargs and kwargs, which hold the arguments beyond the parameters. Fails if there are such arguments
/// and the macro does not use them.
void Interpreter::bindRest(const Macro& macro, Arguments& arguments, size_t used, const ScopePtr& scope) {
    const MacroBody& body = *macro.body;
    const auto isParameter = [&](const std::string& name) {
        return std::any_of(body.parameters.begin(), body.parameters.end(),
                           [&](const Parameter& p) { return program_.names[p.name] == name; });
    };
    DictBuilder named(meter_);
    Value caller = undefinedValue("no caller is defined");
    for (const auto& [name, value] : arguments.keyword) {
        meter_.spend(body.parameters.size() / 8);
        if (isParameter(name)) continue;
        if (name == "caller" && body.usesCaller)
            caller = value;
        else if (body.usesKwargs)
            named.set(textValue(meter_, ownText(name)), value);
        else
            meter_.fail(body.name + "(): no parameter is called '" + name + "'");
    }
    if (arguments.positional.size() > used && !body.usesVarargs)
        meter_.fail(body.name + "(): it takes " + std::to_string(body.parameters.size()) + " arguments, not " +
                    std::to_string(arguments.positional.size()));
    if (body.usesCaller) set(*scope, CallerName, std::move(caller));
    if (body.usesKwargs) set(*scope, KwargsName, named.take());
    if (!body.usesVarargs) return;
    std::vector<Value> more(arguments.positional.begin() + static_cast<std::ptrdiff_t>(used),
                            arguments.positional.end());
    set(*scope, VarargsName, listValue(meter_, std::move(more), SequenceKind::Tuple));
}

Value Interpreter::callLoop(const Loop& loop, const Arguments& arguments) {
    if (!loop.statement->recursive || !loop.scope)
        meter_.fail("only a running loop that is marked 'recursive' can be called");
    if (arguments.positional.size() != 1 || !arguments.keyword.empty()) meter_.fail("loop() takes one list");
    TextBuilder out(meter_);
    runLoop(*loop.statement, arguments.positional[0], loop.depth + 1, loop.scope, out);
    return textValue(meter_, out.take());
}

} // namespace coterie::engine::jinja
