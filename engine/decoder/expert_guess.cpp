// SPDX-License-Identifier: Apache-2.0
// See expert_guess.h.
#include "decoder/expert_guess.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace coterie::engine {
namespace {

/// How many layers ahead a guess looks: far enough for a read to end in time, and near enough to come true often. Each
/// distance costs one more run of a router.
constexpr int kAhead[] = {1, 2, 4};
constexpr size_t kLooks = std::size(kAhead);
constexpr int kFurthest = kAhead[kLooks - 1];
static_assert(kLooks <= kGuessQuestions);
/// A guess costs a slot and may delay a needed expert by one small read; a right guess saves a wait.
constexpr double kWorthReading = 0.4;
/// The shares are moving averages over about 30 guesses.
constexpr double kForgetting = 1.0 / 32;

/// The selectionMargins() of router.h are counted in steps. Below the least margin hardly any guess comes true.
constexpr int kMarginSteps = 12;
constexpr float kLeastMargin = -0.24F, kMarginStep = 0.08F;
constexpr int8_t kNoGuess = -1;

int8_t stepOf(float margin) {
    if (!(margin >= kLeastMargin)) return kNoGuess; // true for NaN too
    return static_cast<int8_t>(std::min((margin - kLeastMargin) / kMarginStep, static_cast<float>(kMarginSteps - 1)));
}

/// The norm of the residual stream that the router reads.
const float* routerNormOf(const LayerWeights& weights) {
    return weights.routerNorm != nullptr ? weights.routerNorm : weights.feedForwardNorm;
}

/// The share to start with: about the share of a generated SmallThinker at two layers ahead. Other models soon have
/// counted their own shares.
double shareAtFirst(int step) {
    constexpr double steepness = 7;
    const double margin = static_cast<double>(kLeastMargin) + (step + 0.5) * static_cast<double>(kMarginStep);
    return 1 / (1 + std::exp(-steepness * margin));
}

} // namespace

ExpertGuesses::ExpertGuesses(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                             std::span<const LayerWeights> layers)
    : shape_(shape), compute_(compute.kernels, compute.pool, counters_, compute.shortcuts, compute.meter),
      workspace_(workspace), store_(store), layers_(layers), mostExperts_(static_cast<size_t>(shape.mostExperts())) {
    for (const LayerShape& layer : shape.layer)
        storedExperts_ += static_cast<uint64_t>(layer.feedForward.storedExperts());
    comesTrue_.resize(kLooks * kMarginSteps);
    for (size_t i = 0; i < comesTrue_.size(); ++i) comesTrue_[i] = shareAtFirst(static_cast<int>(i) % kMarginSteps);
    made_.assign(layers.size() * kLooks * mostExperts_, kNoGuess);
    choices_.resize(static_cast<size_t>(shape.mostChosenExperts()));
    cached_.resize(mostExperts_);
    scratch_.resize(mostExperts_);
    questions_.reserve(kGuessQuestions);
    products_.reserve(kGuessQuestions);
    votes_.resize(mostExperts_);
    byVotes_.resize(mostExperts_);
    hints_.reserve(std::max((kFurthest + 1) * mostExperts_, layers.size()));
}

void ExpertGuesses::make(int layer, int64_t tokens) {
    if (store_.slotUse().used == storedExperts_) return; // nothing is on disk
    hints_.clear();
    if (shape_.isDense()) return hintNextLayers(layer, store_.counts().waitSeconds);
    const int layers = static_cast<int>(layers_.size());
    if (tokens == 1) {
        guessFor(layer);
        collect(layer);
    } else if (layer + 1 < layers) {
        guessForMany(layer + 1, tokens);
    }
    store_.prefetch(hints_);
}

/// Gives hints about as many next layers as are needed to avoid waiting, and no more: a layer that is read too early
/// evicts one that would have stayed until its turn, and in the end nearly every layer is read for every token. After
/// each wait it looks one layer farther, after a round without a wait one layer less. A round then takes little longer
/// than the slower of computing and of reading the layers that do not fit.
void ExpertGuesses::hintNextLayers(int layer, double waitSeconds) {
    const int layers = static_cast<int>(layers_.size());
    if (waitSeconds > waitSeconds_) {
        ahead_ = std::min(ahead_ + 1, layers - 1);
        sinceWait_ = 0;
    } else if (++sinceWait_ >= layers) {
        ahead_ = std::max(ahead_ - 1, 1);
        sinceWait_ = 0;
    }
    waitSeconds_ = waitSeconds;
    for (int i = 1; i < layers; ++i) {
        const int next = (layer + i) % layers; // after the last layer comes the next pass
        if (i <= ahead_ || store_.state(next, 0) == ExpertState::Arriving) hints_.push_back({next, 0});
    }
    store_.prefetch(hints_);
}

/// Runs the routers of the questions on workspace.x as it is now. The results are scores(), in the order of the
/// questions.
void ExpertGuesses::ask(std::span<const Question> questions) {
    if (questions.empty()) return;
    const bool normed = shape_.routerInput == RouterInput::NormedAttentionOutput;
    for (size_t i = 0; i < questions.size(); ++i) {
        const float* x = workspace_.x + questions[i].token * shape_.width;
        float* to = workspace_.guessInputs + static_cast<int64_t>(i) * shape_.width;
        if (normed)
            compute_.kernels.rmsNorm(x, routerNormOf(layers_[questions[i].layer]), shape_.width, shape_.normEpsilon,
                                     to);
        else
            std::copy_n(x, shape_.width, to);
    }
    PreparedInputs input(workspace_.guessPrepared);
    input.set(workspace_.guessInputs, shape_.width, static_cast<int64_t>(questions.size()));
    products_.clear();
    for (size_t i = 0; i < questions.size(); ++i) {
        const Matrix& router = layers_[questions[i].layer].router;
        if (i > 0 && questions[i].layer == questions[i - 1].layer) {
            ++products_.back().batch;
            continue;
        }
        const PreparedInputs::Form form = input.form(compute_, router.type);
        products_.push_back({router,
                             {form.data + i * form.stride, form.stride},
                             1,
                             scores(i).data(),
                             static_cast<int64_t>(mostExperts_)});
    }
    multiplyAll(compute_, products_);
    for (size_t i = 0; i < questions.size(); ++i) {
        const LayerWeights& weights = layers_[questions[i].layer];
        const std::span<float> logits = scores(i);
        for (size_t e = 0; weights.routerBias != nullptr && e < logits.size(); ++e) logits[e] += weights.routerBias[e];
        selectionScores(shapeOf(questions[i].layer).router, logits, weights.selectionBias, logits);
    }
}

std::span<float> ExpertGuesses::scores(size_t question) const {
    return {workspace_.guessLogits + question * mostExperts_,
            static_cast<size_t>(shapeOf(questions_[question].layer).experts)};
}

std::span<int8_t> ExpertGuesses::madeFor(int layer, size_t look) {
    const auto at = static_cast<size_t>(layer);
    return std::span(made_).subspan((at * kLooks + look) * mostExperts_, static_cast<size_t>(shapeOf(at).experts));
}

double& ExpertGuesses::shareOf(size_t look, int8_t step) {
    return comesTrue_[look * kMarginSteps + static_cast<size_t>(step)];
}

/// A dense layer always uses its one expert. Returns whether the layer is dense.
bool ExpertGuesses::guessDense(int layer) {
    if (!shapeOf(static_cast<size_t>(layer)).isDense()) return false;
    if (store_.state(layer, 0) != ExpertState::InMemory) hints_.push_back({layer, 0});
    return true;
}

/// Guesses for a single token, at each distance. After the last layer comes the first layer of the next token.
void ExpertGuesses::guessFor(int layer) {
    questions_.clear();
    for (size_t look = 0; look < kLooks; ++look) {
        const size_t next = (static_cast<size_t>(layer) + static_cast<size_t>(kAhead[look])) % layers_.size();
        if (kAhead[look] < static_cast<int>(layers_.size()) && !shapeOf(next).isDense())
            questions_.push_back({next, 0, look});
    }
    ask(questions_);
    for (size_t i = 0; i < questions_.size(); ++i) {
        const int next = static_cast<int>(questions_[i].layer);
        const std::span<float> margins = scores(i);
        for (size_t e = 0; preferCached_ != 0 && e < margins.size(); ++e)
            cached_[e] = store_.state(next, static_cast<int>(e)) != ExpertState::OnDisk;
        addCachedBonus(margins, preferCached_, cached_);
        selectionMargins(margins, static_cast<size_t>(shapeOf(questions_[i].layer).expertsPerToken), scratch_);
        const std::span<int8_t> made = madeFor(next, questions_[i].look);
        for (size_t e = 0; e < made.size(); ++e) {
            made[e] = stepOf(margins[e]);
            if (made[e] != kNoGuess && store_.state(next, static_cast<int>(e)) == ExpertState::InMemory)
                made[e] = kNoGuess;
        }
    }
}

/// Collects hints about later layers from the latest guesses: the next layer first, and within a layer the likeliest.
void ExpertGuesses::collect(int layer) {
    const int layers = static_cast<int>(layers_.size());
    size_t look = 0;
    for (int ahead = 1; ahead <= std::min(kFurthest, layers - 1); ++ahead) {
        if (ahead > kAhead[look]) ++look;
        const int next = (layer + ahead) % layers;
        if (guessDense(next)) continue;
        const std::span<const int8_t> made = madeFor(next, look);
        const auto share = [&](int expert) { return shareOf(look, made[static_cast<size_t>(expert)]); };
        const size_t first = hints_.size();
        for (int expert = 0; expert < static_cast<int>(made.size()); ++expert)
            if (made[static_cast<size_t>(expert)] != kNoGuess && share(expert) >= kWorthReading)
                hints_.push_back({next, expert});
        std::sort(hints_.begin() + static_cast<std::ptrdiff_t>(first), hints_.end(),
                  [&share](const PrefetchHint& a, const PrefetchHint& b) {
                      return share(a.expert) != share(b.expert) ? share(a.expert) > share(b.expert)
                                                                : a.expert < b.expert;
                  });
    }
}

/// Guesses for a chunk, which uses most experts of each layer. The hints begin with the experts that most of its tokens
/// would choose.
void ExpertGuesses::guessForMany(int layer, int64_t tokens) {
    if (guessDense(layer)) return;
    questions_.clear();
    const int64_t looked = std::min<int64_t>(tokens, kGuessQuestions);
    for (int64_t i = 0; i < looked; ++i)
        questions_.push_back({static_cast<size_t>(layer), tokens * (i + 1) / looked - 1, 0});
    ask(questions_);
    const auto experts = static_cast<size_t>(shapeOf(static_cast<size_t>(layer)).experts);
    const auto chosen =
        std::span(choices_).first(static_cast<size_t>(shapeOf(static_cast<size_t>(layer)).expertsPerToken));
    std::fill(votes_.begin(), votes_.end(), 0);
    for (size_t i = 0; i < questions_.size(); ++i) {
        rankExperts(scores(i), chosen);
        for (const Choice& choice : chosen) ++votes_[static_cast<size_t>(choice.expert)];
    }
    const std::span<int32_t> byVotes = std::span(byVotes_).first(experts);
    std::iota(byVotes.begin(), byVotes.end(), 0);
    const auto votes = [this](int32_t expert) { return votes_[static_cast<size_t>(expert)]; };
    std::sort(byVotes.begin(), byVotes.end(),
              [&votes](int32_t a, int32_t b) { return votes(a) != votes(b) ? votes(a) > votes(b) : a < b; });
    for (const int32_t expert : byVotes)
        if (votes(expert) > 0 && store_.state(layer, expert) != ExpertState::InMemory)
            hints_.push_back({layer, expert});
}

void ExpertGuesses::check(int layer, std::span<const int64_t> wanted) {
    for (size_t look = 0; look < kLooks; ++look) {
        const std::span<int8_t> made = madeFor(layer, look);
        for (size_t e = 0; e < made.size(); ++e) {
            const int8_t step = std::exchange(made[e], kNoGuess);
            if (step == kNoGuess) continue;
            double& share = shareOf(look, step);
            share += kForgetting * ((wanted[e] > 0 ? 1 : 0) - share);
        }
    }
}

} // namespace coterie::engine
