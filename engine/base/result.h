// SPDX-License-Identifier: Apache-2.0
// Errors as values: what every call of the engine that can fail returns. Not for our own mistakes: those are asserts.
//
//     Result<Header> header = gguf::parse(bytes, fileSize);
//     if (!header) return header.error();
//     use(header.value());
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace coterie::engine {

/// What kind of thing went wrong, for programs. coterie-cli exits 2 for the first three, 1 for the rest.
enum class ErrorKind {
    BadInput,    ///< the file, the text or the option is wrong
    Unsupported, ///< valid, but not something this program can do
    NotFound,    ///< no such file
    Truncated,   ///< a parser needs more bytes than it was given
    Io,          ///< the disk or the system refused: read, write, space, permission; or a file changed while in use
    OutOfMemory, ///< the system has no memory left, or the budget is too small
    ContextFull, ///< the conversation is longer than the context
    Cancelled,   ///< the user stopped it
    Internal,    ///< a state that should not be; worth a bug report
};

/// Three sentences for people, without full stops: "what; why; what to do".
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string what;
    std::string why;
    std::string action;

    /// "what; why; what to do", on one line; control characters are replaced by spaces.
    std::string line() const;
};

/// Either a value or an Error. Must be looked at.
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
