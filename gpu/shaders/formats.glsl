// SPDX-License-Identifier: Apache-2.0
// Unpacks weights: one format, which a macro chooses (FORMAT_Q4_K and so on). Its includer declares the binding of the
// matrix as `uint weightWords[]`; with FORMAT_Q4_K and FORMAT_Q5_K also as `uvec4 weightQuads[]`, at the same binding.
// The binding is whole words long. engine/kernels/quants.h draws the formats; what is called p, part of a block of 256,
// is the same here. A block is named by the offset of its first byte.
//
// Quantised values come as bytes with a sign, four in a word: 16 neighbouring values in a uvec4, which is half of 32
// values. `h` is the number of that half.

#if defined(FORMAT_F32)
#define FLOAT_FORMAT
#define BLOCK_BYTES 4
#elif defined(FORMAT_F16) || defined(FORMAT_BF16)
#define FLOAT_FORMAT
#define BLOCK_BYTES 2
#elif defined(FORMAT_Q8_0)
#define BLOCK_BYTES 34
#define VALUES_AT 2
#elif defined(FORMAT_Q4_0)
#define BLOCK_BYTES 18
#define NIBBLES_AT 2
#define ZERO 8
#elif defined(FORMAT_Q4_1)
#define BLOCK_BYTES 20
#define NIBBLES_AT 4
#define HAS_MINIMUM
#elif defined(FORMAT_Q5_0)
#define BLOCK_BYTES 22
#define NIBBLES_AT 6
#define FIFTH_BITS_AT 2
#define ZERO 16
#elif defined(FORMAT_Q5_1)
#define BLOCK_BYTES 24
#define NIBBLES_AT 8
#define FIFTH_BITS_AT 4
#define HAS_MINIMUM
#elif defined(FORMAT_IQ4_NL)
#define BLOCK_BYTES 18
#define NIBBLES_AT 2
#define HAS_LEVELS
#elif defined(FORMAT_MXFP4)
#define BLOCK_BYTES 17
#define NIBBLES_AT 1
#define HAS_LEVELS
#elif defined(FORMAT_Q2_K)
#define BLOCK_BYTES 84
#define HAS_MINIMUM
#elif defined(FORMAT_Q3_K)
#define BLOCK_BYTES 110
#define HAS_UPPER_BITS
#define ZERO 4
#elif defined(FORMAT_Q4_K)
#define BLOCK_BYTES 144
#define HAS_MINIMUM
#elif defined(FORMAT_Q5_K)
#define BLOCK_BYTES 176
#define HAS_MINIMUM
#define HAS_UPPER_BITS
#elif defined(FORMAT_Q6_K)
#define BLOCK_BYTES 210
#define HAS_UPPER_BITS
#define ZERO 32
#elif defined(FORMAT_IQ4_XS)
#define BLOCK_BYTES 136
#define HAS_LEVELS
#else
#error "no format is chosen"
#endif

#if defined(FLOAT_FORMAT)
#define BLOCK_VALUES 1
#elif defined(VALUES_AT) || defined(NIBBLES_AT)
#define BLOCK_VALUES 32
#else
#define BLOCK_VALUES 256
#endif

/// Values of a step: prepared vectors have one scale for 32 values.
const uint kStep = 32;

uint rowBytes(uint columns) { return columns / BLOCK_VALUES * BLOCK_BYTES; }

/// The 32 bits from a byte on. Blocks of most formats begin anywhere on two bytes, those of MXFP4 on any byte.
uint wordAt(uint at) {
#if BLOCK_BYTES % 4 == 0
    return weightWords[at / 4];
#else
    const uint shift = 8 * (at % 4);
    if (shift == 0) return weightWords[at / 4];
    return weightWords[at / 4] >> shift | weightWords[at / 4 + 1] << (32 - shift);
#endif
}

/// The 16 bytes from a byte on; no word behind the last of them is read.
uvec4 quadAt(uint at) {
#if BLOCK_BYTES % 16 == 0
    return weightQuads[at / 16];
#else
    const uint i = at / 4;
    const uvec4 low = uvec4(weightWords[i], weightWords[i + 1], weightWords[i + 2], weightWords[i + 3]);
#if BLOCK_BYTES % 4 == 0
    return low;
#else
    const uint shift = 8 * (at % 4);
    if (shift == 0) return low;
    return low >> shift | uvec4(low.yzw, weightWords[i + 4]) << (32 - shift);
#endif
#endif
}

/// The 16 bits from an even byte on.
uint halfAt(uint at) { return weightWords[at / 4] >> 8 * (at % 4) & 0xffffu; }
uint byteAt(uint at) { return weightWords[at / 4] >> 8 * (at % 4) & 0xffu; }
uint byteOf(uint word, uint k) { return word >> 8 * k & 0xffu; }

/// Exact for every half, on devices that treat small numbers as 0 too: no half is that small as a float.
float floatFromHalf(uint bits) {
    const uint magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
    if (magnitude < 0x400u) return uintBitsToFloat(floatBitsToUint(float(magnitude) * (1.0 / 16777216.0)) | sign);
    const uint wide = (magnitude << 13) + (112u << 23);
    return uintBitsToFloat((magnitude < 0x7c00u ? wide : wide | 0x7f800000u) | sign);
}

#ifdef FLOAT_FORMAT

/// Value c of a row.
float weightAt(uint row, uint c) {
#if defined(FORMAT_F32)
    return uintBitsToFloat(weightWords[row / 4 + c]);
#elif defined(FORMAT_F16)
    return floatFromHalf(halfAt(row + 2 * c));
#else
    return uintBitsToFloat(halfAt(row + 2 * c) << 16);
#endif
}

/// Values c to c + 3 of a row.
vec4 weightsAt(uint row, uint c) {
#if defined(FORMAT_F32)
    const uint i = row / 4 + c;
    return uintBitsToFloat(uvec4(weightWords[i], weightWords[i + 1], weightWords[i + 2], weightWords[i + 3]));
#else
    const uint first = wordAt(row + 2 * c), second = wordAt(row + 2 * c + 4);
    const uvec4 bits = uvec4(first & 0xffffu, first >> 16, second & 0xffffu, second >> 16);
#if defined(FORMAT_F16)
    return vec4(floatFromHalf(bits.x), floatFromHalf(bits.y), floatFromHalf(bits.z), floatFromHalf(bits.w));
#else
    return uintBitsToFloat(bits << 16);
#endif
#endif
}

#else // integer formats

/// Offset of the 16 bytes that hold the low bits of half a step's values.
uint lowBitsAt(uint block, uint p, uint h) {
#if defined(VALUES_AT)
    return block + VALUES_AT + 16 * h;
#elif defined(NIBBLES_AT)
    return block + NIBBLES_AT;
#elif defined(FORMAT_Q2_K)
    return block + 16 + 32 * (p / 4) + 16 * h;
#elif defined(FORMAT_Q3_K)
    return block + 32 + 32 * (p / 4) + 16 * h;
#elif defined(FORMAT_Q4_K)
    return block + 16 + 32 * (p / 2) + 16 * h;
#elif defined(FORMAT_Q5_K)
    return block + 48 + 32 * (p / 2) + 16 * h;
#elif defined(FORMAT_Q6_K)
    return block + 64 * (p / 4) + 32 * (p % 2) + 16 * h;
#elif defined(FORMAT_IQ4_XS)
    return block + 8 + 16 * p;
#endif
}

#ifdef HAS_UPPER_BITS
/// Offset of the 16 bytes that hold the upper bits, where they lie as one byte or part of a byte for each value.
uint upperBitsAt(uint block, uint p, uint h) {
#if defined(FORMAT_Q3_K)
    return block + 16 * h;
#elif defined(FORMAT_Q5_K)
    return block + 16 + 16 * h;
#elif defined(FORMAT_Q6_K)
    return block + 128 + 32 * (p / 4) + 16 * h;
#endif
}
#endif

#ifdef HAS_LEVELS
/// Levels 2i and 2i + 1 of the formats, as bytes.
#if defined(FORMAT_MXFP4)
const uvec2 kLevels[8] = {uvec2(0, 1), uvec2(2, 3), uvec2(4, 6), uvec2(8, 12),
                          uvec2(0, 255), uvec2(254, 253), uvec2(252, 250), uvec2(248, 244)};
#else
const uvec2 kLevels[8] = {uvec2(129, 152), uvec2(173, 191), uvec2(207, 221), uvec2(234, 246),
                          uvec2(1, 13), uvec2(25, 38), uvec2(53, 69), uvec2(89, 113)};
#endif

/// Bytes of b where mask is 255, and of a where it is 0.
uvec4 choose(uvec4 mask, uvec4 a, uvec4 b) { return a ^ (a ^ b) & mask; }
uvec4 chooseLevel(uvec4 mask, uint i) {
    return choose(mask, uvec4(kLevels[i].x * 0x01010101u), uvec4(kLevels[i].y * 0x01010101u));
}

/// The levels of 16 nibbles, four bytes at a time: a tree of choices by each bit, because tables are slow to index.
uvec4 levelsOf(uvec4 nibbles) {
    const uvec4 one = (nibbles & 0x01010101u) * 255, two = (nibbles >> 1 & 0x01010101u) * 255;
    const uvec4 four = (nibbles >> 2 & 0x01010101u) * 255, eight = (nibbles >> 3 & 0x01010101u) * 255;
    const uvec4 first = choose(four, choose(two, chooseLevel(one, 0), chooseLevel(one, 1)),
                               choose(two, chooseLevel(one, 2), chooseLevel(one, 3)));
    const uvec4 second = choose(four, choose(two, chooseLevel(one, 4), chooseLevel(one, 5)),
                                choose(two, chooseLevel(one, 6), chooseLevel(one, 7)));
    return choose(eight, first, second);
}
#endif

/// Subtracts `zero` from bytes below 128 - zero, without a borrow from the next byte.
uvec4 lessZero(uvec4 bytes, uint zero) { return bytes + (128 - zero) * 0x01010101u ^ 0x80808080u; }

/// Bits 0 to 3 of each component, as the lowest bits of its four bytes.
uvec4 spreadBits(uvec4 bits) { return (bits & 15u) * 0x00204081u & 0x01010101u; }

/// Values from the bytes that hold their low bits and from those that hold their upper bits, which formats without such
/// bits ignore. In Q5_0 and Q5_1 bits 0 to 3 of a component of `upper` are its values' fifth bits.
uvec4 quantsFrom(uvec4 low, uvec4 upper, uint p, uint h) {
#if defined(VALUES_AT)
    return low;
#elif defined(FORMAT_Q2_K)
    return low >> 2 * (p % 4) & 0x03030303u;
#elif defined(FORMAT_Q3_K)
    return lessZero(low >> 2 * (p % 4) & 0x03030303u | (upper >> p & 0x01010101u) << 2, ZERO);
#elif defined(FORMAT_Q4_K)
    return low >> 4 * (p % 2) & 0x0f0f0f0fu;
#elif defined(FORMAT_Q5_K)
    return low >> 4 * (p % 2) & 0x0f0f0f0fu | (upper >> p & 0x01010101u) << 4;
#elif defined(FORMAT_Q6_K)
    return lessZero(low >> 4 * (p % 4 / 2) & 0x0f0f0f0fu | (upper >> 2 * (p % 4) & 0x03030303u) << 4, ZERO);
#else
    const uvec4 nibbles = low >> 4 * h & 0x0f0f0f0fu;
#if defined(HAS_LEVELS)
    return levelsOf(nibbles);
#elif defined(FORMAT_Q4_0)
    return lessZero(nibbles, ZERO);
#elif defined(FORMAT_Q5_0)
    return lessZero(nibbles | spreadBits(upper) << 4, ZERO);
#elif defined(FORMAT_Q5_1)
    return nibbles | spreadBits(upper) << 4;
#else
    return nibbles;
#endif
#endif
}

/// 32 values.
struct Quants {
    uvec4 first, second;
};

Quants quantsAt(uint block, uint p) {
    const uvec4 low = quadAt(lowBitsAt(block, p, 0));
#if defined(NIBBLES_AT) || defined(FORMAT_IQ4_XS)
    const uvec4 lowOfSecond = low;
#else
    const uvec4 lowOfSecond = quadAt(lowBitsAt(block, p, 1));
#endif
#if defined(FIFTH_BITS_AT)
    const uint fifth = wordAt(block + FIFTH_BITS_AT);
    const uvec4 upper = uvec4(fifth) >> uvec4(0, 4, 8, 12), upperOfSecond = upper >> 16;
#elif defined(HAS_UPPER_BITS)
    const uvec4 upper = quadAt(upperBitsAt(block, p, 0)), upperOfSecond = quadAt(upperBitsAt(block, p, 1));
#else
    const uvec4 upper = uvec4(0), upperOfSecond = uvec4(0);
#endif
    return Quants(quantsFrom(low, upper, p, 0), quantsFrom(lowOfSecond, upperOfSecond, p, 1));
}

/// Values 4 * i to 4 * i + 3 of a step.
uint quantWordAt(uint block, uint p, uint i) {
    const uint h = i / 4, within = 4 * (i % 4);
    const uint low = wordAt(lowBitsAt(block, p, h) + within);
#if defined(FIFTH_BITS_AT)
    const uint upper = wordAt(block + FIFTH_BITS_AT) >> 4 * i;
#elif defined(HAS_UPPER_BITS)
    const uint upper = wordAt(upperBitsAt(block, p, h) + within);
#else
    const uint upper = 0;
#endif
    return quantsFrom(uvec4(low), uvec4(upper), p, h).x;
}

/// Scales and minima of both halves of a step: value = d * scale[h] * q - dMinimum * minimum[h]. A format without
/// minima leaves them at 0.
struct Factors {
    float d, dMinimum;
    ivec2 scale, minimum;
};

#if defined(FORMAT_Q4_K) || defined(FORMAT_Q5_K)
void readSixBitPair(uint block, uint p, inout Factors f) {
    const uvec4 head = quadAt(block); // d and dMinimum, then twelve bytes of scales
    const uint k = p % 4, first = byteOf(head.y, k), second = byteOf(head.z, k), third = byteOf(head.w, k);
    const uint scale = p < 4 ? first & 63u : third & 15u | first >> 6 << 4;
    const uint minimum = p < 4 ? second & 63u : third >> 4 | second >> 6 << 4;
    f.d = floatFromHalf(head.x & 0xffffu);
    f.dMinimum = floatFromHalf(head.x >> 16);
    f.scale = ivec2(int(scale));
    f.minimum = ivec2(int(minimum));
}
#elif defined(FORMAT_Q3_K)
/// Scale j of 16 values; low and upper bits as quants.h draws them.
int sixBitScale(uint block, uint j) {
    const uint low = byteAt(block + 96 + j % 8) >> 4 * (j / 8) & 15u;
    const uint upper = byteAt(block + 104 + j % 4) >> 2 * (j / 4) & 3u;
    return int(low | upper << 4) - 32;
}
#elif defined(FORMAT_MXFP4)
/// 2^(e - 128), subnormal for the two smallest e.
float mxFactor(uint e) { return uintBitsToFloat(e < 2 ? 0x00200000u << e : (e - 1) << 23); }
#endif

Factors factorsAt(uint block, uint p) {
    Factors f = Factors(0.0, 0.0, ivec2(1), ivec2(0));
#if defined(FORMAT_Q4_K) || defined(FORMAT_Q5_K)
    readSixBitPair(block, p, f);
#elif defined(FORMAT_Q2_K)
    const uint pair = weightWords[block / 4 + p / 2] >> 16 * (p % 2), both = weightWords[block / 4 + 20];
    f.d = floatFromHalf(both & 0xffffu);
    f.dMinimum = floatFromHalf(both >> 16);
    f.scale = ivec2(int(pair & 15u), int(pair >> 8 & 15u));
    f.minimum = ivec2(int(pair >> 4 & 15u), int(pair >> 12 & 15u));
#elif defined(FORMAT_Q3_K)
    f.d = floatFromHalf(halfAt(block + 108));
    f.scale = ivec2(sixBitScale(block, 2 * p), sixBitScale(block, 2 * p + 1));
#elif defined(FORMAT_Q6_K)
    const uint pair = halfAt(block + 192 + 2 * p);
    f.d = floatFromHalf(halfAt(block + 208));
    f.scale = ivec2(int(pair << 24) >> 24, int(pair << 16) >> 24);
#elif defined(FORMAT_IQ4_XS)
    const uint head = weightWords[block / 4];
    f.d = floatFromHalf(head & 0xffffu);
    f.scale = ivec2(int(weightWords[block / 4 + 1] >> 4 * p & 15u | (head >> (16 + 2 * p) & 3u) << 4) - 32);
#elif defined(FORMAT_MXFP4)
    f.d = mxFactor(byteAt(block));
#else
    f.d = floatFromHalf(halfAt(block));
#ifdef HAS_MINIMUM
    f.dMinimum = floatFromHalf(halfAt(block + 2));
    f.minimum = ivec2(-1); // these formats add m
#endif
#endif
    return f;
}

/// The block that holds a row's step b, and the number of that step in the block.
uint blockOf(uint row, uint b) { return row + b / (BLOCK_VALUES / kStep) * BLOCK_BYTES; }
uint partOf(uint b) { return b % (BLOCK_VALUES / kStep); }

/// The value of byte k of four values, in the half of a step to which the scale and the minimum belong.
float expanded(uint quants, uint k, float d, int scale, float dMinimum, int minimum) {
    precise float value = d * float(scale * (int(quants << (24 - 8 * k)) >> 24));
#ifdef HAS_MINIMUM
    precise float share = dMinimum * float(minimum);
    value = value - share;
#endif
    return value;
}

#endif // integer formats
