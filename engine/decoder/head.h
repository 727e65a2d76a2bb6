// SPDX-License-Identifier: Apache-2.0
// The last step of a pass: logits of normed states. A single token may have the rows alone that a predictor expects to
// matter: the file's own where it has one, else one derived from the head. Inside decoder/ only.
//
// The file's predictor (SmallThinker, arXiv:2507.20984): a row counts when (expand reduce x) > 0 for the normed state
// x. The derived one (head_sketch.h): a few rows with the highest guesses are computed; the n-th best of their logits
// is a limit that the n best of all rows reach, and a row counts when its guess and the margin reach it too.
#pragma once

#include "decoder/compute.h"
#include "decoder/head_agreement.h"
#include "decoder/head_sketch.h"
#include "decoder/weights.h"
#include "decoder/workspace.h"
#include "gguf/token_id.h"

#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

class Head {
  public:
    Head(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ResidentWeights& weights);

    /// Makes the derived predictor, with what was measured of it before. Without memory for it there is none.
    void deriveSketch(const HeadAgreement& measured);
    uint64_t sketchBytes() const { return sketch_ ? sketch_->bytes() : 0; }
    const HeadAgreement& agreement() const { return agreement_; }

    bool canPredict() const {
        return weights_.predictorExpand.data != nullptr || (sketch_ && agreement_.settled() && agreement_.good());
    }
    /// states: [tokens, width], at most kHeadBatch tokens -> workspace.logits; all rows.
    void run(PreparedInputs& states) const;
    /// states: [1, width] -> workspace.logits: the predicted rows and those of `kept`, to the same bits as run() has
    /// them, and minus infinity for the others. `best`: how many of the highest logits shall be among them (the file's
    /// predictor has a mind of its own). Returns how many were computed. canPredict() is true.
    int64_t runPredicted(PreparedInputs& states, std::span<const TokenId> kept, int64_t best);

    /// The derived predictor is yet to be measured.
    bool isLearning() const { return sketch_ && !agreement_.settled(); }
    /// States that learn() takes at a time.
    static constexpr int64_t kLearningBatch = kHeadBatch - 1;
    /// Measures it on states: [tokens, width], at most kLearningBatch, whose logits run() has just computed.
    void learn(PreparedInputs& states);

  private:
    using Form = PreparedInputs::Form;
    /// The row of a block with the highest guess.
    struct Candidate {
        float bound = 0;
        int64_t row = 0;
    };

    int64_t runByFile(PreparedInputs& states, const Form& state);
    int64_t runBySketch(PreparedInputs& states, const Form& state, int64_t best);
    template <typename Wanted>
    int64_t runWhere(const Form& state, int64_t begin, int64_t end, const Wanted& wanted) const;
    int64_t runKept(const Form& state, std::span<const TokenId> kept) const;
    void runRows(const Form& state, int64_t begin, int64_t end) const;

    float* bounds() const { return workspace_.logits + (kHeadBatch - 1) * shape_.vocabulary; }
    void guessAll(const HeadSketch::State& state, float margin);
    std::span<Candidate> bestCandidates(int64_t best);
    static float limit(std::span<Candidate> candidates, int64_t best);
    void chooseMargin(const HeadSketch::State& state, const float* logits);
    void judgeMargin(const HeadSketch::State& state, const float* logits);

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    const ResidentWeights& weights_;
    std::optional<HeadSketch> sketch_;
    HeadAgreement agreement_;
    std::vector<Candidate> candidates_; // of each block of rows
};

} // namespace coterie::engine
