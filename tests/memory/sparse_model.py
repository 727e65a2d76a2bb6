# SPDX-License-Identifier: Apache-2.0
"""Writes a GGUF file with the metadata, the vocabulary's size and the tensors of a published model, and a hole in place of its weights: a file of 20 GB
takes a few megabytes on disk. It is for programs that read the header only. `make-test-model --no-weights` makes such files too, in one format for all
matrices; here each tensor has the format that llama.cpp's quantiser gives it."""
import itertools
import string
import struct

ALIGNMENT = 32
# GGUF's numbers of value types.
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
# GGML's numbers of tensor types, with the weights of a block and its bytes.
F32, F16, Q4_0, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K, BF16, MXFP4 = 0, 1, 2, 6, 7, 8, 12, 13, 14, 30, 39
BLOCKS = {F32: (1, 4), F16: (1, 2), BF16: (1, 2), Q4_0: (32, 18), Q5_0: (32, 22), Q5_1: (32, 24), Q8_0: (32, 34), Q4_K: (256, 144), Q5_K: (256, 176),
          Q6_K: (256, 210), MXFP4: (32, 17)}
SMALLER_BLOCKS = {Q4_K: Q5_0, Q5_K: Q5_1, Q6_K: Q8_0}  # for rows that 256 does not divide
NORMAL, CONTROL, BYTE = 1, 3, 6  # GGUF's kinds of tokens


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(item):
    """Returns a metadata value with its type before it."""
    if isinstance(item, bool):
        return struct.pack("<I?", BOOL, item)
    if isinstance(item, int):
        return struct.pack("<II", UINT32, item)
    if isinstance(item, float):
        return struct.pack("<If", FLOAT32, item)
    if isinstance(item, str):
        return struct.pack("<I", STRING) + text(item)
    kind, form = {str: (STRING, ""), bool: (BOOL, "?"), int: (INT32, "i"), float: (FLOAT32, "f")}[type(item[0])]
    body = struct.pack(f"<{len(item)}{form}", *item) if form else b"".join(map(text, item))
    return struct.pack("<IIQ", ARRAY, kind, len(item)) + body


def byte_alphabet():
    """Returns the characters by which byte-level vocabularies write the 256 bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(byte) for byte in printable] + [chr(256 + i) for i in range(256 - len(printable))]


def vocabulary(kind, count):
    """Returns made-up metadata of a vocabulary of this size. kind: "bpe", "characters" (Gemma 4's) or "sentencepiece". The tokens are all strings of two,
    three and four letters in turn, each merged from the one without its last letter, so that tables have the usual size."""
    special = ["<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|endoftext|>"]
    bytes_written = [f"<0x{byte:02X}>" for byte in range(256)]
    first = byte_alphabet() if kind == "bpe" else bytes_written + list(string.ascii_lowercase)
    words = ("".join(letters) for length in (2, 3, 4) for letters in itertools.product(string.ascii_lowercase, repeat=length))
    made = list(itertools.islice(words, count - len(first) - len(special)))
    found = {"tokenizer.ggml.model": {"bpe": "gpt2", "characters": "gemma4", "sentencepiece": "llama"}[kind],
             "tokenizer.ggml.tokens": first + made + special,
             "tokenizer.ggml.token_type": [NORMAL if kind == "bpe" else BYTE] * 256 + [NORMAL] * (len(first) - 256 + len(made)) + [CONTROL] * len(special),
             "tokenizer.ggml.bos_token_id": count - 5, "tokenizer.ggml.eos_token_id": count - 4}
    if kind == "sentencepiece":
        return found | {"tokenizer.ggml.scores": [-float(i) for i in range(count)]}
    merges = [f"{word[:-1]} {word[-1]}" for word in made]
    if kind == "characters":  # Gemma 4 has twice as many merges as tokens
        merges += [f"{word[0]} {word[1:]}" for word in made if len(word) > 2]
    return found | {"tokenizer.ggml.merges": merges}


def fitting(kind, columns):
    """Returns the type that llama.cpp takes if rows of so many values are no whole blocks of this one."""
    if columns % BLOCKS[kind][0] == 0:
        return kind
    smaller = SMALLER_BLOCKS.get(kind, F16)
    return smaller if columns % BLOCKS[smaller][0] == 0 else F16


def size_of(kind, sizes):
    count = 1
    for size in sizes:
        count *= size
    weights, size = BLOCKS[kind]
    return count // weights * size


def write(path, metadata, tensors):
    """tensors: (name, sizes with the columns first, type) of each."""
    infos, offset = [], 0
    for name, sizes, kind in tensors:
        infos.append(text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset))
        offset += size_of(kind, sizes)
        offset += -offset % ALIGNMENT
    pairs = b"".join(text(key) + value(item) for key, item in metadata.items())
    with open(path, "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(metadata)) + pairs + b"".join(infos))
        file.truncate(file.tell() + -file.tell() % ALIGNMENT + offset)
