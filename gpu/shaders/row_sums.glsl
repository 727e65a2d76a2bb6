// SPDX-License-Identifier: Apache-2.0
// Adds weighted rows to a vector: x + sum of scale * weight * row, one row after the other. Its includer declares the
// constant kWeights (0: all weights are 1; kGiven, or kSigmoids: sigmoids of those given) and the bindings
// `float x[]`: [vectors, width], `float rows[]`: [vectors, rows, width] and `float weightOf[]`: [vectors, rows].

const uint kGiven = 1, kSigmoids = 2;

float scaledWeight(uint row, float scale) {
    if (kWeights == 0) return scale;
    const float weight = kWeights == kSigmoids ? sigmoid(weightOf[row]) : weightOf[row];
    precise float scaled = scale * weight;
    return scaled;
}

/// Value i of a vector with its rows.
float withRows(uint vector, uint i) {
    float sum = x[vector * push.width + i];
    for (uint k = 0; k < push.rows; ++k) {
        const uint row = vector * push.rows + k;
        precise float product = scaledWeight(row, push.scale) * rows[row * push.width + i];
        precise float next = sum + product;
        sum = next;
    }
    return sum;
}
