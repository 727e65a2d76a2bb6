// SPDX-License-Identifier: Apache-2.0
// Values of a workgroup as bytes with scales, by way of shared memory: lanes write up to kTile values, call
// scaleBlocks(), and then have each block's scale. Include it after the declaration of the workgroup's size, and after
// `#define TILE_VALUES n` for another number of values, which are whole blocks.
//
//     tile[placeInTile(i)] = value;           for each i of some whole blocks, by any lane
//     scaleBlocks(values);
//     ... scaleOf[i / 32], quantAt(i, inverseOf[i / 32]) ...
//     barrier();                          before the tile is written again

#ifndef TILE_VALUES
#define TILE_VALUES 1024 // 4 KiB: some devices have 16 for a workgroup
#endif
const uint kTile = TILE_VALUES;
shared float tile[kTile];
shared uint scaleOf[kTile / 32]; // bits of the float
shared float inverseOf[kTile / 32];

/// The place of value i. The n-th values of neighbouring blocks lie in different banks of shared memory, because a lane
/// reads a whole block.
uint placeInTile(uint i) { return i & ~31u | i + i / 32 & 31u; }
float blockValue(uint at) { return tile[placeInTile(at)]; }

#include "quotients.glsl"

/// Finds the scales of the blocks that values [0, values) form. All lanes call it.
void scaleBlocks(uint values) {
    barrier();
    for (uint block = gl_LocalInvocationIndex; block < values / kBlock; block += gl_WorkGroupSize.x) {
        const uint largest = largestBits(block * kBlock);
        scaleOf[block] = scaleBits(largest);
        inverseOf[block] = inverseScale(largest);
    }
    barrier();
}
