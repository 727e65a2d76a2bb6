// SPDX-License-Identifier: Apache-2.0
// A small GGUF writer for tests: typed keys, arrays, tensors of any type with given bytes. It writes what its caller
// passes, right or wrong, and checks nothing, because tests of a reader need wrong files too. Not for programs.
//
//     GgufWriter w;
//     w.string("general.architecture", "llama").u32("llama.block_count", 2);
//     w.tensor("output_norm.weight", {64}, 0, floatBytes({...}));
//     std::string file = w.bytes();
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace coterie::test {

/// Bytes of numbers as they lie in memory; an F32 tensor and an array of numbers hold the same bytes.
template <typename T>
std::string rawBytes(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
inline std::string floatBytes(const std::vector<float>& values) { return rawBytes(values); }

class GgufWriter {
  public:
    /// Value types as they stand in files.
    enum Type : uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

    GgufWriter& u8(std::string_view key, uint8_t value) { return number(key, U8, value); }
    GgufWriter& i8(std::string_view key, int8_t value) { return number(key, I8, value); }
    GgufWriter& u16(std::string_view key, uint16_t value) { return number(key, U16, value); }
    GgufWriter& i16(std::string_view key, int16_t value) { return number(key, I16, value); }
    GgufWriter& u32(std::string_view key, uint32_t value) { return number(key, U32, value); }
    GgufWriter& i32(std::string_view key, int32_t value) { return number(key, I32, value); }
    GgufWriter& u64(std::string_view key, uint64_t value) { return number(key, U64, value); }
    GgufWriter& i64(std::string_view key, int64_t value) { return number(key, I64, value); }
    GgufWriter& f32(std::string_view key, float value) { return number(key, F32, value); }
    GgufWriter& f64(std::string_view key, double value) { return number(key, F64, value); }
    GgufWriter& boolean(std::string_view key, bool value) { return number(key, Bool, static_cast<uint8_t>(value)); }
    GgufWriter& string(std::string_view key, std::string_view value) { return raw(key, String, lengthAnd(value)); }

    GgufWriter& strings(std::string_view key, const std::vector<std::string>& values) {
        std::string elements;
        for (const std::string& value : values) elements += lengthAnd(value);
        return rawArray(key, String, values.size(), elements);
    }
    GgufWriter& i32s(std::string_view key, const std::vector<int32_t>& values) {
        return rawArray(key, I32, values.size(), rawBytes(values));
    }
    GgufWriter& u32s(std::string_view key, const std::vector<uint32_t>& values) {
        return rawArray(key, U32, values.size(), rawBytes(values));
    }
    GgufWriter& booleans(std::string_view key, const std::vector<bool>& values) {
        std::string elements;
        for (const bool value : values) elements += static_cast<char>(value);
        return rawArray(key, Bool, values.size(), elements);
    }
    GgufWriter& f32s(std::string_view key, const std::vector<float>& values) {
        return rawArray(key, F32, values.size(), rawBytes(values));
    }
    /// An array with any claimed type and count, and any bytes behind them.
    GgufWriter& rawArray(std::string_view key, uint32_t elementType, uint64_t count, std::string_view elements) {
        return raw(key, Array, bytesOf(elementType) + bytesOf(count) + std::string(elements));
    }
    /// A key with any claimed type and any bytes behind it.
    GgufWriter& raw(std::string_view key, uint32_t type, std::string_view value) {
        keys_ += lengthAnd(key) + bytesOf(type) + std::string(value);
        ++keyCount_;
        return *this;
    }

    /// Adds a tensor behind the tensors before it, at the next multiple of the alignment. shape: fastest first.
    GgufWriter& tensor(std::string_view name, const std::vector<uint64_t>& shape, uint32_t type,
                       std::string_view data) {
        const uint64_t offset = aligned(dataEnd_);
        pieces_.push_back({offset, std::string(data)});
        dataEnd_ = offset + data.size();
        return rawTensor(name, shape, type, offset);
    }
    /// Adds a tensor of zeros, which take no room before bytes(), and none on disk if the file system has holes.
    GgufWriter& zeros(std::string_view name, const std::vector<uint64_t>& shape, uint32_t type, uint64_t bytes) {
        const uint64_t offset = aligned(dataEnd_);
        dataEnd_ = offset + bytes;
        return rawTensor(name, shape, type, offset);
    }
    /// A tensor at any claimed offset, without data.
    GgufWriter& rawTensor(std::string_view name, const std::vector<uint64_t>& shape, uint32_t type, uint64_t offset) {
        tensors_ += lengthAnd(name) + bytesOf(static_cast<uint32_t>(shape.size()));
        for (const uint64_t size : shape) tensors_ += bytesOf(size);
        tensors_ += bytesOf(type) + bytesOf(offset);
        ++tensorCount_;
        return *this;
    }

    GgufWriter& version(uint32_t value) { return (version_ = value, *this); }
    /// Sets the alignment of tensors and writes the key for it. Call it before the first tensor.
    GgufWriter& alignment(uint32_t value) { return (alignment_ = value, u32("general.alignment", value)); }
    /// Counts that the header claims instead of the true ones.
    GgufWriter& claimTensors(uint64_t count) { return (claimedTensors_ = count, claimsTensors_ = true, *this); }
    GgufWriter& claimKeys(uint64_t count) { return (claimedKeys_ = count, claimsKeys_ = true, *this); }

    /// The header up to the end of the tensor list.
    std::string headerBytes() const {
        return "GGUF" + bytesOf(version_) + bytesOf(claimsTensors_ ? claimedTensors_ : tensorCount_) +
               bytesOf(claimsKeys_ ? claimedKeys_ : keyCount_) + keys_ + tensors_;
    }
    /// The whole file.
    std::string bytes() const {
        std::string file = headerBytes();
        const uint64_t begin = aligned(file.size());
        file.resize(begin + dataEnd_, '\0');
        for (const Piece& piece : pieces_) file.replace(begin + piece.offset, piece.data.size(), piece.data);
        return file;
    }
    /// Writes the whole file.
    bool save(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        const std::string header = headerBytes();
        file << header;
        const auto seek = [&](uint64_t offset) {
            file.seekp(static_cast<std::streamoff>(aligned(header.size()) + offset));
        };
        for (const Piece& piece : pieces_) {
            seek(piece.offset);
            file << piece.data;
        }
        const bool endsInZeros = dataEnd_ > 0 && (pieces_.empty() || pieces_.back().end() < dataEnd_);
        if (endsInZeros) seek(dataEnd_ - 1);
        if (endsInZeros) file.put('\0');
        return file.flush().good();
    }

    template <typename T>
    static std::string bytesOf(T value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    }
    static std::string lengthAnd(std::string_view text) {
        return bytesOf(static_cast<uint64_t>(text.size())) + std::string(text);
    }

  private:
    template <typename T>
    GgufWriter& number(std::string_view key, Type type, T value) {
        return raw(key, type, bytesOf(value));
    }

    struct Piece {
        uint64_t offset = 0; // in the data
        std::string data;
        uint64_t end() const { return offset + data.size(); }
    };
    uint64_t aligned(uint64_t offset) const { return (offset + alignment_ - 1) / alignment_ * alignment_; }

    std::string keys_, tensors_;
    std::vector<Piece> pieces_; // in order; zeros between them
    uint64_t dataEnd_ = 0;
    uint64_t keyCount_ = 0, tensorCount_ = 0;
    uint64_t claimedKeys_ = 0, claimedTensors_ = 0;
    bool claimsKeys_ = false, claimsTensors_ = false;
    uint32_t version_ = 3;
    uint64_t alignment_ = 32;
};

} // namespace coterie::test
