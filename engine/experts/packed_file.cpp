// SPDX-License-Identifier: Apache-2.0
// See packed_file.h. A reader trusts no number of a header: it computes from its own layers what the header must say,
// and accepts the file only if it says that.
#include "experts/packed_file.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/rounding.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace coterie::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::string_view kMagic = "coterexp";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kByteOrder = 0x01020304;
constexpr uint64_t kLeastAlignment = 4096;
constexpr uint64_t kMostHeaderBytes = uint64_t{4} << 20; // 16 bytes per layer: no model comes near
constexpr uint64_t kMostPathBytes = uint64_t{1} << 15;   // longer than any system allows

struct FixedHeader {
    char magic[8];
    uint32_t version, byteOrder;
    uint64_t headerBytes;
    PackedFileKey key;
    uint64_t fileBytes;
    uint32_t alignment, layers, pathBytes, zero;
};
static_assert(sizeof(FixedHeader) == 80);

struct LayerEntry {
    uint64_t blockBytes, experts;
    bool operator==(const LayerEntry&) const = default;
};
static_assert(sizeof(LayerEntry) == 16);

/// A header whose checksum is right. It may belong to any model.
struct Header {
    PackedFileKey key;
    uint64_t fileBytes = 0, alignment = 0;
    std::string model;
    std::vector<LayerEntry> layers;
};

uint64_t headerBytes(uint64_t pathBytes, uint64_t layers) {
    return sizeof(FixedHeader) + pathBytes + layers * sizeof(LayerEntry) + sizeof(uint64_t);
}

/// The alignment that direct reads need on this system. A file stays on the machine on which it was made.
uint64_t blockAlignment() { return std::max<uint64_t>(kLeastAlignment, directAlignment()); }

/// Offsets and sizes in a file of these layers.
struct Geometry {
    uint64_t alignment = 0, firstBlock = 0, fileBytes = 0;
    std::vector<PackedFile::Blocks> layers;

    Geometry(std::span<const ExpertLayer> from, uint64_t alignTo, size_t pathBytes)
        : alignment(alignTo), firstBlock(roundUp(headerBytes(pathBytes, from.size()), alignTo)), fileBytes(firstBlock) {
        for (const ExpertLayer& layer : from) {
            const PackedFile::Blocks blocks{.offset = fileBytes,
                                            .bytes = roundUp(layer.packedOffsets().end, alignment),
                                            .experts = static_cast<uint64_t>(layer.experts)};
            fileBytes += blocks.bytes * blocks.experts;
            layers.push_back(blocks);
        }
    }
    uint64_t blockBytes() const { return fileBytes - firstBlock; }
    uint64_t largestBlock() const {
        uint64_t largest = 0;
        for (const PackedFile::Blocks& blocks : layers) largest = std::max(largest, blocks.bytes);
        return largest;
    }
};

/// The path that the file records: none if it is longer than any system allows.
std::string_view recordedPath(const ModelFile& model) {
    const std::string& path = model.shardPath(0);
    return path.size() <= kMostPathBytes ? std::string_view(path) : std::string_view();
}

std::vector<std::byte> encode(const Geometry& geometry, const PackedFileKey& key, std::string_view path) {
    FixedHeader fixed{.magic = {},
                      .version = kVersion,
                      .byteOrder = kByteOrder,
                      .headerBytes = headerBytes(path.size(), geometry.layers.size()),
                      .key = key,
                      .fileBytes = geometry.fileBytes,
                      .alignment = static_cast<uint32_t>(geometry.alignment),
                      .layers = static_cast<uint32_t>(geometry.layers.size()),
                      .pathBytes = static_cast<uint32_t>(path.size()),
                      .zero = 0};
    std::copy(kMagic.begin(), kMagic.end(), fixed.magic);
    std::vector<std::byte> bytes(geometry.firstBlock);
    size_t end = 0;
    const auto add = [&](const void* from, size_t count) {
        std::memcpy(bytes.data() + end, from, count);
        end += count;
    };
    add(&fixed, sizeof fixed);
    add(path.data(), path.size());
    for (const PackedFile::Blocks& blocks : geometry.layers) {
        const LayerEntry entry{blocks.bytes, blocks.experts};
        add(&entry, sizeof entry);
    }
    Hash hash;
    hash.add(std::span(bytes).first(end));
    const uint64_t checksum = hash.value();
    add(&checksum, sizeof checksum);
    return bytes;
}

Error useless(const std::string& path, Sentence why) {
    return {
        ErrorKind::BadInput, {"The packed experts in %1 can't be used", path}, std::move(why), "Pack the model again"};
}
Error damaged(const std::string& path) { return useless(path, "The file is damaged"); }
Error stale(const std::string& path) {
    return useless(path, "They were made from another model, or by another version of this program");
}

/// Reads the first `bytes` of a file, rounded up to its alignment.
Result<Buffer> readStart(RandomAccessFile& file, uint64_t bytes) {
    Result<Buffer> buffer =
        Buffer::allocate(roundUp(bytes, file.alignment()), "There is no memory for the header of packed experts");
    if (!buffer) return buffer.error();
    if (Status read = file.readAt(0, buffer->bytes()); !read) return read.error();
    return buffer;
}

/// bytes: the whole header. All of its fixed part has been checked, except the counts.
Result<Header> decode(const std::string& path, const FixedHeader& fixed, std::span<const std::byte> bytes) {
    if (headerBytes(fixed.pathBytes, fixed.layers) != bytes.size()) return damaged(path);
    uint64_t checksum = 0;
    const std::span before = bytes.first(bytes.size() - sizeof checksum);
    std::memcpy(&checksum, bytes.data() + before.size(), sizeof checksum);
    Hash hash;
    hash.add(before);
    if (hash.value() != checksum) return damaged(path);
    Header header{.key = fixed.key, .fileBytes = fixed.fileBytes, .alignment = fixed.alignment, .model{}, .layers{}};
    header.model.assign(reinterpret_cast<const char*>(bytes.data()) + sizeof fixed, fixed.pathBytes);
    header.layers.resize(fixed.layers);
    std::memcpy(header.layers.data(), bytes.data() + sizeof fixed + fixed.pathBytes,
                header.layers.size() * sizeof(LayerEntry));
    return header;
}

Result<Header> readHeader(RandomAccessFile& file) {
    constexpr uint64_t kFirstRead = 64 << 10;
    const uint64_t size = file.size();
    FixedHeader fixed;
    if (size < sizeof fixed) return damaged(file.path());
    const uint64_t first = std::min(size, kFirstRead);
    Result<Buffer> start = readStart(file, first);
    if (!start) return start.error();
    std::memcpy(&fixed, start->data(), sizeof fixed);
    if (std::string_view(fixed.magic, sizeof fixed.magic) != kMagic) return damaged(file.path());
    if (fixed.version != kVersion || fixed.byteOrder != kByteOrder) return stale(file.path());
    if (fixed.headerBytes > std::min(size, kMostHeaderBytes) || fixed.fileBytes != size || fixed.zero != 0)
        return damaged(file.path());
    if (fixed.headerBytes > first) {
        start = readStart(file, fixed.headerBytes);
        if (!start) return start.error();
    }
    return decode(file.path(), fixed, start->bytes().first(static_cast<size_t>(fixed.headerBytes)));
}

/// Makes blocks, one expert at a time, as slots hold them.
class BlockMaker {
  public:
    BlockMaker(const ModelFile& model, std::span<const ExpertLayer> layers, const Geometry& geometry)
        : model_(model), layers_(layers), geometry_(geometry) {}

    Status allocate() {
        Result<Buffer> buffer = Buffer::allocate(geometry_.largestBlock(), "There is no memory for one expert");
        if (!buffer) return buffer.error();
        block_ = std::move(buffer).value();
        return {};
    }

    /// The expert's block with its padding. It lives until the next call.
    Result<std::span<const std::byte>> make(size_t layer, uint64_t expert) {
        const std::span block = block_.bytes().first(static_cast<size_t>(geometry_.layers[layer].bytes));
        std::fill(block.begin(), block.end(), std::byte{0});
        const ExpertLayer& from = layers_[layer];
        const ExpertLayer::PackedOffsets at = from.packedOffsets();
        if (Status read = copy(from.gate, expert, block.subspan(at.gate)); !read) return read.error();
        if (Status read = copy(from.up, expert, block.subspan(at.up)); !read) return read.error();
        if (Status read = copy(from.down, expert, block.subspan(at.down)); !read) return read.error();
        if (from.arrangeDown) from.arrangeDown(block.data() + at.down, block.data() + at.down);
        return std::span<const std::byte>(block);
    }

  private:
    Status copy(const ExpertLayer::Matrix& matrix, uint64_t expert, std::span<std::byte> to) const {
        return model_.read(*matrix.tensor, matrix.offsetOf(expert), to.first(static_cast<size_t>(matrix.bytes)));
    }

    const ModelFile& model_;
    std::span<const ExpertLayer> layers_;
    const Geometry& geometry_;
    Buffer block_;
};

/// Calls body(layer, expert, its block) for each block, and `progress` between them.
template <typename Body>
Status eachBlock(const ModelFile& model, std::span<const ExpertLayer> layers, const Geometry& geometry,
                 const PackedFileProgress& progress, const Body& body) {
    BlockMaker maker(model, layers, geometry);
    if (Status status = maker.allocate(); !status) return status;
    const uint64_t total = geometry.blockBytes();
    uint64_t done = 0;
    const auto goesOn = [&] { return !progress || progress(done, total); };
    const Error cancelled{ErrorKind::Cancelled, "The packed experts were not all read", "The user stopped it",
                          "Start it again"};
    for (size_t layer = 0; layer < layers.size(); ++layer)
        for (uint64_t expert = 0; expert < geometry.layers[layer].experts; ++expert) {
            if (!goesOn()) return cancelled;
            const Result<std::span<const std::byte>> block = maker.make(layer, expert);
            if (!block) return block.error();
            if (Status status = body(layer, expert, block.value()); !status) return status;
            done += block->size();
        }
    return goesOn() ? Status() : cancelled;
}

} // namespace

PackedFileKey PackedFileKey::of(const ModelFile& model, std::span<const ExpertLayer> layers, std::string_view layout) {
    Hash times, headers, matrices;
    for (size_t shard = 0; shard < model.shards(); ++shard) {
        times.addNumber(model.changedAt(shard));
        headers.add(model.headerBytes(shard));
        headers.addNumber(static_cast<uint64_t>(model.headerBytes(shard).size()));
    }
    matrices.add(layout);
    for (const ExpertLayer& layer : layers) {
        matrices.addNumber(static_cast<uint64_t>(layer.experts));
        matrices.addNumber(uint64_t{layer.experts == 0 ? 0U : 3U}); // matrices that follow
        if (layer.experts == 0) continue;
        for (const ExpertLayer::Matrix* matrix : layer.matrices()) {
            matrices.addNumber(matrix->bytes);
            matrices.add(matrix->tensor->name);
            matrices.addNumber(static_cast<uint8_t>(matrix == &layer.down && layer.arrangeDown != nullptr));
        }
    }
    return {.modelBytes = model.size(), .times = times.value(), .headers = headers.value(), .layout = matrices.value()};
}

uint64_t PackedFileKey::hash() const {
    Hash hash;
    for (const uint64_t number : {modelBytes, times, headers, layout}) hash.addNumber(number);
    return hash.value();
}

Result<PackedFileCard> PackedFileCard::read(FileSystem& files, const std::string& path) {
    auto file = files.openForReading(path);
    if (!file) return file.error();
    Result<Header> header = readHeader(*file.value());
    if (!header) return header.error();
    return PackedFileCard{.key = header->key, .model = std::move(header->model), .bytes = header->fileBytes};
}

Result<PackedFile> PackedFile::open(FileSystem& files, const std::string& path, const PackedFileKey& key,
                                    std::span<const ExpertLayer> layers) {
    auto file = files.openDirect(path);
    if (!file) return file.error();
    const Result<Header> header = readHeader(*file.value());
    if (!header) return header.error();
    if (header->key != key) return stale(path);
    const uint64_t alignment = header->alignment;
    const bool readable = alignment == blockAlignment() && alignment % file.value()->alignment() == 0;
    if (!readable) return stale(path);
    Geometry geometry(layers, alignment, header->model.size());
    std::vector<LayerEntry> expected;
    for (const Blocks& blocks : geometry.layers) expected.push_back({blocks.bytes, blocks.experts});
    if (geometry.fileBytes != header->fileBytes || expected != header->layers) return damaged(path);
    PackedFile packed;
    packed.file_ = std::move(file).value();
    packed.alignment_ = alignment;
    packed.layers_ = std::move(geometry.layers);
    return packed;
}

namespace {

class PackedSource final : public ExpertSource {
  public:
    PackedSource(PackedFile file, std::vector<ExpertLayer> layers)
        : file_(std::move(file)), layers_(std::move(layers)), experts_(expertsOf(layers_)) {}

    const std::vector<int>& experts() const override { return experts_; }
    uint64_t slotBytes(int layer) const override { return file_.bytes(layer); }
    size_t extents(int layer, int expert, std::byte* slot,
                   std::span<ReadExtent, kMostReadsPerExpert> out) const override {
        out[0] = {&file_.file(), file_.offset(layer, expert), {slot, static_cast<size_t>(file_.bytes(layer))}};
        return 1;
    }
    bool arranges(int) const override { return false; }
    void arrange(int, int, std::byte*) const override {}
    ExpertParts parts(int layer, int, const std::byte* slot, bool) const override {
        const ExpertLayer& from = layers_[static_cast<size_t>(layer)];
        const ExpertLayer::PackedOffsets at = from.packedOffsets();
        return {.gate = slot + at.gate,
                .up = slot + at.up,
                .down = slot + at.down,
                .downArranged = from.arrangeDown != nullptr};
    }

  private:
    const PackedFile file_;
    const std::vector<ExpertLayer> layers_;
    const std::vector<int> experts_;
};

} // namespace

std::unique_ptr<ExpertSource> createPackedSource(PackedFile file, std::vector<ExpertLayer> layers) {
    return std::make_unique<PackedSource>(std::move(file), std::move(layers));
}

uint64_t packedFileBytes(const ModelFile& model, std::span<const ExpertLayer> layers) {
    return Geometry(layers, blockAlignment(), recordedPath(model).size()).fileBytes;
}

Status writePackedFile(FileSystem& files, const std::string& path, const ModelFile& model,
                       std::span<const ExpertLayer> layers, const PackedFileKey& key,
                       const PackedFileProgress& progress) {
    const Geometry geometry(layers, blockAlignment(), recordedPath(model).size());
    auto output = files.createOutput(path);
    if (!output) return output.error();
    if (Status status = output.value()->append(encode(geometry, key, recordedPath(model))); !status) return status;
    const Status written =
        eachBlock(model, layers, geometry, progress,
                  [&](size_t, uint64_t, std::span<const std::byte> block) { return output.value()->append(block); });
    return written ? output.value()->commit() : written;
}

Status checkPackedFile(const PackedFile& packed, const ModelFile& model, std::span<const ExpertLayer> layers,
                       const PackedFileProgress& progress) {
    const Geometry geometry(layers, packed.alignment(), 0); // only its blocks are used
    Result<Buffer> buffer = Buffer::allocate(geometry.largestBlock(), "There is no memory for one packed expert");
    if (!buffer) return buffer.error();
    return eachBlock(
        model, layers, geometry, progress,
        [&](size_t layer, uint64_t expert, std::span<const std::byte> block) -> Status {
            const std::span found = buffer->bytes().first(block.size());
            const uint64_t offset = packed.offset(static_cast<int>(layer), static_cast<int>(expert));
            if (Status read = packed.file().readAt(offset, found); !read) return read;
            if (std::equal(block.begin(), block.end(), found.begin())) return {};
            return useless(packed.file().path(), {"Expert %1 of layer %2 differs from the model's", expert, layer});
        });
}

} // namespace coterie::engine
