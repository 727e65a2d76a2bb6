// SPDX-License-Identifier: Apache-2.0
// Runs a Program over a context. Names are found as in Python's nested functions: a loop, a macro and a `with` have
// names of their own, an `if` has not. A macro sees the names around its definition, not around its call.
#pragma once

#include "prompt/jinja/ast.h"
#include "prompt/jinja/loop.h"

#include <memory>
#include <string>
#include <vector>

namespace coterie::engine::jinja {

struct Scope {
    std::shared_ptr<Scope> parent;
    std::vector<std::pair<NameId, Value>> variables;
};
using ScopePtr = std::shared_ptr<Scope>;

/// A macro as a value. It lives until the rendering ends, and values only point at it, so that scopes and macros form
/// no cycle.
struct Macro {
    const MacroBody* body = nullptr;
    ScopePtr scope; ///< the scope of its definition
};

class Interpreter {
  public:
    Interpreter(const Program& program, Runtime& runtime)
        : program_(program), runtime_(runtime), meter_(runtime.meter) {}

    using OwnRanges = std::vector<std::vector<ByteRange>>;

    /// Texts of the context are foreign in the result, except for bos_token, eos_token, the roles of messages and the
    /// ranges of their contents that ownContent names: one list for each message.
    SourcedText render(const nlohmann::ordered_json& context, const OwnRanges& ownContent);

  private:
    enum class Flow { Next, Break, Continue };
    /// The output that statements write to, and the scope in which they look names up.
    struct Frame {
        ScopePtr scope;
        TextBuilder& out;
    };

    Flow run(const Block& block, Frame& frame);
    Flow runIn(ScopePtr scope, const Block& block, TextBuilder& out);
    Flow execute(const Statement& statement, Frame& frame);
    Flow execute(const Text& node, Frame& frame);
    Flow execute(const Output& node, Frame& frame);
    Flow execute(const If& node, Frame& frame);
    Flow execute(const For& node, Frame& frame);
    Flow execute(const Set& node, Frame& frame);
    Flow execute(const SetBlock& node, Frame& frame);
    Flow execute(const DefineMacro& node, Frame& frame);
    Flow execute(const CallBlock& node, Frame& frame);
    Flow execute(const FilterBlock& node, Frame& frame);
    Flow execute(const With& node, Frame& frame);
    Flow execute(const Break& node, Frame& frame);
    Flow execute(const Continue& node, Frame& frame);

    Value evaluate(const Expression& expression, const ScopePtr& scope);
    Value evaluate(const Literal& node, const ScopePtr& scope);
    Value evaluate(const Name& node, const ScopePtr& scope);
    Value evaluate(const ListLiteral& node, const ScopePtr& scope);
    Value evaluate(const DictLiteral& node, const ScopePtr& scope);
    Value evaluate(const Attribute& node, const ScopePtr& scope);
    Value evaluate(const Subscript& node, const ScopePtr& scope);
    Value evaluate(const SliceOf& node, const ScopePtr& scope);
    Value evaluate(const CallOf& node, const ScopePtr& scope);
    Value evaluate(const Filter& node, const ScopePtr& scope);
    Value evaluate(const Test& node, const ScopePtr& scope);
    Value evaluate(const Unary& node, const ScopePtr& scope);
    Value evaluate(const Arithmetic& node, const ScopePtr& scope);
    Value evaluate(const Comparisons& node, const ScopePtr& scope);
    Value evaluate(const Logical& node, const ScopePtr& scope);
    Value evaluate(const Conditional& node, const ScopePtr& scope);
    Value evaluateOr(const ExpressionPtr& expression, const ScopePtr& scope, Value fallback);

    Value filtered(const Filter& node, const ScopePtr& scope, const Value& input);
    Value filterChain(const Expression& expression, const ScopePtr& scope, Value text);
    Arguments argumentsOf(const CallArguments& call, const ScopePtr& scope);
    Value call(const Value& callee, Arguments arguments);
    Value callMacro(const Macro& macro, Arguments arguments);
    void bindParameters(const Macro& macro, Arguments& arguments, const ScopePtr& scope);
    void bindRest(const Macro& macro, Arguments& arguments, size_t used, const ScopePtr& scope);
    Value callLoop(const Loop& loop, const Arguments& arguments);
    Value makeMacro(const MacroBody& body, const ScopePtr& scope);

    SequenceRef loopItems(const For& node, const Value& iterable, const ScopePtr& scope);
    void runLoop(const For& node, const Value& iterable, uint32_t depth, const ScopePtr& scope, TextBuilder& out);
    SourcedText captured(const ScopePtr& scope, const Block& body);
    void assign(const Target& target, const Value& value, const ScopePtr& scope);
    void set(Scope& scope, NameId name, Value value);
    ScopePtr inner(const ScopePtr& parent);
    void bindContext(const nlohmann::ordered_json& context, const OwnRanges& ownContent, Scope& scope);

    const Program& program_;
    Runtime& runtime_;
    Meter& meter_;
    std::vector<std::unique_ptr<Macro>> macros_;
    std::vector<std::unique_ptr<Loop>> loops_;
};

} // namespace coterie::engine::jinja
