// SPDX-License-Identifier: Apache-2.0
// See spirv_reader.h. Decorations come before the types and variables that they belong to, so one pass is enough.
#include "spirv_reader.h"

#include <algorithm>
#include <map>
#include <optional>

namespace coterie::gpu {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;

enum Operation : uint32_t { kTypeStruct = 30, kTypePointer = 32, kVariable = 59, kDecorate = 71, kMemberDecorate = 72 };
enum Decoration : uint32_t { kNonWritable = 24, kNonReadable = 25, kBinding = 33, kDescriptorSet = 34, kOffset = 35 };
enum StorageClass : uint32_t { kPushConstant = 9, kStorageBuffer = 12 };

/// The decorations of an id, and its type.
struct Described {
    std::optional<uint32_t> binding, set;
    bool nonWritable = false, nonReadable = false;
    std::vector<uint32_t> offsets; ///< struct: offsets of its members, in the order of their decorations
    uint32_t bytes = 4;            ///< struct: the end of its last member; other types of ours have 4
    uint32_t pointee = 0;          ///< pointer: the type that it points to
};

class Reader {
  public:
    /// False: the instruction is one that no shader of ours may have. words: the instruction without its first word.
    bool take(uint32_t operation, std::span<const uint32_t> words) {
        switch (operation) {
        case kDecorate:
            if (words.size() >= 2) decorate(ids_[words[0]], words.subspan(1));
            return true;
        case kMemberDecorate:
            if (words.size() >= 3) decorate(ids_[words[0]], words.subspan(2));
            return true;
        case kTypeStruct:
            if (!words.empty()) measure(ids_[words[0]], words.subspan(1));
            return true;
        case kTypePointer:
            if (words.size() >= 3) ids_[words[0]].pointee = words[2];
            return true;
        case kVariable:
            return words.size() < 3 || declare(words[0], words[1], words[2]);
        default:
            return true;
        }
    }

    bool hasGaps() const {
        return std::any_of(read.bindings.begin(), read.bindings.end(),
                           [](const ShaderInterface::Binding& each) { return !each.reads && !each.writes; });
    }

    ShaderInterface read;

  private:
    static void decorate(Described& id, std::span<const uint32_t> words) {
        const uint32_t value = words.size() > 1 ? words[1] : 0;
        if (words[0] == kNonWritable) id.nonWritable = true;
        if (words[0] == kNonReadable) id.nonReadable = true;
        if (words[0] == kBinding) id.binding = value;
        if (words[0] == kDescriptorSet) id.set = value;
        if (words[0] == kOffset) id.offsets.push_back(value);
    }

    /// members: the ids of their types, which come before the struct.
    void measure(Described& type, std::span<const uint32_t> members) {
        type.bytes = 0;
        for (size_t i = 0; i < std::min(members.size(), type.offsets.size()); ++i)
            type.bytes = std::max(type.bytes, type.offsets[i] + ids_[members[i]].bytes);
    }

    bool declare(uint32_t pointerType, uint32_t id, uint32_t storage) {
        const Described& block = ids_[ids_[pointerType].pointee];
        if (storage == kPushConstant) read.pushBytes = block.bytes;
        if (storage != kStorageBuffer) return true;
        const Described& variable = ids_[id];
        if (variable.set.value_or(0) != 0 || !variable.binding || *variable.binding >= kMostBindings) return false;
        if (read.bindings.size() <= *variable.binding) read.bindings.resize(*variable.binding + 1);
        ShaderInterface::Binding& binding = read.bindings[*variable.binding];
        binding.reads = binding.reads || !(variable.nonReadable || block.nonReadable);
        binding.writes = binding.writes || !(variable.nonWritable || block.nonWritable);
        return true;
    }

    std::map<uint32_t, Described> ids_;
};

engine::Error damaged() {
    return {engine::ErrorKind::Internal, "A shader of the program is damaged",
            "Its code can't be read, or asks for what no device is asked for", "Install the program again"};
}

} // namespace

engine::Result<ShaderInterface> readShaderInterface(std::span<const uint32_t> words) {
    if (words.size() < kHeaderWords || words[0] != kMagic) return damaged();
    Reader reader;
    for (size_t at = kHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return damaged();
        if (!reader.take(words[at] & 0xffff, words.subspan(at + 1, count - 1))) return damaged();
        at += count;
    }
    if (reader.hasGaps()) return damaged();
    return std::move(reader.read);
}

} // namespace coterie::gpu
