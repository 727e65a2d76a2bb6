// SPDX-License-Identifier: Apache-2.0
// The causal convolution and the gated delta rule: each table against the formulas in double, cut into calls in several
// ways.
#include "kernel_test.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr double kSmallest = 0x1p-140; ///< errors below this come from numbers that a float holds with fewer digits

void fillUnit(Guarded<float>& x, Random& random, float size = 1) {
    for (int64_t i = 0; i < x.size(); ++i) x[i] = size * random.unit();
}

bool sameBits(const Guarded<float>& a, const Guarded<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(float)) == 0;
}

// --- Convolution

/// Inputs of a convolution, with NaN behind the channels of each row.
struct ConvolutionCase {
    ConvolutionCase(int64_t tokenCount, int64_t channelCount, int64_t tapsOfEach, Random& random, float size = 1)
        : tokens(tokenCount), channels(channelCount), tapCount(tapsOfEach), stride(channelCount + 3),
          taps(channelCount * tapsOfEach, 4), history((tapsOfEach - 1) * channelCount, 4),
          input(tokenCount * (channelCount + 3), 4) {
        fillUnit(taps, random);
        fillUnit(history, random, size);
        fillUnit(input, random, size);
        for (int64_t t = 0; t < tokens; ++t)
            std::fill_n(&input[t * stride + channels], 3, std::numeric_limits<float>::quiet_NaN());
    }

    CausalConvolution whole(Guarded<float>& out) const {
        return {taps.data(), history.data(), input.data(), stride, tokens, 0, channels, channels, tapCount, out.data()};
    }
    /// Value of a channel at a token; tokens before the first one come from the history.
    double x(int64_t t, int64_t c) const {
        return t < 0 ? history.data()[(tapCount - 1 + t) * channels + c] : input.data()[t * stride + c];
    }
    bool near(const Guarded<float>& out) const {
        for (int64_t t = 0; t < tokens; ++t)
            for (int64_t c = 0; c < channels; ++c) {
                double exact = 0, magnitude = 0;
                for (int64_t age = 0; age < tapCount; ++age) {
                    const double product = taps.data()[(c + 1) * tapCount - 1 - age] * x(t - age, c);
                    exact += product;
                    magnitude += std::abs(product);
                }
                const double bound = static_cast<double>(tapCount + 1) * kRoundoff * magnitude + kSmallest;
                if (!within(out.data()[t * channels + c], exact, bound, "convolution", t * channels + c)) return false;
            }
        return true;
    }
    bool intact() { return taps.intact() && history.intact() && input.intact(); }

    int64_t tokens, channels, tapCount, stride;
    Guarded<float> taps, history, input;
};

/// The convolution of a case in calls of `step` tokens, each with the rows before it as its history.
void convolveInCuts(const KernelTable& kernels, const ConvolutionCase& c, int64_t step, Guarded<float>& out) {
    for (int64_t begin = 0; begin < c.tokens; begin += step) {
        Guarded<float> history(c.history.size(), 4);
        for (int64_t k = 0; k < c.tapCount - 1; ++k)
            for (int64_t i = 0; i < c.channels; ++i)
                history[k * c.channels + i] = static_cast<float>(c.x(begin - (c.tapCount - 1) + k, i));
        CausalConvolution part = c.whole(out);
        part.history = history.data();
        part.input += begin * c.stride;
        part.out += begin * c.channels;
        part.tokens = std::min(step, c.tokens - begin);
        kernels.causalConvolution(part);
    }
}

// --- Delta rule

/// One head. Queries and keys lie in one row, as a projection writes them; the keys are unit vectors.
struct HeadCase {
    HeadCase(int64_t tokenCount, int64_t headSize, Random& random, float valueSize = 1)
        : tokens(tokenCount), size(headSize), rows(tokenCount * 2 * (headSize + 1), 4),
          values(tokenCount * headSize, 4), gates(tokenCount * 3, 4), state(headSize * headSize, 4) {
        fillUnit(rows, random);
        fillUnit(values, random, valueSize);
        fillUnit(state, random, valueSize);
        for (int64_t t = 0; t < tokens; ++t) {
            double squares = 0;
            float* key = &rows[t * 2 * (size + 1) + size + 1];
            for (int64_t i = 0; i < size; ++i) squares += static_cast<double>(key[i]) * key[i];
            for (int64_t i = 0; i < size; ++i) key[i] = static_cast<float>(key[i] / std::sqrt(squares + 1e-12));
            gates[3 * t] = std::abs(random.unit());
            gates[3 * t + 1] = std::abs(random.unit());
        }
    }

    /// Tokens [begin, end).
    DeltaRuleHead part(int64_t begin, int64_t end, Guarded<float>& out) const {
        DeltaRuleHead head;
        head.queries = rows.data() + begin * 2 * (size + 1);
        head.keys = head.queries + size + 1;
        head.queryStride = head.keyStride = 2 * (size + 1);
        head.values = values.data() + begin * size;
        head.valueStride = size;
        head.decay = gates.data() + 3 * begin;
        head.beta = head.decay + 1;
        head.gateStride = 3;
        head.tokens = end - begin;
        head.size = size;
        head.out = out.data() + begin * (size + 2);
        head.outStride = size + 2;
        return head;
    }
    void runInCuts(const KernelTable& kernels, int64_t step, Guarded<float>& s, Guarded<float>& out) const {
        std::copy_n(state.data(), state.size(), s.data());
        for (int64_t begin = 0; begin < tokens; begin += step)
            kernels.deltaRule(part(begin, std::min(tokens, begin + step), out), s.data());
    }
    bool intact() { return rows.intact() && values.intact() && gates.intact() && state.intact(); }

    int64_t tokens, size;
    Guarded<float> rows, values; ///< rows: query, gap, key, gap
    Guarded<float> gates;        ///< decay, beta, gap
    Guarded<float> state;
};

double dot(const std::vector<double>& x, const float* y) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

double magnitudeOfDot(const std::vector<double>& x, const float* y) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] * y[i]);
    return sum;
}

template <typename T>
double lengthOf(const T* x, int64_t n) {
    double squares = 0;
    for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return std::sqrt(squares);
}

/// Compares one column of a head with the rule in double. `error` bounds the length of the difference between the
/// column s that a kernel has and the exact one. A token maps it to decay (e - beta k (k . e)), which makes no vector
/// longer if |k| = 1 and 0 <= beta <= 1, and adds the rounding of its own steps: k . s has `size` products, and five
/// steps follow for each element.
bool columnIsNear(const HeadCase& c, int64_t column, const Guarded<float>& state, const Guarded<float>& out) {
    const int64_t n = c.size;
    std::vector<double> s(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) s[static_cast<size_t>(i)] = c.state.data()[i * n + column];
    double error = 0;
    for (int64_t t = 0; t < c.tokens; ++t) {
        const float* query = c.rows.data() + t * 2 * (n + 1);
        const float* key = query + n + 1;
        const double decay = c.gates.data()[3 * t], beta = c.gates.data()[3 * t + 1];
        const double value = c.values.data()[t * n + column];
        for (double& element : s) element *= decay;
        const double forgotten = lengthOf(s.data(), n), change = beta * (value - dot(s, key));
        for (int64_t i = 0; i < n; ++i) s[static_cast<size_t>(i)] += change * key[i];
        const double lengths = forgotten + std::abs(change) + beta * (std::abs(value) + forgotten);
        error = (decay * error + static_cast<double>(n + 5) * kRoundoff * lengths) * (1 + 8 * kRoundoff) + kSmallest;
        const double bound =
            error * lengthOf(query, n) + static_cast<double>(n + 1) * kRoundoff * magnitudeOfDot(s, query);
        if (!within(out.data()[t * (n + 2) + column], dot(s, query), bound, "out", t * n + column)) return false;
    }
    for (int64_t i = 0; i < n; ++i)
        if (!within(state.data()[i * n + column], s[static_cast<size_t>(i)], error, "state", i * n + column))
            return false;
    return true;
}

bool isNear(const HeadCase& c, const Guarded<float>& state, const Guarded<float>& out) {
    for (int64_t column = 0; column < c.size; ++column)
        if (!columnIsNear(c, column, state, out)) return false;
    return true;
}

constexpr int64_t kSizes[] = {1, 3, 8, 15, 16, 32, 33, 64, 100, 128, 256, 260};

} // namespace

class KernelMixersTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void convolution_data() { addTableRows(); }
    void convolution() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const int64_t tapCount : {1, 2, 3, 4, 5, 8, 9, 33})
            for (const int64_t channels : {1, 2, 7, 8, 16, 31, 64, 65, 130, 257})
                for (const int64_t tokens : {1, 2, 5, 40}) {
                    ConvolutionCase c(tokens, channels, tapCount, random);
                    Guarded<float> out(tokens * channels, 4);
                    kernels->causalConvolution(c.whole(out));
                    QVERIFY(c.near(out));
                    QVERIFY(out.intact() && c.intact());
                }
    }

    /// Taps that are powers of two show which value each of them meets, without rounding.
    void lastTapMeetsTheNewestValue_data() { addTableRows(); }
    void lastTapMeetsTheNewestValue() {
        QFETCH(const KernelTable*, kernels);
        const float taps[4] = {1, 16, 256, 4096}, history[3] = {1, 2, 3}, input[2] = {4, 5};
        float out[2];
        kernels->causalConvolution({taps, history, input, 1, 2, 0, 1, 1, 4, out});
        QCOMPARE(out[0], 1.0f * 1 + 16.0f * 2 + 256.0f * 3 + 4096.0f * 4);
        QCOMPARE(out[1], 1.0f * 2 + 16.0f * 3 + 256.0f * 4 + 4096.0f * 5);
    }

    void convolutionOfHugeAndSmall_data() { addTableRows(); }
    void convolutionOfHugeAndSmall() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        for (const float size : {1e37f, 1e-37f, 0.0f}) {
            ConvolutionCase c(9, 37, 4, random, size);
            Guarded<float> out(9 * 37, 4);
            kernels->causalConvolution(c.whole(out));
            QVERIFY(c.near(out));
        }
    }

    /// Threads share the channels, and prompts come in chunks: neither changes a bit, and no channel of others is
    /// written.
    void convolutionInParts_data() { addTableRows(); }
    void convolutionInParts() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        for (const int64_t tapCount : {1, 3, 4, 12}) {
            ConvolutionCase c(23, 150, tapCount, random);
            Guarded<float> whole(23 * 150, 4), parts(23 * 150, 4);
            kernels->causalConvolution(c.whole(whole));
            for (const int64_t step : {1, 2, 3, 7, 22}) {
                convolveInCuts(*kernels, c, step, parts);
                QVERIFY(sameBits(whole, parts));
            }
            for (const int64_t first : {0, 1, 8, 63, 100}) {
                CausalConvolution part = c.whole(parts);
                part.firstChannel = first;
                part.endChannel = first + 45;
                parts.fill(-7);
                kernels->causalConvolution(part);
                for (int64_t i = 0; i < parts.size(); ++i) {
                    const bool own = i % 150 >= first && i % 150 < first + 45;
                    QCOMPARE(parts[i], own ? whole[i] : -7.0f);
                }
            }
        }
    }

    void deltaRule_data() { addTableRows(); }
    void deltaRule() {
        QFETCH(const KernelTable*, kernels);
        Random random(4);
        for (const int64_t size : kSizes)
            for (const int64_t tokens : {1, 2, 3, 50}) {
                HeadCase c(tokens, size, random);
                Guarded<float> state(size * size, 4), out(tokens * (size + 2), 4);
                out.fill(-7);
                c.runInCuts(*kernels, tokens, state, out);
                QVERIFY(isNear(c, state, out));
                for (int64_t t = 0; t < tokens; ++t) QCOMPARE(out[t * (size + 2) + size], -7.0f);
                QVERIFY(state.intact() && out.intact() && c.intact());
            }
    }

    /// A small case by hand. Each step is exact.
    void deltaRuleByHand_data() { addTableRows(); }
    void deltaRuleByHand() {
        QFETCH(const KernelTable*, kernels);
        float state[4] = {2, 4, 6, 8}, out[2];
        const float query[2] = {1, 2}, key[2] = {0.5f, 1}, value[2] = {10, 20}, decay = 0.5f, beta = 0.25f;
        kernels->deltaRule({query, key, value, 2, 2, 2, &decay, &beta, 1, 1, 2, out, 2}, state);
        // S is [[1, 2], [3, 4]] after the decay; S^T k is [3.5, 5]; the change is [1.625, 3.75].
        const float expected[4] = {1.8125f, 3.875f, 4.625f, 7.75f};
        for (int i = 0; i < 4; ++i) QCOMPARE(state[i], expected[i]);
        QCOMPARE(out[0], 1.8125f + 2 * 4.625f);
        QCOMPARE(out[1], 3.875f + 2 * 7.75f);
    }

    void deltaRuleOfExtremes_data() { addTableRows(); }
    void deltaRuleOfExtremes() {
        QFETCH(const KernelTable*, kernels);
        Random random(5);
        for (const float valueSize : {1e30f, 1e-30f, 0.0f})
            for (const float decay : {0.0f, 1e-30f, 1.0f})
                for (const float beta : {0.0f, 1.0f}) {
                    HeadCase c(20, 40, random, valueSize);
                    for (int64_t t = 0; t < 20; t += 2) c.gates[3 * t] = decay, c.gates[3 * t + 1] = beta;
                    Guarded<float> state(40 * 40, 4), out(20 * 42, 4);
                    c.runInCuts(*kernels, 20, state, out);
                    QVERIFY(isNear(c, state, out));
                }
    }

    /// Without decay and changes the state stays as it is, to the bit; with a decay of 0 it is forgotten.
    void stateStaysOrGoes_data() { addTableRows(); }
    void stateStaysOrGoes() {
        QFETCH(const KernelTable*, kernels);
        Random random(6);
        HeadCase c(5, 33, random);
        Guarded<float> state(33 * 33, 4), out(5 * 35, 4);
        for (int64_t t = 0; t < 5; ++t) c.gates[3 * t] = 1, c.gates[3 * t + 1] = 0;
        c.runInCuts(*kernels, 5, state, out);
        QVERIFY(sameBits(state, c.state));
        for (int64_t t = 0; t < 5; ++t) c.gates[3 * t] = 0;
        c.runInCuts(*kernels, 5, state, out);
        for (int64_t i = 0; i < state.size(); ++i) QCOMPARE(state[i], 0.0f);
        for (int64_t i = 0; i < 33; ++i) QCOMPARE(out[i], 0.0f);
    }

    void deltaRuleInCuts_data() { addTableRows(); }
    void deltaRuleInCuts() {
        QFETCH(const KernelTable*, kernels);
        Random random(7);
        for (const int64_t size : kSizes) {
            HeadCase c(65, size, random);
            Guarded<float> whole(size * size, 4), wholeOut(65 * (size + 2), 4), cut(size * size, 4),
                cutOut(65 * (size + 2), 4);
            wholeOut.fill(0);
            cutOut.fill(0);
            c.runInCuts(*kernels, 65, whole, wholeOut);
            for (const int64_t step : {1, 2, 7, 8, 64}) {
                c.runInCuts(*kernels, step, cut, cutOut);
                QVERIFY(sameBits(whole, cut));
                QVERIFY(sameBits(wholeOut, cutOut));
            }
        }
    }

    void noTokens_data() { addTableRows(); }
    void noTokens() {
        QFETCH(const KernelTable*, kernels);
        Random random(8);
        HeadCase c(0, 20, random);
        Guarded<float> state(400, 4), out(0, 4);
        std::copy_n(c.state.data(), 400, state.data());
        kernels->deltaRule(c.part(0, 0, out), state.data());
        QVERIFY(sameBits(state, c.state));
        ConvolutionCase convolution(0, 20, 4, random);
        kernels->causalConvolution(convolution.whole(out));
        QVERIFY(out.intact() && state.intact());
    }

    /// A NaN shows in what comes after it, in its own column alone.
    void deltaRuleOfNan_data() { addTableRows(); }
    void deltaRuleOfNan() {
        QFETCH(const KernelTable*, kernels);
        Random random(9);
        HeadCase c(6, 36, random);
        c.values[2 * 36 + 35] = std::numeric_limits<float>::quiet_NaN();
        Guarded<float> state(36 * 36, 4), out(6 * 38, 4);
        c.runInCuts(*kernels, 6, state, out);
        for (int64_t t = 0; t < 6; ++t)
            for (int64_t i = 0; i < 36; ++i) QCOMPARE(std::isnan(out[t * 38 + i]), t >= 2 && i == 35);
    }
};

QTEST_APPLESS_MAIN(KernelMixersTest)
#include "tst_kernel_mixers.moc"
