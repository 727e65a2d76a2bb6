// SPDX-License-Identifier: Apache-2.0
// Errors as values: every call of the engine that can fail returns one. They are not for our own mistakes: those are
// asserts.
//
//     Result<Header> header = gguf::parse(bytes, fileSize);
//     if (!header) return header.error();
//     use(header.value());
#pragma once

#include "base/sentence.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace coterie::engine {

/// The kind of a failure, for programs. coterie-cli exits with 2 for the first three and with 1 for the others.
enum class ErrorKind {
    BadInput,    ///< the file, the text or the option is wrong
    Unsupported, ///< valid, but not something this program can do
    NotFound,    ///< no such file
    Truncated,   ///< a parser needs more bytes than it was given
    Damaged,     ///< a file that this program wrote itself no longer holds what was written
    Io,          ///< the disk or the system refused: read, write, space, permission; or a file changed while in use
    OutOfMemory, ///< the system has no memory left, or the budget is too small
    ContextFull, ///< the conversation is longer than the context
    Cancelled,   ///< the user stopped it
    DeviceLost,  ///< the device that computed is gone: unplugged, reset, or its driver failed
    Internal,    ///< a state that should not occur; worth a bug report
};

/// Three sentences for people, without full stops: what happened, why, and what to do.
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    Sentence what;
    Sentence why;
    Sentence action;

    /// "what; why; what to do", as a note or as an argument of another sentence.
    Sentence sentence() const;
    /// The same in English on one line for scripts, which split it at its semicolons: a semicolon inside a part becomes
    /// a comma, and control characters become spaces.
    std::string line() const;
};

/// Either a value or an Error. A result that is not looked at does not compile.
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    bool ok() const { return state_.index() == 0; }

    T& value() & { return (assert(ok()), *std::get_if<0>(&state_)); }
    const T& value() const& { return (assert(ok()), *std::get_if<0>(&state_)); }
    T&& value() && { return (assert(ok()), std::move(*std::get_if<0>(&state_))); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    Error& error() & { return (assert(!ok()), *std::get_if<1>(&state_)); }
    const Error& error() const& { return (assert(!ok()), *std::get_if<1>(&state_)); }
    Error&& error() && { return (assert(!ok()), std::move(*std::get_if<1>(&state_))); }

  private:
    std::variant<T, Error> state_;
};

/// Success or an Error: `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return ok(); }
    bool ok() const { return state_.index() == 0; }
    Error& error() & { return (assert(!ok()), *std::get_if<1>(&state_)); }
    const Error& error() const& { return (assert(!ok()), *std::get_if<1>(&state_)); }
    Error&& error() && { return (assert(!ok()), std::move(*std::get_if<1>(&state_))); }

  private:
    std::variant<std::monostate, Error> state_;
};

using Status = Result<void>;

} // namespace coterie::engine
