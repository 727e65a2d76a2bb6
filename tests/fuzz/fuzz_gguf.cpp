// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a GGUF file, up to the last byte that a header promises. Parsed whole and as a prefix
// of a larger file.
//
// The rules that it holds the reader to: an error has three parts, every tensor lies within the file and has the size
// its type says, every value can be looked at, and a longer prefix never turns a header into an error.
#include "gguf/gguf.h"
#include "support/gguf_walk.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

using namespace coterie::engine;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

/// True if the bytes gave a header.
bool parseAndWalk(std::span<const std::byte> bytes, uint64_t fileSize) {
    const auto header = gguf::parse(bytes, fileSize);
    if (!header) {
        const Error& error = header.error();
        require(!error.what.empty() && !error.why.empty() && !error.action.empty());
        require(error.kind != ErrorKind::Truncated || bytes.size() < fileSize);
        return false;
    }
    bool sound = true;
    coterie::test::walkHeader(*header, fileSize, sound);
    require(sound && header->headerBytes <= bytes.size());
    return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr uint64_t muchLarger = uint64_t{1} << 40;
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    const bool whole = parseAndWalk(bytes, size);
    const bool asPrefix = parseAndWalk(bytes, size + muchLarger);
    require(!whole || asPrefix); // in a larger file everything that fitted still fits
    if (parseAndWalk(bytes.first(size / 2), size)) require(whole);
    return 0;
}
