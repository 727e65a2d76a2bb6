# SPDX-License-Identifier: Apache-2.0
"""How likely a model file finds the right answers to held-out questions, by the program's own engine."""

from dataclasses import dataclass
from random import Random

import numpy

from .bpe import Bpe
from .conversation import pieces_of
from .corpus import abilities
from .engine import Engine
from .evaluation import SEED


@dataclass(frozen=True)
class Document:
    """A held-out conversation as tokens, and where the answers' tokens are foretold."""

    tokens: list[int]
    positions: list[int]


def held_out_documents(bpe: Bpe, count: int, most_tokens: int = 500) -> list[Document]:
    """Conversations of held-out questions of all abilities."""
    random = Random(f"{SEED} documents")
    pool = [exchange for ability in abilities() for exchange in ability.held_out(random, count) if not exchange.tools]
    random.shuffle(pool)
    documents = []
    while len(documents) < count:
        tokens: list[int] = []
        learn: list[bool] = []
        for text, wanted in pieces_of([pool.pop() for _ in range(6)]):
            ids = bpe.encode(text)
            tokens += ids
            learn += [wanted] * len(ids)
        positions = [place for place in range(min(len(tokens), most_tokens) - 1) if learn[place + 1]]
        documents.append(Document(tokens[:most_tokens], positions))
    return documents


def log_probabilities(engine: Engine, document: Document) -> numpy.ndarray:
    """[positions, vocabulary]: natural logarithms, float64."""
    data = engine.logits(document.tokens, document.positions)
    logits = numpy.frombuffer(data, "<f4").reshape(len(document.positions), -1).astype(numpy.float64)
    logits -= logits.max(1, keepdims=True)
    return logits - numpy.log(numpy.exp(logits).sum(1, keepdims=True))


def perplexity(engine: Engine, documents: list[Document]) -> float:
    """Returns the perplexity of the answers' tokens: exp of the mean negative log-probability."""
    total, count = 0.0, 0
    for document in documents:
        table = log_probabilities(engine, document)
        following = [document.tokens[place + 1] for place in document.positions]
        total -= table[numpy.arange(len(following)), following].sum()
        count += len(following)
    return float(numpy.exp(total / count))
