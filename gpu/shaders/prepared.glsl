// SPDX-License-Identifier: Apache-2.0
// Writes a vector as products with integer formats take it, the words of prepare_bytes.comp, from values that a
// workgroup has just computed. Its includer declares the binding `uint prepared[]`; `begin` is the vector's first word.

#include "block_tile.glsl"

/// Writes the blocks of values [first, first + values) of the vector, which lie in `tile`: whole blocks. All lanes call
/// it.
void prepareTile(uint begin, uint columns, uint first, uint values) {
    scaleBlocks(values);
    const uint lane = gl_LocalInvocationIndex;
    for (uint block = lane; block < values / kBlock; block += gl_WorkGroupSize.x)
        prepared[begin + first / kBlock + block] = scaleOf[block];
    const uint quants = begin + firstQuantWord(columns) + first / 4;
    for (uint quad = lane; quad < values / 4; quad += gl_WorkGroupSize.x)
        prepared[quants + quad] = quantWord(4 * quad, inverseOf[quad / 8]);
    barrier();
}

/// Writes the zeros behind the scales and behind the bytes.
void padPrepared(uint begin, uint columns, uint stride) {
    const uint lane = gl_LocalInvocationIndex, quants = firstQuantWord(columns);
    for (uint word = columns / kBlock + lane; word < quants; word += gl_WorkGroupSize.x) prepared[begin + word] = 0;
    for (uint word = quants + columns / 4 + lane; word < stride; word += gl_WorkGroupSize.x) prepared[begin + word] = 0;
}
