// SPDX-License-Identifier: Apache-2.0
// Sums over the lanes of a workgroup along x in one order, however the device groups lanes. Include it after the declaration of
// the workgroup's size, and after `#define SUM_VALUES n` if n sums are made together. With SUBGROUP_SHUFFLES its
// includer enables the extensions GL_KHR_shader_subgroup_basic and GL_KHR_shader_subgroup_shuffle; without it the shader
// runs on devices that have neither.
//
// The order: lanes are added in xor pairs at distance 1, 2, 4, ... : v[l] = v[l] + v[l ^ distance], so every lane of a
// team of `lanes` neighbours ends with the same bits. A pair within a subgroup is shuffled, other pairs meet in shared
// memory; both are the same additions. gpu/models/lane_sums.h is the scalar model.

#ifndef SUM_VALUES
#define SUM_VALUES 1
#endif

shared float laneValues[SUM_VALUES * gl_WorkGroupSize.x];

#ifdef SUBGROUP_SHUFFLES

/// Whether lanes can be numbered by their subgroups: each subgroup is full and no larger number was reported than is
/// there. Some drivers report a size of 32 and run with 8 or 16.
bool subgroupsAreFull() { return gl_NumSubgroups * gl_SubgroupSize == gl_WorkGroupSize.x; }

/// Number of this lane in its workgroup. It is not gl_LocalInvocationIndex, whose order within subgroups is the
/// driver's choice: neighbours in one subgroup must have neighbouring numbers.
uint laneNumber() {
    return subgroupsAreFull() ? gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID : gl_LocalInvocationIndex;
}

/// Adds the pairs at this distance by shuffles. False: they do not lie in one subgroup, and nothing was added.
bool addedByShuffles(inout float values[SUM_VALUES], uint distance) {
    if (!subgroupsAreFull() || distance >= gl_SubgroupSize) return false;
    for (uint i = 0; i < SUM_VALUES; ++i) {
        precise float sum = values[i] + subgroupShuffleXor(values[i], distance);
        values[i] = sum;
    }
    return true;
}

#else

uint laneNumber() { return gl_LocalInvocationIndex; }
bool addedByShuffles(inout float values[SUM_VALUES], uint distance) { return false; }

#endif

/// Adds each of `values` over the `lanes` neighbouring lanes that form a team: a power of two that divides the
/// workgroup's size. All lanes of the workgroup call it.
void sumOverLanes(inout float values[SUM_VALUES], uint lanes) {
    const uint lane = laneNumber();
    for (uint distance = 1; distance < lanes; distance *= 2) {
        if (addedByShuffles(values, distance)) continue;
        for (uint i = 0; i < SUM_VALUES; ++i) laneValues[i * gl_WorkGroupSize.x + lane] = values[i];
        barrier();
        for (uint i = 0; i < SUM_VALUES; ++i) {
            precise float sum = values[i] + laneValues[i * gl_WorkGroupSize.x + (lane ^ distance)];
            values[i] = sum;
        }
        barrier();
    }
}

/// The same for one value.
float sumOverLanes(float value, uint lanes) {
    float values[SUM_VALUES];
    values[0] = value;
    sumOverLanes(values, lanes);
    return values[0];
}
