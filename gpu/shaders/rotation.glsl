// SPDX-License-Identifier: Apache-2.0
// The rotation of a head's first values by the position of its token (arXiv:2104.09864). Pairs are neighbours, or with
// kHalves a value of the first half of the rotated ones and one of the second. Its includer declares the constant
// kHalves, the binding `float cosSin[]`: [tokens, dimensions / 2, 2], and `float headValue(uint i)`, which returns a
// value before its rotation.

/// Value i of the head, of which `dimensions` values are rotated.
float rotated(uint i, uint dimensions, uint token) {
    if (i >= dimensions) return headValue(i);
    const uint pairs = dimensions / 2, pair = kHalves != 0 ? i % pairs : i / 2;
    const bool isSecond = kHalves != 0 ? i >= pairs : i % 2 != 0;
    const float first = headValue(kHalves != 0 ? pair : 2 * pair);
    const float second = headValue(kHalves != 0 ? pair + pairs : 2 * pair + 1);
    const uint at = (token * pairs + pair) * 2;
    const float cosine = cosSin[at], sine = cosSin[at + 1];
    precise float a = isSecond ? first * sine : first * cosine;
    precise float b = isSecond ? second * cosine : second * sine;
    precise float result = isSecond ? a + b : a - b;
    return result;
}
