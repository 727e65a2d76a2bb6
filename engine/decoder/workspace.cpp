// SPDX-License-Identifier: Apache-2.0
// See workspace.h.
#include "decoder/workspace.h"

#include "base/rounding.h"
#include "decoder/mixers/attention_tile.h"
#include "kernels/regroup.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// Number of blocks of positions that one token may see.
int64_t keyBlocks(const WorkspaceRequest& request) { return ceilDiv(request.context, kKeyBlock); }

constexpr std::array kForms{VectorForm::Floats, VectorForm::Bytes};

constexpr SaturatingBytes larger(SaturatingBytes a, SaturatingBytes b) { return a.value() > b.value() ? a : b; }

/// Bytes of a vector in the form that takes the most.
SaturatingBytes largestPrepared(const std::array<bool, 2>& forms, int64_t columns) {
    SaturatingBytes most = 0;
    for (const VectorForm form : kForms)
        if (forms[placeOf(form)]) most = larger(most, preparedBytes(form, columns));
    return most;
}

SaturatingBytes times(int64_t n, SaturatingBytes bytes) { return SaturatingBytes(static_cast<uint64_t>(n)) * bytes; }
SaturatingBytes floats(int64_t a, int64_t b) { return times(a, times(b, sizeof(float))); }

// Each of these calls place(array, bytes) for some arrays: once to compute the sum and once to set the addresses. Those
// that take `tokens` call whole(array, bytes) for the arrays that belong to a whole chunk of so many tokens.

template <typename Place, typename Whole>
void layOutAttention(Workspace& w, const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens,
                     Place place, Whole whole) {
    const int64_t n = request.chunk, blocks = keyBlocks(request);
    const auto most = [&shape](const auto& number) {
        return shape.largest(
            [&number](const LayerShape& layer) { return layer.hasAttention() ? number(layer.attention) : int64_t{0}; });
    };
    const auto tileRows = [&request](const AttentionShape& a) { return request.threads * mostTileQueries(a); };
    const auto partRows = [&](const AttentionShape& a) { return std::max(tileRows(a), blocks * a.heads); };
    place(w.query, floats(n, most([](const AttentionShape& a) { return a.queryWidth(); })));
    place(w.queryGates, floats(n, most([](const AttentionShape& a) { return a.gated ? a.queryRows() : 0; })));
    for (float** keys : {&w.key, &w.value})
        place(*keys, floats(n, most([](const AttentionShape& a) { return a.keyWidth(); })));
    whole(w.cosSin, floats(tokens, shape.rotation.dimensions));
    whole(w.windowCosSin, floats(tokens, shape.windowRotation.dimensions));
    place(w.tileQueries, floats(most([&](const AttentionShape& a) { return tileRows(a) * a.headDim; }), 1));
    place(w.scores, floats(most(tileRows), kKeyBlock));
    place(w.softmaxTotals, times(most(tileRows), sizeof(PartialSoftmax)));
    place(w.parts, times(most(partRows), sizeof(PartialSoftmax)));
    place(w.partValues, floats(most([&](const AttentionShape& a) { return partRows(a) * a.headDim; }), 1));
}

template <typename Place>
void layOutStates(Workspace& w, const ModelShape& shape, const WorkspaceRequest& request, Place place) {
    const int64_t n = request.chunk;
    const auto most = [&shape](const auto& number) {
        return shape.largest([&number](const LayerShape& layer) { return number(layer.deltaRule); });
    };
    const int64_t channels = most([](const DeltaRuleShape& d) { return d.channels(); });
    const int64_t convolved = shape.largest([](const LayerShape& layer) { return layer.shortConvolution.channels; });
    place(w.channels, floats(n, std::max(channels, 3 * convolved)));
    place(w.convolved, floats(n, std::max(channels, convolved)));
    place(w.outputGate, floats(n, most([](const DeltaRuleShape& d) { return d.valueWidth(); })));
    const int64_t heads = most([](const DeltaRuleShape& d) { return d.valueHeads; });
    place(w.gates, floats(n, 2 * heads));
    for (float** each : {&w.betas, &w.decays}) place(*each, floats(n, heads));
}

template <typename Place, typename Whole>
void layOutFeedForward(Workspace& w, const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens,
                       Place place, Whole whole) {
    const int64_t n = request.chunk, experts = shape.mostExperts(), rows = n * shape.mostChosenExperts();
    // The rows of a layer, in neurons; the shared expert runs after the others.
    const int64_t neurons = n * shape.largest([](const LayerShape& layer) {
        return std::max(layer.feedForward.chosenExperts() * layer.feedForward.width, layer.feedForward.sharedWidth);
    });
    for (float** rowNeurons : {&w.gate, &w.up}) place(*rowNeurons, floats(neurons, 1));
    whole(w.down, floats(tokens * shape.mostChosenExperts(), shape.width));
    SaturatingBytes preparedDown = 0;
    for (const LayerShape& each : shape.layer) {
        const FeedForwardShape& layer = each.feedForward;
        preparedDown =
            larger(preparedDown, times(layer.chosenExperts(), largestPrepared(request.forms.down, layer.width)));
        preparedDown = larger(preparedDown, largestPrepared(request.forms.down, layer.sharedWidth));
    }
    place(w.preparedDown, times(n, preparedDown));
    const int64_t listed = shape.transposedDown ? neurons : 0;
    place(w.activeRows, floats(listed, 1));
    place(w.activeScales, floats(listed, 1));
    place(w.regrouping, times(std::min(kSliceRows, shape.width), request.regroupedRow));
    place(w.restored, times(request.threads * kBandRows, request.regroupedRow));
    for (const VectorForm form : kForms)
        place(w.gathered[placeOf(form)],
              times(experts != 0 && request.forms.input[placeOf(form)] ? rows : 0, preparedBytes(form, shape.width)));
}

template <typename Place, typename Whole>
void layOutRouting(Workspace& w, const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens, Place place,
                   Whole whole) {
    const int64_t n = request.chunk, experts = shape.mostExperts();
    const bool own = shape.countOf([](const LayerShape& layer) { return layer.feedForward.denseBeside; }) != 0;
    whole(w.routerInput, floats(own ? tokens : 0, shape.width));
    whole(w.routerLogits, floats(tokens, experts));
    const int64_t guessed = experts != 0 ? kGuessQuestions : 0;
    place(w.guessInputs, floats(guessed, shape.width));
    for (const VectorForm form : kForms)
        place(w.guessPrepared[placeOf(form)], times(guessed, preparedBytes(form, shape.width)));
    place(w.guessLogits, floats(guessed, experts));
    place(w.sharedWeights, floats(shape.widestSharedExpert() != 0 ? n : 0, 1));
}

template <typename Place, typename Whole>
void layOut(Workspace& w, const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens, Place place,
            Whole whole) {
    // For arrays that computing experts doesn't need.
    const auto unless = [&](auto bytes) { return request.expertsOnly ? decltype(bytes)(0) : bytes; };
    const auto rest = [&](auto*& array, auto bytes) { place(array, unless(bytes)); };
    const auto wholeRest = [&](auto*& array, auto bytes) { whole(array, unless(bytes)); };
    const int64_t n = request.chunk;
    for (float** vectors : {&w.x, &w.normed}) wholeRest(*vectors, floats(tokens, shape.width));
    const bool sums = shape.countOf([](const LayerShape& layer) { return layer.outputNorms; }) != 0;
    wholeRest(w.blockOut, floats(sums ? tokens : n, shape.width));
    rest(w.attended, floats(n, shape.mixedWidth()));
    layOutAttention(w, shape, request, tokens, rest, wholeRest);
    layOutStates(w, shape, request, rest);
    rest(w.layerInputs, times(n, floats(shape.layers, shape.layerEmbedding)));
    rest(w.layerRow, times(request.threads, floats(shape.layers, shape.layerEmbedding)));
    rest(w.layerGates, floats(n, shape.layerEmbedding));
    const int64_t prepared = std::max({shape.width, shape.mixedWidth(), shape.layerEmbedding});
    for (const VectorForm form : kForms)
        whole(w.prepared[placeOf(form)],
              larger(times(n, preparedBytes(form, prepared)), times(tokens, preparedBytes(form, shape.width))));
    layOutFeedForward(w, shape, request, tokens, place, whole);
    layOutRouting(w, shape, request, tokens, rest, wholeRest);
    rest(w.logits, floats(kHeadBatch, shape.vocabulary));
    rest(w.reduced, floats(shape.headPredictorRank, 1));
    rest(w.preparedReduced, largestPrepared({true, true}, shape.headPredictorRank));
}

/// Passes over an array without changing anything.
constexpr auto kLeave = [](auto*&, SaturatingBytes) {};

/// Sets the addresses of arrays one after the other, from `next` on.
auto placeFrom(std::byte*& next) {
    return [&next](auto*& array, SaturatingBytes bytes) {
        array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
        next += alignedSize(bytes).value();
    };
}

} // namespace

SaturatingBytes Workspace::bytesNeeded(const ModelShape& shape, const WorkspaceRequest& request) {
    Workspace nowhere;
    SaturatingBytes total = 0;
    const auto add = [&total](auto*&, SaturatingBytes bytes) { total += alignedSize(bytes); };
    layOut(nowhere, shape, request, request.chunk, add, add);
    return total;
}

SaturatingBytes Workspace::longBytesNeeded(const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens) {
    Workspace nowhere;
    SaturatingBytes total = kLineBytes; // arrays begin on cache lines
    layOut(nowhere, shape, request, tokens, kLeave,
           [&total](auto*&, SaturatingBytes bytes) { total += alignedSize(bytes); });
    return total;
}

Result<Workspace> Workspace::create(const ModelShape& shape, const WorkspaceRequest& request) {
    Workspace workspace;
    Result<Buffer> buffer =
        Buffer::allocate(bytesNeeded(shape, request).value(), "There is no memory for the activations");
    if (!buffer) return buffer.error();
    workspace.buffer = std::move(buffer).value();
    std::byte* next = workspace.buffer.data();
    layOut(workspace, shape, request, request.chunk, placeFrom(next), placeFrom(next));
    return workspace;
}

void Workspace::lengthen(const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens,
                         std::span<std::byte> memory) {
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    std::byte* next = memory.data() + (roundUp(address, kLineBytes) - address);
    layOut(*this, shape, request, tokens, kLeave, placeFrom(next));
}

/// The other arrays keep their addresses, which other threads may read meanwhile.
void Workspace::shorten(const ModelShape& shape, const WorkspaceRequest& request) {
    std::byte* next = buffer.data();
    layOut(
        *this, shape, request, request.chunk,
        [&next](auto*&, SaturatingBytes bytes) { next += alignedSize(bytes).value(); }, placeFrom(next));
}

} // namespace coterie::engine
