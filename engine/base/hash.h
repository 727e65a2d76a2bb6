// SPDX-License-Identifier: Apache-2.0
// FNV-1a over 64 bits, fed in pieces. It tells files apart and finds accidental damage, but not deliberate changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace coterie::engine {

class Hash {
  public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<uint64_t>(byte)) * 0x100000001b3u;
    }
    /// Adds the text and its length, so that two texts in a row differ from one.
    void add(std::string_view text) {
        add(std::as_bytes(std::span(text)));
        addNumber(static_cast<uint64_t>(text.size()));
    }
    /// Adds the number's bytes. All systems that this program runs on are little-endian, so the hash is the same
    /// everywhere.
    template <typename T>
    void addNumber(T number) {
        static_assert(std::is_arithmetic_v<T>);
        add(std::as_bytes(std::span(&number, 1)));
    }
    uint64_t value() const { return value_; }

  private:
    uint64_t value_ = 0xcbf29ce484222325u;
};

} // namespace coterie::engine
