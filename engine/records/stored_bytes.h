// SPDX-License-Identifier: Apache-2.0
// Writes and reads the numbers of stored forms: little-endian, and as varints. The forms themselves are drawn in
// trace_bytes.cpp and token_bytes.cpp. Plain values: any thread.
//
// A varint has seven bits of the number in each byte, the lowest first; the top bit says that another byte follows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

class ByteWriter {
  public:
    explicit ByteWriter(std::vector<std::byte>& out) : out_(out) {}

    /// Appends the lowest `bytes` bytes of the number.
    void put(uint64_t value, size_t bytes) {
        for (size_t i = 0; i < bytes; ++i) out_.push_back(static_cast<std::byte>(value >> (8 * i)));
    }
    void put32(int64_t value) { put(static_cast<uint64_t>(value), 4); }
    void putFloat(float value) { put(std::bit_cast<uint32_t>(value), 4); }
    void putText(std::string_view text) {
        for (const char c : text) out_.push_back(static_cast<std::byte>(c));
    }
    void putVarint(uint64_t value) {
        for (; value >= 0x80; value >>= 7) put((value & 0x7f) | 0x80, 1);
        put(value, 1);
    }

  private:
    std::vector<std::byte>& out_;
};

/// Reads numbers from bytes that may come from anywhere. If there are too few bytes, or a varint is not as ByteWriter
/// writes it, this number and all later ones are 0 and ok() is false.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    bool ok() const { return ok_; }
    size_t left() const { return rest_.size(); }
    /// bytes: at most 8.
    uint64_t take(size_t bytes) {
        if (!has(bytes)) return 0;
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i) value |= std::to_integer<uint64_t>(rest_[i]) << (8 * i);
        rest_ = rest_.subspan(bytes);
        return value;
    }
    uint32_t take32() { return static_cast<uint32_t>(take(4)); }
    float takeFloat() { return std::bit_cast<float>(take32()); }
    /// The number must fit into 63 bits.
    uint64_t takeVarint() {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 63; shift += 7) {
            const uint64_t byte = take(1);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return shift > 0 && byte == 0 ? fail() : value; // a last byte of 0 says nothing
        }
        return fail();
    }

  private:
    uint64_t fail() {
        ok_ = false;
        rest_ = {};
        return 0;
    }
    bool has(size_t bytes) {
        if (bytes > rest_.size()) fail();
        return ok_;
    }

    std::span<const std::byte> rest_;
    bool ok_ = true;
};

} // namespace coterie::engine
