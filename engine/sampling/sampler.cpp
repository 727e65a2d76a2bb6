// SPDX-License-Identifier: Apache-2.0
// The filters of the sampler, and the draw among the tokens that they leave.
//
// A draw goes through the candidates that are left, best first (in id order if neither top-k nor top-p is on), adds up
// their weights in double, and takes the first at which the sum exceeds u * total, u being SplitMix64's next number in
// [0, 1).
#include "sampling/sampler.h"

#include "sampling/sampling_limits.h"

#include "sampling/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace coterie::engine {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

struct Candidate {
    TokenId id;
    float logit;
    double weight; ///< exp((logit - best) / temperature)
};

bool better(const Candidate& a, const Candidate& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; }

Error outOfRange(const char* option, Sentence why) {
    return {ErrorKind::BadInput,
            {"The sampling option %1 is out of range", option},
            std::move(why),
            "Choose a value in that range"};
}

bool within(float value, float low, float high) { return value >= low && value <= high; } // false for NaN

/// NaN and minus infinity never win. Plus infinity becomes a finite number, so that differences of logits exist.
float usable(float logit) {
    if (std::isnan(logit)) return kNever;
    return std::min(logit, std::numeric_limits<float>::max());
}

bool penalises(const SamplingOptions& o) {
    return o.repetitionPenalty != 1.0f || o.presencePenalty != 0.0f || o.frequencyPenalty != 0.0f;
}

/// The tokens of the last `window` accept() calls, with their counts.
class RecentTokens {
  public:
    explicit RecentTokens(int window) : ring_(static_cast<size_t>(window)) {}

    void add(TokenId token) {
        if (ring_.empty()) return;
        TokenId& place = ring_[next_];
        if (filled_ == ring_.size())
            forget(place);
        else
            ++filled_;
        place = token;
        ++counts_[token];
        next_ = (next_ + 1) % ring_.size();
    }
    const std::unordered_map<TokenId, int>& counts() const { return counts_; }

  private:
    void forget(TokenId token) {
        const auto found = counts_.find(token);
        if (--found->second == 0) counts_.erase(found);
    }

    std::vector<TokenId> ring_;
    size_t next_ = 0, filled_ = 0;
    std::unordered_map<TokenId, int> counts_;
};

/// Returns the token with the highest logit, the first of equal ones, or -1 if none can win. It works in lanes, so that
/// compilers compare many at a time.
TokenId greatest(std::span<const float> logits) {
    constexpr size_t lanes = 16;
    std::array<float, lanes> largest;
    largest.fill(kNever);
    size_t i = 0;
    for (; i + lanes <= logits.size(); i += lanes)
        for (size_t lane = 0; lane < lanes; ++lane) // NaN is never greater
            largest[lane] = logits[i + lane] > largest[lane] ? logits[i + lane] : largest[lane];
    for (; i < logits.size(); ++i) largest[0] = logits[i] > largest[0] ? logits[i] : largest[0];
    const float top = usable(*std::max_element(largest.begin(), largest.end()));
    if (top == kNever) return -1;
    const auto wins = [top](float logit) { return usable(logit) == top; };
    return static_cast<TokenId>(std::find_if(logits.begin(), logits.end(), wins) - logits.begin());
}

} // namespace

Status checkSamplingOptions(const SamplingOptions& o) {
    constexpr float kLimit = SamplingLimits::kPenalty;
    if (!within(o.temperature, 0, SamplingLimits::kTemperature))
        return outOfRange("temperature", {"It must be between %1 and %2", 0, 100});
    if (o.topK < 0) return outOfRange("top-k", "It must be 0 (off) or more");
    if (!within(o.topP, 0, 1)) return outOfRange("top-p", {"It must be between %1 and %2", 0, 1});
    if (!within(o.minP, 0, 1)) return outOfRange("min-p", {"It must be between %1 and %2", 0, 1});
    if (!within(o.repetitionPenalty, SamplingLimits::kLeastRepetition, kLimit))
        return outOfRange("repetition penalty", {"It must be between %1 and %2", 0.001, 100});
    if (!within(o.presencePenalty, -kLimit, kLimit))
        return outOfRange("presence penalty", {"It must be between %1 and %2", -100, 100});
    if (!within(o.frequencyPenalty, -kLimit, kLimit))
        return outOfRange("frequency penalty", {"It must be between %1 and %2", -100, 100});
    if (o.penaltyWindow < 0 || o.penaltyWindow > SamplingLimits::kPenaltyWindow)
        return outOfRange("penalty window",
                          {"It must be between %1 and %2 tokens", 0, int64_t{SamplingLimits::kPenaltyWindow}});
    return {};
}

std::optional<int64_t> logitsThatCount(const SamplingOptions& o) {
    if (o.temperature != 0 && o.topK == 0) return std::nullopt;
    const int64_t drawn = o.temperature == 0 ? 1 : o.topK;
    if (!penalises(o)) return drawn;
    // A token that rises may come from anywhere; those that fall make room for as many others.
    if (o.repetitionPenalty < 1 || o.presencePenalty < 0 || o.frequencyPenalty < 0) return std::nullopt;
    return drawn + o.penaltyWindow;
}

struct Sampler::State {
    State(const SamplingOptions& o, int64_t vocabularySize)
        : options(o), vocabulary(vocabularySize), seed(o.seed ? *o.seed : freshSeed()), random(seed),
          recent(penalises(o) ? o.penaltyWindow : 0) {}

    float penalised(float logit, int count) const;
    void loadCandidates(std::span<const float> logits);
    TokenId best() const;
    void keepTopK();
    void weigh();
    void keepMinP();
    void keepTopP(double total);
    TokenId draw();

    SamplingOptions options;
    int64_t vocabulary;
    uint64_t seed;
    SplitMix64 random;
    RecentTokens recent;
    std::vector<Candidate> candidates; ///< the tokens that are left; memory is used again
    bool sorted = false;               ///< candidates are in order, best first
};

/// The result is finite: a token stays in the draw, whatever its penalties are.
float Sampler::State::penalised(float logit, int count) const {
    constexpr float kLargest = std::numeric_limits<float>::max();
    const float repeated = logit > 0 ? logit / options.repetitionPenalty : logit * options.repetitionPenalty;
    const float lowered = repeated - options.presencePenalty - options.frequencyPenalty * static_cast<float>(count);
    return std::clamp(lowered, -kLargest, kLargest);
}

/// Fills `candidates` with every token that may win, in id order, penalties applied.
void Sampler::State::loadCandidates(std::span<const float> logits) {
    const auto& counts = recent.counts();
    const size_t n = std::min(logits.size(), static_cast<size_t>(vocabulary));
    candidates.clear();
    sorted = false;
    for (size_t i = 0; i < n; ++i) {
        const float logit = usable(logits[i]);
        if (logit != kNever) candidates.push_back({static_cast<TokenId>(i), logit, 0});
    }
    for (const auto& [token, count] : counts) {
        const auto found = std::lower_bound(candidates.begin(), candidates.end(), token,
                                            [](const Candidate& c, TokenId id) { return c.id < id; });
        if (found != candidates.end() && found->id == token) found->logit = penalised(found->logit, count);
    }
}

TokenId Sampler::State::best() const { return std::min_element(candidates.begin(), candidates.end(), better)->id; }

void Sampler::State::keepTopK() {
    const size_t k = static_cast<size_t>(options.topK);
    if (k == 0 || k >= candidates.size()) return;
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(candidates.begin(), end, candidates.end(), better); // a heap of k: few moves when k is small
    candidates.resize(k);
    sorted = true;
}

void Sampler::State::weigh() {
    const float top = std::min_element(candidates.begin(), candidates.end(), better)->logit;
    for (Candidate& c : candidates)
        c.weight = std::exp((static_cast<double>(c.logit) - top) / static_cast<double>(options.temperature));
}

/// Min-p keeps a prefix of the ranking, as top-p does, and uses only weights relative to the best. So it may run before
/// top-p without changing the result of both, and it leaves top-p far fewer candidates to sort.
void Sampler::State::keepMinP() {
    if (options.minP <= 0) return;
    const double least = static_cast<double>(options.minP); // the best one's weight is 1
    std::erase_if(candidates, [least](const Candidate& c) { return c.weight < least; });
}

/// total: the weights of all candidates that top-k left, including those that min-p has removed.
void Sampler::State::keepTopP(double total) {
    if (options.topP >= 1) return;
    const double wanted = static_cast<double>(options.topP) * total;
    const auto worse = [](const Candidate& a, const Candidate& b) { return better(b, a); };
    if (!sorted) std::make_heap(candidates.begin(), candidates.end(), worse);
    auto heapEnd = candidates.end(); // the best so far gather after it, last first
    double sum = 0;
    size_t kept = 0;
    while (kept < candidates.size() && (kept == 0 || sum < wanted)) {
        if (!sorted) std::pop_heap(candidates.begin(), heapEnd--, worse);
        sum += sorted ? candidates[kept].weight : heapEnd->weight;
        ++kept;
    }
    if (!sorted) std::reverse(candidates.begin(), candidates.end());
    candidates.resize(kept);
    sorted = true;
}

TokenId Sampler::State::draw() {
    const auto add = [](double sum, const Candidate& c) { return sum + c.weight; };
    const double goal = random.nextUnit() * std::accumulate(candidates.begin(), candidates.end(), 0.0, add);
    double sum = 0;
    for (const Candidate& c : candidates) {
        sum += c.weight;
        if (sum > goal) return c.id;
    }
    return candidates.back().id; // goal is below the total, but rounding may reach it
}

Sampler::Sampler(const SamplingOptions& options, int64_t vocabulary)
    : state_(std::make_unique<State>(options, vocabulary)) {}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

uint64_t Sampler::seed() const { return state_->seed; }

void Sampler::accept(TokenId token) {
    if (token >= 0 && token < state_->vocabulary) state_->recent.add(token);
}

TokenId Sampler::pick(std::span<const float> logits) {
    State& s = *state_;
    if (s.options.temperature == 0 && !penalises(s.options))
        return greatest(logits.first(std::min(logits.size(), static_cast<size_t>(s.vocabulary))));
    s.loadCandidates(logits);
    if (s.candidates.empty()) return -1;
    if (s.options.temperature == 0) return s.best();
    s.keepTopK();
    s.weigh();
    const double total = std::accumulate(s.candidates.begin(), s.candidates.end(), 0.0,
                                         [](double sum, const Candidate& c) { return sum + c.weight; });
    s.keepMinP();
    s.keepTopP(total);
    return s.draw();
}

} // namespace coterie::engine
