# SPDX-License-Identifier: Apache-2.0
"""Training from nothing or from a finished file; goes on after a kill where it stopped."""

import hashlib
import math
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch
from torch import Tensor

from .batch import Batch
from .bpe import Bpe
from .corpus import Corpus, Stage, rows
from .export import restore, tokenizer_of
from .model import Guide, HeadLoss, Shape
from .muon import Muon


# The guide learns these last: many pairs of phrases and of numbers, each seen only a few times.
HARD = (("arithmetic", 1.6), ("phrases", 1.5), ("program", 0.7), ("experts", 0.9))
# The abilities that it still gets wrong most often are trained once more.
WEAK = (("arithmetic", 3.5), ("small talk", 2.5), ("phrases", 1.5), ("program", 0.7), ("experts", 0.9))


@dataclass(frozen=True)
class Recipe:
    """Everything that the result depends on."""

    seed: int = 1
    start: str = ""  # SHA-256 of the file that the training goes on from; empty: it begins from nothing
    shape: Shape = Shape()
    stages: tuple[tuple[Stage, int], ...] = (
        (Stage("texts and conversations", plain=0.15, length=256, most_exchanges=4, answers_only=False), 2500),
        (Stage("conversations", plain=0.0, length=256, most_exchanges=3, answers_only=True, emphasis=HARD), 3900),
        (Stage("long conversations", plain=0.0, length=1024, most_exchanges=16, answers_only=True, emphasis=HARD), 200),
        (Stage("brush-up", plain=0.0, length=256, most_exchanges=3, answers_only=True, emphasis=WEAK), 400),
    )
    batch_tokens: int = 4096
    tokenizer_documents: int = 12000
    matrix_rate: float = 0.02  # Muon's
    other_rate: float = 3e-3  # AdamW's: embedding, routers, norms
    highest_rate: float = 1.0  # share of the rates where the warm-up ends
    warm_up: int = 100  # steps
    last_rate: float = 0.01  # share of the rates at the end
    brush_up_rate: float | None = 0.15  # share of the rates where the last stage starts; None: it goes on as the others
    matrix_decay: float = 0.01
    balance: float = 0.005
    balance_groups: int = 2
    router_z: float = 1e-4
    active: float = 0.38  # share of neurons that shall be on; a pressure on the gates seeks it
    pressure: float = 1e-7  # at the start
    pressure_change: float = 1.5  # at most, in a chapter
    chapter: int = 100  # steps between checkpoints

    @property
    def steps(self) -> int:
        return sum(steps for _, steps in self.stages)

    @property
    def draws(self) -> str:
        """The seed of the texts: a refresh draws other ones than the training that it goes on from."""
        return f"{self.seed} {self.start}".rstrip()

    def stage_at(self, step: int) -> Stage:
        for stage, steps in self.stages:
            if step < steps:
                return stage
            step -= steps
        raise ValueError("beyond the last step")

    def rate_at(self, step: int) -> float:
        """Share of the rates: a warm-up, then a straight line down; the brush-up may have a lower line of its own."""
        if step < self.warm_up:
            return self.highest_rate * (step + 1) / self.warm_up
        first, last, highest = self.warm_up, self.steps, self.highest_rate
        if self.brush_up_rate is not None:
            brush_up = self.steps - self.stages[-1][1]
            first, last, highest = (first, brush_up, highest) if step < brush_up else (brush_up, last, self.brush_up_rate)
        return highest + (self.last_rate - highest) * (step - first) / max(1, last - first)


def refresh(changed: tuple[tuple[str, float], ...], weak: tuple[tuple[str, float], ...]) -> Recipe:
    """A short training that goes on from a file, with other factors at first and in the brush-up; its start is still to be named."""
    return Recipe(
        stages=(
            (Stage("conversations", plain=0.0, length=256, most_exchanges=3, answers_only=True, emphasis=changed), 700),
            (Stage("long conversations", plain=0.0, length=1024, most_exchanges=16, answers_only=True, emphasis=changed), 100),
            (Stage("brush-up", plain=0.0, length=256, most_exchanges=3, answers_only=True, emphasis=weak), 300),
        ),
        highest_rate=0.25,
        warm_up=50,
        brush_up_rate=None,
    )


# A refresh draws many questions about the program, whose texts change most often. So few steps forget something: the first of these
# recipes calls of tools (142 of 150 right), the second sums and small talk (378 of 400 and 103 of 110). The mean of both networks
# keeps them all. (Model soups, arXiv:2203.05482.) The last factor for an ability counts.
CHANGED = (("program", 2.5), ("experts", 1.3))
BRUSH_UP = (*WEAK, ("program", 1.5))
REFRESHES = (refresh(CHANGED, BRUSH_UP), refresh((*CHANGED, ("tools", 2.0)), (*BRUSH_UP, ("tools", 3.0))))


def digest(path: Path) -> str:
    """The name that recipes and reports give a file: its SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def refreshed(start: Path) -> tuple[Recipe, ...]:
    """The short recipes that teach a finished file the texts that changed since."""
    return tuple(replace(recipe, start=digest(start)) for recipe in REFRESHES)


@torch.no_grad()
def mean_of(models: list[Guide]) -> Guide:
    """The first network, with the means of all networks' weights."""
    for alike in zip(*(model.parameters() for model in models)):
        alike[0].copy_(torch.stack(alike).mean(0))
    return models[0]


def balance_loss(scores: Tensor, chosen: Tensor, experts: int, groups: int) -> Tensor:
    """Share of the choices times mean score of each expert, summed; 1 where all are used alike.

    It is computed within groups of the batch, each as mixed as the whole: experts may specialise in a kind of text, as
    long as a group has work for all. (Switch Transformer's loss, arXiv:2101.03961, equation 4, for sigmoid scores.)
    """
    shares = torch.sigmoid(scores)
    shares = (shares / shares.sum(-1, keepdim=True)).view(groups, -1, experts).mean(1)
    counts = torch.stack([torch.bincount(part.reshape(-1), minlength=experts) for part in chosen.chunk(groups)])
    used = counts.float() / counts.sum(1, keepdim=True)
    return experts * (shares * used).sum(1).mean()


class Training:
    """The network, its optimiser, and where they stand."""

    def __init__(self, recipe: Recipe, folder: Path, start: Path | None = None) -> None:
        """start: the file that the recipe names, if it names one; the network and the vocabulary are that file's."""
        if recipe.start != (digest(start) if start else ""):
            raise ValueError(f"the recipe goes on from another file than {start}")
        self.recipe, self.folder = recipe, folder
        torch.manual_seed(recipe.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = (restore(start, recipe.shape)[0] if start else Guide(recipe.shape)).to(self.device)
        named = dict(self.model.named_parameters())
        matrices = [p for name, p in named.items() if p.dim() > 1 and name != "embedding" and not name.endswith("router")]
        others = [p for p in named.values() if not any(p is matrix for matrix in matrices)]
        self.optimisers = (
            (Muon(matrices, recipe.matrix_rate, weight_decay=recipe.matrix_decay), recipe.matrix_rate),
            (torch.optim.AdamW(others, recipe.other_rate, betas=(0.9, 0.95), weight_decay=0.0, foreach=True), recipe.other_rate),
        )
        self.pressure = recipe.pressure
        self.step = 0
        self.seconds = 0.0
        self.corpus = Corpus()
        self.bpe = tokenizer_of(start) if start else self.tokenizer()
        self.load()

    def tokenizer(self) -> Bpe:
        """Trained on the first stage's documents, or read back."""
        path = self.folder / "tokenizer.json"
        if not path.exists():
            texts = self.corpus.sample_texts(Random(self.recipe.seed), self.recipe.stages[0][0], self.recipe.tokenizer_documents)
            Bpe.train(texts, self.recipe.shape.vocabulary).save(path)
        return Bpe.load(path)

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def load(self) -> None:
        if not self.checkpoint.exists():
            return
        state = torch.load(self.checkpoint, map_location=self.device)
        if state["recipe"] != repr(self.recipe):
            raise SystemExit(
                f"error: {self.checkpoint} is of another recipe; a setting or the file at its start changed since; "
                "delete its folder, or work in another one"
            )
        self.model.load_state_dict(state["model"])
        for (optimiser, _), kept in zip(self.optimisers, state["optimisers"]):
            optimiser.load_state_dict(kept)
        self.step, self.seconds, self.pressure = state["step"], state["seconds"], state["pressure"]

    def save(self) -> None:
        """Beside, then renamed: a kill leaves the old one or the new one."""
        beside = self.checkpoint.with_suffix(".new")
        state = {
            "recipe": repr(self.recipe),
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser, _ in self.optimisers],
            "step": self.step,
            "seconds": self.seconds,
            "pressure": self.pressure,
        }
        torch.save(state, beside)
        os.replace(beside, self.checkpoint)

    def loss(self, batch: Batch) -> tuple[Tensor, float]:
        """The whole loss, and the cross entropy alone."""
        recipe, shape = self.recipe, self.recipe.shape
        states, scores, chosen = self.model(batch.tokens, batch.places, self.pressure / batch.tokens.numel())
        entropy = HeadLoss.apply(states.index_select(0, batch.rows), self.model.embedding, batch.targets)
        balance = sum(balance_loss(s, c, shape.experts, recipe.balance_groups) for s, c in zip(scores, chosen))
        router_z = sum(torch.logsumexp(s, dim=-1).square().mean() for s in scores)
        return entropy + recipe.balance * balance + recipe.router_z * router_z, float(entropy.detach())

    def chapter(self) -> float:
        """The steps up to the next checkpoint; the mean cross entropy."""
        recipe = self.recipe
        number, stage = self.step // recipe.chapter, recipe.stage_at(self.step)
        batch_rows = recipe.batch_tokens // stage.length
        made = rows(self.corpus, self.bpe, stage, Random(f"{recipe.draws} {number}"), batch_rows * recipe.chapter)
        total, began = 0.0, time.monotonic()
        for first in range(0, len(made), batch_rows):
            total += self.one_step(Batch(made[first : first + batch_rows], recipe.shape, self.device))
        self.adjust_pressure()
        self.seconds += time.monotonic() - began
        return total / recipe.chapter

    def one_step(self, batch: Batch) -> float:
        """Forward, backward, one step of the optimisers; the cross entropy."""
        loss, entropy = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimiser, rate in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate * self.recipe.rate_at(self.step)
            optimiser.step()
            optimiser.zero_grad()
        self.step += 1
        return entropy

    def adjust_pressure(self) -> None:
        """More pressure on the gates while too many neurons are on, less while too few are."""
        most = self.recipe.pressure_change
        wanted = (self.model.active_share() / self.recipe.active) ** 2
        self.pressure *= min(max(wanted, 1 / most), most)

    def run(self) -> None:
        """To the last step, with a line and a checkpoint a chapter."""
        while self.step < self.recipe.steps:
            began, entropy = self.seconds, self.chapter()
            if not math.isfinite(entropy):
                raise SystemExit(f"error: the loss at step {self.step} is no number; the rates may be too high; lower them in the recipe")
            self.save()
            speed = self.recipe.chapter * self.recipe.batch_tokens / (self.seconds - began)
            print(
                f"step {self.step} of {self.recipe.steps} ({self.recipe.stage_at(self.step - 1).name}): loss {entropy:.3f}, "
                f"{self.model.active_share():.0%} of neurons on, {speed:.0f} tokens/s, {self.seconds / 60:.1f} min",
                flush=True,
            )
