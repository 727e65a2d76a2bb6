// SPDX-License-Identifier: Apache-2.0
// The last step of a pass: logits of normed states. For a single token only the rows that a predictor expects to matter
// may be computed: the predictor comes from the file or is derived from the head. Inside decoder/ only.
//
// The file's predictor (SmallThinker, arXiv:2507.20984): a row is computed if (expand reduce x) > 0 for the normed
// state x. The derived predictor (head_sketch.h): a few rows with the highest guesses are computed first. The n-th best
// of their logits is a limit that the n best of all rows reach. A row is computed if its guess plus the margin reaches
// that limit; the first ones that reach it stay, whatever their guesses are. If a predictor expects no row, all are
// computed.
#pragma once

#include "decoder/compute.h"
#include "decoder/head_agreement.h"
#include "decoder/head_sketch.h"
#include "decoder/workspace.h"
#include "gguf/token_id.h"
#include "model/weights.h"

#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

class Head {
  public:
    Head(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ResidentWeights& weights);

    /// Makes the derived predictor; measured: its measurements from an earlier run. Without memory for it there is
    /// none.
    void deriveSketch(const HeadAgreement& measured);
    uint64_t sketchBytes() const { return sketch_ ? sketch_->bytes() : 0; }
    const HeadAgreement& agreement() const { return agreement_; }

    bool canPredict() const {
        return weights_.predictorExpand.data != nullptr || (sketch_ && agreement_.settled() && agreement_.good());
    }
    /// Computes all rows. states: [tokens, width], at most kHeadBatch tokens -> workspace.logits.
    void run(PreparedInputs& states) const;
    /// states: [1, width] -> workspace.logits: the predicted rows and the rows in `kept`, with the same bits as from
    /// run(), and minus infinity for the others. `best`: how many of the highest logits should be among them; the
    /// file's predictor ignores it. Returns how many rows were computed. Requires canPredict().
    int64_t runPredicted(PreparedInputs& states, std::span<const TokenId> kept, int64_t best);

    /// Whether the derived predictor still has to be measured.
    bool isLearning() const { return sketch_ && !agreement_.settled(); }
    /// Number of states that learn() takes at a time.
    static constexpr int64_t kLearningBatch = kHeadBatch - 1;
    /// Measures the derived predictor on states whose logits run() has just computed: [tokens, width], at most
    /// kLearningBatch.
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
    int64_t putBack(std::span<const Candidate> candidates, float limit) const;
    void calibrate(const HeadSketch::State& state, const float* logits);
    void validate(const HeadSketch::State& state, const float* logits);

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    const ResidentWeights& weights_;
    std::optional<HeadSketch> sketch_;
    HeadAgreement agreement_;
    std::vector<Candidate> candidates_; // one for each block of rows
};

} // namespace coterie::engine
