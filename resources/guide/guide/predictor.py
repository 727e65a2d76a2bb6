# SPDX-License-Identifier: Apache-2.0
"""The head predictor: two small matrices that tell which rows of the head are worth computing.

A row counts when (expand reduce x) > 0 for the final state x; it is trained so that the row of the likeliest token counts
nearly always, and few others do. (SmallThinker, arXiv:2507.20984, section on the sparse head.)
"""

from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor
from torch.nn.functional import softplus

from .batch import Batch
from .bpe import Bpe
from .corpus import Corpus, Stage, rows
from .model import Guide

STAGE = Stage("conversations", plain=0.0, length=256, most_exchanges=3, answers_only=True)
BATCH_ROWS = 16
NEAR = 8  # the likeliest tokens, which should count too
MARGIN = 6.0  # by which the likeliest token's score should be above 0
MISSED = 16.0  # weight of a likeliest token that doesn't count, beside that of rows that count in vain


@dataclass(frozen=True)
class Predictor:
    """reduce [rank, width], expand [vocabulary, rank]."""

    reduce: Tensor
    expand: Tensor

    def scores(self, states: Tensor) -> Tensor:
        return states @ self.reduce.t() @ self.expand.t()


@dataclass(frozen=True)
class Agreement:
    """How a predictor does on held-out tokens."""

    tokens: int
    same: float  # share of tokens whose best token is found
    computed: float  # share of the head's rows that count


@torch.no_grad()
def final_states(model: Guide, bpe: Bpe, random: Random, tokens: int) -> Tensor:
    """[about `tokens`, width]: states from which answers' tokens are foretold, in fresh conversations."""
    corpus, found, count = Corpus(), [], 0
    while count < tokens:
        batch = Batch(rows(corpus, bpe, STAGE, random, BATCH_ROWS), model.shape, model.embedding.device)
        states = model(batch.tokens, batch.places)[0].index_select(0, batch.rows).float()
        found.append(states)
        count += len(states)
    return torch.cat(found)


def loss(scores: Tensor, logits: Tensor) -> Tensor:
    """The best token's row must count, the next best should, and all others should not."""
    near = logits.topk(NEAR, dim=1).indices
    of_near = scores.gather(1, near)
    missed = MISSED * softplus(MARGIN - of_near[:, 0]).mean() + softplus(-of_near).mean()
    return missed + softplus(scores).mean()


def strongest_directions(head: Tensor, rank: int = 64) -> Predictor:
    """Returns the start of a predictor that has no earlier one; head [vocabulary, width]."""
    left, strengths, right = torch.linalg.svd(head, full_matrices=False)
    return Predictor(right[:rank], left[:, :rank] * strengths[:rank])


def train(
    model: Guide, bpe: Bpe, seed: int, start: Predictor | None = None, tokens: int = 400_000, steps: int = 1500, batch: int = 1024
) -> Predictor:
    """From a start, or the head's strongest directions, fitted by gradient descent to the states of answers."""
    states = final_states(model, bpe, Random(f"{seed} predictor"), tokens)
    head = model.embedding.detach()
    start = start or strongest_directions(head)
    reduce, expand = (matrix.clone().requires_grad_() for matrix in (start.reduce, start.expand))
    optimiser = torch.optim.Adam((reduce, expand), lr=3e-3)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * (1 - step / steps)
        chosen = states[torch.randint(len(states), (batch,), generator=generator)]
        with torch.no_grad():
            logits = (chosen.bfloat16() @ head.bfloat16().t()).float()
        value = loss(Predictor(reduce, expand).scores(chosen), logits)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
    return Predictor(reduce.detach(), expand.detach())


@torch.no_grad()
def agreement(predictor: Predictor, head: Tensor, states: Tensor) -> Agreement:
    """On states [tokens, width]; rows that don't count never win."""
    same, computed = 0, 0.0
    for part in states.split(2048):
        logits, counts = part @ head.t(), predictor.scores(part) > 0
        best = logits.argmax(1)
        same += int((logits.masked_fill(~counts, -torch.inf).argmax(1) == best).sum())
        computed += float(counts.float().mean()) * len(part)
    return Agreement(len(states), same / len(states), computed / len(states))
