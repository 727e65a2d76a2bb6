// SPDX-License-Identifier: Apache-2.0
// The product of a row in one format with an input vector, step by step. Its includer declares push constants with
// `columns` and the bindings `uint inputWords[]` and `uvec4 inputQuads[]`, which are one, and includes formats.glsl. With
// a float format it may define COLUMNS and INPUT_VALUE instead.
//
// The order of the sum depends on the number of columns alone. Step b of 32 columns belongs to lane b % 32 of a team of
// 32 lanes. A lane adds its steps in rising order, then lanes are added as sums.glsl says. Float formats add column by
// column, each product rounded. Integer formats add a step at once: its products are whole numbers, which are exact;
// then sum += d * scale * float(whole), and with minima sum -= dMinimum * scale * float(whole), from left to right.

const uint kTeam = 32;

#ifndef COLUMNS
#define COLUMNS push.columns
#endif
#ifndef INPUT_VALUE
#define INPUT_VALUE(at) uintBitsToFloat(inputWords[at]) // a float of an input vector
#endif

#ifdef FLOAT_FORMAT

/// The sum with the columns of step b. x: the first word of the input vector.
float withStep(float before, uint row, uint x, uint b) {
    const uint begin = b * kStep, end = min(begin + kStep, COLUMNS);
    precise float sum = before;
    uint c = begin;
    for (; c + 4 <= end; c += 4) {
        const vec4 w = weightsAt(row, c);
        for (uint i = 0; i < 4; ++i) {
            precise float product = w[i] * INPUT_VALUE(x + c + i);
            sum = sum + product;
        }
    }
    for (; c < end; ++c) {
        precise float product = weightAt(row, c) * INPUT_VALUE(x + c);
        sum = sum + product;
    }
    return sum;
}

#else

/// 32 values of an input vector: x = scale * q.
struct Input {
    uvec4 first, second;
    float scale;
    ivec2 total; // sums of 16 values
};

#ifdef INTEGER_DOT
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4450)
int dotPacked(uint a, uint b, spirv_literal int packedFormat);
int dotOfBytes(uint a, uint b) { return dotPacked(a, b, 0); }
#else
int dotOfBytes(uint a, uint b) {
    const ivec4 x = ivec4(int(a)) << ivec4(24, 16, 8, 0) >> 24, y = ivec4(int(b)) << ivec4(24, 16, 8, 0) >> 24;
    return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
#endif
int dotOfBytes(uvec4 a, uvec4 b) {
    return dotOfBytes(a.x, b.x) + dotOfBytes(a.y, b.y) + dotOfBytes(a.z, b.z) + dotOfBytes(a.w, b.w);
}

/// Step b of the input vector whose first word is `at`.
Input readInput(uint at, uint b) {
    const uint scaleWords = (push.columns / kStep + 15) / 16 * 16; // whole lines of 64 bytes
    const uint quad = (at + scaleWords) / 4 + 2 * b;
    Input x = Input(inputQuads[quad], inputQuads[quad + 1], uintBitsToFloat(inputWords[at + b]), ivec2(0));
#ifdef HAS_MINIMUM
    const uvec4 ones = uvec4(0x01010101u);
    x.total = ivec2(dotOfBytes(x.first, ones), dotOfBytes(x.second, ones));
#endif
    return x;
}

/// The sum with the step that w and f are of.
float withProduct(float before, Quants w, Factors f, Input x) {
    const int whole = f.scale.x * dotOfBytes(w.first, x.first) + f.scale.y * dotOfBytes(w.second, x.second);
    precise float factor = f.d * x.scale;
    precise float product = factor * float(whole);
    precise float sum = before + product;
#ifdef HAS_MINIMUM
    const int wholeOfMinima = f.minimum.x * x.total.x + f.minimum.y * x.total.y;
    precise float minimumFactor = f.dMinimum * x.scale;
    precise float share = minimumFactor * float(wholeOfMinima);
    sum = sum - share;
#endif
    return sum;
}

#endif
