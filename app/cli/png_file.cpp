// SPDX-License-Identifier: Apache-2.0
// See png_file.h. The file:
//   signature | IHDR | tEXt "Description" | IDAT | IEND     each chunk: length, type, data, CRC-32 of type and data
// IDAT holds a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4): 2 bytes of header, then blocks of
//   1 byte: 1 for the last block, else 0 | 2 bytes: length, low byte first | the same, inverted | bytes as they are
// then the Adler-32 of all bytes. The bytes are the rows from the top, each with a 0 (no filter) before it.
#include "cli/png_file.h"

#include <algorithm>
#include <array>

namespace coterie::app {

namespace {

constexpr size_t kLargestBlock = 65535;         // RFC 1951: the length has 16 bits
constexpr uint32_t kAdlerBase = 65521;          // RFC 1950: the largest prime below 2^16
constexpr uint32_t kCrcPolynomial = 0xedb88320; // ISO/IEC 15948, annex D

void addBigEndian(std::string& out, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::array<uint32_t, 256> crcTable() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? kCrcPolynomial : 0);
        table[i] = value;
    }
    return table;
}

uint32_t crc32(std::string_view bytes) {
    static const std::array<uint32_t, 256> table = crcTable();
    uint32_t crc = 0xffffffff;
    for (const char c : bytes) crc = table[(crc ^ static_cast<uint8_t>(c)) & 0xff] ^ crc >> 8;
    return ~crc;
}

uint32_t adler32(std::string_view bytes) {
    uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<uint8_t>(c)) % kAdlerBase;
        b = (b + a) % kAdlerBase;
    }
    return b << 16 | a;
}

void addChunk(std::string& out, std::string_view type, std::string_view data) {
    addBigEndian(out, static_cast<uint32_t>(data.size()));
    const size_t begin = out.size();
    out.append(type).append(data);
    addBigEndian(out, crc32(std::string_view(out).substr(begin)));
}

std::string header(const Picture& picture) {
    std::string data;
    addBigEndian(data, static_cast<uint32_t>(picture.width()));
    addBigEndian(data, static_cast<uint32_t>(picture.height()));
    data += {8, 2, 0, 0, 0}; // 8 bits, RGB, deflate, usual filters, rows in order
    return data;
}

std::string rowsOf(const Picture& picture) {
    std::string rows;
    rows.reserve(static_cast<size_t>(picture.height()) * (1 + static_cast<size_t>(picture.width()) * 3));
    for (int y = 0; y < picture.height(); ++y) {
        rows += '\0';
        for (int x = 0; x < picture.width(); ++x) {
            const uint32_t colour = picture.at(x, y);
            for (int shift = 16; shift >= 0; shift -= 8) rows += static_cast<char>(colour >> shift & 0xff);
        }
    }
    return rows;
}

std::string stored(std::string_view bytes) {
    std::string out = "\x78\x01"; // deflate with a window of 32 KiB; the sum of both is a multiple of 31
    for (size_t at = 0; at < bytes.size(); at += kLargestBlock) {
        const size_t length = std::min(kLargestBlock, bytes.size() - at);
        out += at + length == bytes.size() ? '\1' : '\0';
        for (const size_t word : {length, ~length}) {
            out += static_cast<char>(word & 0xff);
            out += static_cast<char>(word >> 8 & 0xff);
        }
        out.append(bytes.substr(at, length));
    }
    addBigEndian(out, adler32(bytes));
    return out;
}

} // namespace

void Picture::fill(int x, int y, int width, int height, uint32_t colour) {
    const int left = std::max(x, 0), right = std::min(x + width, width_);
    for (int row = std::max(y, 0); row < std::min(y + height, height_); ++row)
        for (int column = left; column < right; ++column) pixels_[placeOf(column, row)] = colour;
}

std::string pngBytes(const Picture& picture, std::string_view description) {
    std::string out = "\x89PNG\r\n\x1a\n";
    addChunk(out, "IHDR", header(picture));
    addChunk(out, "tEXt", std::string("Description") + '\0' + std::string(description));
    addChunk(out, "IDAT", stored(rowsOf(picture)));
    addChunk(out, "IEND", "");
    return out;
}

} // namespace coterie::app
