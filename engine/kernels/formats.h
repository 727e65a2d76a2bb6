// SPDX-License-Identifier: Apache-2.0
// All facts that the kernels need about each number format, in one table. Names, ids and block sizes are the reader's
// (gguf/tensor_type.h); quants.h draws how values lie in a block. For kernels/, its tests, and the scalar
// models of the shaders in gpu/.
//
// To add a format, add its row here and write the functions that unpack it (README.md lists their files). The tests go
// through this table.
#pragma once

#include "kernels/kernels.h"

#include <cassert>
#include <iterator>

namespace coterie::engine {

struct Format {
    TensorType type;
    VectorForm vector;     ///< form of the vectors that are multiplied with the format
    int scaleValues;       ///< values that share a scale: 16 or 32; 1 in float formats
    bool hasMinimum;       ///< whether value = scale * q - minimum
    int quantOffset;       ///< adding this to q gives a byte that is never negative
    int largestByte;       ///< the largest of these bytes
    int64_t factorOffset;  ///< offset of d: a half, in MXFP4 one byte, in IQ1_M the words with its nibbles
    float factorShare = 1; ///< the block's factor is d times this power of two
};

/// Formats that every table of kernels can compute with, in the order in which messages list them.
inline constexpr Format kFormats[] = {
    {TensorType::F32, VectorForm::Floats, 1, false, 0, 0, 0},
    {TensorType::F16, VectorForm::Floats, 1, false, 0, 0, 0},
    {TensorType::BF16, VectorForm::Floats, 1, false, 0, 0, 0},
    {TensorType::Q8_0, VectorForm::Bytes, 32, false, 128, 255, 0},
    {TensorType::Q4_0, VectorForm::Bytes, 32, false, 8, 15, 0},
    {TensorType::Q4_1, VectorForm::Bytes, 32, true, 0, 15, 0},
    {TensorType::Q5_0, VectorForm::Bytes, 32, false, 16, 31, 0},
    {TensorType::Q5_1, VectorForm::Bytes, 32, true, 0, 31, 0},
    {TensorType::Q2_K, VectorForm::Bytes, 16, true, 0, 3, 80},
    {TensorType::Q3_K, VectorForm::Bytes, 16, false, 4, 7, 108},
    {TensorType::Q4_K, VectorForm::Bytes, 32, true, 0, 15, 0},
    {TensorType::Q5_K, VectorForm::Bytes, 32, true, 0, 31, 0},
    {TensorType::Q6_K, VectorForm::Bytes, 16, false, 32, 63, 208},
    {TensorType::IQ4_NL, VectorForm::Bytes, 32, false, 128, 241, 0},
    {TensorType::IQ4_XS, VectorForm::Bytes, 32, false, 128, 241, 0},
    {TensorType::IQ3_S, VectorForm::Bytes, 32, false, 15, 30, 0},
    {TensorType::IQ3_XXS, VectorForm::Bytes, 32, false, 31, 62, 0, 0.5f},
    {TensorType::IQ2_S, VectorForm::Bytes, 16, false, 43, 86, 0, 0.125f},
    {TensorType::IQ2_XS, VectorForm::Bytes, 16, false, 43, 86, 0, 0.125f},
    {TensorType::IQ2_XXS, VectorForm::Bytes, 32, false, 43, 86, 0, 0.125f},
    {TensorType::IQ1_M, VectorForm::Bytes, 16, false, 9, 18, 48, 0.125f},
    {TensorType::IQ1_S, VectorForm::Bytes, 32, false, 9, 18, 0, 0.125f},
    {TensorType::MXFP4, VectorForm::Bytes, 32, false, 12, 24, 0},
};

/// Places in kFormats by id, -1 for other ids. Kernels look formats up in each call, so the look-up must not be a
/// search.
struct FormatPlaces {
    static constexpr uint32_t kCount = static_cast<uint32_t>(kTraitsById.size());
    int8_t at[kCount];

    constexpr FormatPlaces() : at() {
        for (int8_t& place : at) place = -1;
        int8_t place = 0;
        for (const Format& format : kFormats) at[static_cast<uint32_t>(format.type)] = place++;
    }
    constexpr int find(TensorType type) const {
        return static_cast<uint32_t>(type) < kCount ? at[static_cast<uint32_t>(type)] : -1;
    }
};
inline constexpr FormatPlaces kFormatPlaces;

constexpr bool isSupported(TensorType type) { return kFormatPlaces.find(type) >= 0; }

/// Requires isSupported(type), which opening a model has checked.
constexpr const Format& formatOf(TensorType type) {
    assert(isSupported(type));
    return kFormats[kFormatPlaces.at[static_cast<uint32_t>(type)]];
}

constexpr bool isIntegerFormat(TensorType type) { return formatOf(type).vector == VectorForm::Bytes; }
constexpr bool hasMinimum(TensorType type) { return formatOf(type).hasMinimum; }
constexpr int quantOffset(TensorType type) { return formatOf(type).quantOffset; }

constexpr int64_t kBlockValues = 32;  ///< values in a block of prepared vectors and of most quantised formats
constexpr int64_t kSuperValues = 256; ///< values in a block of K, of IQ4_XS and of the formats with codebooks
constexpr int64_t kSubBlocks = kSuperValues / kBlockValues;

constexpr bool isSuperFormat(TensorType type) { return traits(type).blockElements == kSuperValues; }

/// Whether blocks have places in a codebook, with signs or shifts (codebooks.h).
constexpr bool hasCodebook(TensorType type) {
    return type == TensorType::IQ3_S || type == TensorType::IQ3_XXS || type == TensorType::IQ2_S ||
           type == TensorType::IQ2_XS || type == TensorType::IQ2_XXS || type == TensorType::IQ1_M ||
           type == TensorType::IQ1_S;
}

/// Number of steps in which 32 columns are summed. A step's columns share a scale.
constexpr int stepsOf32(TensorType type) { return static_cast<int>(kBlockValues) / formatOf(type).scaleValues; }
constexpr bool hasHalfSteps(TensorType type) { return stepsOf32(type) == 2; }

/// Bytes of a block: of one value, 32 values, or a super-block of 256.
template <TensorType type>
constexpr int64_t kBlockBytes = traits(type).blockBytes;

/// Bytes of 32 values. Only for formats whose blocks are not larger.
template <TensorType type>
constexpr int64_t kBytesOf32 = static_cast<int64_t>(rowBytes(type, kBlockValues));

/// Offset of d in a block, and the offset of dMinimum (or m) behind it, in formats that have one.
template <TensorType type>
constexpr int64_t kFactorOffset = formatOf(type).factorOffset;
template <TensorType type>
constexpr int64_t kMinimumOffset = kFactorOffset<type> + 2;

template <TensorType type>
constexpr float kFactorShare = formatOf(type).factorShare;

/// Whether the table agrees with the reader's: each format is known there and appears here once, quantised blocks have
/// 32 or 256 values, and factors lie within the block's bytes.
constexpr bool formatsAgree() {
    for (const Format& format : kFormats) {
        if (!typeTraits(static_cast<uint32_t>(format.type))) return false;
        const TypeTraits known = traits(format.type);
        const bool floats = format.vector == VectorForm::Floats;
        if (kFormats[kFormatPlaces.find(format.type)].type != format.type) return false;
        if (floats ? known.blockElements != 1 : known.blockElements != kBlockValues && !isSuperFormat(format.type))
            return false;
        if (floats ? format.scaleValues != 1 : format.scaleValues != 16 && format.scaleValues != 32) return false;
        if (format.quantOffset > 128 || format.largestByte > 255) return false;
        if (format.factorOffset + (format.hasMinimum ? 4 : 1) > static_cast<int64_t>(known.blockBytes)) return false;
    }
    int places = 0;
    for (const int8_t place : kFormatPlaces.at) places += place >= 0;
    return places == static_cast<int>(std::size(kFormats));
}
static_assert(formatsAgree());

/// Calls f.operator()<type>() for a type that is known only at run time, and returns what f returns. `choose` picks the
/// formats that f is compiled for, and must pick `type`.
template <bool (*choose)(TensorType), size_t place = 0, typename Function>
auto withFormat(TensorType type, const Function& f) {
    constexpr auto last = [] {
        size_t found = std::size(kFormats);
        for (size_t i = 0; i < std::size(kFormats); ++i)
            if (choose(kFormats[i].type)) found = i;
        return found;
    }();
    constexpr TensorType candidate = kFormats[place].type;
    if constexpr (!choose(candidate)) {
        return withFormat<choose, place + 1>(type, f);
    } else if constexpr (place == last) {
        assert(type == candidate);
        return f.template operator()<candidate>();
    } else {
        if (type == candidate) return f.template operator()<candidate>();
        return withFormat<choose, place + 1>(type, f);
    }
}

/// withFormat() for the formats that take vectors of bytes, and for those that take vectors of floats.
template <typename Function>
auto withQuantisedFormat(TensorType type, const Function& f) {
    return withFormat<isIntegerFormat>(type, f);
}
constexpr bool isFloatFormat(TensorType type) { return !isIntegerFormat(type); }
template <typename Function>
auto withFloatFormat(TensorType type, const Function& f) {
    return withFormat<isFloatFormat>(type, f);
}

} // namespace coterie::engine
