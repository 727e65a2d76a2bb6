# SPDX-License-Identifier: Apache-2.0
"""Shapes of published models, from their configurations, and the metadata and tensors that their GGUF files have. MODELS is the table of
resources/models.md: a new row there is a row here."""
import dataclasses

from sparse_model import BF16, F32, MXFP4, Q4_0, Q4_K, Q5_K, Q6_K, Q8_0, fitting, vocabulary

SPLIT_RULES = {"llama": "llama-bpe", "smollm3": "smaug-bpe", "olmoe": "olmo", "gpt-oss": "gpt-4o", "glm4moe": "glm4", "lfm2": "lfm2", "lfm2moe": "lfm2",
               "qwen35": "qwen35", "qwen35moe": "qwen35", "gemma3": "default", "gemma4": "gemma4"}
USUAL_SPLIT_RULE = "qwen2"
FEED_FORWARD_NORM = {"glm4moe", "gpt-oss", "qwen35", "qwen35moe", "qwen3next"}  # called post_attention_norm there
HEAD_NORM = {"qwen3", "qwen3moe", "olmoe", "qwen35", "qwen35moe", "qwen3next", "lfm2", "lfm2moe", "gemma3", "gemma4"}
STATE, KEY_HEADS, TAPS = 128, 16, 4  # sizes of the delta rule, alike in all of Qwen's models
SHORT_TAPS = 3  # values of LFM2's short convolutions


@dataclasses.dataclass(frozen=True)
class Shape:
    architecture: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    head: int  # values of a head
    neurons: int  # width of a dense layer's feed-forward part; 0: no layer is dense
    vocabulary: int
    context: int
    tied: bool = False  # the embedding is the head
    experts: int = 0
    used: int = 0  # experts of one token
    expert_neurons: int = 0
    shared_neurons: int = 0  # width of the shared expert
    leading_dense: int = 0
    drafting: int = 0  # last layers that only draft tokens
    value_heads: int = 0  # heads of layers by the delta rule; every fourth layer attends
    rotated: int = 0  # values of a head that rotate; 0: all
    attending: tuple = ()  # layers of LFM2 that attend
    window: int = 0
    period: int = 0  # every period-th layer of Gemma sees everything
    full_head: int = 0  # values of a head in such a layer of Gemma 4
    full_kv_heads: int = 0
    keys_are_values: bool = False  # such layers have no attn_v
    layers_without_keys: int = 0  # the last ones use those of earlier layers
    last_neurons: int = 0  # width of these layers' feed-forward part, if it differs
    layer_embedding: int = 0
    factors: bool = False  # rope_freqs.weight
    tokens: str = "bpe"
    split_rule: str = ""

    def full(self, layer):
        """Whether a layer of Gemma sees everything."""
        return (layer + 1) % self.period == 0

    def has_keys(self, layer):
        return layer < self.layers - self.layers_without_keys

    def neurons_of(self, layer):
        return self.neurons if self.has_keys(layer) else self.last_neurons or self.neurons

    def kv_heads_of(self, layer):
        return self.full_kv_heads if self.full_kv_heads and self.full(layer) else self.kv_heads

    def head_of(self, layer):
        return self.full_head if self.full_head and self.full(layer) else self.head


@dataclasses.dataclass(frozen=True)
class Model:
    name: str  # as people know it
    file: str  # as a well-known publisher named it
    shape: Shape
    published: int = 0  # bytes of that file, if they are known
    format: str = "Q4_K_M"


def metadata(shape):
    """Returns the keys that the program reads, as converters write them."""
    s, each = shape, range(shape.layers)
    own = {"block_count": s.layers + s.drafting, "context_length": s.context, "embedding_length": s.width, "attention.head_count": s.heads,
           "attention.head_count_kv": s.kv_heads, "attention.key_length": s.full_head or s.head, "attention.value_length": s.full_head or s.head,
           "attention.layer_norm_rms_epsilon": 1e-6, "rope.freq_base": 1e6, "rope.dimension_count": s.rotated or s.full_head or s.head}
    if s.neurons:
        own["feed_forward_length"] = s.neurons
    if s.experts:
        own |= {"expert_count": s.experts, "expert_used_count": s.used, "expert_feed_forward_length": s.expert_neurons}
    if s.architecture in {"glm4moe", "lfm2moe"}:
        own |= {"leading_dense_block_count": s.leading_dense, "expert_gating_func": 2, "expert_weights_norm": True}
    if s.architecture == "smallthinker":
        own["expert_gating_func"] = 2
    if s.shared_neurons:
        own["expert_shared_feed_forward_length"] = s.shared_neurons
    if s.drafting:
        own["nextn_predict_layers"] = s.drafting
    if s.value_heads:
        own |= {"ssm.conv_kernel": TAPS, "ssm.state_size": STATE, "ssm.group_count": KEY_HEADS, "ssm.time_step_rank": s.value_heads,
                "ssm.inner_size": s.value_heads * STATE, "full_attention_interval": 4}
    if s.attending:
        own |= {"attention.head_count_kv": [s.kv_heads if i in s.attending else 0 for i in each], "shortconv.l_cache": SHORT_TAPS}
    if s.window:
        own["attention.sliding_window"] = s.window
    if s.architecture == "gemma4":
        own |= {"attention.head_count_kv": [s.kv_heads_of(i) for i in each], "attention.key_length_swa": s.head, "attention.value_length_swa": s.head,
                "attention.sliding_window_pattern": [not s.full(i) for i in each], "attention.shared_kv_layers": s.layers_without_keys,
                "feed_forward_length": [s.neurons_of(i) for i in each], "rope.dimension_count_swa": s.head, "rope.freq_base_swa": 1e4,
                "embedding_length_per_layer_input": s.layer_embedding, "final_logit_softcapping": 30.0}
    rule = s.split_rule or SPLIT_RULES.get(s.architecture, USUAL_SPLIT_RULE)
    return {"general.architecture": s.architecture, "general.alignment": 32, **{f"{s.architecture}.{key}": item for key, item in own.items()},
            "tokenizer.ggml.pre": rule, **vocabulary(s.tokens, s.vocabulary)}


def attention(s, i):
    """Returns what a layer with attention has before its feed-forward part."""
    head, kv = s.head_of(i), s.kv_heads_of(i)
    gates = 2 if s.value_heads else 1
    whole = s.architecture == "olmoe"  # q and k are normed whole
    found = {"attn_q.weight": (s.width, gates * s.heads * head), "attn_output.weight": (s.heads * head, s.width)}
    if s.has_keys(i):
        found |= {"attn_k.weight": (s.width, kv * head), "attn_v.weight": (s.width, kv * head)}
    if s.keys_are_values and s.full(i):
        del found["attn_v.weight"]
    if s.architecture in HEAD_NORM:
        found["attn_q_norm.weight"] = (s.heads * head if whole else head,)
        if s.has_keys(i):
            found["attn_k_norm.weight"] = (kv * head if whole else head,)
    if s.architecture in {"gpt-oss", "glm4moe"}:
        found |= {"attn_q.bias": (s.heads * head,), "attn_k.bias": (kv * head,), "attn_v.bias": (kv * head,)}
    if s.architecture == "gpt-oss":
        found |= {"attn_output.bias": (s.width,), "attn_sinks.weight": (s.heads,)}
    return found


def delta_rule(s):
    values = s.value_heads * STATE
    channels = 2 * KEY_HEADS * STATE + values
    found = {"attn_qkv.weight": (s.width, channels), "attn_gate.weight": (s.width, values), "ssm_conv1d.weight": (TAPS, channels),
             "ssm_dt.bias": (s.value_heads,), "ssm_a": (s.value_heads,), "ssm_norm.weight": (STATE,), "ssm_out.weight": (values, s.width)}
    if s.architecture == "qwen3next":
        return found | {"ssm_ba.weight": (s.width, 2 * s.value_heads)}
    return found | {"ssm_beta.weight": (s.width, s.value_heads), "ssm_alpha.weight": (s.width, s.value_heads)}


def mixer(s, i):
    if s.value_heads and (i + 1) % 4:
        return delta_rule(s)
    if s.attending and i not in s.attending:
        return {"shortconv.in_proj.weight": (s.width, 3 * s.width), "shortconv.conv.weight": (SHORT_TAPS, s.width),
                "shortconv.out_proj.weight": (s.width, s.width)}
    return attention(s, i)


def dense(width, neurons, suffix=""):
    return {f"ffn_gate{suffix}.weight": (width, neurons), f"ffn_up{suffix}.weight": (width, neurons), f"ffn_down{suffix}.weight": (neurons, width)}


def experts(s):
    found = {"ffn_gate_inp.weight": (s.width, s.experts), "ffn_down_exps.weight": (s.expert_neurons, s.width, s.experts)}
    if s.architecture == "gemma4":
        norms = {f"{norm}.weight": (s.width,) for norm in ("pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2")}
        return found | norms | {"ffn_gate_up_exps.weight": (s.width, 2 * s.expert_neurons, s.experts), "ffn_gate_inp.scale": (s.width,),
                                "ffn_down_exps.scale": (s.experts,)}
    found |= {f"ffn_{part}_exps.weight": (s.width, s.expert_neurons, s.experts) for part in ("gate", "up")}
    if s.architecture == "gpt-oss":
        found |= {"ffn_gate_inp.bias": (s.experts,), "ffn_down_exps.bias": (s.width, s.experts),
                  **{f"ffn_{part}_exps.bias": (s.expert_neurons, s.experts) for part in ("gate", "up")}}
    if s.architecture in {"glm4moe", "lfm2moe"}:
        found["exp_probs_b.bias"] = (s.experts,)
    if s.shared_neurons:
        found |= dense(s.width, s.shared_neurons, "_shexp")
    if s.value_heads:
        found["ffn_gate_inp_shexp.weight"] = (s.width,)
    return found


def layer_tensors(s, i):
    one = (s.width,)
    found = {"attn_norm.weight": one, **mixer(s, i)}
    found["post_attention_norm.weight" if s.architecture in FEED_FORWARD_NORM else "ffn_norm.weight"] = one
    if s.architecture in {"gemma3", "gemma4"}:
        found |= {"post_attention_norm.weight": one, "post_ffw_norm.weight": one}
    if s.experts and i >= s.leading_dense:
        found |= experts(s)
    if not s.experts or i < s.leading_dense or s.architecture == "gemma4":
        found |= dense(s.width, s.neurons_of(i))
    if s.architecture == "gemma4":
        found["layer_output_scale.weight"] = (1,)
    if s.layer_embedding:
        found |= {"inp_gate.weight": (s.width, s.layer_embedding), "proj.weight": (s.layer_embedding, s.width), "post_norm.weight": one}
    if i >= s.layers:
        table = (s.width, s.vocabulary)
        found |= {"nextn.eh_proj.weight": (2 * s.width, s.width), "nextn.embed_tokens.weight": table, "nextn.shared_head_head.weight": table,
                  **{f"nextn.{norm}.weight": one for norm in ("enorm", "hnorm", "shared_head_norm")}}
    return found


def shapes_of(s):
    """Returns the sizes of all tensors by their names, columns first."""
    found = {"token_embd.weight": (s.width, s.vocabulary), "token_embd_norm.weight" if s.attending else "output_norm.weight": (s.width,)}
    if not s.tied:
        found["output.weight"] = (s.width, s.vocabulary)
    if s.factors:
        found["rope_freqs.weight"] = ((s.full_head or s.head) // 2,)
    if s.layer_embedding:
        every = s.layer_embedding * s.layers
        found |= {"per_layer_token_embd.weight": (every, s.vocabulary), "per_layer_model_proj.weight": (s.width, every),
                  "per_layer_proj_norm.weight": (s.layer_embedding,)}
    for i in range(s.layers + s.drafting):
        found |= {f"blk.{i}.{name}": sizes for name, sizes in layer_tensors(s, i).items()}
    return found


def more(i, count):
    """llama.cpp's choice of the layers that get more bits."""
    return i < count // 8 or i >= 7 * count // 8 or (i - count // 8) % 3 == 2


def type_of(name, sizes, s, form, value_index):
    """Returns the type of a tensor by llama.cpp's rule for files of this form (src/llama-quant.cpp). value_index: for a tensor with values of attention,
    how many of them come before it and how many there are."""
    kind = name.split(".", 2)[2] if name.startswith("blk.") else name
    if len(sizes) == 1 or not kind.endswith("weight") or kind.startswith(("ffn_gate_inp.", "ssm_conv1d", "shortconv.conv")):
        return F32
    if kind == "per_layer_model_proj.weight":
        return BF16
    if kind == "per_layer_token_embd.weight":
        return Q5_K  # the rule says Q6_K, but published files of Gemma 4 E2B and E4B are smaller by so much
    if form == "MXFP4":
        return MXFP4 if len(sizes) == 3 else Q8_0
    plain = Q4_0 if form == "Q4_0" else Q4_K
    if kind == "output.weight" or (s.tied and kind == "token_embd.weight"):
        return fitting(Q6_K, sizes[0])
    layer = int(name.split(".")[1]) if name.startswith("blk.") else 0
    bits = kind in {"attn_v.weight", "attn_qkv.weight"} and more(*value_index) or kind.startswith("ffn_down") and more(layer, s.layers + s.drafting)
    return fitting(Q6_K if bits and form == "Q4_K_M" else plain, sizes[0])


def tensors(model):
    """Returns name, sizes and type of every tensor of the model's file."""
    shapes = shapes_of(model.shape)
    values = [name for name in shapes if name.endswith(("attn_v.weight", "attn_qkv.weight"))]
    index = {name: (i, len(values)) for i, name in enumerate(values)}
    return [(name, sizes, type_of(name, sizes, model.shape, model.format, index.get(name))) for name, sizes in shapes.items()]


def parameters(shape):
    """Returns the number of weights, and of those that one token is multiplied with: of the experts only as many as it uses, and no table of which it
    takes a row."""
    total = active = 0
    for name, sizes in shapes_of(shape).items():
        count = 1
        for size in sizes:
            count *= size
        total += count
        drafts = name.startswith("blk.") and int(name.split(".")[1]) >= shape.layers
        if drafts or name == "per_layer_token_embd.weight" or (name == "token_embd.weight" and not shape.tied):
            continue
        active += count * shape.used // shape.experts if "_exps." in name else count
    return total, active


def qwen3(layers, width, heads, neurons, tied):
    return Shape("qwen3", layers, width, heads, 8, 128, neurons, 151936, 40960, tied)


def qwen35(layers, width, heads, neurons, value_heads, tied=False):
    return Shape("qwen35", layers, width, heads, 4, 256, neurons, 248320, 262144, tied, value_heads=value_heads, rotated=64)


def gemma3(layers, width, heads, kv_heads, neurons):
    return Shape("gemma3", layers, width, heads, kv_heads, 256, neurons, 262208, 131072, True, window=1024, period=6, tokens="sentencepiece")


def gemma4(layers, width, heads, kv_heads, full_kv_heads, neurons, **others):
    return Shape("gemma4", layers, width, heads, kv_heads, 256, neurons, 262144, 131072, True, full_head=512, full_kv_heads=full_kv_heads, factors=True,
                 tokens="characters", **{"window": 1024, "period": 6, "keys_are_values": True} | others)


def gemma4_small(layers, width, kv_heads, neurons, without_keys, **others):
    return gemma4(layers, width, 8, kv_heads, kv_heads, neurons, layers_without_keys=without_keys, layer_embedding=256, window=512, keys_are_values=False,
                  **others)


def lfm2(layers, width, heads, neurons, attending, **others):
    return Shape("lfm2moe" if others else "lfm2", layers, width, heads, 8, 64, neurons, 65536, 128000, True, attending=attending, **others)


def llama3(layers, width, heads, neurons, tied):
    return Shape("llama", layers, width, heads, 8, width // heads, neurons, 128256, 131072, tied, factors=True)


QWEN_27B = qwen35(64, 5120, 24, 17408, 48)
ATTENDING_OF_16 = (2, 5, 8, 10, 12, 14)  # layers with attention in the two smallest LFM2 models
MODELS = [
    Model("SmallThinker 4B-A0.6B", "SmallThinker-4B-A0.6B-Instruct.Q4_0.gguf",
          Shape("smallthinker", 32, 1536, 12, 2, 128, 0, 151936, 32768, experts=32, used=4, expert_neurons=768), format="Q4_0"),
    Model("SmallThinker 21B-A3B", "PowerInfer.SmallThinker-21BA3B-Instruct.Q4_K_M.gguf",
          Shape("smallthinker", 52, 2560, 28, 4, 128, 0, 151936, 16384, experts=64, used=6, expert_neurons=768, window=4096)),
    Model("Qwen 3 0.6B", "Qwen3-0.6B-Q4_K_M.gguf", qwen3(28, 1024, 16, 3072, True)),
    Model("Qwen 3 1.7B", "Qwen3-1.7B-Q4_K_M.gguf", qwen3(28, 2048, 16, 6144, True)),
    Model("Qwen 3 4B", "Qwen3-4B-Instruct-2507-Q4_K_M.gguf", qwen3(36, 2560, 32, 9728, True), 2_497_281_120),
    Model("Qwen 3 8B", "Qwen3-8B-Q4_K_M.gguf", qwen3(36, 4096, 32, 12288, False), 5_027_784_096),
    Model("Qwen 3 14B", "Qwen3-14B-Q4_K_M.gguf", qwen3(40, 5120, 40, 17408, False)),
    Model("Qwen 3 30B-A3B", "Qwen3-30B-A3B-Instruct-2507-Q4_K_M.gguf",
          Shape("qwen3moe", 48, 2048, 32, 4, 128, 0, 151936, 262144, experts=128, used=8, expert_neurons=768)),
    Model("Qwen 3.5 4B", "Qwen3.5-4B-Q4_K_M.gguf", qwen35(32, 2560, 16, 9216, 32, True), 2_740_937_888),
    Model("Qwen 3.5 9B", "Qwen3.5-9B-Q4_K_M.gguf", qwen35(32, 4096, 16, 12288, 32)),
    Model("Qwen 3.6 27B", "Qwen3.6-27B-Q4_K_M.gguf", QWEN_27B),
    Model("Qwen 3.8 27B", "Qwen3.8-27B-UD-Q4_K_M.gguf", QWEN_27B, 16_464_440_224),
    Model("Qwen 3.6 35B-A3B", "Qwen3.6-35B-A3B-UD-Q4_K_M.gguf",
          Shape("qwen35moe", 40, 2048, 16, 2, 256, 0, 248320, 262144, value_heads=32, rotated=64, experts=256, used=8, expert_neurons=512, shared_neurons=512),
          22_134_528_992),
    Model("Qwen 3 Coder Next 80B-A3B", "Qwen3-Coder-Next-Q4_K_M.gguf",
          Shape("qwen3next", 48, 2048, 16, 2, 256, 0, 151936, 262144, value_heads=32, rotated=64, experts=512, used=10, expert_neurons=512,
                shared_neurons=512)),
    Model("Gemma 3 4B", "gemma-3-4b-it-Q4_K_M.gguf", gemma3(34, 2560, 8, 4, 10240)),
    Model("Gemma 3 12B", "gemma-3-12b-it-Q4_K_M.gguf", gemma3(48, 3840, 16, 8, 15360), 7_300_775_712),
    Model("Gemma 4 E2B", "gemma-4-E2B-it-Q4_K_M.gguf", gemma4_small(35, 1536, 1, 6144, 20, period=5, last_neurons=12288), 3_106_738_272),
    Model("Gemma 4 E4B", "gemma-4-E4B-it-Q4_K_M.gguf", gemma4_small(42, 2560, 2, 10240, 18), 4_977_171_584),
    Model("Gemma 4 12B", "gemma-4-12b-it-Q4_K_M.gguf", gemma4(48, 3840, 16, 8, 1, 15360)),
    Model("Gemma 4 26B-A4B", "gemma-4-26B-A4B-it-UD-Q4_K_M.gguf", gemma4(30, 2816, 16, 8, 2, 2112, experts=128, used=8, expert_neurons=704), 16_947_541_728),
    Model("Gemma 4 31B", "gemma-4-31B-it-Q4_K_M.gguf", gemma4(60, 5376, 32, 16, 4, 21504)),
    Model("LFM2 350M", "LFM2-350M-Q4_K_M.gguf", lfm2(16, 1024, 16, 4608, ATTENDING_OF_16), 229_309_376),
    Model("LFM2 1.2B", "LFM2-1.2B-Q4_K_M.gguf", lfm2(16, 2048, 32, 8192, ATTENDING_OF_16)),
    Model("LFM2 2.6B", "LFM2-2.6B-Q4_K_M.gguf", lfm2(30, 2048, 32, 10752, (2, 5, 9, 13, 17, 21, 24, 27))),
    Model("LFM2 8B-A1B", "LFM2-8B-A1B-Q4_K_M.gguf",
          lfm2(24, 2048, 32, 7168, (2, 6, 10, 14, 18, 21), experts=32, used=4, expert_neurons=1792, leading_dense=2)),
    Model("LFM2 24B-A2B", "LFM2-24B-A2B-Q4_K_M.gguf",
          lfm2(40, 2048, 32, 11776, tuple(range(2, 40, 4)), experts=64, used=4, expert_neurons=1536, leading_dense=2), 14_415_473_952),
    Model("OLMoE 1B-7B", "OLMoE-1B-7B-0924-Instruct-Q4_K_M.gguf",
          Shape("olmoe", 16, 2048, 16, 16, 128, 0, 50304, 4096, experts=64, used=8, expert_neurons=1024)),
    Model("gpt-oss 20B", "gpt-oss-20b-mxfp4.gguf",
          Shape("gpt-oss", 24, 2880, 64, 8, 64, 0, 201088, 131072, experts=32, used=4, expert_neurons=2880, window=128), 12_109_566_624, "MXFP4"),
    Model("GLM 4.5 Air", "GLM-4.5-Air-Q4_K_M-00001-of-00002.gguf",
          Shape("glm4moe", 46, 4096, 96, 8, 128, 10944, 151552, 131072, experts=128, used=8, expert_neurons=1408, shared_neurons=1408, leading_dense=1,
                drafting=1, rotated=64)),
    Model("Llama 3.2 1B", "Llama-3.2-1B-Instruct-Q4_K_M.gguf", llama3(16, 2048, 32, 8192, True)),
    Model("Llama 3.2 3B", "Llama-3.2-3B-Instruct-Q4_K_M.gguf", llama3(28, 3072, 24, 8192, True), 2_019_377_696),
    Model("Llama 3.1 8B", "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", llama3(32, 4096, 32, 14336, False), 4_920_734_656),
    Model("Mistral 7B", "Mistral-7B-Instruct-v0.3-Q4_K_M.gguf",
          Shape("llama", 32, 4096, 32, 8, 128, 14336, 32768, 32768, tokens="sentencepiece")),
    Model("Mistral Nemo 12B", "Mistral-Nemo-Instruct-2407-Q4_K_M.gguf",
          Shape("llama", 40, 5120, 32, 8, 128, 14336, 131072, 131072, split_rule="tekken")),
    Model("SmolLM2 1.7B", "SmolLM2-1.7B-Instruct-Q4_K_M.gguf",
          Shape("llama", 24, 2048, 32, 32, 64, 8192, 49152, 8192, True, split_rule="smollm"), 1_055_609_824),
    Model("SmolLM3 3B", "SmolLM3-Q4_K_M.gguf", Shape("smollm3", 36, 2048, 16, 4, 128, 11008, 128256, 65536, True), 1_915_305_312),
]
