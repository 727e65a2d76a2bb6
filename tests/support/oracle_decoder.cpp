// SPDX-License-Identifier: Apache-2.0
// See oracle_decoder.h.
#include "support/oracle_decoder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace coterie::test {
namespace {

using Vector = std::vector<double>;

/// A matrix's input as the engine's integer formats see it: multiples of the block's largest / 127.
Vector asInput(const OracleMatrix& matrix, Vector x) {
    if (!matrix.eightBitInputs) return x;
    for (size_t begin = 0; begin < x.size(); begin += 32) {
        double largest = 0;
        for (size_t i = begin; i < begin + 32; ++i) largest = std::max(largest, std::abs(x[i]));
        if (largest == 0) continue;
        for (size_t i = begin; i < begin + 32; ++i) x[i] = std::nearbyint(x[i] * 127 / largest) * largest / 127;
    }
    return x;
}

/// Four sums at once: a single one would wait for each addition.
double dot(const double* a, const double* b, size_t n) {
    double sums[4] = {};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
    for (; i < n; ++i) sums[0] += a[i] * b[i];
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/// Rows [firstRow, firstRow + rows) times x, which is not rounded.
Vector timesExactly(const OracleMatrix& matrix, const Vector& x, int64_t firstRow, int64_t rows) {
    Vector out(static_cast<size_t>(rows));
    for (size_t r = 0; r < out.size(); ++r) {
        const double* row = &matrix.values[(static_cast<size_t>(firstRow) + r) * x.size()];
        out[r] = dot(x.data(), row, x.size());
    }
    return out;
}
Vector times(const OracleMatrix& matrix, const Vector& x, int64_t firstRow, int64_t rows) {
    return timesExactly(matrix, asInput(matrix, x), firstRow, rows);
}
Vector times(const OracleMatrix& matrix, const Vector& x) {
    return times(matrix, x, 0, static_cast<int64_t>(matrix.values.size() / x.size()));
}

/// Returns bias `number` of a tensor that holds one bias for each expert.
Vector partOf(const Vector& biases, int64_t part, int64_t n) {
    if (biases.empty()) return {};
    const auto begin = biases.begin() + static_cast<std::ptrdiff_t>(part * n);
    return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

void add(Vector& to, const Vector& from, double scale = 1) {
    for (size_t i = 0; i < from.size(); ++i) to[i] += scale * from[i];
}

Vector norm(const Vector& x, const Vector& weight, double epsilon) {
    const double square = std::inner_product(x.begin(), x.end(), x.begin(), 0.0) / static_cast<double>(x.size());
    Vector out(x.size());
    for (size_t i = 0; i < x.size(); ++i) out[i] = x[i] / std::sqrt(square + epsilon) * weight[i];
    return out;
}

/// Normalises each piece of x that is as long as the weight.
Vector normPieces(const Vector& x, const Vector& weight, double epsilon) {
    if (weight.empty()) return x;
    Vector out;
    for (size_t begin = 0; begin < x.size(); begin += weight.size()) {
        const Vector piece = norm(Vector(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                         x.begin() + static_cast<std::ptrdiff_t>(begin + weight.size())),
                                  weight, epsilon);
        out.insert(out.end(), piece.begin(), piece.end());
    }
    return out;
}

/// Returns how fast YaRN (arXiv:2309.00071) lets pair i of n/2 turn, as a share of its own speed. The bounds are those
/// of the published implementations: whole pairs around the pairs that turn 32 times and once over the original
/// context.
double yarnShare(const OracleModel& m, size_t i) {
    if (m.yarnFactor <= 1) return 1;
    const double n = static_cast<double>(m.ropeDimensions);
    const auto pairThatTurns = [&](double times) {
        return n / 2 * std::log(m.yarnContext / (2 * std::numbers::pi * times)) / std::log(m.ropeTheta);
    };
    const double first = std::max(0.0, std::floor(pairThatTurns(32)));
    const double last = std::min(n - 1, std::ceil(pairThatTurns(1)));
    const double along = (static_cast<double>(i) - first) / std::max(last - first, 0.001);
    const double interpolated = std::min(1.0, std::max(0.0, along));
    return interpolated / m.yarnFactor + (1 - interpolated);
}

int64_t headDimOf(const OracleModel& m, const OracleLayer& layer) {
    return layer.headDim > 0 ? layer.headDim : m.headDim;
}

void rotate(const OracleModel& m, const OracleLayer& layer, Vector& heads, size_t position) {
    const size_t n = static_cast<size_t>(layer.ropeDimensions > 0 ? layer.ropeDimensions : m.ropeDimensions);
    const size_t headDim = static_cast<size_t>(headDimOf(m, layer));
    const double scale = m.yarnFactor <= 1 ? 1 : 0.1 * std::log(m.yarnFactor) + 1;
    for (size_t head = 0; head < heads.size() / headDim; ++head)
        for (size_t i = 0; i < n / 2; ++i) {
            const bool own = layer.ropeTheta != 0;
            double angle =
                static_cast<double>(position) * (own ? 1 : yarnShare(m, i)) *
                std::pow(own ? layer.ropeTheta : m.ropeTheta, -2.0 * static_cast<double>(i) / static_cast<double>(n));
            if (!own && !m.ropeFactors.empty()) angle /= m.ropeFactors[i];
            if (!own) angle /= m.ropeStretch;
            double& a = heads[head * headDim + (m.ropeInHalves ? i : 2 * i)];
            double& b = heads[head * headDim + (m.ropeInHalves ? i + n / 2 : 2 * i + 1)];
            const double turned = (a * std::cos(angle) - b * std::sin(angle)) * scale;
            b = (a * std::sin(angle) + b * std::cos(angle)) * scale;
            a = turned;
        }
}

/// Rounds to 11 significant bits, none below 2^-24, with ties to even.
double half(double value) {
    const int exponent = (value == 0 ? -14 : std::max(std::ilogb(value), -14)) - 10;
    return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

/// Blocks of 32 whole numbers from -127 to 127, times a scale in half precision.
void roundToEightBits(Vector& values) {
    for (size_t begin = 0; begin < values.size(); begin += 32) {
        double largest = 0;
        for (size_t i = begin; i < begin + 32; ++i) largest = std::max(largest, std::abs(values[i]));
        for (size_t i = begin; i < begin + 32 && largest > 0; ++i)
            values[i] = std::round(values[i] * 127 / largest) * half(largest / 127);
    }
}

void roundForCache(OracleCache cache, Vector& values) {
    if (cache == OracleCache::EightBits) roundToEightBits(values);
    if (cache == OracleCache::Half)
        for (double& value : values) value = half(value);
}

struct Past {
    std::vector<Vector> keys, values; // [positions][kvHeads * headDim]
    std::vector<Vector> inputs;       // [positions][channels] of the convolution
    std::vector<Vector> states;       // [valueHeads][size, size]
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Scales each piece of n values to length 1.
void toUnitLength(Vector& x, size_t begin, size_t end, size_t n, double epsilon) {
    for (size_t at = begin; at < end; at += n) {
        const double length = std::max(std::sqrt(dot(&x[at], &x[at], n)), epsilon);
        for (size_t i = at; i < at + n; ++i) x[i] /= length;
    }
}

/// The convolution's output for the newest row of inputs.
Vector convolved(const Vector& tapWeights, int64_t tapCount, const std::vector<Vector>& inputs) {
    const size_t taps = static_cast<size_t>(tapCount);
    Vector out(inputs.back().size());
    for (size_t c = 0; c < out.size(); ++c)
        for (size_t age = 0; age < std::min(taps, inputs.size()); ++age)
            out[c] += tapWeights[c * taps + taps - 1 - age] * inputs[inputs.size() - 1 - age][c];
    return out;
}

Vector shortConvolution(const OracleConvolution& convolution, const Vector& normed, Past& past) {
    const Vector bcx = times(convolution.input, normed);
    const size_t n = bcx.size() / 3;
    Vector bx(n);
    for (size_t i = 0; i < n; ++i) bx[i] = bcx[i] * bcx[2 * n + i];
    past.inputs.push_back(bx);
    Vector y = convolved(convolution.tapWeights, convolution.taps, past.inputs);
    for (size_t i = 0; i < n; ++i) y[i] *= bcx[n + i];
    return times(convolution.output, y);
}

/// One token of one head. Returns S^T q.
Vector deltaStep(Vector& state, const double* q, const double* k, const double* v, size_t n, double beta,
                 double decay) {
    Vector change(n), out(n);
    for (double& value : state) value *= decay;
    for (size_t j = 0; j < n; ++j) {
        double seen = 0;
        for (size_t i = 0; i < n; ++i) seen += state[i * n + j] * k[i];
        change[j] = beta * (v[j] - seen);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            state[i * n + j] += k[i] * change[j];
            out[j] += state[i * n + j] * q[i];
        }
    return out;
}

Vector deltaRule(const OracleModel& m, const OracleDelta& delta, const Vector& normed, Past& past) {
    const size_t n = static_cast<size_t>(delta.size), keyHeads = static_cast<size_t>(delta.keyHeads);
    const size_t heads = static_cast<size_t>(delta.valueHeads), keys = keyHeads * n;
    past.inputs.push_back(times(delta.input, normed));
    past.states.resize(heads, Vector(n * n));
    Vector u = convolved(delta.tapWeights, delta.taps, past.inputs);
    for (double& value : u) value *= sigmoid(value);
    toUnitLength(u, 0, 2 * keys, n, m.epsilon);
    for (size_t i = 0; i < keys; ++i) u[i] /= std::sqrt(static_cast<double>(n));
    const Vector z = times(delta.gate, normed), b = times(delta.beta, normed), a = times(delta.alpha, normed);
    Vector mixed;
    for (size_t head = 0; head < heads; ++head) {
        const size_t keyHead = delta.grouped ? head / (heads / keyHeads) : head % keyHeads;
        const double decay = std::exp(delta.decay[head] * std::log1p(std::exp(a[head] + delta.bias[head])));
        const Vector out = norm(deltaStep(past.states[head], &u[keyHead * n], &u[keys + keyHead * n],
                                          &u[2 * keys + head * n], n, sigmoid(b[head]), decay),
                                delta.norm, m.epsilon);
        for (size_t i = 0; i < n; ++i) {
            const double gate = z[head * n + i];
            mixed.push_back(out[i] * gate * sigmoid(gate));
        }
    }
    return times(delta.output, mixed);
}

/// Takes the gates out of a projection that has, for each head, n values of the query and then n of a gate.
Vector takeGates(Vector& query, size_t n) {
    Vector queries, gates;
    for (size_t at = 0; at < query.size(); at += 2 * n) {
        queries.insert(queries.end(), query.begin() + static_cast<std::ptrdiff_t>(at),
                       query.begin() + static_cast<std::ptrdiff_t>(at + n));
        gates.insert(gates.end(), query.begin() + static_cast<std::ptrdiff_t>(at + n),
                     query.begin() + static_cast<std::ptrdiff_t>(at + 2 * n));
    }
    query = queries;
    return gates;
}

double capped(double value, double cap) { return cap > 0 ? cap * std::tanh(value / cap) : value; }

/// The keys and values of the newest token, for layers that have their own.
void addKeys(const OracleModel& m, const OracleLayer& layer, const Vector& normed, Past& past) {
    const size_t position = past.keys.size();
    Vector k = times(layer.key, normed);
    add(k, layer.keyBias);
    Vector v = layer.value.empty() ? k : times(layer.value, normed);
    add(v, layer.valueBias);
    k = normPieces(k, layer.keyNorm, m.epsilon);
    if (layer.normsValues) v = normPieces(v, Vector(static_cast<size_t>(headDimOf(m, layer)), 1.0), m.epsilon);
    if (layer.rope) rotate(m, layer, k, position);
    roundForCache(m.cache, k);
    roundForCache(m.cache, v);
    past.keys.push_back(k);
    past.values.push_back(v);
}

/// past: of the layer whose keys and values it uses.
Vector attention(const OracleModel& m, const OracleLayer& layer, const Vector& normed, Past& past) {
    if (layer.keysOf < 0) addKeys(m, layer, normed, past);
    const size_t position = past.keys.size() - 1, n = static_cast<size_t>(headDimOf(m, layer));
    Vector q = times(layer.query, normed);
    const Vector gates = layer.gated ? takeGates(q, n) : Vector();
    add(q, layer.queryBias);
    q = normPieces(q, layer.queryNorm, m.epsilon);
    if (layer.rope) rotate(m, layer, q, position);

    const int64_t kvHeads = layer.kvHeads > 0 ? layer.kvHeads : m.kvHeads;
    const size_t begin = layer.window == 0 ? 0 : position - std::min(position, static_cast<size_t>(layer.window) - 1);
    const double scale = m.scoreScale != 0 ? m.scoreScale : 1 / std::sqrt(static_cast<double>(n));
    Vector mixed(q.size());
    for (size_t head = 0; head < static_cast<size_t>(m.heads); ++head) {
        const size_t kvHead = head / static_cast<size_t>(m.heads / kvHeads);
        Vector weights;
        for (size_t p = begin; p <= position; ++p)
            weights.push_back(capped(dot(&q[head * n], &past.keys[p][kvHead * n], n) * scale, m.scoreCap));
        if (!layer.sinks.empty()) weights.push_back(layer.sinks[head]);
        const double largest = *std::max_element(weights.begin(), weights.end());
        double sum = 0;
        for (double& weight : weights) sum += weight = std::exp(weight - largest);
        for (size_t p = begin; p <= position; ++p) {
            const double share = weights[p - begin] / sum, *value = &past.values[p][kvHead * n];
            for (size_t i = 0; i < n; ++i) mixed[head * n + i] += share * value[i];
        }
    }
    for (size_t i = 0; i < gates.size(); ++i) mixed[i] *= sigmoid(gates[i]);
    Vector out = times(layer.output, mixed);
    add(out, layer.outputBias);
    return out;
}

double activated(OracleActivation activation, double gate, double up) {
    switch (activation) {
    case OracleActivation::ReGlu:
        return std::max(0.0, gate) * up;
    case OracleActivation::ClampedSwiGlu: {
        const double g = std::min(gate, 7.0), u = std::min(std::max(up, -7.0), 7.0);
        return g / (1 + std::exp(-1.702 * g)) * (u + 1);
    }
    case OracleActivation::GeGlu: {
        const double inner = std::sqrt(2 / std::numbers::pi) * (gate + 0.044715 * gate * gate * gate);
        return gate / 2 * (1 + std::tanh(inner)) * up;
    }
    case OracleActivation::SwiGlu:
        break;
    }
    return gate / (1 + std::exp(-gate)) * up;
}

/// active: gets the number of neurons whose gate is above 0.
Vector feedForward(const OracleModel& m, const OracleLayer& layer, const Vector& x, int64_t expert,
                   int* active = nullptr) {
    const int64_t n = layer.feedForward;
    Vector gate = times(layer.gate, x, expert * n, n), up = times(layer.up, x, expert * n, n);
    add(gate, partOf(layer.gateBias, expert, n));
    add(up, partOf(layer.upBias, expert, n));
    Vector neurons(gate.size());
    for (size_t i = 0; i < neurons.size(); ++i) neurons[i] = activated(m.activation, gate[i], up[i]);
    if (active)
        *active = static_cast<int>(std::count_if(gate.begin(), gate.end(), [](double value) { return value > 0; }));
    Vector out = m.downByNeuron ? timesExactly(layer.down, neurons, expert * m.width, m.width)
                                : times(layer.down, neurons, expert * m.width, m.width);
    add(out, partOf(layer.downBias, expert, m.width));
    return out;
}

Vector sharedExpert(const OracleModel& m, const OracleLayer& layer, const Vector& x) {
    const Vector gate = times(layer.sharedGate, x), up = times(layer.sharedUp, x);
    Vector neurons(gate.size());
    for (size_t i = 0; i < neurons.size(); ++i) neurons[i] = activated(m.activation, gate[i], up[i]);
    Vector out = times(layer.sharedDown, neurons);
    if (layer.sharedRouter.empty()) return out;
    const double weight = 1 / (1 + std::exp(-times(layer.sharedRouter, x)[0]));
    for (double& value : out) value *= weight;
    return out;
}

struct Routed {
    std::vector<int> experts;
    Vector weights;
    double shortfall = 0;
};

/// The experts of the best groups. If a choice is given, the groups of its experts come first.
std::vector<bool> allowedExperts(const OracleRouter& router, const Vector& scores, const std::vector<int>* choice,
                                 double& shortfall) {
    const size_t groups = static_cast<size_t>(router.groups), each = scores.size() / groups;
    Vector groupScores;
    for (size_t g = 0; g < groups; ++g) {
        Vector members(scores.begin() + static_cast<std::ptrdiff_t>(g * each),
                       scores.begin() + static_cast<std::ptrdiff_t>((g + 1) * each));
        std::sort(members.begin(), members.end(), std::greater<>());
        groupScores.push_back(groups == 1 ? 0 : members[0] + members[1]);
    }
    std::vector<size_t> order(groups);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return groupScores[a] > groupScores[b]; });
    const double last = groupScores[order[static_cast<size_t>(router.groupsUsed) - 1]];
    const auto named = [&](size_t group) {
        return choice != nullptr && std::any_of(choice->begin(), choice->end(), [&](int expert) {
                   return static_cast<size_t>(expert) / each == group;
               });
    };
    std::stable_partition(order.begin(), order.end(), named);
    std::vector<bool> allowed(scores.size());
    for (size_t rank = 0; rank < static_cast<size_t>(router.groupsUsed); ++rank) {
        shortfall = std::max(shortfall, 2 * (last - groupScores[order[rank]])); // two experts, see route()
        for (size_t e = 0; e < each; ++e) allowed[order[rank] * each + e] = true;
    }
    return allowed;
}

/// Uses the oracle's own choice of experts if none is given.
Routed route(const OracleModel& m, const OracleLayer& layer, const Vector& x, const std::vector<int>* choice) {
    Vector logits = times(layer.router, x);
    add(logits, layer.routerBias);
    const double largest = *std::max_element(logits.begin(), logits.end());
    double all = 0;
    for (const double value : logits) all += std::exp(value - largest);
    Vector p(logits.size());
    for (size_t e = 0; e < p.size(); ++e)
        p[e] = m.router.sigmoid ? 1 / (1 + std::exp(-logits[e])) : std::exp(logits[e] - largest) / all;
    const bool byLogits = layer.selectionBias.empty() && m.router.groups == 1; // the same order as by p
    Vector scores = byLogits ? logits : p;
    add(scores, layer.selectionBias);

    Routed routed;
    const std::vector<bool> allowed = allowedExperts(m.router, scores, choice, routed.shortfall);
    std::vector<int> order;
    for (size_t e = 0; e < scores.size(); ++e)
        if (allowed[e]) order.push_back(static_cast<int>(e));
    const auto score = [&scores](int expert) { return scores[static_cast<size_t>(expert)]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return score(a) > score(b); });
    order.resize(static_cast<size_t>(m.expertsPerToken));
    routed.experts = choice == nullptr ? order : *choice;
    double sum = 0;
    for (const int expert : routed.experts) {
        routed.weights.push_back(p[static_cast<size_t>(expert)]);
        sum += routed.weights.back();
        const bool inGroups = allowed[static_cast<size_t>(expert)];
        const double missing = inGroups ? score(order.back()) - score(expert) : 1e30;
        routed.shortfall = std::max(routed.shortfall, byLogits ? missing : 4 * missing); // p moves by a quarter of r
    }
    for (double& weight : routed.weights)
        weight *= m.router.scale / (m.router.normalised ? std::max(sum, std::ldexp(1.0, -14)) : 1);
    return routed;
}

Vector mix(const OracleModel& m, size_t index, const Vector& normed, std::vector<Past>& past) {
    const OracleLayer& layer = m.layers[index];
    if (layer.delta.valueHeads != 0) return deltaRule(m, layer.delta, normed, past[index]);
    if (layer.convolution.taps != 0) return shortConvolution(layer.convolution, normed, past[index]);
    return attention(m, layer, normed, past[layer.keysOf < 0 ? index : static_cast<size_t>(layer.keysOf)]);
}

/// Inputs that the layers get from a token's own embeddings, [layers, e]; x is the scaled embedding:
///   (rms(P x / sqrt(width), norm) + row * sqrt(e)) / sqrt(2)
Vector ownInputs(const OracleModel& m, const Vector& x, int32_t token) {
    if (m.layerEmbedding == 0) return {};
    Vector projected = times(m.layerProjection, x);
    for (double& value : projected) value /= std::sqrt(static_cast<double>(m.width));
    Vector inputs = normPieces(projected, m.layerProjectionNorm, m.epsilon);
    const double* row = &m.layerTable[static_cast<size_t>(token) * inputs.size()];
    for (size_t i = 0; i < inputs.size(); ++i)
        inputs[i] = (inputs[i] + row[i] * std::sqrt(static_cast<double>(m.layerEmbedding))) / std::sqrt(2.0);
    return inputs;
}

/// The layer's end. inputs: from ownInputs().
void endLayer(const OracleModel& m, size_t index, const Vector& inputs, Vector& x) {
    const OracleLayer& layer = m.layers[index];
    if (!inputs.empty()) {
        const Vector own = partOf(inputs, static_cast<int64_t>(index), m.layerEmbedding);
        Vector gate = times(layer.ownGate, x);
        for (size_t i = 0; i < gate.size(); ++i) gate[i] = activated(OracleActivation::GeGlu, gate[i], own[i]);
        add(x, norm(times(layer.ownOutput, gate), layer.ownNorm, m.epsilon));
    }
    for (double& value : x) value *= layer.outputScale;
}

} // namespace

OracleRun runOracle(const OracleModel& m, const std::vector<int32_t>& tokens, const OracleChoices* choices) {
    OracleRun run;
    std::vector<Past> past(m.layers.size());
    const size_t width = static_cast<size_t>(m.width);
    for (const int32_t token : tokens) {
        const double* row = &m.embedding[static_cast<size_t>(token) * width];
        Vector x(row, row + width);
        for (double& value : x) value *= m.embeddingScale;
        const Vector own = ownInputs(m, x, token);
        std::vector<std::vector<int>> chosen, active(m.layers.size());
        std::vector<Vector> weights(m.layers.size());
        for (size_t l = 0; l < m.layers.size(); ++l) {
            const OracleLayer& layer = m.layers[l];
            const Vector input = x;
            const Vector before = norm(x, layer.attentionNorm, m.epsilon);
            const Vector mixed = mix(m, l, before, past);
            add(x, normPieces(mixed, layer.mixerOutputNorm, m.epsilon));
            const Vector normed = norm(x, layer.feedForwardNorm, m.epsilon);
            if (layer.experts == 0) {
                add(x, normPieces(feedForward(m, layer, normed, 0), layer.feedForwardOutputNorm, m.epsilon));
                endLayer(m, l, own, x);
                chosen.emplace_back();
                continue;
            }
            const std::vector<int>* choice = choices == nullptr ? nullptr : &(*choices)[run.logits.size()][l];
            const bool beside = !layer.routerNorm.empty();
            Vector read = beside ? norm(x, layer.routerNorm, m.epsilon) : m.routesFirst ? input : normed;
            for (double& value : read) value /= beside ? std::sqrt(static_cast<double>(m.width)) : 1;
            const Routed routed = route(m, layer, read, choice);
            Vector sum(beside ? width : 0);
            const Vector expertsIn = beside ? norm(x, layer.expertsNorm, m.epsilon) : normed;
            for (size_t i = 0; i < routed.experts.size(); ++i) {
                active[l].push_back(0);
                const int expert = routed.experts[i];
                const double scale = beside ? layer.expertScales[static_cast<size_t>(expert)] : 1;
                add(beside ? sum : x, feedForward(m, layer, expertsIn, expert, &active[l].back()),
                    routed.weights[i] * scale);
            }
            if (beside) {
                sum = norm(sum, layer.expertsOutputNorm, m.epsilon);
                add(sum, norm(sharedExpert(m, layer, normed), layer.denseOutputNorm, m.epsilon));
                add(x, norm(sum, layer.feedForwardOutputNorm, m.epsilon));
            }
            weights[l] = routed.weights;
            if (!beside && !layer.sharedGate.empty()) add(x, sharedExpert(m, layer, normed));
            run.worstChoice = std::max(run.worstChoice, routed.shortfall);
            chosen.push_back(routed.experts);
            endLayer(m, l, own, x);
        }
        run.experts.push_back(chosen);
        run.weights.push_back(std::move(weights));
        run.active.push_back(std::move(active));
        Vector logits = times(m.head, norm(x, m.outputNorm, m.epsilon));
        for (double& logit : logits) logit = capped(logit, m.logitCap);
        run.logits.push_back(std::move(logits));
    }
    return run;
}

} // namespace coterie::test
