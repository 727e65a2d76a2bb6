# SPDX-License-Identifier: Apache-2.0
"""From the trained network to a GGUF file of the architecture `smallthinker`."""

from pathlib import Path

import torch

from .bpe import CONTROL, SPECIAL, Bpe
from .conversation import TEMPLATE
from .gguf import F16, F32, Q8_0, Reader, Writer
from .model import Guide, Shape
from .predictor import Predictor

NAME = "Coterie Guide"
DESCRIPTION = "The tiny demo model that comes with Coterie. It answers about the program and about Mixture-of-Experts models."
NORMAL, CONTROL_TYPE, USER_DEFINED = 1, 3, 4  # GGUF's numbers of token types
SIGMOID = 2  # a value of expert_gating_func


def shape_metadata(shape: Shape) -> dict[str, object]:
    return {
        "smallthinker.block_count": shape.layers,
        "smallthinker.context_length": shape.context,
        "smallthinker.embedding_length": shape.width,
        "smallthinker.feed_forward_length": shape.expert_width,
        "smallthinker.expert_feed_forward_length": shape.expert_width,
        "smallthinker.expert_count": shape.experts,
        "smallthinker.expert_used_count": shape.experts_used,
        "smallthinker.expert_gating_func": SIGMOID,
        "smallthinker.attention.head_count": shape.heads,
        "smallthinker.attention.head_count_kv": shape.key_value_heads,
        "smallthinker.attention.key_length": shape.head_size,
        "smallthinker.attention.value_length": shape.head_size,
        "smallthinker.attention.sliding_window": shape.window,
        "smallthinker.attention.layer_norm_rms_epsilon": shape.epsilon,
        "smallthinker.rope.dimension_count": shape.head_size,
        "smallthinker.rope.freq_base": shape.rope_theta,
    }


def tokenizer_metadata(bpe: Bpe) -> dict[str, object]:
    kinds = [NORMAL] * len(bpe.bytes) + [CONTROL_TYPE if token in CONTROL else USER_DEFINED for token in SPECIAL]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen2",
        "tokenizer.ggml.tokens": bpe.token_texts(),
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.merges": bpe.merge_texts(),
        "tokenizer.ggml.eos_token_id": bpe.special["<|im_end|>"],
        "tokenizer.ggml.padding_token_id": bpe.special["<|endoftext|>"],
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE.read_text(encoding="utf-8").strip(),
    }


def add_layer(writer: Writer, number: int, layer: torch.nn.Module, kind: int) -> None:
    """The experts' down matrices are stored by neuron, so that a neuron that is off need not be read."""
    prefix = f"blk.{number}."
    gate, up = layer.gate_up.transpose(1, 2).chunk(2, dim=1)  # [experts, neurons, width]
    attention = layer.attention
    matrices = {
        "attn_q": attention.query,
        "attn_k": attention.key,
        "attn_v": attention.value,
        "attn_output": attention.output,
        "ffn_gate_exps": gate,
        "ffn_up_exps": up,
        "ffn_down_exps": layer.down,
    }
    floats = {"attn_norm": layer.attention_norm.weight, "ffn_norm": layer.expert_norm.weight, "ffn_gate_inp": layer.router}
    for name, tensor in floats.items():
        writer.add(f"{prefix}{name}.weight", tensor.cpu().numpy())
    for name, tensor in matrices.items():
        writer.add(f"{prefix}{name}.weight", tensor.contiguous().cpu().numpy(), kind)


@torch.no_grad()
def export(model: Guide, bpe: Bpe, predictor: Predictor, path: Path, quantise: bool) -> None:
    """Writes the file; without `quantise` all in F32."""
    writer, kind = Writer(), Q8_0 if quantise else F32
    writer.metadata = {
        "general.architecture": "smallthinker",
        "general.name": NAME,
        "general.description": DESCRIPTION,
        "general.license": "apache-2.0",
        "general.languages": ["en", "fr", "de", "es", "it", "pt"],
        "general.file_type": 7 if quantise else 0,
        **shape_metadata(model.shape),
        **tokenizer_metadata(bpe),
    }
    writer.add("token_embd.weight", model.embedding.cpu().numpy(), kind)
    writer.add("output_norm.weight", model.output_norm.weight.cpu().numpy())
    both = torch.cat((predictor.reduce.flatten(), predictor.expand.flatten()))
    writer.add("lm_head_profiler.weight", both.cpu().numpy(), F16 if quantise else F32)
    for number, layer in enumerate(model.layers):
        add_layer(writer, number, layer, kind)
    writer.write(path)


@torch.no_grad()
def restore(path: Path, shape: Shape) -> tuple[Guide, Predictor]:
    """The network as a file holds it, rounded as it is."""
    tensors = {name: torch.from_numpy(array.copy()) for name, array in Reader(path).tensors.items()}
    model = Guide(shape)
    state = {"embedding": tensors["token_embd.weight"], "output_norm.weight": tensors["output_norm.weight"]}
    for number in range(shape.layers):
        part = {name.removeprefix(f"blk.{number}."): tensor for name, tensor in tensors.items() if name.startswith(f"blk.{number}.")}
        gate_up = torch.cat((part["ffn_gate_exps.weight"], part["ffn_up_exps.weight"]), dim=1).transpose(1, 2)
        layer = {
            "attention_norm.weight": part["attn_norm.weight"],
            "attention.query": part["attn_q.weight"],
            "attention.key": part["attn_k.weight"],
            "attention.value": part["attn_v.weight"],
            "attention.output": part["attn_output.weight"],
            "router": part["ffn_gate_inp.weight"],
            "expert_norm.weight": part["ffn_norm.weight"],
            "gate_up": gate_up,
            "down": part["ffn_down_exps.weight"],
        }
        state |= {f"layers.{number}.{name}": tensor for name, tensor in layer.items()}
    model.load_state_dict(state)
    both = tensors["lm_head_profiler.weight"]
    rank = both.numel() // (shape.width + shape.vocabulary)
    reduce, expand = both.split((rank * shape.width, rank * shape.vocabulary))
    return model, Predictor(reduce.view(-1, shape.width), expand.view(shape.vocabulary, -1))


def tokenizer_of(path: Path) -> Bpe:
    """The vocabulary that a file holds."""
    metadata = Reader(path).metadata
    ids = {text: number for number, text in enumerate(metadata["tokenizer.ggml.tokens"])}
    pairs = [merge.split(" ") for merge in metadata["tokenizer.ggml.merges"]]
    return Bpe([(ids[first], ids[second]) for first, second in pairs])
