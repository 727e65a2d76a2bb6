// SPDX-License-Identifier: Apache-2.0
// Every tensor that a model of any family may have: one list for the model, one for a layer. Everything that deals with
// all tensors follows from these lists: the look-up in a file (model_tensors.h), the resident weights (weights.h) and
// the kinds of tensors that this program knows. To add a tensor, add an entry. Inside decoder/, and for backends.
//
//   member                 the field's name in ModelTensors and LayerTensors (where it lies in the file), and in
//                          ResidentWeights and LayerWeights (as the kernels take it)
//   form                   Vector: floats in memory, whatever the file's format
//                          Matrix: in memory as the file has it
//                          Streamed: a matrix that the expert store reads
//                          OnDisk: a table of which single rows are read when tokens need them
//   name                   in the file; the name of a layer's tensor follows "blk.N."
//   presence               whether a file has it; onlyIf(x) is Required or Never
//   columns, rows, count   its shape; count is the number of experts if one tensor holds them all
//
// An entry may use m (the ModelShape), a (its Architecture), l (the LayerShape) and f (the layer's FeedForwardShape); a
// name may use a and f only. sharedName(a, x, y) is x in families with a dense part beside the experts. byKind(f, x, y)
// is x in a dense layer and y in a layer with experts. attends(l, x) is x in a layer with attention and Never in the
// others; hasKeys(l, x) is x where that has keys and values of its own; recurs(l) and recurs(l, condition) are Required
// in a layer by the delta rule, if the condition holds, and Never otherwise; convolves(l) is Required in a layer with a
// short convolution.
#pragma once

// clang-format off
#define COTERIE_MODEL_TENSORS(X) \
    X(embedding,       Matrix,   "token_embd.weight",         Required,            m.width, m.vocabulary, 1) \
    X(outputNorm,      Vector,   a.outputNorm,                Required,            m.width, 1, 1) \
    X(head,            Matrix,   "output.weight",             onlyIf(!m.tiedHead), m.width, m.vocabulary, 1) \
    X(ropeFactors,     Vector,   "rope_freqs.weight",         a.ropeFactors,       m.rotation.dimensions / 2, 1, 1) \
    X(headPredictor,   Matrix,   "lm_head_profiler.weight",   onlyIf(m.headPredictorRank != 0), \
                                                       m.headPredictorRank * (m.width + m.vocabulary), 1, 1) \
    X(layerEmbedding,  OnDisk,   "per_layer_token_embd.weight", onlyIf(m.layerEmbedding != 0), \
                                                       m.layerEmbedding * m.layers, m.vocabulary, 1) \
    X(layerProjection, Matrix,   "per_layer_model_proj.weight", onlyIf(m.layerEmbedding != 0), \
                                                       m.width, m.layerEmbedding * m.layers, 1) \
    X(layerProjectionNorm, Vector, "per_layer_proj_norm.weight", onlyIf(m.layerEmbedding != 0), m.layerEmbedding, 1, 1)

#define COTERIE_LAYER_TENSORS(X) \
    X(attentionNorm,   Vector,   "attn_norm.weight",          Required,            m.width, 1, 1) \
    X(query,           Matrix,   "attn_q.weight",      attends(l),                 m.width, l.attention.queryRows(), 1) \
    X(key,             Matrix,   "attn_k.weight",      hasKeys(l),                 m.width, l.attention.keyWidth(), 1) \
    X(value,           Matrix,   "attn_v.weight",      hasKeys(l, onlyIf(!l.attention.keysAreValues)), m.width, l.attention.keyWidth(), 1) \
    X(output,          Matrix,   "attn_output.weight", attends(l),                 l.attention.queryWidth(), m.width, 1) \
    X(queryBias,       Vector,   "attn_q.bias",        attends(l, a.queryBiases),  l.attention.queryRows(), 1, 1) \
    X(keyBias,         Vector,   "attn_k.bias",        hasKeys(l, a.queryBiases),  l.attention.keyWidth(), 1, 1) \
    X(valueBias,       Vector,   "attn_v.bias",        hasKeys(l, a.queryBiases),  l.attention.keyWidth(), 1, 1) \
    X(outputBias,      Vector,   "attn_output.bias",   attends(l, a.outputBias),   m.width, 1, 1) \
    X(queryNorm,       Vector,   "attn_q_norm.weight", attends(l, headNorm(a)), \
                                                       normWidth(l.attention, l.attention.queryWidth()), 1, 1) \
    X(keyNorm,         Vector,   "attn_k_norm.weight", hasKeys(l, headNorm(a)), \
                                                       normWidth(l.attention, l.attention.keyWidth()), 1, 1) \
    X(sinks,           Vector,   "attn_sinks.weight",  attends(l, onlyIf(a.sinks)), l.attention.heads, 1, 1) \
    X(stateInput,      Matrix,   "attn_qkv.weight",    recurs(l),                  m.width, l.deltaRule.channels(), 1) \
    X(stateGate,       Matrix,   "attn_gate.weight",   recurs(l),                  m.width, l.deltaRule.valueWidth(), 1) \
    X(stateTaps,       Vector,   "ssm_conv1d.weight",  recurs(l),                  l.deltaRule.taps, l.deltaRule.channels(), 1) \
    X(stateBeta,       Matrix,   "ssm_beta.weight",    recurs(l, !l.deltaRule.grouped), m.width, l.deltaRule.valueHeads, 1) \
    X(stateAlpha,      Matrix,   "ssm_alpha.weight",   recurs(l, !l.deltaRule.grouped), m.width, l.deltaRule.valueHeads, 1) \
    X(stateGates,      Matrix,   "ssm_ba.weight",      recurs(l, l.deltaRule.grouped), m.width, 2 * l.deltaRule.valueHeads, 1) \
    X(timeStepBias,    Vector,   "ssm_dt.bias",        recurs(l),                  l.deltaRule.valueHeads, 1, 1) \
    X(stateDecay,      Vector,   "ssm_a",              recurs(l),                  l.deltaRule.valueHeads, 1, 1) \
    X(stateNorm,       Vector,   "ssm_norm.weight",    recurs(l),                  l.deltaRule.size, 1, 1) \
    X(stateOutput,     Matrix,   "ssm_out.weight",     recurs(l),                  l.deltaRule.valueWidth(), m.width, 1) \
    X(convolutionInput,  Matrix, "shortconv.in_proj.weight",  convolves(l), m.width, 3 * l.shortConvolution.channels, 1) \
    X(convolutionTaps,   Vector, "shortconv.conv.weight",     convolves(l), \
                                                       l.shortConvolution.taps, l.shortConvolution.channels, 1) \
    X(convolutionOutput, Matrix, "shortconv.out_proj.weight", convolves(l), l.shortConvolution.channels, m.width, 1) \
    X(mixerOutputNorm, Vector,   "post_attention_norm.weight", onlyIf(l.outputNorms), m.width, 1, 1) \
    X(feedForwardNorm, Vector,   a.feedForwardNorm,           Required,            m.width, 1, 1) \
    X(feedForwardOutputNorm, Vector, "post_ffw_norm.weight",  onlyIf(l.outputNorms), m.width, 1, 1) \
    X(layerGate,       Matrix,   "inp_gate.weight",           onlyIf(m.layerEmbedding != 0), m.width, m.layerEmbedding, 1) \
    X(layerOutput,     Matrix,   "proj.weight",               onlyIf(m.layerEmbedding != 0), m.layerEmbedding, m.width, 1) \
    X(layerOutputNorm, Vector,   "post_norm.weight",          onlyIf(m.layerEmbedding != 0), m.width, 1, 1) \
    X(outputScale,     Vector,   "layer_output_scale.weight", onlyIf(l.outputScale),        1, 1, 1) \
    X(router,          Matrix,   "ffn_gate_inp.weight",       onlyIf(!f.isDense()),           m.width, f.experts, 1) \
    X(routerBias,      Vector,   "ffn_gate_inp.bias",         byKind(f, Never, a.expertBiases), f.experts, 1, 1) \
    X(selectionBias,   Vector,   "exp_probs_b.bias",          byKind(f, Never, a.selectionBias), f.experts, 1, 1) \
    X(gateAndUp,       Streamed, "ffn_gate_up_exps.weight",   onlyIf(f.joined), m.width, 2 * f.width, f.experts) \
    X(gate,            Streamed, byKind(f, "ffn_gate.weight", "ffn_gate_exps.weight"), onlyIf(!f.joined), \
                                                              m.width, f.width, f.storedExperts()) \
    X(up,              Streamed, byKind(f, "ffn_up.weight", "ffn_up_exps.weight"), onlyIf(!f.joined), \
                                                              m.width, f.width, f.storedExperts()) \
    X(down,            Streamed, byKind(f, "ffn_down.weight", "ffn_down_exps.weight"), Required, \
          m.transposedDown ? m.width : f.width, m.transposedDown ? f.width : m.width, f.storedExperts()) \
    X(gateBias,        Vector,   byKind(f, "ffn_gate.bias", "ffn_gate_exps.bias"), \
                                 byKind(f, Optional, a.expertBiases), f.width, f.storedExperts(), 1) \
    X(upBias,          Vector,   byKind(f, "ffn_up.bias", "ffn_up_exps.bias"), \
                                 byKind(f, Optional, a.expertBiases), f.width, f.storedExperts(), 1) \
    X(downBias,        Vector,   byKind(f, "ffn_down.bias", "ffn_down_exps.bias"), \
                                 byKind(f, Optional, a.expertBiases), m.width, f.storedExperts(), 1) \
    X(sharedRouter,    Matrix,   "ffn_gate_inp_shexp.weight", onlyIf(f.sharedIsGated),    m.width, 1, 1) \
    X(routerNorm,      Vector,   "ffn_gate_inp.scale",        onlyIf(f.denseBeside),      m.width, 1, 1) \
    X(expertsNorm,     Vector,   "pre_ffw_norm_2.weight",     onlyIf(f.denseBeside),      m.width, 1, 1) \
    X(expertsOutputNorm, Vector, "post_ffw_norm_2.weight",    onlyIf(f.denseBeside),      m.width, 1, 1) \
    X(expertScales,    Vector,   "ffn_down_exps.scale",       onlyIf(f.denseBeside),      f.experts, 1, 1) \
    X(sharedOutputNorm, Vector,  "post_ffw_norm_1.weight",    onlyIf(f.denseBeside),      m.width, 1, 1) \
    X(sharedGate,      Matrix,   sharedName(a, "ffn_gate.weight", "ffn_gate_shexp.weight"), onlyIf(f.sharedWidth != 0), m.width, f.sharedWidth, 1) \
    X(sharedUp,        Matrix,   sharedName(a, "ffn_up.weight", "ffn_up_shexp.weight"),       onlyIf(f.sharedWidth != 0), m.width, f.sharedWidth, 1) \
    X(sharedDown,      Matrix,   sharedName(a, "ffn_down.weight", "ffn_down_shexp.weight"),     onlyIf(f.sharedWidth != 0), f.sharedWidth, m.width, 1)
// clang-format on
