// SPDX-License-Identifier: Apache-2.0
// The factor of an RMS norm: 1 / sqrt(mean of the squares + epsilon). A workgroup of 128 lanes computes it. Its includer
// declares `float unnormed(uint at)`, which returns a value.
//
// The order of the sum: value i of the vector belongs to lane i % 128, which adds its squares in rising order; then
// lanes are added as sums.glsl says.

const uint kLanes = 128;

/// The factor of values [begin, begin + width). All lanes call it.
float normScale(uint begin, uint width, float inverseWidth, float epsilon) {
    float squares = 0.0;
    for (uint i = laneNumber(); i < width; i += kLanes) {
        const float value = unnormed(begin + i);
        precise float square = value * value;
        precise float sum = squares + square;
        squares = sum;
    }
    squares = sumOverLanes(squares, kLanes);
    precise float mean = squares * inverseWidth;
    precise float shifted = mean + epsilon;
    return inverseRoot(shifted);
}
