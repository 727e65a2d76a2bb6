// SPDX-License-Identifier: Apache-2.0
// Reads GGUF v2 and v3. Every number in the file is a claim until it is checked here. All integers are little-endian,
// nothing is aligned:
//
//   offset 0   "GGUF"
//          4   u32 version            2 or 3 (same layout; 1 had 32-bit lengths)
//          8   u64 tensor count
//         16   u64 key count
//         24   keys, one after another
//                u64 length | name | u32 value type | value
//                  U8 I8 Bool: 1 byte   U16 I16: 2   U32 I32 F32: 4   U64 I64 F64: 8
//                  String: u64 length | bytes       Array: u32 element type | u64 count | elements
//              tensors, one after another
//                u64 length | name | u32 dimensions | u64 x dimensions (fastest first) | u32 type | u64 offset (from
//                the data's start)
//              zeros up to a multiple of general.alignment
//              the data: each tensor at a multiple of the alignment, none over another
//
// Source: ggml's docs/gguf.md.
#include "gguf/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace coterie::engine::gguf {

namespace {

// Limits: far above any published file, and low enough that a false claim costs little.
constexpr uint64_t kMaxKeys = 1 << 16;    // models have 20 to 60
constexpr uint64_t kMaxTensors = 1 << 17; // the largest have some 2,000, or 20,000 with a tensor for each expert
constexpr uint64_t kMaxKeyLength = (1 << 16) - 1; // the specification's limit
constexpr uint64_t kMaxTensorNameLength = 1024;   // ggml's own limit is 63
constexpr uint64_t kMaxStringLength = uint64_t{64} << 20;
constexpr uint64_t kMaxAlignment = uint64_t{1} << 20;
constexpr uint64_t kDefaultAlignment = 32;                             // the specification's default
constexpr uint32_t kMaxDimensions = 4;                                 // ggml's limit
constexpr uint64_t kMaxElements = std::numeric_limits<int64_t>::max(); // so that products fit in signed sizes too
constexpr uint64_t kMinKeyBytes = 8 + 1 + 4 + 1;                       // a name of one letter and a value of one byte
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;            // a name of one letter and one dimension

static_assert(std::endian::native == std::endian::little, "values are taken from the file's bytes as they are");

Error bad(Sentence why) {
    return {ErrorKind::BadInput, "This is not a valid GGUF file", std::move(why),
            "Download the file again, or choose another"};
}

/// A name from the file, shortened for a sentence.
std::string quoted(std::string_view name) {
    constexpr size_t longest = 80;
    std::string text(1, '"');
    text += name.substr(0, longest);
    return text += name.size() > longest ? "...\"" : "\"";
}

/// Computes sum = a + b. Returns false if it does not fit.
bool addChecked(uint64_t a, uint64_t b, uint64_t& sum) {
    sum = a + b;
    return sum >= a;
}

/// Bytes of a number or a Bool; 0 for other types.
uint64_t scalarBytes(ValueType type) {
    constexpr std::array<uint8_t, 13> bytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8}; // by ValueType
    const auto index = static_cast<size_t>(type);
    return index < bytes.size() ? bytes[index] : 0;
}

/// The reading position, and the only code that touches the bytes. It stops at the first error and keeps it; everything
/// read afterwards is 0 or empty.
class Reader {
  public:
    Reader(std::span<const std::byte> bytes, uint64_t fileSize) : bytes_(bytes), fileSize_(fileSize) {}

    bool failed() const { return error_.has_value(); }
    const Error& error() const { return *error_; }
    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }
    uint64_t position() const { return position_; }
    uint64_t leftInFile() const { return fileSize_ - position_; }
    uint64_t leftInPrefix() const { return bytes_.size() - position_; }

    /// Takes the next `count` bytes, or nothing and sets an error. `part` names what they belong to.
    std::span<const std::byte> take(uint64_t count, const Sentence& part) {
        if (failed()) return {};
        if (count > leftInFile()) {
            fail(bad({"It ends inside %1, at byte %2", part, position_}));
            return {};
        }
        if (count > leftInPrefix()) {
            fail({ErrorKind::Truncated, "The header is longer than what was read", "More bytes are needed",
                  "Read more"});
            return {};
        }
        const auto taken = bytes_.subspan(static_cast<size_t>(position_), static_cast<size_t>(count));
        position_ += count;
        return taken;
    }

    template <typename T>
    T number(const Sentence& part) {
        T value{};
        if (const auto taken = take(sizeof(T), part); !taken.empty()) std::memcpy(&value, taken.data(), sizeof(T));
        return value;
    }

    std::string_view string(uint64_t longest, const Sentence& part) {
        const auto length = number<uint64_t>(part);
        if (!failed() && length > longest)
            fail(bad({"The length of %1 is %2 bytes, more than %3, at byte %4", part, length, longest, position_}));
        const auto taken = take(length, part);
        return {reinterpret_cast<const char*>(taken.data()), taken.size()};
    }

  private:
    std::span<const std::byte> bytes_;
    uint64_t fileSize_;
    uint64_t position_ = 0;
    std::optional<Error> error_;
};

template <typename T>
Value scalar(Reader& in) {
    const T value = in.number<T>("a value");
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<double>(value);
    else if constexpr (std::is_signed_v<T>)
        return static_cast<int64_t>(value);
    else
        return static_cast<uint64_t>(value);
}

Value boolean(Reader& in, std::string_view key) {
    const auto value = in.number<uint8_t>("a value");
    if (value > 1) in.fail(bad({"The value of %1 is neither true nor false", quoted(key)}));
    return value == 1;
}

void skipStrings(Reader& in, uint64_t count) {
    for (uint64_t i = 0; i < count && !in.failed(); ++i) in.string(kMaxStringLength, "a string in an array");
}

Value array(Reader& in, std::string_view key, std::span<const std::byte> bytes) {
    const auto elementType = static_cast<ValueType>(in.number<uint32_t>("an array"));
    const auto count = in.number<uint64_t>("an array");
    if (in.failed()) return {};
    const uint64_t each = elementType == ValueType::String ? sizeof(uint64_t) : scalarBytes(elementType);
    if (elementType == ValueType::Array) {
        in.fail({ErrorKind::Unsupported,
                 "This GGUF file can't be read",
                 {"The value of %1 is an array of arrays", quoted(key)},
                 "Choose another file"});
        return {};
    }
    if (each == 0) {
        in.fail(bad({"The elements of %1 have the unknown type %2", quoted(key), static_cast<uint32_t>(elementType)}));
        return {};
    }
    if (count > in.leftInFile() / each) {
        in.fail(bad({"The value of %1 claims %2 elements, more than the file can hold", quoted(key), count}));
        return {};
    }
    const uint64_t start = in.position();
    if (elementType == ValueType::String)
        skipStrings(in, count);
    else
        in.take(count * each, "an array");
    if (in.failed()) return {};
    return ArrayValue{elementType, count,
                      bytes.subspan(static_cast<size_t>(start), static_cast<size_t>(in.position() - start))};
}

Value value(Reader& in, std::string_view key, std::span<const std::byte> bytes) {
    using ReadScalar = Value (*)(Reader&);
    constexpr std::array<ReadScalar, 13> scalars{scalar<uint8_t>,  scalar<int8_t>,  scalar<uint16_t>, scalar<int16_t>,
                                                 scalar<uint32_t>, scalar<int32_t>, scalar<float>,    nullptr,
                                                 nullptr,          nullptr,         scalar<uint64_t>, scalar<int64_t>,
                                                 scalar<double>}; // by ValueType
    const auto type = in.number<uint32_t>("a key");
    if (type < scalars.size() && scalars[type] != nullptr) return scalars[type](in);
    const auto other = static_cast<ValueType>(type);
    if (other == ValueType::Bool) return boolean(in, key);
    if (other == ValueType::String) return in.string(kMaxStringLength, "a string");
    if (other == ValueType::Array) return array(in, key, bytes);
    in.fail(bad({"The value of %1 has the unknown type %2", quoted(key), type}));
    return {};
}

/// Reads the first 24 bytes, which say what kind of file this is.
void readMagic(Reader& in, Header& header, std::span<const std::byte> bytes) {
    const auto magic = in.take(4, "the header");
    if (in.failed()) return;
    if (std::memcmp(magic.data(), "GGUF", 4) != 0) {
        constexpr std::string_view pointer = "version https://git-lfs";
        const bool isPointer =
            bytes.size() >= pointer.size() && std::memcmp(bytes.data(), pointer.data(), pointer.size()) == 0;
        in.fail(bad(isPointer ? Sentence("It is a Git LFS pointer, a few lines that stand for the real file")
                              : "This is not a GGUF file"));
        return;
    }
    header.version = in.number<uint32_t>("the header");
    if (in.failed() || header.version == 2 || header.version == 3) return;
    // In a big-endian file a small version number has its low byte at the other end.
    const bool bigEndian = header.version != 0 && (header.version & 0xffff) == 0;
    in.fail({ErrorKind::Unsupported, "This GGUF file can't be read",
             bigEndian ? Sentence("It is big-endian, made for another kind of processor")
                       : Sentence("Its version is %1", header.version),
             "Choose a little-endian file of version 2 or 3"});
}

void readKeys(Reader& in, Header& header, uint64_t count, std::span<const std::byte> bytes) {
    // Reserves no more than the bytes at hand can hold.
    header.keys.reserve(static_cast<size_t>(std::min(count, in.leftInPrefix() / kMinKeyBytes)));
    for (uint64_t i = 0; i < count && !in.failed(); ++i) {
        const std::string_view name = in.string(kMaxKeyLength, "a key's name");
        if (!in.failed() && name.empty()) in.fail(bad({"Key number %1 has no name", i}));
        Value read = value(in, name, bytes);
        if (!in.failed() && !header.keys.emplace(name, read).second)
            in.fail(bad({"The key %1 is there twice", quoted(name)}));
    }
}

void readAlignment(Reader& in, Header& header) {
    header.alignment = kDefaultAlignment;
    if (in.failed() || !header.find("general.alignment")) return;
    const uint64_t alignment = header.unsignedInteger("general.alignment").value_or(0);
    if (!std::has_single_bit(alignment) || alignment > kMaxAlignment)
        in.fail(bad({"general.alignment is not a power of two between 1 and %1", kMaxAlignment}));
    else
        header.alignment = static_cast<uint32_t>(alignment);
}

/// Reads the dimensions and checks that their product fits.
void readShape(Reader& in, Tensor& tensor) {
    const auto dimensions = in.number<uint32_t>("a tensor");
    if (in.failed()) return;
    if (dimensions < 1 || dimensions > kMaxDimensions) {
        in.fail(bad({"The tensor %1 has %2 dimensions", quoted(tensor.name), dimensions}));
        return;
    }
    tensor.dimensions = static_cast<int>(dimensions);
    uint64_t elements = 1;
    for (uint32_t d = 0; d < dimensions; ++d) {
        const auto size = in.number<uint64_t>("a tensor");
        if (in.failed()) return;
        if (size == 0 || size > kMaxElements / elements) {
            in.fail(bad(size == 0
                            ? Sentence("A dimension of the tensor %1 is 0", quoted(tensor.name))
                            : Sentence("A dimension of the tensor %1 is %2, too large", quoted(tensor.name), size)));
            return;
        }
        elements *= size;
        tensor.shape[d] = size;
    }
}

/// Reads type and size: whole blocks in a row, and bytes that fit in 64 bits.
void readType(Reader& in, Tensor& tensor) {
    tensor.typeId = in.number<uint32_t>("a tensor");
    if (in.failed()) return;
    const auto known = typeTraits(tensor.typeId);
    if (!known) return;
    tensor.type = static_cast<TensorType>(tensor.typeId);
    if (tensor.shape[0] % known->blockElements != 0) {
        in.fail(bad({"A row of the tensor %1 has %2 values, not a whole number of %3 blocks", quoted(tensor.name),
                     tensor.shape[0], known->name}));
        return;
    }
    const uint64_t blocks = tensor.elements() / known->blockElements;
    if (blocks > std::numeric_limits<uint64_t>::max() / known->blockBytes)
        in.fail(bad({"The tensor %1 is larger than any file", quoted(tensor.name)}));
    else
        tensor.bytes = blocks * known->blockBytes;
}

void readTensors(Reader& in, Header& header, uint64_t count) {
    const auto room = static_cast<size_t>(std::min(count, in.leftInPrefix() / kMinTensorBytes));
    header.tensors.reserve(room);
    header.tensorIndex.reserve(room);
    for (uint64_t i = 0; i < count && !in.failed(); ++i) {
        Tensor tensor;
        tensor.name = in.string(kMaxTensorNameLength, "a tensor's name");
        if (!in.failed() && tensor.name.empty()) in.fail(bad({"Tensor number %1 has no name", i}));
        readShape(in, tensor);
        readType(in, tensor);
        tensor.offset = in.number<uint64_t>("a tensor");
        if (in.failed()) return;
        if (tensor.offset % header.alignment != 0)
            in.fail(bad({"The tensor %1 doesn't start at a multiple of %2", quoted(tensor.name), header.alignment}));
        if (!header.tensorIndex.emplace(tensor.name, header.tensors.size()).second)
            in.fail(bad({"The tensor %1 is there twice", quoted(tensor.name)}));
        header.tensors.push_back(tensor);
    }
}

/// Turns offsets into positions in the file and checks that each tensor lies within it.
void placeTensors(Reader& in, Header& header, uint64_t fileSize) {
    header.headerBytes = in.position();
    const uint64_t past = header.headerBytes % header.alignment;
    header.dataOffset = header.headerBytes + (past == 0 ? 0 : header.alignment - past);
    for (Tensor& tensor : header.tensors) {
        uint64_t end = 0;
        if (addChecked(tensor.offset, header.dataOffset, tensor.offset) &&
            addChecked(tensor.offset, tensor.bytes, end) && end <= fileSize)
            continue;
        return in.fail(
            bad({"The tensor %1 reaches beyond the end of the file, which was not copied whole", quoted(tensor.name)}));
    }
}

/// Checks that no tensor overlaps another. Tensors of unknown size count as empty: nothing reads them.
void checkOverlaps(Reader& in, const Header& header) {
    std::vector<const Tensor*> byOffset;
    byOffset.reserve(header.tensors.size());
    for (const Tensor& tensor : header.tensors)
        if (tensor.bytes > 0) byOffset.push_back(&tensor);
    std::sort(byOffset.begin(), byOffset.end(), [](const Tensor* a, const Tensor* b) { return a->offset < b->offset; });
    for (size_t i = 1; i < byOffset.size(); ++i)
        if (byOffset[i - 1]->offset + byOffset[i - 1]->bytes > byOffset[i]->offset)
            return in.fail(
                bad({"The tensors %1 and %2 overlap", quoted(byOffset[i - 1]->name), quoted(byOffset[i]->name)}));
}

/// Reads a count of items of at least `leastBytes` each, and checks it against its limit and the file's size.
template <size_t N>
uint64_t readCount(Reader& in, uint64_t most, uint64_t leastBytes, const char (&tooMany)[N]) {
    const auto count = in.number<uint64_t>("the header");
    if (!in.failed() && (count > most || count > in.leftInFile() / leastBytes)) in.fail(bad({tooMany, count}));
    return count;
}

} // namespace

Result<Header> parse(std::span<const std::byte> bytes, uint64_t fileSize) {
    bytes = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), fileSize)));
    Reader in(bytes, fileSize);
    Header header;
    readMagic(in, header, bytes);
    const uint64_t tensors = readCount(in, kMaxTensors, kMinTensorBytes, "It claims %1 tensors, more than it can hold");
    const uint64_t keys = readCount(in, kMaxKeys, kMinKeyBytes, "It claims %1 keys, more than it can hold");
    if (!in.failed()) readKeys(in, header, keys, bytes);
    readAlignment(in, header);
    if (!in.failed()) readTensors(in, header, tensors);
    if (!in.failed()) placeTensors(in, header, fileSize);
    if (!in.failed()) checkOverlaps(in, header);
    if (in.failed()) return in.error();
    return header;
}

} // namespace coterie::engine::gguf
