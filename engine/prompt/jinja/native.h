// SPDX-License-Identifier: Apache-2.0
// Filters, tests, methods and global functions have one type, so that each kind is a const table from names to
// functions.
#pragma once

#include "prompt/jinja/value.h"

#include <array>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine::jinja {

/// The state that one rendering owns.
struct Runtime {
    explicit Runtime(const TemplateLimits& limits) : meter(limits) {}

    Meter meter;
    std::tm now{};
    std::vector<std::unique_ptr<Namespace>> namespaces; ///< values point at them until the rendering ends
};

struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> keyword;
};

class Call;

constexpr size_t kMostParameters = 4;

struct Native {
    std::string_view name;
    Value (*run)(Call&) = nullptr; ///< nullptr: Python has it, but a sandbox forbids it
    std::array<std::string_view, kMostParameters> parameters{};
    size_t required = 0;
    bool variadic = false; ///< takes any arguments; `parameters` is empty
};

/// One call of a Native, its arguments in their places.
class Call {
  public:
    /// Fails for arguments that the native does not take, and if required ones are missing.
    Call(Runtime& runtime, const Native& native, const Value& self, const Arguments& arguments);

    Runtime& runtime;
    Meter& meter;
    const Native& native;
    const Value& self;          ///< the value before the `|`, the `is` or the dot
    const Arguments& arguments; ///< as the caller wrote them

    /// nullptr if it was not given.
    const Value* argument(size_t index) const { return bound_[index]; }
    bool given(size_t index) const { return bound_[index] != nullptr; }
    int64_t integer(size_t index, int64_t fallback) const;
    bool flag(size_t index, bool fallback) const { return given(index) ? truthy(*bound_[index]) : fallback; }
    std::string_view text(size_t index, std::string_view fallback = {}) const;
    /// The argument with its sources; empty if it was not given.
    SourcedView sourced(size_t index) const;
    /// The text that a method is called on.
    SourcedView selfText() const;
    Value makeText(SourcedText text) const { return textValue(meter, std::move(text)); }
    [[noreturn]] void fail(const std::string& why) const;

  private:
    std::array<const Value*, kMostParameters> bound_{};
};

Value invoke(Runtime& runtime, const Native& native, const Value& self, const Arguments& arguments);

/// Look a name up in the tables. nullptr for an unknown name.
const Native* findIn(std::span<const Native> table, std::string_view name);
const Native* findFilter(std::string_view name);
const Native* findTest(std::string_view name);
const Native* findGlobal(std::string_view name);
const Native* findMethod(const Value& self, std::string_view name);

} // namespace coterie::engine::jinja
