# SPDX-License-Identifier: Apache-2.0
"""Byte-level BPE: training on texts, encoding, and the tables that a GGUF file wants.

Words are cut as the pre-tokenizer `qwen2` of GGUF files cuts them (each digit alone), restated for Python's expressions; the
two agree on every text without number letters such as the superscript two, which the corpus doesn't use.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = (
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tools>",
    "</tools>",
    "<tool_response>",
    "</tool_response>",
)
SPECIAL = CONTROL + MARKERS

LETTER = r"[^\W\d_]"
SIGN = r"(?:[^\s\w]|_)"
WORDS = re.compile(
    rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|(?:[^\r\n\w]|_)?{LETTER}+|\d| ?{SIGN}+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
MARKED = re.compile("(" + "|".join(re.escape(token) for token in SPECIAL) + ")")


def printable_bytes() -> list[str]:
    """GPT-2's letter for each byte: itself where it prints, else one from 256 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAC + 1), *range(0xAE, 0xFF + 1)]
    others = iter(range(256, 512))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)]


PRINTABLE = printable_bytes()


def merge_pair(word: tuple[int, ...], pair: tuple[int, int], merged: int) -> tuple[int, ...]:
    out, place = [], 0
    while place < len(word):
        if word[place : place + 2] == pair:
            out.append(merged)
            place += 2
        else:
            out.append(word[place])
            place += 1
    return tuple(out)


class Bpe:
    """A vocabulary: the bytes, then one token a merge, then the special ones."""

    def __init__(self, merges: list[tuple[int, int]]) -> None:
        self.merges = merges
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.bytes = [bytes((byte,)) for byte in range(256)]
        for first, second in merges:
            self.bytes.append(self.bytes[first] + self.bytes[second])
        self.special = {token: len(self.bytes) + place for place, token in enumerate(SPECIAL)}
        self.size = len(self.bytes) + len(SPECIAL)
        self.known: dict[str, tuple[int, ...]] = {}

    @staticmethod
    def train(texts: Iterable[str], size: int) -> "Bpe":
        """Merges the commonest pairs until the vocabulary has `size` tokens."""
        counts = Counter()
        for text in texts:
            for part in MARKED.split(text):
                if part not in SPECIAL:
                    counts.update(WORDS.findall(part))
        words = [tuple(word.encode()) for word in counts]
        weights = list(counts.values())
        pairs: Counter = Counter()
        places = defaultdict(set)
        for number, word in enumerate(words):
            for pair in zip(word, word[1:]):
                pairs[pair] += weights[number]
                places[pair].add(number)
        merges: list[tuple[int, int]] = []
        spelled = {bytes((byte,)): byte for byte in range(256)}
        texts = list(spelled)
        while len(merges) < size - 256 - len(SPECIAL) and pairs:
            best = max(pairs, key=lambda pair: (pairs[pair], -pair[0], -pair[1]))
            text = texts[best[0]] + texts[best[1]]
            if text in spelled:  # two ways to one spelling would be two tokens that a file can't tell apart
                del pairs[best]
                continue
            merged = spelled[text] = len(texts)
            texts.append(text)
            merges.append(best)
            for number in places.pop(best):
                old, weight = words[number], weights[number]
                words[number] = new = merge_pair(old, best, merged)
                for pair in zip(old, old[1:]):
                    pairs[pair] -= weight
                for pair in zip(new, new[1:]):
                    pairs[pair] += weight
                    places[pair].add(number)
            pairs = +pairs
        return Bpe(merges)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.merges))

    @staticmethod
    def load(path: Path) -> "Bpe":
        return Bpe([tuple(pair) for pair in json.loads(path.read_text())])

    def encode_word(self, word: str) -> tuple[int, ...]:
        found = self.known.get(word)
        if found is None:
            found = tuple(word.encode())
            while len(found) > 1:
                rank, pair = min((self.ranks.get(pair, len(self.merges)), pair) for pair in zip(found, found[1:]))
                if rank == len(self.merges):
                    break
                found = merge_pair(found, pair, 256 + rank)
            self.known[word] = found
        return found

    def encode(self, text: str) -> list[int]:
        """Ids of a text in which special tokens are spelled out."""
        ids: list[int] = []
        for part in MARKED.split(text):
            if part in self.special:
                ids.append(self.special[part])
            else:
                for word in WORDS.findall(part):
                    ids.extend(self.encode_word(word))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special tokens spelled out."""
        text = b"".join(self.bytes[i] if i < len(self.bytes) else SPECIAL[i - len(self.bytes)].encode() for i in ids)
        return text.decode(errors="replace")

    def token_texts(self) -> list[str]:
        """As GGUF files write tokens: a letter a byte."""
        return ["".join(PRINTABLE[byte] for byte in token) for token in self.bytes] + list(SPECIAL)

    def merge_texts(self) -> list[str]:
        texts = self.token_texts()
        return [f"{texts[first]} {texts[second]}" for first, second in self.merges]
