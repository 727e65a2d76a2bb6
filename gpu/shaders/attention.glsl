// SPDX-License-Identifier: Apache-2.0
// Attention in blocks of 64 positions, which begin at multiples of 64 whatever the token; a token uses those positions
// that it sees. A block gives the largest score, the sum of exp(score - largest) and the values weighted by that, and is
// then added to the blocks before it. So no bit depends on how many tokens are computed together, or on whether one
// workgroup computes all blocks. Sources of the sums: arXiv:1805.02867 (online softmax), 2205.14135 (over blocks).
//
// Orders: a score adds the products of its columns in rising order. The sum of a block's weights has a lane for each
// position, and lanes are added as sums.glsl says. Weighted values are added in the order of positions, blocks likewise.
//
// A workgroup has 64 lanes. Its includer declares the constant kParts: values of a head for each lane, headDim / 64,
// rounded up.
//   COMPUTES_BLOCKS  declares computeBlock(), which needs the bindings `float queries[]` and `uint weightWords[]` and
//                    formats.glsl
//   ADDS_BLOCKS      declares addBlock(), which needs the constant kSinks (1: a logit of each head takes weight and has
//                    no value) and the binding `float sinks[]`

const uint kPositions = 64; // a block has one for each lane

/// The block computed last, or read from what another workgroup computed.
float largestOfBlock, totalOfBlock;
float valuesOfBlock[kParts]; // part p has value p * 64 + lane of the head

/// The first position that a token sees, which is the one before `end`.
uint firstSeen(uint end) { return push.window == 0 || end <= push.window ? 0 : end - push.window; }
uint beginOfNextBlock(uint position) { return (position / kPositions + 1) * kPositions; }

#ifdef COMPUTES_BLOCKS
shared float scores[kPositions];
shared float weights[kPositions];

/// Value c of a row of the cache.
float cached(uint row, uint c) {
#ifdef FLOAT_FORMAT
    return weightAt(row, c);
#else
    const uint block = blockOf(row, c / kStep);
    return expanded(quantWordAt(block, 0, c % kStep / 4), c % 4, factorsAt(block, 0).d, 1, 0.0, 0);
#endif
}

/// The row of a position behind `offset`, which is that of the layer's keys or values.
uint rowAt(uint offset, uint head, uint position) {
    return offset + (head / push.group * push.capacity + position % push.capacity) * rowBytes(push.headDim);
}

float scoreOf(uint query, uint row) {
    float sum = 0.0;
    for (uint c = 0; c < push.headDim; ++c) {
        precise float product = queries[query + c] * cached(row, c);
        precise float next = sum + product;
        sum = next;
    }
    precise float scaled = sum * push.scale;
    return scaled;
}

/// Value c of the head, summed over positions [begin, end) of a block.
float weightedValue(uint head, uint c, uint begin, uint end) {
    float value = 0.0;
    for (uint p = begin; p < end; ++p) {
        precise float product = weights[p % kPositions] * cached(rowAt(push.valuesOffset, head, p), c);
        precise float next = value + product;
        value = next;
    }
    return value;
}

/// Computes positions [begin, end), which lie in one block. query: the place of the head's query. All lanes call it.
void computeBlock(uint head, uint query, uint begin, uint end) {
    const uint lane = laneNumber(), position = begin / kPositions * kPositions + lane;
    const bool seen = position >= begin && position < end;
    const float score = seen ? scoreOf(query, rowAt(push.keysOffset, head, position)) : 0.0;
    scores[lane] = score;
    barrier();
    largestOfBlock = scores[begin % kPositions];
    for (uint p = begin + 1; p < end; ++p) largestOfBlock = max(largestOfBlock, scores[p % kPositions]);
    precise float distance = score - largestOfBlock;
    const float weight = seen ? exponential(distance) : 0.0;
    weights[lane] = weight;
    totalOfBlock = sumOverLanes(weight, kPositions);
    barrier();
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        valuesOfBlock[part] = c < push.headDim ? weightedValue(head, c, begin, end) : 0.0;
    }
    barrier();
}
#endif

#ifdef ADDS_BLOCKS
/// The blocks added so far; largest means nothing until there is one, or a sink.
bool begun;
float largest, total;
float values[kParts];

void beginTotal(uint head) {
    begun = kSinks != 0;
    largest = begun ? sinks[push.sinksOffset + head] : 0.0;
    total = begun ? 1.0 : 0.0;
    for (uint part = 0; part < kParts; ++part) values[part] = 0.0;
}

/// Adds the block, scaled to one largest score.
void addBlock() {
    const float highest = begun ? max(largest, largestOfBlock) : largestOfBlock;
    precise float keptDistance = largest - highest;
    precise float addedDistance = largestOfBlock - highest;
    const float kept = begun ? exponential(keptDistance) : 0.0, added = exponential(addedDistance);
    precise float totalBefore = total * kept;
    precise float totalNow = totalOfBlock * added;
    precise float totalSum = totalBefore + totalNow;
    total = begun ? totalSum : totalOfBlock;
    for (uint part = 0; part < kParts; ++part) {
        precise float before = values[part] * kept;
        precise float now = valuesOfBlock[part] * added;
        precise float sum = before + now;
        values[part] = begun ? sum : valuesOfBlock[part];
    }
    largest = highest;
    begun = true;
}

/// Divides the values by the total.
void finishTotal() {
    const float inverse = reciprocal(total);
    for (uint part = 0; part < kParts; ++part) {
        precise float result = values[part] * inverse;
        values[part] = result;
    }
}
#endif
